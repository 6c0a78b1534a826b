//! Everything the compositor knows. One lock holds it: the serving thread takes it to dispatch, a test to look or to act.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use wayland_protocols::xdg::shell::server::xdg_wm_base::XdgWmBase;
use wayland_server::protocol::wl_surface::WlSurface;
use wayland_server::{DisplayHandle, Resource};

use super::activation::Tokens;
use super::drag::Drag;
use super::globals::Globals;
use super::keyboard::Keyboard;
use super::lock::Lock;
use super::log::{Fault, FaultKind, Log, Request};
use super::output::{Output, OutputId};
use super::pointer::Pointer;
use super::popup::Grabs;
use super::seat::Seat;
use super::selection::Selections;
use super::surface::{Surface, SurfaceId};
use super::text_input::TextInputs;
use super::touch::Touch;
use super::windows::Windows;
use super::workspaces::Workspaces;

/// When frame callbacks are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// At this interval after the commit that asked.
    Every(Duration),
    /// Only by [`Compositor::frame`](super::Compositor::frame).
    ByHand,
}

/// When a buffer goes back to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// As soon as it was read, as a compositor that copies does.
    AtOnce,
    /// When the next buffer took its place, as a compositor that scans it out does.
    WhenReplaced,
}

/// What a test may change about the compositor while it runs.
pub(crate) struct Settings {
    pub frames: Frames,
    pub release: Release,
    /// Keep the pixels of every commit, not only of the newest.
    pub record_pixels: bool,
    /// Grant server-side decorations to those who ask.
    pub server_decorations: bool,
    /// The size of a window's first configure; (0, 0) leaves it to the client, a tiling compositor does not.
    pub window_size: (i32, i32),
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            frames: Frames::Every(Duration::from_millis(4)),
            release: Release::AtOnce,
            record_pixels: false,
            server_decorations: false,
            window_size: (0, 0),
        }
    }
}

pub(crate) struct State {
    pub display: DisplayHandle,
    pub globals: Globals,
    pub started: Instant,
    pub surfaces: BTreeMap<SurfaceId, Surface>,
    pub outputs: Vec<Output>,
    pub bases: Vec<XdgWmBase>,
    pub seat: Seat,
    pub pointer: Pointer,
    pub keyboard: Keyboard,
    pub touch: Touch,
    pub grabs: Grabs,
    pub selections: Selections,
    pub drag: Drag,
    pub text_inputs: TextInputs,
    pub windows: Windows,
    pub workspaces: Workspaces,
    pub tokens: Tokens,
    pub lock: Lock,
    pub log: Log,
    pub settings: Settings,
    serial: u32,
    last_id: u32,
}

impl State {
    pub fn new(display: DisplayHandle, globals: Globals, keymap: String) -> Self {
        Self {
            display,
            globals,
            started: Instant::now(),
            surfaces: BTreeMap::new(),
            outputs: Vec::new(),
            bases: Vec::new(),
            seat: Seat::default(),
            pointer: Pointer::default(),
            keyboard: Keyboard::new(keymap),
            touch: Touch::default(),
            grabs: Grabs::default(),
            selections: Selections::default(),
            drag: Drag::default(),
            text_inputs: TextInputs::default(),
            windows: Windows::default(),
            workspaces: Workspaces::default(),
            tokens: Tokens::default(),
            lock: Lock::default(),
            log: Log::default(),
            settings: Settings::default(),
            serial: 0,
            last_id: 0,
        }
    }

    /// A serial never given before.
    pub fn next_serial(&mut self) -> u32 {
        self.serial += 1;
        self.serial
    }

    /// A number never given before, for surfaces, outputs and windows alike.
    pub fn next_id(&mut self) -> u32 {
        self.last_id += 1;
        self.last_id
    }

    /// The time that events carry: milliseconds since the start.
    pub fn time(&self) -> u32 {
        self.started.elapsed().as_millis() as u32
    }

    pub fn surface(&self, id: SurfaceId) -> Option<&Surface> {
        self.surfaces.get(&id)
    }

    pub fn surface_mut(&mut self, id: SurfaceId) -> Option<&mut Surface> {
        self.surfaces.get_mut(&id)
    }

    pub fn wl_surface(&self, id: SurfaceId) -> Option<WlSurface> {
        self.surface(id).map(|surface| surface.wl.clone())
    }

    pub fn output(&self, id: OutputId) -> Option<&Output> {
        self.outputs.iter().find(|output| output.id == id)
    }

    pub fn request(&mut self, request: Request) {
        self.log.requests.push(request);
    }

    pub fn fault(&mut self, kind: FaultKind, message: String) {
        self.log.faults.push(Fault { kind, message });
    }

    /// Tell the client a protocol error, which disconnects it, and write the fault down.
    pub fn protocol_error<I: Resource>(
        &mut self,
        resource: &I,
        code: impl Into<u32>,
        message: String,
    ) {
        let code = code.into();
        resource.post_error(code, message.clone());
        self.fault(
            FaultKind::Protocol {
                interface: I::interface().name,
                code,
            },
            message,
        );
    }

    /// Whether an event to `resource` may use something that `since` brought.
    pub fn knows<I: Resource>(resource: &I, since: u32) -> bool {
        resource.is_alive() && resource.version() >= since
    }
}

/// Whether two objects belong to one client. A dead object belongs to nobody.
pub(crate) fn same_client<A: Resource, B: Resource>(a: &A, b: &B) -> bool {
    a.is_alive() && b.is_alive() && a.id().same_client_as(&b.id())
}
