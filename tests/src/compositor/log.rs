//! What the compositor writes down: commits, requests worth an assert, and faults of the client.

use std::sync::Arc;
use std::time::Duration;

use super::geometry::Rect;
use super::output::OutputId;
use super::shm::Pixels;
use super::surface::SurfaceId;
use super::windows::WindowId;

/// One `wl_surface.commit`, as it was applied.
#[derive(Clone, Debug)]
pub struct Commit {
    pub surface: SurfaceId,
    /// Counts the commits of this surface from 1.
    pub number: u32,
    /// The size of the attached buffer in pixels; none when this commit attached none.
    pub buffer: Option<(i32, i32)>,
    /// The surface's size after the commit, in logical pixels.
    pub size: (i32, i32),
    /// Buffer pixels for each logical pixel.
    pub scale: f64,
    /// In buffer pixels. Damage given in surface units is scaled up.
    pub damage: Vec<Rect>,
    /// Whether the client asked for a frame callback.
    pub callback: bool,
    /// True when an earlier frame callback of the surface was still unanswered: the client paints faster than it is shown.
    pub unpaced: bool,
    /// The buffer's content, when [`record_pixels`](super::Compositor::record_pixels) is on.
    pub pixels: Option<Arc<Pixels>>,
    /// Since the compositor started.
    pub time: Duration,
}

/// Something the client asked of the compositor that a test may want to know of.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Move(SurfaceId),
    Resize(SurfaceId, Edges),
    /// The point is surface-local.
    ShowWindowMenu(SurfaceId, i32, i32),
    SetMaximized(SurfaceId),
    UnsetMaximized(SurfaceId),
    SetFullscreen(SurfaceId, Option<OutputId>),
    UnsetFullscreen(SurfaceId),
    SetMinimized(SurfaceId),
    PopupGrab(SurfaceId),
    Reposition(SurfaceId, u32),
    Pong(u32),
    /// A named cursor; the number is that of `wp_cursor_shape_device_v1.shape`.
    CursorShape(u32),
    /// A cursor drawn by the client; none hides it.
    CursorSurface(Option<SurfaceId>),
    /// The clipboard was set to these types, or cleared.
    SetSelection(Option<Vec<String>>),
    SetPrimarySelection(Option<Vec<String>>),
    /// A drag of these types began at the surface.
    StartDrag(SurfaceId, Vec<String>),
    /// The drag target answered: the type it would take.
    DragAccept(Option<String>),
    DragFinished,
    ActivationToken {
        app_id: Option<String>,
        surface: Option<SurfaceId>,
        with_serial: bool,
    },
    Activate {
        token: String,
        surface: SurfaceId,
        known: bool,
    },
    Window(WindowId, WindowRequest),
    Workspace(String, WorkspaceRequest),
    Lock,
    Unlock,
}

/// What a taskbar asked of somebody's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowRequest {
    Activate,
    Close,
    SetMaximized(bool),
    SetMinimized(bool),
    SetFullscreen(bool),
    Rectangle(SurfaceId, Rect),
}

/// What a pager asked of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkspaceRequest {
    Activate,
    Deactivate,
    Remove,
    Assign,
}

/// The edges of an interactive resize.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    pub top: bool,
    pub bottom: bool,
    pub left: bool,
    pub right: bool,
}

/// Something a well-behaved client does not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// What happened, for a person to read.
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The client was told a protocol error and is disconnected: the interface and the error's code.
    Protocol { interface: &'static str, code: u32 },
    /// Damage that lies outside of the buffer.
    DamageOutside,
    /// Pixels changed that no damage of the commit covers.
    UndamagedChange,
    /// A buffer was committed again before the compositor released it.
    BufferInUse,
    /// The surface is not as large as the acknowledged configure demands.
    WrongSize,
    /// A request carries a serial of no input event of this client, or an old one where a fresh one is asked for.
    StaleSerial,
    /// Not the client but the compositor failed: a defect of this crate.
    Compositor,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            FaultKind::Protocol { interface, code } => {
                write!(f, "protocol error {code} of {interface}: {}", self.message)
            }
            kind => write!(f, "{kind:?}: {}", self.message),
        }
    }
}

/// All that was written down since the start or the last time it was taken.
#[derive(Default)]
pub(crate) struct Log {
    pub commits: Vec<Commit>,
    pub requests: Vec<Request>,
    pub faults: Vec<Fault>,
    /// Pools of shared memory the client made so far.
    pub pools: u32,
}
