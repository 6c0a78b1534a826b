//! `pdf`: the measures of documents, `{page: [<width>, <height>], margin, fonts: {<resource>: <font>}, widths: {<font>: [<width by code>]},
//! winAnsi: {<code point>: <code>}}`. What it leaves out is not compared. A file may be these measures and nothing else.

use serde_json::{Map, Value, json};

use super::{Replayed, Setting, spoken_of};
use crate::pdf::metrics::{Font, MARGIN, PAGE, mapped};

/// What a file of measures may say.
const KEYS: [&str; 5] = ["page", "margin", "fonts", "widths", "winAnsi"];

/// Is the whole file the measures?
pub(super) fn is_measures(file: &Map<String, Value>) -> bool {
    !file.is_empty() && file.keys().all(|key| KEYS.contains(&key.as_str()))
}

pub(super) fn replay(measures: &Value, _: &Setting) -> Vec<Replayed> {
    let Value::Object(measures) = measures else {
        return vec![Replayed::new(
            "all",
            "an object of measures",
            measures.clone(),
        )];
    };
    let ours = ours();
    let one = |(key, expected): (&String, &Value)| {
        let only = Map::from_iter([(key.clone(), expected.clone())]);
        let actual = spoken_of(&only, &ours);
        Replayed::new(key, only, actual)
    };
    measures.iter().map(one).collect()
}

fn ours() -> Value {
    let of_fonts = |value: &dyn Fn(Font) -> (&'static str, Value)| -> Value {
        let members = Font::ALL.into_iter().map(value);
        Value::Object(members.map(|(k, v)| (k.to_owned(), v)).collect())
    };
    let widths = |font: Font| -> Value { (0..=u8::MAX).map(|code| font.width(code)).collect() };
    let codes = mapped().map(|(code, c)| (u32::from(c).to_string(), json!(code)));
    json!({
        "page": PAGE,
        "margin": MARGIN,
        "fonts": of_fonts(&|font| (font.resource(), json!(font.base()))),
        "widths": of_fonts(&|font| (font.base(), widths(font))),
        "winAnsi": codes.collect::<Map<String, Value>>(),
    })
}
