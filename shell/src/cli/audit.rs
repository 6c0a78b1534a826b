//! `ede audit`: every call apps and agents made, refused ones too. A hash stands for the arguments, which are kept nowhere.

use clap::Args;
use ede_engine::app_id::AppId;
use ede_engine::clock::iso;
use ede_engine::records::{AuditQuery, Kept};
use jiff::Timestamp;

use super::context::{OpenRecords, app_id};
use super::options::instant;
use super::{Exit, Failure, Output};
use crate::paths::Paths;

/// What apps and agents did, the newest first.
#[derive(Debug, Args)]
pub struct Audit {
    /// Only this app's calls; `interaction` for what agents ask you, `artifact` for what they hand over
    #[arg(long, value_parser = whose)]
    app: Option<AppId>,
    /// From this moment on (RFC 3339)
    #[arg(long, value_name = "TIME", value_parser = instant)]
    since: Option<Timestamp>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

fn whose(text: &str) -> Result<AppId, String> {
    AppId::of_family(text).map_or_else(|| app_id(text), Ok)
}

impl Audit {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let mut rows: Vec<Kept> = Vec::new();
        if paths.records().exists() {
            let records = OpenRecords::open(paths)?;
            let query = AuditQuery {
                app: self.app,
                since: self.since,
            };
            rows = records.store().audit(query).wait()?;
            records.finish(out);
        }
        if self.json {
            out.json(&rows)?;
            return Ok(Exit::Done);
        }
        for row in &rows {
            let at = iso(row.at);
            let (app, client, tool) = (&row.app_id, &row.client_id, &row.tool);
            let ended = match &row.error {
                Some(error) => format!("{} ({error})", row.status),
                None => row.status.clone(),
            };
            out.line(format_args!("{at}  {app}  {client}  {tool}  {ended}"))?;
        }
        Ok(Exit::Done)
    }
}
