//! `ede open APP [SCREEN] [PARAMS.json]`: an app's window in the running shell.

use std::path::PathBuf;

use clap::Args;
use ede_engine::app_id::AppId;
use serde_json::Value;

use super::{Exit, Failure, Output, context};
use crate::desktop::shell::Command;
use crate::ipc;
use crate::paths::Paths;

#[derive(Debug, Args)]
pub struct Open {
    #[arg(value_parser = context::app_id)]
    app: AppId,
    screen: Option<String>,
    /// The screen's parameters, a JSON object
    params: Option<PathBuf>,
}

impl Open {
    pub fn run(self, paths: &Paths, _out: &mut Output) -> Result<Exit, Failure> {
        let params = match &self.params {
            Some(file) => {
                let params = context::json_input(file)?;
                if !params.is_object() {
                    return Err(Failure::new(
                        "a screen's parameters are an object",
                        context::named(file),
                        "write {\"name\": value}",
                    ));
                }
                params
            }
            None => Value::Null,
        };
        // A launcher's activation token says that the person asked for this window.
        let token = std::env::var("XDG_ACTIVATION_TOKEN")
            .ok()
            .filter(|t| !t.is_empty());
        let command = Command::Open {
            app: self.app.clone(),
            screen: self.screen,
            params,
            token,
        };
        ask(paths, &command, self.app.as_str(), "see `ede apps list`")
    }
}

/// Hand a command to the running shell.
pub(super) fn ask(
    paths: &Paths,
    command: &Command,
    place: &str,
    remedy: &str,
) -> Result<Exit, Failure> {
    match ipc::ask(paths.runtime()?, command) {
        Ok(_) => Ok(Exit::Done),
        Err(None) => Err(Failure::new(
            "no shell is running",
            place,
            "start it with `ede run`",
        )),
        Err(Some(error)) => Err(Failure::new(error, place, remedy)),
    }
}
