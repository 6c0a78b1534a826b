//! What the person decided about an app's scopes, and about its reading from their servers. The table is kept by who stores it; this is
//! what it holds.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::names::ScopeId;
use crate::upstreams::{ServerName, reading};

/// A stored decision. No decision is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Grant {
    Granted,
    Denied,
}

/// What a decision about an app is about. As text a scope's id, or `upstream:<server>`, which is none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Scope(ScopeId),
    /// Reading from a server of the person's.
    Upstream(ServerName),
}

impl Subject {
    /// The subject that `text` spells.
    pub fn parse(text: &str) -> Option<Subject> {
        match text.split_once(':') {
            Some((reading::SCHEME, name)) => ServerName::parse(name).map(Subject::Upstream),
            _ => ScopeId::parse(text).map(Subject::Scope),
        }
    }
}

impl From<ScopeId> for Subject {
    fn from(scope: ScopeId) -> Subject {
        Subject::Scope(scope)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Scope(scope) => scope.fmt(f),
            Subject::Upstream(server) => write!(f, "{}:{server}", reading::SCHEME),
        }
    }
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_server_is_never_taken_for_a_scope() {
        for text in [
            "windows.read",
            "upstream:bank",
            "upstream:windows.read",
            "upstream:a:b/c d",
        ] {
            let subject = Subject::parse(text).unwrap();
            assert_eq!(subject.to_string(), text);
            let is_server = matches!(subject, Subject::Upstream(_));
            assert_eq!(is_server, text.starts_with("upstream:"));
        }
        for none in ["", "windows", "upstream:", "other:bank"] {
            assert_eq!(Subject::parse(none), None, "{none}");
        }
    }
}
