//! What the fixture tests share.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;

use ede_engine::issue::Issue;
use ede_engine::schema::formats::Format;

/// What a fault is seen by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// The checker and the JSON Schema.
    Shape,
    /// The checker alone: names that must exist, expressions that must type.
    Meaning,
    /// The reading: it is no JSON, or JSON that two readers would read differently.
    Text,
}

/// The file, the pointer of an issue it must have, a part of its message, and what sees it.
pub type Fault = (&'static str, &'static str, &'static str, Seen);

/// The files of a fixture folder: name without its ending, and bytes.
pub fn folder(name: &str) -> Vec<(String, Vec<u8>)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures")
        .join(name);
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(&root)
        .unwrap_or_else(|e| panic!("{}: {e}", root.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (
                path.file_name()
                    .unwrap()
                    .to_string_lossy()
                    .split('.')
                    .next()
                    .unwrap()
                    .to_owned(),
                std::fs::read(path).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

/// Issues as text: pointer, then message.
pub fn said(issues: &[Issue]) -> Vec<String> {
    issues
        .iter()
        .map(|i| format!("{} {}", i.pointer, i.message))
        .collect()
}

pub struct Schema(jsonschema::Validator);

impl Schema {
    pub fn new(format: Format) -> Schema {
        let schema = format.schema();
        assert_eq!(
            jsonschema::meta::validate(&schema)
                .err()
                .map(|e| e.to_string()),
            None,
            "the schema is a schema"
        );
        Schema(jsonschema::validator_for(&schema).expect("the schema compiles"))
    }

    pub fn refusals(&self, bytes: &[u8]) -> Vec<String> {
        let value = serde_json::from_slice(bytes).expect("a file that reads");
        self.0
            .iter_errors(&value)
            .map(|e| format!("{} {e}", e.instance_path))
            .collect()
    }

    pub fn accepts(&self, bytes: &[u8]) -> bool {
        self.refusals(bytes).is_empty()
    }
}

/// Every bad file has its line in the table, the issue it is there for at a real place, and the schema's word on it.
pub fn each_fault_is_found(
    format: Format,
    files: Vec<(String, Vec<u8>, Vec<Issue>)>,
    faults: &[Fault],
) {
    let schema = Schema::new(format);
    let mut wrong = Vec::new();
    for (name, _, _) in &files {
        if !faults.iter().any(|f| f.0 == name) {
            wrong.push(format!("{name}: no line in the table"));
        }
    }
    for (name, pointer, words, seen) in faults {
        let Some((_, bytes, issues)) = files.iter().find(|(n, ..)| n == name) else {
            wrong.push(format!("{name}: no file"));
            continue;
        };
        let found = issues
            .iter()
            .find(|i| i.pointer == *pointer && i.message.contains(words));
        match found {
            None => wrong.push(format!(
                "{name}: wanted {pointer} {words:?}, got {:#?}",
                said(issues)
            )),
            Some(issue) if issue.position.is_none() => wrong.push(format!("{name}: no position")),
            Some(_) => {}
        }
        match seen {
            Seen::Text => {}
            Seen::Shape if schema.accepts(bytes) => {
                wrong.push(format!("{name}: the schema accepts it"))
            }
            Seen::Meaning if !schema.accepts(bytes) => wrong.push(format!(
                "{name}: the schema refuses it: {:?}",
                schema.refusals(bytes)
            )),
            Seen::Shape | Seen::Meaning => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
