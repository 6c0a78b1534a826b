//! An agent's call about a file it hands over, as it comes in: checked by its tool's schema before anything else is.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::{ArtifactId, Hash, Offer};
use crate::bridge::format;
use crate::bridge::validate::{Violation, arguments};
use crate::interactions::CallError;
use crate::interactions::call::{Tool, read_tools};
use crate::plain::file_name;

/// Where the tools are found among what an agent may call: `artifact__keep`. No app has this id.
pub const FAMILY: &str = "artifact";

/// Every tool, in the order they are listed.
pub fn tools() -> &'static [Tool] {
    static ALL: LazyLock<Vec<Tool>> = LazyLock::new(|| read_tools(include_str!("tools.json")));
    &ALL
}

/// What an agent wants.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// To hand this over, with its bytes where they come along.
    Keep(Offer, Option<Vec<u8>>),
    /// What is known of this one?
    Get(ArtifactId),
}

impl Call {
    /// The call of the tool `name` with these arguments.
    ///
    /// # Errors
    /// There is no such tool, or its arguments are wrong; nothing is kept.
    pub fn read(name: &str, given: &Value) -> Result<Call, CallError> {
        let tool = tools().iter().find(|tool| tool.name == name);
        let tool = tool.ok_or(CallError::UnknownTool)?;
        let given = arguments(tool.schema(), given).map_err(CallError::Arguments)?;
        match name {
            "keep" => {
                let data = text(&given, "data").map(|data| {
                    let wrong = || CallError::Arguments(wrong("/data"));
                    format::bytes(data).ok_or_else(wrong)
                });
                let offer = offer(&given).map_err(CallError::Arguments)?;
                Ok(Call::Keep(offer, data.transpose()?))
            }
            "get" => {
                let id = text(&given, "id").unwrap_or_default();
                Ok(Call::Get(ArtifactId::new(id)))
            }
            _ => Err(CallError::UnknownTool),
        }
    }
}

/// The offer that checked arguments spell.
fn offer(given: &Map<String, Value>) -> Result<Offer, Violation> {
    let mime_type = text(given, "mimeType")
        .unwrap_or_default()
        .to_ascii_lowercase();
    if !is_mime(&mime_type) {
        return Err(wrong("/mimeType"));
    }
    let hash = text(given, "sha256").map(|hash| Hash::parse(hash).ok_or_else(|| wrong("/sha256")));
    // An integer of JSON may be written with a fraction of nothing.
    let size = given.get("size").and_then(Value::as_f64).unwrap_or(0.0);
    Ok(Offer {
        name: file_name(text(given, "name").unwrap_or_default()),
        mime_type,
        size: size as u64,
        hash: hash.transpose()?,
    })
}

fn text<'a>(given: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    given.get(key).and_then(Value::as_str)
}

fn wrong(pointer: &str) -> Violation {
    Violation {
        pointer: pointer.into(),
        keyword: "format",
    }
}

fn is_mime(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&b))
    };
    text.split_once('/')
        .is_some_and(|(a, b)| word(a) && word(b))
}
