//! The fixture: a running compositor in the hands of a test.

use std::cell::RefCell;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use wayland_server::protocol::wl_seat::Capability;
use wayland_server::{Display, DisplayHandle, ListeningSocket, Resource};

use super::advertise::create_globals;
use super::globals::Globals;
use super::input::{InputMethod, KeyboardHand, PointerHand, TouchHand};
use super::keys::Keys;
use super::layer::Margin;
use super::log::{Commit, Fault, Request};
use super::output::{OutputId, OutputSpec};
use super::scene::Scene;
use super::selection::{Source, Transfer};
use super::serve::{self, Connected, Shared};
use super::state::{Frames, Release, State};
use super::surface::SurfaceId;
use super::toplevel::ToplevelConfigure;
use super::windows::{Window, WindowId};
use super::workspaces::Workspace;
use crate::picture::Picture;

/// How long a wait may last before the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running compositor. Dropping it ends it, and fails the test if there are faults nobody took.
pub struct Compositor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    pub(crate) keys: RefCell<Keys>,
    handle: DisplayHandle,
    folder: TempDir,
}

impl Compositor {
    /// Start to serve these globals. There is no output yet.
    ///
    /// # Panics
    /// When the system refuses a thread, a socket or the keyboard layout `us`.
    pub fn start(globals: Globals) -> Self {
        let keys = Keys::new("us", "")
            .unwrap_or_else(|| panic!("no keyboard layout: is xkb-data installed?"));
        let started = Self::try_start(globals, keys);
        started.unwrap_or_else(|error| panic!("the compositor does not start: {error}"))
    }

    fn try_start(globals: Globals, keys: Keys) -> Result<Self, Box<dyn std::error::Error>> {
        let display = Display::<State>::new()?;
        let handle = display.handle();
        let folder = tempfile::Builder::new().prefix("compositor").tempdir()?;
        let listen = ListeningSocket::bind_absolute(folder.path().join("wayland"))?;
        create_globals(&handle, &globals);
        let state = State::new(handle.clone(), globals, keys.text());
        let (shared, thread) = serve::start(display, state, Some(listen))?;
        Ok(Self {
            shared,
            thread: Some(thread),
            keys: RefCell::new(keys),
            handle,
            folder,
        })
    }

    /// The client's end of a fresh connection, for `wayland_client::Connection::from_socket`.
    pub fn socket(&self) -> UnixStream {
        let pair = UnixStream::pair().and_then(|(ours, theirs)| {
            self.handle
                .clone()
                .insert_client(ours, Arc::new(Connected))?;
            Ok(theirs)
        });
        self.shared.wake();
        pair.unwrap_or_else(|error| panic!("no connection: {error}"))
    }

    /// What `WAYLAND_DISPLAY` must be for a client that is a process of its own.
    pub fn display(&self) -> PathBuf {
        self.folder.path().join("wayland")
    }

    /// End at once, as a compositor that crashes does: every client loses its connection.
    pub fn kill(&self) {
        self.shared.stop();
        let waited = Instant::now();
        while self
            .thread
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
            && waited.elapsed() < PATIENCE
        {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Do something under the lock and send what it caused.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.shared.lock();
        let answer = act(&mut state);
        let _ = self.handle.clone().flush_clients();
        drop(state);
        self.shared.wake();
        answer
    }

    // ---- looking

    /// The surfaces and requests as they are now.
    pub fn scene(&self) -> Scene {
        self.shared.lock().scene()
    }

    /// Wait until `look` finds something. For a client on another thread or in another process.
    ///
    /// # Panics
    /// When it finds nothing within 20 seconds; the message says what was on screen.
    pub fn wait_for<T>(&self, what: &str, look: impl FnMut(&Scene) -> Option<T>) -> T {
        let found = self.look_for(PATIENCE, look);
        found.unwrap_or_else(|| panic!("waited in vain for {what}\n{:#?}", self.scene()))
    }

    /// As [`wait_for`](Self::wait_for), with a patience of its own and nothing when that is over.
    pub fn look_for<T>(
        &self,
        patience: Duration,
        mut look: impl FnMut(&Scene) -> Option<T>,
    ) -> Option<T> {
        let end = Instant::now() + patience;
        let mut state = self.shared.lock();
        loop {
            if let Some(found) = look(&state.scene()) {
                return Some(found);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let woken = self.shared.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }

    /// Let a client on this thread run, a step at a time, until `look` finds something.
    ///
    /// `pump` should dispatch what is there and wait a few milliseconds at most.
    ///
    /// # Panics
    /// As [`wait_for`](Self::wait_for) does.
    pub fn pump_until<T>(
        &self,
        what: &str,
        mut pump: impl FnMut(),
        mut look: impl FnMut(&Scene) -> Option<T>,
    ) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            pump();
            let scene = self.scene();
            if let Some(found) = look(&scene) {
                return found;
            }
            assert!(
                Instant::now() < end,
                "waited in vain for {what}\n{scene:#?}"
            );
        }
    }

    /// The commits since the start or since they were last taken.
    pub fn commits(&self) -> Vec<Commit> {
        self.shared.lock().log.commits.clone()
    }

    pub fn take_commits(&self) -> Vec<Commit> {
        std::mem::take(&mut self.shared.lock().log.commits)
    }

    pub fn take_requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.shared.lock().log.requests)
    }

    /// What the client did wrong so far. Faults that are taken do not fail the test.
    pub fn take_faults(&self) -> Vec<Fault> {
        std::mem::take(&mut self.shared.lock().log.faults)
    }

    /// What an output shows, in physical pixels.
    pub fn screenshot(&self, output: OutputId) -> Picture {
        self.shared.lock().screenshot(output).unwrap_or_default()
    }

    // ---- outputs

    pub fn add_output(&self, spec: OutputSpec) -> OutputId {
        self.with(|state| state.add_output(spec))
    }

    /// Pull the plug: layer surfaces on it are closed, windows move to another output.
    pub fn remove_output(&self, output: OutputId) {
        self.with(|state| state.remove_output(output));
    }

    /// Change mode, transform, place or scale while the output is there.
    pub fn change_output(&self, output: OutputId, change: impl FnOnce(&mut OutputSpec)) {
        self.with(|state| state.change_output(output, change));
    }

    pub fn set_scale(&self, output: OutputId, scale: f64) {
        self.change_output(output, |spec| spec.scale = scale);
    }

    /// Let panels of another program keep so much free for themselves at the edges of an output.
    pub fn reserve(&self, output: OutputId, at: Margin) {
        self.with(|state| {
            let there = state.outputs.iter_mut().find(|known| known.id == output);
            there.into_iter().for_each(|known| known.reserved = at);
            state.arrange_layers();
        });
    }

    /// Turn an output off or on without unplugging it: surfaces only on it get no frame callbacks.
    pub fn set_power(&self, output: OutputId, on: bool) {
        self.with(|state| {
            state
                .outputs
                .iter_mut()
                .filter(|known| known.id == output)
                .for_each(|known| known.powered = on)
        });
    }

    /// Let a surface be on this output and no other, as a window that is dragged there.
    pub fn move_to_output(&self, surface: SurfaceId, output: OutputId) {
        self.with(|state| {
            let before: Vec<_> = state
                .surface(surface)
                .into_iter()
                .flat_map(|surface| surface.outputs.iter().copied())
                .collect();
            if let Some(toplevel) = state.toplevel_mut(surface) {
                toplevel.output = Some(output);
            }
            state.enter_output(surface, output);
            before
                .into_iter()
                .filter(|left| *left != output)
                .for_each(|left| state.leave_output(surface, left));
            state.mirror_window(surface);
        });
    }

    // ---- frames and buffers

    /// When frame callbacks are answered: 4 ms after they were asked for, unless said otherwise here.
    pub fn set_frames(&self, frames: Frames) {
        self.with(|state| state.settings.frames = frames);
    }

    /// Answer every waiting callback of the surfaces that are shown, once.
    pub fn frame(&self) {
        self.with(|state| {
            let shown: Vec<_> = state
                .surfaces
                .values()
                .filter(|surface| state.shown(surface))
                .map(|surface| surface.id)
                .collect();
            shown
                .into_iter()
                .for_each(|surface| state.answer_callbacks(surface));
        });
    }

    /// Hide a surface or show it again; a hidden one gets no frame callbacks.
    pub fn set_visible(&self, surface: SurfaceId, visible: bool) {
        self.with(|state| {
            state
                .surface_mut(surface)
                .into_iter()
                .for_each(|surface| surface.visible = visible)
        });
    }

    pub fn set_release(&self, release: Release) {
        self.with(|state| state.settings.release = release);
    }

    /// Keep the pixels of every commit from now on, for [`Commit::pixels`].
    pub fn record_pixels(&self, on: bool) {
        self.with(|state| state.settings.record_pixels = on);
    }

    // ---- windows and popups of the client

    /// The size that first configures of windows carry; (0, 0), the default, leaves it to the client.
    pub fn set_window_size(&self, size: (i32, i32)) {
        self.with(|state| state.settings.window_size = size);
    }

    /// Whether windows that ask for a title bar of the compositor's get it. They do not by default.
    pub fn set_server_decorations(&self, on: bool) {
        self.with(|state| state.settings.server_decorations = on);
    }

    /// Send a window a configure.
    pub fn configure_toplevel(&self, surface: SurfaceId, configure: ToplevelConfigure) {
        self.with(|state| state.configure_toplevel(surface, configure));
    }

    /// Put a window's upper left corner (without shadow) at a point of the compositor's space.
    pub fn place_toplevel(&self, surface: SurfaceId, x: i32, y: i32) {
        self.with(|state| {
            state
                .toplevel_mut(surface)
                .into_iter()
                .for_each(|toplevel| toplevel.position = Some((x, y)))
        });
    }

    /// Ask a window to close.
    pub fn close_toplevel(&self, surface: SurfaceId) {
        self.with(|state| state.close_toplevel(surface));
    }

    /// Send a layer surface a configure of a size of the test's choice.
    pub fn configure_layer(&self, surface: SurfaceId, size: (i32, i32)) {
        self.with(|state| state.configure_layer(surface, size));
    }

    /// Tell a layer surface that the compositor closed it.
    pub fn close_layer(&self, surface: SurfaceId) {
        self.with(|state| state.close_layer(surface));
    }

    /// End a popup and those above it.
    pub fn dismiss_popup(&self, surface: SurfaceId) {
        self.with(|state| state.dismiss_popup(surface));
    }

    /// Ask every client whether it is alive; the answer is a [`Request::Pong`] with this serial.
    pub fn ping(&self) -> u32 {
        self.with(|state| {
            let serial = state.next_serial();
            state
                .bases
                .iter()
                .filter(|base| base.is_alive())
                .for_each(|base| base.ping(serial));
            serial
        })
    }

    /// A token as a launcher hands it to the program it starts.
    pub fn activation_token(&self) -> String {
        self.with(State::new_token)
    }

    // ---- input

    pub fn pointer(&self) -> PointerHand<'_> {
        PointerHand(self)
    }

    pub fn keyboard(&self) -> KeyboardHand<'_> {
        KeyboardHand(self)
    }

    pub fn touch(&self) -> TouchHand<'_> {
        TouchHand(self)
    }

    pub fn input_method(&self) -> InputMethod<'_> {
        InputMethod(self)
    }

    /// Plug devices in or out. All three are there at the start.
    pub fn set_capabilities(&self, capabilities: Capability) {
        self.with(|state| state.set_capabilities(capabilities));
    }

    pub(crate) fn set_layout(&self, layout: &str, variant: &str) {
        let keys = Keys::new(layout, variant)
            .unwrap_or_else(|| panic!("no keyboard layout {layout} {variant}"));
        let text = keys.text();
        self.keys.replace(keys);
        self.with(|state| state.set_keymap(text));
    }

    // ---- clipboard, drag and drop

    /// Another program copies: types and bytes.
    pub fn copy(&self, content: &[(&str, &[u8])]) {
        self.with(|state| state.set_clipboard(Some(Source::fake(content))));
    }

    /// Another program selects text.
    pub fn select(&self, content: &[(&str, &[u8])]) {
        self.with(|state| state.set_primary(Some(Source::fake(content))));
    }

    /// Another program pastes. None when the clipboard is empty.
    pub fn paste(&self, mime: &str) -> Option<Transfer> {
        self.with(|state| {
            state
                .selections
                .clipboard
                .clone()
                .and_then(|source| source.read(mime).ok())
        })
    }

    /// Another program pastes the primary selection.
    pub fn paste_primary(&self, mime: &str) -> Option<Transfer> {
        self.with(|state| {
            state
                .selections
                .primary
                .clone()
                .and_then(|source| source.read(mime).ok())
        })
    }

    /// Another program begins a drag. The pointer moves it from now on; letting the left button go drops it.
    pub fn drag(&self, content: &[(&str, &[u8])]) {
        self.with(|state| state.begin_drag(Some(Source::fake(content))));
    }

    /// Drop the client's drag on another program, which takes it as `mime`. None when nothing is dragged.
    pub fn drop_outside(&self, mime: &str) -> Option<Transfer> {
        self.with(|state| state.drag_take(mime))
            .and_then(Result::ok)
    }

    /// Give the drag up, as Escape does.
    pub fn cancel_drag(&self) {
        self.with(State::drag_cancel);
    }

    // ---- windows and workspaces of others

    /// Another program opens a window.
    pub fn open_window(&self, window: Window) -> WindowId {
        self.with(|state| state.open_window(window))
    }

    pub fn change_window(&self, window: WindowId, change: impl FnOnce(&mut Window)) {
        self.with(|state| state.change_window(window, change));
    }

    pub fn close_window(&self, window: WindowId) {
        self.with(|state| state.close_window(window));
    }

    /// Make the workspaces these; what came, changed or went is told.
    pub fn set_workspaces(&self, workspaces: Vec<Workspace>) {
        self.with(|state| state.set_workspaces(workspaces));
    }
}

impl Drop for Compositor {
    fn drop(&mut self) {
        self.shared.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let faults = self.take_faults();
        if !faults.is_empty() && !std::thread::panicking() {
            let list: Vec<_> = faults.iter().map(|fault| format!("  {fault}")).collect();
            panic!("the client is at fault:\n{}", list.join("\n"));
        }
    }
}
