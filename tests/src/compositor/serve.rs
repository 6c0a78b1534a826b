//! The thread that serves the clients. It sleeps in `poll` until a request, a wake-up or a due frame callback.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use wayland_server::backend::{ClientData, ClientId, DisconnectReason};
use wayland_server::{Display, DisplayHandle, ListeningSocket};

use super::log::FaultKind;
use super::state::{Frames, State};

/// What the serving thread and the tests share.
pub(crate) struct Shared {
    state: Mutex<State>,
    /// Told after every dispatch, so that a waiting test looks again.
    pub changed: Condvar,
    stop: AtomicBool,
    wake: UnixStream,
}

impl Shared {
    /// The state, locked. A test that failed while it held the lock does not fail the others.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Make the serving thread look at the state again.
    pub fn wake(&self) {
        let _ = (&self.wake).write(&[1]);
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.wake();
    }
}

/// A client's mark; nothing is kept in it.
pub(crate) struct Connected;

impl ClientData for Connected {
    fn initialized(&self, _: ClientId) {}

    fn disconnected(&self, _: ClientId, _: DisconnectReason) {}
}

/// Start to serve. `listen` is a socket of the file system for clients that are processes of their own.
pub(crate) fn start(
    display: Display<State>,
    state: State,
    listen: Option<ListeningSocket>,
) -> io::Result<(Arc<Shared>, JoinHandle<()>)> {
    let (wake, woken) = UnixStream::pair()?;
    wake.set_nonblocking(true)?;
    woken.set_nonblocking(true)?;
    let shared = Arc::new(Shared {
        state: Mutex::new(state),
        changed: Condvar::new(),
        stop: AtomicBool::new(false),
        wake,
    });
    let serving = shared.clone();
    let thread = std::thread::Builder::new()
        .name("compositor".into())
        .spawn(move || serve(&serving, display, &woken, listen.as_ref()))?;
    Ok((shared, thread))
}

/// Serve until the end, however it comes: then the clients are disconnected, so that none waits for ever.
fn serve(
    shared: &Shared,
    mut display: Display<State>,
    woken: &UnixStream,
    listen: Option<&ListeningSocket>,
) {
    let serving = AssertUnwindSafe(|| dispatch(shared, &mut display, woken, listen));
    let ended = std::panic::catch_unwind(serving);
    if !matches!(ended, Ok(Ok(()))) {
        let message = "the compositor itself failed, see above".to_owned();
        shared.lock().fault(FaultKind::Compositor, message);
    }
    disconnect(shared, &mut display);
    shared.changed.notify_all();
}

fn dispatch(
    shared: &Shared,
    display: &mut Display<State>,
    woken: &UnixStream,
    listen: Option<&ListeningSocket>,
) -> io::Result<()> {
    let mut handle = display.handle();
    let mut due = None;
    while !shared.stop.load(Ordering::SeqCst) {
        wait(display, woken, listen, due)?;
        while (&*woken).read(&mut [0; 64]).is_ok_and(|n| n > 0) {}
        accept(listen, &mut handle);
        let mut state = shared.lock();
        display.dispatch_clients(&mut state)?;
        due = answer_frames(&mut state);
        let _ = display.flush_clients();
        drop(state);
        shared.changed.notify_all();
    }
    Ok(())
}

/// Close every connection, as the end of a compositor's process does. Handles that tests hold keep the display alive.
fn disconnect(shared: &Shared, display: &mut Display<State>) {
    let handle = display.handle().backend_handle();
    let mut clients = Vec::new();
    handle.with_all_clients(|client| clients.push(client));
    let mut state = shared.lock();
    for client in clients {
        handle.kill_client(client.clone(), DisconnectReason::ConnectionClosed);
        // The socket is closed when the backend tidies up, which it does after a dispatch.
        let _ = display.backend().dispatch_single_client(&mut state, client);
    }
}

fn wait(
    display: &mut Display<State>,
    woken: &UnixStream,
    listen: Option<&ListeningSocket>,
    due: Option<Instant>,
) -> io::Result<()> {
    let timeout = due.map(|due| {
        let left = due.saturating_duration_since(Instant::now()) + Duration::from_micros(100);
        Timespec {
            tv_sec: left.as_secs() as _,
            tv_nsec: left.subsec_nanos().into(),
        }
    });
    let backend = display.backend();
    let mut fds = vec![
        PollFd::from_borrowed_fd(backend.poll_fd(), PollFlags::IN),
        PollFd::from_borrowed_fd(woken.as_fd(), PollFlags::IN),
    ];
    fds.extend(listen.map(|socket| PollFd::from_borrowed_fd(socket.as_fd(), PollFlags::IN)));
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn accept(listen: Option<&ListeningSocket>, handle: &mut DisplayHandle) {
    while let Some(stream) = listen.and_then(|socket| socket.accept().ok().flatten()) {
        let _ = handle.insert_client(stream, Arc::new(Connected));
    }
}

/// Answer the callbacks whose time has come; says when the next one is due.
fn answer_frames(state: &mut State) -> Option<Instant> {
    let Frames::Every(interval) = state.settings.frames else {
        return None;
    };
    let now = Instant::now();
    let (mut next, mut ready) = (None, Vec::new());
    for surface in state
        .surfaces
        .values()
        .filter(|surface| !surface.waiting.is_empty())
    {
        let due = surface.asked + interval;
        if !state.shown(surface) {
            continue;
        } else if due <= now {
            ready.push(surface.id);
        } else {
            next = Some(next.map_or(due, |next: Instant| next.min(due)));
        }
    }
    for id in ready {
        state.answer_callbacks(id);
    }
    next
}
