//! `zwlr_layer_shell_v1`: panels, wallpapers and overlays, with their places on the output.

use wayland_protocols_wlr::layer_shell::v1::server::zwlr_layer_shell_v1::{self, ZwlrLayerShellV1};
use wayland_protocols_wlr::layer_shell::v1::server::zwlr_layer_surface_v1::{
    self, Anchor, ZwlrLayerSurfaceV1,
};
use wayland_server::{DataInit, Resource, WEnum};

use super::configure::Configures;
use super::dispatch::{Bind, Manager, Object};
use super::geometry::Rect;
use super::log::FaultKind;
use super::output::OutputId;
use super::role::Role;
use super::state::State;
use super::surface::{Surface, SurfaceId};

/// The layers, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerKind {
    Background,
    Bottom,
    Top,
    Overlay,
}

impl LayerKind {
    fn new(layer: WEnum<zwlr_layer_shell_v1::Layer>) -> Option<Self> {
        Some(match layer.into_result().ok()? {
            zwlr_layer_shell_v1::Layer::Background => Self::Background,
            zwlr_layer_shell_v1::Layer::Bottom => Self::Bottom,
            zwlr_layer_shell_v1::Layer::Top => Self::Top,
            zwlr_layer_shell_v1::Layer::Overlay => Self::Overlay,
            _ => return None,
        })
    }
}

/// How a layer surface wants the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interactivity {
    #[default]
    None,
    Exclusive,
    OnDemand,
}

/// What a client set about a layer surface. Lengths in logical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerPlace {
    pub layer: LayerKind,
    /// 0 stretches between the anchored edges.
    pub size: (u32, u32),
    pub anchor: Anchors,
    /// Space kept free for the surface; -1 reaches under that of others.
    pub exclusive_zone: i32,
    pub margin: Margin,
    pub interactivity: Interactivity,
}

/// The edges a layer surface is anchored to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    pub top: bool,
    pub bottom: bool,
    pub left: bool,
    pub right: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
    pub left: i32,
}

pub(crate) struct Layer {
    pub resource: ZwlrLayerSurfaceV1,
    pub namespace: String,
    pub output: Option<OutputId>,
    pub pending: LayerPlace,
    pub place: LayerPlace,
    pub configures: Configures<(i32, i32)>,
    /// The size of the newest configure.
    pub configured: Option<(i32, i32)>,
    /// Where it stands, in the compositor's space.
    pub rect: Rect,
    pub closed: bool,
    /// Committed since it was created or last unmapped: it has a place.
    pub placed: bool,
}

impl Layer {
    /// An exclusive surface of the upper layers has the keyboard as soon as it is mapped.
    pub fn takes_keyboard_at_once(&self) -> bool {
        self.place.interactivity == Interactivity::Exclusive && self.place.layer >= LayerKind::Top
    }
}

impl Bind<ZwlrLayerShellV1> for Manager {}

impl Object<ZwlrLayerShellV1> for Manager {
    fn request(
        &self,
        shell: &ZwlrLayerShellV1,
        request: zwlr_layer_shell_v1::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let zwlr_layer_shell_v1::Request::GetLayerSurface {
            id,
            surface,
            output,
            layer,
            namespace,
        } = request
        else {
            return;
        };
        let Some(on) = surface.data::<SurfaceId>().copied() else {
            return;
        };
        let resource = init.init(id, on);
        let Some(layer) = LayerKind::new(layer) else {
            return state.protocol_error(
                shell,
                zwlr_layer_shell_v1::Error::InvalidLayer,
                format!("{on:?}: no such layer"),
            );
        };
        let has_buffer =
            |surface: &Surface| surface.mapped() || matches!(surface.pending.buffer, Some(Some(_)));
        if state.surface(on).is_some_and(has_buffer) {
            let message = format!("{on:?} has a buffer already");
            return state.protocol_error(
                shell,
                zwlr_layer_shell_v1::Error::AlreadyConstructed,
                message,
            );
        }
        let place = LayerPlace {
            layer,
            size: (0, 0),
            anchor: Anchors::default(),
            exclusive_zone: 0,
            margin: Margin::default(),
            interactivity: Interactivity::None,
        };
        let asked = output.and_then(|output| output.data::<OutputId>().copied());
        let output = asked.or_else(|| state.outputs.first().map(|output| output.id));
        let gone = output.is_none_or(|output| state.output(output).is_none());
        let role = Role::Layer(Layer {
            resource: resource.clone(),
            namespace,
            output,
            pending: place,
            place,
            configures: Configures::default(),
            configured: None,
            rect: Rect::default(),
            closed: gone,
            placed: false,
        });
        if state.give_role(on, role, shell, zwlr_layer_shell_v1::Error::Role) && gone {
            resource.closed();
        }
    }
}

impl Object<ZwlrLayerSurfaceV1> for SurfaceId {
    fn request(
        &self,
        resource: &ZwlrLayerSurfaceV1,
        request: zwlr_layer_surface_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let Some(layer) = state.layer_mut(*self) else {
            return;
        };
        let pending = &mut layer.pending;
        match request {
            zwlr_layer_surface_v1::Request::SetSize { width, height } => {
                pending.size = (width, height)
            }
            zwlr_layer_surface_v1::Request::SetAnchor {
                anchor: WEnum::Value(anchor),
            } => {
                pending.anchor = Anchors {
                    top: anchor.contains(Anchor::Top),
                    bottom: anchor.contains(Anchor::Bottom),
                    left: anchor.contains(Anchor::Left),
                    right: anchor.contains(Anchor::Right),
                };
            }
            zwlr_layer_surface_v1::Request::SetAnchor { anchor } => {
                state.protocol_error(
                    resource,
                    zwlr_layer_surface_v1::Error::InvalidAnchor,
                    format!("anchor {anchor:?}"),
                );
            }
            zwlr_layer_surface_v1::Request::SetExclusiveZone { zone } => {
                pending.exclusive_zone = zone
            }
            zwlr_layer_surface_v1::Request::SetMargin {
                top,
                right,
                bottom,
                left,
            } => {
                pending.margin = Margin {
                    top,
                    right,
                    bottom,
                    left,
                }
            }
            zwlr_layer_surface_v1::Request::SetKeyboardInteractivity {
                keyboard_interactivity,
            } => {
                let interactivity = match keyboard_interactivity {
                    WEnum::Value(zwlr_layer_surface_v1::KeyboardInteractivity::None) => {
                        Some(Interactivity::None)
                    }
                    WEnum::Value(zwlr_layer_surface_v1::KeyboardInteractivity::Exclusive) => {
                        Some(Interactivity::Exclusive)
                    }
                    WEnum::Value(zwlr_layer_surface_v1::KeyboardInteractivity::OnDemand)
                        if resource.version() >= 4 =>
                    {
                        Some(Interactivity::OnDemand)
                    }
                    _ => None,
                };
                match interactivity {
                    Some(interactivity) => pending.interactivity = interactivity,
                    None => state.protocol_error(
                        resource,
                        zwlr_layer_surface_v1::Error::InvalidKeyboardInteractivity,
                        format!(
                            "keyboard interactivity {keyboard_interactivity:?} at version {}",
                            resource.version()
                        ),
                    ),
                }
            }
            zwlr_layer_surface_v1::Request::SetLayer { layer } => match LayerKind::new(layer) {
                Some(layer) => pending.layer = layer,
                None => state.protocol_error(
                    resource,
                    zwlr_layer_shell_v1::Error::InvalidLayer,
                    "no such layer".into(),
                ),
            },
            zwlr_layer_surface_v1::Request::GetPopup { popup } => {
                let popup = popup.data::<Self>().copied();
                if let Some(popup) = popup.and_then(|popup| state.popup_mut(popup)) {
                    popup.parent = Some(*self);
                }
            }
            zwlr_layer_surface_v1::Request::AckConfigure { serial }
                if !layer.configures.ack(serial) =>
            {
                let error = zwlr_layer_surface_v1::Error::InvalidSurfaceState;
                let message = format!("{self:?}: configure {serial} was never sent, or is old");
                state.protocol_error(resource, error, message);
            }
            _ => {}
        }
    }

    fn destroyed(&self, _: &ZwlrLayerSurfaceV1, state: &mut State) {
        state.role_gone(*self);
    }
}

impl State {
    pub fn layer_allows_commit(&mut self, id: SurfaceId, with_buffer: bool) -> bool {
        let Some(layer) = self.surface(id).and_then(Surface::layer) else {
            return false;
        };
        let (resource, place) = (layer.resource.clone(), layer.pending);
        if with_buffer && layer.configures.acked().is_none() {
            let message =
                format!("{id:?}: a buffer was committed before a configure was acknowledged");
            self.protocol_error(
                &resource,
                zwlr_layer_surface_v1::Error::InvalidSurfaceState,
                message,
            );
            return false;
        }
        let (wide, high) = (
            place.anchor.left && place.anchor.right,
            place.anchor.top && place.anchor.bottom,
        );
        if (place.size.0 == 0 && !wide) || (place.size.1 == 0 && !high) {
            let message = format!(
                "{id:?}: size {:?} without the opposite anchors {:?}",
                place.size, place.anchor
            );
            self.protocol_error(
                &resource,
                zwlr_layer_surface_v1::Error::InvalidSize,
                message,
            );
            return false;
        }
        true
    }

    pub fn layer_committed(&mut self, id: SurfaceId) {
        let Some(layer) = self.layer_mut(id) else {
            return;
        };
        let keyboard_before = layer.place.interactivity;
        layer.place = layer.pending;
        layer.placed = true;
        let (keyboard, demanded) = (layer.place.interactivity, layer.configures.acked().copied());
        if !layer.configures.started() {
            layer.configured = None;
        }
        let takes = layer.takes_keyboard_at_once();
        let Some(surface) = self.surface(id) else {
            return;
        };
        let (size, is_mapped) = (surface.current.size(), surface.mapped());
        if let Some(demanded) = demanded.filter(|demanded| is_mapped && *demanded != size) {
            self.fault(
                FaultKind::WrongSize,
                format!("{id:?} is {size:?}, the acknowledged configure said {demanded:?}"),
            );
        }
        self.arrange_layers();
        if is_mapped && keyboard != keyboard_before {
            if takes {
                self.focus(Some(id));
            } else if keyboard == Interactivity::None && self.keyboard.focus == Some(id) {
                self.focus(self.window_below());
            }
        }
    }

    /// Send a layer surface a configure of this size, whatever its place says.
    pub fn configure_layer(&mut self, id: SurfaceId, size: (i32, i32)) {
        let serial = self.next_serial();
        let Some(layer) = self.layer_mut(id) else {
            return;
        };
        layer.configured = Some(size);
        layer.configures.push(serial, size);
        layer
            .resource
            .configure(serial, size.0.max(0) as u32, size.1.max(0) as u32);
    }

    /// Tell a layer surface that it is over.
    pub fn close_layer(&mut self, id: SurfaceId) {
        if let Some(layer) = self.layer_mut(id).filter(|layer| !layer.closed) {
            layer.closed = true;
            layer.resource.closed();
        }
    }
}
