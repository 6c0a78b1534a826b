//! What the person reads before an app may do something: who asks, signed by whom, what for, in whose words. A template of the shell's
//! own with the app's words in it as plain text; nothing an app says is markup, a link or a picture here.

use ede_engine::broker::catalog::Scope;
use ede_engine::exposes::Tool;
use ede_engine::package::{Capability, Package};
use ede_engine::plain::{line, without_links};
use ede_engine::upstreams::rule;
use ede_engine::upstreams::{Server, ServerName, ServerTool};
use serde_json::{Value, json};

/// The sheet's components.
const SHEET: &str = include_str!("../../../assets/sheets/consent.json");
/// The events of its buttons.
pub const ALLOW: &str = "consent.allow";
pub const DENY: &str = "consent.deny";
/// The button that has the focus.
pub const SAFE: &str = "deny";
/// The longest reason that is shown (characters).
const REASON: usize = 500;

/// The longest name of a server, command and name of a tool that are shown (characters).
const NAME: usize = 80;
const BEHIND: usize = 160;
const TOOL: usize = 160;

/// The sheet's components.
pub fn components() -> Value {
    // It is part of the program; a test reads it.
    serde_json::from_str(SHEET).unwrap_or_default()
}

/// What the sheet says when `package` asks for `scope`, which it declares so.
pub fn data(package: &Package, scope: &Scope, declared: &Capability) -> Value {
    let verb = verb(scope, declared);
    let mut rows = vec![
        json!({"key": "App", "named": true, "value": without_links(package.name(), 80), "more": package.version()}),
        json!({"key": "Id", "named": false, "value": "", "more": package.id().as_str()}),
        signer(package),
    ];
    // One a line: none hides behind another.
    for (n, origin) in declared.origins.iter().enumerate() {
        let key = match n {
            0 if declared.origins.len() == 1 => "Server",
            0 => "Servers",
            _ => "",
        };
        rows.push(json!({"key": key, "named": true, "value": origin.to_string(), "more": ""}));
    }
    json!({
        "icon": icon(scope.id.capability()),
        "title": format!("{}?", capital(&verb)),
        "sentence": format!("{} wants to {verb}.", without_links(package.name(), 80)),
        "rows": numbered(rows),
        "reasoned": true,
        "why": without_links(&declared.why, REASON),
        "waits": true,
    })
}

/// What the sheet says when `package` asks to read from a server of the person's.
pub fn reading(package: &Package, name: &ServerName, server: &Server) -> Value {
    let app = without_links(package.name(), 80);
    let tools = rule::tools(&package.sources(), name);
    let mut rows = about_server(package, name, server);
    let every = tools.all.then(|| "all that say that they only read".into());
    let vouched = tools.vouched.iter().map(|tool| line(tool, TOOL));
    // One a line: none hides behind another.
    for (n, tool) in every.into_iter().chain(vouched).enumerate() {
        let key = if n == 0 { "Tools" } else { "" };
        rows.push(json!({"key": key, "named": true, "value": tool, "more": ""}));
    }
    let verb = read_verb(name);
    let mut sentence = format!("{app} wants to {verb}, a server you have set up.");
    if !tools.vouched.is_empty() {
        let word = match tools.all {
            true => "those named",
            false => "the tools",
        };
        sentence += &format!(" {app} says that {word} below only read.");
    }
    of_server(&verb, &sentence, rows)
}

/// What the sheet says when `package` asks to call a tool of a server of the person's.
pub fn calling(package: &Package, to: &ServerTool, server: &Server) -> Value {
    let app = without_links(package.name(), 80);
    let mut rows = about_server(package, &to.server, server);
    rows.push(json!({"key": "Tool", "named": true, "value": line(&to.tool, TOOL), "more": ""}));
    let verb = call_verb(to);
    let when = match package.automation_errands().contains(to) {
        true => "each time the app asks for it, and by itself",
        false => "each time the app asks for it",
    };
    let sentence = format!(
        "{app} wants to {verb}, a server you have set up. It can change things there, {when}."
    );
    of_server(&verb, &sentence, rows)
}

/// What the sheet says when an agent calls a tool that `package` offers, and that may change something.
pub fn offering(package: &Package, tool: &Tool) -> Value {
    let app = without_links(package.name(), 80);
    let name = tool.name.qualified(package.id());
    let verb = agents_verb(tool);
    json!({
        "icon": "bot",
        "title": format!("{}?", capital(&verb)),
        "sentence": format!("An agent wants to use this tool of {app}. It can change what {app} keeps, each time an agent calls it."),
        "rows": numbered(vec![
            json!({"key": "App", "named": true, "value": app, "more": package.version()}),
            json!({"key": "Id", "named": false, "value": "", "more": package.id().as_str()}),
            signer(package),
            json!({"key": "Tool", "named": false, "value": "", "more": line(&name, TOOL)}),
        ]),
        "reasoned": true,
        "why": without_links(&tool.description, REASON),
        "waits": true,
    })
}

/// What the person lets agents do, as the second half of a sentence.
pub fn agents_verb(tool: &Tool) -> String {
    format!("let agents use “{}”", without_links(&tool.title, 80))
}

/// Who asks, and what is behind the name of the server.
fn about_server(package: &Package, name: &ServerName, server: &Server) -> Vec<Value> {
    let app = without_links(package.name(), 80);
    let behind = match server {
        Server::Command(_) => "Command",
        Server::Url { .. } => "Address",
    };
    vec![
        json!({"key": "App", "named": true, "value": app, "more": package.version()}),
        json!({"key": "Id", "named": false, "value": "", "more": package.id().as_str()}),
        signer(package),
        json!({"key": "Server", "named": true, "value": line(name.as_str(), NAME), "more": ""}),
        json!({"key": behind, "named": false, "value": "", "more": line(&server.to_string(), BEHIND)}),
    ]
}

fn of_server(verb: &str, sentence: &str, rows: Vec<Value>) -> Value {
    json!({
        "icon": "server",
        "title": format!("{}?", capital(verb)),
        "sentence": sentence,
        "rows": numbered(rows),
        "reasoned": false,
        "why": "",
        "waits": true,
    })
}

/// What calling a tool is, as the second half of a sentence.
pub fn call_verb(to: &ServerTool) -> String {
    let (tool, server) = (line(&to.tool, TOOL), line(to.server.as_str(), NAME));
    format!("use {tool} of {server}")
}

/// What reading from a server is, as the second half of a sentence.
pub fn read_verb(name: &ServerName) -> String {
    format!("read from {}", line(name.as_str(), NAME))
}

/// Rows with a key each, so that two of the same words are two.
fn numbered(mut rows: Vec<Value>) -> Vec<Value> {
    for (n, row) in rows.iter_mut().enumerate() {
        row["row"] = n.to_string().into();
    }
    rows
}

/// What the scope lets an app do, as the second half of a sentence: `see your open windows`. Which servers, where they are several, is for a
/// list.
pub fn verb(scope: &Scope, declared: &Capability) -> String {
    let servers = match declared.origins.as_slice() {
        [one] => one.to_string(),
        several => format!("{} servers", several.len()),
    };
    scope.verb.replace("{origins}", &servers)
}

fn signer(package: &Package) -> Value {
    if package.id().is_reserved() {
        return json!({"key": "Signed by", "named": true, "value": "eDE, it came with the desktop", "more": ""});
    }
    let author = package.value().get("author");
    let name = author.and_then(|a| a.get("name")).and_then(Value::as_str);
    match package.signer() {
        Some(key) => {
            json!({"key": "Signed by", "named": true, "value": without_links(name.unwrap_or("an author without a name"), 80), "more": key.fingerprint()})
        }
        None => {
            json!({"key": "Signed by", "named": true, "value": "nobody", "more": "anyone can have written it"})
        }
    }
}

pub(super) fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

fn icon(capability: &str) -> &'static str {
    match capability {
        "windows" => "eye",
        "focus" => "app-window",
        "launch" => "rocket",
        "http" => "globe",
        "notifications" => "bell",
        "files" => "folder-open",
        "location" => "map-pin",
        "photos" => "image",
        "camera" => "camera",
        "print" => "printer",
        "share" => "share-2",
        _ => "circle-question-mark",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_sheet_is_read_and_its_safe_button_is_there() {
        let all = components();
        let ids: Vec<&str> = all
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["id"].as_str().unwrap())
            .collect();
        assert!(ids.contains(&"root") && ids.contains(&SAFE));
    }

    #[test]
    fn a_server_is_shown_with_what_is_behind_it_and_the_tools_the_app_lists() {
        let file = include_bytes!("../../../fixtures/apps/test.rates.app.json");
        let package = Package::read(file).package.unwrap();
        let rows = |name: &str, server: &Server| {
            let data = reading(&package, &ServerName::parse(name).unwrap(), server);
            let rows = data["rows"].as_array().unwrap().iter().skip(3);
            let row =
                |r: &Value| ["key", "value", "more"].map(|k| r[k].as_str().unwrap().to_string());
            let title = data["title"].as_str().unwrap().to_string();
            (title, rows.map(row).collect::<Vec<_>>())
        };
        let command = ["bank-mcp", "--read\u{202e}only"]
            .map(String::from)
            .to_vec();
        let server = Server::command(command).unwrap();
        let (title, bank) = rows("bank", &server);
        assert_eq!(title, "Read from bank?");
        assert_eq!(
            bank,
            [
                ["Server", "bank", ""],
                ["Command", "", "bank-mcp --readonly"],
                ["Tools", "rates", ""],
                ["", "pay", ""]
            ]
        );
        assert_eq!(
            rows("shop", &server).1[2..],
            [["Tools", "all that say that they only read", ""]]
        );
        let sentence = |name: &str| {
            let data = reading(&package, &ServerName::parse(name).unwrap(), &server);
            data["sentence"].as_str().unwrap().to_owned()
        };
        // Whose word it is where the tools themselves may say nothing.
        assert!(sentence("bank").ends_with(" says that the tools below only read."));
        assert!(sentence("shop").ends_with(", a server you have set up."));
    }

    #[test]
    fn a_tool_that_an_automation_calls_is_said_to_be_called_by_itself() {
        let file = include_bytes!("../../../fixtures/apps/test.payer.app.json");
        let package = Package::read(file).package.unwrap();
        let server = Server::command(vec!["bank-mcp".into()]).unwrap();
        let sheet = |tool: &str| calling(&package, &ServerTool::parse(tool).unwrap(), &server);
        let by_itself = |tool: &str| {
            let sentence = sheet(tool)["sentence"].as_str().unwrap().to_owned();
            sentence.ends_with(", and by itself.")
        };
        assert_eq!(
            (by_itself("bank/pay"), by_itself("bank/unsaid")),
            (false, true)
        );
        let rows = sheet("bank/pay")["rows"].clone();
        let last = rows.as_array().unwrap().last().unwrap();
        assert_eq!([&last["key"], &last["value"]], ["Tool", "pay"]);
    }

    #[test]
    fn a_reason_is_one_bounded_line_that_leads_nowhere() {
        let shown = |why: &str| {
            let package = json!({
                "id": "acme.net", "name": "Net", "version": "1.0.0", "formatVersion": 5, "catalogId": "https://ui.exponential.at/catalogs/core/v1",
                "capabilities": [{"id": "files.read", "why": why}],
                "templates": {"main": {"components": [{"id": "root", "component": "Box"}]}}});
            let package = Package::read_checked(package.to_string().as_bytes()).unwrap();
            let scope = ede_engine::broker::catalog::catalog();
            let scope = scope.scope("files.read").unwrap();
            data(&package, scope, &package.capabilities()[0])["why"].clone()
        };
        let why = "To  read\n/etc/passwd and\t\u{202e}https://evil.example/?q=1 .";
        assert_eq!(shown(why), "To read [link] and [link] .");
        let long = shown(&"word ".repeat(99));
        assert_eq!(long.as_str().unwrap().chars().count(), 494);
        assert_eq!(
            without_links(&"word ".repeat(200), REASON).chars().count(),
            500
        );
    }

    #[test]
    fn every_server_has_a_line_of_its_own() {
        let origins = ["https://a.example", "https://b.example:8443"];
        let package = json!({
            "id": "acme.net", "name": "Net", "version": "1.0.0", "formatVersion": 5, "catalogId": "https://ui.exponential.at/catalogs/core/v1",
            "capabilities": [{"id": "http.fetch", "why": "Because.", "origins": origins}],
            "templates": {"main": {"components": [{"id": "root", "component": "Box"}]}}});
        let package = Package::read_checked(package.to_string().as_bytes()).unwrap();
        let declared = &package.capabilities()[0];
        let scope = ede_engine::broker::catalog::catalog();
        let data = data(&package, scope.scope("http.fetch").unwrap(), declared);
        assert_eq!(data["title"], "Connect to 2 servers?");
        let rows: Vec<_> = data["rows"].as_array().unwrap().iter().skip(3).collect();
        assert_eq!(
            rows.iter().map(|r| &r["value"]).collect::<Vec<_>>(),
            origins
        );
        assert_eq!([&rows[0]["key"], &rows[1]["key"]], ["Servers", ""]);
    }
}
