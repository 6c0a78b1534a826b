//! The loop: reads events, tells the client, paints, sleeps.

use super::client::Client;
use super::error::PlatformError;
use super::globals::Globals;
use super::notice::Notice;
use super::platform::Platform;
use calloop::{EventLoop, LoopHandle};
use calloop_wayland_source::WaylandSource;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;
use wayland_client::Connection;
use wayland_client::globals::{GlobalError, registry_queue_init};

/// A client whose `after_events` always makes more events gets its turn again at most this often before the next paint.
const ROUNDS: usize = 8;

/// What the platform cannot learn from the Wayland connection itself.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Sway's IPC socket, for workspaces; `None` if there is none.
    pub sway_socket: Option<PathBuf>,
}

impl Options {
    /// What the environment of the session says.
    pub fn from_env() -> Self {
        Options {
            sway_socket: std::env::var_os("SWAYSOCK")
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
        }
    }
}

/// The data of the loop: the platform and its client. Sources the shell adds to the loop get it.
pub struct Runtime {
    pub(super) platform: Platform,
    client: Box<dyn Client>,
}

impl Runtime {
    /// Call the client from a source of the shell's own (a channel, a file descriptor): `C` is the type the session was
    /// opened with. What the client changes is told and painted before the loop sleeps again. A panic ends this call only.
    pub fn with<C: Client>(&mut self, call: impl FnOnce(&mut C, &mut Platform)) {
        let client: &mut dyn Any = &mut *self.client;
        if let Some(client) = client.downcast_mut() {
            let platform = &mut self.platform;
            guarded("news from outside", || call(client, platform));
        }
    }

    fn tell(&mut self) {
        let Runtime { platform, client } = self;
        for _ in 0..ROUNDS {
            while let Some(notice) = platform.notices.pop() {
                guarded("an event", || deliver(platform, &mut **client, notice));
            }
            guarded("the work after events", || client.after_events(platform));
            if platform.notices.is_empty() {
                break;
            }
        }
    }

    /// Everything that comes after a batch of events.
    fn settle(&mut self) {
        self.tell();
        let Runtime { platform, client } = self;
        guarded("ending a drop", || platform.settle_drop());
        guarded("telling the input method", || platform.sync_text_input());
        guarded("painting", || platform.paint(&mut **client));
    }
}

/// Call the client; a panic ends this call only. The panic hook has said where; this says what it was about.
pub(super) fn guarded<T>(what: &str, call: impl FnOnce() -> T) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(call));
    result
        .map_err(|_| tracing::error!("{what} failed; the rest goes on"))
        .ok()
}

fn deliver(platform: &mut Platform, client: &mut dyn Client, notice: Notice) {
    let alive = |platform: &Platform, id| platform.surfaces.contains_key(&id);
    match notice {
        Notice::OutputsChanged => client.outputs_changed(platform),
        Notice::Configured(id) => {
            if let Some(configured) = platform
                .surfaces
                .get(&id)
                .map(|surface| surface.configured())
            {
                client.configured(platform, id, &configured);
            }
        }
        Notice::Closed(id, reason) => client.closed(platform, id, reason),
        Notice::Presented(id, time) if alive(platform, id) => client.presented(platform, id, time),
        Notice::Input(id, event) if alive(platform, id) => client.input(platform, id, event),
        Notice::Focus(id, focused) if alive(platform, id) => client.focus(platform, id, focused),
        Notice::Presented(..) | Notice::Input(..) | Notice::Focus(..) => {}
        Notice::WindowsChanged => client.windows_changed(platform),
        Notice::WorkspacesChanged => client.workspaces_changed(platform),
        Notice::Transferred(id, result) => client.transferred(platform, id, result),
        Notice::DragEnded(payload, accepted) => client.drag_ended(platform, payload, accepted),
        Notice::ActivationToken(request, token) => {
            client.activation_token(platform, request, token)
        }
        Notice::Woke(wake) => client.woke(platform, wake),
    }
}

/// An open connection with its loop.
pub struct Session {
    events: EventLoop<'static, Runtime>,
    runtime: Runtime,
    connection: Connection,
}

impl Session {
    /// Connect to the compositor the environment names, with the options it gives.
    pub fn from_env(client: impl Client) -> Result<Self, PlatformError> {
        Session::open(Connection::connect_to_env()?, Options::from_env(), client)
    }

    /// Start on an existing connection: learn what the compositor offers, then `started` on the client and the first
    /// paint. Blocks for two round trips.
    ///
    /// # Errors
    /// [`PlatformError::MissingGlobal`] if there is no compositor, shared memory or window protocol,
    /// [`PlatformError::Disconnected`] or [`PlatformError::Refused`] if the connection breaks.
    pub fn open(
        connection: Connection,
        options: Options,
        client: impl Client,
    ) -> Result<Self, PlatformError> {
        let (list, mut queue) =
            registry_queue_init::<Runtime>(&connection).map_err(|error| match error {
                GlobalError::Backend(error) => error.into(),
                GlobalError::InvalidId(_) => PlatformError::Disconnected,
            })?;
        let events =
            EventLoop::try_new().map_err(|error| PlatformError::Loop(error.to_string()))?;
        let handle: LoopHandle<'static, Runtime> = events.handle();
        let globals = Globals::bind(&list, &queue.handle())?;
        let platform = Platform::new(
            connection.clone(),
            queue.handle(),
            handle.clone(),
            globals,
            &list,
        );
        let mut runtime = Runtime {
            platform,
            client: Box::new(client),
        };
        // Every output and its scale must be known before the first surface: a compositor tells a window its scale only
        // after the first frame, which has to be sharp already.
        queue
            .roundtrip(&mut runtime)
            .map_err(|error| dispatch_error(&connection, error))?;
        WaylandSource::new(connection.clone(), queue)
            .insert(handle)
            .map_err(|error| PlatformError::Loop(error.to_string()))?;
        runtime.platform.start_workspaces(&options);
        // The client hears of the outputs by `started`, not as a change.
        runtime.platform.forget_notices();
        let Runtime { platform, client } = &mut runtime;
        guarded("the start", || client.started(platform));
        let mut session = Session {
            events,
            runtime,
            connection,
        };
        session.settle()?;
        Ok(session)
    }

    /// Run until [`Platform::quit`].
    ///
    /// # Errors
    /// [`PlatformError::Disconnected`] when the compositor goes, [`PlatformError::Refused`] when it objects to something
    /// we sent.
    pub fn run(mut self) -> Result<(), PlatformError> {
        let ended = loop {
            if self.runtime.platform.stopping() {
                break Ok(());
            }
            if let Err(error) = self.dispatch(None) {
                break Err(error);
            }
        };
        let Runtime { platform, client } = &mut self.runtime;
        guarded("the end", || client.ending(platform));
        ended
    }

    /// One turn of the loop: wait for events (at most `timeout`), tell them, paint.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn dispatch(&mut self, timeout: Option<Duration>) -> Result<(), PlatformError> {
        // What the client could not be told within its rounds waits for nothing from outside.
        let left = !self.runtime.platform.notices.is_empty();
        let timeout = if left { Some(Duration::ZERO) } else { timeout };
        let result = self.events.dispatch(timeout, &mut self.runtime);
        self.check()?;
        result.map_err(loop_error)?;
        self.settle()
    }

    /// The client and the platform, for tests and for what happens before the loop runs.
    pub fn with<C: Client>(&mut self, call: impl FnOnce(&mut C, &mut Platform)) {
        self.runtime.with(call);
    }

    fn settle(&mut self) -> Result<(), PlatformError> {
        self.runtime.settle();
        match self.connection.flush() {
            Err(wayland_client::backend::WaylandError::Io(error))
                if error.kind() == std::io::ErrorKind::WouldBlock =>
            {
                Ok(())
            }
            Err(error) => Err(error.into()),
            Ok(()) => self.check(),
        }
    }

    /// A refused request leaves the socket readable for ever without another error: look for it each turn.
    fn check(&self) -> Result<(), PlatformError> {
        self.connection
            .protocol_error()
            .map_or(Ok(()), |error| Err(error.into()))
    }
}

/// The only source whose errors reach the loop is the connection: ours and the shell's own end quietly.
fn loop_error(error: calloop::Error) -> PlatformError {
    let disconnected = match &error {
        calloop::Error::IoError(_) => true,
        calloop::Error::OtherError(source) => {
            source.is::<std::io::Error>() || source.is::<calloop::Error>()
        }
        calloop::Error::InvalidToken => false,
    };
    if disconnected {
        PlatformError::Disconnected
    } else {
        PlatformError::Loop(error.to_string())
    }
}

fn dispatch_error(connection: &Connection, error: wayland_client::DispatchError) -> PlatformError {
    match (connection.protocol_error(), error) {
        (Some(error), _) => error.into(),
        (None, wayland_client::DispatchError::Backend(error)) => error.into(),
        (
            None,
            wayland_client::DispatchError::BadMessage {
                interface, opcode, ..
            },
        ) => PlatformError::Refused {
            interface: interface.to_owned(),
            code: u32::from(opcode),
            message: "unreadable event".into(),
        },
    }
}
