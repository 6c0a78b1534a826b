//! From what an app says to what the native is asked. One line a tool in [`native_arguments`]; a file's id becomes its name, type
//! and bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::AppContext;
use super::files::{FileId, FileStore, NotificationIds, StoreError};
use super::mime::Sniffed;
use super::validate::Violation;

/// How a tool's arguments become the native's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Bridge {
    /// As they are.
    Plain,
    /// A file or a text to `{name, mimeType, data}`.
    Save,
    /// What is shared, a file with its bytes.
    Share,
    /// A file to print to `{name, mimeType, data}`.
    Print,
    /// A notification, with what a tap on it opens.
    Post,
    /// A notification by its id.
    Cancel,
}

/// What the native is asked.
#[derive(Debug, Default)]
pub(super) struct Mapped {
    pub arguments: Map<String, Value>,
    pub own_id: Option<String>,
}

/// Why the native is not asked.
#[derive(Debug)]
pub(super) enum Unmapped {
    /// The arguments are wrong in a way no schema can say.
    Invalid(Violation),
    Error(String),
}

impl From<StoreError> for Unmapped {
    fn from(error: StoreError) -> Unmapped {
        Unmapped::Error(error.to_string())
    }
}

impl From<std::io::Error> for Unmapped {
    /// The system's words stay here.
    fn from(_: std::io::Error) -> Unmapped {
        Unmapped::from(StoreError::Unavailable)
    }
}

/// Checked arguments as the native takes them.
pub(super) fn native_arguments(
    bridge: Bridge,
    given: Map<String, Value>,
    context: AppContext<'_>,
    files: &dyn FileStore,
    ids: &mut dyn NotificationIds,
) -> Result<Mapped, Unmapped> {
    let arguments = match bridge {
        Bridge::Plain => given,
        Bridge::Save => save(&given, context, files)?,
        Bridge::Share => share(given, context, files)?,
        Bridge::Print => print(&given, context, files)?,
        Bridge::Post => return post(given, context, ids),
        Bridge::Cancel => object(json!({"id": owned(context, text(&given, "id"))})),
    };
    Ok(Mapped {
        arguments,
        own_id: None,
    })
}

fn text<'a>(given: &'a Map<String, Value>, key: &str) -> &'a str {
    given.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// An id of the app's own as the platform knows it: no two apps meet in one.
fn owned(context: AppContext<'_>, id: &str) -> String {
    format!("{}/{id}", context.app)
}

fn read(context: AppContext<'_>, files: &dyn FileStore, id: &str) -> Result<Vec<u8>, Unmapped> {
    let found = files.get(context.app, &FileId::new(id))?;
    found.ok_or_else(|| Unmapped::Error(format!("notFound: {id}")))
}

fn file(name: &str, mime_type: &str, bytes: &[u8]) -> Value {
    json!({"name": name, "mimeType": mime_type, "data": STANDARD.encode(bytes)})
}

fn save(
    given: &Map<String, Value>,
    context: AppContext<'_>,
    files: &dyn FileStore,
) -> Result<Map<String, Value>, Unmapped> {
    let name = text(given, "name");
    let is_text = given.contains_key("text");
    let bytes = if is_text {
        text(given, "text").as_bytes().to_vec()
    } else {
        read(context, files, text(given, "fileId"))?
    };
    let said = given.get("mimeType").and_then(Value::as_str);
    let mime_type = context.mime_types.of_file(said, name, &bytes, is_text);
    Ok(object(file(name, &mime_type, &bytes)))
}

fn share(
    mut given: Map<String, Value>,
    context: AppContext<'_>,
    files: &dyn FileStore,
) -> Result<Map<String, Value>, Unmapped> {
    let attached = match given.get("fileId").and_then(Value::as_str) {
        Some(id) => {
            let name = text(&given, "name");
            let said = given.get("mimeType").and_then(Value::as_str);
            let bytes = read(context, files, id)?;
            let mime_type = context.mime_types.of_file(said, name, &bytes, false);
            Some(file(name, &mime_type, &bytes))
        }
        None => None,
    };
    given.retain(|key, _| matches!(key.as_str(), "title" | "text" | "url"));
    if let Some(attached) = attached {
        given.insert("file".into(), attached);
    }
    Ok(given)
}

fn print(
    given: &Map<String, Value>,
    context: AppContext<'_>,
    files: &dyn FileStore,
) -> Result<Map<String, Value>, Unmapped> {
    let bytes = read(context, files, text(given, "fileId"))?;
    // A printer is told what the bytes are, whatever the file is called.
    let (kind, extension) = match Sniffed::of(&bytes) {
        Some(kind @ Sniffed::Pdf) => (kind, "pdf"),
        Some(kind @ Sniffed::Png) => (kind, "png"),
        Some(kind @ Sniffed::Jpeg) => (kind, "jpg"),
        Some(Sniffed::Gif) | None => return Err(Unmapped::Error("unsupportedFile".into())),
    };
    let unnamed = format!("document.{extension}");
    let name = given
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or(&unnamed);
    Ok(object(file(name, kind.mime_type(), &bytes)))
}

fn post(
    mut given: Map<String, Value>,
    context: AppContext<'_>,
    ids: &mut dyn NotificationIds,
) -> Result<Mapped, Unmapped> {
    let tap = match given.get("screen").and_then(Value::as_str) {
        None => Value::Null,
        Some(screen) if context.screens.iter().any(|s| s.as_str() == screen) => {
            let screen = screen.to_owned();
            let params = given.remove("params").unwrap_or_else(|| json!({}));
            json!({"type": "notificationTap", "app": context.app.as_str(), "screen": screen, "params": params})
        }
        Some(_) => {
            return Err(Unmapped::Invalid(Violation {
                pointer: "/screen".into(),
                keyword: "enum",
            }));
        }
    };
    let id = match given.get("id").and_then(Value::as_str) {
        Some(id) => id.to_owned(),
        None => format!("n-{:032x}", ids.next()?),
    };
    let mut part = |key: &str| given.remove(key).unwrap_or(Value::Null);
    let arguments = json!({"id": owned(context, &id), "title": part("title"), "body": part("body"), "at": part("at"), "tap": tap});
    Ok(Mapped {
        arguments: object(arguments),
        own_id: Some(id),
    })
}
