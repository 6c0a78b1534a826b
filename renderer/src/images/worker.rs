//! The thread that loads and decodes. It starts with the first picture and sleeps between them; one that takes too long on a picture
//! is left behind and replaced, while not too many of them hang; whose picture it hangs on has to wait for it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use eui_core::host;

use super::decode::{self, Decoded};
use super::{MediaSource, PictureWaker, data_url};

/// A picture that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(20);
/// Threads of one owner's pictures, and of all, that may hang at a time. Beyond it its pictures are refused.
const MOST_LOST_OF_ONE: usize = 1;
const MOST_LOST: usize = 4;

/// Whose a picture is: what it costs is counted for them.
pub(super) type Owner = Arc<str>;

/// The most of one owner's pictures that wait.
const MOST_WAITING: usize = 256;

#[derive(Clone)]
pub(super) struct Job {
    /// What it is known by.
    pub key: Arc<str>,
    pub src: Arc<str>,
    pub side: Option<u32>,
    pub owner: Owner,
    /// The number of the wish.
    pub wish: u64,
}

pub(super) struct Answer {
    pub key: Arc<str>,
    pub wish: u64,
    pub result: Result<Decoded, String>,
}

/// One thread's two ends.
struct Line {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    /// Gone when the thread is.
    thread: Weak<()>,
}

pub(super) struct Workers {
    source: Option<Arc<dyn MediaSource>>,
    waker: Option<PictureWaker>,
    line: Option<Line>,
    /// What the thread has not answered yet, in its order.
    pending: VecDeque<Job>,
    /// Since when the first of them has been worked on.
    since: Option<Instant>,
    /// Threads left behind, by whose picture they hang on.
    lost: Vec<(Owner, Weak<()>)>,
    /// Asked for, and never to be answered.
    refused: Vec<Job>,
    patience: Duration,
}

impl Default for Workers {
    fn default() -> Workers {
        Workers::new(None, None)
    }
}

impl Workers {
    pub fn new(source: Option<Arc<dyn MediaSource>>, waker: Option<PictureWaker>) -> Workers {
        Workers {
            source,
            waker,
            line: None,
            pending: VecDeque::new(),
            since: None,
            lost: Vec::new(),
            refused: Vec::new(),
            patience: PATIENCE,
        }
    }

    /// Ask for a picture. False when no thread can take it.
    pub fn ask(&mut self, job: Job) -> bool {
        let owner = &job.owner;
        self.lost.retain(|(_, thread)| thread.strong_count() > 0);
        let hang = |of: &Owner| self.lost.iter().filter(|(other, _)| other == of).count();
        if self.lost.len() >= MOST_LOST || hang(owner) >= MOST_LOST_OF_ONE {
            return false;
        }
        if self.pending.iter().filter(|j| j.owner == *owner).count() >= MOST_WAITING {
            return false;
        }
        self.send(job)
    }

    fn send(&mut self, job: Job) -> bool {
        if self.line.is_none() {
            self.line = start(self.source.clone(), self.waker.clone());
        }
        let line = self.line.as_ref();
        let sent = line.is_some_and(|l| l.jobs.send(job.clone()).is_ok());
        if sent {
            self.pending.push_back(job);
            self.since.get_or_insert_with(Instant::now);
        }
        sent
    }

    /// When [`Workers::answer`] gives up the picture that is worked on, if nothing comes before.
    pub fn deadline(&self) -> Option<Instant> {
        Some(self.since? + self.patience)
    }

    /// The next picture that is done, or given up: the one the thread hangs on. Those behind it get another thread.
    pub fn answer(&mut self) -> Option<Answer> {
        if let Some(Job { key, wish, .. }) = self.refused.pop() {
            let result = Err("another picture of its owner's takes too long".into());
            return Some(Answer { key, wish, result });
        }
        let line = self.line.as_ref()?;
        if let Ok(answer) = line.answers.try_recv() {
            self.pending.pop_front();
            self.since = (!self.pending.is_empty()).then(Instant::now);
            return Some(answer);
        }
        if self.deadline().is_none_or(|at| Instant::now() < at) {
            return None;
        }
        let hangs = self.pending.pop_front()?;
        let waiting = std::mem::take(&mut self.pending);
        if let Some(line) = self.line.take() {
            self.lost.push((hangs.owner.clone(), line.thread));
        }
        self.since = None;
        for job in waiting {
            // Whose picture hangs does not get the next thread to hang too.
            if job.owner == hangs.owner || !self.send(job.clone()) {
                self.refused.push(job);
            }
        }
        // No thread says this: whoever waits for one of them is to hear of it all the same.
        if let Some(wake) = &self.waker {
            wake();
        }
        Some(Answer {
            key: hangs.key,
            wish: hangs.wish,
            result: Err("it takes too long".into()),
        })
    }

    /// Wait until some picture is done. False when none is pending.
    pub fn wait(&mut self) -> bool {
        if self.pending.is_empty() && self.refused.is_empty() {
            return false;
        }
        // `answer` takes what has arrived; here only time passes.
        std::thread::sleep(Duration::from_millis(1));
        true
    }
}

fn start(source: Option<Arc<dyn MediaSource>>, waker: Option<PictureWaker>) -> Option<Line> {
    let (jobs, inbox) = channel::<Job>();
    let (outbox, answers) = channel();
    let here = Arc::new(());
    let thread = Arc::downgrade(&here);
    std::thread::Builder::new()
        .name("pictures".into())
        .spawn(move || {
            let _here = here;
            // Ends when either end is dropped.
            for job in inbox {
                let result = catch_unwind(AssertUnwindSafe(|| picture(source.as_deref(), &job)))
                    .unwrap_or_else(|_| Err("the decoder failed".into()));
                let Job { key, wish, .. } = job;
                if outbox.send(Answer { key, wish, result }).is_err() {
                    return;
                }
                if let Some(wake) = &waker {
                    wake();
                }
            }
        })
        .map_err(|error| tracing::warn!(%error, "pictures cannot be decoded"))
        .ok()?;
    Some(Line {
        jobs,
        answers,
        thread,
    })
}

fn picture(source: Option<&dyn MediaSource>, job: &Job) -> Result<Decoded, String> {
    let (src, owner) = (&*job.src, &*job.owner);
    let most = host::MEDIA_MAX_BYTES;
    let is_data = src
        .get(..5)
        .is_some_and(|p| p.eq_ignore_ascii_case("data:"));
    let bytes = if is_data {
        data_url::bytes(src, most).ok_or("a malformed data URL")?
    } else {
        source
            .ok_or("no pictures are loaded here")?
            .load(owner, src, most)?
    };
    decode::decode(&bytes, job.side)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::{Condvar, Mutex};

    use super::*;

    /// Hangs on pictures of one name until it is let go.
    #[derive(Default)]
    struct Hanging {
        free: Mutex<bool>,
        freed: Condvar,
    }

    impl MediaSource for Hanging {
        fn load(&self, _: &str, src: &str, _most: u64) -> Result<Vec<u8>, String> {
            if src == "hangs" {
                let mut free = self.free.lock().unwrap();
                while !*free {
                    free = self.freed.wait(free).unwrap();
                }
            }
            Err("none".into())
        }
    }

    fn job(src: &str, owner: &str) -> Job {
        Job {
            key: src.into(),
            src: src.into(),
            side: None,
            owner: owner.into(),
            wish: 0,
        }
    }

    fn next(workers: &mut Workers) -> (String, String) {
        loop {
            if let Some(answer) = workers.answer() {
                return (answer.key.to_string(), answer.result.err().unwrap());
            }
            workers.wait();
        }
    }

    #[test]
    fn a_picture_that_hangs_costs_its_owner_alone_and_only_while_it_does() {
        let source = Arc::new(Hanging::default());
        let mut workers = Workers::new(Some(source.clone()), None);
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
        *source.free.lock().unwrap() = true;
        source.freed.notify_all();
        while !ask(&mut workers, "third", "bad") {
            std::thread::yield_now();
        }
        assert_eq!(next(&mut workers).0, "third");
    }

    #[test]
    fn so_many_pictures_of_one_owner_wait_and_others_do_not_pay_for_it() {
        let source = Arc::new(Hanging::default());
        let mut workers = Workers::new(Some(source.clone()), None);
        assert!((0..MOST_WAITING).all(|_| workers.ask(job("hangs", "bad"))));
        assert!(!workers.ask(job("more", "bad")));
        assert!(workers.ask(job("good", "other")));
        *source.free.lock().unwrap() = true;
        source.freed.notify_all();
    }

    #[test]
    fn patience_has_an_end_that_is_known_and_told_of_where_no_thread_tells_anything() {
        let source = Arc::new(Hanging::default());
        let (woken, wakes) = channel();
        let waker: PictureWaker = Arc::new(move || woken.send(()).unwrap());
        let mut workers = Workers::new(Some(source.clone()), Some(waker));
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
        *source.free.lock().unwrap() = true;
        source.freed.notify_all();
    }
}
