//! What the person decided about an app's scopes. The table is kept by who stores it; this is what it holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::names::ScopeId;

/// A stored decision. No decision is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Grant {
    Granted,
    Denied,
}

/// The decisions about one app.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Grants(BTreeMap<ScopeId, Grant>);

impl Grants {
    /// What was decided about a scope.
    pub fn get(&self, scope: &ScopeId) -> Option<Grant> {
        self.0.get(scope).copied()
    }
}

impl FromIterator<(ScopeId, Grant)> for Grants {
    fn from_iter<I: IntoIterator<Item = (ScopeId, Grant)>>(decisions: I) -> Grants {
        Grants(decisions.into_iter().collect())
    }
}
