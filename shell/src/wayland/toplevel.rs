//! Ordinary windows.

use super::client::{CloseReason, WindowOffers, WindowStates};
use super::event::Serial;
use super::geometry::{Edges, Insets, MAX_LENGTH, Point, Size};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::spec::{Decorations, OutputId, SurfaceId, ToplevelSpec};
use super::surface::{Role, Surface, surface_id};
use super::words;
use smithay_client_toolkit::reexports::csd_frame::{WindowManagerCapabilities, WindowState};
use smithay_client_toolkit::shell::WaylandSurface;
use smithay_client_toolkit::shell::xdg::window::{
    DecorationMode, Window, WindowConfigure, WindowDecorations, WindowHandler,
};
use wayland_client::{Connection, QueueHandle};
use wayland_protocols::xdg::shell::client::xdg_toplevel::ResizeEdge;

pub(super) struct ToplevelRole {
    pub window: Window,
    /// Used while the compositor leaves the size to us; follows the last size that was not tiled or maximised.
    floating: Size,
    min: Size,
    max: Size,
}

/// The limit that no size is above, zero being none.
fn limited(size: Size, min: Size, max: Size) -> Size {
    let one = |n: u32, min: u32, max: u32| {
        let n = n.max(min);
        if max == 0 { n } else { n.min(max.max(min)) }
    };
    Size {
        width: one(size.width, min.width, max.width),
        height: one(size.height, min.height, max.height),
    }
}

/// A maximum below its minimum is a protocol error, and so is a length of more than 31 bits.
fn ordered(min: Size, max: Size) -> (Size, Size) {
    let small = |size: Size| Size {
        width: size.width.min(MAX_LENGTH),
        height: size.height.min(MAX_LENGTH),
    };
    let raise = |max: u32, min: u32| if max == 0 { 0 } else { max.max(min) };
    let (min, max) = (small(min), small(max));
    (
        min,
        Size {
            width: raise(max.width, min.width),
            height: raise(max.height, min.height),
        },
    )
}

fn send_limits(window: &Window, min: Size, max: Size) {
    window.set_min_size(Some((min.width, min.height)));
    window.set_max_size(Some((max.width, max.height)));
}

impl Platform {
    /// Open a window.
    pub fn create_toplevel(&mut self, spec: ToplevelSpec) -> SurfaceId {
        let id = self.new_id();
        let scale = self.outputs.densest();
        let wl =
            self.globals
                .compositor
                .create_surface_with_data(&self.qh, None, scale.integer(), id);
        let decorations = match spec.decorations {
            Decorations::Server => WindowDecorations::RequestServer,
            Decorations::Client => WindowDecorations::RequestClient,
        };
        if let (Some(token), Some(activation)) = (spec.activation_token, &self.globals.activation) {
            activation.activate::<Runtime>(&wl, words::name(&token).into_owned());
        }
        let window = self.globals.xdg.create_window(wl, decorations, &self.qh);
        window.set_title(words::name(&spec.title));
        window.set_app_id(words::name(&spec.app_id));
        let parent = spec.parent.and_then(|parent| self.surfaces.get(&parent));
        if let Some(Role::Toplevel(parent)) = parent.map(|surface| &surface.role) {
            window.set_parent(Some(&parent.window));
        }
        let (min, max) = ordered(spec.min_size, spec.max_size);
        send_limits(&window, min, max);
        let floating = limited(spec.size.or(Size::new(640, 480)), min, max);
        let role = Role::Toplevel(ToplevelRole {
            window,
            floating,
            min,
            max,
        });
        let surface = Surface::new(
            id,
            role,
            floating,
            Insets::default(),
            scale,
            &self.globals,
            &self.qh,
        );
        self.surfaces.insert(id, surface);
        id
    }

    /// What a task list shows.
    pub fn set_title(&mut self, id: SurfaceId, title: &str) {
        self.with_window(id, |role| role.window.set_title(words::name(title)));
    }

    /// Logical limits, without the frame; zero in a dimension is none.
    pub fn set_size_limits(&mut self, id: SurfaceId, min: Size, max: Size) {
        if let Some(surface) = self.surfaces.get_mut(&id)
            && let Role::Toplevel(role) = &mut surface.role
        {
            (role.min, role.max) = ordered(min, max);
            send_limits(&role.window, role.min, role.max);
            surface.commit = true;
        }
    }

    /// Resize a window from our side, logical, without the frame. Only one that floats obeys.
    pub fn set_toplevel_size(&mut self, id: SurfaceId, size: Size) {
        if let Some(surface) = self.surfaces.get_mut(&id)
            && let Role::Toplevel(role) = &mut surface.role
        {
            role.floating = limited(size, role.min, role.max);
            let states = surface.states;
            let free = !(states.maximized || states.fullscreen || states.tiled != Edges::NONE);
            let size = role.floating;
            if free && surface.stage == super::surface::Stage::Ready {
                surface.configure(size);
                self.notices.push(Notice::Configured(id));
            }
        }
    }

    /// Ask the compositor to draw the title bar, or not to. It answers with a configure.
    pub fn set_decorations(&mut self, id: SurfaceId, decorations: Decorations) {
        self.with_window(id, |role| {
            role.window.request_decoration_mode(Some(match decorations {
                Decorations::Server => DecorationMode::Server,
                Decorations::Client => DecorationMode::Client,
            }));
        });
    }

    /// Let the person drag the window about, from a press on it.
    pub fn start_move(&mut self, id: SurfaceId, serial: Serial) {
        let Some(seat) = self.seats.wl(serial.seat) else {
            return;
        };
        self.with_window(id, |role| role.window.move_(&seat, serial.raw));
    }

    /// Let the person drag an edge or corner of the window, from a press on it.
    pub fn start_resize(&mut self, id: SurfaceId, serial: Serial, edge: Edges) {
        let Some(seat) = self.seats.wl(serial.seat) else {
            return;
        };
        let edge = match (edge.top, edge.bottom, edge.left, edge.right) {
            (true, _, true, _) => ResizeEdge::TopLeft,
            (true, _, _, true) => ResizeEdge::TopRight,
            (true, ..) => ResizeEdge::Top,
            (_, true, true, _) => ResizeEdge::BottomLeft,
            (_, true, _, true) => ResizeEdge::BottomRight,
            (_, true, ..) => ResizeEdge::Bottom,
            (_, _, true, _) => ResizeEdge::Left,
            (_, _, _, true) => ResizeEdge::Right,
            _ => return,
        };
        self.with_window(id, |role| role.window.resize(&seat, serial.raw, edge));
    }

    /// Show the compositor's own menu for the window at a position on it.
    pub fn show_window_menu(&mut self, id: SurfaceId, serial: Serial, at: Point) {
        let Some(seat) = self.seats.wl(serial.seat) else {
            return;
        };
        let Some(surface) = self.surfaces.get(&id) else {
            return;
        };
        // The protocol counts from the window geometry, not from the surface.
        let (left, top) = (
            f64::from(surface.frame().left),
            f64::from(surface.frame().top),
        );
        let position = ((at.x - left) as i32, (at.y - top) as i32);
        self.with_window(id, |role| {
            role.window.show_window_menu(&seat, serial.raw, position)
        });
    }

    /// Fill the output but for panels, or stop to.
    pub fn set_maximized(&mut self, id: SurfaceId, on: bool) {
        self.with_window(id, |role| {
            if on {
                role.window.set_maximized()
            } else {
                role.window.unset_maximized()
            }
        });
    }

    /// Fill an output (`None`: the one it is on), or stop to.
    pub fn set_fullscreen(&mut self, id: SurfaceId, on: bool, output: Option<OutputId>) {
        let output = output.and_then(|output| self.outputs.wl(output)).cloned();
        self.with_window(id, |role| {
            if on {
                role.window.set_fullscreen(output.as_ref());
            } else {
                role.window.unset_fullscreen();
            }
        });
    }

    pub fn minimize(&mut self, id: SurfaceId) {
        self.with_window(id, |role| role.window.set_minimized());
    }

    fn with_window(&self, id: SurfaceId, call: impl FnOnce(&ToplevelRole)) {
        if let Some(surface) = self.surfaces.get(&id)
            && let Role::Toplevel(role) = &surface.role
        {
            call(role);
        }
    }
}

impl WindowHandler for Runtime {
    fn request_close(&mut self, _: &Connection, _: &QueueHandle<Self>, window: &Window) {
        if let Some(id) = surface_id(window.wl_surface()) {
            self.platform
                .notices
                .push(Notice::Closed(id, CloseReason::Asked));
        }
    }

    fn configure(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        window: &Window,
        configure: WindowConfigure,
        _: u32,
    ) {
        let Some(id) = surface_id(window.wl_surface()) else {
            return;
        };
        let Some(surface) = self.platform.surfaces.get_mut(&id) else {
            return;
        };
        let Role::Toplevel(role) = &mut surface.role else {
            return;
        };
        let states = states(configure.state);
        let bounds = configure
            .suggested_bounds
            .map(|(width, height)| Size::new(width, height).clamped());
        let asked = Size::new(
            configure.new_size.0.map_or(0, u32::from),
            configure.new_size.1.map_or(0, u32::from),
        );
        let free = !(states.maximized || states.fullscreen || states.tiled != Edges::NONE);
        let chosen = bounds.map_or(role.floating, |bounds| {
            limited(
                Size {
                    width: role.floating.width.min(bounds.width),
                    height: role.floating.height.min(bounds.height),
                },
                role.min,
                role.max,
            )
        });
        let size = asked.or(chosen).clamped();
        if free && asked.width > 0 && asked.height > 0 {
            role.floating = size;
        }
        surface.states = states;
        surface.bounds = bounds;
        surface.server_decorations = configure.decoration_mode == DecorationMode::Server;
        surface.offers = WindowOffers {
            window_menu: configure
                .capabilities
                .contains(WindowManagerCapabilities::WINDOW_MENU),
            maximize: configure
                .capabilities
                .contains(WindowManagerCapabilities::MAXIMIZE),
            fullscreen: configure
                .capabilities
                .contains(WindowManagerCapabilities::FULLSCREEN),
            minimize: configure
                .capabilities
                .contains(WindowManagerCapabilities::MINIMIZE),
        };
        surface.configure(size);
        self.platform.notices.push(Notice::Configured(id));
    }
}

fn states(state: WindowState) -> WindowStates {
    WindowStates {
        activated: state.contains(WindowState::ACTIVATED),
        maximized: state.contains(WindowState::MAXIMIZED),
        fullscreen: state.contains(WindowState::FULLSCREEN),
        resizing: state.contains(WindowState::RESIZING),
        suspended: state.contains(WindowState::SUSPENDED),
        tiled: Edges {
            top: state.contains(WindowState::TILED_TOP),
            right: state.contains(WindowState::TILED_RIGHT),
            bottom: state.contains(WindowState::TILED_BOTTOM),
            left: state.contains(WindowState::TILED_LEFT),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_in_the_wrong_order_never_reach_the_compositor() {
        assert_eq!(
            ordered(Size::new(300, 0), Size::new(200, 0)),
            (Size::new(300, 0), Size::new(300, 0))
        );
        assert_eq!(
            ordered(Size::new(u32::MAX, 0), Size::default()).0,
            Size::new(MAX_LENGTH, 0)
        );
        assert_eq!(
            ordered(Size::new(300, 200), Size::new(0, 100)).1,
            Size::new(0, 200)
        );
    }

    #[test]
    fn a_size_we_choose_keeps_our_limits() {
        assert_eq!(
            limited(Size::new(100, 900), Size::new(300, 0), Size::new(0, 600)),
            Size::new(300, 600)
        );
        assert_eq!(
            limited(Size::new(100, 900), Size::default(), Size::default()),
            Size::new(100, 900)
        );
    }
}
