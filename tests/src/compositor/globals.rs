//! Which globals the compositor offers, and at which version: a choice of the test, made before the start.

use std::collections::BTreeMap;

/// A global of the fake compositor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Global {
    Compositor,
    Subcompositor,
    Shm,
    /// Not one global but one for each output that is added.
    Output,
    XdgOutput,
    Seat,
    DataDevice,
    PrimarySelection,
    XdgShell,
    XdgDecoration,
    LayerShell,
    Viewporter,
    FractionalScale,
    CursorShape,
    WlrForeignToplevel,
    ExtForeignToplevel,
    ExtWorkspace,
    TextInput,
    Activation,
    SessionLock,
}

/// Every global and the newest version that is faked.
const NEWEST: &[(Global, u32)] = &[
    (Global::Compositor, 6),
    (Global::Subcompositor, 1),
    (Global::Shm, 1),
    (Global::Output, 4),
    (Global::XdgOutput, 3),
    (Global::Seat, 9),
    (Global::DataDevice, 3),
    (Global::PrimarySelection, 1),
    (Global::XdgShell, 6),
    (Global::XdgDecoration, 1),
    (Global::LayerShell, 4),
    (Global::Viewporter, 1),
    (Global::FractionalScale, 1),
    (Global::CursorShape, 1),
    (Global::WlrForeignToplevel, 3),
    (Global::ExtForeignToplevel, 1),
    (Global::ExtWorkspace, 1),
    (Global::TextInput, 1),
    (Global::Activation, 1),
    (Global::SessionLock, 1),
];

/// The set of globals on offer.
///
/// ```
/// use ede_tests::compositor::{Global, Globals};
/// let gnome = Globals::all().without(Global::LayerShell);
/// assert_eq!(gnome.version(Global::LayerShell), None);
/// assert_eq!(Globals::all().at(Global::Seat, 5).version(Global::Seat), Some(5));
/// ```
#[derive(Clone, Debug)]
pub struct Globals {
    versions: BTreeMap<Global, u32>,
}

impl Default for Globals {
    fn default() -> Self {
        Self::all()
    }
}

impl Globals {
    /// All of them, each at the newest version that is faked.
    pub fn all() -> Self {
        Self {
            versions: NEWEST.iter().copied().collect(),
        }
    }

    /// What sway 1.7 of Debian 12 offers.
    pub fn sway_1_7() -> Self {
        Self::all()
            .at(Global::Compositor, 4)
            .at(Global::Seat, 7)
            .at(Global::XdgShell, 2)
            .without(Global::FractionalScale)
            .without(Global::CursorShape)
            .without(Global::ExtForeignToplevel)
            .without(Global::ExtWorkspace)
            .without(Global::SessionLock)
    }

    /// What labwc 0.8 of Debian 13 offers.
    pub fn labwc() -> Self {
        Self::all().at(Global::XdgShell, 3)
    }

    /// A desktop without layer-shell, as GNOME's is: no way to place a panel, no lists of windows or workspaces.
    pub fn gnome() -> Self {
        Self::all()
            .without(Global::LayerShell)
            .without(Global::XdgDecoration)
            .without(Global::WlrForeignToplevel)
            .without(Global::ExtForeignToplevel)
            .without(Global::ExtWorkspace)
    }

    #[must_use]
    pub fn without(mut self, global: Global) -> Self {
        self.versions.remove(&global);
        self
    }

    /// Offer `global` at `version`, or at the newest that is faked if that is less.
    #[must_use]
    pub fn at(mut self, global: Global, version: u32) -> Self {
        let newest = NEWEST
            .iter()
            .find(|(known, _)| *known == global)
            .map_or(1, |(_, version)| *version);
        self.versions.insert(global, version.clamp(1, newest));
        self
    }

    pub fn version(&self, global: Global) -> Option<u32> {
        self.versions.get(&global).copied()
    }
}
