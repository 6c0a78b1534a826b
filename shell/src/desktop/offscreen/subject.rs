//! What a picture is taken of: a package, a document, one surface of a stream, told apart by the file's content.

use std::collections::BTreeSet;
use std::sync::Arc;

use ede_engine::app_file::{AppFile, holds_a_package};
use ede_engine::documents::Document;
use ede_engine::issue::Issue;
use ede_engine::package::{Judge, Package};
use serde_json::Value;

use super::{ShotError, list};

/// What is to be seen.
pub enum Subject {
    Package {
        package: Arc<Package>,
        screen: Option<String>,
    },
    Document(Box<Document>),
    Stream(Vec<Value>),
}

impl Subject {
    /// Find out what a file is and take it in.
    pub fn read(
        bytes: &[u8],
        screen: Option<&str>,
        surface: Option<&str>,
    ) -> Result<Subject, ShotError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| ShotError::Broken("the file is not UTF-8 text".into()))?;
        let subject = Subject::tell_apart(bytes, text, screen, surface)?;
        match (&subject, screen, surface) {
            (Subject::Document(_) | Subject::Stream(_), Some(screen), _) => Err(ShotError::Named {
                what: format!("only a package has screens, and this file has no {screen}"),
                remedy: "leave --screen out",
            }),
            (Subject::Package { .. } | Subject::Document(_), _, Some(surface)) => {
                Err(ShotError::Named {
                    what: format!("only a stream has surfaces, and this file has no {surface}"),
                    remedy: "leave --surface out",
                })
            }
            _ => Ok(subject),
        }
    }

    fn tell_apart(
        bytes: &[u8],
        text: &str,
        screen: Option<&str>,
        surface: Option<&str>,
    ) -> Result<Subject, ShotError> {
        let whole: Result<Value, _> = serde_json::from_str(text);
        match whole {
            Ok(v) if v.get("templates").is_some() || holds_a_package(&v) => {
                // A test that fails is no reason to show nothing.
                let untested = Judge {
                    untested: true,
                    ..Judge::default()
                };
                let parsed = AppFile::read(bytes, untested).parsed();
                let package = parsed.package.ok_or_else(|| first(&parsed.issues))?;
                Ok(Subject::Package {
                    package: Arc::new(package),
                    screen: screen.map(str::to_string),
                })
            }
            Ok(v) if v.get("kind").is_some() => {
                let parsed = Document::read(bytes);
                parsed
                    .document
                    .map(|d| Subject::Document(Box::new(d)))
                    .ok_or_else(|| first(&parsed.issues))
            }
            Ok(Value::Array(messages)) => stream(messages, surface),
            Ok(v) if is_message(&v) => stream(vec![v], surface),
            Ok(_) => Err(ShotError::Broken(
                "the file is no package, document or stream".into(),
            )),
            Err(_) => {
                let lines: Result<Vec<Value>, _> = text
                    .lines()
                    .map(str::trim)
                    .filter(|l| !l.is_empty())
                    .map(serde_json::from_str)
                    .collect();
                let lines = lines.map_err(|e| {
                    ShotError::Broken(format!("the file is neither JSON nor JSON lines: {e}"))
                })?;
                stream(lines, surface)
            }
        }
    }
}

/// The first thing that is wrong with a file, at its place.
fn first(issues: &[Issue]) -> ShotError {
    ShotError::Broken(issues.first().map_or_else(
        || "the file does not check".into(),
        |i| format!("{}: {}", i.pointer, i.message),
    ))
}

const MESSAGES: [&str; 4] = [
    "createSurface",
    "updateComponents",
    "updateDataModel",
    "deleteSurface",
];

fn is_message(v: &Value) -> bool {
    MESSAGES.iter().any(|k| v.get(*k).is_some())
}

/// The messages of one surface of a stream, the first one where none is named.
fn stream(messages: Vec<Value>, surface: Option<&str>) -> Result<Subject, ShotError> {
    let of = |m: &Value| {
        MESSAGES
            .iter()
            .find_map(|k| m.get(*k)?.get("surfaceId")?.as_str().map(str::to_string))
    };
    let there: BTreeSet<String> = messages.iter().filter_map(of).collect();
    let wanted = match surface {
        Some(id) => id.to_string(),
        None => messages
            .iter()
            .find_map(of)
            .ok_or_else(|| ShotError::Broken("no message of the stream names a surface".into()))?,
    };
    let own: Vec<Value> = messages
        .into_iter()
        .filter(|m| of(m).as_deref() == Some(wanted.as_str()))
        .collect();
    if own.is_empty() {
        Err(ShotError::Named {
            what: format!(
                "the stream has no surface {wanted}, it has {}",
                list(&there)
            ),
            remedy: "name one with --surface",
        })
    } else {
        Ok(Subject::Stream(own))
    }
}
