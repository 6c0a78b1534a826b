//! The windows of all programs. What one is, and what a source of them answers; one source a protocol, each in its own
//! file.

use super::outputs::Outputs;
use super::spec::OutputId;
use wayland_client::protocol::wl_seat::WlSeat;

/// A window of some program, for as long as it is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WindowId(pub(super) u64);

/// As apps know it.
impl std::fmt::Display for WindowId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "w{}", self.0)
    }
}

/// One window. Title and app id are the other program's words: plain data, never markup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WindowInfo {
    pub id: WindowId,
    pub title: String,
    pub app_id: String,
    pub active: bool,
    pub minimized: bool,
    pub maximized: bool,
    pub fullscreen: bool,
    /// Where it can be seen; empty if the source does not say.
    pub outputs: Vec<OutputId>,
    /// Whether [`super::Platform::act_on_window`] does anything.
    pub controllable: bool,
}

/// What can be done to a window of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowAction {
    Activate,
    Close,
    Minimize(bool),
    Maximize(bool),
    Fullscreen(bool),
}

/// A protocol that tells of windows.
pub(super) trait WindowSource {
    /// The protocol, as a person would look it up.
    fn name(&self) -> &'static str;

    fn windows(&self, outputs: &Outputs) -> Vec<WindowInfo>;

    /// `false` if there is no such window or no such action.
    fn act(&self, id: WindowId, action: WindowAction, seat: Option<&WlSeat>) -> bool;
}
