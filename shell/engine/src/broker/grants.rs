//! What the person decided about an app's scopes, its reading from their servers and calling their tools, and about the tools it offers. The table is kept by who stores it; this is
//! what it holds.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::names::ScopeId;
use crate::exposes::ExposeName;
use crate::upstreams::{ServerName, ServerTool, reading};

/// What a decision about a tool begins with, as text.
const CALL: &str = "call";
/// What a decision about a tool that an app offers begins with, as text.
const TOOL: &str = "tool";

/// A stored decision. No decision is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Grant {
    Granted,
    Denied,
}

/// What a decision about an app is about. As text a scope's id, `upstream:<server>`, `call:<server>/<tool>` or `tool:<name>`; no two are the
/// same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Scope(ScopeId),
    /// Reading from a server of the person's.
    Upstream(ServerName),
    /// Calling a tool of one.
    Tool(ServerTool),
    /// Agents' calling a tool that the app offers.
    Exposed(ExposeName),
}

impl Subject {
    /// The subject that `text` spells.
    pub fn parse(text: &str) -> Option<Subject> {
        match text.split_once(':') {
            Some((reading::SCHEME, name)) => ServerName::parse(name).map(Subject::Upstream),
            Some((CALL, tool)) => ServerTool::parse(tool).map(Subject::Tool),
            Some((TOOL, name)) => ExposeName::parse(name).map(Subject::Exposed),
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
            Subject::Tool(tool) => write!(f, "{CALL}:{tool}"),
            Subject::Exposed(name) => write!(f, "{TOOL}:{name}"),
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
            "call:bank/pay",
            "call:a/b/c d",
            "tool:log_hours",
        ] {
            let subject = Subject::parse(text).unwrap();
            assert_eq!(subject.to_string(), text);
            let is_server = matches!(subject, Subject::Upstream(_));
            assert_eq!(is_server, text.starts_with("upstream:"));
            let is_tool = matches!(subject, Subject::Tool(_));
            assert_eq!(is_tool, text.starts_with("call:"));
        }
        for none in [
            "",
            "windows",
            "upstream:",
            "other:bank",
            "call:bank",
            "call:/pay",
            "call:bank/",
            "tool:",
            "tool:Log",
            "tool:a__b",
        ] {
            assert_eq!(Subject::parse(none), None, "{none}");
        }
    }
}
