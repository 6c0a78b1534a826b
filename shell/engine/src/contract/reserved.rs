//! `reservedNames`: names no capability may have, in any order.

use serde_json::Value;

use super::{Replayed, Setting, as_json};
use crate::broker::catalog::catalog;

pub(super) fn replay(names: &Value, _: &Setting) -> Vec<Replayed> {
    let mut expected = names.clone();
    if let Value::Array(names) = &mut expected {
        names.sort_by_key(Value::to_string);
    }
    let mut ours = catalog().reserved.clone();
    ours.sort();
    vec![Replayed::new("all", expected, as_json(&ours))]
}
