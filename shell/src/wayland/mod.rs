//! The platform layer: everything the shell knows about Wayland, and nothing else.
//!
//! It owns the connection, the event loop, the surfaces and their buffers, the seats, the clipboard, and the lists of
//! windows and workspaces. It knows no document, no component and no op list: pixels come from a [`Client`], which the
//! rest of the shell implements, and the two meet in the plain types of this folder.
//!
//! - One thread, one connection, one `calloop` loop. Nothing here blocks after start-up; what would (sway's IPC) has a
//!   thread of its own and sends what it learns over a channel.
//! - Wayland events become *notices* in a queue; once a batch is read, the loop tells them to the client in order, so a
//!   client may call anything at any time. Then it paints, each surface on its own frame callback: a surface that
//!   nobody shows waits alone.
//! - Without anything to say or to paint no timer runs and nothing wakes up.
//!
//! Files are named after what they hold; a protocol without a wrapper in smithay-client-toolkit has its own.

mod activation;
mod buffers;
mod capabilities;
mod client;
mod clipboard;
mod cursor;
mod damage;
mod drag;
mod error;
mod event;
mod ext_toplevels;
mod ext_workspaces;
mod geometry;
mod globals;
mod keyboard;
mod layer;
mod notice;
mod outputs;
mod paint;
mod platform;
mod pointer;
mod popup;
mod primary;
mod region;
mod repeat;
mod runtime;
mod scale;
mod seat;
mod spec;
mod surface;
mod sway;
mod text_input;
mod toplevel;
mod touch;
mod transfer;
mod wake;
mod windows;
mod wlr_toplevels;
mod words;
mod workspaces;

pub use capabilities::Capabilities;
pub use client::{Client, CloseReason, Configured, Target, WindowOffers, WindowStates};
pub use clipboard::{Payload, TEXT_MIMES};
pub use damage::{Damage, Region};
pub use drag::DragActions;
pub use error::PlatformError;
pub use event::{
    Button, CursorShape, DragEvent, InputEvent, KeyEvent, KeyPhase, Keysym, Modifiers,
    PointerEvent, Preedit, ScrollAxis, ScrollSource, SeatId, Serial, TextEdit, TouchEvent,
};
pub use geometry::{Edges, Insets, MAX_LENGTH, PixelRect, PixelSize, Point, Rect, Size};
pub use outputs::{OutputInfo, Transform};
pub use platform::Platform;
pub use runtime::{Options, Runtime, Session};
pub use scale::Scale;
pub use spec::{
    Constraint, Decorations, KeyboardMode, Layer, LayerSpec, OutputId, PopupPlace, PopupSpec,
    SurfaceId, ToplevelSpec,
};
pub use text_input::{TextField, TextHints, TextPurpose};
pub use transfer::{TransferError, TransferId};
pub use wake::Wake;
pub use windows::{WindowAction, WindowId, WindowInfo};
pub use workspaces::{WorkspaceId, WorkspaceInfo};
