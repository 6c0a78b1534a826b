//! `wl_compositor`, `wl_surface`, `wl_region`: what a surface is and what a client says about it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use wayland_protocols::wp::fractional_scale::v1::server::wp_fractional_scale_v1::WpFractionalScaleV1;
use wayland_protocols::wp::viewporter::server::wp_viewport::WpViewport;
use wayland_server::protocol::wl_buffer::WlBuffer;
use wayland_server::protocol::wl_callback::{self, WlCallback};
use wayland_server::protocol::wl_compositor::{self, WlCompositor};
use wayland_server::protocol::wl_output::Transform;
use wayland_server::protocol::wl_region::{self, WlRegion};
use wayland_server::protocol::wl_surface::{self, WlSurface};
use wayland_server::{DataInit, Resource, WEnum};

use super::dispatch::{Bind, Manager, Object};
use super::geometry::{Rect, Region};
use super::output::OutputId;
use super::role::{Role, RoleKind};
use super::shm::Pixels;
use super::state::State;
use super::xdg_surface::XdgSurface;

/// A surface of a client. The numbers rise with creation and are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceId(pub(crate) u32);

/// What a client has asked for since its last commit.
#[derive(Default)]
pub(crate) struct Pending {
    /// The outer option: whether `attach` was called. The inner one: the buffer, or none to unmap.
    pub buffer: Option<Option<WlBuffer>>,
    pub buffer_damage: Vec<Rect>,
    pub surface_damage: Vec<Rect>,
    pub callbacks: Vec<WlCallback>,
    pub scale: Option<i32>,
    pub transform: Option<Transform>,
    pub input: Option<Option<Region>>,
    pub opaque: Option<Option<Region>>,
    pub source: Option<Option<[f64; 4]>>,
    pub destination: Option<Option<(i32, i32)>>,
}

impl Pending {
    /// Lay a later set of changes over this one, as a synchronized subsurface's cache does.
    pub fn merge(&mut self, later: Self) {
        self.buffer = later.buffer.or(self.buffer.take());
        self.buffer_damage.extend(later.buffer_damage);
        self.surface_damage.extend(later.surface_damage);
        self.callbacks.extend(later.callbacks);
        self.scale = later.scale.or(self.scale);
        self.transform = later.transform.or(self.transform);
        self.input = later.input.or(self.input.take());
        self.opaque = later.opaque.or(self.opaque.take());
        self.source = later.source.or(self.source);
        self.destination = later.destination.or(self.destination);
    }
}

/// What is on screen.
pub(crate) struct Current {
    pub buffer: Option<WlBuffer>,
    pub pixels: Option<Arc<Pixels>>,
    pub scale: i32,
    pub transform: Transform,
    /// None: everywhere.
    pub input: Option<Region>,
    pub opaque: Option<Region>,
    pub source: Option<[f64; 4]>,
    pub destination: Option<(i32, i32)>,
}

impl Current {
    /// The buffer's size, turned as the transform says and divided by the buffer scale.
    fn unscaled(&self) -> Option<(i32, i32)> {
        let pixels = self.pixels.as_ref()?;
        let (width, height) = (pixels.width as i32, pixels.height as i32);
        let turned = matches!(
            self.transform,
            Transform::_90 | Transform::_270 | Transform::Flipped90 | Transform::Flipped270
        );
        let (width, height) = if turned {
            (height, width)
        } else {
            (width, height)
        };
        Some((width / self.scale, height / self.scale))
    }

    /// In logical pixels; nothing is (0, 0).
    pub fn size(&self) -> (i32, i32) {
        let Some(unscaled) = self.unscaled() else {
            return (0, 0);
        };
        let source = self
            .source
            .map(|[_, _, width, height]| (width as i32, height as i32));
        self.destination.or(source).unwrap_or(unscaled)
    }

    /// Buffer pixels for each logical pixel, across.
    pub fn scale(&self) -> f64 {
        match (&self.pixels, self.size().0) {
            (Some(_), 0) | (None, _) => f64::from(self.scale),
            (Some(_), width) => {
                let unscaled = self
                    .source
                    .map_or(self.unscaled().unwrap_or_default().0.into(), |source| {
                        source[2]
                    });
                unscaled * f64::from(self.scale) / f64::from(width)
            }
        }
    }
}

pub(crate) struct Surface {
    pub id: SurfaceId,
    pub wl: WlSurface,
    pub role: Role,
    /// The first role the surface ever had; it may take no other.
    pub kind: Option<RoleKind>,
    pub xdg: Option<XdgSurface>,
    pub viewport: Option<WpViewport>,
    pub fractional: Option<WpFractionalScaleV1>,
    pub pending: Pending,
    /// Commits of a synchronized subsurface that wait for the parent's.
    pub cached: Option<Pending>,
    pub current: Current,
    /// Frame callbacks that are not answered yet, and when the oldest was asked for.
    pub waiting: Vec<WlCallback>,
    pub asked: Instant,
    /// A test may hide a surface: then its callbacks stay unanswered.
    pub visible: bool,
    pub outputs: BTreeSet<OutputId>,
    pub preferred_scale: f64,
    pub commits: u32,
}

impl Surface {
    fn new(id: SurfaceId, wl: WlSurface) -> Self {
        Self {
            id,
            wl,
            role: Role::None,
            kind: None,
            xdg: None,
            viewport: None,
            fractional: None,
            pending: Pending::default(),
            cached: None,
            current: Current {
                buffer: None,
                pixels: None,
                scale: 1,
                transform: Transform::Normal,
                input: None,
                opaque: None,
                source: None,
                destination: None,
            },
            waiting: Vec::new(),
            asked: Instant::now(),
            visible: true,
            outputs: BTreeSet::new(),
            preferred_scale: 1.0,
            commits: 0,
        }
    }

    pub fn mapped(&self) -> bool {
        self.current.pixels.is_some()
    }
}

impl Bind<WlCompositor> for Manager {}

impl Object<WlCompositor> for Manager {
    fn request(
        &self,
        _: &WlCompositor,
        request: wl_compositor::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            wl_compositor::Request::CreateSurface { id } => {
                let surface = SurfaceId(state.next_id());
                let wl = init.init(id, surface);
                state.surfaces.insert(surface, Surface::new(surface, wl));
            }
            wl_compositor::Request::CreateRegion { id } => {
                init.init(id, RegionData::default());
            }
            _ => {}
        }
    }
}

#[derive(Default)]
pub(crate) struct RegionData(Mutex<Region>);

impl RegionData {
    fn of(region: &WlRegion) -> Option<Region> {
        let data = region.data::<Self>()?;
        Some(
            data.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
        )
    }
}

impl Object<WlRegion> for RegionData {
    fn request(
        &self,
        _: &WlRegion,
        request: wl_region::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let mut region = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match request {
            wl_region::Request::Add {
                x,
                y,
                width,
                height,
            } => region.add(Rect::new(x, y, width, height)),
            wl_region::Request::Subtract {
                x,
                y,
                width,
                height,
            } => region.subtract(Rect::new(x, y, width, height)),
            _ => {}
        }
    }
}

impl Object<WlCallback> for Manager {
    fn request(
        &self,
        _: &WlCallback,
        _: wl_callback::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }
}

impl Object<WlSurface> for SurfaceId {
    fn request(
        &self,
        wl: &WlSurface,
        request: wl_surface::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let Some(surface) = state.surface_mut(*self) else {
            return;
        };
        let pending = &mut surface.pending;
        match request {
            wl_surface::Request::Attach { buffer, x, y } => {
                pending.buffer = Some(buffer);
                if (x, y) != (0, 0) && wl.version() >= 5 {
                    state.protocol_error(
                        wl,
                        wl_surface::Error::InvalidOffset,
                        format!("attach with offset {x}, {y}"),
                    );
                }
            }
            wl_surface::Request::Damage {
                x,
                y,
                width,
                height,
            } => pending.surface_damage.push(Rect::new(x, y, width, height)),
            wl_surface::Request::DamageBuffer {
                x,
                y,
                width,
                height,
            } => pending.buffer_damage.push(Rect::new(x, y, width, height)),
            wl_surface::Request::Frame { callback } => {
                pending.callbacks.push(init.init(callback, Manager))
            }
            wl_surface::Request::SetOpaqueRegion { region } => {
                pending.opaque = Some(region.as_ref().and_then(RegionData::of))
            }
            wl_surface::Request::SetInputRegion { region } => {
                pending.input = Some(region.as_ref().and_then(RegionData::of))
            }
            wl_surface::Request::SetBufferScale { scale } if scale < 1 => {
                state.protocol_error(
                    wl,
                    wl_surface::Error::InvalidScale,
                    format!("buffer scale {scale}"),
                );
            }
            wl_surface::Request::SetBufferScale { scale } => pending.scale = Some(scale),
            wl_surface::Request::SetBufferTransform {
                transform: WEnum::Value(transform),
            } => pending.transform = Some(transform),
            wl_surface::Request::SetBufferTransform { transform } => {
                state.protocol_error(
                    wl,
                    wl_surface::Error::InvalidTransform,
                    format!("buffer transform {transform:?}"),
                );
            }
            wl_surface::Request::Commit => state.commit(*self),
            wl_surface::Request::Destroy => {
                if let Some(name) = surface.role.object() {
                    let message = format!("the surface was destroyed before its {name}");
                    state.protocol_error(wl, wl_surface::Error::DefunctRoleObject, message);
                }
            }
            _ => {}
        }
    }

    fn destroyed(&self, _: &WlSurface, state: &mut State) {
        state.surface_gone(*self);
    }
}
