//! A spreadsheet's rows as records of one kind: columns matched to fields by name, cells read as the fields' types, every cell
//! that does not read named by row and field. Nothing is guessed and nothing is written here; the caller commits what is ready.
//!
//! The rules are those of the eApps spec (10.1, 10.3). Its 500 rows are what one call to a server takes; here no server is called, and
//! one transaction takes as many rows as an app keeps records.

mod cells;
mod csv;
mod mapping;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

pub use csv::CsvError;
pub use mapping::Mapping;

use super::model::{Kind, Put, Write};
use super::quota::MOST_RECORDS;
use crate::package::kinds::record_issues;

/// The most rows one import takes: as many as an app keeps.
pub const IMPORT_MAX_ROWS: usize = MOST_RECORDS;

/// Why a row is not ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowIssue {
    /// The row as a spreadsheet counts it: the header is row 1.
    pub row: usize,
    /// The field, when it is about one.
    pub field: Option<String>,
    pub message: String,
}

impl std::fmt::Display for RowIssue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.field {
            Some(field) => write!(f, "row {}: {field}: {}", self.row, self.message),
            None => write!(f, "row {}: {}", self.row, self.message),
        }
    }
}

/// A file read against a kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The rows of the file, its header aside.
    pub total: usize,
    pub mapping: Mapping,
    /// What the ready rows become.
    pub writes: Vec<Write>,
    /// The row each of the writes is of, as [`RowIssue::row`].
    pub rows: Vec<usize>,
    pub issues: Vec<RowIssue>,
}

impl Import {
    /// These writes, by their places, would be refused ([`super::Store::rehearse`]): their rows are not ready after all.
    pub fn refuse(&mut self, refused: Vec<(usize, String)>) {
        let gone: BTreeSet<usize> = refused.iter().map(|(position, _)| *position).collect();
        self.issues
            .extend(refused.into_iter().filter_map(|(position, message)| {
                let row = *self.rows.get(position)?;
                let field = None;
                Some(RowIssue {
                    row,
                    field,
                    message,
                })
            }));
        let stays = |n: &usize| !gone.contains(n);
        let writes = std::mem::take(&mut self.writes).into_iter().enumerate();
        self.writes = writes.filter(|(n, _)| stays(n)).map(|(_, w)| w).collect();
        let rows = std::mem::take(&mut self.rows).into_iter().enumerate();
        self.rows = rows.filter(|(n, _)| stays(n)).map(|(_, r)| r).collect();
        self.issues.sort_by_key(|issue| issue.row);
    }
}

/// Read `text` (CSV, its first row the header) as new records of `kind`, whose schema is `schema`.
///
/// # Errors
/// The text is no table, or has too many rows.
pub fn read_csv(text: &str, kind: &Kind, schema: &Value) -> Result<Import, CsvError> {
    let table = csv::read(text)?;
    if table.rows.len() > IMPORT_MAX_ROWS {
        return Err(CsvError::TooManyRows(table.rows.len()));
    }
    let empty = Map::new();
    let fields = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let mapping = Mapping::of(fields.keys().map(String::as_str), &table.header);
    let mut import = Import {
        total: table.rows.len(),
        mapping,
        writes: Vec::new(),
        rows: Vec::new(),
        issues: Vec::new(),
    };
    for (index, cells) in table.rows.iter().enumerate() {
        let row = index + 2;
        let mut problems = Vec::new();
        if cells.len() > table.header.len() {
            let extra = cells.len() - table.header.len();
            problems.push((None, format!("{extra} more cells than the header has")));
        }
        let mut data = Map::new();
        for (field, definition) in fields {
            let Some(column) = import.mapping.column(field) else {
                continue;
            };
            match cells::read(cells.get(column).map_or("", String::as_str), definition) {
                Ok(Some(value)) => {
                    data.insert(field.clone(), value);
                }
                Ok(None) => {}
                Err(why) => problems.push((Some(field.clone()), why)),
            }
        }
        let data = Value::Object(data);
        // What a cell that does not read leaves out is said once, as that.
        if problems.is_empty() {
            let invalid = record_issues(schema, &data).into_iter();
            problems.extend(invalid.map(|issue| {
                let field = issue.path.trim_start_matches('/').to_owned();
                let message = match issue.message.as_str() {
                    "required" if import.mapping.column(&field).is_none() => {
                        "required, and no column is called so".to_owned()
                    }
                    _ => issue.message,
                };
                (Some(field), message)
            }));
        }
        if problems.is_empty() {
            let put = Put {
                id: None,
                data,
                author: None,
                created_at: None,
                updated_at: None,
            };
            import.writes.push(Write::Put {
                kind: kind.clone(),
                put,
            });
            import.rows.push(row);
        }
        import
            .issues
            .extend(problems.into_iter().map(|(field, message)| RowIssue {
                row,
                field,
                message,
            }));
    }
    Ok(import)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({"type": "object", "properties": {
            "day": {"type": "string", "format": "date"}, "hours": {"type": "number", "minimum": 0}, "note": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["day", "hours"]})
    }

    fn import(text: &str) -> Result<Import, CsvError> {
        read_csv(text, &Kind::parse("entry").unwrap(), &schema())
    }

    fn data(import: &Import) -> Vec<Value> {
        let data = |write: &Write| match write {
            Write::Put { put, .. } => put.data.clone(),
            other => panic!("{other:?}"),
        };
        import.writes.iter().map(data).collect()
    }

    #[test]
    fn a_timesheet_becomes_records() {
        let read = import("\u{feff}Day;Hours worked;Remark;Tags\r\n1.10.2026;6,5;\"a; b\"\"c\"\"\";x, y\r\n\r\n2026-10-02;8\r\n").unwrap();
        assert_eq!(
            data(&read),
            [
                json!({"day": "2026-10-01", "hours": 6.5, "tags": ["x", "y"]}),
                json!({"day": "2026-10-02", "hours": 8})
            ],
            "Remark is no field, a short row is padded"
        );
        assert_eq!((read.total, read.issues.len()), (2, 0));
    }

    #[test]
    fn every_cell_that_does_not_read_is_named_and_its_row_left_out() {
        let read = import("day,hours,note\n2026-10-01,1,ok\n3/4/2026,2,x\n2026-10-02,three,\n2026-10-03,,\n2026-10-04,1,a,b\n2026-10-05,-1,\n").unwrap();
        let told: Vec<String> = read.issues.iter().map(RowIssue::to_string).collect();
        assert_eq!(
            told,
            [
                "row 3: day: \"3/4/2026\" is a day in March or in April: write it like 2026-10-01",
                "row 4: hours: \"three\" is not a number",
                "row 5: hours: required",
                "row 6: 1 more cells than the header has",
                "row 7: hours: at least 0",
            ]
        );
        assert_eq!((read.total, data(&read).len()), (6, 1));
    }

    #[test]
    fn a_required_field_without_a_column_is_a_problem_of_every_row() {
        let read = import("day,note\n2026-10-01,x\n2026-10-02,y\n").unwrap();
        let told: Vec<String> = read.issues.iter().map(RowIssue::to_string).collect();
        let words = "hours: required, and no column is called so";
        assert_eq!(told, [format!("row 2: {words}"), format!("row 3: {words}")]);
        assert_eq!((read.total, read.writes.len()), (2, 0));
        assert_eq!(import("\n \n"), Err(CsvError::Empty));
    }
}
