//! Where a command prints its answer: standard output, buffered, safe against a reader that has gone away.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};

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

    /// One line of text; control characters in it (from a record, a package's name) are made visible so that they cannot
    /// drive the terminal.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        let text = one_line(&text.to_string());
        let printed = writeln!(self.to, "{text}");
        self.heed(printed)
    }

    /// One JSON document, indented, with a line end.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let printed = serde_json::to_writer_pretty(&mut self.to, value)
            .map_err(io::Error::from)
            .and_then(|()| self.to.write_all(b"\n"));
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

/// `text` on one line: line ends and control characters as escapes (`\n`, `\u{1b}`), everything else as it is.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
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
    }
}
