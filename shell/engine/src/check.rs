//! `check`: any file a person may hand over, told apart by its content, and everything that is wrong with it.

use serde_json::Value;

use crate::app_file::{AppFile, holds_a_package};
use crate::documents::Document;
use crate::issue::{Issue, Note, Position};
use crate::layout::LayoutCheck;
use crate::package::Judge;
use crate::source::{Limits, Source};
use crate::stream::{self, Stream};
use crate::theme;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    Package,
    Document,
    Theme,
    Stream,
}

impl FileKind {
    pub fn as_str(self) -> &'static str {
        match self {
            FileKind::Package => "package",
            FileKind::Document => "document",
            FileKind::Theme => "theme",
            FileKind::Stream => "stream",
        }
    }

    fn limits(self) -> Limits {
        match self {
            FileKind::Package => Limits::APP_FILE,
            FileKind::Document => Limits::DOCUMENT,
            FileKind::Theme => Limits::THEME,
            FileKind::Stream => Limits::STREAM,
        }
    }
}

/// The answer about one file.
#[derive(Debug, Clone)]
pub struct Report {
    pub kind: FileKind,
    /// Each has its position.
    pub issues: Vec<Issue>,
    pub notes: Vec<Note>,
}

impl Report {
    pub fn ok(&self) -> bool {
        self.issues.is_empty()
    }
}

/// What a check may know beyond the file.
#[derive(Default, Clone, Copy)]
pub struct Context<'a> {
    /// Themes a theme may extend, beside the built-in ones.
    pub themes: &'a [Value],
    /// The painter's word on whether a package or a document lays out.
    pub layout: Option<&'a dyn LayoutCheck>,
}

const STREAM_BYTES: usize = Limits::STREAM.bytes;

/// Check a file's bytes. `name` is the file's name, which helps where the content does not say what it is.
pub fn check(name: &str, bytes: &[u8], context: Context) -> Report {
    // The widest limits first: what a file is decides how large it may be.
    let read = stream::read_source(bytes);
    let kind = match &read {
        Ok(source) => kind_of(source.value(), name),
        Err(_) => kind_by_name(name).unwrap_or(FileKind::Package),
    };
    let mut report = match (kind, read) {
        (FileKind::Stream, Ok(source)) => {
            let parsed = Stream::parse(&source);
            Report {
                kind,
                issues: parsed.issues,
                notes: parsed.notes,
            }
        }
        (_, Err(issue)) => Report {
            kind,
            issues: vec![match bytes.len() {
                // Too large for what it is, not for a stream.
                0..=STREAM_BYTES => issue,
                _ => Source::read(bytes, kind.limits()).err().unwrap_or(issue),
            }],
            notes: Vec::new(),
        },
        // Read again within the kind's own limits.
        (_, Ok(_)) => match Source::read(bytes, kind.limits()) {
            Ok(source) => checked(kind, &source, context),
            Err(issue) => Report {
                kind,
                issues: vec![issue],
                notes: Vec::new(),
            },
        },
    };
    if kind == FileKind::Document {
        report.notes.extend(name_note(name, bytes));
    }
    for issue in &mut report.issues {
        issue
            .position
            .get_or_insert(Position { line: 1, column: 1 });
    }
    report
}

fn checked(kind: FileKind, source: &Source, context: Context) -> Report {
    match kind {
        FileKind::Package => {
            let judge = Judge {
                layout: context.layout,
                ..Judge::default()
            };
            let read = AppFile::parse(source, judge);
            Report {
                kind,
                issues: read.issues,
                notes: read.notes,
            }
        }
        FileKind::Document => {
            let parsed = Document::parse_with(source, context.layout);
            Report {
                kind,
                issues: parsed.issues,
                notes: parsed.notes,
            }
        }
        FileKind::Theme => {
            let parsed = theme::parse(source, context.themes);
            Report {
                kind,
                issues: parsed.issues,
                notes: parsed.notes,
            }
        }
        FileKind::Stream => {
            let parsed = Stream::parse(source);
            Report {
                kind,
                issues: parsed.issues,
                notes: parsed.notes,
            }
        }
    }
}

/// What a value is, by the keys only one format has; by its file's name where it has none of them.
pub fn kind_of(value: &Value, name: &str) -> FileKind {
    let Some(members) = value.as_object() else {
        return if value.is_array() {
            FileKind::Stream
        } else {
            kind_by_name(name).unwrap_or(FileKind::Package)
        };
    };
    let has = |keys: &[&str]| keys.iter().any(|k| members.contains_key(*k));
    if has(&[
        "createSurface",
        "updateComponents",
        "updateDataModel",
        "deleteSurface",
        "surfaceUpdate",
        "beginRendering",
    ]) {
        FileKind::Stream
    } else if has(&["templates", "catalogId", "screens", "exposes"]) || holds_a_package(value) {
        FileKind::Package
    } else if has(&["place", "session", "kind"]) {
        FileKind::Document
    } else if has(&["modes", "tokens", "recipes", "contrast", "extends"])
        || members
            .get("$schema")
            .is_some_and(|s| s == eui_core::theme::THEME_SCHEMA_ID)
    {
        FileKind::Theme
    } else {
        kind_by_name(name).unwrap_or(if has(&["components"]) {
            FileKind::Document
        } else {
            FileKind::Package
        })
    }
}

fn kind_by_name(name: &str) -> Option<FileKind> {
    let ends = |suffix: &str| name.ends_with(suffix);
    if ends(crate::documents::store::SUFFIX) {
        Some(FileKind::Document)
    } else if ends(".app.json") {
        Some(FileKind::Package)
    } else if ends(".theme.json") {
        Some(FileKind::Theme)
    } else if ends(".jsonl") || ends(".ndjson") {
        Some(FileKind::Stream)
    } else {
        None
    }
}

/// A document is found by its file's name, so the two should agree.
fn name_note(name: &str, bytes: &[u8]) -> Option<Note> {
    let stem = name
        .rsplit('/')
        .next()?
        .strip_suffix(crate::documents::store::SUFFIX)?;
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let id = value["id"].as_str()?;
    (id != stem).then(|| {
        Note::new(format!(
            "the file is called {stem} and the document {id}: give both one name"
        ))
    })
}
