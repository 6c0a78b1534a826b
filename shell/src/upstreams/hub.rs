//! What all surfaces ask of servers, on one thread beside the loop: who reads the same waits for the same call, and what was answered
//! within the last minute is answered at once; a call that does something is made each time. The thread starts with the first of them, and
//! ends with every program it started.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::mpsc as std_mpsc;
use std::time::{Duration, Instant};

use ede_engine::upstreams::cache::{Cache, Key};
use ede_engine::upstreams::rule::Allowed;
use ede_engine::upstreams::{Errand, Outcome, Refusal, Server, ServerName, Servers, Unread};
use nix::sys::signal::SigSet;
use serde_json::Value;
use tokio::sync::mpsc;

use super::connection::Asked;
use super::line::Line;
use super::program::Alive;

/// How long the end waits for programs to be gone.
const END: Duration = Duration::from_secs(2);

/// Hears what came of a reading or a call, on the hub's thread.
pub type Then = Box<dyn FnOnce(Outcome) + Send>;

enum Message {
    Servers(Servers),
    Read(Allowed, Then),
    Call(Errand, Then),
}

impl Message {
    /// Nobody is there to take it.
    fn unreachable(self) {
        match self {
            Message::Servers(_) => {}
            Message::Read(_, then) | Message::Call(_, then) => {
                then(Outcome::Unread(Unread::Unreachable));
            }
        }
    }
}

/// The way to the person's servers. Dropped, the connections are closed and the programs ended.
#[derive(Default)]
pub struct Upstreams {
    servers: Servers,
    running: Option<Running>,
}

struct Running {
    to: mpsc::UnboundedSender<Message>,
    ended: std_mpsc::Receiver<()>,
}

impl Upstreams {
    /// These are the person's servers from now on. A connection to one that is another now is closed.
    pub fn set_servers(&mut self, servers: Servers) {
        if let Some(running) = &self.running {
            let _ = running.to.send(Message::Servers(servers.clone()));
        }
        self.servers = servers;
    }

    pub fn servers(&self) -> &Servers {
        &self.servers
    }

    /// Read; `then` hears of it, however long it takes and whatever comes of it.
    pub fn read(&mut self, allowed: Allowed, then: Then) {
        self.send(Message::Read(allowed, then));
    }

    /// Have a server do something, once at most; `then` hears of it as of a reading.
    pub fn call(&mut self, errand: Errand, then: Then) {
        self.send(Message::Call(errand, then));
    }

    fn send(&mut self, message: Message) {
        if self.running.is_none() {
            match Running::start(self.servers.clone()) {
                Ok(running) => self.running = Some(running),
                Err(error) => {
                    tracing::error!("upstreams cannot be asked: {error}");
                    return message.unreachable();
                }
            }
        }
        if let Some(running) = &self.running
            && let Err(unsent) = running.to.send(message)
        {
            unsent.0.unreachable();
        }
    }
}

impl Drop for Upstreams {
    fn drop(&mut self) {
        if let Some(Running { to, ended }) = self.running.take() {
            drop(to);
            // What takes longer is killed by its own task, or outlives us against its will.
            let _ = ended.recv_timeout(END + Duration::from_millis(500));
        }
    }
}

impl Running {
    fn start(servers: Servers) -> io::Result<Running> {
        let (to, inbox) = mpsc::unbounded_channel();
        let (end, ended) = std_mpsc::channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        std::thread::Builder::new()
            .name("ede-upstreams".into())
            .spawn(move || {
                // Programs have the mask of the thread that starts them.
                if let Err(error) = SigSet::empty().thread_set_mask() {
                    tracing::warn!("upstreams start with signals blocked: {error}");
                }
                runtime.block_on(run(servers, inbox));
                drop(end);
            })?;
        Ok(Running { to, ended })
    }
}

/// A reading, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Nth(u64);

/// What is over.
enum Over {
    Read(Read),
    Called(Result<Value, Unread>, Then),
}

/// A reading that is over: of which line, so that an answer of a server that is no more is not kept.
struct Read {
    nth: Nth,
    changes: u64,
    key: Key,
    line: Arc<Line>,
    read: Result<Value, Unread>,
}

async fn run(servers: Servers, mut inbox: mpsc::UnboundedReceiver<Message>) {
    let (alive, mut all_gone) = mpsc::channel::<()>(1);
    let (over, mut done) = mpsc::unbounded_channel::<Over>();
    let mut hub = Hub {
        servers,
        lines: HashMap::new(),
        cache: Cache::default(),
        waiting: HashMap::new(),
        joinable: HashMap::new(),
        readings: 0,
        changes: 0,
        over,
        alive,
    };
    loop {
        tokio::select! {
            message = inbox.recv() => match message {
                Some(Message::Read(allowed, then)) => hub.read(allowed, then),
                Some(Message::Call(errand, then)) => hub.call(errand, then),
                Some(Message::Servers(servers)) => hub.set_servers(servers),
                None => break,
            },
            Some(over) = done.recv() => match over {
                Over::Read(read) => hub.read_over(read),
                Over::Called(answer, then) => hub.called(answer, then),
            },
        }
    }
    drop((hub, done));
    let _ = tokio::time::timeout(END, all_gone.recv()).await;
}

struct Hub {
    servers: Servers,
    lines: HashMap<ServerName, Arc<Line>>,
    cache: Cache,
    /// Who waits for each reading that is under way.
    waiting: HashMap<Nth, Vec<Then>>,
    /// Which of them others of the same may wait for too: none of before the servers were others.
    joinable: HashMap<Key, Nth>,
    /// How many readings there have been.
    readings: u64,
    /// How many calls may have changed something: a reading that began before one is not kept.
    changes: u64,
    over: mpsc::UnboundedSender<Over>,
    alive: Alive,
}

impl Hub {
    fn set_servers(&mut self, servers: Servers) {
        self.lines
            .retain(|name, line| servers.get(name) == Some(&line.server));
        self.cache.clear();
        // A name may stand for another server now: what the last one says is for those who asked it.
        self.joinable.clear();
        self.servers = servers;
    }

    fn read(&mut self, allowed: Allowed, then: Then) {
        let name = allowed.reading.server.clone();
        let Some(server) = self.servers.get(&name).cloned() else {
            return then(Outcome::Unread(Unread::Refused(Refusal::NoServer)));
        };
        let key = allowed.key.clone();
        if let Some(value) = self.cache.get(&key, Instant::now()) {
            return then(Outcome::Kept(value.clone()));
        }
        let joined = self.joinable.get(&key);
        if let Some(waiting) = joined.and_then(|nth| self.waiting.get_mut(nth)) {
            return waiting.push(then);
        }
        self.readings += 1;
        let nth = Nth(self.readings);
        self.waiting.insert(nth, vec![then]);
        self.joinable.insert(key.clone(), nth);
        let (line, over) = (self.line(&name, server), self.over.clone());
        let changes = self.changes;
        tokio::spawn(async move {
            let read = answer(line.clone(), Asked::Reading(allowed)).await;
            let _ = over.send(Over::Read(Read {
                nth,
                changes,
                key,
                line,
                read,
            }));
        });
    }

    fn call(&mut self, errand: Errand, then: Then) {
        let name = errand.to.server.clone();
        let Some(server) = self.servers.get(&name).cloned() else {
            return then(Outcome::Unread(Unread::Refused(Refusal::NoServer)));
        };
        let (line, over) = (self.line(&name, server), self.over.clone());
        tokio::spawn(async move {
            let answer = answer(line, Asked::Errand(errand)).await;
            let _ = over.send(Over::Called(answer, then));
        });
    }

    /// What was read before may be otherwise now, whatever came of the call, but for one that was refused: a server that gives up halfway
    /// may have done half of it.
    fn called(&mut self, answer: Result<Value, Unread>, then: Then) {
        if !matches!(answer, Err(Unread::Refused(_))) {
            self.changes += 1;
            self.cache.clear();
            self.joinable.clear();
        }
        then(answer.map_or_else(Outcome::Unread, Outcome::Answered));
    }

    fn line(&mut self, name: &ServerName, server: Server) -> Arc<Line> {
        let line = self.lines.entry(name.clone());
        let new = || Line::new(name.clone(), server, self.alive.clone());
        line.or_insert_with(new).clone()
    }

    fn read_over(&mut self, over: Read) {
        let Read {
            nth,
            changes,
            key,
            line,
            read,
        } = over;
        let waiting = self.waiting.remove(&nth).unwrap_or_default();
        if self.joinable.get(&key) == Some(&nth) {
            self.joinable.remove(&key);
        }
        let current = changes == self.changes && self.lines.values().any(|l| Arc::ptr_eq(l, &line));
        if let (Ok(value), true) = (&read, current) {
            self.cache.put(key, value.clone(), Instant::now());
        }
        let mut waiting = waiting.into_iter();
        // Who came first made the call.
        if let Some(first) = waiting.next() {
            first(match &read {
                Ok(value) => Outcome::Answered(value.clone()),
                Err(unread) => Outcome::Unread(*unread),
            });
        }
        for other in waiting {
            other(match &read {
                Ok(value) => Outcome::Kept(value.clone()),
                Err(unread) => Outcome::Unread(*unread),
            });
        }
    }
}

/// Ask; what breaks is over too.
async fn answer(line: Arc<Line>, asked: Asked) -> Result<Value, Unread> {
    let answer = tokio::spawn(async move { line.ask(&asked).await }).await;
    answer.unwrap_or(Err(Unread::Unreachable))
}
