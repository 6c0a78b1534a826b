//! Where a package's data comes from: its bindings, and what this host can answer.

use eui_core::host::{RECORDS_SCHEME, parse_source, source_allowed, source_with_params};
use serde_json::{Map, Value};

use super::kinds::{self, RefTarget};
use super::queries;
use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::pointer;
use crate::upstreams::{Reading, reading, rule};

/// A part of a surface's data that follows a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// A JSON pointer into the data.
    pub path: String,
    /// `scheme:name?params`, as written.
    pub source: String,
}

/// The live sources of this shell, and who may follow each.
pub const EDE_SOURCES: &[(&str, Access)] = &[
    ("clock", Access::Free),
    ("system", Access::Free),
    ("outputs", Access::Free),
    ("battery", Access::Free),
    ("windows", Access::Scope("windows.read")),
    ("workspaces", Access::Scope("windows.read")),
    ("apps", Access::Shell),
];

/// Who may follow a live source of the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Any app that lists it.
    Free,
    /// An app that declares this scope, once the person has allowed it.
    Scope(&'static str),
    /// The shell's own documents.
    Shell,
}

/// What a package without `sources` may follow.
pub const DEFAULT_SOURCES: &[&str] = &["records:*"];

/// The bindings of a template or a document, malformed ones left out.
pub fn of(holder: &Value) -> Vec<Binding> {
    let read = |b: &Value| {
        Some(Binding {
            path: b.get("path")?.as_str()?.to_owned(),
            source: b.get("source")?.as_str()?.to_owned(),
        })
    };
    holder
        .get("bindings")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(read)
        .collect()
}

/// A records source and the refs it follows: eui-core's query knows no `expand`, so it is taken out first. Refs come
/// from the source's own `expand=a,b` and from the named query it runs.
pub fn split_expand(source: &str, queries: Option<&Value>) -> (String, Vec<String>) {
    let Some(parsed) = parse_source(source).filter(|p| p.scheme == RECORDS_SCHEME) else {
        return (source.to_owned(), Vec::new());
    };
    let listed = parsed.params.get("expand").map(|e| {
        e.split(',')
            .map(|f| f.trim().to_owned())
            .filter(|f| !f.is_empty())
            .collect::<Vec<_>>()
    });
    let named = parsed
        .params
        .get("query")
        .and_then(|q| queries?.get(q)?.get("expand")?.as_array());
    let mut refs = listed.clone().unwrap_or_default();
    refs.extend(
        named
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned),
    );
    refs.sort();
    refs.dedup();
    if listed.is_none() {
        return (source.to_owned(), refs);
    }
    let params: Map<String, Value> = parsed
        .params
        .iter()
        .filter(|(k, _)| *k != "expand")
        .map(|(k, v)| (k.clone(), v.clone().into()))
        .collect();
    let head = source.split_once('?').map_or(source, |(head, _)| head);
    (source_with_params(head, Some(&Value::Object(params))), refs)
}

/// Every binding of every template: the source is one the package lists and this host has.
pub(super) fn check(package: &Map<String, Value>, issues: &mut Vec<Issue>, notes: &mut Vec<Note>) {
    let sources = Sources::of(package);
    let templates = package.get("templates").and_then(Value::as_object);
    for (template, body) in templates.into_iter().flatten() {
        let at = format!("{}/bindings", pointer::child("/templates", template));
        let bindings = body["bindings"].as_array();
        for (i, binding) in bindings.into_iter().flatten().enumerate() {
            if let Some(source) = binding["source"].as_str() {
                let here = format!("{}/source", pointer::item(&at, i));
                sources.check(source, &here, issues, notes);
            }
        }
    }
}

/// What a package may follow.
pub(super) struct Sources<'a> {
    package: &'a Map<String, Value>,
    /// Does it list any itself?
    listed: bool,
    allowed: Vec<String>,
    /// The scopes of its manifest.
    scopes: Vec<&'a str>,
}

impl<'a> Sources<'a> {
    pub fn of(package: &'a Map<String, Value>) -> Sources<'a> {
        let listed = package.get("sources").and_then(Value::as_array);
        let allowed = listed.map_or_else(
            || DEFAULT_SOURCES.iter().map(|s| (*s).to_owned()).collect(),
            |list| {
                let texts = list.iter().filter_map(Value::as_str);
                texts.map(str::to_owned).collect()
            },
        );
        let scopes = package.get("capabilities").and_then(Value::as_array);
        let scopes = scopes.into_iter().flatten();
        Sources {
            package,
            listed: listed.is_some(),
            allowed,
            scopes: scopes.filter_map(|c| c["id"].as_str()).collect(),
        }
    }

    /// A source that is written at `here`. That its kind and its named query are there is eui-core's to say of bindings, and
    /// [`Sources::named`]'s of the rest.
    pub fn check(&self, source: &str, here: &str, issues: &mut Vec<Issue>, notes: &mut Vec<Note>) {
        let Some(parsed) = parse_source(source) else {
            let what = format!(
                "{} is no source: write scheme:name, like records:task",
                quoted(source)
            );
            return issues.push(Issue::new(here, what));
        };
        let name = format!("{}:{}", parsed.scheme, parsed.name);
        if !source_allowed(Some(&self.allowed), source) {
            let what = if self.listed {
                "add it to `sources`"
            } else {
                "without `sources` a package follows records:* only, so list it there"
            };
            issues.push(Issue::new(
                here,
                format!("the package may not follow {}: {what}", quoted(&name)),
            ));
        }
        match parsed.scheme.as_str() {
            RECORDS_SCHEME => {
                expands(self.package, source, &parsed.name, here, issues);
                queries::source(self.package, source, here, issues, notes);
            }
            "ede" => ede_source(&parsed.name, Some(&self.scopes), here, issues),
            reading::SCHEME => upstream(self.package, &self.allowed, source, here, issues),
            other => notes.push(Note::new(format!(
                "{here}: this host answers no {} sources; the template's data stays",
                quoted(other)
            ))),
        }
    }

    /// The kind and the named query of a records source are the package's own.
    pub fn named(&self, source: &str, here: &str, issues: &mut Vec<Issue>) {
        let Some(parsed) = parse_source(source).filter(|p| p.scheme == RECORDS_SCHEME) else {
            return;
        };
        if !parsed.params.contains_key("app") {
            let kind = kinds::unknown(self.package, &parsed.name, here.to_owned());
            issues.extend(kind);
        }
        let none = Map::new();
        let queries = self.package.get("queries").and_then(Value::as_object);
        let queries = queries.unwrap_or(&none);
        if let Some(name) = parsed
            .params
            .get("query")
            .filter(|q| !queries.contains_key(*q))
        {
            let hint = did_you_mean(name, queries.keys().map(String::as_str));
            let what = format!("the package has no query {}{hint}", quoted(name));
            issues.push(Issue::new(here, what));
        }
    }
}

/// A live source of the shell: known, and allowed by an app's manifest; the shell's own documents (`None`) hold every scope.
fn ede_source(name: &str, manifest: Option<&[&str]>, here: &str, issues: &mut Vec<Issue>) {
    match EDE_SOURCES.iter().find(|(n, _)| *n == name) {
        None => {
            let hint = did_you_mean(name, EDE_SOURCES.iter().map(|(n, _)| *n));
            let known = EDE_SOURCES
                .iter()
                .map(|(n, _)| *n)
                .collect::<Vec<_>>()
                .join(", ");
            let what = if hint.is_empty() {
                format!(": there are {known}")
            } else {
                hint
            };
            issues.push(Issue::new(
                here,
                format!("there is no source ede:{name}{what}"),
            ));
        }
        Some((_, Access::Shell)) if manifest.is_some() => {
            issues.push(Issue::new(
                here,
                format!("ede:{name} is for the shell's own documents: an app cannot follow it"),
            ));
        }
        Some((_, Access::Scope(scope))) if manifest.is_some_and(|m| !m.contains(scope)) => {
            issues.push(Issue::new(here, format!("ede:{name} needs the capability {scope}: declare it in `capabilities` (formatVersion 5)")));
        }
        Some(_) => {}
    }
}

/// The unknown live source a document may not name either.
pub(crate) fn check_document_source(source: &str, here: &str) -> Option<Issue> {
    let Some(parsed) = parse_source(source) else {
        return Some(Issue::new(
            here,
            format!(
                "{} is no source: write scheme:name, like ede:clock",
                quoted(source)
            ),
        ));
    };
    let mut issues = Vec::new();
    if parsed.scheme == "ede" {
        ede_source(&parsed.name, None, here, &mut issues);
    } else {
        issues.push(Issue::new(
            here,
            format!(
                "a document follows ede: sources only, not {}",
                quoted(&parsed.scheme)
            ),
        ));
    }
    issues.pop()
}

/// A tool of a server the package names, listed as the servers' own rule wants it.
fn upstream(
    package: &Map<String, Value>,
    sources: &[String],
    source: &str,
    here: &str,
    issues: &mut Vec<Issue>,
) {
    let Some(reading) = Reading::parse(source) else {
        let what = "an upstream source is upstream:<server>/<tool>";
        return issues.push(Issue::new(here, what));
    };
    let server = reading.server.as_str();
    let upstreams = package.get("upstreams").and_then(Value::as_array);
    if !(upstreams.into_iter().flatten()).any(|named| named == server) {
        let what = format!(
            "the package's `upstreams` do not name {}: add it",
            quoted(server)
        );
        issues.push(Issue::new(here, what));
    }
    // What no pattern covers at all has been said.
    if source_allowed(Some(sources), source) && rule::listed(sources, &reading).is_none() {
        let name = reading.name();
        let what = format!(
            "`sources` list a server's tools as upstream:{server}/* or one by one: add {}",
            quoted(&format!("upstream:{name}"))
        );
        issues.push(Issue::new(here, what));
    }
}

/// Only refs are expanded.
fn expands(
    package: &Map<String, Value>,
    source: &str,
    kind: &str,
    here: &str,
    issues: &mut Vec<Issue>,
) {
    let Some(def) = package.get("records").and_then(|r| r.get(kind)) else {
        return;
    };
    // A named query's own `expand` is checked where it stands.
    for field in split_expand(source, None).1 {
        if kinds::ref_target(def, &field).is_none() {
            issues.push(Issue::new(here, no_ref(&field, kind, def)));
        }
    }
}

/// `expand` names a field that is no ref.
pub(super) fn no_ref(field: &str, kind: &str, def: &Value) -> String {
    let refs: Vec<&str> = def
        .get("refs")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(k, _)| k.as_str())
        .collect();
    let hint = did_you_mean(field, refs.iter().copied());
    let what = if hint.is_empty() {
        format!(": declare it in /records/{kind}/refs")
    } else {
        hint
    };
    format!("expand follows refs, and {} is none{what}", quoted(field))
}

/// What expanding a ref gives a row: the type eui-core's checker should see. `None` where it is only known at run time.
pub(super) fn expanded_type(
    kinds: &Map<String, Value>,
    kind: &Value,
    field: &str,
) -> Option<Value> {
    Some(match kinds::ref_target(kind, field)? {
        RefTarget::Kind(target) => {
            let mut schema = kinds::schema_for_core(kinds.get(&target)?);
            let properties = schema.get_mut("properties")?.as_object_mut()?;
            for key in ["id", "createdBy", "authorId", "author"] {
                properties.insert(key.into(), serde_json::json!({"type": "string"}));
            }
            for key in ["createdAt", "updatedAt"] {
                properties.insert(
                    key.into(),
                    serde_json::json!({"type": "string", "format": "date-time"}),
                );
            }
            schema
        }
        RefTarget::Member => {
            serde_json::json!({"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}, "required": ["id", "name"]})
        }
        RefTarget::Issue => {
            serde_json::json!({"type": "object", "properties": {"id": {"type": "string"}, "identifier": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "string"}}})
        }
    })
}

/// `${params.month}` in a source, filled from a screen's params and percent-encoded; a missing one is empty.
pub(super) fn fill_params(source: &str, params: &Map<String, Value>) -> String {
    const OPEN: &str = "${params.";
    let (mut out, mut rest) = (String::new(), source);
    while let Some((before, (name, after))) = rest
        .split_once(OPEN)
        .and_then(|(b, r)| Some((b, r.split_once('}')?)))
    {
        out.push_str(before);
        let text = params.get(name).map_or_else(String::new, |v| {
            v.as_str().map_or_else(|| v.to_string(), str::to_owned)
        });
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
                out.push(char::from(byte));
            } else {
                out.push_str(&format!("%{byte:02X}"));
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
