//! The store: the handle everybody uses, and its thread. A question is a [`Pending`]: wait for it (the command line) or leave a
//! callback (the main loop, which must never block).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use super::answers::Answers;
use super::audit::Waiting;
use super::database::Database;
use super::error::StoreError;
use super::id::{IdSource, RandomIds};
use super::mailbox::{Mailbox, Next, Watch};
use super::model::{ActionId, Batch, Change, HistoryEntry, Kind, Receipt, Record, RecordId};
use super::moving::{self, Moving};
use super::query::{RecordsRequest, Viewer};
use super::{read, removed, sweep, undo};
use crate::app_id::AppId;
use crate::apps::Author;
use crate::blobs::{Blobs, Folder};
use crate::clock::Clock;
use crate::package::Package;

/// What a store needs to start.
pub struct StoreOptions {
    /// The database file. It and its folder are made when they are missing, private to this user.
    pub path: PathBuf,
    /// What time it is when something is written.
    pub clock: Arc<dyn Clock>,
    /// Ids of new records.
    pub ids: Box<dyn IdSource>,
    /// Hear of other processes' writes as they happen. Without it they are seen at the next question.
    pub watch: bool,
    /// How long a question waits while another process holds the database.
    pub patience: Duration,
}

impl StoreOptions {
    /// The usual options for the database at `path`; not watching.
    pub fn new(path: impl Into<PathBuf>, clock: Arc<dyn Clock>) -> StoreOptions {
        StoreOptions {
            path: path.into(),
            clock,
            ids: Box::new(RandomIds::default()),
            watch: false,
            patience: Duration::from_secs(5),
        }
    }

    /// The same, watching.
    pub fn watched(mut self) -> StoreOptions {
        self.watch = true;
        self
    }
}

/// Something the store tells without being asked.
#[derive(Debug, Clone, PartialEq)]
pub enum StoreEvent {
    /// Records of these kinds changed, in this process or another.
    Changed(Vec<Change>),
    /// The person decided about a scope of an app, or took a decision back, in this process or another.
    Decided,
    /// The whole database is another one, or all records of an app came or went: everything read from it is stale.
    Replaced,
    /// Records of an app are on their way to its new version.
    Moving(Moving),
    /// A record of the app has no way to its new version ([`StoreError::NotMoved`]): it and others stay as they are.
    NotMoved(AppId, StoreError),
    /// An app has this many records now, and will not be let have many more ([`super::MOST_RECORDS`]).
    Filling(AppId, usize),
    /// Records cannot be read or written as they should. Each trouble is told once.
    Trouble(StoreError),
    /// The last trouble is over: what could not be read can be asked again.
    Mended,
}

type Listener = Box<dyn FnMut(&StoreEvent) + Send>;

/// Listeners, called on the store's thread.
type Listeners = Mutex<Vec<Listener>>;

/// The records, from any thread. Clones share one database and one thread, which ends with the last of them, after what was
/// asked before.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    mailbox: Arc<Mailbox>,
    answers: Arc<Answers>,
    /// Rows of the audit on their way.
    waiting: Arc<Waiting>,
    blobs: Folder,
    listeners: Arc<Listeners>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.mailbox.stop();
        let thread = self
            .thread
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        // A callback may hold the last handle: the thread does not wait for itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id())
        {
            let _ = thread.join();
        }
    }
}

impl Store {
    /// Start the store's thread. The database is opened by the first question, so this does not fail for its sake and does not
    /// wait for it. The error is the system's, which has no thread or descriptor left.
    pub fn start(options: StoreOptions) -> std::io::Result<Store> {
        let mailbox = Arc::new(Mailbox::new()?);
        let listeners: Arc<Listeners> = Arc::default();
        let blobs = Folder::beside(&options.path);
        let answers = Arc::new(Answers::of(&options.path));
        let (jobs, heard, known) = (mailbox.clone(), listeners.clone(), answers.clone());
        let thread = thread::Builder::new()
            .name("ede-records".into())
            .spawn(move || serve(options, known, &jobs, &heard))?;
        Ok(Store(Arc::new(Inner {
            mailbox,
            answers,
            waiting: Arc::default(),
            blobs,
            listeners,
            thread: Mutex::new(Some(thread)),
        })))
    }

    /// Call `listener` with every event from now on, on the store's thread. It must not wait for the store.
    pub fn listen(&self, listener: impl FnMut(&StoreEvent) + Send + 'static) {
        self.0
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Box::new(listener));
    }

    /// The files of apps.
    pub fn blobs(&self) -> Blobs {
        Blobs::new(self.clone(), self.0.blobs.clone())
    }

    pub(super) fn waiting(&self) -> &Arc<Waiting> {
        &self.0.waiting
    }

    pub(super) fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Pending<T> {
        Pending {
            store: self.clone(),
            question: Box::new(question),
        }
    }

    /// Write a batch: all of it, in one transaction, or none.
    pub fn commit(&self, batch: Batch) -> Pending<Receipt> {
        self.ask(move |database| database.commit(&batch))
    }

    /// Move one batch of the records that older versions of the app wrote to `package`'s version; to be asked again while some are
    /// left. Makes no database where there is none.
    ///
    /// # Errors
    /// [`StoreError::NotMoved`]: one has no way there; the batch it is in has not moved.
    pub fn move_records(&self, package: Arc<Package>) -> Pending<Moving> {
        self.ask(move |database| {
            let (app, zone) = (package.id().clone(), database.zone());
            if !database.exists() {
                let (moved, left) = (0, 0);
                return Ok(Moving { app, moved, left });
            }
            let done =
                database.write(|connection, now, _| moving::step(connection, &package, now, &zone));
            match &done {
                Ok(moving) if moving.moved > 0 => {
                    database.tell(StoreEvent::Moving(moving.clone()));
                }
                Err(error @ StoreError::NotMoved { .. }) => {
                    database.tell(StoreEvent::NotMoved(app, error.clone()));
                }
                _ => {}
            }
            done
        })
    }

    /// [`Store::move_records`] without waiting, until none is left: what the shell does at its start, in case an install was cut short.
    pub fn move_all(&self, package: Arc<Package>) {
        let store = self.clone();
        self.move_records(package.clone())
            .then(move |moved| match moved {
                Ok(moving) if moving.left > 0 => store.move_all(package),
                // What went wrong is told to the listeners.
                Ok(_) | Err(_) => {}
            });
    }

    /// Take an action back. Refused when a record it touched was written since. What comes back is moved to the version of `installed`,
    /// the app's package, where there is one.
    pub fn undo(
        &self,
        app: AppId,
        action: ActionId,
        actor: String,
        installed: Option<Arc<Package>>,
    ) -> Pending<Receipt> {
        self.ask(move |database| {
            let zone = database.zone();
            let undone = database.write(|connection, now, _| {
                let now = (now, &zone);
                undo::undo(connection, &app, action, &actor, installed.as_deref(), now)
            })?;
            if let Some(error) = undone.not_moved {
                database.tell(StoreEvent::NotMoved(app, error));
            }
            Ok(undone.receipt)
        })
    }

    /// The value of a records source where it was asked lately and nothing it is made of has changed since, in this process or another.
    /// Asks nobody and waits for no answer, so what is newly shown has it in its first frame. Always `None` where the store does not
    /// watch the file ([`StoreOptions::watched`]): who asks a closed program's database has to read it.
    pub fn known(&self, request: &RecordsRequest, viewer: &Viewer) -> Option<Arc<Value>> {
        let settled = self.0.mailbox.is_settled();
        settled
            .then(|| self.0.answers.find_from_outside(request, viewer))
            .flatten()
    }

    /// The value of a records source; the same one again as long as nothing it is made of changes.
    pub fn value(&self, request: RecordsRequest, viewer: Viewer) -> Pending<Arc<Value>> {
        self.ask(move |database| database.value(&request, &viewer))
    }

    /// The live records of an app, or of one kind; by kind, oldest first.
    pub fn list(&self, app: AppId, kind: Option<Kind>) -> Pending<Vec<Record>> {
        self.ask(move |database| {
            database.read(|connection| read::list(connection, &app, kind.as_ref()))
        })
    }

    /// The deleted records of an app, newest first.
    pub fn trash(&self, app: AppId) -> Pending<Vec<Record>> {
        self.ask(move |database| database.read(|connection| sweep::trash(connection, &app)))
    }

    /// How many live records of each kind an app has.
    pub fn kinds(&self, app: AppId) -> Pending<Vec<(Kind, u64)>> {
        self.ask(move |database| database.read(|connection| read::kinds(connection, &app)))
    }

    /// What was done to one record, newest first.
    pub fn history(&self, app: AppId, record: RecordId) -> Pending<Vec<HistoryEntry>> {
        self.ask(move |database| {
            database.read(|connection| read::history(connection, &app, &record))
        })
    }

    /// An app was removed: its records wait for 30 days, for its author and for the person ([`Store::removed`]) alone.
    pub fn set_aside(&self, app: AppId, author: Author) -> Pending<()> {
        self.ask(move |database| {
            database.write(|connection, now, _| removed::set_aside(connection, &app, &author, now))
        })
    }

    /// `author`'s version of an app was installed: its records that wait are the app's again. `anew`: there was no version before.
    pub fn give_back(&self, app: AppId, author: Author, anew: bool) -> Pending<()> {
        self.ask(move |database| {
            database.write(|connection, _, _| removed::give_back(connection, &app, &author, anew))
        })
    }

    /// The ids that the records of removed versions of an app wait under, the newest first.
    pub fn removed(&self, app: AppId) -> Pending<Vec<AppId>> {
        self.ask(move |database| database.read(|connection| removed::kept(connection, &app)))
    }

    /// Remove for good what has been in the trash, or belongs to a removed app, for 30 days; answers how many records went. Makes
    /// no database where there is none. Files of apps go with what they belong to.
    pub fn sweep(&self) -> Pending<usize> {
        let folder = self.0.blobs.clone();
        self.ask(move |database| {
            if !database.exists() {
                return Ok(0);
            }
            database.write(|connection, now, _| sweep::sweep(connection, &folder, now))
        })
    }

    /// [`Store::sweep`] without waiting: what the shell does at its start and with every new day.
    pub fn tidy(&self) {
        self.sweep().then(|swept| match swept {
            Ok(0) => {}
            Ok(records) => {
                tracing::info!(records, "records deleted thirty days ago are gone for good")
            }
            // Trouble with the database is told to the listeners; tomorrow is early enough to try again.
            Err(error) => tracing::debug!("the records were not swept: {error}"),
        });
    }
}

type Question<T> = Box<dyn FnOnce(&mut Database) -> Result<T, StoreError> + Send>;

/// A question the store has not been asked yet: [`Pending::wait`] or [`Pending::then`] asks it.
#[must_use = "nothing is asked until `wait` or `then`"]
pub struct Pending<T> {
    store: Store,
    question: Question<T>,
}

impl<T: Send + 'static> Pending<T> {
    /// Ask and block until the answer is here. Never from a callback of the store.
    pub fn wait(self) -> Result<T, StoreError> {
        let (answer, heard) = mpsc::sync_channel(1);
        self.then(move |outcome| {
            let _ = answer.send(outcome);
        });
        heard.recv().unwrap_or(Err(StoreError::Stopped))
    }

    /// Ask and go on; `done` is called with the answer, once, on the store's thread (or here, when the store has stopped).
    pub fn then(self, done: impl FnOnce(Result<T, StoreError>) + Send + 'static) {
        let question = self.question;
        self.store.0.mailbox.push(Box::new(move |database| {
            done(database.map_or(Err(StoreError::Stopped), question))
        }));
    }
}

/// The store's thread.
fn serve(options: StoreOptions, answers: Arc<Answers>, mailbox: &Mailbox, listeners: &Listeners) {
    let StoreOptions {
        path,
        clock,
        ids,
        watch,
        patience,
    } = options;
    let mut watcher = None;
    // A write was seen that could not be looked at yet, because it was still going on.
    let mut unseen = false;
    let mut database = Database::new(path.clone(), patience, clock, ids, answers);
    loop {
        match mailbox.next() {
            Next::Job(job) => run(job, &mut database),
            Next::Stop => return,
            Next::Sleep => {
                // The folder may come to be with the first write; until then there is nothing to watch.
                if watch
                    && watcher.is_none()
                    && let Ok(new) = Watch::new(&path)
                {
                    watcher = Some(Arc::new(new));
                    unseen = !database.look();
                } else if mailbox.wait(watcher.as_ref(), unseen.then_some(patience)) || unseen {
                    unseen = !database.look();
                }
            }
        }
        if deliver(&mut database, listeners) {
            watcher = None;
        }
    }
}

/// Run one job. A panic in it or in its callback ends that job alone; its asker hears that no answer will come.
fn run(job: super::mailbox::Job, database: &mut Database) {
    if catch_unwind(AssertUnwindSafe(|| job(Some(database)))).is_err() {
        tracing::error!("a question to the records panicked");
        database.close();
    }
}

/// Tell the listeners. `true`: the database was replaced, and with it perhaps the folder being watched.
fn deliver(database: &mut Database, listeners: &Listeners) -> bool {
    let mut replaced = false;
    for event in database.take_events() {
        replaced |= event == StoreEvent::Replaced;
        let mut listeners = listeners.lock().unwrap_or_else(PoisonError::into_inner);
        // A listener that panics is not called again; the others go on.
        listeners
            .retain_mut(|listener| catch_unwind(AssertUnwindSafe(|| listener(&event))).is_ok());
    }
    replaced
}
