//! `wp_viewporter` and `wp_fractional_scale_manager_v1`: sharp pixels at any scale.

use wayland_protocols::wp::fractional_scale::v1::server::wp_fractional_scale_manager_v1::{
    self, WpFractionalScaleManagerV1,
};
use wayland_protocols::wp::fractional_scale::v1::server::wp_fractional_scale_v1::{
    self, WpFractionalScaleV1,
};
use wayland_protocols::wp::viewporter::server::wp_viewport::{self, WpViewport};
use wayland_protocols::wp::viewporter::server::wp_viewporter::{self, WpViewporter};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::role::Role;
use super::state::State;
use super::surface::SurfaceId;

impl Bind<WpViewporter> for Manager {}

impl Object<WpViewporter> for Manager {
    fn request(
        &self,
        by: &WpViewporter,
        request: wp_viewporter::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let wp_viewporter::Request::GetViewport { id, surface } = request else {
            return;
        };
        let Some(on) = surface.data::<SurfaceId>().copied() else {
            return;
        };
        let viewport = init.init(id, on);
        let Some(surface) = state.surface_mut(on) else {
            return;
        };
        if surface.viewport.is_some() {
            return state.protocol_error(
                by,
                wp_viewporter::Error::ViewportExists,
                format!("{on:?} has a viewport"),
            );
        }
        surface.viewport = Some(viewport);
    }
}

impl Object<WpViewport> for SurfaceId {
    fn request(
        &self,
        viewport: &WpViewport,
        request: wp_viewport::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let Some(surface) = state.surface_mut(*self) else {
            return state.protocol_error(
                viewport,
                wp_viewport::Error::NoSurface,
                format!("{self:?} is gone"),
            );
        };
        let unset = |values: &[f64]| values.iter().all(|value| *value == -1.0);
        let bad = match request {
            wp_viewport::Request::SetSource {
                x,
                y,
                width,
                height,
            } if unset(&[x, y, width, height]) => {
                surface.pending.source = Some(None);
                None
            }
            wp_viewport::Request::SetSource {
                x,
                y,
                width,
                height,
            } => {
                surface.pending.source = Some(Some([x, y, width, height]));
                (x < 0.0 || y < 0.0 || width <= 0.0 || height <= 0.0)
                    .then(|| format!("source {x}, {y}, {width}×{height}"))
            }
            wp_viewport::Request::SetDestination {
                width: -1,
                height: -1,
            } => {
                surface.pending.destination = Some(None);
                None
            }
            wp_viewport::Request::SetDestination { width, height } => {
                surface.pending.destination = Some(Some((width, height)));
                (width < 1 || height < 1).then(|| format!("destination {width}×{height}"))
            }
            wp_viewport::Request::Destroy => {
                surface.pending.source = Some(None);
                surface.pending.destination = Some(None);
                None
            }
            _ => None,
        };
        if let Some(what) = bad {
            state.protocol_error(
                viewport,
                wp_viewport::Error::BadValue,
                format!("{self:?}: {what}"),
            );
        }
    }

    fn destroyed(&self, _: &WpViewport, state: &mut State) {
        if let Some(surface) = state.surface_mut(*self) {
            surface.viewport = None;
        }
    }
}

impl Bind<WpFractionalScaleManagerV1> for Manager {}

impl Object<WpFractionalScaleManagerV1> for Manager {
    fn request(
        &self,
        by: &WpFractionalScaleManagerV1,
        request: wp_fractional_scale_manager_v1::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let wp_fractional_scale_manager_v1::Request::GetFractionalScale { id, surface } = request
        else {
            return;
        };
        let Some(on) = surface.data::<SurfaceId>().copied() else {
            return;
        };
        let object = init.init(id, on);
        let Some(surface) = state.surface_mut(on) else {
            return;
        };
        if surface.fractional.is_some() {
            let error = wp_fractional_scale_manager_v1::Error::FractionalScaleExists;
            return state.protocol_error(by, error, format!("{on:?} has a fractional scale"));
        }
        surface.fractional = Some(object);
        // A panel's output is known from the start; a window's only when it is mapped.
        if matches!(surface.role, Role::Layer(_)) || surface.mapped() {
            state.tell_scale(on);
        }
    }
}

impl Object<WpFractionalScaleV1> for SurfaceId {
    fn request(
        &self,
        _: &WpFractionalScaleV1,
        _: wp_fractional_scale_v1::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }

    fn destroyed(&self, _: &WpFractionalScaleV1, state: &mut State) {
        if let Some(surface) = state.surface_mut(*self) {
            surface.fractional = None;
        }
    }
}

impl State {
    /// Tell a surface the scale it should draw at: the largest of its outputs.
    pub fn tell_scale(&mut self, id: SurfaceId) {
        let Some(surface) = self.surface(id) else {
            return;
        };
        let known = surface
            .outputs
            .iter()
            .copied()
            .chain(surface.layer().and_then(|layer| layer.output));
        let outputs: Vec<_> = known.filter_map(|output| self.output(output)).collect();
        let Some(scale) = outputs
            .iter()
            .map(|output| output.spec.scale)
            .reduce(f64::max)
        else {
            return;
        };
        let transform = outputs.first().map(|output| output.spec.transform);
        let Some(surface) = self.surface_mut(id) else {
            return;
        };
        surface.preferred_scale = scale;
        if let Some(fractional) = &surface.fractional {
            fractional.preferred_scale((scale * 120.0).round() as u32);
        }
        if Self::knows(&surface.wl, 6) {
            surface.wl.preferred_buffer_scale(scale.ceil() as i32);
            transform
                .into_iter()
                .for_each(|transform| surface.wl.preferred_buffer_transform(transform));
        }
    }

    /// A viewport's source must lie in the buffer, and be whole when no destination scales it.
    pub fn check_source(
        &mut self,
        viewport: &WpViewport,
        [x, y, width, height]: [f64; 4],
        id: SurfaceId,
    ) {
        let Some(surface) = self.surface(id) else {
            return;
        };
        let (scale, destination) = (
            f64::from(surface.current.scale),
            surface.current.destination,
        );
        let Some(pixels) = &surface.current.pixels else {
            return;
        };
        let (room_x, room_y) = (
            f64::from(pixels.width) / scale,
            f64::from(pixels.height) / scale,
        );
        if x + width > room_x || y + height > room_y {
            let message = format!(
                "{id:?}: source {x}, {y}, {width}×{height} leaves the buffer of {room_x}×{room_y}"
            );
            self.protocol_error(viewport, wp_viewport::Error::OutOfBuffer, message);
        } else if destination.is_none() && (width.fract() != 0.0 || height.fract() != 0.0) {
            let message =
                format!("{id:?}: source {width}×{height} without a destination is not whole");
            self.protocol_error(viewport, wp_viewport::Error::BadSize, message);
        }
    }
}
