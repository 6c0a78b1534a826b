//! Files on records: a field of format `attachment`, or a list of such, holds the address of a file of the app's own
//! (`/api/attachments/<id>`, [`crate::blobs`]). What such an address is, and where a record has one. Whether the file is there, and the
//! app's, the records ask when they are written. Pure.

use serde_json::{Map, Value};

use crate::bridge::files::FileId;
use crate::pointer;
use crate::uuid::is_uuid;

/// The format's name in a kind's schema.
pub const FORMAT: &str = "attachment";

const PREFIX: &str = "/api/attachments/";

/// What an address is, as the end of a sentence.
pub(crate) const SAYS: &str = "a file of the app, as /api/attachments/<id>";

/// The address of a file.
pub fn address(id: &FileId) -> String {
    format!("{PREFIX}{}", id.as_str())
}

/// The file that this is the address of, spelled exactly so; `None` for anything else.
pub fn file_at(address: &str) -> Option<FileId> {
    let id = address.strip_prefix(PREFIX)?;
    is_uuid(id).then(|| FileId::new(id))
}

/// The texts in a record's attachment fields, each with the field and its pointer within the record. What is no text is the schema's to
/// speak of.
pub(crate) fn in_record<'a>(
    schema: &'a Value,
    data: &'a Map<String, Value>,
) -> impl Iterator<Item = (&'a str, String, &'a str)> {
    data.iter().flat_map(move |(field, value)| {
        let definition = &schema["properties"][field.as_str()];
        let at = pointer::child("", field);
        let one = value.as_str().filter(|_| definition["format"] == FORMAT);
        let one = one.map(|text| (field.as_str(), at.clone(), text));
        let items = value.as_array();
        let items = items.filter(|_| definition["items"]["format"] == FORMAT);
        let items = items.into_iter().flatten().enumerate();
        let many = items.filter_map(move |(n, item)| {
            Some((field.as_str(), pointer::item(&at, n), item.as_str()?))
        });
        one.into_iter().chain(many)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    const ID: &str = "0123abcd-0123-4abc-8def-0123456789ab";

    #[test]
    fn an_address_is_one_spelling_and_no_other() {
        let address = address(&FileId::new(ID));
        assert_eq!(file_at(&address).unwrap().as_str(), ID);
        for other in [
            format!(" {address}"),
            format!("{address}/"),
            format!("{address}?x"),
            address.to_uppercase(),
            format!("{PREFIX}{}", ID.to_uppercase()),
            format!("{PREFIX}../{ID}"),
            format!("{PREFIX}%2e%2e/{ID}"),
            format!("https://ui.exponential.at{address}"),
            format!("/api/attachments//{ID}"),
            ID.to_owned(),
            PREFIX.to_owned(),
            String::new(),
        ] {
            assert_eq!(file_at(&other), None, "{other}");
        }
    }

    #[test]
    fn addresses_are_found_in_attachment_fields_alone() {
        let schema = json!({"properties": {
            "one": {"type": "string", "format": "attachment"}, "text": {"type": "string"},
            "many": {"type": "array", "items": {"type": "string", "format": "attachment"}}, "words": {"type": "array", "items": {"type": "string"}}}});
        let data =
            json!({"one": "a", "text": "b", "many": ["c", 1, "d"], "words": ["e"], "other": "f"});
        let found: Vec<(String, String)> = in_record(&schema, data.as_object().unwrap())
            .map(|(field, at, text)| (format!("{field} {at}"), text.to_owned()))
            .collect();
        let found: Vec<String> = found.into_iter().map(|(a, b)| format!("{a} {b}")).collect();
        assert_eq!(found, ["one /one a", "many /many/0 c", "many /many/2 d"]);
    }
}
