//! A compositor, a session of the platform layer on the test's own thread, and the client between them.

use ede::wayland::*;
use ede_tests::compositor::{Compositor, Globals, OutputSpec, Pixels, Request, Scene, SurfaceView};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use wayland_client::Connection;

/// One call the client got.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Outputs(Vec<String>),
    Configured(SurfaceId, Configured),
    Closed(SurfaceId, CloseReason),
    Presented(SurfaceId),
    Input(SurfaceId, InputEvent),
    Focus(SurfaceId, bool),
    Windows(Vec<WindowInfo>),
    Workspaces(Vec<WorkspaceInfo>),
    Transferred(TransferId, Result<Vec<u8>, TransferError>),
    DragEnded(bool),
    Token(u64, Option<String>),
    Woke(Wake),
}

/// What one surface shows: a chequered ground and a box that moves with `step`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Face {
    step: u32,
    painted: Option<u32>,
}

/// The client of the tests.
#[derive(Default)]
pub struct Probe {
    panels: bool,
    pub told: Vec<Told>,
    pub paints: u32,
    /// Fail in the middle of painting.
    pub panics: bool,
    /// Fail at the start, before anything is made.
    panics_at_start: bool,
    /// Read what is dropped, as a URI list.
    pub read_drops: bool,
    /// So often its work makes more work.
    pub chatter: u32,
    on_output: BTreeMap<SurfaceId, OutputId>,
    faces: BTreeMap<SurfaceId, Face>,
}

pub const PANEL: u32 = 40;
/// Bounds a failing test, as the compositor's own patience does.
const PATIENCE: Duration = Duration::from_secs(20);

impl Probe {
    /// One that keeps a panel on every output.
    pub fn with_panels() -> Probe {
        Probe {
            panels: true,
            ..Probe::default()
        }
    }

    pub fn failing_to_start() -> Probe {
        Probe {
            panics_at_start: true,
            ..Probe::default()
        }
    }

    pub fn panel_spec(output: OutputId) -> LayerSpec {
        LayerSpec {
            output,
            layer: Layer::Top,
            anchor: Edges::TOP.and(Edges::LEFT).and(Edges::RIGHT),
            size: Size::new(0, PANEL),
            exclusive_zone: PANEL as i32,
            margin: Insets::default(),
            namespace: "panel".into(),
            keyboard: KeyboardMode::None,
        }
    }

    fn ensure_panels(&mut self, platform: &mut Platform) {
        if !self.panels {
            return;
        }
        for output in platform.outputs().to_vec() {
            if !self.on_output.values().any(|on| *on == output.id) {
                let panel = platform.create_layer(Probe::panel_spec(output.id)).unwrap();
                self.on_output.insert(panel, output.id);
            }
        }
    }

    /// The surface changes.
    pub fn step(&mut self, platform: &mut Platform, id: SurfaceId, step: u32) {
        self.faces.entry(id).or_default().step = step;
        platform.request_redraw(id);
    }
}

fn box_of(step: u32, scale: Scale, size: PixelSize) -> PixelRect {
    let (x, width) = ((step * 37) % 200, 10 + (step * 7) % 60);
    let y = (step * 5) % 25;
    scale.rect(Rect::new(x as i32, y as i32, width as i32, 12), size)
}

/// The colour of one pixel: everything the client paints.
fn pixel(step: u32, x: u32, y: u32, scale: Scale, size: PixelSize) -> [u8; 4] {
    if box_of(step, scale, size).intersects(PixelRect::new(x, y, 1, 1)) {
        let shade = (step * 53 % 256) as u8;
        return [shade, 255 - shade, 90, 255];
    }
    if (x / 4 + y / 4).is_multiple_of(2) {
        [40, 30, 20, 200]
    } else {
        [60, 60, 60, 255]
    }
}

/// What a buffer must hold, whatever way it was filled.
pub fn whole(step: u32, scale: Scale, width: u32, height: u32) -> Pixels {
    let size = PixelSize { width, height };
    let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let bytes = all
        .flat_map(|(x, y)| pixel(step, x, y, scale, size))
        .collect();
    Pixels {
        width,
        height,
        bytes,
    }
}

impl Client for Probe {
    fn started(&mut self, platform: &mut Platform) {
        assert!(!self.panics_at_start, "a broken document");
        self.ensure_panels(platform);
    }

    fn outputs_changed(&mut self, platform: &mut Platform) {
        let names = platform
            .outputs()
            .iter()
            .map(|output| output.name.clone())
            .collect();
        self.told.push(Told::Outputs(names));
        self.ensure_panels(platform);
    }

    fn configured(&mut self, _: &mut Platform, id: SurfaceId, configured: &Configured) {
        self.told.push(Told::Configured(id, configured.clone()));
    }

    fn closed(&mut self, _: &mut Platform, id: SurfaceId, reason: CloseReason) {
        self.on_output.remove(&id);
        self.told.push(Told::Closed(id, reason));
    }

    fn damage(&mut self, id: SurfaceId, size: Size, scale: Scale) -> Damage {
        let face = self.faces.entry(id).or_default();
        let (before, pixels) = (face.painted.replace(face.step), scale.size(size));
        match before {
            None => Damage::All,
            Some(before) if before == face.step => Damage::None,
            Some(before) => Damage::Rects(vec![
                box_of(before, scale, pixels),
                box_of(face.step, scale, pixels),
            ]),
        }
    }

    fn paint(&mut self, id: SurfaceId, target: Target<'_>, clip: &[PixelRect]) {
        self.paints += 1;
        let step = self.faces[&id].step;
        assert_eq!(
            target.pixels.len(),
            target.stride * target.size.height as usize
        );
        for rect in clip {
            for y in rect.y..rect.bottom() {
                for x in rect.x..rect.right() {
                    let at = y as usize * target.stride + x as usize * 4;
                    let colour = pixel(step, x, y, target.scale, target.size);
                    target.pixels[at..at + 4].copy_from_slice(&colour);
                    assert!(!self.panics || x < rect.right() / 2, "a broken widget");
                }
            }
        }
    }

    fn presented(&mut self, _: &mut Platform, id: SurfaceId, _: u32) {
        self.told.push(Told::Presented(id));
    }

    fn input(&mut self, platform: &mut Platform, id: SurfaceId, event: InputEvent) {
        if self.read_drops && matches!(event, InputEvent::Drag(DragEvent::Drop { .. })) {
            platform.read_drop("text/uri-list").unwrap();
        }
        self.told.push(Told::Input(id, event));
    }

    fn focus(&mut self, _: &mut Platform, id: SurfaceId, focused: bool) {
        self.told.push(Told::Focus(id, focused));
    }

    fn windows_changed(&mut self, platform: &mut Platform) {
        self.told.push(Told::Windows(platform.windows()));
    }

    fn workspaces_changed(&mut self, platform: &mut Platform) {
        self.told.push(Told::Workspaces(platform.workspaces()));
    }

    fn transferred(
        &mut self,
        _: &mut Platform,
        id: TransferId,
        result: Result<Vec<u8>, TransferError>,
    ) {
        self.told.push(Told::Transferred(id, result));
    }

    fn after_events(&mut self, platform: &mut Platform) {
        if let Some(left) = self.chatter.checked_sub(1) {
            self.chatter = left;
            platform.request_activation_token("chatter", None, None);
        }
    }

    fn drag_ended(&mut self, _: &mut Platform, _: Payload, accepted: bool) {
        self.told.push(Told::DragEnded(accepted));
    }

    fn activation_token(&mut self, _: &mut Platform, request: u64, token: Option<String>) {
        self.told.push(Told::Token(request, token));
    }

    fn woke(&mut self, _: &mut Platform, wake: Wake) {
        self.told.push(Told::Woke(wake));
    }
}

/// Both ends.
pub struct Desk {
    // The session first: a compositor that outlives it sees an orderly end.
    pub session: Session,
    pub compositor: Compositor,
}

impl Desk {
    pub fn new(globals: Globals, outputs: &[OutputSpec], probe: Probe) -> Desk {
        let compositor = Compositor::start(globals);
        for output in outputs {
            compositor.add_output(output.clone());
        }
        compositor.record_pixels(true);
        let connection = Connection::from_socket(compositor.socket()).unwrap();
        let session = Session::open(connection, Options::default(), probe).unwrap();
        Desk {
            session,
            compositor,
        }
    }

    /// One monitor of 800×600 with a panel.
    pub fn panel() -> Desk {
        let probe = Probe::with_panels();
        Desk::new(Globals::all(), &[OutputSpec::new("A-1", 800, 600)], probe)
    }

    /// One monitor, nothing on it.
    pub fn empty() -> Desk {
        Desk::new(
            Globals::all(),
            &[OutputSpec::new("A-1", 800, 600)],
            Probe::default(),
        )
    }

    /// Let both sides run until the compositor shows something.
    pub fn until<T>(&mut self, what: &str, look: impl FnMut(&Scene) -> Option<T>) -> T {
        let Desk {
            session,
            compositor,
        } = self;
        let pump = || session.dispatch(Some(Duration::from_millis(2))).unwrap();
        compositor.pump_until(what, pump, look)
    }

    /// Let both sides run until the client was told something.
    pub fn told<T>(&mut self, what: &str, mut look: impl FnMut(&Told) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            self.session
                .dispatch(Some(Duration::from_millis(2)))
                .unwrap();
            if let Some(found) = self.with(|probe, _| probe.told.iter().find_map(&mut look)) {
                return found;
            }
            assert!(
                Instant::now() < end,
                "never told of {what}: {:#?}",
                self.take_told()
            );
        }
    }

    /// Everything sent so far has been read and answered by the other side.
    pub fn settle(&mut self) {
        for _ in 0..2 {
            let serial = self.compositor.ping();
            self.until("an answer to a ping", |scene| {
                scene
                    .requests
                    .contains(&Request::Pong(serial))
                    .then_some(())
            });
        }
    }

    /// Every frame has been shown, and all is settled.
    pub fn calm(&mut self) {
        self.until("all frames shown", |scene| {
            scene
                .surfaces
                .iter()
                .all(|view| view.callbacks == 0)
                .then_some(())
        });
        self.settle();
    }

    pub fn with<T>(&mut self, call: impl FnOnce(&mut Probe, &mut Platform) -> T) -> T {
        let mut answer = None;
        self.session
            .with(|probe, platform| answer = Some(call(probe, platform)));
        answer.unwrap()
    }

    /// What the client was told since the last time it was asked.
    pub fn take_told(&mut self) -> Vec<Told> {
        self.with(|probe, _| std::mem::take(&mut probe.told))
    }

    pub fn panel_shown(&mut self) -> SurfaceView {
        self.until("the panel", |scene| scene.layer("panel").cloned())
    }

    pub fn panel_id(&mut self) -> SurfaceId {
        self.with(|probe, _| *probe.on_output.keys().next().unwrap())
    }

    /// Open a window and wait until it is seen.
    pub fn window(&mut self, spec: ToplevelSpec) -> (SurfaceId, SurfaceView) {
        let app_id = spec.app_id.replace('\t', " ");
        let id = self.with(|_, platform| platform.create_toplevel(spec));
        let view = self.until("the window", |scene| scene.toplevel(&app_id).cloned());
        (id, view)
    }
}

pub fn window_spec() -> ToplevelSpec {
    ToplevelSpec {
        title: "Window".into(),
        app_id: "probe".into(),
        size: Size::new(300, 200),
        ..ToplevelSpec::default()
    }
}
