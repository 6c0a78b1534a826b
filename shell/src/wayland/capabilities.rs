//! What the running compositor can do, asked once at start.

/// Protocols that change what the shell may offer. Everything not here is required or has a silent fallback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Panels and desktop widgets. Without it the desktop is drawn in one window.
    pub layer_shell: bool,
    /// Scales that are not whole numbers.
    pub fractional_scale: bool,
    /// The compositor can draw title bars.
    pub server_decorations: bool,
    /// Input methods.
    pub text_input: bool,
    pub clipboard: bool,
    pub primary_selection: bool,
    /// Windows may hand the focus to each other.
    pub activation: bool,
    /// Popups can move while they are open; otherwise they are opened again in the new place.
    pub popup_reposition: bool,
    /// Where the list of windows comes from.
    pub windows: Option<&'static str>,
    /// Where the list of workspaces comes from.
    pub workspaces: Option<&'static str>,
}
