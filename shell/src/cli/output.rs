//! Where a command prints its answer: standard output, buffered, safe against a reader that has gone away.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use ede_engine::plain::is_format;
use serde::Serialize;

/// The answer of a command. What is printed here and nothing else reaches stdout.
pub struct Output {
    to: BufWriter<Box<dyn Write>>,
    closed: bool,
}

impl Output {
    /// Prints to this process's standard output.
    pub fn stdout() -> Output {
        Output {
            to: BufWriter::new(Box::new(io::stdout())),
            closed: false,
        }
    }

    /// One line of text; control characters in it (from a record, a package's name, a server), and those that turn the direction of text or
    /// hide in it, are made visible so that they cannot drive the terminal or show something else than there is.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        let text = one_line(&text.to_string());
        let printed = writeln!(self.to, "{text}");
        self.heed(printed)
    }

    /// One JSON document, indented, with a line end. Characters that are not seen stand in it as `\u202e`, which reads the same.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_string_pretty(value).map_err(io::Error::from);
        let printed = json.and_then(|json| writeln!(self.to, "{}", seen(&json)));
        self.heed(printed)
    }

    /// Bytes as they are (a document, a schema).
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let printed = self.to.write_all(bytes);
        self.heed(printed)
    }

    /// Something the person should know beside the answer; goes to standard error.
    pub fn note(&mut self, text: impl Display) {
        // Nobody reads it: then nobody is told, and the answer stands.
        let _ = writeln!(io::stderr(), "note: {}", one_line(&text.to_string()));
    }

    /// Everything printed has reached the reader.
    pub fn finish(&mut self) -> io::Result<()> {
        let printed = self.to.flush();
        self.heed(printed)
    }

    /// The reader closed its end: what is printed from now on goes nowhere, and that is no error of ours.
    pub fn closed(&self) -> bool {
        self.closed
    }

    fn heed<T>(&mut self, printed: io::Result<T>) -> io::Result<T> {
        self.closed |= printed
            .as_ref()
            .is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        printed
    }
}

/// A JSON text with the characters that are not seen as JSON's own escapes: outside its strings it has none of them.
fn seen(json: &str) -> Cow<'_, str> {
    let hides = |c: char| is_format(c) || c.is_control() && !c.is_ascii();
    if !json.contains(hides) {
        return json.into();
    }
    let mut seen = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        match hides(c) {
            true => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    seen.push_str(&format!("\\u{unit:04x}"));
                }
            }
            false => seen.push(c),
        }
    }
    seen.into()
}

/// `text` on one line: line ends, control characters and those that are not seen as escapes (`\n`, `\u{1b}`, `\u{202e}`), everything else as it
/// is.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_format(c) {
            line.extend(c.escape_default())
        } else {
            line.push(c)
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_drive_the_terminal() {
        assert_eq!(one_line("a\u{1b}[2Jb\nc ü"), "a\\u{1b}[2Jb\\nc ü");
        assert_eq!(one_line("a\u{202e}b\u{feff}"), "a\\u{202e}b\\u{feff}");
    }

    #[test]
    fn json_reads_the_same_and_hides_nothing() {
        let value = serde_json::json!({"a\u{202e}b": ["\u{e0041}\u{9b}2J", "ü 日本 \n"]});
        let json = value.to_string();
        let seen = seen(&json);
        assert_eq!(seen, r#"{"a\u202eb":["\udb40\udc41\u009b2J","ü 日本 \n"]}"#);
        let again: serde_json::Value = serde_json::from_str(&seen).unwrap_or_default();
        assert_eq!(again, value);
    }
}
