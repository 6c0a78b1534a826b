//! `ede query`: the value of a source, as the app's surfaces would see it.

use std::path::Path;
use std::sync::{Arc, mpsc};

use clap::Args;
use ede_engine::app_id::AppId;
use ede_engine::binding::{BindError, BindingSet, Owner};
use ede_engine::broker::audit::AuditSink;
use ede_engine::broker::grants::Grant;
use ede_engine::clock::Clock;
use ede_engine::package::Package;
use ede_engine::records::{LOCAL, RecordsRequest, Viewer, Wish};
use ede_engine::upstreams::rule::{self, Allowed, Relation};
use ede_engine::upstreams::{Outcome, Reading, Unread, reading};
use eui_core::host::parse_source;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde_json::Value;

use super::context::{OpenRecords, app_id, apps, installed};
use super::{Exit, Failure, Output, options};
use crate::clock::SystemClock;
use crate::desktop::setup;
use crate::paths::Paths;
use crate::sources::{self, Audience, SourceCx, Sources};
use crate::upstreams::Upstreams;
use crate::upstreams::file::List;

/// The value of a source (`records:task?status=open&sum=hours`) as JSON.
#[derive(Debug, Args)]
pub struct Query {
    /// The app that asks.
    #[arg(value_parser = app_id)]
    app: AppId,
    /// The source: records:KIND with a query, a live one like ede:clock, or a tool of a server, upstream:SERVER/TOOL.
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
        let scheme = parse_source(&self.source).map(|parsed| parsed.scheme);
        let value = match scheme.as_deref() {
            Some(sources::SCHEME) => self.live(package, &now)?,
            Some(reading::SCHEME) => self.upstream(paths, &package, out)?,
            _ => self.records(paths, &package, now, out)?,
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

    /// What a server of the person's says. Whoever types the command has decided that it is asked; a decision against the app holds.
    fn upstream(
        &self,
        paths: &Paths,
        package: &Arc<Package>,
        out: &mut Output,
    ) -> Result<Value, Failure> {
        let reading = Reading::parse(&self.source)
            .ok_or_else(|| self.refused(BindError::Malformed(self.source.clone())))?;
        let servers = List::open(paths.upstreams())?.servers;
        let records = OpenRecords::open(paths)?;
        let relation = match servers.get(&reading.server) {
            None => Relation::NoServer,
            Some(server) => {
                let decisions = records.store().decisions().wait()?;
                let wish = Wish::server(&reading.server, server);
                let decided = decisions.about(package, &wish);
                Relation::Decided(decided.or(Some(Grant::Granted)))
            }
        };
        let outcome = match rule::may_read(package, &reading, relation) {
            Ok(may) => {
                let (told, hears) = mpsc::channel();
                let mut hub = Upstreams::default();
                hub.set_servers(servers);
                let then = Box::new(move |outcome| drop(told.send(outcome)));
                hub.read(Allowed::new(reading.clone(), may), then);
                let outcome = hears.recv();
                outcome.unwrap_or(Outcome::Unread(Unread::Unreachable))
            }
            Err(refusal) => Outcome::Unread(Unread::Refused(refusal)),
        };
        if let Some(row) = outcome.row(&self.app, &reading) {
            records.store().clone().write(row);
        }
        records.finish(out);
        match outcome {
            Outcome::Kept(value) | Outcome::Answered(value) => Ok(value),
            Outcome::Unread(Unread::Refused(refusal)) => Err(self.refused(refusal.says(&reading))),
            Outcome::Unread(unread) => Err(Failure::new(
                format_args!(
                    "{} {}",
                    reading.server,
                    unread.says().unwrap_or("gives no answer")
                ),
                format_args!("{} asked by {}", self.source, self.app),
                "see `ede upstreams list`, and try its command by hand",
            )),
        }
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
