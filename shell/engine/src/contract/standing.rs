//! Where an app stands, as the cases of several kinds spell it.

use serde::Deserialize;
use serde_json::Value;

use crate::broker::catalog::Caller;
use crate::broker::decide::Standing;
use crate::broker::grants::Grants;
use crate::broker::names::{CapabilityName, ScopeId};
use crate::broker::origin::Origin;
use crate::broker::providers::Provided;
use crate::package::Capability;

/// One entry of a manifest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declared {
    id: ScopeId,
    #[serde(default)]
    why: String,
    #[serde(default)]
    origins: Vec<String>,
}

/// The manifest, as a checked package would give it.
pub(super) fn manifest(declared: Vec<Declared>) -> Vec<Capability> {
    let read = |d: Declared| Capability {
        scope: d.id,
        why: d.why,
        origins: d.origins.iter().filter_map(|o| Origin::parse(o)).collect(),
    };
    declared.into_iter().map(read).collect()
}

pub(super) fn provided(names: Vec<CapabilityName>) -> Provided {
    names.into_iter().collect()
}

/// A call as a case spells it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub from: Caller,
    pub name: String,
    #[serde(default)]
    pub arguments: Value,
}

/// A standing that owns what it is made of.
pub(super) struct Held {
    pub manifest: Vec<Capability>,
    pub grants: Grants,
    pub provided: Provided,
    pub foreground: bool,
}

impl Held {
    pub fn standing(&self) -> Standing<'_> {
        Standing {
            manifest: &self.manifest,
            grants: &self.grants,
            provided: &self.provided,
            foreground: self.foreground,
        }
    }
}
