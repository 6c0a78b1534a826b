//! The documents of `fixtures/contract/pdf.json` that become files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ede_engine::pdf::{Block, Pdf, render};
use serde_json::Value;

pub struct Case {
    pub name: String,
    pub title: String,
    pub pages: u64,
    blocks: Vec<Value>,
    /// The app's files by their ids.
    pub files: BTreeMap<String, Vec<u8>>,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

pub fn golden_folder() -> PathBuf {
    fixtures().join("golden/pdf")
}

pub fn cases() -> Vec<Case> {
    let file = std::fs::read(fixtures().join("contract/pdf.json")).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let printed = |case: &&Value| case.pointer("/expected/structuredContent").is_some();
    let all = file["pdfCases"].as_array().unwrap().iter().filter(printed);
    let cases: Vec<Case> = all.map(Case::of).collect();
    assert!(!cases.is_empty());
    cases
}

impl Case {
    fn of(case: &Value) -> Case {
        let text = |pointer| case.pointer(pointer).and_then(Value::as_str).unwrap();
        let blobs = case.get("blobs").and_then(Value::as_object);
        let files = blobs.into_iter().flatten().map(|(id, blob)| {
            let bytes = STANDARD.decode(blob["base64"].as_str().unwrap());
            (id.clone(), bytes.unwrap())
        });
        let pages = case.pointer("/expected/structuredContent/pages");
        Case {
            name: text("/name").to_owned(),
            title: text("/arguments/title").to_owned(),
            pages: pages.and_then(Value::as_u64).unwrap(),
            blocks: case["arguments"]["blocks"].as_array().unwrap().clone(),
            files: files.collect(),
        }
    }

    /// Its golden file, called as the case with hyphens.
    pub fn golden(&self) -> PathBuf {
        let name: Vec<&str> = self
            .name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        golden_folder().join(format!("{}.pdf", name.join("-")))
    }

    pub fn print(&self) -> Pdf {
        let blocks = self.blocks.iter().map(|block| {
            let text = |key: &str| block.get(key).and_then(Value::as_str);
            match (text("heading"), text("text"), text("image")) {
                (Some(heading), ..) => Block::Heading(heading),
                (_, Some(text), _) => Block::Text(text),
                (.., Some(file)) => Block::Image {
                    file,
                    caption: text("caption"),
                },
                _ => Block::PageBreak,
            }
        });
        let read =
            &mut |id: &ede_engine::bridge::files::FileId| Ok(self.files.get(id.as_str()).cloned());
        render(&self.title, blocks, read).unwrap()
    }

    /// How often an image is shown.
    pub fn images(&self) -> usize {
        let shown = |block: &&Value| block.get("image").is_some();
        self.blocks.iter().filter(shown).count()
    }

    /// Its text as it is to be read in the file: without controls, a question mark for what Windows-1252 has not.
    pub fn text(&self) -> String {
        let keys = ["heading", "text", "caption"];
        let texts = self
            .blocks
            .iter()
            .flat_map(|block| keys.iter().filter_map(|key| block[*key].as_str()));
        let shown = |c: char| match c {
            c if c.is_whitespace() && c != '\u{2028}' => Some(c),
            c if c.is_control() => None,
            // Drawn, it is a hyphen.
            '\u{ad}' => Some('-'),
            '\u{20}'..='\u{ff}' => Some(c),
            c if "ŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™".contains(c) => {
                Some(c)
            }
            _ => Some('?'),
        };
        texts
            .flat_map(|text| text.chars().filter_map(shown))
            .collect()
    }
}
