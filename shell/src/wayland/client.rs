//! The other side of the platform layer: what the shell does when Wayland says something.
//!
//! The platform calls a [`Client`] from its loop only, never from inside a call the client makes, so every method may
//! call anything of [`Platform`]. A call about a surface that has gone in the meantime is not made. A panic in a call ends
//! that call: a surface whose painting panics keeps what it shows.

use super::Platform;
use super::clipboard::Payload;
use super::damage::Damage;
use super::event::InputEvent;
use super::geometry::{Edges, Insets, PixelRect, PixelSize, Size};
use super::scale::Scale;
use super::spec::SurfaceId;
use super::transfer::{TransferError, TransferId};
use super::wake::Wake;
use std::any::Any;

/// What a compositor has decided about a surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configured {
    /// Logical size of the whole surface, frame included. Never zero.
    pub size: Size,
    pub scale: Scale,
    /// The invisible border the client has set, part of `size`.
    pub frame: Insets,
    pub states: WindowStates,
    /// Logical size a window should stay below.
    pub bounds: Option<Size>,
    /// The compositor draws the title bar: draw none.
    pub server_decorations: bool,
    /// What the compositor's window manager offers for this window.
    pub offers: WindowOffers,
}

/// States of a window; all false for other surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowStates {
    pub activated: bool,
    pub maximized: bool,
    pub fullscreen: bool,
    pub resizing: bool,
    /// Nobody can see it.
    pub suspended: bool,
    /// Edges that touch something: no shadow and no rounded corner there.
    pub tiled: Edges,
}

/// Buttons that make sense in a title bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowOffers {
    pub window_menu: bool,
    pub maximize: bool,
    pub fullscreen: bool,
    pub minimize: bool,
}

impl Default for WindowOffers {
    /// Compositors too old to say: everything.
    fn default() -> Self {
        WindowOffers {
            window_menu: true,
            maximize: true,
            fullscreen: true,
            minimize: true,
        }
    }
}

/// Why a surface is gone, or (for [`CloseReason::Asked`]) may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The person pressed a window's close button. The surface is still there: destroy it, or do nothing to stay.
    Asked,
    /// The compositor took it away. Wait for `outputs_changed` before making another one in its place.
    Compositor,
    /// Its output is gone.
    Output,
    /// Something else was pressed, or another popup needs the room.
    Dismissed,
    /// The surface it belonged to is gone.
    Parent,
}

/// Where a client paints.
pub struct Target<'a> {
    /// `stride * height` bytes: premultiplied sRGB, one little-endian `0xAARRGGBB` word a pixel (bytes B, G, R, A).
    pub pixels: &'a mut [u8],
    pub size: PixelSize,
    /// Bytes a row.
    pub stride: usize,
    pub scale: Scale,
}

/// The shell, as the platform sees it.
pub trait Client: Any {
    /// The connection stands and the outputs are known: make the first surfaces.
    fn started(&mut self, platform: &mut Platform);

    /// An output came, went or changed. Surfaces that stood on a gone one have been `closed` before.
    fn outputs_changed(&mut self, platform: &mut Platform);

    /// A surface has a size, a scale or states, for the first time or again. It is painted next.
    fn configured(&mut self, platform: &mut Platform, id: SurfaceId, configured: &Configured);

    /// A surface went, or is asked to.
    fn closed(&mut self, platform: &mut Platform, id: SurfaceId, reason: CloseReason);

    /// What changed since the last `paint` of this surface. Asked after `request_redraw`, on its frame callback; what
    /// is answered is painted right after, in the same turn. [`Damage::None`] costs nothing.
    fn damage(&mut self, id: SurfaceId, size: Size, scale: Scale) -> Damage;

    /// Repaint exactly the boxes of `clip`, which do not overlap. They hold the damage and whatever else this buffer
    /// has missed; their old content is unspecified, pixels outside must stay.
    fn paint(&mut self, id: SurfaceId, target: Target<'_>, clip: &[PixelRect]);

    /// The last painted frame is on its way to the screen: the moment to ask for the next one of an animation.
    fn presented(&mut self, platform: &mut Platform, id: SurfaceId, time: u32) {
        let _ = (platform, id, time);
    }

    fn input(&mut self, platform: &mut Platform, id: SurfaceId, event: InputEvent);

    /// The surface got or lost the keyboard.
    fn focus(&mut self, platform: &mut Platform, id: SurfaceId, focused: bool) {
        let _ = (platform, id, focused);
    }

    /// [`Platform::windows`] answers something else now.
    fn windows_changed(&mut self, platform: &mut Platform) {
        let _ = platform;
    }

    /// [`Platform::workspaces`] answers something else now.
    fn workspaces_changed(&mut self, platform: &mut Platform) {
        let _ = platform;
    }

    /// A read asked for with `read_clipboard`, `read_primary` or `read_drop` is over.
    fn transferred(
        &mut self,
        platform: &mut Platform,
        id: TransferId,
        result: Result<Vec<u8>, TransferError>,
    ) {
        let _ = (platform, id, result);
    }

    /// A drag started with `start_drag` is over; `accepted` if somebody took it.
    fn drag_ended(&mut self, platform: &mut Platform, payload: Payload, accepted: bool) {
        let _ = (platform, payload, accepted);
    }

    /// The answer to `request_activation_token`; `None` if the compositor gives none.
    fn activation_token(&mut self, platform: &mut Platform, request: u64, token: Option<String>) {
        let _ = (platform, request, token);
    }

    /// A moment set with `wake_at` or `wake_at_wall` has come.
    fn woke(&mut self, platform: &mut Platform, wake: Wake) {
        let _ = (platform, wake);
    }

    /// The loop is over: [`Platform::quit`] was called, or the compositor went. Nothing reaches it any more, but what is in hand can still
    /// be kept.
    fn ending(&mut self, platform: &mut Platform) {
        let _ = platform;
    }

    /// Everything that was waiting has been told; painting comes next. One place for work that many events share.
    fn after_events(&mut self, platform: &mut Platform) {
        let _ = platform;
    }
}
