//! CSV as RFC 4180 has it, and as spreadsheets write it: a byte order mark, semicolons or tabs, CRLF or LF at a row's end. A CR alone is
//! part of its cell.

/// Why a text is no table to import.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CsvError {
    /// Nothing in it.
    #[error("the file has no rows")]
    Empty,
    /// A quoted cell has no end.
    #[error("the quoted cell that begins in row {0} has no end")]
    OpenQuote(usize),
    /// More rows than one import takes.
    #[error("the file has {0} rows, an import takes {max} at most", max = super::IMPORT_MAX_ROWS)]
    TooManyRows(usize),
}

/// The rows of a file. Every header is different and none is empty; a row may be shorter or longer than the header.
#[derive(Debug, PartialEq)]
pub(super) struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

pub(super) fn read(text: &str) -> Result<Table, CsvError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = split(text, delimiter(text))?.into_iter();
    let header = rows.next().ok_or(CsvError::Empty)?;
    Ok(Table {
        header: names(header),
        rows: rows.collect(),
    })
}

/// The most frequent of comma, semicolon and tab in the header line, outside quotes; the comma where none is.
fn delimiter(text: &str) -> char {
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    let mut quoted = false;
    // Blank lines are none.
    for c in text.trim_start_matches([' ', '\r', '\n']).chars() {
        if c == '"' {
            quoted = !quoted;
        } else if c == '\n' && !quoted {
            break;
        } else if !quoted
            && let Some((_, count)) = counts.iter_mut().find(|(delimiter, _)| *delimiter == c)
        {
            *count += 1;
        }
    }
    // The first of equals: `max_by_key` alone would take the last.
    counts
        .into_iter()
        .rev()
        .max_by_key(|(_, count)| *count)
        .map_or(',', |(delimiter, _)| delimiter)
}

/// The rows of `text`, blank ones left out.
fn split(text: &str, delimiter: char) -> Result<Vec<Vec<String>>, CsvError> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut row, mut cell) = (Vec::new(), String::new());
    // Inside quotes; and whether the cell had any, so that a quoted cell is not blank.
    let (mut quoted, mut was_quoted) = (false, false);
    let mut chars = text.chars().peekable();
    let end_row = |row: &mut Vec<String>,
                   cell: &mut String,
                   was_quoted: bool,
                   rows: &mut Vec<Vec<String>>| {
        let blank = row.is_empty() && cell.trim().is_empty() && !was_quoted;
        row.push(std::mem::take(cell));
        let row = std::mem::take(row);
        if !blank {
            rows.push(row);
        }
    };
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() && !was_quoted => {
                cell.clear();
                (quoted, was_quoted) = (true, true);
            }
            c if quoted => cell.push(c),
            c if c == delimiter => {
                row.push(std::mem::take(&mut cell));
                was_quoted = false;
            }
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                end_row(&mut row, &mut cell, was_quoted, &mut rows);
                was_quoted = false;
            }
            c => cell.push(c),
        }
    }
    if quoted {
        return Err(CsvError::OpenQuote(rows.len() + 1));
    }
    if !row.is_empty() || !cell.is_empty() || was_quoted {
        end_row(&mut row, &mut cell, was_quoted, &mut rows);
    }
    Ok(rows)
}

/// Headers one can tell apart: an empty one is `Column N`, a repeated one gets a number.
fn names(header: Vec<String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(header.len());
    for (index, cell) in header.into_iter().enumerate() {
        let name = match cell.trim() {
            "" => format!("Column {}", index + 1),
            name => name.to_owned(),
        };
        let free = |name: &String| !names.contains(name);
        let numbered = (2..).map(|n| format!("{name} {n}"));
        let unique = std::iter::once(name.clone()).chain(numbered).find(free);
        names.extend(unique);
    }
    names
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn quotes_hold_delimiters_quotes_and_line_ends() {
        let table = read("a,b\n\"x,\"\"y\"\"\nz\",2\n").unwrap();
        assert_eq!(table.rows, [["x,\"y\"\nz", "2"]]);
        assert_eq!(read("a\n\"open\n"), Err(CsvError::OpenQuote(2)));
        assert_eq!(
            read("a,b\n\"\"\n").unwrap().rows,
            [[""]],
            "a quoted nothing is a row"
        );
    }

    #[test]
    fn the_delimiter_is_the_headers_most_frequent_outside_quotes() {
        assert_eq!(
            read("\"a,b,c\";d;e\n1;2;3").unwrap().header,
            ["a,b,c", "d", "e"]
        );
        assert_eq!(read("a\tb\n1,5\t2").unwrap().rows, [["1,5", "2"]]);
        assert_eq!(
            read("\n\"a\n,,,\";b\n1;2").unwrap().rows,
            [["1", "2"]],
            "a line ends in no quotes"
        );
        assert_eq!(
            read("a,b;c\n1,2;3").unwrap().header,
            ["a", "b;c"],
            "the comma where both are as frequent"
        );
    }

    #[test]
    fn headers_can_be_told_apart() {
        assert_eq!(
            read("Day,,Day,Day 2,Day\n").unwrap().header,
            ["Day", "Column 2", "Day 2", "Day 2 2", "Day 3"]
        );
    }

    #[test]
    fn crlf_and_lf_end_a_row_a_cr_alone_does_not_and_blank_lines_are_none() {
        assert_eq!(
            read("\r\na\r\n1\r\n\r\n  \n2\r3").unwrap().rows,
            [["1"], ["2\r3"]]
        );
        assert_eq!(
            read("a,b\r1,2\r").unwrap().header,
            ["a", "b\r1", "2"],
            "it is one row, and a row's cells are trimmed"
        );
        assert_eq!(read(""), Err(CsvError::Empty));
    }
}
