//! `ede query`: the value of a source, as the app's surfaces would see it.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use ede_engine::app_id::AppId;
use ede_engine::binding::{BindingSet, Owner};
use ede_engine::clock::Clock;
use ede_engine::package::Package;
use ede_engine::records::{LOCAL, RecordsRequest, Viewer};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde_json::Value;

use super::context::{OpenRecords, app_id, apps, installed};
use super::{Exit, Failure, Output, options};
use crate::clock::SystemClock;
use crate::desktop::setup;
use crate::paths::Paths;
use crate::sources::{self, Audience, SourceCx, Sources};

/// The value of a source (`records:task?status=open&sum=hours`) as JSON.
#[derive(Debug, Args)]
pub struct Query {
    /// The app that asks.
    #[arg(value_parser = app_id)]
    app: AppId,
    /// The source: records:KIND with a query, or a live one like ede:clock.
    source: String,
    /// The time to answer for, in RFC 3339; days are read in the system's time zone.
    #[arg(long, value_name = "RFC3339", value_parser = options::instant)]
    now: Option<Timestamp>,
    /// The member to answer for.
    #[arg(long = "as", value_name = "WHO", default_value = LOCAL, value_parser = options::who)]
    who: String,
}

impl Query {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let package = installed(paths, &self.app)?.package;
        let now: Zoned = self
            .now
            .map_or_else(|| SystemClock.now(), |now| now.to_zoned(TimeZone::system()));
        let live = format!("{}:", sources::SCHEME);
        let value = if self.source.starts_with(&live) {
            self.live(package, &now)?
        } else {
            self.records(paths, &package, now, out)?
        };
        out.json(&value)?;
        Ok(Exit::Done)
    }

    fn refused(&self, error: impl std::fmt::Display) -> Failure {
        Failure::new(
            error,
            format_args!("{} asked by {}", self.source, self.app),
            "see the app's package",
        )
    }

    /// A live source, as far as it is known without a running shell.
    fn live(&self, package: Arc<Package>, now: &Zoned) -> Result<Value, Failure> {
        // What the package may follow is the engine's to say.
        BindingSet::new(Owner::App(package))
            .bind("/value", &self.source, &|_: &AppId| None)
            .map_err(|e| self.refused(e))?;
        let cx = SourceCx {
            now: now.timestamp(),
            zone: now.time_zone(),
            locale: &setup::environment_locale(),
        };
        Sources::new(Path::new("/proc"))
            .value(&self.source, Audience::Packages, &cx)
            .map_err(|e| self.refused(e))
    }

    fn records(
        &self,
        paths: &Paths,
        package: &Package,
        now: Zoned,
        out: &mut Output,
    ) -> Result<Value, Failure> {
        let others = |id: &AppId| apps(paths).open(id).ok().map(|app| app.package);
        let request = RecordsRequest::parse(&self.source, package, others)
            .map_err(|error| self.refused(error))?;
        let records = OpenRecords::open(paths)?;
        let viewer = Viewer {
            me: self.who.clone(),
            now,
        };
        let value = records.store().value(request, viewer).wait();
        records.finish(out);
        Ok(Arc::unwrap_or_clone(value?))
    }
}
