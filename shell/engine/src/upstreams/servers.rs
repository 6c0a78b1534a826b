//! The person's list of servers: `upstreams.json` in the folder of the configuration. Reading it is strict, and what is wrong is
//! said at its place in the text. No secret is in it: a server's token is kept in the person's keyring.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use eui_core::host::canonical_json;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use url::{Host, Url};

use crate::bridge::format::web_url;
use crate::issue::{Issue, quoted};
use crate::package::hex;
use crate::pointer;
use crate::schema::check::shape_issues;
use crate::schema::shape::{Object, Shape, may, must};
use crate::source::{Limits, Source};

/// What the file may be at most.
pub const LIMITS: Limits = Limits {
    what: "A list of upstreams",
    bytes: 64 * 1024,
    depth: 8,
};

/// The file's format.
const FORMAT: i32 = 1;
/// The longest command: the program and its arguments.
const WORDS: usize = 64;
/// The longest word of a command, and the longest address (characters).
const WORD: usize = 4096;

/// What the person calls a server, and what packages name: 1 to 80 characters, as the package format has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerName(Arc<str>);

impl ServerName {
    /// The shape of a name, for every format that has one.
    pub fn shape() -> Shape {
        Shape::text(1, 80)
    }

    /// The name that `text` spells.
    pub fn parse(text: &str) -> Option<ServerName> {
        let fits = shape_issues(&text.into(), &ServerName::shape(), 0).is_empty();
        fits.then(|| ServerName(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a server on the network is: https, or http on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerUrl(Url);

/// A text that is no address of a server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadUrl {
    #[error("{} is no address like https://mcp.example.org/mcp", quoted(.0))]
    Malformed(String),
    #[error("http is for this machine only (127.0.0.1, [::1], localhost): use https")]
    Unencrypted,
    #[error("an address holds no user or password: hand a token in with `--token -`")]
    Credentials,
}

impl ServerUrl {
    /// The address that `text` spells.
    pub fn parse(text: &str) -> Result<ServerUrl, BadUrl> {
        let malformed = || BadUrl::Malformed(text.into());
        let url = web_url(text).ok_or_else(malformed)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadUrl::Credentials);
        }
        if text.chars().count() > WORD || url.fragment().is_some() {
            return Err(malformed());
        }
        let url = ServerUrl(url);
        if url.0.scheme() != "https" && !url.is_local() {
            return Err(BadUrl::Unencrypted);
        }
        Ok(url)
    }

    /// Is it on this machine?
    pub fn is_local(&self) -> bool {
        match self.0.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        }
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Server {
    /// A program that speaks over its standard input and output: itself and its arguments, at least one word.
    Command(Vec<String>),
    Url {
        url: ServerUrl,
        /// The person's keyring holds a token for it.
        token: bool,
    },
}

impl Server {
    /// The server a command line starts. `None` when it is no command: no word, too many, too long, or one with a NUL.
    pub fn command(words: Vec<String>) -> Option<Server> {
        let fits = |w: &String| w.chars().count() <= WORD && !w.contains('\0');
        let first = words.first().is_some_and(|w| !w.is_empty());
        (first && words.len() <= WORDS && words.iter().all(fits)).then_some(Server::Command(words))
    }

    /// A mark of what is behind the name: a decision about a server is none about another that takes its name.
    pub fn mark(&self) -> String {
        let behind = match self {
            Server::Command(words) => json!({"command": words}),
            Server::Url { url, .. } => json!({"url": url.as_str()}),
        };
        hex(&Sha256::digest(canonical_json(&behind)))
    }

    fn to_json(&self) -> Value {
        match self {
            Server::Command(words) => json!({"command": words}),
            Server::Url { url, token: false } => json!({"url": url.as_str()}),
            Server::Url { url, token: true } => json!({"url": url.as_str(), "token": true}),
        }
    }
}

impl fmt::Display for Server {
    /// The command line or the address, for a person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Server::Command(words) => f.write_str(&words.join(" ")),
            Server::Url { url, .. } => url.fmt(f),
        }
    }
}

/// Every server the person has set up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Servers(BTreeMap<ServerName, Server>);

impl Servers {
    /// Read the file's bytes.
    ///
    /// # Errors
    /// All that is wrong, each at its place.
    pub fn read(bytes: &[u8]) -> Result<Servers, Vec<Issue>> {
        let source = Source::read(bytes, LIMITS).map_err(|issue| vec![issue])?;
        let mut issues = shape_issues(source.value(), &shape(), 0);
        issues.extend(source.issues().iter().cloned());
        let mut servers = BTreeMap::new();
        let listed = source.value().get("servers").and_then(Value::as_object);
        for (name, server) in listed.into_iter().flatten() {
            let at = pointer::child("/servers", name);
            let known = ServerName::parse(name).ok_or_else(|| {
                let says = ServerName::shape().says();
                Issue::key(&at, format!("a server's name must be {says}"))
            });
            match known.and_then(|name| Ok((name, read(server, &at)?))) {
                Ok((name, server)) => drop(servers.insert(name, server)),
                // The shape has said so already.
                Err(issue) if issues.iter().any(|i| i.pointer.starts_with(&at)) => drop(issue),
                Err(issue) => issues.push(issue),
            }
        }
        if issues.is_empty() {
            return Ok(Servers(servers));
        }
        source.place(&mut issues);
        issues.sort_by_key(|i| i.position);
        Err(issues)
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        let servers: Map<String, Value> = (self.0.iter())
            .map(|(name, server)| (name.as_str().to_owned(), server.to_json()))
            .collect();
        let file = json!({"formatVersion": FORMAT, "servers": servers});
        format!("{file:#}\n")
    }

    pub fn get(&self, name: &ServerName) -> Option<&Server> {
        self.0.get(name)
    }

    /// Put a server under its name, and have the one that was there.
    pub fn insert(&mut self, name: ServerName, server: Server) -> Option<Server> {
        self.0.insert(name, server)
    }

    pub fn remove(&mut self, name: &ServerName) -> Option<Server> {
        self.0.remove(name)
    }

    /// In the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&ServerName, &Server)> {
        self.0.iter()
    }
}

fn shape() -> Shape {
    let command = Shape::list(Shape::text(0, WORD), 1, WORDS);
    let server = Object::of(vec![
        may(
            "command",
            command,
            "A program and its arguments, which speaks MCP over its standard input and output.",
        ),
        may(
            "url",
            Shape::text(1, WORD),
            "Where a server answers: https, or http on this machine.",
        ),
        may("token", Shape::Flag, "The keyring holds a token for it."),
    ]);
    Shape::object(vec![
        must(
            "formatVersion",
            Shape::whole(FORMAT, FORMAT),
            "The format of this file.",
        ),
        must(
            "servers",
            Shape::any_map(server.one_of(&["command", "url"]).into()),
            "The servers by their names.",
        ),
    ])
}

fn read(server: &Value, at: &str) -> Result<Server, Issue> {
    if let Some(url) = server.get("url").and_then(Value::as_str) {
        let url = ServerUrl::parse(url)
            .map_err(|bad| Issue::new(pointer::child(at, "url"), bad.to_string()))?;
        let token = server.get("token").and_then(Value::as_bool) == Some(true);
        return Ok(Server::Url { url, token });
    }
    if server.get("token").is_some() {
        let at = pointer::child(at, "token");
        return Err(Issue::key(at, "a token is for a server with a `url`"));
    }
    let words = server.get("command").and_then(Value::as_array);
    let words = words.into_iter().flatten().filter_map(Value::as_str);
    Server::command(words.map(str::to_owned).collect()).ok_or_else(|| {
        let at = pointer::child(at, "command");
        Issue::new(at, "a command is a program and its arguments, each a text")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn name(text: &str) -> ServerName {
        ServerName::parse(text).unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut servers = Servers::default();
        let command = ["npx", "-y", "the server"].map(str::to_owned).to_vec();
        servers.insert(name("github"), Server::command(command).unwrap());
        let url = ServerUrl::parse("https://mcp.example.org/mcp").unwrap();
        servers.insert(name("Home Assistant"), Server::Url { url, token: true });
        assert_eq!(Servers::read(servers.to_json().as_bytes()), Ok(servers));
    }

    #[test]
    fn a_mistake_is_said_at_its_place() {
        let said = |text: &str| {
            let issues = Servers::read(text.as_bytes()).unwrap_err();
            let first = &issues[0];
            let place = first.position.unwrap();
            format!("{}:{} {}", place.line, place.column, first.pointer)
        };
        for (text, at) in [
            ("{", "1:1 "),
            (r#"{"formatVersion": 1}"#, "1:1 /servers"),
            (
                r#"{"formatVersion": 2, "servers": {}}"#,
                "1:19 /formatVersion",
            ),
            (
                r#"{"formatVersion": 1, "servers": {"a": {}}}"#,
                "1:39 /servers/a",
            ),
            (
                r#"{"formatVersion": 1, "servers": {"a": {"command": []}}}"#,
                "1:51 /servers/a/command",
            ),
            (
                r#"{"formatVersion": 1, "servers": {"a": {"command": [""]}}}"#,
                "1:51 /servers/a/command",
            ),
            (
                r#"{"formatVersion": 1, "servers": {"a": {"command": ["x"], "url": "https://a.example"}}}"#,
                "1:39 /servers/a",
            ),
            (
                r#"{"formatVersion": 1, "servers": {"a": {"command": ["x"], "token": true}}}"#,
                "1:58 /servers/a/token",
            ),
            (
                r#"{"formatVersion": 1, "servers": {"a": {"url": "http://a.example"}}}"#,
                "1:47 /servers/a/url",
            ),
            (
                r#"{"formatVersion": 1, "servers": {"a": {"url": "https://a.example", "env": {}}}}"#,
                "1:68 /servers/a/env",
            ),
            (
                r#"{"formatVersion": 1, "servers": {"": {"command": ["x"]}}}"#,
                "1:34 /servers/",
            ),
        ] {
            assert_eq!(said(text), at, "{text}");
        }
    }

    #[test]
    fn an_address_is_encrypted_or_on_this_machine_and_holds_no_secret() {
        for good in [
            "https://mcp.example.org",
            "https://10.0.0.1:8443/mcp?x=1",
            "http://127.0.0.1:8000/mcp",
            "http://127.9.9.9/",
            "http://[::1]:8000/mcp",
            "http://localhost:3000",
        ] {
            assert!(ServerUrl::parse(good).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("http://mcp.example.org", BadUrl::Unencrypted),
            ("http://localhost.example.org", BadUrl::Unencrypted),
            ("http://10.0.0.1", BadUrl::Unencrypted),
            ("http://[::ffff:10.0.0.1]", BadUrl::Unencrypted),
            ("https://me:secret@mcp.example.org", BadUrl::Credentials),
            ("http://127.0.0.1@mcp.example.org", BadUrl::Credentials),
        ] {
            assert_eq!(ServerUrl::parse(bad), Err(why), "{bad}");
        }
        for bad in [
            "",
            "mcp.example.org",
            "file:///etc/passwd",
            "https://a.example/#x",
            "ftp://a.example",
            "https:// a",
        ] {
            assert!(
                matches!(ServerUrl::parse(bad), Err(BadUrl::Malformed(_))),
                "{bad}"
            );
        }
    }

    #[test]
    fn another_command_or_address_is_another_server() {
        let command = |words: &[&str]| {
            let words = words.iter().map(|w| (*w).to_owned()).collect();
            Server::command(words).unwrap().mark()
        };
        assert_eq!(command(&["a", "b c"]), command(&["a", "b c"]));
        assert_ne!(command(&["a", "b c"]), command(&["a", "b", "c"]));
        let url = |text: &str, token| {
            let url = ServerUrl::parse(text).unwrap();
            Server::Url { url, token }.mark()
        };
        assert_ne!(
            url("https://a.example", false),
            url("https://b.example", false)
        );
        // A new token is the same server.
        assert_eq!(
            url("https://a.example", false),
            url("https://a.example", true)
        );
        assert_eq!(Server::command(vec![String::new()]), None);
        assert_eq!(Server::command(vec!["a".into(), "b\0c".into()]), None);
    }
}
