//! Replays of contract cases: files that say what the engine must answer, held against what it does answer. Pure; the files are
//! read by who calls.
//!
//! A file is an object. Each of its keys is a kind of case ([`KINDS`]: one file here and one line there), a setting all its cases
//! share ([`Setting`]), or words for its reader. What is none of these is an error, as is a file without a case: a file nobody
//! understood must not count as passed.

mod audit;
mod bridge;
mod capabilities;
mod decide;
mod formats;
mod hosts;
mod list;
mod mime;
mod modes;
mod origins;
mod parse;
mod pdf;
mod pdf_cases;
mod reserved;
mod scope_pattern;
mod setting;
mod standing;
mod synced;
mod tools;
mod validate;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

pub use setting::Setting;

/// A kind of case.
struct Kind {
    /// The key its cases stand under.
    key: &'static str,
    replay: fn(&Value, &Setting) -> Vec<Replayed>,
}

const fn kind(key: &'static str, replay: fn(&Value, &Setting) -> Vec<Replayed>) -> Kind {
    Kind { key, replay }
}

/// Every kind of case there is.
const KINDS: &[Kind] = &[
    kind("auditCases", audit::replay),
    kind("bridgeCases", bridge::replay),
    kind("capabilities", capabilities::replay),
    kind("decideCases", decide::replay),
    kind("formatCases", formats::replay),
    kind("hosts", hosts::replay),
    kind("listCases", list::replay),
    kind("mimeCases", mime::replay),
    kind("modeCases", modes::replay),
    kind("originCases", origins::replay),
    kind("parseCases", parse::replay),
    kind("pdf", pdf::replay),
    kind("pdfCases", pdf_cases::replay),
    kind("reservedNames", reserved::replay),
    kind("scopePattern", scope_pattern::replay),
    kind("syncedCases", synced::replay),
    kind("tools", tools::replay),
    kind("validateCases", validate::replay),
];

/// Keys for who reads the file.
const WORDS: &[&str] = &["about", "$comment"];

/// The kinds of case there are, by their keys.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.key)
}

/// One case and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// Its name, or what tells it apart.
    pub case: String,
    pub expected: Value,
    pub actual: Value,
}

impl Replayed {
    fn new(case: impl Into<String>, expected: impl Into<Value>, actual: impl Into<Value>) -> Self {
        Replayed {
            case: case.into(),
            expected: expected.into(),
            actual: actual.into(),
        }
    }

    pub fn passed(&self) -> bool {
        self.expected == self.actual
    }
}

/// The cases of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Cases {
    pub kind: &'static str,
    pub replayed: Vec<Replayed>,
}

/// Why a file is no file of cases.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoCases {
    #[error("it is no JSON: {0}")]
    Json(String),
    #[error("it is no object of cases")]
    NoObject,
    #[error("there is no kind of case called `{0}`")]
    UnknownKey(String),
    #[error("its `{0}` cannot be read: {1}")]
    Setting(&'static str, String),
    #[error("there is no case in it")]
    Empty,
}

/// Replay every case of a file.
///
/// # Errors
/// The file is not one of cases; nothing of it counts.
pub fn replay(bytes: &[u8]) -> Result<Vec<Cases>, NoCases> {
    let file: Value = serde_json::from_slice(bytes).map_err(|e| NoCases::Json(e.to_string()))?;
    let file = match file {
        Value::Object(file) if pdf::is_measures(&file) => {
            Map::from_iter([("pdf".to_owned(), Value::Object(file))])
        }
        Value::Object(file) => file,
        _ => return Err(NoCases::NoObject),
    };
    let setting = Setting::of(&file)?;
    let mut replayed = Vec::new();
    for (key, cases) in &file {
        match KINDS.iter().find(|kind| kind.key == key) {
            Some(kind) => replayed.push(Cases {
                kind: kind.key,
                replayed: (kind.replay)(cases, &setting),
            }),
            None if setting::KEYS.contains(&key.as_str()) || WORDS.contains(&key.as_str()) => {}
            None => return Err(NoCases::UnknownKey(key.clone())),
        }
    }
    if replayed.iter().all(|cases| cases.replayed.is_empty()) {
        return Err(NoCases::Empty);
    }
    Ok(replayed)
}

/// Replay each case of a list. A case that cannot be read has failed.
fn each<T: DeserializeOwned>(
    cases: &Value,
    mut replay: impl FnMut(T) -> (Value, Value),
) -> Vec<Replayed> {
    let Value::Array(cases) = cases else {
        return vec![Replayed::new("all", "a list of cases", cases.clone())];
    };
    let one = |(index, case): (usize, &Value)| {
        let name = case_name(case, index);
        match T::deserialize(case) {
            Ok(read) => {
                let (expected, actual) = replay(read);
                Replayed::new(name, expected, actual)
            }
            Err(error) => Replayed::new(name, "a case that can be read", error.to_string()),
        }
    };
    cases.iter().enumerate().map(one).collect()
}

/// A case's own name, else its place and what it is about.
fn case_name(case: &Value, index: usize) -> String {
    let text = |key: &str| case.get(key).and_then(Value::as_str);
    match (text("name"), text("tool").or(text("format"))) {
        (Some(name), _) => name.to_owned(),
        (None, Some(about)) => format!("{}: {about}", index + 1),
        (None, None) => (index + 1).to_string(),
    }
}

/// Ours as far as `theirs` speaks of it: the members with its keys, in its order.
fn spoken_of(theirs: &Map<String, Value>, ours: &Value) -> Value {
    let member = |key: &String| Some((key.clone(), ours.get(key)?.clone()));
    Value::Object(theirs.keys().filter_map(member).collect())
}

/// A value as JSON; what cannot be one is told.
fn as_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_else(|error| json!(error.to_string()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn replayed(file: Value) -> Result<Vec<Cases>, NoCases> {
        replay(file.to_string().as_bytes())
    }

    #[test]
    fn what_is_no_file_of_cases_never_passes() {
        assert!(matches!(replay(b"{"), Err(NoCases::Json(_))));
        assert_eq!(replayed(json!([])), Err(NoCases::NoObject));
        assert_eq!(replayed(json!({})), Err(NoCases::Empty));
        assert_eq!(
            replayed(json!({"about": "x", "parseCases": []})),
            Err(NoCases::Empty)
        );
        let unknown = json!({"reservedNames": [], "guessCases": []});
        assert_eq!(
            replayed(unknown),
            Err(NoCases::UnknownKey("guessCases".into()))
        );
        assert!(matches!(
            replayed(json!({"v1": 1, "parseCases": []})),
            Err(NoCases::Setting(..))
        ));
    }

    #[test]
    fn a_file_may_be_the_measures_of_documents() {
        let passed = |file| replayed(file).map(|all| all[0].replayed[0].passed());
        assert_eq!(passed(json!({"margin": 56})), Ok(true));
        assert_eq!(passed(json!({"margin": 57})), Ok(false));
        assert!(passed(json!({"margin": 56, "guessCases": []})).is_err());
    }

    #[test]
    fn a_case_that_is_wrong_or_cannot_be_read_fails() {
        let file = json!({"parseCases": [
            {"name": "windows__list", "expected": {"capability": "windows", "tool": "list"}},
            {"name": "windows__list", "expected": null},
            {"name": "windows__list", "expekted": null},
        ]});
        let passed: Vec<bool> = replayed(file).unwrap()[0]
            .replayed
            .iter()
            .map(Replayed::passed)
            .collect();
        assert_eq!(passed, [true, false, false]);
        let file = json!({"decideCases": {"name": "no list"}});
        assert!(!replayed(file).unwrap()[0].replayed[0].passed());
    }
}
