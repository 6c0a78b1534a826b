//! The thread on which calls are prepared and finished. Both may read and write files of apps, lay out a document or turn megabytes into
//! base64, which the thread that paints must not wait for. Each app's calls keep their order; apps take turns, so that none waits for
//! another's whole queue.
//!
//! Touches: the files of apps, by the store it is given.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use ede_engine::app_id::AppId;
use ede_engine::bridge::files::FileStore;
use ede_engine::broker::call::Prepared;

/// A call's next step; without the files where the session ends before it could be taken.
pub type Job = Box<dyn FnOnce(Option<&mut dyn FileStore>) -> Prepared + Send>;

/// A step that was taken: the call's number and how far it came.
pub type Taken = (u64, Prepared);

/// Hand over steps, and take them when they are done.
pub struct Worker {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
    taken: Mutex<Vec<Taken>>,
}

#[derive(Default)]
struct Queue {
    /// The app whose turn it is stands first; one without a job stands nowhere.
    apps: VecDeque<(AppId, VecDeque<(u64, Job)>)>,
    ended: bool,
}

impl Queue {
    fn put(&mut self, app: &AppId, number: u64, job: Job) {
        match self.apps.iter_mut().find(|(id, _)| id == app) {
            Some((_, jobs)) => jobs.push_back((number, job)),
            None => {
                let jobs = VecDeque::from([(number, job)]);
                self.apps.push_back((app.clone(), jobs));
            }
        }
    }

    fn next(&mut self) -> Option<(u64, Job)> {
        let (app, mut jobs) = self.apps.pop_front()?;
        let next = jobs.pop_front();
        if !jobs.is_empty() {
            self.apps.push_back((app, jobs));
        }
        next
    }
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Worker {
    /// Start the thread. `files` is only touched there; `done` is called there whenever there is something to [`Worker::take`]. The error
    /// is the system's, which has no thread left.
    pub fn start(
        mut files: impl FileStore + Send + 'static,
        done: impl Fn() + Send + 'static,
    ) -> std::io::Result<Worker> {
        let shared: Arc<Shared> = Arc::default();
        let mine = shared.clone();
        let thread = std::thread::Builder::new()
            .name("ede-calls".into())
            .spawn(move || work(&mine, &mut files, &done))?;
        Ok(Worker { shared, thread })
    }

    /// Have a step taken, after the others of the same app.
    pub fn put(&self, app: &AppId, number: u64, job: Job) {
        held(&self.shared.queue).put(app, number, job);
        self.shared.news.notify_one();
    }

    /// What has been done since the last time, in order.
    pub fn take(&self) -> Vec<Taken> {
        std::mem::take(&mut *held(&self.shared.taken))
    }

    /// Wait for the step under way, and take everything: what waited behind it came to nothing.
    pub fn end(self) -> Vec<Taken> {
        held(&self.shared.queue).ended = true;
        self.shared.news.notify_one();
        if self.thread.join().is_err() {
            tracing::error!("calls were lost on their way");
        }
        std::mem::take(&mut *held(&self.shared.taken))
    }
}

fn work(shared: &Shared, files: &mut dyn FileStore, done: &dyn Fn()) {
    loop {
        let mut queue = held(&shared.queue);
        let (ended, (number, job)) = loop {
            let ended = queue.ended;
            match queue.next() {
                Some(next) => break (ended, next),
                None if ended => return,
                None => {
                    let woken = shared.news.wait(queue);
                    queue = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        };
        drop(queue);
        let taken = match ended {
            true => (number, job(None)),
            false => (number, job(Some(files))),
        };
        held(&shared.taken).push(taken);
        done();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::mpsc;

    use ede_engine::bridge::files::{FileId, NewFile, StoreError};
    use ede_engine::broker::audit::Client;
    use ede_engine::broker::call::{Decided, Request};
    use ede_engine::broker::decide::Standing;

    use super::*;

    struct Nothing;

    impl FileStore for Nothing {
        fn get(&self, _: &AppId, _: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
            Ok(None)
        }

        fn put(&mut self, _: &AppId, _: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
            Err(StoreError::Unavailable)
        }
    }

    /// A call that came to its end.
    fn closed() -> Prepared {
        let request = Request {
            app: AppId::parse("acme.app").unwrap(),
            client: Client::Ui,
            name: "files.open".into(),
            arguments: serde_json::Value::Null,
        };
        let standing = Standing {
            manifest: &[],
            grants: &Default::default(),
            provided: &Default::default(),
            foreground: true,
        };
        match request.decide(&standing) {
            Decided::Refused(closed) => Prepared::Closed(closed),
            other => panic!("{other:?}"),
        }
    }

    fn numbers(taken: Vec<Taken>) -> Vec<u64> {
        taken.into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn an_apps_calls_keep_their_order_and_apps_take_turns() {
        let worker = Worker::start(Nothing, || {}).unwrap();
        let (busy, other) = (AppId::parse("acme.busy"), AppId::parse("acme.other"));
        let (busy, other) = (busy.unwrap(), other.unwrap());
        let (go, gate) = mpsc::channel::<()>();
        let first = move |_: Option<&mut dyn FileStore>| {
            gate.recv().unwrap();
            closed()
        };
        worker.put(&busy, 1, Box::new(first));
        for (app, number) in [(&busy, 2), (&busy, 3), (&busy, 4), (&other, 5), (&other, 6)] {
            worker.put(app, number, Box::new(|_| closed()));
        }
        go.send(()).unwrap();
        let order = numbers(worker.end());
        let of = |numbers: &[u64]| -> Vec<u64> {
            order
                .iter()
                .copied()
                .filter(|n| numbers.contains(n))
                .collect()
        };
        assert_eq!(of(&[1, 2, 3, 4]), [1, 2, 3, 4]);
        assert_eq!(of(&[5, 6]), [5, 6]);
        let place = |number| order.iter().position(|n| *n == number);
        assert!(place(5) < place(4), "{order:?}");
    }

    #[test]
    fn what_is_done_is_told_and_taken_once() {
        let (told, heard) = mpsc::channel();
        let worker = Worker::start(Nothing, move || told.send(()).unwrap()).unwrap();
        let app = AppId::parse("acme.app").unwrap();
        worker.put(&app, 1, Box::new(|_| closed()));
        heard.recv().unwrap();
        assert_eq!(numbers(worker.take()), [1]);
        worker.put(&app, 2, Box::new(|_| closed()));
        heard.recv().unwrap();
        assert_eq!(numbers(worker.end()), [2]);
    }

    #[test]
    fn the_end_waits_for_the_step_under_way_and_the_others_come_to_nothing() {
        let worker = Worker::start(Nothing, || {}).unwrap();
        let app = AppId::parse("acme.app").unwrap();
        let ((began, begun), (go, gate)) = (mpsc::channel(), mpsc::channel::<()>());
        let (had, files) = mpsc::channel();
        let first = had.clone();
        let first: Job = Box::new(move |files| {
            began.send(()).unwrap();
            gate.recv().unwrap();
            first.send(files.is_some()).unwrap();
            closed()
        });
        worker.put(&app, 0, first);
        begun.recv().unwrap();
        for number in 1..4 {
            let had = had.clone();
            let job: Job = Box::new(move |files| {
                had.send(files.is_some()).unwrap();
                closed()
            });
            worker.put(&app, number, job);
        }
        held(&worker.shared.queue).ended = true;
        go.send(()).unwrap();
        assert_eq!(numbers(worker.end()), [0, 1, 2, 3]);
        let had: Vec<bool> = files.try_iter().collect();
        assert_eq!(had, [true, false, false, false]);
        assert_eq!(Worker::start(Nothing, || {}).unwrap().end().len(), 0);
    }
}
