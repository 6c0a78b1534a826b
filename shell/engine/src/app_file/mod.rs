//! A file an app travels in (`.app.json`): its package alone, or `{"package": …, "records": {"<kind>": [{id?, data, author?, createdAt?,
//! updatedAt?}]}}`, the package and records of it. Read and judged whole here, records included; [`export`] writes one. Pure: it is given
//! bytes and touches no file and no store.
//!
//! A signature is the package's own and lies inside it: it says who made the app, over what the author made. The records beside it are
//! whoever wrote them's, so a person may hand a signed app on with their records, and nobody signs them.

mod export;

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use eui_core::host::canonical_json;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

pub use export::{ExportError, Exported, export};

use crate::app_id::AppId;
use crate::clock::parse_instant;
use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::package::kinds::{computed_of, record_issues};
use crate::package::shape::caps;
use crate::package::{Judge, Package, Parsed};
use crate::pointer;
use crate::records::{Kind, Put, RECORD_MAX_BYTES, RecordId};
use crate::schema::check::shape_issues;
use crate::schema::patterns as p;
use crate::schema::shape::{Shape, may, must};
use crate::source::{Limits, Source};
use crate::uuid;

/// The most records one file brings.
pub const MOST_ROWS: usize = 2_000;
/// Problems of records that are told of one file; what is beyond is like them.
const MOST_TOLD: usize = 100;

/// A record a file brings.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Where it stands in the file.
    pub pointer: String,
    pub kind: Kind,
    /// It has an id always: one that was written without gets one that says what it is, the same each time the file is read.
    pub put: Put,
}

/// A file that is well, whole.
#[derive(Debug, Clone)]
pub struct AppFile {
    pub package: Package,
    /// The package as text of its own, where the file holds more than it.
    apart: Option<Vec<u8>>,
    pub rows: Vec<Row>,
}

/// What reading a file gives: the file when nothing is wrong with it, and all that is worth saying.
#[derive(Debug, Clone)]
pub struct Read {
    pub file: Option<AppFile>,
    pub issues: Vec<Issue>,
    pub notes: Vec<Note>,
}

impl Read {
    fn refused(issue: Issue) -> Read {
        Read {
            file: None,
            issues: vec![issue],
            notes: Vec::new(),
        }
    }

    /// The package alone, for who only looks at it.
    pub fn parsed(self) -> Parsed {
        Parsed {
            package: self.file.map(|file| file.package),
            issues: self.issues,
            notes: self.notes,
        }
    }
}

/// Does this value hold a package among other things, rather than being one?
pub fn holds_a_package(value: &Value) -> bool {
    value.get("package").is_some() && value.get("templates").is_none()
}

static WRAPPER: LazyLock<Shape> = LazyLock::new(|| {
    let row = Shape::object(vec![
        may("id", Shape::line(1, 128), "Its id."),
        must("data", Shape::any_object(), "Its fields."),
        may("author", Shape::line(1, 200), "Whose it is."),
        may("createdAt", Shape::text(1, 40), "RFC 3339."),
        may("updatedAt", Shape::text(1, 40), "RFC 3339."),
    ]);
    Shape::object(vec![
        must("package", Shape::any_object(), "The app's package."),
        may(
            "records",
            Shape::map(p::KIND, Shape::any_list(row), caps::KINDS),
            "Its records, by kind.",
        ),
    ])
});

impl AppFile {
    /// Read a file's bytes.
    pub fn read(bytes: &[u8], judge: Judge) -> Read {
        match Source::read(bytes, Limits::APP_FILE) {
            Ok(source) => AppFile::parse(&source, judge),
            Err(issue) => Read::refused(issue),
        }
    }

    /// Judge what was read within [`Limits::APP_FILE`].
    pub fn parse(source: &Source, judge: Judge) -> Read {
        if holds_a_package(source.value()) {
            return AppFile::unwrap(source, judge);
        }
        // A package alone is held to its own limits.
        match Source::read(source.text().as_bytes(), Limits::PACKAGE) {
            Ok(source) => AppFile::alone(Package::parse_with(&source, judge)),
            Err(issue) => Read::refused(issue),
        }
    }

    fn alone(parsed: Parsed) -> Read {
        let file = parsed.package.map(|package| AppFile {
            package,
            apart: None,
            rows: Vec::new(),
        });
        Read {
            file,
            issues: parsed.issues,
            notes: parsed.notes,
        }
    }

    fn unwrap(source: &Source, judge: Judge) -> Read {
        let mut issues = shape_issues(source.value(), &WRAPPER, 0);
        for issue in &mut issues {
            if ["/author", "/signature"].contains(&issue.pointer.as_str()) {
                issue.message = "what is signed is the package: this belongs inside it".into();
            }
        }
        let well = issues.is_empty();
        issues.extend(source.issues().iter().cloned());
        let value = &source.value()["package"];
        let (apart, too_large) = apart(value);
        issues.extend(too_large);
        let parsed = Package::parse_with(&Source::from_value(value.clone()), judge);
        issues.extend(parsed.issues.into_iter().map(|issue| Issue {
            pointer: format!("/package{}", issue.pointer),
            position: None,
            ..issue
        }));
        let mut rows = Vec::new();
        if let Some(package) = parsed.package.as_ref().filter(|_| well) {
            rows = read_rows(package, &source.value()["records"], &mut issues);
        }
        source.place(&mut issues);
        issues.sort_by_key(|issue| issue.position);
        let file = parsed.package.filter(|_| issues.is_empty());
        Read {
            file: file.map(|package| AppFile {
                package,
                apart: Some(apart),
                rows,
            }),
            issues,
            notes: parsed.notes,
        }
    }

    /// The package's own text, out of a file that `whole` is the text of.
    pub fn package_text<'a>(&'a self, whole: &'a [u8]) -> &'a [u8] {
        self.apart.as_deref().unwrap_or(whole)
    }
}

/// A package as text of its own: indented where that fits, and what is to be said where it does not fit at all.
fn apart(package: &Value) -> (Vec<u8>, Option<Issue>) {
    let most = Limits::PACKAGE.bytes;
    let mut text = format!("{package:#}\n").into_bytes();
    if text.len() > most {
        text = package.to_string().into_bytes();
    }
    let too_large = (text.len() > most).then(|| {
        Issue::new(
            "/package",
            format!(
                "a package is at most {} KB: this one is {} KB",
                most / 1024,
                text.len().div_ceil(1024)
            ),
        )
    });
    (text, too_large)
}

/// The records of a file whose shape is right, each held against its kind.
fn read_rows(package: &Package, records: &Value, issues: &mut Vec<Issue>) -> Vec<Row> {
    let kinds = records.as_object();
    let lists = || {
        let lists = kinds.into_iter().flatten();
        lists.filter_map(|(name, list)| Some((name, list.as_array()?)))
    };
    let all: usize = lists().map(|(_, list)| list.len()).sum();
    if all > MOST_ROWS {
        issues.push(Issue::new(
            "/records",
            format!(
                "a file brings {MOST_ROWS} records at most, this one has {all}: leave some out"
            ),
        ));
        return Vec::new();
    }
    let mut reading = Reading {
        package,
        issues: Vec::new(),
        ids: HashMap::new(),
        same: BTreeMap::new(),
        rows: Vec::new(),
    };
    for (name, list) in lists() {
        let at = pointer::child("/records", name);
        match (package.kind(name), Kind::parse(name)) {
            (Some(definition), Ok(kind)) => {
                for (index, row) in list.iter().enumerate() {
                    if let Some(row) = row.as_object() {
                        reading.row(&kind, definition, row, pointer::item(&at, index));
                    }
                }
            }
            _ => {
                let known = package.kinds().map(|(name, _)| name);
                let hint = did_you_mean(name, known);
                reading.issues.push(Issue::key(
                    at,
                    format!("the package has no kind {}{hint}", quoted(name)),
                ));
            }
        }
    }
    reading.issues.truncate(MOST_TOLD);
    issues.append(&mut reading.issues);
    reading.rows
}

struct Reading<'a> {
    package: &'a Package,
    issues: Vec<Issue>,
    /// Where each id was met.
    ids: HashMap<RecordId, String>,
    /// How many records without an id say the same.
    same: BTreeMap<String, usize>,
    rows: Vec<Row>,
}

impl Reading<'_> {
    fn row(&mut self, kind: &Kind, definition: &Value, row: &Map<String, Value>, at: String) {
        let before = self.issues.len();
        let data = &row["data"];
        let id = self.id(kind, row, &at);
        let created_at = self.instant(row, "createdAt", &at);
        let updated_at = self.instant(row, "updatedAt", &at);
        self.data(definition, data, &format!("{at}/data"));
        let (Some(id), true) = (id, self.issues.len() == before) else {
            return;
        };
        let author = row.get("author").and_then(Value::as_str);
        let put = Put {
            id: Some(id),
            data: data.clone(),
            author: author.map(str::to_owned),
            created_at,
            updated_at,
        };
        self.rows.push(Row {
            pointer: at,
            kind: kind.clone(),
            put,
        });
    }

    fn id(&mut self, kind: &Kind, row: &Map<String, Value>, at: &str) -> Option<RecordId> {
        let here = format!("{at}/id");
        let id = match row.get("id").and_then(Value::as_str) {
            Some(text) => RecordId::parse(text)
                .map_err(|error| self.issues.push(Issue::new(&here, error.to_string())))
                .ok()?,
            None => {
                let says = canonical_json(&row["data"]);
                let nth = self.same.entry(format!("{kind} {says}")).or_default();
                *nth += 1;
                derived_id(self.package.id(), kind, &format!("{nth} {says}"))?
            }
        };
        if let Some(other) = self.ids.insert(id.clone(), at.to_owned()) {
            let message = format!("{other} has this id: give each record its own, or none");
            self.issues.push(Issue::new(here, message));
        }
        Some(id)
    }

    fn instant(
        &mut self,
        row: &Map<String, Value>,
        key: &str,
        at: &str,
    ) -> Option<jiff::Timestamp> {
        let instant = parse_instant(row.get(key)?.as_str()?);
        if instant.is_none() {
            let message = format!("{key} is a time like 2026-10-01T09:30:00Z");
            self.issues
                .push(Issue::new(pointer::child(at, key), message));
        }
        instant
    }

    fn data(&mut self, definition: &Value, data: &Value, at: &str) {
        let bytes = data.to_string().len();
        if bytes > RECORD_MAX_BYTES {
            let message =
                format!("a record holds {RECORD_MAX_BYTES} bytes at most, this one has {bytes}");
            self.issues.push(Issue::new(at, message));
        }
        for (field, _) in computed_of(definition).filter(|(field, _)| data.get(field).is_some()) {
            let message = format!(
                "{} is computed and never stored: leave it out",
                quoted(field)
            );
            self.issues
                .push(Issue::key(pointer::child(at, field), message));
        }
        let computed = |path: &str| {
            computed_of(definition).any(|(field, _)| path.strip_prefix('/') == Some(field))
        };
        for issue in record_issues(&definition["schema"], data) {
            if !computed(&issue.path) {
                self.issues
                    .push(Issue::new(format!("{at}{}", issue.path), issue.message));
            }
        }
    }
}

/// An id that follows from what a record is, the same each time: a UUID of version 8.
pub(crate) fn derived_id(app: &AppId, kind: &Kind, what: &str) -> Option<RecordId> {
    let digest = Sha256::digest(format!("ede/record/v1\n{app}\n{kind}\n{what}"));
    let bytes: [u8; 16] = digest.get(..16)?.try_into().ok()?;
    RecordId::parse(&uuid::spell(u128::from_be_bytes(bytes), 8)).ok()
}
