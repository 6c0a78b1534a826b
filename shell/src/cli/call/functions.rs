//! The functions of an app that are no capability's, where no surface called: records are written, and what would have been done to a surface
//! is named.

use std::sync::Arc;

use ede_engine::actions::{self, Effect, Refused, Snapshot};
use ede_engine::clock::Clock;
use ede_engine::package::Package;
use ede_engine::records::{Batch, LOCAL, Store, Via, Viewer};
use serde_json::{Value, json};

use crate::clock::SystemClock;

/// Why a function did nothing.
pub(super) enum Undone {
    Unknown,
    NotListed,
    /// It is not to be had here, in these words: it does something to a surface, or needs an account.
    Unavailable(String),
    Arguments(String),
    Failed(String),
}

/// What a function did: `{records}`, the ids of those it wrote, with `{left}`, what an action would have done to a surface.
pub(super) fn carried_out(
    store: &Store,
    package: &Arc<Package>,
    name: &str,
    arguments: &Value,
) -> Result<Value, Undone> {
    let effect = actions::decide(package, name, arguments).map_err(|refused| match refused {
        Refused::Unknown(_) => Undone::Unknown,
        Refused::NotListed(_) => Undone::NotListed,
        Refused::Arguments { why, .. } => Undone::Arguments(why),
        link @ Refused::Link { .. } => Undone::Arguments(link.to_string()),
        elsewhere @ Refused::Elsewhere(_) => Undone::Unavailable(elsewhere.to_string()),
    })?;
    let mut left = Vec::new();
    let batch = match effect {
        Effect::Write { writes, key } => Some(Batch {
            key,
            ..Batch::new(package.clone(), Via::Cli, writes)
        }),
        Effect::Run { action, params } => {
            let viewer = Viewer {
                me: LOCAL.into(),
                now: SystemClock.now(),
            };
            let snapshot = Snapshot {
                data: &json!({}),
                viewer: &viewer,
            };
            let plan = actions::plan(package, &action, &params, snapshot);
            let plan = plan.map_err(|failed| match failed.parameters() {
                Some(why) => Undone::Arguments(why.to_owned()),
                None => Undone::Failed(failed.to_string()),
            })?;
            left = plan.needs_surface();
            let batch = plan.batch(package, &viewer);
            batch.map(|batch| Batch {
                via: Via::Cli,
                ..batch
            })
        }
        _ => return Err(Undone::Unavailable("unavailable".into())),
    };
    let ids: Vec<String> = match batch {
        None => Vec::new(),
        Some(batch) => {
            let receipt = store.commit(batch).wait();
            let receipt = receipt.map_err(|error| Undone::Failed(error.to_string()))?;
            receipt.ids.iter().map(ToString::to_string).collect()
        }
    };
    let mut content = json!({"records": ids});
    if !left.is_empty() {
        content["left"] = json!(left);
    }
    Ok(content)
}
