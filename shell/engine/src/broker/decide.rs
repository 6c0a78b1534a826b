//! The one decision about a call, for apps and agents alike. Pure: what it needs to know it is given.
//!
//! The first rule that applies decides:
//! 1. no such tool: unknown, without a hint why
//! 2. a scope of the host's own: denied
//! 3. the manifest does not declare the scope: denied. The manifest is the ceiling, nobody is asked beyond it
//! 4. the host does not provide the capability: unavailable
//! 5. a scope with origins, and the call's `url` is not on a declared one: denied
//! 6. a picker asks by itself, so it only needs the app in the foreground
//! 7. else the person's stored answer; without one the sheet asks, never behind the person's back

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::catalog::{Caller, Consent, Tool, catalog};
use super::grants::{Grant, Grants};
use super::origin::Origin;
use super::providers::Provided;
use crate::package::Capability;

/// Why a call was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The scope is the host's own.
    HostOnly,
    /// The manifest does not declare the scope.
    NotDeclared,
    /// The call's `url` is missing or on no declared origin.
    OriginNotDeclared,
    /// A picker can only be shown for an app in the foreground.
    NeedsForeground,
    /// The person said no.
    ConsentDenied,
    /// The person has not decided, and was not or could not be asked.
    ConsentNeeded,
}

impl Reason {
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::HostOnly => "hostOnly",
            Reason::NotDeclared => "notDeclared",
            Reason::OriginNotDeclared => "originNotDeclared",
            Reason::NeedsForeground => "needsForeground",
            Reason::ConsentDenied => "consentDenied",
            Reason::ConsentNeeded => "consentNeeded",
        }
    }
}

/// Where an app stands when it calls.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// What its package declares.
    pub manifest: &'a [Capability],
    /// What the person decided.
    pub grants: &'a Grants,
    /// What the host can answer for now.
    pub provided: &'a Provided,
    /// Its surface has the keyboard, or was pressed just now.
    pub foreground: bool,
}

impl Standing<'_> {
    fn declared(&self, tool: &Tool) -> Option<&Capability> {
        self.manifest.iter().find(|c| c.scope == tool.scope.id)
    }
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// There is no such capability or tool.
    Unknown,
    /// This host does not provide the capability.
    Unavailable(&'static Tool),
    Denied(&'static Tool, Reason),
    /// The person is asked first.
    Ask(&'static Tool),
    Call(&'static Tool),
}

impl Verdict {
    /// `unknown`, `unavailable`, `denied`, `ask` or `call`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Verdict::Unknown => "unknown",
            Verdict::Unavailable(_) => "unavailable",
            Verdict::Denied(..) => "denied",
            Verdict::Ask(_) => "ask",
            Verdict::Call(_) => "call",
        }
    }

    /// The tool it is about; none when there is no such tool.
    pub fn tool(&self) -> Option<&'static Tool> {
        match *self {
            Verdict::Unknown => None,
            Verdict::Unavailable(tool)
            | Verdict::Denied(tool, _)
            | Verdict::Ask(tool)
            | Verdict::Call(tool) => Some(tool),
        }
    }
}

impl Serialize for Verdict {
    /// `{verdict, capability, tool, scope, reason}`; the last four null where there are none.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let tool = self.tool();
        let reason = match self {
            Verdict::Denied(_, reason) => Some(reason.as_str()),
            _ => None,
        };
        let mut out = to.serialize_struct("Verdict", 5)?;
        out.serialize_field("verdict", self.as_str())?;
        out.serialize_field("capability", &tool.map(|t| &t.capability))?;
        out.serialize_field("tool", &tool.map(|t| &t.name))?;
        out.serialize_field("scope", &tool.map(|t| &t.scope.id))?;
        out.serialize_field("reason", &reason)?;
        out.end()
    }
}

/// Decide about a call of `name` with `arguments`.
pub fn decide(standing: &Standing<'_>, caller: Caller, name: &str, arguments: &Value) -> Verdict {
    let Some(tool) = catalog().parse(caller, name) else {
        return Verdict::Unknown;
    };
    let scope = &tool.scope;
    if scope.host_only {
        return Verdict::Denied(tool, Reason::HostOnly);
    }
    let Some(declared) = standing.declared(tool) else {
        return Verdict::Denied(tool, Reason::NotDeclared);
    };
    if !standing.provided.contains(&tool.capability) {
        return Verdict::Unavailable(tool);
    }
    if scope.origins && !reaches(declared, arguments) {
        return Verdict::Denied(tool, Reason::OriginNotDeclared);
    }
    match (scope.consent, standing.grants.get(&scope.id)) {
        (Consent::Picker, _) if standing.foreground => Verdict::Call(tool),
        (Consent::Picker, _) => Verdict::Denied(tool, Reason::NeedsForeground),
        (Consent::Ask, Some(Grant::Granted)) => Verdict::Call(tool),
        (Consent::Ask, Some(Grant::Denied)) => Verdict::Denied(tool, Reason::ConsentDenied),
        (Consent::Ask, None) if standing.foreground => Verdict::Ask(tool),
        (Consent::Ask, None) => Verdict::Denied(tool, Reason::ConsentNeeded),
    }
}

/// Is the `url` of the arguments on an origin the manifest declares?
fn reaches(declared: &Capability, arguments: &Value) -> bool {
    let url = arguments.get("url").and_then(Value::as_str);
    url.and_then(Origin::of_url)
        .is_some_and(|origin| declared.origins.contains(&origin))
}

/// The tools an agent is shown: those of a declared scope that the host provides, the host's own left out, by qualified name. A
/// denied scope stays: its calls answer `consentDenied`, so that the agent can tell the person.
pub fn list(manifest: &[Capability], provided: &Provided) -> Vec<&'static Tool> {
    let shown = |tool: &&Tool| {
        !tool.scope.host_only
            && manifest.iter().any(|c| c.scope == tool.scope.id)
            && provided.contains(&tool.capability)
    };
    catalog().tools().iter().filter(shown).collect()
}
