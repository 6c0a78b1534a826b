//! The usual ways to bring something on screen, each with its whole handshake.

use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_protocols::xdg::shell::client::xdg_popup::XdgPopup;
use wayland_protocols::xdg::shell::client::xdg_positioner::{
    Anchor as PopupAnchor, ConstraintAdjustment, Gravity, XdgPositioner,
};
use wayland_protocols::xdg::shell::client::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::client::xdg_toplevel::XdgToplevel;
use wayland_protocols::xdg::shell::client::xdg_wm_base::XdgWmBase;
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_shell_v1::{
    Layer, ZwlrLayerShellV1,
};
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_surface_v1::{
    self, Anchor, ZwlrLayerSurfaceV1,
};

use super::{Canvas, Client, Plain};

/// A layer surface on screen.
pub struct LayerWindow {
    pub surface: WlSurface,
    pub layer: ZwlrLayerSurfaceV1,
    pub canvas: Canvas,
}

/// A window on screen.
pub struct Window {
    pub surface: WlSurface,
    pub xdg: XdgSurface,
    pub toplevel: XdgToplevel,
    pub canvas: Canvas,
}

/// A popup on screen.
pub struct PopupWindow {
    pub surface: WlSurface,
    pub xdg: XdgSurface,
    pub popup: XdgPopup,
    pub canvas: Canvas,
}

const GREEN: [u8; 4] = [0, 255, 0, 255];

impl Client {
    /// A bare surface.
    pub fn surface(&self) -> WlSurface {
        let compositor: WlCompositor = self.bind(6);
        compositor.create_surface(&self.handle(), Plain)
    }

    /// A layer surface of the top layer that was never committed.
    pub fn layer(&self, namespace: &str) -> (WlSurface, ZwlrLayerSurfaceV1) {
        let surface = self.surface();
        let shell: ZwlrLayerShellV1 = self.bind(4);
        let layer = shell.get_layer_surface(
            &surface,
            None,
            Layer::Top,
            namespace.into(),
            &self.handle(),
            Plain,
        );
        (surface, layer)
    }

    /// A panel at the top edge, green, with its space reserved. A width of 0 stretches it.
    ///
    /// # Panics
    /// When the compositor sends no configure.
    pub fn show_layer(&mut self, namespace: &str, size: (u32, u32)) -> LayerWindow {
        let (surface, layer) = self.layer(namespace);
        layer.set_size(size.0, size.1);
        layer.set_anchor(Anchor::Top | Anchor::Left | Anchor::Right);
        layer.set_exclusive_zone(size.1 as i32);
        surface.commit();
        self.roundtrip();
        let (width, height) = self
            .ack_layer(&layer)
            .unwrap_or_else(|| panic!("{namespace} got no configure"));
        let canvas = self.canvas(width, height, GREEN);
        self.attach(&surface, &canvas);
        surface.commit();
        self.roundtrip();
        LayerWindow {
            surface,
            layer,
            canvas,
        }
    }

    /// Acknowledge the newest configure; says which size it carried.
    pub fn ack_layer(&mut self, layer: &ZwlrLayerSurfaceV1) -> Option<(i32, i32)> {
        let mut configures = self
            .take(layer)
            .into_iter()
            .filter_map(|event| match event {
                zwlr_layer_surface_v1::Event::Configure {
                    serial,
                    width,
                    height,
                } => Some((serial, width, height)),
                _ => None,
            });
        let (serial, width, height) = configures.next_back()?;
        layer.ack_configure(serial);
        Some((width as i32, height as i32))
    }

    /// Acknowledge the newest configure; false when there is none.
    pub fn ack_xdg(&mut self, xdg: &XdgSurface) -> bool {
        let mut configures = self.take(xdg).into_iter().filter_map(|event| match event {
            xdg_surface::Event::Configure { serial } => Some(serial),
            _ => None,
        });
        configures
            .next_back()
            .inspect(|serial| xdg.ack_configure(*serial))
            .is_some()
    }

    /// Attach a canvas with all of it damaged.
    pub fn attach(&self, surface: &WlSurface, canvas: &Canvas) {
        surface.attach(Some(&canvas.buffer), 0, 0);
        surface.damage_buffer(0, 0, i32::MAX, i32::MAX);
    }

    /// A window that was never committed.
    pub fn toplevel(&self, title: &str, app_id: &str) -> (WlSurface, XdgSurface, XdgToplevel) {
        let surface = self.surface();
        let base: XdgWmBase = self.bind(6);
        let xdg = base.get_xdg_surface(&surface, &self.handle(), Plain);
        let toplevel = xdg.get_toplevel(&self.handle(), Plain);
        toplevel.set_title(title.into());
        toplevel.set_app_id(app_id.into());
        (surface, xdg, toplevel)
    }

    /// A green window.
    pub fn show_toplevel(&mut self, title: &str, app_id: &str, size: (i32, i32)) -> Window {
        let (surface, xdg, toplevel) = self.toplevel(title, app_id);
        surface.commit();
        self.roundtrip();
        self.ack_xdg(&xdg);
        let canvas = self.canvas(size.0, size.1, GREEN);
        self.attach(&surface, &canvas);
        surface.commit();
        self.roundtrip();
        Window {
            surface,
            xdg,
            toplevel,
            canvas,
        }
    }

    /// A popup that was never committed. Without a parent it is for a layer surface to take.
    pub fn popup(
        &self,
        parent: Option<&XdgSurface>,
        positioner: &XdgPositioner,
    ) -> (WlSurface, XdgSurface, XdgPopup) {
        let surface = self.surface();
        let base: XdgWmBase = self.bind(6);
        let xdg = base.get_xdg_surface(&surface, &self.handle(), Plain);
        let popup = xdg.get_popup(parent, positioner, &self.handle(), Plain);
        (surface, xdg, popup)
    }

    /// A green popup of 100×50 on a window or popup, with a grab when a serial is given.
    pub fn show_popup(&mut self, parent: &XdgSurface, grab: Option<u32>) -> PopupWindow {
        let positioner = positioner(self, (100, 50));
        let (surface, xdg, popup) = self.popup(Some(parent), &positioner);
        if let Some(serial) = grab {
            let seat: WlSeat = self.bind(5);
            popup.grab(&seat, serial);
        }
        surface.commit();
        self.roundtrip();
        self.ack_xdg(&xdg);
        let canvas = self.canvas(100, 50, GREEN);
        self.attach(&surface, &canvas);
        surface.commit();
        self.roundtrip();
        PopupWindow {
            surface,
            xdg,
            popup,
            canvas,
        }
    }
}

/// A positioner for a popup below a button of 40×20 at (10, 10), which may flip and slide.
pub fn positioner(client: &Client, size: (i32, i32)) -> XdgPositioner {
    let base: XdgWmBase = client.bind(6);
    let positioner = base.create_positioner(&client.handle(), Plain);
    positioner.set_size(size.0, size.1);
    positioner.set_anchor_rect(10, 10, 40, 20);
    positioner.set_anchor(PopupAnchor::BottomLeft);
    positioner.set_gravity(Gravity::BottomRight);
    positioner
        .set_constraint_adjustment(ConstraintAdjustment::FlipY | ConstraintAdjustment::SlideX);
    positioner
}
