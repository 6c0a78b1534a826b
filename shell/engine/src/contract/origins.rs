//! `originCases`: `{declared, on: [<url>], off: [<url>]}`, the URLs on the declared origin and those that are not.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replayed, Setting, each};
use crate::broker::origin::Origin;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: Option<String>,
    declared: String,
    on: Vec<String>,
    off: Vec<String>,
}

pub(super) fn replay(cases: &Value, _: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let declared = Origin::parse(&case.declared);
        let is_on = |url: &&String| declared.is_some() && Origin::of_url(url) == declared;
        let urls = || case.on.iter().chain(&case.off);
        let (on, off): (Vec<&String>, Vec<&String>) = urls().partition(is_on);
        let expected = json!({"on": case.on, "off": case.off});
        (expected, json!({"on": on, "off": off}))
    })
}
