//! What wakes the store's thread: a job from another thread, or another process's write to the database. The thread sleeps in
//! one `poll` over an eventfd and an inotify watch; a timer runs only while another process is in the middle of a write.

use std::collections::VecDeque;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::io::Errno;

use super::database::Database;

/// Work for the store's thread. It runs with `None` when the store has stopped.
pub(super) type Job = Box<dyn FnOnce(Option<&mut Database>) + Send>;

struct Queue {
    jobs: VecDeque<Job>,
    stopped: bool,
    /// What will wake the thread, while it sleeps over a state it has seen all of.
    settled: Option<Arc<Watch>>,
}

/// What the store's thread does next.
pub(super) enum Next {
    Job(Job),
    /// Every job is done, and none will come.
    Stop,
    Sleep,
}

/// The jobs waiting and the descriptor that says so.
pub(super) struct Mailbox {
    queue: Mutex<Queue>,
    wake: OwnedFd,
}

impl Mailbox {
    pub fn new() -> std::io::Result<Mailbox> {
        let wake = rustix::event::eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Mailbox {
            queue: Mutex::new(Queue {
                jobs: VecDeque::new(),
                stopped: false,
                settled: None,
            }),
            wake,
        })
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hand over a job. Once the store has stopped it runs here and now, with `None`.
    pub fn push(&self, job: Job) {
        let mut queue = self.queue();
        if queue.stopped {
            drop(queue);
            return job(None);
        }
        queue.settled = None;
        queue.jobs.push_back(job);
        drop(queue);
        self.ring();
    }

    /// No job is taken after those already here.
    pub fn stop(&self) {
        self.queue().stopped = true;
        self.ring();
    }

    /// Is everything that was written so far, here or by another process, known to the thread? `false` also where nobody watches.
    pub fn is_settled(&self) -> bool {
        // Locked while the watch is looked at: the thread takes nothing out of it before it has said that it is awake.
        let queue = self.queue();
        let watch = queue.settled.as_ref();
        watch.is_some_and(|watch| watch.is_quiet())
    }

    /// What the thread does now.
    pub fn next(&self) -> Next {
        let mut queue = self.queue();
        match queue.jobs.pop_front() {
            Some(job) => Next::Job(job),
            None if queue.stopped => Next::Stop,
            None => Next::Sleep,
        }
    }

    fn ring(&self) {
        // The only way a write to an eventfd fails is a counter that is full: then the thread is being woken already.
        let _ = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
    }

    /// Sleep until there is a job, `watch` has seen a write or `limit` has passed. `true`: the watch has seen one. Without a limit
    /// the caller says that it knows of everything the watch has seen so far.
    pub fn wait(&self, watch: Option<&Arc<Watch>>, limit: Option<Duration>) -> bool {
        let mut queue = self.queue();
        let is_idle = queue.jobs.is_empty() && limit.is_none();
        queue.settled = watch.filter(|_| is_idle).cloned();
        drop(queue);
        let wake = PollFd::new(&self.wake, PollFlags::IN);
        let watched = watch.map(|watch| PollFd::new(&watch.inotify, PollFlags::IN));
        let mut fds: Vec<PollFd<'_>> = std::iter::once(wake).chain(watched).collect();
        // Interrupted or failed, the loop looks for jobs and comes back.
        let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
        let _ = rustix::event::poll(&mut fds, limit.as_ref());
        self.queue().settled = None;
        let _ = rustix::io::read(&self.wake, &mut [0; 8]);
        watch.is_some_and(|watch| watch.drain())
    }
}

/// Sees other processes write the database: an inotify watch of its folder, for the names that matter.
pub(super) struct Watch {
    inotify: OwnedFd,
    names: [Vec<u8>; 2],
}

impl Watch {
    /// Watch the folder of `database`, which must exist.
    pub fn new(database: &Path) -> std::io::Result<Watch> {
        // SQLite follows a link, and keeps its log beside what that leads to.
        let real = std::fs::canonicalize(database);
        let database = real.as_deref().unwrap_or(database);
        let folder = database
            .parent()
            .filter(|p| !p.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        inotify::add_watch(
            inotify.as_fd(),
            folder,
            WatchFlags::MODIFY | WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::ONLYDIR,
        )?;
        let name = std::os::unix::ffi::OsStrExt::as_bytes(database.file_name().unwrap_or_default())
            .to_vec();
        let log = [&name[..], b"-wal"].concat();
        Ok(Watch {
            inotify,
            names: [name, log],
        })
    }

    /// Is no event waiting?
    fn is_quiet(&self) -> bool {
        let mut fds = [PollFd::new(&self.inotify, PollFlags::IN)];
        matches!(
            rustix::event::poll(&mut fds, Some(&Timespec::default())),
            Ok(0)
        )
    }

    /// Take every event waiting; `true` when one was about the database.
    fn drain(&self) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(self.inotify.as_fd(), &mut buffer);
        let mut ours = false;
        loop {
            match events.next() {
                // An overflow has no name and may stand for anything.
                Ok(event) => {
                    ours |= event
                        .file_name()
                        .is_none_or(|name| self.names.iter().any(|n| n == name.to_bytes()))
                }
                Err(Errno::INTR) => {}
                Err(_) => return ours,
            }
        }
    }
}
