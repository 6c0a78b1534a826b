//! An app and its records written as one file, such that installing it brings them all back, but for the files on them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::MOST_ROWS;
use crate::attachments::in_record;
use crate::package::Package;
use crate::package::kinds::{RefTarget, record_issues, ref_target};
use crate::records::{Kind, Record, RecordId};
use crate::source::Limits;

/// Why an app cannot be written as one file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// More records than a file brings.
    #[error("a file brings {MOST_ROWS} records at most, there are {0}")]
    TooMany(usize),
    /// More bytes than a file holds.
    #[error("the file would be {} KB, it may be {} at most", .0.div_ceil(1024), Limits::APP_FILE.bytes / 1024)]
    TooLarge(usize),
    /// The package does not allow this record as it is, and would not take it back.
    #[error("{kind} {id} is not as the package has it: {why}")]
    Invalid {
        kind: Kind,
        id: RecordId,
        why: String,
    },
}

/// A written file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    pub text: String,
    /// References that were left out, because what they referred to is deleted.
    pub dangling: usize,
    /// Files the records name, which are not in it.
    pub files: usize,
}

/// `package` with `records`, which are all of its app's: indented, one record a line.
///
/// # Errors
/// A file of them would be none that can be installed.
pub fn export(package: &Package, records: &[Record]) -> Result<Exported, ExportError> {
    if records.len() > MOST_ROWS {
        return Err(ExportError::TooMany(records.len()));
    }
    let known = |record: &'_ Record| (record.kind.as_str().to_owned(), record.id.to_string());
    let known: BTreeSet<(String, String)> = records.iter().map(known).collect();
    let mut dangling = 0;
    let mut kinds: Map<String, Value> = Map::new();
    for record in records {
        let mut json = record.to_put_json();
        dangling += prune(package, record, &mut json, &known)?;
        let list = kinds.entry(record.kind.as_str());
        if let Value::Array(list) = list.or_insert_with(|| Value::Array(Vec::new())) {
            list.push(json);
        }
    }
    let text = written(package, &kinds);
    if text.len() > Limits::APP_FILE.bytes {
        return Err(ExportError::TooLarge(text.len()));
    }
    let of = |record: &Record| -> usize {
        let kind = package.kind(record.kind.as_str()).unwrap_or(&Value::Null);
        in_record(&kind["schema"], &record.data).count()
    };
    let files = records.iter().map(of).sum();
    Ok(Exported {
        text,
        dangling,
        files,
    })
}

/// Leave out the references of a record that lead nowhere; how many those were.
///
/// # Errors
/// What is left is not what the package describes.
fn prune(
    package: &Package,
    record: &Record,
    json: &mut Value,
    known: &BTreeSet<(String, String)>,
) -> Result<usize, ExportError> {
    let invalid = |why: String| ExportError::Invalid {
        kind: record.kind.clone(),
        id: record.id.clone(),
        why,
    };
    let definition = package
        .kind(record.kind.as_str())
        .ok_or_else(|| invalid("there is no such kind".into()))?;
    let leads_nowhere = |field: &str, value: &Value| match ref_target(definition, field) {
        Some(RefTarget::Kind(target)) => value
            .as_str()
            .is_some_and(|id| !known.contains(&(target, id.to_owned()))),
        _ => false,
    };
    let mut left_out = 0;
    if let Some(fields) = json["data"].as_object_mut() {
        let all = fields.len();
        fields.retain(|field, value| !leads_nowhere(field, value));
        left_out = all - fields.len();
    }
    match record_issues(&definition["schema"], &json["data"]).first() {
        None => Ok(left_out),
        Some(issue) => Err(invalid(format!("{} {}", issue.path, issue.message))),
    }
}

fn written(package: &Package, kinds: &Map<String, Value>) -> String {
    let package = Value::Object(package.value().clone());
    let package = format!("{package:#}").replace('\n', "\n  ");
    let list = |(kind, rows): (&String, &Value)| {
        let rows = rows.as_array().into_iter().flatten();
        let rows: Vec<String> = rows.map(|row| format!("      {row}")).collect();
        let kind = Value::String(kind.clone());
        format!("    {kind}: [\n{}\n    ]", rows.join(",\n"))
    };
    let kinds: Vec<String> = kinds.iter().map(list).collect();
    let records = match kinds.len() {
        0 => "{}".to_owned(),
        _ => format!("{{\n{}\n  }}", kinds.join(",\n")),
    };
    format!("{{\n  \"package\": {package},\n  \"records\": {records}\n}}\n")
}
