//! What a host provides. The contract lists each kind of host with its providers; this host's list is in the catalog's data, with
//! what it adds of its own marked so. What a host does not list is unavailable to every app.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::names::CapabilityName;

/// The capabilities a host can answer for at this moment. A host starts from its [`Providers`] and leaves out what the desktop
/// lacks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provided(BTreeSet<CapabilityName>);

impl Provided {
    /// Is the capability among them?
    pub fn contains(&self, capability: &CapabilityName) -> bool {
        self.0.contains(capability)
    }
}

impl FromIterator<CapabilityName> for Provided {
    fn from_iter<I: IntoIterator<Item = CapabilityName>>(names: I) -> Provided {
        Provided(names.into_iter().collect())
    }
}

/// A provider that is there or not, without settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Present {}

/// Who the person is to the apps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Identity {
    pub kind: IdentityKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IdentityKind {
    /// One of a team, known to its server.
    Member,
    /// The owner of this machine.
    Local,
    /// One of equals.
    Peer,
}

/// How far the host lets its apps reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Network {
    Any,
    UpstreamsOnly,
    Off,
}

/// Where agents come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agents {
    pub id: AgentsKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AgentsKind {
    Acp,
    RemoteSession,
    LocalModel,
}

/// A capability a host implements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capability {
    pub name: CapabilityName,
}

/// What one kind of host provides, as the contract spells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Providers {
    pub host: Present,
    pub storage: Present,
    pub blobs: Present,
    pub identity: Identity,
    pub vault: Present,
    pub window: Present,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Present>,
    pub network: Network,
    /// Writes are queued for a server; without it they go straight to the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<Present>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Agents>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<Capability>,
}

impl Providers {
    /// The capabilities of a host of this kind on a desktop that lacks nothing.
    pub fn provided(&self) -> Provided {
        self.capabilities.iter().map(|c| c.name.clone()).collect()
    }
}

/// This host.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// What the contract says a host of our kind provides.
    pub providers: Providers,
    /// Capabilities this host adds of its own.
    pub own: Vec<CapabilityName>,
}

impl Host {
    /// Everything this host provides on a desktop that lacks nothing.
    pub fn provided(&self) -> Provided {
        let listed = self.providers.capabilities.iter().map(|c| &c.name);
        listed.chain(&self.own).cloned().collect()
    }
}
