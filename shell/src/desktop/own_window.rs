//! A window document: a window of the person's own making, with whatever components and widgets it places.

use ede_engine::documents::{Document, WindowPlace};
use serde_json::{Value, json};

use super::board::{cells_of, span};

/// The id the document's own root gets below the title bar.
const ROOT: &str = "document.root";

pub struct OwnWindow {
    document: Document,
    pub place: WindowPlace,
}

impl OwnWindow {
    pub fn new(document: Document, place: WindowPlace) -> OwnWindow {
        OwnWindow { document, place }
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The components below the title bar: the ids to place, in order, and everything they hold.
    pub fn components(&self) -> (Vec<&'static str>, Vec<Value>) {
        let mut all = Vec::new();
        for c in self.document.components() {
            let mut c = c.clone();
            if let Some(o) = c.as_object_mut() {
                let text = |key: &str| {
                    o.get(key)
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                        .to_string()
                };
                let (root, widget, size) = (
                    text("id") == "root",
                    text("component") == "AppWidget",
                    text("size"),
                );
                let style = o.entry("style").or_insert_with(|| json!({}));
                if let Some(style) = style.as_object_mut() {
                    let mut default = |key: &str, value: Value| {
                        style.entry(key).or_insert(value);
                    };
                    if root {
                        default("flexGrow", json!(1));
                        default("minHeight", json!(0));
                        default("overflow", json!("auto"));
                    }
                    if widget {
                        let (columns, rows) = cells_of(&size);
                        default("width", json!(span(columns)));
                        default("height", json!(span(rows)));
                        default("flexShrink", json!(0));
                    }
                }
                if root {
                    o.insert("id".into(), ROOT.into());
                }
            }
            all.push(c);
        }
        (vec![ROOT], all)
    }
}
