//! One surface of any role: its size, its scale, and what it still has to do before the next frame.

use super::buffers::Buffers;
use super::client::{Configured, WindowOffers, WindowStates};
use super::event::CursorShape;
use super::geometry::{Insets, PixelSize, Size};
use super::globals::{Globals, Silent};
use super::layer::LayerRole;
use super::notice::Notice;
use super::popup::PopupRole;
use super::runtime::Runtime;
use super::scale::Scale;
use super::spec::{OutputId, SurfaceId};
use super::toplevel::ToplevelRole;
use smithay_client_toolkit::compositor::{CompositorHandler, SurfaceData};
use smithay_client_toolkit::dispatch2::Dispatch2;
use smithay_client_toolkit::shell::WaylandSurface;
use smithay_client_toolkit::shell::xdg::XdgSurface;
use wayland_client::protocol::wl_output::{self, WlOutput};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Proxy, QueueHandle};
use wayland_protocols::wp::fractional_scale::v1::client::wp_fractional_scale_v1::{
    self, WpFractionalScaleV1,
};
use wayland_protocols::wp::viewporter::client::wp_viewport::WpViewport;

/// What a surface is to the compositor.
pub(super) enum Role {
    Layer(LayerRole),
    Toplevel(ToplevelRole),
    Popup(PopupRole),
    /// Follows the pointer during a drag. Nobody configures it.
    DragIcon(smithay_client_toolkit::compositor::Surface),
}

/// How far a surface is on its way to the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its first commit, which carries no pixels, has not been sent.
    New,
    /// The compositor has not configured it yet.
    Waiting,
    Ready,
}

/// The viewport goes before the surface it belongs to.
struct Fractional {
    scale: WpFractionalScaleV1,
    viewport: WpViewport,
}

impl Drop for Fractional {
    fn drop(&mut self) {
        self.scale.destroy();
        self.viewport.destroy();
    }
}

pub(super) struct Surface {
    pub buffers: Buffers,
    fractional: Option<Fractional>,
    pub role: Role,
    /// Logical size without the frame.
    content: Size,
    frame: Insets,
    pub scale: Scale,
    pub stage: Stage,
    pub states: WindowStates,
    pub bounds: Option<Size>,
    pub server_decorations: bool,
    pub offers: WindowOffers,
    pub cursor: CursorShape,
    /// The client may have damage.
    pub redraw: bool,
    /// Size or scale differ from what is on screen, or a paint was lost: the next one is whole.
    pub resized: bool,
    /// Its last paint failed: it keeps what it shows until it is asked to redraw or configured.
    pub failed: bool,
    /// It has no pixels and never will: it only hears its size.
    blank: bool,
    /// State waits for a commit; pixels are not needed for it.
    pub commit: bool,
    /// Painted, and the compositor has not said yet that the next frame is wanted.
    pub frame_pending: bool,
}

impl Surface {
    /// `scale` is a guess, kept until the compositor says more.
    pub fn new(
        id: SurfaceId,
        role: Role,
        content: Size,
        frame: Insets,
        scale: Scale,
        globals: &Globals,
        qh: &QueueHandle<Runtime>,
    ) -> Self {
        let mut surface = Surface {
            buffers: Buffers::default(),
            fractional: None,
            role,
            content: content.clamped(),
            frame,
            scale,
            stage: Stage::New,
            states: WindowStates::default(),
            bounds: None,
            server_decorations: false,
            offers: WindowOffers::default(),
            cursor: CursorShape::Default,
            redraw: true,
            resized: true,
            failed: false,
            blank: false,
            commit: false,
            frame_pending: false,
        };
        match &globals.fractional {
            Some((manager, viewporter)) => {
                surface.fractional = Some(Fractional {
                    scale: manager.get_fractional_scale(surface.wl(), qh, ScaleTag(id)),
                    viewport: viewporter.get_viewport(surface.wl(), qh, Silent),
                });
            }
            None => surface.scale = scale.ceil(),
        }
        surface
    }

    pub fn wl(&self) -> &WlSurface {
        match &self.role {
            Role::Layer(role) => role.layer.wl_surface(),
            Role::Toplevel(role) => role.window.wl_surface(),
            Role::Popup(role) => role.popup.wl_surface(),
            Role::DragIcon(surface) => surface.wl_surface(),
        }
    }

    /// The surface that must outlive this one.
    pub fn parent(&self) -> Option<SurfaceId> {
        match &self.role {
            Role::Popup(role) => Some(role.spec.parent),
            _ => None,
        }
    }

    pub fn output(&self) -> Option<OutputId> {
        match &self.role {
            Role::Layer(role) => Some(role.output),
            _ => None,
        }
    }

    /// Logical size, frame included.
    pub fn size(&self) -> Size {
        self.content.grown(self.frame).clamped()
    }

    /// Logical size without the frame.
    pub fn content(&self) -> Size {
        self.content
    }

    pub fn pixels(&self) -> PixelSize {
        self.scale.size(self.size())
    }

    pub fn frame(&self) -> Insets {
        self.frame
    }

    pub fn configured(&self) -> Configured {
        Configured {
            size: self.size(),
            scale: self.scale,
            frame: self.frame,
            states: self.states,
            bounds: self.bounds,
            server_decorations: self.server_decorations,
            offers: self.offers,
        }
    }

    /// The compositor settled on a size (without the frame).
    pub fn configure(&mut self, content: Size) {
        let content = content.clamped();
        self.resized |= content != self.content;
        self.content = content;
        self.stage = Stage::Ready;
        self.failed = false;
        // The acknowledgement counts from the next commit on, painted or not. One without pixels need not make any.
        self.commit = !self.blank;
    }

    /// Keep it without pixels, of this size until the compositor says another: what is small has its first commit first, and it is large.
    pub fn never_show(&mut self, content: Size) {
        self.content = content.clamped();
        self.blank = true;
    }

    /// Whether it is to be painted at its next frame.
    pub fn wants_pixels(&self) -> bool {
        !self.failed && !self.blank && (self.redraw || self.resized)
    }

    /// Change the frame. `false` if the role has none or it is the same.
    pub fn set_frame(&mut self, frame: Insets) -> bool {
        if frame == self.frame || !matches!(self.role, Role::Toplevel(_) | Role::Popup(_)) {
            return false;
        }
        self.frame = frame;
        self.resized = true;
        true
    }

    fn rescale(&mut self, scale: Scale) -> bool {
        let changed = scale != self.scale;
        self.scale = scale;
        self.resized |= changed;
        changed
    }

    /// Commit state that waits. It need not wait for a frame, unless pixels of another size belong to it.
    pub fn commit_state(&mut self) {
        if self.stage == Stage::Ready && self.commit && !self.resized {
            self.wl().commit();
            self.commit = false;
        }
    }

    /// Tell the compositor how a buffer of [`Surface::pixels`] maps to the logical size. Part of the next commit.
    pub fn apply_geometry(&self) {
        let size = self.size();
        let whole = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        match &self.fractional {
            Some(fractional) => fractional
                .viewport
                .set_destination(whole(size.width), whole(size.height)),
            None if self.wl().version() >= 3 => self.wl().set_buffer_scale(self.scale.integer()),
            None => {}
        }
        let (x, y) = (self.frame.left, self.frame.top);
        match &self.role {
            Role::Toplevel(role) => {
                role.window
                    .set_window_geometry(x, y, self.content.width, self.content.height)
            }
            Role::Popup(role) => role.popup.xdg_shell_surface().set_window_geometry(
                x,
                y,
                self.content.width,
                self.content.height,
            ),
            Role::Layer(_) | Role::DragIcon(_) => {}
        }
    }
}

/// The surface a `wl_surface` belongs to; `None` for cursors.
pub(super) fn surface_id(wl: &WlSurface) -> Option<SurfaceId> {
    wl.data::<SurfaceData<SurfaceId>>().map(|data| *data.data())
}

struct ScaleTag(SurfaceId);

impl Dispatch2<WpFractionalScaleV1, Runtime> for ScaleTag {
    fn event(
        &self,
        runtime: &mut Runtime,
        _: &WpFractionalScaleV1,
        event: wp_fractional_scale_v1::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        if let wp_fractional_scale_v1::Event::PreferredScale { scale } = event {
            runtime.rescale(self.0, Scale::from_120ths(scale));
        }
    }
}

impl Runtime {
    fn rescale(&mut self, id: SurfaceId, scale: Scale) {
        if let Some(surface) = self.platform.surfaces.get_mut(&id)
            && surface.rescale(scale)
            && surface.stage == Stage::Ready
        {
            self.platform.notices.push(Notice::Configured(id));
        }
    }
}

impl CompositorHandler for Runtime {
    fn scale_factor_changed(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        wl: &WlSurface,
        factor: i32,
    ) {
        let Some(id) = surface_id(wl) else { return };
        if self.platform.globals.fractional.is_none() {
            self.rescale(id, Scale::from_integer(factor));
        }
    }

    fn transform_changed(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        _: &WlSurface,
        _: wl_output::Transform,
    ) {
    }

    fn frame(&mut self, _: &Connection, _: &QueueHandle<Self>, wl: &WlSurface, time: u32) {
        let Some(id) = surface_id(wl) else { return };
        if let Some(surface) = self.platform.surfaces.get_mut(&id) {
            surface.frame_pending = false;
            self.platform.notices.push(Notice::Presented(id, time));
        }
    }

    fn surface_enter(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        _: &WlSurface,
        _: &WlOutput,
    ) {
    }

    fn surface_leave(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        _: &WlSurface,
        _: &WlOutput,
    ) {
    }
}
