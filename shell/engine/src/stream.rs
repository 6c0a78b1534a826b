//! A2UI messages as a file: v0.9 and v0.9.1 as they are, v0.10 and v1.0 as far as eui-core reads them. Every message
//! that comes out is one eui-core's `Surface` applies; what had to be left out is an issue or a note.

use std::panic::{AssertUnwindSafe, catch_unwind};

use eui_core::catalog::{
    A2UI_BASIC_CATALOG_ID, A2UI_VERSION, CORE_CATALOG_ID, CORE_LITE_CATALOG_ID, CatalogView,
};
use eui_core::types::FlatComponent;
use serde_json::{Map, Value, json};

use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::pointer;
use crate::schema::check::in_words;
use crate::source::{Limits, Source};
use crate::surface::{Catalog, check_placed};

/// The protocol versions a message may name.
pub const VERSIONS: &[&str] = &["v0.9", "v0.9.1", "v0.10", "v1.0"];

/// What a server may send that makes or changes a surface.
const KINDS: &[&str] = &[
    "createSurface",
    "updateComponents",
    "updateDataModel",
    "deleteSurface",
];

/// What later versions add between server and client; a surface looks the same without.
const UNREAD: &[&str] = &[
    "actionResponse",
    "callFunction",
    "callFunctionResponse",
    "functionResponse",
];

/// What v0.8 called its messages.
const OLD: &[&str] = &["surfaceUpdate", "dataModelUpdate", "beginRendering"];

/// What reading a stream gives. The stream is there even with issues, as long as there are messages: what is wrong is
/// left out of it.
#[derive(Debug, Clone)]
pub struct ParsedStream {
    pub stream: Option<Stream>,
    pub issues: Vec<Issue>,
    pub notes: Vec<Note>,
}

/// The messages of a file, in eui-core's words.
#[derive(Debug, Clone, Default)]
pub struct Stream {
    surfaces: Vec<StreamSurface>,
}

/// One surface of a stream.
#[derive(Debug, Clone)]
pub struct StreamSurface {
    pub id: String,
    /// The catalog eui-core reads it with.
    pub catalog_id: String,
    /// The messages that make it as it is at the end; its deletion is not among them.
    pub messages: Vec<Value>,
    /// The stream deletes it again.
    pub deleted: bool,
}

impl Stream {
    /// Read messages from a file's bytes: a JSON array, one message, or JSONL.
    pub fn read(bytes: &[u8]) -> ParsedStream {
        match read_source(bytes) {
            Ok(source) => Stream::parse(&source),
            Err(issue) => ParsedStream {
                stream: None,
                issues: vec![issue],
                notes: Vec::new(),
            },
        }
    }

    /// Check messages; every issue has its place in the text.
    pub fn parse(source: &Source) -> ParsedStream {
        let mut reader = Reader::default();
        match source.value() {
            Value::Array(messages) if messages.is_empty() => reader.issues.push(Issue::new(
                "",
                "no messages: a stream starts with createSurface",
            )),
            Value::Array(messages) => messages
                .iter()
                .enumerate()
                .for_each(|(i, m)| reader.message(m, &pointer::item("", i))),
            message => reader.message(message, ""),
        }
        let mut surfaces = Vec::new();
        for draft in std::mem::take(&mut reader.drafts) {
            reader.check(&draft);
            surfaces.push(draft.surface);
        }
        let Reader {
            mut issues, notes, ..
        } = reader;
        issues.extend(source.issues().iter().cloned());
        source.place(&mut issues);
        issues.sort_by_key(|i| i.position);
        ParsedStream {
            stream: (!surfaces.is_empty()).then_some(Stream { surfaces }),
            issues,
            notes,
        }
    }

    /// The surfaces, in the order they were made; at least one.
    pub fn surfaces(&self) -> &[StreamSurface] {
        &self.surfaces
    }

    /// The surface with this id, or the first.
    pub fn surface(&self, id: Option<&str>) -> Option<&StreamSurface> {
        match id {
            None => self.surfaces.first(),
            Some(id) => self.surfaces.iter().find(|s| s.id == id),
        }
    }
}

/// A file's messages as one list: JSON, else JSONL. Of two ways to be wrong, the first error names the likelier file.
pub(crate) fn read_source(bytes: &[u8]) -> Result<Source, Issue> {
    Source::read(bytes, Limits::STREAM).or_else(|whole| {
        let lines = Source::read_lines(bytes, Limits::STREAM);
        match lines {
            Ok(source) if source.value().as_array().is_some_and(|l| l.len() > 1) => Ok(source),
            // A first line that is a message on its own makes it JSONL, wrong further down.
            Err(issue) if issue.pointer != "/0" && !issue.pointer.is_empty() => Err(issue),
            _ => Err(whole),
        }
    })
}

/// The catalog eui-core reads a catalog id of the wire with; `None` for one this host does not have.
pub fn catalog_of(wire: &str) -> Option<&'static str> {
    if let Some(known) = [CORE_CATALOG_ID, CORE_LITE_CATALOG_ID, A2UI_BASIC_CATALOG_ID]
        .into_iter()
        .find(|id| *id == wire)
    {
        return Some(known);
    }
    let path = wire.strip_prefix("https://a2ui.org/specification/")?;
    let (version, rest) = path.split_once('/')?;
    let dotted = version.strip_prefix('v')?.replace('_', ".");
    let ours = VERSIONS
        .iter()
        .any(|v| v.strip_prefix('v') == Some(&dotted));
    (ours
        && matches!(
            rest,
            "basic_catalog.json" | "catalogs/basic/catalog.json" | "catalogs/minimal/catalog.json"
        ))
    .then_some(A2UI_BASIC_CATALOG_ID)
}

/// A surface being read, with where each of its components was written last.
struct Draft {
    surface: StreamSurface,
    components: Vec<(String, Value)>,
}

#[derive(Default)]
struct Reader {
    drafts: Vec<Draft>,
    issues: Vec<Issue>,
    notes: Vec<Note>,
}

impl Reader {
    fn say(&mut self, at: impl Into<String>, message: impl Into<String>) {
        self.issues.push(Issue::new(at, message));
    }

    fn note(&mut self, message: String) {
        let note = Note::new(message);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn message(&mut self, message: &Value, at: &str) {
        let Some(members) = message.as_object() else {
            return self.say(
                at,
                format!("a message is an object, not {}", in_words(message)),
            );
        };
        match members.get("version") {
            None => self.note(format!(
                "a message without `version` is read as {A2UI_VERSION}"
            )),
            Some(Value::String(v)) if VERSIONS.contains(&v.as_str()) => {
                if !v.starts_with("v0.9") {
                    self.note(format!(
                        "{v} is read as far as it looks like {A2UI_VERSION}"
                    ));
                }
            }
            Some(other) => {
                let hint = other
                    .as_str()
                    .map(|v| did_you_mean(v, VERSIONS.iter().copied()))
                    .unwrap_or_default();
                self.say(
                    format!("{at}/version"),
                    format!(
                        "this host reads {}, not {}{hint}",
                        VERSIONS.join(", "),
                        in_words(other)
                    ),
                );
            }
        }
        let kinds: Vec<&String> = members
            .keys()
            .filter(|k| *k != "version" && !k.starts_with('$'))
            .collect();
        let [kind] = kinds.as_slice() else {
            return self.say(
                at,
                format!(
                    "a message is exactly one of {}; this one has {}",
                    KINDS.join(", "),
                    kinds.len()
                ),
            );
        };
        let here = pointer::child(at, kind);
        let body = &members[kind.as_str()];
        match kind.as_str() {
            known if KINDS.contains(&known) => {}
            unread if UNREAD.contains(&unread) => {
                return self.note(format!(
                    "{unread} is between programs and draws nothing here"
                ));
            }
            old if OLD.contains(&old) => {
                return self.issues.push(Issue::key(
                    here,
                    format!("{old} is A2UI v0.8: this host reads v0.9 and later"),
                ));
            }
            other => {
                let hint = did_you_mean(other, KINDS.iter().copied());
                let what = if hint.is_empty() {
                    format!(": messages are {}", KINDS.join(", "))
                } else {
                    hint
                };
                return self.issues.push(Issue::key(
                    here,
                    format!("no message is called {}{what}", quoted(other)),
                ));
            }
        }
        let Some(id) = body["surfaceId"].as_str().filter(|s| !s.is_empty()) else {
            return self.say(
                format!("{here}/surfaceId"),
                "`surfaceId` is missing: name the surface",
            );
        };
        match kind.as_str() {
            "createSurface" => self.create(id, body, &here),
            "updateComponents" => self.components(id, body, &here),
            "updateDataModel" => self.data(id, body, &here),
            _ => {
                if let Some(draft) = self.draft(id, &here) {
                    draft.surface.deleted = true;
                }
            }
        }
    }

    /// The surface a message is about; an issue when it was never made.
    fn draft(&mut self, id: &str, here: &str) -> Option<&mut Draft> {
        let found = self.drafts.iter().rposition(|d| d.surface.id == id);
        if found.is_none() {
            self.say(
                format!("{here}/surfaceId"),
                format!(
                    "no surface {} was made: send createSurface first",
                    quoted(id)
                ),
            );
        }
        found.and_then(|i| self.drafts.get_mut(i))
    }

    fn create(&mut self, id: &str, body: &Value, here: &str) {
        let wire = body["catalogId"].as_str().unwrap_or_default();
        let catalog_id = match catalog_of(wire) {
            Some(known) => known,
            None if body.get("catalogId").is_none() => {
                self.say(
                    format!("{here}/catalogId"),
                    "`catalogId` is missing: name the catalog its components come from",
                );
                A2UI_BASIC_CATALOG_ID
            }
            None => {
                self.say(format!("{here}/catalogId"), format!("this host has no catalog {}: its components are looked up in the basic catalog", quoted(wire)));
                A2UI_BASIC_CATALOG_ID
            }
        };
        // A surface made again starts over.
        self.drafts.retain(|d| d.surface.id != id);
        let create = json!({"version": A2UI_VERSION, "createSurface": {"surfaceId": id, "catalogId": catalog_id}});
        let surface = StreamSurface {
            id: id.to_owned(),
            catalog_id: catalog_id.to_owned(),
            messages: vec![create],
            deleted: false,
        };
        self.drafts.push(Draft {
            surface,
            components: Vec::new(),
        });
        if body.get("theme").is_some() {
            self.note("a stream's own theme is not used: the person's theme is".into());
        }
        // v1.0 lets the first components and data ride along.
        if body.get("components").is_some() {
            self.components(id, body, here);
        }
        if let Some(data) = body.get("dataModel") {
            self.data(id, &json!({"value": data}), here);
        }
    }

    fn components(&mut self, id: &str, body: &Value, here: &str) {
        let at = format!("{here}/components");
        let Some(list) = body["components"].as_array() else {
            return self.say(at, "`components` is missing: add the list of components");
        };
        let mut kept = Vec::new();
        for (i, component) in list.iter().enumerate() {
            let place = pointer::item(&at, i);
            if let Some(component) = self.component(component, &place) {
                kept.push((place, component));
            }
        }
        let Some(draft) = self.draft(id, here) else {
            return;
        };
        let bare: Vec<&Value> = kept.iter().map(|(_, c)| c).collect();
        draft.surface.messages.push(json!({"version": A2UI_VERSION, "updateComponents": {"surfaceId": id, "components": bare}}));
        for (place, component) in kept {
            match draft
                .components
                .iter_mut()
                .find(|(_, c)| c["id"] == component["id"])
            {
                Some(old) => *old = (place, component),
                None => draft.components.push((place, component)),
            }
        }
    }

    /// A component in the form eui-core takes; a part that has another form is left out and said.
    fn component(&mut self, component: &Value, at: &str) -> Option<Value> {
        let Some(members) = component.as_object() else {
            self.say(
                at,
                format!("a component is an object, not {}", in_words(component)),
            );
            return None;
        };
        for key in ["id", "component"] {
            if members
                .get(key)
                .is_none_or(|v| v.as_str().is_none_or(|s| s.is_empty()))
            {
                self.say(
                    pointer::child(at, key),
                    format!("`{key}` is missing: a component has an id and a component"),
                );
                return None;
            }
        }
        let parses = |members: &Map<String, Value>| {
            serde_json::from_value::<FlatComponent>(Value::Object(members.clone())).is_ok()
        };
        let mut kept = members.clone();
        if !parses(&kept) {
            for key in ["children", "slots", "on", "style"] {
                let Some(old) = kept.shift_remove(key) else {
                    continue;
                };
                let mut alone: Map<String, Value> = ["id", "component"]
                    .into_iter()
                    .map(|k| (k.to_owned(), members[k].clone()))
                    .collect();
                alone.insert(key.to_owned(), old.clone());
                if parses(&alone) {
                    kept.insert(key.to_owned(), old);
                } else {
                    let must = match key {
                        "children" => "a list of ids, or {componentId, path}",
                        _ => "an object",
                    };
                    self.say(
                        pointer::child(at, key),
                        format!("`{key}` must be {must}, not {}", in_words(&old)),
                    );
                }
            }
        }
        Some(Value::Object(kept))
    }

    fn data(&mut self, id: &str, body: &Value, here: &str) {
        let path = match &body["path"] {
            Value::Null => "/",
            Value::String(path) => path.as_str(),
            other => {
                return self.say(
                    format!("{here}/path"),
                    format!("`path` must be a JSON pointer, not {}", in_words(other)),
                );
            }
        };
        let Some(draft) = self.draft(id, here) else {
            return;
        };
        let mut update = json!({"surfaceId": id, "path": path});
        if let Some(value) = body.get("value") {
            update["value"] = value.clone();
        }
        draft
            .surface
            .messages
            .push(json!({"version": A2UI_VERSION, "updateDataModel": update}));
    }

    /// The components of a surface as the whole stream leaves them.
    fn check(&mut self, draft: &Draft) {
        if draft.components.is_empty() {
            self.note(format!(
                "the surface {} has no components",
                quoted(&draft.surface.id)
            ));
            return;
        }
        let catalog = Catalog::new(draft.surface.catalog_id.clone(), CatalogView::core());
        match catch_unwind(AssertUnwindSafe(|| {
            check_placed(&draft.components, &catalog)
        })) {
            Ok((issues, notes)) => {
                self.issues.extend(issues);
                self.notes.extend(notes);
            }
            Err(_) => self.say(
                "",
                format!(
                    "the components of {} could not be checked: simplify them",
                    quoted(&draft.surface.id)
                ),
            ),
        }
    }
}

#[cfg(test)]
mod tests;
