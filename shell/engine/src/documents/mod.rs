//! ede-ui documents: the desktop as data. Reading is total: a document, or everything that is wrong with it. What is
//! on screen and which document replaces which is the shell's; this module has no opinion about outputs that exist.

pub mod catalog;
mod check;
pub mod outputs;
pub mod place;
pub mod session;
mod shape;
pub mod store;

use eui_core::catalog::A2UI_VERSION;
use eui_core::host::canonical_json;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

pub use catalog::SHELL_CATALOG_ID;
pub use place::{
    DesktopPlace, Edge, Grid, Layer, OnOutputs, OutputName, PanelPlace, ReadPlace, WidgetPlace,
    WindowPlace,
};
pub use session::{Fit, Mode, Session, Wallpaper};
pub use shape::DOCUMENT;

use crate::issue::{Issue, Note};
use crate::layout::{self, Finding, LayoutCheck};
use crate::package::{Binding, bindings_of, core};
use crate::source::{Limits, Source};

/// A document's name, safe as a file name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId(String);

impl DocumentId {
    /// The id that `text` spells: lower-case letters, digits and `-`, at most 64.
    pub fn parse(text: &str) -> Option<DocumentId> {
        (crate::schema::patterns::DOCUMENT_ID.test)(text).then(|| DocumentId(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for DocumentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The SHA-256 of a document's RFC 8785 form, in lower-case hex: equal for equal documents, whatever their formatting.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Revision(String);

impl Revision {
    pub fn of(value: &Value) -> Revision {
        Revision(crate::package::hex(&Sha256::digest(canonical_json(value))))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Revision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a document is, with what only that kind has.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Panel(OnOutputs<PanelPlace>),
    Desktop(OnOutputs<DesktopPlace>),
    Window(WindowPlace),
    Session(Session),
}

impl Kind {
    pub fn as_str(&self) -> &'static str {
        match self {
            Kind::Panel(_) => "panel",
            Kind::Desktop(_) => "desktop",
            Kind::Window(_) => "window",
            Kind::Session(_) => "session",
        }
    }
}

/// What reading a document gives: the document when nothing is wrong with it, and all that is worth saying.
#[derive(Debug, Clone)]
pub struct ParsedDocument {
    pub document: Option<Document>,
    pub issues: Vec<Issue>,
    pub notes: Vec<Note>,
}

/// A checked document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    value: Value,
    components: Vec<Value>,
    id: DocumentId,
    kind: Kind,
    revision: Revision,
}

impl Document {
    /// Read a document from its file's bytes.
    pub fn read(bytes: &[u8]) -> ParsedDocument {
        match Source::read(bytes, Limits::DOCUMENT) {
            Ok(source) => Document::parse(&source),
            Err(issue) => ParsedDocument {
                document: None,
                issues: vec![issue],
                notes: Vec::new(),
            },
        }
    }

    /// Check a document. It is given only when there is no issue; every issue has its place in the text.
    pub fn parse(source: &Source) -> ParsedDocument {
        Document::parse_with(source, None)
    }

    /// As [`Document::parse`], and laid out by `layout` when all is well. What can never be seen is an issue.
    pub fn parse_with(source: &Source, layout: Option<&dyn LayoutCheck>) -> ParsedDocument {
        let value = source.value();
        let mut components = value["components"].as_array().cloned().unwrap_or_default();
        components.iter_mut().for_each(core::conditions);
        let (mut issues, mut notes) = check::guarded(value, &components);
        issues.extend(source.issues().iter().cloned());
        let mut document = if issues.is_empty() {
            Document::new(value, components)
        } else {
            None
        };
        if let (Some(found), Some(layout)) = (&document, layout) {
            let at = "/components";
            let (hidden, seen): (Vec<_>, Vec<_>) =
                layout.document(found).into_iter().partition(|f| f.hidden);
            let placed = |f: &Finding| layout::issue(f, at, &value["components"]);
            issues.extend(hidden.iter().map(placed));
            notes.extend(
                seen.iter()
                    .map(|f| layout::note(f, at, &value["components"])),
            );
            document = document.filter(|_| hidden.is_empty());
        }
        source.place(&mut issues);
        issues.sort_by_key(|i| i.position);
        ParsedDocument {
            document,
            issues,
            notes,
        }
    }

    fn new(value: &Value, components: Vec<Value>) -> Option<Document> {
        let place = &value["place"];
        let kind = match value["kind"].as_str()? {
            "panel" => Kind::Panel(OnOutputs::new(place)),
            "desktop" => Kind::Desktop(OnOutputs::new(place)),
            "window" => Kind::Window(place::window(place)),
            "session" => Kind::Session(Session::read(&value["session"])),
            _ => return None,
        };
        Some(Document {
            id: DocumentId::parse(value["id"].as_str()?)?,
            kind,
            components,
            revision: Revision::of(value),
            value: value.clone(),
        })
    }

    pub fn id(&self) -> &DocumentId {
        &self.id
    }

    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// What people call it; its id where it has no title.
    pub fn title(&self) -> &str {
        self.value["title"].as_str().unwrap_or(self.id.as_str())
    }

    pub fn revision(&self) -> &Revision {
        &self.revision
    }

    /// The document as written.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Its components as eui-core reads them; a session has none.
    pub fn components(&self) -> &[Value] {
        &self.components
    }

    /// The component of this id, as written.
    pub fn component(&self, id: &str) -> Option<&Value> {
        let is = |c: &&Value| c.get("id").and_then(Value::as_str) == Some(id);
        self.components.iter().find(is)
    }

    /// The data before any binding has answered.
    pub fn data(&self) -> Value {
        self.value
            .get("data")
            .cloned()
            .unwrap_or_else(|| Value::Object(Map::new()))
    }

    pub fn bindings(&self) -> Vec<Binding> {
        bindings_of(&self.value)
    }

    /// Where a component of a desktop stands.
    pub fn widget_place(&self, component: &str) -> Option<WidgetPlace> {
        self.components
            .iter()
            .find(|c| c["id"] == component)
            .and_then(place::widget)
    }

    /// The A2UI messages that make its surface, whose host registers [`catalog::extension`]. None for a session.
    pub fn messages(&self, surface_id: &str) -> Vec<Value> {
        if self.components.is_empty() {
            return Vec::new();
        }
        vec![
            json!({"version": A2UI_VERSION, "createSurface": {"surfaceId": surface_id, "catalogId": SHELL_CATALOG_ID}}),
            json!({"version": A2UI_VERSION, "updateComponents": {"surfaceId": surface_id, "components": self.components}}),
            json!({"version": A2UI_VERSION, "updateDataModel": {"surfaceId": surface_id, "path": "/", "value": self.data()}}),
        ]
    }
}

/// The pointers of what differs between two documents: the deepest place that holds every difference of a branch. A
/// list whose length or order changed counts as one. Equal documents have none.
pub fn what_changed(before: &Value, after: &Value) -> Vec<String> {
    fn walk(before: &Value, after: &Value, at: &str, out: &mut Vec<String>) {
        match (before, after) {
            (Value::Object(a), Value::Object(b)) => {
                let mut keys: Vec<&String> = a
                    .keys()
                    .chain(b.keys().filter(|k| !a.contains_key(*k)))
                    .collect();
                keys.sort();
                for key in keys {
                    let here = crate::pointer::child(at, key);
                    match (a.get(key), b.get(key)) {
                        (Some(x), Some(y)) => walk(x, y, &here, out),
                        _ => out.push(here),
                    }
                }
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                a.iter()
                    .zip(b)
                    .enumerate()
                    .for_each(|(i, (x, y))| walk(x, y, &crate::pointer::item(at, i), out));
            }
            (a, b) if a == b => {}
            _ => out.push(at.to_owned()),
        }
    }
    let mut out = Vec::new();
    walk(before, after, "", &mut out);
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    fn panel() -> Value {
        json!({
            "formatVersion": 1, "id": "panel-top", "kind": "panel",
            "place": {"outputs": ["*"], "edge": "top", "thickness": 40},
            "components": [
                {"id": "root", "component": "Box", "children": ["clock", "room", "list"]},
                {"id": "clock", "component": "AppWidget", "app": "ede.clock", "screen": "clock", "size": "s"},
                {"id": "room", "component": "Spacer"},
                {"id": "list", "component": "WindowList"},
            ],
            "data": {"a": 1}, "bindings": [{"path": "/windows", "source": "ede:windows"}],
        })
    }

    fn read(value: &Value) -> ParsedDocument {
        Document::read(serde_json::to_string(value).unwrap().as_bytes())
    }

    #[test]
    fn a_panel_is_read_with_its_place_and_its_messages() {
        let document = read(&panel()).document.expect("a good document");
        assert_eq!(
            (document.id().as_str(), document.kind().as_str()),
            ("panel-top", "panel")
        );
        let messages = document.messages("p");
        let mut surface = eui_core::surface::Surface::new(
            "p",
            eui_core::surface::SurfaceOptions {
                extensions: vec![catalog::extension()],
                ..Default::default()
            },
        );
        for message in &messages {
            surface.apply(message).unwrap();
        }
        assert!(surface.issues().is_empty());
    }

    #[test]
    fn of_a_document_of_no_known_kind_only_that_is_told() {
        let mut desktop = json!({
            "formatVersion": 1, "id": "desktop", "kind": "desktp", "place": {"outputs": ["*"]},
            "components": [
                {"id": "root", "component": "Box", "children": ["clock"]},
                {"id": "clock", "component": "AppWidget", "app": "ede.clock", "cell": [0, 0], "nonsense": 1},
            ],
        });
        let told = |value: &Value| -> Vec<String> {
            read(value).issues.into_iter().map(|i| i.pointer).collect()
        };
        assert_eq!(told(&desktop), ["/kind"]);
        desktop["kind"] = json!("desktop");
        assert_eq!(told(&desktop), ["/components/1/nonsense"]);
    }

    #[test]
    fn formatting_leaves_the_revision_and_any_change_of_content_changes_it() {
        let one = read(&panel()).document.unwrap();
        let pretty = Document::read(serde_json::to_string_pretty(&panel()).unwrap().as_bytes())
            .document
            .unwrap();
        assert_eq!(one.revision(), pretty.revision());
        let mut other = panel();
        other["place"]["thickness"] = json!(41);
        assert_ne!(one.revision(), read(&other).document.unwrap().revision());
    }

    #[test]
    fn what_changed_names_the_deepest_place() {
        let mut after = panel();
        after["place"]["thickness"] = json!(41);
        after["data"]["b"] = json!(2);
        assert_eq!(
            what_changed(&panel(), &after),
            ["/data/b", "/place/thickness"]
        );
        assert!(what_changed(&panel(), &panel()).is_empty());
    }
}
