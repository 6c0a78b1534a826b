//! `ede check FILE…`: every problem with packages, documents, themes and A2UI streams, each at its place in the file.

use std::path::{Path, PathBuf};

use clap::Args;
use ede_engine::check::{Context, FileKind, Report, check};
use ede_engine::files::read_limited;
use ede_engine::issue::{Note, Position};
use ede_engine::source::Limits;
use serde::Serialize;

use super::{Exit, Failure, Output};
use crate::desktop::layout_check::PainterCheck;
use crate::desktop::setup::{self, Look};
use crate::paths::Paths;
use crate::themes::Themes;

/// Show every problem with a package, document, theme or A2UI stream.
#[derive(Debug, Args)]
pub struct Check {
    /// The files to check.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Answer one JSON document.
    #[arg(long)]
    json: bool,
}

/// The most characters of a line that are shown under a problem.
const WINDOW: usize = 100;

#[derive(Serialize)]
struct FileReport<'a> {
    file: String,
    kind: FileKind,
    ok: bool,
    issues: Vec<IssueReport<'a>>,
    notes: &'a [Note],
}

#[derive(Serialize)]
struct IssueReport<'a> {
    path: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Check {
    pub fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let painter = PainterCheck::new(setup::offscreen(&Look::default()).map_err(Failure)?);
        let mut reports = Vec::new();
        for path in &self.files {
            // One byte over the widest limit is enough to be told so.
            let bytes = match read_limited(path, Limits::STREAM.bytes + 1) {
                Err(error) if error.kind() == Some(std::io::ErrorKind::FileTooLarge) => {
                    vec![b' '; Limits::STREAM.bytes + 1]
                }
                read => read?,
            };
            let themes = Themes::new(paths.themes()).beside(path);
            let report = check(
                &path.to_string_lossy(),
                &bytes,
                Context {
                    themes: &themes,
                    layout: Some(&painter),
                },
            );
            reports.push((path, bytes, report));
        }
        let ok = reports.iter().all(|(_, _, report)| report.ok());
        if self.json {
            out.json(
                &reports
                    .iter()
                    .map(|(path, _, report)| as_json(path, report))
                    .collect::<Vec<_>>(),
            )?;
        } else {
            for (path, bytes, report) in &reports {
                print(path, bytes, report, out)?;
            }
        }
        Ok(if ok { Exit::Done } else { Exit::Failed })
    }
}

fn as_json<'a>(path: &Path, report: &'a Report) -> FileReport<'a> {
    let issue = |i: &'a ede_engine::issue::Issue| IssueReport {
        path: &i.pointer,
        message: &i.message,
        line: i.position.map(|p| p.line),
        column: i.position.map(|p| p.column),
    };
    FileReport {
        file: path.display().to_string(),
        kind: report.kind,
        ok: report.ok(),
        issues: report.issues.iter().map(issue).collect(),
        notes: &report.notes,
    }
}

/// `FILE:LINE:COL: PATH: message`, then the line with the place marked under it.
fn print(path: &Path, bytes: &[u8], report: &Report, out: &mut Output) -> std::io::Result<()> {
    let file = path.display();
    let text = String::from_utf8_lossy(bytes);
    for issue in &report.issues {
        let position = issue.position.unwrap_or(Position { line: 1, column: 1 });
        let pointer = if issue.pointer.is_empty() {
            "/"
        } else {
            &issue.pointer
        };
        out.line(format!(
            "{file}:{}:{}: {pointer}: {}",
            position.line, position.column, issue.message
        ))?;
        if let Some((line, caret)) = text
            .lines()
            .nth(position.line - 1)
            .and_then(|line| window(line, position.column))
        {
            out.line(format!("  {line}"))?;
            out.line(format!("  {caret}"))?;
        }
    }
    for note in &report.notes {
        out.line(format!("{file}: note: {}", note.message))?;
    }
    match report.issues.len() {
        0 => out.line(format!("{file}: ok, a {}", report.kind.as_str())),
        1 => out.line(format!("{file}: 1 problem")),
        n => out.line(format!("{file}: {n} problems")),
    }
}

/// The part of a line around a column (counted from 1), and the mark that goes under it. A control character shows as a
/// space, so that the mark stands where it should.
fn window(line: &str, column: usize) -> Option<(String, String)> {
    let characters: Vec<char> = line
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if characters.iter().all(|c| c.is_whitespace()) {
        return None;
    }
    let at = column.saturating_sub(1).min(characters.len());
    let indent = characters
        .iter()
        .take_while(|c| c.is_whitespace())
        .count()
        .min(at);
    let from = if at - indent < WINDOW {
        indent
    } else {
        at - WINDOW / 2
    };
    let shown: String = characters[from..].iter().take(WINDOW).collect();
    Some((
        shown.trim_end().to_owned(),
        format!("{}^", " ".repeat(at - from)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_under_its_column_however_long_the_line_is() {
        assert_eq!(
            window("  \"a\": 1", 8),
            Some(("\"a\": 1".into(), "     ^".into()))
        );
        assert_eq!(
            window("\t\"ü\": x", 7),
            Some(("\"ü\": x".into(), "     ^".into()))
        );
        assert_eq!(window("ab", 3), Some(("ab".into(), "  ^".into())));
        assert_eq!(window("   ", 1), None);
        let long = format!("{}X{}", "a".repeat(5000), "b".repeat(5000));
        let Some((shown, caret)) = window(&long, 5001) else {
            panic!("a line is shown")
        };
        assert_eq!(shown.chars().nth(caret.len() - 1), Some('X'));
        assert!(shown.len() <= WINDOW);
    }
}
