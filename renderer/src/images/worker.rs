//! The threads that load and decode. They start with the first pictures and sleep between them. So many pictures are worked on at once, and
//! the owner with the fewest of them is the next. A thread that takes too long on one is left behind and replaced, while not too many of
//! them hang; whose picture it hangs on has to wait for it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use eui_core::host;

use super::decode::{self, Decoded};
use super::known::{Key, Whose};
use super::{MediaSource, PictureWaker, data_url};

/// A picture that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(20);
/// Threads of one owner's pictures, and of all, that may hang at a time. Beyond it its pictures are refused.
const MOST_LOST_OF_ONE: usize = 1;
const MOST_LOST: usize = 4;

/// Whose a picture is: what it costs is counted for them.
pub(super) type Owner = Arc<str>;

/// The most of one owner's pictures that wait or are worked on.
const MOST_WAITING: usize = 256;

#[derive(Clone)]
pub(super) struct Job {
    pub key: Key,
    pub side: Option<u32>,
    /// Who pays for it.
    pub owner: Owner,
    /// The number of the wish.
    pub wish: u64,
}

pub(super) struct Answer {
    pub key: Key,
    pub wish: u64,
    pub result: Result<Decoded, String>,
}

impl Answer {
    fn refused(job: Job, why: &str) -> Answer {
        let Job { key, wish, .. } = job;
        let result = Err(why.into());
        Answer { key, wish, result }
    }
}

/// How many pictures are worked on at once: in all, and of one owner.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    pub all: usize,
    pub of_one: usize,
}

/// A picture that a thread works on.
struct UnderWay {
    job: Job,
    /// Which thread it is, by its number.
    thread: u64,
    since: Instant,
    /// Given up; the thread has been left behind.
    lost: bool,
}

/// What the threads and the asker share.
#[derive(Default)]
struct Desk {
    waiting: VecDeque<Job>,
    under_way: Vec<UnderWay>,
    done: VecDeque<Answer>,
    /// Threads that have not been left behind, and those of them that sleep.
    threads: usize,
    idle: usize,
    /// How many threads there have been.
    started: u64,
    /// Nobody asks any more.
    closed: bool,
}

impl Desk {
    /// The next picture to work on: the first of the owner with the fewest under way.
    fn take(&mut self, lanes: Lanes) -> Option<Job> {
        let of = |owner: &Owner| {
            let theirs = self.under_way.iter().filter(|u| u.job.owner == *owner);
            theirs.count()
        };
        let waiting = self.waiting.iter().enumerate();
        let counted = waiting.map(|(at, job)| (of(&job.owner), at));
        let (_, at) = counted.filter(|(n, _)| *n < lanes.of_one).min()?;
        self.waiting.remove(at)
    }

    fn lost(&self) -> impl Iterator<Item = &UnderWay> {
        self.under_way.iter().filter(|u| u.lost)
    }

    /// How many of this owner's pictures are to be answered yet.
    fn pending(&self, owner: &Owner) -> usize {
        let waiting = self.waiting.iter().filter(|job| job.owner == *owner);
        let under_way = self.under_way.iter();
        let under_way = under_way.filter(|u| !u.lost && u.job.owner == *owner);
        waiting.count() + under_way.count()
    }
}

struct Shared {
    desk: Mutex<Desk>,
    /// A picture waits, or a lane is free.
    changed: Condvar,
    lanes: Lanes,
    source: Option<Arc<dyn MediaSource>>,
    waker: Option<PictureWaker>,
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        if let Some(wake) = &self.waker {
            wake();
        }
    }

    /// One thread, until nobody asks any more or it has been left behind.
    fn work(&self, thread: u64) {
        let mut desk = self.desk();
        while !desk.closed {
            let Some(job) = desk.take(self.lanes) else {
                desk.idle += 1;
                let woken = self.changed.wait(desk);
                desk = woken.unwrap_or_else(PoisonError::into_inner);
                desk.idle -= 1;
                continue;
            };
            desk.under_way.push(UnderWay {
                job: job.clone(),
                thread,
                since: Instant::now(),
                lost: false,
            });
            drop(desk);
            let source = self.source.as_deref();
            let result = catch_unwind(AssertUnwindSafe(|| picture(source, &job)))
                .unwrap_or_else(|_| Err("the decoder failed".into()));
            desk = self.desk();
            let here = desk.under_way.iter().position(|u| u.thread == thread);
            let lost = here.is_none_or(|at| desk.under_way.swap_remove(at).lost);
            if lost {
                return;
            }
            let Job { key, wish, .. } = job;
            desk.done.push_back(Answer { key, wish, result });
            drop(desk);
            // Its owner may have another one worked on.
            self.changed.notify_all();
            self.wake();
            desk = self.desk();
        }
    }
}

pub(super) struct Workers {
    shared: Arc<Shared>,
    patience: Duration,
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shared.desk().closed = true;
        self.shared.changed.notify_all();
    }
}

impl Workers {
    pub fn new(
        lanes: Lanes,
        source: Option<Arc<dyn MediaSource>>,
        waker: Option<PictureWaker>,
    ) -> Workers {
        let shared = Shared {
            desk: Mutex::default(),
            changed: Condvar::new(),
            lanes,
            source,
            waker,
        };
        Workers {
            shared: Arc::new(shared),
            patience: PATIENCE,
        }
    }

    /// Ask for a picture. False when no thread can take it.
    pub fn ask(&self, job: Job) -> bool {
        let mut desk = self.shared.desk();
        let hang = desk.lost().filter(|u| u.job.owner == job.owner).count();
        if desk.lost().count() >= MOST_LOST || hang >= MOST_LOST_OF_ONE {
            return false;
        }
        if desk.pending(&job.owner) >= MOST_WAITING {
            return false;
        }
        desk.waiting.push_back(job);
        self.man(&mut desk);
        if desk.threads == 0 {
            desk.waiting.clear();
            return false;
        }
        drop(desk);
        self.shared.changed.notify_all();
        true
    }

    /// Have as many threads as there is work for.
    fn man(&self, desk: &mut Desk) {
        while desk.waiting.len() > desk.idle && desk.threads < self.shared.lanes.all {
            desk.started += 1;
            let (shared, thread) = (self.shared.clone(), desk.started);
            let started = std::thread::Builder::new()
                .name("pictures".into())
                .spawn(move || shared.work(thread));
            if let Err(error) = started {
                tracing::warn!(%error, "pictures cannot be decoded");
                return;
            }
            desk.threads += 1;
        }
    }

    /// When [`Workers::answer`] gives up a picture that is worked on, if nothing comes before.
    pub fn deadline(&self) -> Option<Instant> {
        let desk = self.shared.desk();
        let worked_on = desk.under_way.iter().filter(|u| !u.lost);
        // One that waits is worked on from now on at the earliest.
        let waits = (!desk.waiting.is_empty()).then(Instant::now);
        let first = worked_on.map(|u| u.since).chain(waits).min();
        first.map(|since| since + self.patience)
    }

    /// The next picture that is done, or given up: one that a thread hangs on. Others get another thread.
    pub fn answer(&self) -> Option<Answer> {
        let mut desk = self.shared.desk();
        if let Some(answer) = desk.done.pop_front() {
            return Some(answer);
        }
        let now = Instant::now();
        let mut worked_on = desk.under_way.iter_mut().filter(|u| !u.lost);
        let hangs = worked_on.find(|u| u.since + self.patience <= now)?;
        hangs.lost = true;
        let hangs = hangs.job.clone();
        desk.threads -= 1;
        // Whose picture hangs does not get the next thread to hang too; and there is an end to threads.
        let enough = desk.lost().count() >= MOST_LOST;
        for job in std::mem::take(&mut desk.waiting) {
            if job.owner == hangs.owner || enough && desk.threads == 0 {
                let refused = Answer::refused(job, "another picture takes too long");
                desk.done.push_back(refused);
            } else {
                desk.waiting.push_back(job);
            }
        }
        if !enough {
            self.man(&mut desk);
        }
        drop(desk);
        // No thread says this: whoever waits for one of them is to hear of it all the same.
        self.shared.wake();
        Some(Answer::refused(hangs, "it takes too long"))
    }

    /// Wait until some picture is done. False when none is pending.
    pub fn wait(&self) -> bool {
        let desk = self.shared.desk();
        let worked_on = desk.under_way.iter().any(|u| !u.lost);
        if desk.waiting.is_empty() && desk.done.is_empty() && !worked_on {
            return false;
        }
        drop(desk);
        // `answer` takes what has arrived; here only time passes.
        std::thread::sleep(Duration::from_millis(1));
        true
    }
}

fn picture(source: Option<&dyn MediaSource>, job: &Job) -> Result<Decoded, String> {
    let most = host::MEDIA_MAX_BYTES;
    let src = &*job.key.src;
    let bytes = if data_url::is_one(src) {
        data_url::bytes(src, most).ok_or("a malformed data URL")?
    } else {
        let host = source.ok_or("no pictures are loaded here")?;
        match job.key.whose {
            Whose::Everybodys => host.load_here(src, most)?,
            Whose::Ones(_) => host.load_for(&job.owner, src, most)?,
        }
    };
    decode::decode(&bytes, job.side)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    const ONE: Lanes = Lanes { all: 1, of_one: 1 };

    /// Hangs on pictures of one name until it is let go.
    #[derive(Default)]
    struct Hanging {
        free: Mutex<bool>,
        freed: Condvar,
    }

    impl MediaSource for Hanging {
        fn is_here(&self, _: &str) -> bool {
            false
        }

        fn load_here(&self, _: &str, _: u64) -> Result<Vec<u8>, String> {
            Err("not here".into())
        }

        fn load_for(&self, _: &str, src: &str, _: u64) -> Result<Vec<u8>, String> {
            if src == "hangs" {
                let mut free = self.free.lock().unwrap();
                while !*free {
                    free = self.freed.wait(free).unwrap();
                }
            }
            Err("none".into())
        }
    }

    impl Hanging {
        fn go_on(&self) {
            *self.free.lock().unwrap() = true;
            self.freed.notify_all();
        }
    }

    fn job(src: &str, owner: &str) -> Job {
        let (whose, src) = (Whose::Ones(Some(owner.into())), src.into());
        Job {
            key: Key { whose, src },
            side: None,
            owner: owner.into(),
            wish: 0,
        }
    }

    fn next(workers: &mut Workers) -> (String, String) {
        loop {
            if let Some(answer) = workers.answer() {
                return (answer.key.src.to_string(), answer.result.err().unwrap());
            }
            workers.wait();
        }
    }

    #[test]
    fn a_picture_that_hangs_costs_its_owner_alone_and_only_while_it_does() {
        let source = Arc::new(Hanging::default());
        let mut workers = Workers::new(ONE, Some(source.clone()), None);
        let ask = |workers: &mut Workers, src: &str, owner: &str| workers.ask(job(src, owner));
        assert!(ask(&mut workers, "hangs", "bad"));
        assert!(ask(&mut workers, "second", "bad"));
        assert!(ask(&mut workers, "good", "other"));
        workers.patience = Duration::ZERO;
        assert_eq!(next(&mut workers).0, "hangs");
        workers.patience = PATIENCE;
        assert_eq!(next(&mut workers).0, "second");
        assert_eq!(next(&mut workers), ("good".into(), "none".into()));
        assert!(!ask(&mut workers, "third", "bad"));
        assert!(ask(&mut workers, "better", "other"));
        assert_eq!(next(&mut workers).0, "better");
        source.go_on();
        while !ask(&mut workers, "third", "bad") {
            std::thread::yield_now();
        }
        assert_eq!(next(&mut workers).0, "third");
    }

    #[test]
    fn so_many_pictures_of_one_owner_wait_and_others_do_not_pay_for_it() {
        let source = Arc::new(Hanging::default());
        let workers = Workers::new(ONE, Some(source.clone()), None);
        assert!((0..MOST_WAITING).all(|_| workers.ask(job("hangs", "bad"))));
        assert!(!workers.ask(job("more", "bad")));
        assert!(workers.ask(job("good", "other")));
        source.go_on();
    }

    #[test]
    fn patience_has_an_end_that_is_known_and_told_of_where_no_thread_tells_anything() {
        let source = Arc::new(Hanging::default());
        let (woken, wakes) = channel();
        let waker: PictureWaker = Arc::new(move || woken.send(()).unwrap());
        let mut workers = Workers::new(ONE, Some(source.clone()), Some(waker));
        assert_eq!(workers.deadline(), None, "nobody waits for anything");
        for src in ["hangs", "second"] {
            assert!(workers.ask(job(src, "bad")));
        }
        assert!(workers.deadline() > Some(Instant::now()) && workers.answer().is_none());
        workers.patience = Duration::ZERO;
        assert!(workers.deadline() <= Some(Instant::now()));
        assert_eq!(next(&mut workers).0, "hangs");
        assert_eq!(wakes.try_iter().count(), 1);
        assert_eq!(next(&mut workers).0, "second");
        assert_eq!(workers.deadline(), None);
        source.go_on();
    }

    #[test]
    fn what_one_owner_waits_for_holds_up_no_other() {
        let source = Arc::new(Hanging::default());
        let lanes = Lanes { all: 3, of_one: 2 };
        let mut workers = Workers::new(lanes, Some(source.clone()), None);
        for _ in 0..10 {
            assert!(workers.ask(job("hangs", "slow")));
        }
        for src in ["first", "second"] {
            assert!(workers.ask(job(src, "other")));
        }
        assert_eq!(next(&mut workers).0, "first");
        assert_eq!(next(&mut workers).0, "second");
        source.go_on();
        assert_eq!(next(&mut workers).0, "hangs");
    }

    #[test]
    fn the_owner_with_the_fewest_under_way_is_the_next() {
        let lanes = Lanes { all: 4, of_one: 2 };
        let mut desk = Desk::default();
        for (src, owner) in [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b")] {
            desk.waiting.push_back(job(src, owner));
        }
        let mut taken = Vec::new();
        while let Some(job) = desk.take(lanes) {
            taken.push(job.key.src.to_string());
            desk.under_way.push(UnderWay {
                job,
                thread: 0,
                since: Instant::now(),
                lost: false,
            });
        }
        assert_eq!(taken, ["a1", "b1", "a2"]);
        assert_eq!(desk.waiting.len(), 1, "no third one of an owner's");
    }
}
