//! `xdg_toplevel` and its decoration: windows of the client.
//!
//! The compositor is polite: it grants maximise and fullscreen as asked. What else it says, a test says.

use wayland_protocols::xdg::decoration::zv1::server::zxdg_decoration_manager_v1::{
    self, ZxdgDecorationManagerV1,
};
use wayland_protocols::xdg::decoration::zv1::server::zxdg_toplevel_decoration_v1::{
    self, Mode, ZxdgToplevelDecorationV1,
};
use wayland_protocols::xdg::shell::server::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::server::xdg_toplevel::{self, ResizeEdge, XdgToplevel};
use wayland_server::{DataInit, Resource, WEnum};

use super::dispatch::{Bind, Manager, Object};
use super::geometry::Rect;
use super::log::{Edges, FaultKind, Request};
use super::output::OutputId;
use super::role::Role;
use super::state::State;
use super::surface::{Surface, SurfaceId};
use super::xdg_surface::Demand;

/// Who draws the title bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoration {
    Client,
    Server,
}

/// What a configure tells a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToplevelConfigure {
    /// In logical pixels; (0, 0) leaves the choice to the client.
    pub size: (i32, i32),
    pub states: Vec<WindowState>,
    /// The largest size that makes sense, sent to clients that know it.
    pub bounds: Option<(i32, i32)>,
}

/// A state of `xdg_toplevel`, by the protocol's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowState {
    Maximized = 1,
    Fullscreen = 2,
    Resizing = 3,
    Activated = 4,
    TiledLeft = 5,
    TiledRight = 6,
    TiledTop = 7,
    TiledBottom = 8,
    Suspended = 9,
}

impl WindowState {
    /// The version of `xdg_toplevel` that brought the state.
    const fn since(self) -> u32 {
        match self {
            Self::Maximized | Self::Fullscreen | Self::Resizing | Self::Activated => 1,
            Self::TiledLeft | Self::TiledRight | Self::TiledTop | Self::TiledBottom => 2,
            Self::Suspended => 6,
        }
    }
}

pub(crate) struct Toplevel {
    pub resource: XdgToplevel,
    pub title: Option<String>,
    pub app_id: Option<String>,
    pub parent: Option<SurfaceId>,
    pub min_size: (i32, i32),
    pub max_size: (i32, i32),
    /// The newest configure that was sent.
    pub configured: ToplevelConfigure,
    decoration_object: Option<ZxdgToplevelDecorationV1>,
    pub decoration: Option<Decoration>,
    /// Where the window stands, in the compositor's space. None: in the middle.
    pub position: Option<(i32, i32)>,
    pub output: Option<OutputId>,
}

impl Object<XdgToplevel> for SurfaceId {
    fn request(
        &self,
        resource: &XdgToplevel,
        request: xdg_toplevel::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let id = *self;
        let Some(toplevel) = state.toplevel_mut(id) else {
            return;
        };
        match request {
            xdg_toplevel::Request::SetTitle { title } => {
                toplevel.title = Some(title);
                state.mirror_window(id);
            }
            xdg_toplevel::Request::SetAppId { app_id } => {
                toplevel.app_id = Some(app_id);
                state.mirror_window(id);
            }
            xdg_toplevel::Request::SetParent { parent } => {
                let parent = parent.and_then(|parent| parent.data::<Self>().copied());
                toplevel.parent = parent;
                if parent == Some(id) {
                    state.protocol_error(
                        resource,
                        xdg_toplevel::Error::InvalidParent,
                        "a window is its own parent".into(),
                    );
                }
            }
            xdg_toplevel::Request::SetMinSize { width, height } => {
                toplevel.min_size = (width, height);
                state.check_limits(id, resource);
            }
            xdg_toplevel::Request::SetMaxSize { width, height } => {
                toplevel.max_size = (width, height);
                state.check_limits(id, resource);
            }
            xdg_toplevel::Request::ShowWindowMenu { serial, x, y, .. } => {
                state.needs_press(id, serial, "show_window_menu");
                state.request(Request::ShowWindowMenu(id, x, y));
            }
            xdg_toplevel::Request::Move { serial, .. } => {
                state.needs_press(id, serial, "move");
                state.request(Request::Move(id));
                state.pointer_taken();
            }
            xdg_toplevel::Request::Resize { serial, edges, .. } => {
                match edges.into_result().ok().and_then(resize_edges) {
                    Some(edges) => {
                        state.needs_press(id, serial, "resize");
                        state.request(Request::Resize(id, edges));
                        state.pointer_taken();
                    }
                    None => state.protocol_error(
                        resource,
                        xdg_toplevel::Error::InvalidResizeEdge,
                        "no such edge".into(),
                    ),
                }
            }
            xdg_toplevel::Request::SetMaximized => {
                state.request(Request::SetMaximized(id));
                state.set_window_state(id, WindowState::Maximized, true);
            }
            xdg_toplevel::Request::UnsetMaximized => {
                state.request(Request::UnsetMaximized(id));
                state.set_window_state(id, WindowState::Maximized, false);
            }
            xdg_toplevel::Request::SetFullscreen { output } => {
                let output = output.and_then(|output| output.data::<OutputId>().copied());
                state.request(Request::SetFullscreen(id, output));
                state.set_window_state(id, WindowState::Fullscreen, true);
            }
            xdg_toplevel::Request::UnsetFullscreen => {
                state.request(Request::UnsetFullscreen(id));
                state.set_window_state(id, WindowState::Fullscreen, false);
            }
            xdg_toplevel::Request::SetMinimized => state.request(Request::SetMinimized(id)),
            xdg_toplevel::Request::Destroy => {
                if let Some(decoration) = toplevel.decoration_object.clone() {
                    let error = zxdg_toplevel_decoration_v1::Error::Orphaned;
                    let message = format!("{id:?}: the window went before its decoration");
                    state.protocol_error(&decoration, error, message);
                }
            }
            _ => {}
        }
    }

    fn destroyed(&self, _: &XdgToplevel, state: &mut State) {
        state.role_gone(*self);
    }
}

fn resize_edges(edge: ResizeEdge) -> Option<Edges> {
    let bits = u32::from(edge);
    let edges = Edges {
        top: bits & 1 != 0,
        bottom: bits & 2 != 0,
        left: bits & 4 != 0,
        right: bits & 8 != 0,
    };
    (bits != 0).then_some(edges)
}

impl Bind<ZxdgDecorationManagerV1> for Manager {}

impl Object<ZxdgDecorationManagerV1> for Manager {
    fn request(
        &self,
        _: &ZxdgDecorationManagerV1,
        request: zxdg_decoration_manager_v1::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let zxdg_decoration_manager_v1::Request::GetToplevelDecoration { id, toplevel } = request
        else {
            return;
        };
        let Some(on) = toplevel.data::<SurfaceId>().copied() else {
            return;
        };
        let object = init.init(id, on);
        if state.surface(on).is_some_and(Surface::mapped) {
            let message = "a decoration was asked for after the first buffer".into();
            return state.protocol_error(
                &object,
                zxdg_toplevel_decoration_v1::Error::UnconfiguredBuffer,
                message,
            );
        }
        let Some(toplevel) = state.toplevel_mut(on) else {
            return;
        };
        if toplevel.decoration_object.is_some() {
            let message = "the window has a decoration object".into();
            return state.protocol_error(
                &object,
                zxdg_toplevel_decoration_v1::Error::AlreadyConstructed,
                message,
            );
        }
        toplevel.decoration_object = Some(object);
        toplevel.decoration = Some(Decoration::Client);
    }
}

impl Object<ZxdgToplevelDecorationV1> for SurfaceId {
    fn request(
        &self,
        _: &ZxdgToplevelDecorationV1,
        request: zxdg_toplevel_decoration_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let granted = state.settings.server_decorations;
        let Some(toplevel) = state.toplevel_mut(*self) else {
            return;
        };
        toplevel.decoration = match request {
            zxdg_toplevel_decoration_v1::Request::SetMode {
                mode: WEnum::Value(Mode::ServerSide),
            } if granted => Some(Decoration::Server),
            zxdg_toplevel_decoration_v1::Request::UnsetMode if granted => Some(Decoration::Server),
            zxdg_toplevel_decoration_v1::Request::Destroy => None,
            _ => Some(Decoration::Client),
        };
        let started = state
            .surface(*self)
            .and_then(|surface| surface.xdg.as_ref())
            .is_some_and(|xdg| xdg.configures.started());
        if started
            && state
                .surface(*self)
                .and_then(Surface::toplevel)
                .is_some_and(|toplevel| toplevel.decoration.is_some())
        {
            state.configure_again(*self);
        }
    }

    fn destroyed(&self, _: &ZxdgToplevelDecorationV1, state: &mut State) {
        if let Some(toplevel) = state.toplevel_mut(*self) {
            toplevel.decoration_object = None;
            toplevel.decoration = None;
        }
    }
}

impl State {
    pub fn new_toplevel(&mut self, id: SurfaceId, by: &XdgSurface, resource: XdgToplevel) {
        let toplevel = Toplevel {
            resource,
            title: None,
            app_id: None,
            parent: None,
            min_size: (0, 0),
            max_size: (0, 0),
            configured: ToplevelConfigure::default(),
            decoration_object: None,
            decoration: None,
            position: None,
            output: None,
        };
        self.give_role(
            id,
            Role::Toplevel(toplevel),
            by,
            xdg_surface::Error::AlreadyConstructed,
        );
    }

    pub fn toplevel_committed(&mut self, id: SurfaceId) {
        let xdg = self.surface(id).and_then(|surface| surface.xdg.as_ref());
        if xdg.is_some_and(|xdg| !xdg.configures.started()) {
            let area = self.usable_area(self.window_output(id));
            let bounds = Some((area.width, area.height)).filter(|_| !area.is_empty());
            let size = self.settings.window_size;
            let Some(mut first) = self
                .toplevel_mut(id)
                .map(|toplevel| toplevel.configured.clone())
            else {
                return;
            };
            first.bounds = bounds;
            if first.size == (0, 0) {
                first.size = size;
            }
            self.configure_toplevel(id, first);
        } else {
            self.check_window_size(id);
        }
    }

    /// Send a whole configure sequence.
    pub fn configure_toplevel(&mut self, id: SurfaceId, configure: ToplevelConfigure) {
        let Some(toplevel) = self.toplevel_mut(id) else {
            return;
        };
        let resource = toplevel.resource.clone();
        toplevel.configured = configure.clone();
        if let (Some(object), Some(decoration)) = (&toplevel.decoration_object, toplevel.decoration)
        {
            object.configure(match decoration {
                Decoration::Client => Mode::ClientSide,
                Decoration::Server => Mode::ServerSide,
            });
        }
        if Self::knows(&resource, 5) {
            let all = [1_u32, 2, 3, 4];
            resource.wm_capabilities(
                all.iter()
                    .flat_map(|capability| capability.to_ne_bytes())
                    .collect(),
            );
        }
        if let Some((width, height)) = configure.bounds.filter(|_| Self::knows(&resource, 4)) {
            resource.configure_bounds(width, height);
        }
        let (width, height) = configure.size;
        let states = configure
            .states
            .iter()
            .filter(|state| Self::knows(&resource, state.since()));
        resource.configure(
            width,
            height,
            states
                .flat_map(|state| (*state as u32).to_ne_bytes())
                .collect(),
        );
        let has = |state| configure.states.contains(&state);
        let demand = match (width, height) {
            (0, _) | (_, 0) => Demand::Free,
            _ if has(WindowState::Fullscreen) || has(WindowState::Resizing) => {
                Demand::AtMost(width, height)
            }
            _ if has(WindowState::Maximized) => Demand::Exactly(width, height),
            _ => Demand::Free,
        };
        self.send_configure(id, demand);
    }

    /// Send the last configure once more, after something beside it changed.
    pub fn configure_again(&mut self, id: SurfaceId) {
        if let Some(configure) = self
            .surface(id)
            .and_then(Surface::toplevel)
            .map(|toplevel| toplevel.configured.clone())
        {
            self.configure_toplevel(id, configure);
        }
    }

    /// Grant or take back a state, with the size that goes with it.
    pub fn set_window_state(&mut self, id: SurfaceId, window_state: WindowState, on: bool) {
        let output = self.window_output(id);
        let (usable, whole) = (self.usable_area(output), self.output_area(output));
        let Some(toplevel) = self.toplevel_mut(id) else {
            return;
        };
        let mut next = toplevel.configured.clone();
        next.states.retain(|state| *state != window_state);
        if on {
            next.states.push(window_state);
        }
        let area = if next.states.contains(&WindowState::Fullscreen) {
            whole
        } else if next.states.contains(&WindowState::Maximized) {
            usable
        } else {
            Rect::default()
        };
        if window_state != WindowState::Activated {
            next.size = (area.width, area.height);
        }
        toplevel.configured = next.clone();
        let started = self
            .surface(id)
            .and_then(|surface| surface.xdg.as_ref())
            .is_some_and(|xdg| xdg.configures.started());
        if started {
            self.configure_toplevel(id, next);
        }
    }

    /// The output a window is on, or would be.
    pub fn window_output(&self, id: SurfaceId) -> Option<OutputId> {
        let asked = self
            .surface(id)
            .and_then(Surface::toplevel)
            .and_then(|toplevel| toplevel.output);
        asked
            .filter(|output| self.output(*output).is_some())
            .or_else(|| self.outputs.first().map(|output| output.id))
    }

    fn check_limits(&mut self, id: SurfaceId, resource: &XdgToplevel) {
        let Some(toplevel) = self.toplevel_mut(id) else {
            return;
        };
        let ((min_w, min_h), (max_w, max_h)) = (toplevel.min_size, toplevel.max_size);
        let negative = [min_w, min_h, max_w, max_h]
            .iter()
            .any(|length| *length < 0);
        if negative || (max_w > 0 && min_w > max_w) || (max_h > 0 && min_h > max_h) {
            let message = format!("least size {min_w}×{min_h}, largest {max_w}×{max_h}");
            self.protocol_error(resource, xdg_toplevel::Error::InvalidSize, message);
        }
    }

    fn needs_press(&mut self, id: SurfaceId, serial: u32, what: &str) {
        if !self.seat.is_press(serial) {
            self.fault(
                FaultKind::StaleSerial,
                format!("{id:?}: {what} with serial {serial}, which is no press"),
            );
        }
    }
}
