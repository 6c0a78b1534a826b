//! A person's JSON text, read once: the value, and where each part of it stands. Touches no file: it is given bytes.
//!
//! Reading is total: any bytes at all give either a [`Source`] or the one [`Issue`] that says why not.

use std::collections::HashSet;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use serde_json::Value;

use crate::issue::{Anchor, Issue, Position, quoted};
use crate::pointer;

/// What a file may be at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// What the file is, as a message names it: "A package".
    pub what: &'static str,
    pub bytes: usize,
    /// Lists and objects inside each other.
    pub depth: usize,
}

impl Limits {
    /// A package: 128 KB.
    pub const PACKAGE: Limits = Limits {
        what: "A package",
        bytes: 128 * 1024,
        depth: 64,
    };
    /// A file with a package and records in it: 4 MB.
    pub const APP_FILE: Limits = Limits {
        what: "A file with an app and its records",
        bytes: 4 * 1024 * 1024,
        depth: 66,
    };
    /// An ede-ui document.
    pub const DOCUMENT: Limits = Limits {
        what: "A document",
        bytes: 256 * 1024,
        depth: 64,
    };
    /// A theme file.
    pub const THEME: Limits = Limits {
        what: "A theme",
        bytes: 256 * 1024,
        depth: 32,
    };
    /// A2UI messages; eui-core takes 4 MB a message, a file is held to the same.
    pub const STREAM: Limits = Limits {
        what: "A stream",
        bytes: eui_core::limits::MAX_MESSAGE_BYTES,
        depth: 96,
    };
}

/// Where a value starts in the text, with what is inside it.
#[derive(Debug, Clone, Default)]
struct Span {
    start: usize,
    key: Option<usize>,
    inside: Inside,
}

#[derive(Debug, Clone, Default)]
enum Inside {
    #[default]
    Nothing,
    Members(Vec<(String, Span)>),
    Items(Vec<Span>),
}

/// JSON text with its value and the place of every part.
#[derive(Debug, Clone)]
pub struct Source {
    text: String,
    value: Value,
    root: Span,
    issues: Vec<Issue>,
}

impl Source {
    /// Read strict JSON (RFC 8259): UTF-8 without a byte order mark, no comments, no trailing commas.
    ///
    /// # Errors
    /// The first thing that makes it unreadable, with its position.
    pub fn read(bytes: &[u8], limits: Limits) -> Result<Source, Issue> {
        let text = decode(bytes, limits)?;
        check_depth(text, 0, limits)?;
        let value = parse(text, 0)?;
        let mut issues = Vec::new();
        let root = spans(text, 0, "", &mut issues);
        let mut source = Source {
            text: text.to_owned(),
            value,
            root,
            issues,
        };
        source.place_own();
        Ok(source)
    }

    /// Read JSONL: one JSON value a line, empty lines skipped. The value is the list of them, so the pointers of
    /// line `n`'s parts start with `/n` counting values, not lines.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_lines(bytes: &[u8], limits: Limits) -> Result<Source, Issue> {
        let text = decode(bytes, limits)?;
        let (mut values, mut items, mut issues) = (Vec::new(), Vec::new(), Vec::new());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if !line.trim().is_empty() {
                let place = |mut issue: Issue, whole: &str| {
                    issue.pointer = pointer::item("", values.len());
                    issue.position = issue.position.map(|p| Position {
                        line: position(whole, start).line,
                        ..p
                    });
                    issue
                };
                check_depth(line, 0, limits).map_err(|i| place(i, text))?;
                let value = parse(line, 0).map_err(|i| place(i, text))?;
                items.push(spans(
                    line,
                    start,
                    &pointer::item("", values.len()),
                    &mut issues,
                ));
                values.push(value);
            }
            start += line.len();
        }
        let root = Span {
            start: 0,
            key: None,
            inside: Inside::Items(items),
        };
        let mut source = Source {
            text: text.to_owned(),
            value: Value::Array(values),
            root,
            issues,
        };
        source.place_own();
        Ok(source)
    }

    /// A value that never was a text (a document an edit produced): every position is the start.
    pub fn from_value(value: Value) -> Source {
        Source {
            text: String::new(),
            value,
            root: Span::default(),
            issues: Vec::new(),
        }
    }

    pub fn value(&self) -> &Value {
        &self.value
    }

    pub fn into_value(self) -> Value {
        self.value
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the reading itself found and lived with: keys written twice.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// Where the value (or its key) at a pointer stands. A pointer that leads nowhere (a missing key) gives the
    /// innermost place on its way that exists.
    pub fn locate(&self, pointer: &str, anchor: Anchor) -> Position {
        let mut here = &self.root;
        let mut whole = true;
        for key in pointer::keys(pointer) {
            let next = match &here.inside {
                Inside::Members(members) => members
                    .iter()
                    .rev()
                    .find(|(k, _)| *k == key)
                    .map(|(_, s)| s),
                Inside::Items(items) => key.parse::<usize>().ok().and_then(|i| items.get(i)),
                Inside::Nothing => None,
            };
            match next {
                Some(span) => here = span,
                None => {
                    whole = false;
                    break;
                }
            }
        }
        let at = match (anchor, here.key) {
            (Anchor::Key, Some(key)) if whole => key,
            _ => here.start,
        };
        position(&self.text, at)
    }

    /// Give every issue without a position its place.
    pub fn place(&self, issues: &mut [Issue]) {
        for issue in issues.iter_mut().filter(|i| i.position.is_none()) {
            issue.position = Some(self.locate(&issue.pointer, issue.anchor));
        }
    }

    fn place_own(&mut self) {
        let mut issues = std::mem::take(&mut self.issues);
        self.place(&mut issues);
        self.issues = issues;
    }
}

/// The position of a byte offset.
fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    Position {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

fn at(text: &str, offset: usize, message: impl Into<String>) -> Issue {
    Issue {
        position: Some(position(text, offset)),
        ..Issue::new("", message)
    }
}

fn decode(bytes: &[u8], limits: Limits) -> Result<&str, Issue> {
    let start = |message: &str| at("", 0, message);
    if bytes.len() > limits.bytes {
        return Err(start(&format!(
            "{} is at most {}: this file is {}",
            limits.what,
            size(limits.bytes),
            size(bytes.len())
        )));
    }
    if bytes.starts_with(&[0xfe, 0xff])
        || bytes.starts_with(&[0xff, 0xfe])
        || bytes.iter().take(4).any(|b| *b == 0)
    {
        return Err(start("the file is UTF-16 or binary: save it as UTF-8 text"));
    }
    if bytes.starts_with(&[0xef, 0xbb, 0xbf]) {
        return Err(start(
            "the file starts with a byte order mark: save it as UTF-8 without one",
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let good = std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default();
        at(
            good,
            good.len(),
            "this byte is not UTF-8: save the file as UTF-8 text",
        )
    })?;
    if text.trim().is_empty() {
        return Err(start("the file is empty: write one JSON object"));
    }
    Ok(text)
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KB", bytes.div_ceil(1024)),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}

/// Refuse deep nesting before any recursive reader sees it.
fn check_depth(text: &str, offset: usize, limits: Limits) -> Result<(), Issue> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (i, b) in text.bytes().enumerate() {
        if in_string {
            match b {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match b {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits.depth {
            return Err(at(
                text,
                offset + i,
                format!("nested more than {} levels deep: flatten it", limits.depth),
            ));
        }
    }
    Ok(())
}

fn parse(text: &str, offset: usize) -> Result<Value, Issue> {
    serde_json::from_str(text).map_err(|e| {
        let line_start: usize = text
            .split_inclusive('\n')
            .take(e.line().saturating_sub(1))
            .map(str::len)
            .sum();
        let mut byte = (line_start + e.column().saturating_sub(1)).min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        at(text, offset + byte, syntax_words(&e.to_string()))
    })
}

/// A syntax error in our words: what is wrong, then what to do.
fn syntax_words(error: &str) -> String {
    let what = error.split(" at line ").next().unwrap_or(error);
    let words = match what {
        "trailing comma" => "a comma before a closing bracket: remove it",
        "expected `,` or `}`" => {
            "two members need a comma between them, or a `}` is missing before this"
        }
        "expected `,` or `]`" => {
            "two items need a comma between them, or a `]` is missing before this"
        }
        "expected `:`" => "a key is followed by `:` and its value",
        "key must be a string" => "a key is text in double quotes",
        "expected value" => {
            "not a JSON value: write text in double quotes, a number, true, false, null, a list or an object"
        }
        "expected ident" => "not a JSON word: only true, false and null are",
        "trailing characters" => "more text after the end of the JSON value: remove it",
        "number out of range" => "this number is too large to be used: write a smaller one",
        "invalid number" => "not a JSON number",
        "invalid escape" => "not a JSON escape: write \\\\ for a backslash",
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "a text may not hold a raw line break or control character: write \\n for a line break"
        }
        w if w.starts_with("EOF while parsing") => {
            "the file ends too early: a bracket or a quote is not closed"
        }
        w if w.contains("surrogate") || w.contains("hex escape") => {
            "half of a surrogate pair: write both \\u halves or the character itself"
        }
        w => return format!("not JSON: {w}"),
    };
    words.to_owned()
}

fn spans(text: &str, offset: usize, at: &str, issues: &mut Vec<Issue>) -> Span {
    let strict = jsonc_parser::ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
    };
    match jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &strict) {
        Ok(jsonc_parser::ParseResult {
            value: Some(value), ..
        }) => span(&value, offset, at, issues),
        // Only a text serde_json has read comes here; should the two ever differ, positions are coarse, nothing more.
        _ => Span {
            start: offset,
            ..Span::default()
        },
    }
}

fn span(value: &ast::Value, offset: usize, at: &str, issues: &mut Vec<Issue>) -> Span {
    let inside = match value {
        ast::Value::Object(object) => {
            let mut seen = HashSet::new();
            let mut members = Vec::with_capacity(object.properties.len());
            for property in &object.properties {
                let name = property.name.as_str();
                let here = pointer::child(at, name);
                if !seen.insert(name.to_owned()) {
                    issues.push(Issue::key(
                        &here,
                        format!("the key {} is written twice: keep one", quoted(name)),
                    ));
                }
                let mut inner = span(&property.value, offset, &here, issues);
                inner.key = Some(offset + property.name.start());
                members.push((name.to_owned(), inner));
            }
            Inside::Members(members)
        }
        ast::Value::Array(array) => Inside::Items(
            array
                .elements
                .iter()
                .enumerate()
                .map(|(i, v)| span(v, offset, &pointer::item(at, i), issues))
                .collect(),
        ),
        _ => Inside::Nothing,
    };
    Span {
        start: offset + value.start(),
        key: None,
        inside,
    }
}

#[cfg(test)]
mod tests;
