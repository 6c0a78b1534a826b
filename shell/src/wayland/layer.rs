//! Layer surfaces: panels, desktop widgets, the wallpaper, sheets.

use super::client::CloseReason;
use super::geometry::{Edges, Insets, Size};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::spec::{KeyboardMode, Layer, LayerSpec, OutputId, SurfaceId};
use super::surface::{Role, Stage, Surface, surface_id};
use super::words;
use smithay_client_toolkit::shell::WaylandSurface;
use smithay_client_toolkit::shell::wlr_layer::{
    self, Anchor, KeyboardInteractivity, LayerShellHandler, LayerSurface, LayerSurfaceConfigure,
    SurfaceKind,
};
use wayland_client::{Connection, Proxy, QueueHandle};

pub(super) struct LayerRole {
    pub layer: LayerSurface,
    pub output: OutputId,
    /// What was asked for, for dimensions the compositor leaves to us.
    size: Size,
}

impl LayerRole {
    /// On demand came with version 4; before that any interest in keys was exclusive.
    fn keyboard(&self, mode: KeyboardMode) -> KeyboardInteractivity {
        let SurfaceKind::Wlr(wlr) = self.layer.kind() else {
            return KeyboardInteractivity::None;
        };
        match mode {
            KeyboardMode::None => KeyboardInteractivity::None,
            KeyboardMode::OnDemand if wlr.version() >= 4 => KeyboardInteractivity::OnDemand,
            KeyboardMode::OnDemand | KeyboardMode::Exclusive => KeyboardInteractivity::Exclusive,
        }
    }
}

fn margins(layer: &LayerSurface, margin: Insets) {
    let int = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    layer.set_margin(
        int(margin.top),
        int(margin.right),
        int(margin.bottom),
        int(margin.left),
    );
}

fn anchor(edges: Edges) -> Anchor {
    let mut anchor = Anchor::empty();
    anchor.set(Anchor::TOP, edges.top);
    anchor.set(Anchor::RIGHT, edges.right);
    anchor.set(Anchor::BOTTOM, edges.bottom);
    anchor.set(Anchor::LEFT, edges.left);
    anchor
}

fn stack(layer: Layer) -> wlr_layer::Layer {
    match layer {
        Layer::Background => wlr_layer::Layer::Background,
        Layer::Bottom => wlr_layer::Layer::Bottom,
        Layer::Top => wlr_layer::Layer::Top,
        Layer::Overlay => wlr_layer::Layer::Overlay,
    }
}

impl Platform {
    /// Make a layer surface. `None` without layer-shell, or if the output is gone.
    ///
    /// A zero size in a dimension without two opposite anchors would be refused by the compositor: it becomes one.
    pub fn create_layer(&mut self, spec: LayerSpec) -> Option<SurfaceId> {
        let output = self.outputs.wl(spec.output)?.clone();
        let scale = self
            .outputs
            .info(spec.output)
            .map_or_else(|| self.outputs.densest(), |info| info.scale);
        let id = self.new_id();
        let wl =
            self.globals
                .compositor
                .create_surface_with_data(&self.qh, None, scale.integer(), id);
        let shell = self.globals.layer_shell.as_ref()?;
        let layer = shell.create_layer_surface(
            &self.qh,
            wl,
            stack(spec.layer),
            Some(words::name(&spec.namespace).into_owned()),
            Some(&output),
        );
        let size = askable(spec.size, spec.anchor);
        layer.set_size(size.width, size.height);
        layer.set_anchor(anchor(spec.anchor));
        layer.set_exclusive_zone(spec.exclusive_zone);
        margins(&layer, spec.margin);
        let role = LayerRole {
            layer,
            output: spec.output,
            size,
        };
        role.layer
            .set_keyboard_interactivity(role.keyboard(spec.keyboard));
        let surface = Surface::new(
            id,
            Role::Layer(role),
            spec.size,
            Insets::default(),
            scale,
            &self.globals,
            &self.qh,
        );
        self.surfaces.insert(id, surface);
        Some(id)
    }

    /// A layer surface that is never shown, on all that the surfaces with an exclusive zone leave of an output: how large it is configured
    /// tells how much that is, and it is configured anew when it is another. `None` without layer-shell, or if the output is gone.
    pub fn create_gauge(&mut self, output: OutputId) -> Option<SurfaceId> {
        let whole = self.outputs.info(output)?.rect;
        let id = self.create_layer(LayerSpec {
            output,
            layer: Layer::Bottom,
            anchor: Edges::ALL,
            size: Size::new(0, 0),
            exclusive_zone: 0,
            margin: Insets::default(),
            namespace: "ede-gauge".into(),
            keyboard: KeyboardMode::None,
        })?;
        let unsigned = |n: i32| u32::try_from(n).unwrap_or(0);
        if let Some(surface) = self.surfaces.get_mut(&id) {
            surface.never_show(Size::new(unsigned(whole.width), unsigned(whole.height)));
        }
        Some(id)
    }

    /// Ask for another size, logical; zero in a dimension that is stretched. A configure follows.
    pub fn set_layer_size(&mut self, id: SurfaceId, size: Size, anchored: Edges) {
        let size = askable(size, anchored);
        self.change_layer(id, |role| {
            role.size = size;
            role.layer.set_size(size.width, size.height);
            role.layer.set_anchor(anchor(anchored));
        });
    }

    /// Move it away from its edges, logical.
    pub fn set_margin(&mut self, id: SurfaceId, margin: Insets) {
        self.change_layer(id, |role| margins(&role.layer, margin));
    }

    /// Keep this length along its edge free of windows, logical; `-1` ignores what others reserve.
    pub fn set_exclusive_zone(&mut self, id: SurfaceId, zone: i32) {
        self.change_layer(id, |role| role.layer.set_exclusive_zone(zone));
    }

    /// Raise or lower it. Does nothing on layer-shell version 1.
    pub fn set_layer(&mut self, id: SurfaceId, layer: Layer) {
        self.change_layer(id, |role| {
            if let SurfaceKind::Wlr(wlr) = role.layer.kind()
                && wlr.version() >= 2
            {
                role.layer.set_layer(stack(layer));
            }
        });
    }

    /// Whether it wants keys from now on.
    pub fn set_keyboard(&mut self, id: SurfaceId, mode: KeyboardMode) {
        self.change_layer(id, |role| {
            role.layer.set_keyboard_interactivity(role.keyboard(mode))
        });
    }

    fn change_layer(&mut self, id: SurfaceId, change: impl FnOnce(&mut LayerRole)) {
        if let Some(surface) = self.surfaces.get_mut(&id)
            && let Role::Layer(role) = &mut surface.role
        {
            change(role);
            surface.commit = true;
        }
    }
}

/// The nearest size layer-shell allows for these anchors.
fn askable(size: Size, edges: Edges) -> Size {
    let clamped = size.clamped();
    Size {
        width: if size.width == 0 && edges.left && edges.right {
            0
        } else {
            clamped.width
        },
        height: if size.height == 0 && edges.top && edges.bottom {
            0
        } else {
            clamped.height
        },
    }
}

impl LayerShellHandler for Runtime {
    fn closed(&mut self, _: &Connection, _: &QueueHandle<Self>, layer: &LayerSurface) {
        if let Some(id) = surface_id(layer.wl_surface()) {
            self.platform.close(id, CloseReason::Compositor);
        }
    }

    fn configure(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        layer: &LayerSurface,
        configure: LayerSurfaceConfigure,
        _: u32,
    ) {
        let Some(id) = surface_id(layer.wl_surface()) else {
            return;
        };
        let Some(surface) = self.platform.surfaces.get_mut(&id) else {
            return;
        };
        let Role::Layer(role) = &surface.role else {
            return;
        };
        let (width, height) = configure.new_size;
        let size = Size::new(width, height).or(role.size);
        // A compositor that answers zero where we asked to be stretched: as large as the output.
        let rect = self
            .platform
            .outputs
            .info(role.output)
            .map_or_else(Default::default, |info| info.rect);
        let whole = |n: i32| u32::try_from(n).unwrap_or(0);
        let size = size.or(Size::new(whole(rect.width), whole(rect.height)));
        let first = surface.stage != Stage::Ready;
        let before = surface.size();
        surface.configure(size);
        if first || surface.size() != before {
            self.platform.notices.push(Notice::Configured(id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_stretched_dimension_may_be_zero() {
        let across = Edges::LEFT.and(Edges::RIGHT).and(Edges::TOP);
        assert_eq!(askable(Size::new(0, 40), across), Size::new(0, 40));
        assert_eq!(askable(Size::new(0, 0), across), Size::new(0, 1));
        assert_eq!(askable(Size::new(0, 40), Edges::TOP), Size::new(1, 40));
    }
}
