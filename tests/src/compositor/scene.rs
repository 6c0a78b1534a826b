//! What a test sees: a snapshot of the surfaces and of what was asked, taken in one moment.

use std::sync::Arc;

use super::geometry::{Rect, Region};
use super::layer::LayerPlace;
use super::log::Request;
use super::output::OutputId;
use super::positioner::Positioner;
use super::role::{Role, RoleKind};
use super::shm::Pixels;
use super::state::State;
use super::surface::{Surface, SurfaceId};
use super::text_input::TextInputState;
use super::toplevel::{Decoration, ToplevelConfigure};
use super::windows::{Window, WindowId};
use super::workspaces::Workspace;
use crate::picture::Picture;

/// The compositor at one moment.
#[derive(Clone, Debug)]
pub struct Scene {
    /// In the order of their creation, unmapped ones too.
    pub surfaces: Vec<SurfaceView>,
    /// The surfaces that are seen, the lowest first.
    pub stack: Vec<SurfaceId>,
    /// What was asked since the requests were last taken.
    pub requests: Vec<Request>,
    pub keyboard_focus: Option<SurfaceId>,
    pub pointer_focus: Option<SurfaceId>,
    /// What the focused client tells the input method, while a text field is enabled.
    pub text_input: Option<TextInputState>,
    /// The types on the clipboard.
    pub clipboard: Option<Vec<String>>,
    pub primary: Option<Vec<String>>,
    pub dragging: bool,
    pub locked: bool,
    pub windows: Vec<(WindowId, Window)>,
    pub workspaces: Vec<Workspace>,
    /// Everything the client did wrong so far.
    pub faults: Vec<String>,
    /// Pools of shared memory the client made so far.
    pub pools: u32,
}

impl Scene {
    pub fn surface(&self, id: SurfaceId) -> Option<&SurfaceView> {
        self.surfaces.iter().find(|surface| surface.id == id)
    }

    /// The mapped layer surfaces.
    pub fn layers(&self) -> impl Iterator<Item = &SurfaceView> {
        self.surfaces
            .iter()
            .filter(|surface| surface.mapped && matches!(surface.role, RoleView::Layer(_)))
    }

    /// The mapped layer surface of a namespace; the oldest, if there are several.
    pub fn layer(&self, namespace: &str) -> Option<&SurfaceView> {
        self.layers()
            .find(|surface| surface.namespace() == Some(namespace))
    }

    /// The mapped windows.
    pub fn toplevels(&self) -> impl Iterator<Item = &SurfaceView> {
        self.surfaces
            .iter()
            .filter(|surface| surface.mapped && matches!(surface.role, RoleView::Toplevel(_)))
    }

    /// The mapped window of an application; the oldest, if there are several.
    pub fn toplevel(&self, app_id: &str) -> Option<&SurfaceView> {
        self.toplevels()
            .find(|surface| surface.app_id() == Some(app_id))
    }

    /// The mapped popups, the lowest first.
    pub fn popups(&self) -> impl Iterator<Item = &SurfaceView> {
        self.surfaces
            .iter()
            .filter(|surface| surface.mapped && matches!(surface.role, RoleView::Popup(_)))
    }

    /// The newest mapped popup.
    pub fn popup(&self) -> Option<&SurfaceView> {
        self.popups().last()
    }
}

/// A surface at one moment.
#[derive(Clone, Debug)]
pub struct SurfaceView {
    pub id: SurfaceId,
    pub role: RoleView,
    /// Whether it shows a buffer.
    pub mapped: bool,
    /// In logical pixels.
    pub size: (i32, i32),
    pub buffer_size: (i32, i32),
    /// Buffer pixels for each logical pixel.
    pub scale: f64,
    /// The scale the compositor asked for.
    pub preferred_scale: f64,
    /// The upper left corner in the compositor's space, shadow included.
    pub origin: (i32, i32),
    pub outputs: Vec<OutputId>,
    /// Where it takes input; none: everywhere.
    pub input_region: Option<Region>,
    pub opaque_region: Option<Region>,
    pub commits: u32,
    /// Frame callbacks that wait for an answer.
    pub callbacks: usize,
    pub pixels: Option<Arc<Pixels>>,
}

/// The role of a surface and what was said about it.
#[derive(Clone, Debug, PartialEq)]
pub enum RoleView {
    None,
    Toplevel(ToplevelView),
    Popup(PopupView),
    Layer(LayerView),
    Subsurface {
        parent: SurfaceId,
        position: (i32, i32),
    },
    Lock(OutputId),
    Cursor,
    DragIcon,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToplevelView {
    pub title: Option<String>,
    pub app_id: Option<String>,
    pub parent: Option<SurfaceId>,
    /// (0, 0): none.
    pub min_size: (i32, i32),
    pub max_size: (i32, i32),
    /// The newest configure.
    pub configured: ToplevelConfigure,
    /// None when the client never asked.
    pub decoration: Option<Decoration>,
    /// The window without its shadow, surface-local; none: the whole surface.
    pub geometry: Option<Rect>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PopupView {
    pub parent: Option<SurfaceId>,
    pub positioner: Positioner,
    /// Relative to the parent's window.
    pub place: Rect,
    pub grabs: bool,
    pub dismissed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LayerView {
    pub namespace: String,
    pub output: Option<OutputId>,
    pub place: LayerPlace,
    pub closed: bool,
}

impl SurfaceView {
    pub fn title(&self) -> Option<&str> {
        self.toplevel()?.title.as_deref()
    }

    pub fn app_id(&self) -> Option<&str> {
        self.toplevel()?.app_id.as_deref()
    }

    pub fn namespace(&self) -> Option<&str> {
        Some(&self.layer()?.namespace)
    }

    pub fn toplevel(&self) -> Option<&ToplevelView> {
        if let RoleView::Toplevel(toplevel) = &self.role {
            Some(toplevel)
        } else {
            None
        }
    }

    pub fn popup(&self) -> Option<&PopupView> {
        if let RoleView::Popup(popup) = &self.role {
            Some(popup)
        } else {
            None
        }
    }

    pub fn layer(&self) -> Option<&LayerView> {
        if let RoleView::Layer(layer) = &self.role {
            Some(layer)
        } else {
            None
        }
    }

    /// Whether every buffer pixel meets one pixel of the screen: the buffer is as large as the preferred scale asks.
    pub fn is_sharp(&self) -> bool {
        let wanted = |length: i32| (f64::from(length) * self.preferred_scale).round() as i32;
        self.buffer_size == (wanted(self.size.0), wanted(self.size.1))
    }

    /// The content as a picture in buffer pixels. An unmapped surface has an empty one.
    pub fn picture(&self) -> Picture {
        self.pixels
            .as_ref()
            .map(|pixels| pixels.to_picture())
            .unwrap_or_default()
    }
}

impl State {
    pub fn scene(&self) -> Scene {
        Scene {
            surfaces: self
                .surfaces
                .values()
                .map(|surface| self.view(surface))
                .collect(),
            stack: self.stack(),
            requests: self.log.requests.clone(),
            pools: self.log.pools,
            keyboard_focus: self.keyboard.focus,
            pointer_focus: self.pointer.focus,
            text_input: self.text_input_state(),
            clipboard: self
                .selections
                .clipboard
                .as_ref()
                .map(super::selection::Source::mimes),
            primary: self
                .selections
                .primary
                .as_ref()
                .map(super::selection::Source::mimes),
            dragging: self.drag.active(),
            locked: self.lock.held(),
            windows: self
                .windows
                .list
                .iter()
                .map(|entry| (entry.id, entry.window.clone()))
                .collect(),
            workspaces: self.workspaces.list.clone(),
            faults: self.log.faults.iter().map(ToString::to_string).collect(),
        }
    }

    fn view(&self, surface: &Surface) -> SurfaceView {
        let current = &surface.current;
        SurfaceView {
            id: surface.id,
            role: role_view(surface),
            mapped: surface.mapped(),
            size: current.size(),
            buffer_size: current
                .pixels
                .as_ref()
                .map_or((0, 0), |pixels| (pixels.width as i32, pixels.height as i32)),
            scale: current.scale(),
            preferred_scale: surface.preferred_scale,
            origin: self.surface_origin(surface.id),
            outputs: surface.outputs.iter().copied().collect(),
            input_region: current.input.clone(),
            opaque_region: current.opaque.clone(),
            commits: surface.commits,
            callbacks: surface.waiting.len(),
            pixels: current.pixels.clone(),
        }
    }
}

fn role_view(surface: &Surface) -> RoleView {
    match &surface.role {
        Role::None => match surface.kind {
            Some(RoleKind::Cursor) => RoleView::Cursor,
            _ => RoleView::None,
        },
        Role::Toplevel(toplevel) => RoleView::Toplevel(ToplevelView {
            title: toplevel.title.clone(),
            app_id: toplevel.app_id.clone(),
            parent: toplevel.parent,
            min_size: toplevel.min_size,
            max_size: toplevel.max_size,
            configured: toplevel.configured.clone(),
            decoration: toplevel.decoration,
            geometry: surface.xdg.as_ref().and_then(|xdg| xdg.geometry),
        }),
        Role::Popup(popup) => RoleView::Popup(PopupView {
            parent: popup.parent,
            positioner: popup.positioner,
            place: popup.place,
            grabs: popup.grabs,
            dismissed: popup.dismissed,
        }),
        Role::Layer(layer) => RoleView::Layer(LayerView {
            namespace: layer.namespace.clone(),
            output: layer.output,
            place: layer.place,
            closed: layer.closed,
        }),
        Role::Subsurface(subsurface) => RoleView::Subsurface {
            parent: subsurface.parent,
            position: subsurface.position,
        },
        Role::Lock(lock) => RoleView::Lock(lock.output),
        Role::Cursor => RoleView::Cursor,
        Role::DragIcon => RoleView::DragIcon,
    }
}
