//! What agents have done by an app's tools ([`crate::exposes`]), as far as it is the records': the tool is counted against its app's minute,
//! and reads, or writes in one batch.

use rusqlite::TransactionBehavior;

use super::database::Database;
use super::error::StoreError;
use super::model::{Batch, LOCAL};
use super::query::Viewer;
use super::rate::Rate;
use super::store::{Pending, Store};
use crate::actions::Effect;
use crate::app_id::AppId;
use crate::exposes::{Answered, Call, Closed, Deed, Refused};
use crate::upstreams::Errand;
use serde_json::json;

/// What came of a call of a tool.
#[derive(Debug)]
pub enum ToolRan {
    /// It is over. What was written is, and these calls follow on it.
    Closed(Closed, Vec<Effect>),
    /// A server of the person's is to do it.
    Errand(Box<Call>, Errand),
}

impl Store {
    /// Do what a call of a tool says, where the person has allowed what has to be. `calls`: those that follow on an action can be made;
    /// where they cannot, an action that has some does nothing.
    pub fn run_tool(&self, call: Call, calls: bool) -> Pending<ToolRan> {
        self.ask(move |database| {
            let over = |answered| ToolRan::Closed(call.close(answered), Vec::new());
            Ok(match run(database, &call, calls) {
                Ok((answered, follow)) => match answered {
                    Done::Answered(answered) => ToolRan::Closed(call.close(answered), follow),
                    Done::Errand(errand) => ToolRan::Errand(Box::new(call), errand),
                },
                Err(trouble) => over(Answered::Failed(trouble.told())),
            })
        })
    }
}

enum Done {
    Answered(Answered),
    Errand(Errand),
}

fn run(
    database: &mut Database,
    call: &Call,
    calls: bool,
) -> Result<(Done, Vec<Effect>), StoreError> {
    let done = |answered| Ok((Done::Answered(answered), Vec::new()));
    let app = call.package().id();
    if !counted(database, app)? {
        return done(Answered::Refused(Refused::RateLimited));
    }
    let viewer = Viewer {
        me: LOCAL.into(),
        now: database.now().to_zoned(database.zone()),
    };
    match call.deed(&viewer, calls) {
        Err(answered) => done(answered),
        Ok(Deed::Read(request, whole)) => {
            let value = database.value(&request, &viewer)?;
            done(whole.of(&value))
        }
        Ok(Deed::Write { batch, calls }) => {
            let ids = match batch {
                Some(batch) => write(database, &batch)?,
                None => Vec::new(),
            };
            let answered = Answered::Done(json!({"records": ids}));
            Ok((Done::Answered(answered), calls))
        }
        Ok(Deed::Errand(errand)) => Ok((Done::Errand(errand), Vec::new())),
    }
}

fn counted(database: &mut Database, app: &AppId) -> Result<bool, StoreError> {
    database.write(|connection, now, _| {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let counted = Rate::Tools.take(&tx, app, now)?;
        tx.commit()?;
        Ok(counted)
    })
}

/// The ids of the records it has touched.
fn write(database: &mut Database, batch: &Batch) -> Result<Vec<String>, StoreError> {
    let receipt = database.commit(batch)?;
    Ok(receipt.ids.iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests;
