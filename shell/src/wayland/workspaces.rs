//! Workspaces. What one is, and what a source of them answers; one source a protocol, each in its own file.

use super::outputs::Outputs;
use super::spec::OutputId;

/// A workspace, for as long as it exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkspaceId(pub(super) i64);

/// One workspace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkspaceInfo {
    pub id: WorkspaceId,
    pub name: String,
    /// The output it is on; `None` if it is on none or on several.
    pub output: Option<OutputId>,
    /// What its output shows now.
    pub active: bool,
    /// The one new windows go to; the same as `active` where the source tells of no focus.
    pub focused: bool,
    pub urgent: bool,
    /// Not meant to be listed.
    pub hidden: bool,
}

/// A protocol that tells of workspaces.
pub(super) trait WorkspaceSource {
    /// The protocol, as a person would look it up.
    fn name(&self) -> &'static str;

    fn workspaces(&self, outputs: &Outputs) -> Vec<WorkspaceInfo>;

    /// `false` if there is no such workspace or it cannot be gone to.
    fn activate(&self, id: WorkspaceId) -> bool;
}
