//! `scopePattern`: the expression of a scope's id.

use serde_json::Value;

use super::{Replayed, Setting};
use crate::schema::patterns::SCOPE;

pub(super) fn replay(pattern: &Value, _: &Setting) -> Vec<Replayed> {
    vec![Replayed::new("all", pattern.clone(), SCOPE.regex)]
}
