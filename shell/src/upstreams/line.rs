//! One server's connection: opened when it is first asked for, by one attempt at a time; closed when nothing has been asked for a
//! while; after a failure opened again only after a pause, which grows as failures go on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use ede_engine::upstreams::{Server, ServerName, Unread};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::connection::{Asked, Connection};
use super::program::Alive;

/// How long an answer may take, the connection it needs included.
pub const PATIENCE: Duration = Duration::from_secs(25);
/// How long a connection stays open that nobody reads from: longer than what is bound waits until it reads again.
const IDLE: Duration = Duration::from_secs(150);
/// The pause after a first failure; it doubles with each.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(300);
/// How many readings of one server go on at once; others are refused as by a server that does not answer.
const MOST: usize = 32;

/// One server, and what connects to it.
pub struct Line {
    name: ServerName,
    pub server: Server,
    alive: Alive,
    state: Mutex<State>,
    going_on: AtomicUsize,
}

#[derive(Default)]
struct State {
    open: Option<Arc<Connection>>,
    /// The open one has answered.
    proven: bool,
    used: Option<Instant>,
    /// An attempt has begun; where none is under way it was given up.
    attempted: bool,
    /// Failures in a row, and until when none is tried again.
    failures: u32,
    paused: Option<Instant>,
}

impl Line {
    pub fn new(name: ServerName, server: Server, alive: Alive) -> Arc<Line> {
        Arc::new(Line {
            name,
            server,
            alive,
            state: Mutex::default(),
            going_on: AtomicUsize::new(0),
        })
    }

    /// Ask once, and never again on its own: what did not answer may have been done all the same.
    pub async fn ask(self: &Arc<Line>, asked: &Asked) -> Result<Value, Unread> {
        let place = Place::take(&self.going_on);
        if place.before >= MOST {
            return Err(Unread::Unreachable);
        }
        self.ask_now(asked).await
    }

    async fn ask_now(self: &Arc<Line>, asked: &Asked) -> Result<Value, Unread> {
        let latest = Instant::now() + PATIENCE;
        let connection = timeout_at(latest, self.connect()).await;
        let connection = connection.unwrap_or(Err(Unread::Timeout))?;
        let read = timeout_at(latest, connection.answer(asked)).await;
        let read = read.unwrap_or(Err(Unread::Timeout));
        let mut state = self.state.lock().await;
        if read == Err(Unread::Timeout) || !connection.is_open() {
            // Whatever is read next waits for the pause, and has a new connection.
            let this = |open: &mut Arc<Connection>| Arc::ptr_eq(open, &connection);
            if state.open.take_if(this).is_some() {
                state.fail();
            }
        } else {
            state.proven = true;
            state.used = Some(Instant::now());
            (state.failures, state.paused) = (0, None);
        }
        read
    }

    /// The open connection, or a new one.
    async fn connect(self: &Arc<Line>) -> Result<Arc<Connection>, Unread> {
        // Whoever comes meanwhile waits for this attempt.
        let mut state = self.state.lock().await;
        match &state.open {
            Some(open) if open.is_open() => {
                let open = open.clone();
                state.used = Some(Instant::now());
                return Ok(open);
            }
            // A server that ends once it has answered has not failed.
            Some(_) if state.proven => state.open = None,
            Some(_) => {
                state.open = None;
                state.fail();
            }
            None => {}
        }
        if std::mem::replace(&mut state.attempted, true) {
            state.fail();
        }
        if state.paused.is_some_and(|until| Instant::now() < until) {
            state.attempted = false;
            return Err(Unread::Unreachable);
        }
        let opened = Connection::open(&self.name, &self.server, self.alive.clone()).await;
        state.attempted = false;
        match opened {
            Ok(open) => {
                let open = Arc::new(open);
                state.open = Some(open.clone());
                state.proven = false;
                state.used = Some(Instant::now());
                tokio::spawn(close_when_idle(Arc::downgrade(self), Arc::downgrade(&open)));
                Ok(open)
            }
            Err(error) => {
                state.fail();
                tracing::debug!(upstream = %self.name, failures = state.failures, "no connection: {error:?}");
                Err(error)
            }
        }
    }
}

/// A reading that goes on, until it is dropped, however it ends.
struct Place<'a> {
    all: &'a AtomicUsize,
    before: usize,
}

impl Place<'_> {
    fn take(all: &AtomicUsize) -> Place<'_> {
        let before = all.fetch_add(1, Ordering::Relaxed);
        Place { all, before }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(1, Ordering::Relaxed);
    }
}

impl State {
    fn fail(&mut self) {
        let pause = PAUSE.saturating_mul(1 << self.failures.min(10));
        self.failures += 1;
        self.paused = Some(Instant::now() + pause.min(LONGEST));
    }
}

/// Close a connection that has not been read from for a while.
async fn close_when_idle(line: Weak<Line>, connection: Weak<Connection>) {
    loop {
        let Some((line, open)) = line.upgrade().zip(connection.upgrade()) else {
            return;
        };
        let due = {
            let mut state = line.state.lock().await;
            let due = state.used.map(|used| used + IDLE);
            let now = Instant::now();
            let is_this = |held: &mut Arc<Connection>| Arc::ptr_eq(held, &open);
            match due.filter(|due| *due > now) {
                Some(due) => due,
                None => {
                    state.open.take_if(is_this);
                    return;
                }
            }
        };
        drop((line, open));
        sleep_until(due).await;
    }
}
