//! `print_pdf`: a document of the app's laid out ([`crate::pdf`]) and stored as a file of its own. The answer is `{file, pages}`.

use serde_json::{Map, Value, json};

use super::files::{FileStore, NewFile, StoreError};
use super::mime::Sniffed;
use super::result::CallResult;
use super::{Answered, Ended};
use crate::app_id::AppId;
use crate::pdf::{Block, PdfError, render};

/// Answer a call with checked arguments.
pub(super) fn answer(
    arguments: &Map<String, Value>,
    app: &AppId,
    files: &mut dyn FileStore,
) -> Answered {
    match store(arguments, app, files) {
        Ok(content) => Answered {
            result: CallResult::ok(content),
            ended: Ended::Ok,
        },
        Err(error) => Answered::error(error.to_string()),
    }
}

fn store(
    arguments: &Map<String, Value>,
    app: &AppId,
    files: &mut dyn FileStore,
) -> Result<Value, PdfError> {
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    let title = text("title").unwrap_or_default();
    let blocks = arguments.get("blocks").and_then(Value::as_array);
    let blocks = blocks.into_iter().flatten().filter_map(block);
    let pdf = render(title, blocks, &mut |id| files.get(app, id))?;
    let name = text("name").map_or_else(|| file_name(title), str::to_owned);
    let (mime_type, size) = (Sniffed::Pdf.mime_type(), pdf.bytes.len());
    let file = NewFile {
        name: name.clone(),
        mime_type: mime_type.to_owned(),
        bytes: pdf.bytes,
    };
    let ids = files.put(app, vec![file])?;
    let [id] = ids.as_slice() else {
        return Err(StoreError::Unavailable.into());
    };
    Ok(json!({
        "file": {"name": name, "mimeType": mime_type, "size": size, "fileId": id},
        "pages": pdf.pages,
    }))
}

/// A block by the one key it has; the schema lets no other through.
fn block(block: &Value) -> Option<Block<'_>> {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    if let Some(heading) = text("heading") {
        return Some(Block::Heading(heading));
    }
    if let Some(body) = text("text") {
        return Some(Block::Text(body));
    }
    if let Some(file) = text("image") {
        let caption = text("caption");
        return Some(Block::Image { file, caption });
    }
    block.get("pageBreak").map(|_| Block::PageBreak)
}

/// A document's title as the name of a file: what no file system takes becomes `-`.
fn file_name(title: &str) -> String {
    let barred = |c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c);
    format!("{}.pdf", title.replace(barred, "-"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::bridge::files::FileId;

    /// A store without files that answers what it is asked to keep with this.
    struct Store(Result<Vec<FileId>, StoreError>);

    impl FileStore for Store {
        fn get(&self, _: &AppId, _: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
            Ok(None)
        }

        fn put(&mut self, _: &AppId, _: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
            self.0.clone()
        }
    }

    #[test]
    fn a_file_that_is_not_stored_is_no_answer() {
        let arguments = json!({"title": "t", "blocks": [{"text": "x"}]});
        let app = AppId::parse("acme.app").unwrap();
        for (stored, reason) in [
            (Err(StoreError::Quota), "quotaExceeded"),
            (Err(StoreError::Unavailable), "unavailable"),
            (Ok(Vec::new()), "unavailable"),
        ] {
            let answered = answer(arguments.as_object().unwrap(), &app, &mut Store(stored));
            assert_eq!(answered.ended, Ended::IsError);
            assert_eq!(answered.result.text(), Some(reason));
        }
    }

    #[test]
    fn a_title_names_a_file() {
        assert_eq!(file_name("Bericht März"), "Bericht März.pdf");
        assert_eq!(
            file_name("a/b\\c:d*e?f\"g<h>i|j\nk\u{7f}"),
            "a-b-c-d-e-f-g-h-i-j-k-.pdf"
        );
    }
}
