//! Installs that are under way: what is to be installed is noted here before the app's files change, and the note goes in the transaction that
//! makes the app's records what the install says. A note that is still here is of an install that was cut short: whoever finds it finishes it.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::bring::{Brought, bring};
use super::removed;
use super::store::{Pending, Store, StoreEvent};
use crate::app_file::Row;
use crate::app_id::AppId;
use crate::apps::Author;
use crate::package::Package;

/// An install that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Install {
    pub app: AppId,
    /// The file, whole.
    pub file: Vec<u8>,
    /// No file of the app was there before, good or not.
    pub anew: bool,
}

impl Store {
    /// Note an install before the app's files change. One of the same app that was cut short is continued by it.
    pub fn begin_install(&self, install: Install) -> Pending<()> {
        self.ask(move |database| {
            database.write(|connection, _, _| {
                connection.execute(
                    "INSERT INTO installs (app, file, anew) VALUES (?1, ?2, ?3)
                     ON CONFLICT (app) DO UPDATE SET file = excluded.file, anew = max(anew, excluded.anew)",
                    params![install.app.as_str(), install.file, install.anew],
                )?;
                Ok(())
            })
        })
    }

    /// Installs that have begun and not ended. Makes no database where there is none.
    pub fn installs(&self) -> Pending<Vec<Install>> {
        self.ask(|database| match database.exists() {
            true => database.read(noted),
            false => Ok(Vec::new()),
        })
    }

    /// End an install whose files are in place: what waits for `author` is the app's again, the records of `rows` come in ([`Store::bring`]) and the
    /// note goes, all of it or nothing.
    ///
    /// # Errors
    /// As [`Store::bring`]; the note stays.
    pub fn end_install(
        &self,
        package: Arc<Package>,
        author: Author,
        rows: Vec<Row>,
    ) -> Pending<Brought> {
        self.ask(move |database| {
            let zone = database.zone();
            let brought = database.write(|connection, now, ids| {
                let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let app = package.id();
                let anew = "SELECT anew FROM installs WHERE app = ?1";
                let anew: Option<bool> = tx
                    .query_row(anew, [app.as_str()], |row| row.get(0))
                    .optional()?;
                // Without a note it was ended before, or the database is a fresh one: what is there already stays as it is.
                removed::give_back_in(&tx, app, &author, anew.unwrap_or(false))?;
                let brought = bring(&tx, &package, &rows, (now, &zone), ids)?;
                forget(&tx, app)?;
                tx.commit()?;
                Ok(brought)
            })?;
            if let Some(records) = brought.filled {
                database.tell(StoreEvent::Filling(package.id().clone(), records));
            }
            Ok(brought)
        })
    }

    /// Forget an install: the app's files are what they were before it.
    pub fn drop_install(&self, app: AppId) -> Pending<()> {
        self.ask(move |database| database.write(|connection, _, _| Ok(forget(connection, &app)?)))
    }
}

fn forget(connection: &Connection, app: &AppId) -> rusqlite::Result<()> {
    let gone = "DELETE FROM installs WHERE app = ?1";
    connection.execute(gone, [app.as_str()]).map(drop)
}

fn noted(connection: &Connection) -> rusqlite::Result<Vec<Install>> {
    let mut noted =
        connection.prepare_cached("SELECT app, file, anew FROM installs ORDER BY app")?;
    let noted = noted.query_map([], |row| {
        let (app, file, anew): (String, Vec<u8>, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
        // A name that is none is nobody's.
        let app = AppId::parse(&app).ok();
        Ok(app.map(|app| Install { app, file, anew }))
    })?;
    Ok(noted
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect())
}
