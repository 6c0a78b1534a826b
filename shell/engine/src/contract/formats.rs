//! `formatCases`: `{format, fits: [<text>], not: [<text>]}`.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replayed, Setting, each};
use crate::bridge::format::Format;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    format: String,
    fits: Vec<String>,
    not: Vec<String>,
}

pub(super) fn replay(cases: &Value, _: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let fits = |text: &&String| Format::parse(&case.format).is_some_and(|f| f.fits(text));
        let texts = || case.fits.iter().chain(&case.not);
        let (yes, no): (Vec<&String>, Vec<&String>) = texts().partition(fits);
        let expected = json!({"fits": case.fits, "not": case.not});
        (expected, json!({"fits": yes, "not": no}))
    })
}
