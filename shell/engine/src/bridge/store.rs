//! The bytes in a native's answer become files of the app: an object that carries `data` loses it and gains `size` and `fileId`.

use serde_json::{Map, Value, json};

use super::files::{FileStore, NewFile, StoreError};
use super::format;
use crate::app_id::AppId;

/// Store every file in `answer`, depth first in order, all of them or none.
///
/// # Errors
/// The store refused; the answer is not to be used.
pub fn files(answer: &mut Value, app: &AppId, store: &mut dyn FileStore) -> Result<(), StoreError> {
    let mut found = Vec::new();
    take(answer, &mut found);
    if found.is_empty() {
        return Ok(());
    }
    let sizes: Vec<usize> = found.iter().map(|file| file.bytes.len()).collect();
    let ids = store.put(app, found)?;
    if ids.len() != sizes.len() {
        return Err(StoreError::Unavailable);
    }
    let mut stored = sizes.into_iter().zip(ids).map(|(size, id)| {
        let mut members = Map::new();
        members.insert("size".into(), json!(size));
        members.insert("fileId".into(), json!(id));
        members
    });
    give(answer, &mut stored);
    Ok(())
}

/// What stands for a taken file until its id is known.
const TAKEN: &str = "data";

/// Take the bytes out, in order. What is no base64 is no file: it is dropped (the schemas let none through).
fn take(value: &mut Value, found: &mut Vec<NewFile>) {
    match value {
        Value::Object(members) => {
            if let Some(data) = members.get_mut(TAKEN) {
                let bytes = data.as_str().and_then(format::bytes);
                *data = Value::Bool(bytes.is_some());
                if let Some(bytes) = bytes {
                    let text = |key: &str, otherwise: &str| {
                        let said = members.get(key).and_then(Value::as_str);
                        said.unwrap_or(otherwise).to_owned()
                    };
                    found.push(NewFile {
                        name: text("name", "file"),
                        mime_type: text("mimeType", "application/octet-stream"),
                        bytes,
                    });
                }
            }
            let inner = members.iter_mut().filter(|(key, _)| *key != TAKEN);
            inner.for_each(|(_, value)| take(value, found));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| take(item, found)),
        _ => {}
    }
}

/// Give the stored files to the objects they were taken from, in the same order.
fn give(value: &mut Value, stored: &mut dyn Iterator<Item = Map<String, Value>>) {
    match value {
        Value::Object(members) => {
            if members.shift_remove(TAKEN) == Some(Value::Bool(true))
                && let Some(more) = stored.next()
            {
                members.extend(more);
            }
            members
                .iter_mut()
                .for_each(|(_, inner)| give(inner, stored));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| give(item, stored)),
        _ => {}
    }
}
