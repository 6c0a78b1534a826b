//! Outputs: what is connected, where, and how dense.

use super::client::CloseReason;
use super::geometry::{PixelSize, Rect};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::scale::Scale;
use super::spec::{OutputId, SurfaceId};
use smithay_client_toolkit::output::{OutputHandler, OutputState};
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_output::{self, WlOutput};
use wayland_client::{Connection, QueueHandle};

/// How a screen is turned, counter-clockwise. The compositor turns for us; this is for those who want to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transform {
    #[default]
    Normal,
    Rotated90,
    Rotated180,
    Rotated270,
    Flipped,
    Flipped90,
    Flipped180,
    Flipped270,
}

impl Transform {
    fn turns_sideways(self) -> bool {
        matches!(
            self,
            Transform::Rotated90
                | Transform::Rotated270
                | Transform::Flipped90
                | Transform::Flipped270
        )
    }
}

impl From<wl_output::Transform> for Transform {
    fn from(transform: wl_output::Transform) -> Self {
        match transform {
            wl_output::Transform::_90 => Transform::Rotated90,
            wl_output::Transform::_180 => Transform::Rotated180,
            wl_output::Transform::_270 => Transform::Rotated270,
            wl_output::Transform::Flipped => Transform::Flipped,
            wl_output::Transform::Flipped90 => Transform::Flipped90,
            wl_output::Transform::Flipped180 => Transform::Flipped180,
            wl_output::Transform::Flipped270 => Transform::Flipped270,
            _ => Transform::Normal,
        }
    }
}

/// One output.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputInfo {
    pub id: OutputId,
    /// The connector, such as `DP-1`; unique among the outputs of one moment.
    pub name: String,
    pub make: String,
    pub model: String,
    pub description: String,
    /// Place among the other outputs, logical.
    pub rect: Rect,
    /// Pixels as a person sees them, after the transform.
    pub pixels: PixelSize,
    /// The scale a surface here will probably have; the surface itself learns the true one.
    pub scale: Scale,
    pub transform: Transform,
    /// Frames in a thousand seconds; 0 where the compositor does not tell.
    pub refresh_millihertz: u32,
}

/// The outputs known to the shell, in the order they appeared.
pub(super) struct Outputs {
    pub state: OutputState,
    known: Vec<(WlOutput, OutputInfo)>,
    infos: Vec<OutputInfo>,
}

impl Outputs {
    pub fn new(list: &GlobalList, qh: &QueueHandle<Runtime>) -> Self {
        Outputs {
            state: OutputState::new(list, qh),
            known: Vec::new(),
            infos: Vec::new(),
        }
    }

    pub fn wl(&self, id: OutputId) -> Option<&WlOutput> {
        self.known
            .iter()
            .find(|(_, info)| info.id == id)
            .map(|(wl, _)| wl)
    }

    pub fn info(&self, id: OutputId) -> Option<&OutputInfo> {
        self.infos.iter().find(|info| info.id == id)
    }

    /// The output a protocol object stands for.
    pub fn id_of(&self, wl: &WlOutput) -> Option<OutputId> {
        self.known
            .iter()
            .find(|(other, _)| other == wl)
            .map(|(_, info)| info.id)
    }

    pub fn id_named(&self, name: &str) -> Option<OutputId> {
        self.infos
            .iter()
            .find(|info| info.name == name)
            .map(|info| info.id)
    }

    /// The scale of a surface whose output is not known yet: the densest, since shrinking stays sharp.
    pub fn densest(&self) -> Scale {
        self.infos
            .iter()
            .map(|info| info.scale)
            .max()
            .unwrap_or(Scale::ONE)
    }

    /// Read the list again, without `gone`, which is still on it while it goes. `true` if something differs.
    fn refresh(&mut self, gone: Option<&WlOutput>, fractional: bool) -> bool {
        let live = self.state.outputs().filter(|wl| Some(wl) != gone);
        self.known = live
            .filter_map(|wl| {
                self.state
                    .info(&wl)
                    .map(|info| (wl, describe(&info, fractional)))
            })
            .collect();
        let infos: Vec<_> = self.known.iter().map(|(_, info)| info.clone()).collect();
        let changed = infos != self.infos;
        self.infos = infos;
        changed
    }
}

fn describe(info: &smithay_client_toolkit::output::OutputInfo, fractional: bool) -> OutputInfo {
    let transform = Transform::from(info.transform);
    let mode = info
        .modes
        .iter()
        .find(|mode| mode.current)
        .or(info.modes.first());
    let refresh = mode.map_or(0, |mode| mode.refresh_rate);
    let mode = mode.map_or((0, 0), |mode| mode.dimensions);
    let (width, height) = if transform.turns_sideways() {
        (mode.1, mode.0)
    } else {
        mode
    };
    let unsigned = |n: i32| u32::try_from(n).unwrap_or(0);
    let pixels = PixelSize {
        width: unsigned(width),
        height: unsigned(height),
    };
    let integer = Scale::from_integer(info.scale_factor);
    let divided =
        |n: u32| i32::try_from(u64::from(n) * 120 / u64::from(integer.in_120ths())).unwrap_or(0);
    let size = info
        .logical_size
        .unwrap_or((divided(pixels.width), divided(pixels.height)));
    let position = info.logical_position.unwrap_or(info.location);
    let exact = if fractional {
        Scale::from_ratio(pixels.width, unsigned(size.0))
    } else {
        None
    };
    OutputInfo {
        id: OutputId(info.id),
        name: info
            .name
            .clone()
            .unwrap_or_else(|| format!("output-{}", info.id)),
        make: info.make.clone(),
        model: info.model.clone(),
        description: info.description.clone().unwrap_or_default(),
        rect: Rect::new(position.0, position.1, size.0.max(0), size.1.max(0)),
        pixels,
        scale: exact.unwrap_or(integer),
        transform,
        refresh_millihertz: unsigned(refresh),
    }
}

impl Platform {
    /// The outputs there are now. Empty while all of them are off.
    pub fn outputs(&self) -> &[OutputInfo] {
        &self.outputs.infos
    }

    fn refresh_outputs(&mut self, gone: Option<&WlOutput>) {
        if let Some(gone) = gone.and_then(|wl| self.outputs.id_of(wl)) {
            let lost: Vec<SurfaceId> = self
                .surfaces
                .iter()
                .filter(|(_, s)| s.output() == Some(gone))
                .map(|(id, _)| *id)
                .collect();
            for id in lost {
                self.close(id, CloseReason::Output);
            }
        }
        if self
            .outputs
            .refresh(gone, self.globals.fractional.is_some())
        {
            self.notices.push(Notice::OutputsChanged);
        }
    }
}

impl OutputHandler for Runtime {
    fn output_state(&mut self) -> &mut OutputState {
        &mut self.platform.outputs.state
    }

    fn new_output(&mut self, _: &Connection, _: &QueueHandle<Self>, _: WlOutput) {
        self.platform.refresh_outputs(None);
    }

    fn update_output(&mut self, _: &Connection, _: &QueueHandle<Self>, _: WlOutput) {
        self.platform.refresh_outputs(None);
    }

    fn output_destroyed(&mut self, _: &Connection, _: &QueueHandle<Self>, output: WlOutput) {
        self.platform.refresh_outputs(Some(&output));
    }
}
