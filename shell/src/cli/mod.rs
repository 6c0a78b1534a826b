//! The command line: one subcommand a file, listed once in [`Command`].
//!
//! A command gets the folders and a place to print, does its work and answers an [`Exit`] or a [`Failure`]. This module alone
//! turns those into output and exit codes: 0 done, 1 failed (`error: what, where, what to do` on stderr), 2 wrong usage (clap's
//! own message). A command never prints to stderr and never ends the process itself.

mod apps;
mod audit;
mod call;
mod check;
mod context;
mod contract;
mod focus;
mod grants;
mod interaction;
mod open;
mod options;
mod output;
mod preview;
mod query;
mod records;
mod run;
mod schema;
mod snapshot;
mod upstreams;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use output::Output;

use crate::paths::{Paths, PathsError};

/// The desktop of the Exponential Desktop Environment.
#[derive(Debug, Parser)]
#[command(
    name = "ede",
    version,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Ede {
    #[command(subcommand)]
    command: Command,
}

/// Every command there is. A new one is a file beside this, a variant here and a line in [`Command::run`].
#[derive(Debug, Subcommand)]
enum Command {
    Apps(apps::Apps),
    Audit(audit::Audit),
    Call(call::Call),
    Check(check::Check),
    Contract(contract::Contract),
    /// Give the keyboard to the panel
    Focus(focus::Focus),
    Grants(grants::Grants),
    /// An app's window in the running shell
    Open(open::Open),
    /// A package at phone and wide size, live
    Preview(preview::Preview),
    Query(query::Query),
    Records(records::Records),
    /// The shell
    Run(run::Run),
    Schema(schema::Schema),
    /// One picture of a package, a document or an A2UI stream
    Snapshot(snapshot::Snapshot),
    /// MCP servers that packages may name
    Upstreams(upstreams::Upstreams),
}

impl Command {
    fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        match self {
            Command::Apps(command) => command.run(paths, out),
            Command::Audit(command) => command.run(paths, out),
            Command::Call(command) => command.run(paths, out),
            Command::Check(command) => command.run(paths, out),
            Command::Contract(command) => command.run(out),
            Command::Focus(command) => command.run(paths, out),
            Command::Grants(command) => command.run(paths, out),
            Command::Open(command) => command.run(paths, out),
            Command::Preview(command) => command.run(paths),
            Command::Query(command) => command.run(paths, out),
            Command::Records(command) => command.run(paths, out),
            Command::Run(command) => command.run(paths, out),
            Command::Schema(command) => command.run(out),
            Command::Snapshot(command) => command.run(paths, out),
            Command::Upstreams(command) => command.run(paths, out),
        }
    }
}

/// How a command ended when nothing went wrong with the command itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Exit code 0.
    Done,
    /// Exit code 1 without an error line: the output already says what is wrong (`check` found problems).
    Failed,
}

/// What a command says when it cannot do its work: one line, `what, where, what to do`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

impl Failure {
    /// `what` happened, `place` it happened at (a file, an app, a kind), and what the person can do now. Sentence case is not
    /// used: the line reads `error: what, where, what to do`.
    pub fn new(
        what: impl std::fmt::Display,
        place: impl std::fmt::Display,
        remedy: impl std::fmt::Display,
    ) -> Failure {
        Failure(format!("{what}, {place}, {remedy}"))
    }
}

impl From<PathsError> for Failure {
    fn from(error: PathsError) -> Failure {
        Failure(error.to_string())
    }
}

impl From<ede_engine::files::FileError> for Failure {
    fn from(error: ede_engine::files::FileError) -> Failure {
        Failure(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::new("cannot print the answer", "standard output", error)
    }
}

/// Run the command that `arguments` (the program's name first) ask for and answer the process's exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let ede = match Ede::try_parse_from(arguments) {
        Ok(ede) => ede,
        Err(usage) => {
            // Help and version go to stdout with code 0, a wrong usage to stderr with code 2; a closed pipe changes neither.
            let _ = usage.print();
            return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2));
        }
    };
    let mut out = Output::stdout();
    let ended = Paths::from_env()
        .map_err(Failure::from)
        .and_then(|paths| ede.command.run(&paths, &mut out));
    let ended = ended.and_then(|exit| out.finish().map(|()| exit).map_err(Failure::from));
    match ended {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Failed) => ExitCode::FAILURE,
        // Who reads our output has gone (`ede … | head`): nobody is left to tell.
        Err(_) if out.closed() => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = std::io::Write::write_all(
                &mut std::io::stderr(),
                format!("error: {}\n", output::one_line(&failure.to_string())).as_bytes(),
            );
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Ede::command().debug_assert();
    }

    #[test]
    fn a_failure_reads_what_where_what_to_do() {
        assert_eq!(
            Failure::new("no such app", "ede.nope", "see `ede apps list`").to_string(),
            "no such app, ede.nope, see `ede apps list`"
        );
    }
}
