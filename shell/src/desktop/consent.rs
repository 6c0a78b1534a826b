//! What the person reads before an app may do something: who asks, signed by whom, what for, in whose words. A template of the shell's
//! own with the app's words in it as plain text; nothing an app says is markup, a link or a picture here.

use ede_engine::broker::catalog::Scope;
use ede_engine::package::{Capability, Package};
use serde_json::{Value, json};

use crate::plain::without_links;

/// The sheet's components.
const SHEET: &str = include_str!("../../../assets/sheets/consent.json");
/// The events of its buttons.
pub const ALLOW: &str = "consent.allow";
pub const DENY: &str = "consent.deny";
/// The button that has the focus.
pub const SAFE: &str = "deny";
/// The longest reason that is shown (characters).
const REASON: usize = 500;

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
    for (n, row) in rows.iter_mut().enumerate() {
        row["row"] = n.to_string().into();
    }
    json!({
        "icon": icon(scope.id.capability()),
        "title": format!("{}?", capital(&verb)),
        "sentence": format!("{} wants to {verb}.", without_links(package.name(), 80)),
        "rows": rows,
        "why": without_links(&declared.why, REASON),
        "waits": true,
    })
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
