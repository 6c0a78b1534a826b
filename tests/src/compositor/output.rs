//! `wl_output` and `xdg_output`: monitors that come, change and go, and which surfaces are on them.

use wayland_protocols::xdg::xdg_output::zv1::server::zxdg_output_manager_v1::{
    self, ZxdgOutputManagerV1,
};
use wayland_protocols::xdg::xdg_output::zv1::server::zxdg_output_v1::{self, ZxdgOutputV1};
use wayland_server::backend::GlobalId;
use wayland_server::protocol::wl_output::{self, Mode, Subpixel, Transform, WlOutput};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::geometry::Rect;
use super::globals::Global;
use super::layer::Margin;
use super::role::RoleKind;
use super::state::{State, same_client};
use super::surface::{Surface, SurfaceId};

/// An output, present or gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutputId(pub(crate) u32);

/// How an output is described to clients.
///
/// ```
/// use ede_tests::compositor::OutputSpec;
/// let laptop = OutputSpec::new("eDP-1", 2880, 1800).scaled(1.5);
/// assert_eq!(laptop.logical_size(), (1920, 1200));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OutputSpec {
    pub name: String,
    pub make: String,
    pub model: String,
    /// In physical pixels, before the transform.
    pub mode: (i32, i32),
    /// In millihertz.
    pub refresh: i32,
    pub scale: f64,
    pub transform: Transform,
    /// The upper left corner in the compositor's space, in logical pixels.
    pub position: (i32, i32),
}

impl OutputSpec {
    pub fn new(name: &str, width: i32, height: i32) -> Self {
        Self {
            name: name.into(),
            make: "Fake".into(),
            model: "Monitor".into(),
            mode: (width, height),
            refresh: 60_000,
            scale: 1.0,
            transform: Transform::Normal,
            position: (0, 0),
        }
    }

    #[must_use]
    pub fn scaled(mut self, scale: f64) -> Self {
        self.scale = scale;
        self
    }

    #[must_use]
    pub fn turned(mut self, transform: Transform) -> Self {
        self.transform = transform;
        self
    }

    #[must_use]
    pub fn at(mut self, x: i32, y: i32) -> Self {
        self.position = (x, y);
        self
    }

    /// The size windows see.
    pub fn logical_size(&self) -> (i32, i32) {
        let turned = matches!(
            self.transform,
            Transform::_90 | Transform::_270 | Transform::Flipped90 | Transform::Flipped270
        );
        let (width, height) = if turned {
            (self.mode.1, self.mode.0)
        } else {
            self.mode
        };
        let logical = |length: i32| (f64::from(length) / self.scale).round() as i32;
        (logical(width), logical(height))
    }
}

pub(crate) struct Output {
    pub id: OutputId,
    pub spec: OutputSpec,
    global: Option<GlobalId>,
    resources: Vec<WlOutput>,
    xdg: Vec<ZxdgOutputV1>,
    /// What the panels of other programs keep free for themselves at each edge.
    pub reserved: Margin,
    /// What layer surfaces leave free, in the compositor's space.
    pub usable: Rect,
    /// An output that is off, or dead, shows nothing and answers no frame callback.
    pub powered: bool,
}

impl Output {
    fn area(&self) -> Rect {
        let ((x, y), (width, height)) = (self.spec.position, self.spec.logical_size());
        Rect::new(x, y, width, height)
    }

    /// The objects by which the client of `of` knows this output.
    pub fn of_client<'a, I: Resource>(&'a self, of: &'a I) -> impl Iterator<Item = &'a WlOutput> {
        self.resources
            .iter()
            .filter(move |resource| same_client(*resource, of))
    }

    fn announce(&self, to: &WlOutput) {
        let OutputSpec {
            name,
            make,
            model,
            mode,
            refresh,
            scale,
            transform,
            position,
        } = &self.spec;
        let millimetres = |pixels: i32| pixels * 254 / 960;
        let (width, height) = (millimetres(mode.0), millimetres(mode.1));
        to.geometry(
            position.0,
            position.1,
            width,
            height,
            Subpixel::Unknown,
            make.clone(),
            model.clone(),
            *transform,
        );
        to.mode(Mode::Current | Mode::Preferred, mode.0, mode.1, *refresh);
        if State::knows(to, 2) {
            to.scale(scale.ceil() as i32);
        }
        if State::knows(to, 4) {
            to.name(name.clone());
            to.description(format!("{make} {model} ({name})"));
        }
    }

    fn announce_logical(&self, to: &ZxdgOutputV1, first: bool) {
        let area = self.area();
        to.logical_position(area.x, area.y);
        to.logical_size(area.width, area.height);
        if first && State::knows(to, 2) {
            to.name(self.spec.name.clone());
            to.description(format!("{} {}", self.spec.make, self.spec.model));
        }
        if to.is_alive() && to.version() < 3 {
            to.done();
        }
    }
}

impl Bind<WlOutput> for OutputId {
    fn bound(&self, resource: &WlOutput, state: &mut State) {
        let Some(output) = state.outputs.iter_mut().find(|output| output.id == *self) else {
            return;
        };
        output.announce(resource);
        output.resources.push(resource.clone());
        if State::knows(resource, 2) {
            resource.done();
        }
        let on: Vec<_> = state
            .surfaces
            .values()
            .filter(|surface| surface.outputs.contains(self))
            .collect();
        for surface in on
            .into_iter()
            .filter(|surface| same_client(&surface.wl, resource))
        {
            surface.wl.enter(resource);
        }
    }
}

impl Object<WlOutput> for OutputId {
    fn request(
        &self,
        _: &WlOutput,
        _: wl_output::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }

    fn destroyed(&self, resource: &WlOutput, state: &mut State) {
        if let Some(output) = state.outputs.iter_mut().find(|output| output.id == *self) {
            output.resources.retain(|kept| kept != resource);
        }
    }
}

impl Bind<ZxdgOutputManagerV1> for Manager {}

impl Object<ZxdgOutputManagerV1> for Manager {
    fn request(
        &self,
        _: &ZxdgOutputManagerV1,
        request: zxdg_output_manager_v1::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let zxdg_output_manager_v1::Request::GetXdgOutput { id, output: of } = request else {
            return;
        };
        let Some(on) = of.data::<OutputId>().copied() else {
            return;
        };
        let resource = init.init(id, on);
        let Some(output) = state.outputs.iter_mut().find(|output| output.id == on) else {
            return;
        };
        output.announce_logical(&resource, true);
        output.xdg.push(resource.clone());
        if State::knows(&resource, 3) && State::knows(&of, 2) {
            of.done();
        }
    }
}

impl Object<ZxdgOutputV1> for OutputId {
    fn request(
        &self,
        _: &ZxdgOutputV1,
        _: zxdg_output_v1::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }

    fn destroyed(&self, resource: &ZxdgOutputV1, state: &mut State) {
        if let Some(output) = state.outputs.iter_mut().find(|output| output.id == *self) {
            output.xdg.retain(|kept| kept != resource);
        }
    }
}

impl State {
    pub fn add_output(&mut self, spec: OutputSpec) -> OutputId {
        let id = OutputId(self.next_id());
        let version = self.globals.version(Global::Output);
        let global =
            version.map(|version| self.display.create_global::<Self, WlOutput, _>(version, id));
        let output = Output {
            id,
            spec,
            global,
            resources: Vec::new(),
            xdg: Vec::new(),
            reserved: Margin::default(),
            usable: Rect::default(),
            powered: true,
        };
        self.outputs.push(output);
        self.arrange_layers();
        self.enter_homeless();
        id
    }

    /// Take an output away: its layer surfaces are closed, its windows move to another.
    pub fn remove_output(&mut self, id: OutputId) {
        let Some(at) = self.outputs.iter().position(|output| output.id == id) else {
            return;
        };
        let layers = self.surfaces.values().filter(|surface| {
            surface
                .layer()
                .is_some_and(|layer| layer.output == Some(id))
        });
        for layer in layers.map(|surface| surface.id).collect::<Vec<_>>() {
            self.close_layer(layer);
        }
        let on = self
            .surfaces
            .values()
            .filter(|surface| surface.outputs.contains(&id));
        for surface in on.map(|surface| surface.id).collect::<Vec<_>>() {
            self.leave_output(surface, id);
        }
        let output = self.outputs.remove(at);
        if let Some(global) = output.global {
            self.display.disable_global::<Self>(global);
        }
        self.enter_homeless();
    }

    /// Change an output while it is there: mode, scale, transform, place.
    pub fn change_output(&mut self, id: OutputId, change: impl FnOnce(&mut OutputSpec)) {
        let Some(output) = self.outputs.iter_mut().find(|output| output.id == id) else {
            return;
        };
        change(&mut output.spec);
        for xdg in &output.xdg {
            output.announce_logical(xdg, false);
        }
        for resource in &output.resources {
            output.announce(resource);
            if Self::knows(resource, 2) {
                resource.done();
            }
        }
        let on = self
            .surfaces
            .values()
            .filter(|surface| surface.outputs.contains(&id));
        for surface in on.map(|surface| surface.id).collect::<Vec<_>>() {
            self.tell_scale(surface);
        }
        self.arrange_layers();
    }

    /// The area of an output in the compositor's space; nothing without an output.
    pub fn output_area(&self, id: Option<OutputId>) -> Rect {
        id.and_then(|id| self.output(id))
            .map(Output::area)
            .unwrap_or_default()
    }

    /// The area that panels leave free.
    pub fn usable_area(&self, id: Option<OutputId>) -> Rect {
        id.and_then(|id| self.output(id))
            .map(|output| {
                if output.usable.is_empty() {
                    output.area()
                } else {
                    output.usable
                }
            })
            .unwrap_or_default()
    }

    /// The output that decides about a surface.
    pub fn output_of(&self, id: SurfaceId) -> Option<OutputId> {
        let surface = self.surface(id)?;
        if let Some(layer) = surface.layer() {
            return layer.output;
        }
        match surface.popup() {
            Some(popup) => self.output_of(popup.parent?),
            None => self.window_output(id),
        }
    }

    /// Let a surface that was just mapped enter its output.
    pub fn enter_outputs(&mut self, id: SurfaceId) {
        let parent = self
            .surface(id)
            .and_then(|surface| self.subsurface_parent(surface));
        if let Some(output) = self.output_of(parent.unwrap_or(id)) {
            self.enter_output(id, output);
        }
    }

    pub fn enter_output(&mut self, id: SurfaceId, output: OutputId) {
        let Some(on) = self.output(output) else {
            return;
        };
        let Some(surface) = self.surface(id) else {
            return;
        };
        let entered: Vec<_> = on.of_client(&surface.wl).cloned().collect();
        if let Some(surface) = self
            .surface_mut(id)
            .filter(|surface| !surface.outputs.contains(&output))
        {
            surface.outputs.insert(output);
            entered
                .iter()
                .for_each(|resource| surface.wl.enter(resource));
        }
        self.tell_scale(id);
    }

    pub fn leave_output(&mut self, id: SurfaceId, output: OutputId) {
        let Some((on, surface)) = self.output(output).zip(self.surface(id)) else {
            return;
        };
        let left: Vec<_> = on.of_client(&surface.wl).cloned().collect();
        if let Some(surface) = self
            .surface_mut(id)
            .filter(|surface| surface.outputs.contains(&output))
        {
            surface.outputs.remove(&output);
            left.iter().for_each(|resource| surface.wl.leave(resource));
        }
        self.tell_scale(id);
    }

    /// Windows and popups that are on no output move to the first.
    fn enter_homeless(&mut self) {
        let homeless = |surface: &&Surface| {
            let moves = matches!(
                surface.role.kind(),
                Some(RoleKind::Toplevel | RoleKind::Popup)
            );
            moves && surface.mapped() && surface.outputs.is_empty()
        };
        for id in self
            .surfaces
            .values()
            .filter(homeless)
            .map(|surface| surface.id)
            .collect::<Vec<_>>()
        {
            self.enter_outputs(id);
        }
    }
}
