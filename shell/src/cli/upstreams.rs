//! `ede upstreams`: the MCP servers a person lets packages name. A package never brings a command or an address; a token is read from
//! standard input and kept in the keyring only. A running shell hears of a change at once.

use std::future::Future;
use std::io::Read;

use clap::{ArgGroup, Args, Subcommand};
use ede_engine::plain::line;
use ede_engine::upstreams::servers::ServerUrl;
use ede_engine::upstreams::{Server, ServerName};
use serde_json::{Value, json};

use super::context::OpenRecords;
use super::{Exit, Failure, Output};
use crate::paths::Paths;
use crate::upstreams::file::{List, ListError};
use crate::upstreams::keyring::{self, KeyringError};
use crate::upstreams::listing::{self, Listed};

/// The longest name of a tool, and the most of its words, that are shown (characters).
const NAME: usize = 160;
const WORDS: usize = 300;

/// The longest token (bytes).
const TOKEN: u64 = 16 * 1024;

/// MCP servers that packages may name in their `upstreams`.
///
/// A package only ever reads through its bindings, and after you have allowed the app to. Tools that say that they change something are never
/// called. Tools that say nothing of it are called where the package lists them by name: that they only read is then the package's word.
#[derive(Debug, Args)]
pub struct Upstreams {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Add(Add),
    /// Forget a server, its token, and which apps may read from it
    Remove {
        #[arg(value_parser = name)]
        name: ServerName,
    },
    /// What a server offers, as it says itself; nothing is called. A package calls one as upstream.NAME.TOOL, and reads it as upstream:NAME/TOOL
    Tools {
        #[arg(value_parser = name)]
        name: ServerName,
        /// One JSON document, with what each takes
        #[arg(long)]
        json: bool,
    },
    /// The servers there are
    List {
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
}

/// Set up a server, or replace the one of this name.
///
/// A program gets PATH, HOME, LANG and XDG_RUNTIME_DIR of the environment, nothing else.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("server").args(["command", "url"]).required(true)))]
struct Add {
    /// What packages call it
    #[arg(value_parser = name)]
    name: ServerName,
    /// A program that speaks MCP over its standard input and output, and its arguments: the rest of the line
    #[arg(long, value_name = "PROGRAM ARGUMENT…", num_args = 1.., allow_hyphen_values = true)]
    command: Option<Vec<String>>,
    /// Where a server answers: https, or http on this machine
    #[arg(long, value_parser = url)]
    url: Option<ServerUrl>,
    /// Read the server's token from standard input, and keep it in the keyring
    #[arg(long, value_name = "-", value_parser = ["-"], conflicts_with = "command")]
    token: Option<String>,
}

fn name(text: &str) -> Result<ServerName, String> {
    let says = || format!("a server's name is {}", ServerName::shape().says());
    ServerName::parse(text).ok_or_else(says)
}

fn url(text: &str) -> Result<ServerUrl, String> {
    ServerUrl::parse(text).map_err(|bad| bad.to_string())
}

impl From<ListError> for Failure {
    fn from(error: ListError) -> Failure {
        Failure(error.to_string())
    }
}

impl Upstreams {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        match self.what {
            What::Add(add) => add.run(paths, out),
            What::Remove { name } => remove(paths, &name, out),
            What::Tools { name, json } => tools(paths, &name, json, out),
            What::List { json } => list(paths, json, out),
        }
    }
}

impl Add {
    fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let mut list = List::open(paths.upstreams())?;
        let name = self.name;
        let server = match (self.url, self.command) {
            (Some(url), _) => {
                let token = self.token.is_some();
                if token {
                    keep(&name, &url, &token_input()?)?;
                }
                Server::Url { url, token }
            }
            (None, command) => Server::command(command.unwrap_or_default()).ok_or_else(|| {
                let remedy = "write the program and its arguments after --command";
                Failure::new("this is no command", &name, remedy)
            })?,
        };
        let said = format!("{name} is {server}");
        let before = list.servers.insert(name.clone(), server.clone());
        list.save()?;
        if let Some(before) = before.filter(|before| *before != server) {
            forget_token(&name, &before, Some(&server), out);
        }
        out.line(said)?;
        Ok(Exit::Done)
    }
}

fn remove(paths: &Paths, name: &ServerName, out: &mut Output) -> Result<Exit, Failure> {
    let mut list = List::open(paths.upstreams())?;
    let Some(server) = list.servers.remove(name) else {
        let remedy = "`ede upstreams list` has those there are";
        return Err(Failure::new("there is no such server", name, remedy));
    };
    list.save()?;
    forget_token(name, &server, None, out);
    if paths.records().exists() {
        let records = OpenRecords::open(paths)?;
        records.store().forget_server(name.clone()).wait()?;
        records.finish(out);
    }
    out.line(format_args!("{name} is gone"))?;
    Ok(Exit::Done)
}

fn list(paths: &Paths, as_json: bool, out: &mut Output) -> Result<Exit, Failure> {
    let list = List::open(paths.upstreams())?;
    if as_json {
        let all: Vec<Value> = list.servers.iter().map(row).collect();
        out.json(&all)?;
        return Ok(Exit::Done);
    }
    let mut none = true;
    for (name, server) in list.servers.iter() {
        let token = match server {
            Server::Url { token: true, .. } => ", with a token",
            _ => "",
        };
        out.line(format_args!("{name}: {server}{token}"))?;
        none = false;
    }
    if none {
        out.line("no server is set up: `ede upstreams add` does that")?;
    }
    Ok(Exit::Done)
}

fn tools(
    paths: &Paths,
    name: &ServerName,
    as_json: bool,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let list = List::open(paths.upstreams())?;
    let Some(server) = list.servers.get(name) else {
        let remedy = "`ede upstreams list` has those there are";
        return Err(Failure::new("there is no such server", name, remedy));
    };
    let all = listing::tools(name, server).map_err(|unread| {
        let says = unread.says().unwrap_or("does not answer");
        Failure::new(
            format_args!("the server {says}"),
            name,
            "see to it, and ask again",
        )
    })?;
    if as_json {
        let all: Vec<Value> = all.iter().map(tool_row).collect();
        out.json(&all)?;
        return Ok(Exit::Done);
    }
    for tool in &all {
        let does = match (tool.hints.read_only, tool.hints.destructive) {
            (_, Some(true)) => "destroys something, and is never called",
            (Some(true), _) => "only reads",
            (Some(false), _) => "changes something",
            (None, _) => "does not say whether it only reads",
        };
        let (name, words) = (line(&tool.name, NAME), line(&tool.description, WORDS));
        let words = if words.is_empty() {
            words
        } else {
            format!(": {words}")
        };
        out.line(format_args!("{name} ({does}){words}"))?;
    }
    if all.is_empty() {
        out.line(format_args!("{name} offers no tools"))?;
    }
    Ok(Exit::Done)
}

fn tool_row(tool: &Listed) -> Value {
    json!({
        "name": tool.name, "description": tool.description, "readOnly": tool.hints.read_only, "destructive": tool.hints.destructive,
        "inputSchema": tool.input,
    })
}

fn row((name, server): (&ServerName, &Server)) -> Value {
    match server {
        Server::Command(words) => json!({"name": name.as_str(), "command": words}),
        Server::Url { url, token } => {
            json!({"name": name.as_str(), "url": url.as_str(), "token": token})
        }
    }
}

/// The token on standard input: one line, as it goes into a header.
fn token_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin()
        .lock()
        .take(TOKEN)
        .read_to_string(&mut text);
    let token = text.trim_end_matches(['\r', '\n']);
    let fits = !token.is_empty() && token.bytes().all(|b| b.is_ascii_graphic());
    if read.is_err() || !fits || text.len() as u64 == TOKEN {
        let remedy = "pipe in the token alone, one line without spaces";
        return Err(Failure::new("this is no token", "standard input", remedy));
    }
    Ok(token.to_owned())
}

fn keep(name: &ServerName, url: &ServerUrl, token: &str) -> Result<(), Failure> {
    ask(keyring::keep(name, url, token)).map_err(|error| {
        let remedy =
            "start or unlock one (GNOME Keyring, KWallet, KeePassXC): a token is kept nowhere else";
        Failure::new(
            error,
            format_args!("the token of {name} is not kept"),
            remedy,
        )
    })
}

/// Forget the token of a server that is no more; the same address under the same name needs it still.
fn forget_token(name: &ServerName, before: &Server, now: Option<&Server>, out: &mut Output) {
    let Server::Url { url, token: true } = before else {
        return;
    };
    if matches!(now, Some(Server::Url { url: same, token: true }) if same == url) {
        return;
    }
    if let Err(error) = ask(keyring::forget(name, url)) {
        out.note(format_args!(
            "the token of {name} may still be in the keyring: {error}"
        ));
    }
}

fn ask<T>(question: impl Future<Output = Result<T, KeyringError>>) -> Result<T, KeyringError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|_| KeyringError::Failed)?;
    runtime.block_on(question)
}
