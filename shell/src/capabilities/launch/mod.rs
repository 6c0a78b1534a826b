//! `launch`: start an installed application by the id of its desktop entry ([`entry`]): by D-Bus where it says so ([`bus`]), else by its
//! command line ([`exec`]), never through a shell. An app in the foreground hands the person's press on, so that the application's
//! window may come to the front.

mod bus;
mod entry;
mod exec;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use ede_engine::bridge::NativeAnswer;
use serde_json::{Value, json};

use super::{Call, Later, Provider, Ran, failed};
use crate::processes;
use crate::wayland::Platform;
use entry::Entry;

#[derive(Default)]
pub(super) struct Launch {
    /// Starts that wait for their token, by the number of the wish.
    waiting: BTreeMap<u64, (String, Later)>,
}

impl Provider for Launch {
    fn capability(&self) -> &'static str {
        "launch"
    }

    fn is_there(&self, _: Option<&Platform>) -> bool {
        true
    }

    fn call(&mut self, call: Call<'_>, session: Option<&mut Platform>) -> Ran {
        let app = call.arguments.get("app").and_then(Value::as_str);
        let app = app.unwrap_or_default().to_owned();
        match session.zip(call.press) {
            Some((platform, press)) => {
                let wish =
                    platform.request_activation_token(&app, press.surface, Some(press.serial));
                self.waiting.insert(wish, (app, call.later));
            }
            None => launch(app, None, call.later),
        }
        Ran::Later
    }

    fn activation_token(&mut self, wish: u64, token: Option<&str>) {
        if let Some((app, later)) = self.waiting.remove(&wish) {
            launch(app, token.map(str::to_owned), later);
        }
    }
}

/// Start an application, on a thread of its own.
fn launch(app: String, token: Option<String>, later: Later) {
    let answer = later.clone();
    let started = std::thread::Builder::new()
        .name("ede-launch".into())
        .spawn(move || match entry::find(&entry::folders(), &app) {
            Some(entry) => start(&entry, token.as_deref(), answer),
            None => answer.answer(launched(false)),
        });
    if started.is_err() {
        later.answer(did_not_start());
    }
}

fn start(entry: &Entry, token: Option<&str>, later: Later) {
    if entry.by_bus {
        match bus::activate(&entry.id, token) {
            Ok(()) => return later.answer(launched(true)),
            Err(bus::Failed::Timeout) => return later.answer(NativeAnswer::Timeout),
            Err(bus::Failed::Refused) => return later.answer(did_not_start()),
            Err(bus::Failed::NotThere) if entry.exec.is_none() => {
                return later.answer(did_not_start());
            }
            Err(bus::Failed::NotThere) => {}
        }
    }
    if entry.terminal {
        return later.answer(failed(
            "The application needs a terminal, which apps do not open",
        ));
    }
    let Some((program, arguments)) = exec::arguments(entry).ok().and_then(split) else {
        return later.answer(failed("The application's desktop entry makes no sense"));
    };
    let mut command = Command::new(program);
    command.args(arguments);
    // Ours was for us.
    command.env_remove("WAYLAND_SOCKET");
    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
        match token {
            Some(token) => command.env(name, token),
            None => command.env_remove(name),
        };
    }
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let folder = entry.folder.clone().or_else(home);
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        command.current_dir(folder);
    }
    processes::start(command, move |started| {
        later.answer(match started {
            Ok(()) => launched(true),
            Err(error) => {
                tracing::debug!("an application did not start: {error}");
                did_not_start()
            }
        });
    });
}

fn split(arguments: Vec<String>) -> Option<(String, Vec<String>)> {
    let mut arguments = arguments.into_iter();
    Some((arguments.next()?, arguments.collect()))
}

fn launched(launched: bool) -> NativeAnswer {
    NativeAnswer::Result(json!({"structuredContent": {"launched": launched}}))
}

fn did_not_start() -> NativeAnswer {
    failed("The application did not start")
}
