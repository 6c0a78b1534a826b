//! The thread that loads and decodes. It starts with the first picture and sleeps between them; one that takes too long on a picture
//! is left behind and replaced.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use eui_core::host;

use super::decode::{self, Decoded};
use super::{MediaSource, PictureWaker, data_url};

/// A picture that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(20);
/// Threads left behind before pictures are refused altogether.
const MOST_LOST: u32 = 2;

struct Job {
    src: Arc<str>,
    side: Option<u32>,
}

pub(super) struct Answer {
    pub src: Arc<str>,
    pub result: Result<Decoded, String>,
}

/// One thread's two ends.
struct Line {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
}

#[derive(Default)]
pub(super) struct Workers {
    source: Option<Arc<dyn MediaSource>>,
    waker: Option<PictureWaker>,
    line: Option<Line>,
    /// What the thread has not answered yet, since when it has been asked or last answered.
    pending: HashMap<Arc<str>, u32>,
    since: Option<Instant>,
    lost: u32,
}

impl Workers {
    pub fn new(source: Option<Arc<dyn MediaSource>>, waker: Option<PictureWaker>) -> Workers {
        Workers {
            source,
            waker,
            ..Workers::default()
        }
    }

    /// Ask for a picture. False when no thread can take it.
    pub fn ask(&mut self, src: Arc<str>, side: Option<u32>) -> bool {
        if self.lost >= MOST_LOST {
            return false;
        }
        if self.line.is_none() {
            self.line = start(self.source.clone(), self.waker.clone());
        }
        let job = Job {
            src: src.clone(),
            side,
        };
        let sent = self.line.as_ref().is_some_and(|l| l.jobs.send(job).is_ok());
        if sent {
            *self.pending.entry(src).or_insert(0) += 1;
            self.since.get_or_insert_with(Instant::now);
        }
        sent
    }

    /// The next picture that is done.
    pub fn answer(&mut self) -> Option<Answer> {
        let answer = self.line.as_ref()?.answers.try_recv().ok()?;
        self.done(&answer.src);
        Some(answer)
    }

    fn done(&mut self, src: &str) {
        if let Some(n) = self.pending.get_mut(src) {
            *n -= 1;
            if *n == 0 {
                self.pending.remove(src);
            }
        }
        self.since = (!self.pending.is_empty()).then(Instant::now);
    }

    /// Has the thread been stuck too long while `src` waits? It is left behind then, and all that waited counts as late.
    pub fn is_late(&mut self, src: &str) -> bool {
        if self.since.is_some_and(|s| s.elapsed() > PATIENCE) {
            self.line = None;
            self.pending.clear();
            self.since = None;
            self.lost += 1;
        }
        !self.pending.contains_key(src)
    }

    /// Wait until some picture is done. False when none is pending.
    pub fn wait(&mut self) -> bool {
        if self.pending.is_empty() {
            return false;
        }
        // `answer` takes what has arrived; here only time passes.
        std::thread::sleep(Duration::from_millis(1));
        self.since.is_none_or(|s| s.elapsed() < PATIENCE)
    }
}

fn start(source: Option<Arc<dyn MediaSource>>, waker: Option<PictureWaker>) -> Option<Line> {
    let (jobs, inbox) = channel::<Job>();
    let (outbox, answers) = channel();
    std::thread::Builder::new()
        .name("pictures".into())
        .spawn(move || {
            // Ends when the owner drops its end.
            for Job { src, side } in inbox {
                let result =
                    catch_unwind(AssertUnwindSafe(|| picture(source.as_deref(), &src, side)))
                        .unwrap_or_else(|_| Err("the decoder failed".into()));
                if outbox.send(Answer { src, result }).is_err() {
                    return;
                }
                if let Some(wake) = &waker {
                    wake();
                }
            }
        })
        .map_err(|error| tracing::warn!(%error, "pictures cannot be decoded"))
        .ok()?;
    Some(Line { jobs, answers })
}

fn picture(
    source: Option<&dyn MediaSource>,
    src: &str,
    side: Option<u32>,
) -> Result<Decoded, String> {
    let most = host::MEDIA_MAX_BYTES;
    let is_data = src
        .get(..5)
        .is_some_and(|p| p.eq_ignore_ascii_case("data:"));
    let bytes = if is_data {
        data_url::bytes(src, most).ok_or("a malformed data URL")?
    } else {
        source
            .ok_or("no pictures are loaded here")?
            .load(src, most)?
    };
    decode::decode(&bytes, side)
}
