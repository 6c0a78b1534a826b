//! `ede query`: the value of a records source, as the app's surfaces would see it.

use clap::Args;
use ede_engine::app_id::AppId;
use ede_engine::clock::{Clock, parse_instant};
use ede_engine::records::{LOCAL, RecordsRequest, Viewer};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::context::{OpenRecords, app_id, apps, installed};
use super::{Exit, Failure, Output};
use crate::clock::SystemClock;
use crate::paths::Paths;

/// The value of a source (`records:task?status=open&sum=hours`) as JSON.
#[derive(Debug, Args)]
pub struct Query {
    /// The app that asks.
    #[arg(value_parser = app_id)]
    app: AppId,
    /// The source: records:KIND, with a query.
    source: String,
    /// The time to answer for, in RFC 3339; days are read in the system's time zone.
    #[arg(long, value_name = "RFC3339", value_parser = instant)]
    now: Option<Timestamp>,
    /// The member to answer for.
    #[arg(long = "as", value_name = "WHO", default_value = LOCAL)]
    who: String,
}

fn instant(text: &str) -> Result<Timestamp, String> {
    parse_instant(text).ok_or_else(|| "a time like 2026-10-01T09:30:00Z".into())
}

impl Query {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let app = installed(paths, &self.app)?;
        let others = |id: &AppId| apps(paths).open(id).ok().map(|app| app.package);
        let request =
            RecordsRequest::parse(&self.source, &app.package, others).map_err(|error| {
                Failure::new(
                    error,
                    format_args!("{} asked by {}", self.source, self.app),
                    "see the app's package",
                )
            })?;
        let now: Zoned = self
            .now
            .map_or_else(|| SystemClock.now(), |now| now.to_zoned(TimeZone::system()));
        let records = OpenRecords::open(paths)?;
        let value = records
            .store()
            .value(request, Viewer { me: self.who, now })
            .wait();
        records.finish(out);
        out.json(&value?)?;
        Ok(Exit::Done)
    }
}
