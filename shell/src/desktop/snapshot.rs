//! The file that brings windows back: the instances of apps and what their windows showed. It lies in the runtime folder, which ends with
//! the login, so that it outlives the shell and not the session.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use ede_engine::files;
use ede_engine::instances::{InstanceId, Instances, Snapshot};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::screens::Visit;

/// The largest file that is read (bytes).
const MOST: usize = 4 * 1024 * 1024;

/// The longest parameters of a screen that are kept (bytes); a window with longer ones comes back without.
const MOST_PARAMS: usize = 16 * 1024;

/// What was open when the last shell of this session ended.
#[derive(Debug)]
pub struct Kept {
    pub table: Instances,
    /// The screen each instance's window showed.
    pub windows: BTreeMap<InstanceId, Visit>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    instances: Snapshot,
    windows: BTreeMap<InstanceId, Window>,
    /// The windows are being opened again; where this is found, that ended the shell.
    opening: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    screen: String,
    params: Value,
}

/// Why nothing comes back.
#[derive(Debug, thiserror::Error)]
enum Damaged {
    #[error(transparent)]
    Unreadable(#[from] files::FileError),
    #[error("its snapshot makes no sense, {0}")]
    Senseless(#[from] serde_json::Error),
    #[error(transparent)]
    Strange(#[from] ede_engine::instances::SnapshotError),
    #[error("the shell ended while it opened them the last time")]
    EndedIt,
}

/// Where the snapshot lies; nowhere for a shell that keeps none. It is written on a thread of its own, the newest alone.
#[derive(Debug, Default)]
pub struct SnapshotFile {
    path: Option<PathBuf>,
    /// What is in it, or will be.
    last: Vec<u8>,
    writer: Option<Writer>,
}

impl SnapshotFile {
    pub fn new(path: PathBuf) -> SnapshotFile {
        SnapshotFile {
            path: Some(path),
            ..SnapshotFile::default()
        }
    }

    /// Does this shell keep one?
    pub fn is_kept(&self) -> bool {
        self.path.is_some()
    }

    /// What an earlier shell left. A damaged file is one line, and nothing comes back.
    pub fn read(&self) -> Option<Kept> {
        let path = self.path.as_ref().filter(|path| path.exists())?;
        let read = || -> Result<Kept, Damaged> {
            let form: Form = serde_json::from_slice(&files::read_regular(path, MOST)?)?;
            if form.opening {
                return Err(Damaged::EndedIt);
            }
            let visit = |Window { screen, params }| Visit { screen, params };
            let windows = form.windows.into_iter().map(|(id, w)| (id, visit(w)));
            Ok(Kept {
                table: form.instances.restore()?,
                windows: windows.collect(),
            })
        };
        let kept = read();
        if let Err(error) = &kept {
            tracing::warn!("the windows that were open are not opened again: {error}");
        }
        kept.ok()
    }

    /// The bytes of a snapshot.
    pub fn bytes(
        instances: &Snapshot,
        windows: impl Iterator<Item = (InstanceId, Visit)>,
        opening: bool,
    ) -> Vec<u8> {
        let window = |(id, visit): (InstanceId, Visit)| {
            let Visit { screen, params } = visit;
            let fits = params.to_string().len() <= MOST_PARAMS;
            let params = if fits { params } else { Value::Null };
            (id, Window { screen, params })
        };
        let form = Form {
            instances: instances.clone(),
            windows: windows.map(window).collect(),
            opening,
        };
        // Maps with texts as keys alone: it can be written.
        serde_json::to_vec(&form).unwrap_or_default()
    }

    /// Keep these bytes, unless they are kept already, soon.
    pub fn write(&mut self, bytes: Vec<u8>) {
        let kept = self.last == bytes && self.writer.as_ref().is_none_or(|w| !w.has_failed());
        let Some(path) = self.path.as_ref().filter(|_| !kept) else {
            return;
        };
        self.last = bytes.clone();
        let writer = self.writer.get_or_insert_with(|| Writer::to(path.clone()));
        writer.write(bytes);
    }

    /// Wait until what is to be kept is in the file, as far as it can be.
    pub fn wait(&self) {
        if let Some(writer) = &self.writer {
            writer.wait();
        }
    }
}

/// Puts bytes into a file. What comes while it is at one takes the place of what waits. Dropped, it ends after the last one.
#[derive(Debug)]
struct Writer {
    desk: Arc<Desk>,
    path: PathBuf,
    /// `None` where the system gives no thread: then it is written here.
    thread: Option<JoinHandle<()>>,
}

/// What a writer is given.
#[derive(Debug, Default)]
struct Desk {
    given: Mutex<Given>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Given {
    next: Option<Vec<u8>>,
    writing: bool,
    /// The last ones could not be written.
    failed: bool,
    ends: bool,
}

impl Desk {
    fn given(&self) -> MutexGuard<'_, Given> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, waits: impl Fn(&Given) -> bool) -> MutexGuard<'_, Given> {
        let given = self.changed.wait_while(self.given(), |given| waits(given));
        given.unwrap_or_else(PoisonError::into_inner)
    }

    /// Write what is given, until the end.
    fn serve(&self, path: &Path) {
        let mut told = false;
        loop {
            let mut given = self.wait_while(|given| given.next.is_none() && !given.ends);
            let Some(bytes) = given.next.take() else {
                return;
            };
            given.writing = true;
            drop(given);
            let put = put(path, &bytes);
            if let Err(error) = &put
                && !std::mem::replace(&mut told, true)
            {
                tracing::warn!("open windows would not come back after a restart: {error}");
            }
            let mut given = self.given();
            (given.writing, given.failed) = (false, put.is_err());
            drop(given);
            self.changed.notify_all();
        }
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), files::FileError> {
    files::replace(path, bytes, files::PRIVATE_FILE)
}

impl Writer {
    fn to(path: PathBuf) -> Writer {
        let desk = Arc::<Desk>::default();
        let (its, to) = (desk.clone(), path.clone());
        let thread = thread::Builder::new()
            .name("ede-snapshot".into())
            .spawn(move || its.serve(&to));
        let thread = thread
            .inspect_err(|error| tracing::warn!("snapshots are written in between: {error}"))
            .ok();
        Writer { desk, path, thread }
    }

    fn write(&self, bytes: Vec<u8>) {
        if self.thread.is_some() {
            self.desk.given().next = Some(bytes);
            self.desk.changed.notify_all();
            return;
        }
        let put = put(&self.path, &bytes);
        if let Err(error) = &put {
            tracing::warn!("open windows would not come back after a restart: {error}");
        }
        self.desk.given().failed = put.is_err();
    }

    /// Could what was given last not be written? It is worth another try then.
    fn has_failed(&self) -> bool {
        self.desk.given().failed
    }

    fn wait(&self) {
        drop(
            self.desk
                .wait_while(|given| given.next.is_some() || given.writing),
        );
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.desk.given().ends = true;
        self.desk.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::PermissionsExt;

    use ede_engine::app_id::AppId;
    use ede_engine::instances::Launch;
    use serde_json::json;

    use super::*;
    use crate::capabilities::host::Chance;

    fn table(apps: &[&str]) -> Instances {
        let mut table = Instances::default();
        for app in apps {
            let launch = Launch::by_person(AppId::parse(app).unwrap());
            let launched = table.launch(launch, &mut Chance, jiff::Timestamp::UNIX_EPOCH);
            launched.unwrap();
        }
        table
    }

    fn visit(params: Value) -> Visit {
        Visit {
            screen: "main".into(),
            params,
        }
    }

    #[test]
    fn what_was_open_comes_back_from_a_file_of_ones_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("instances.json");
        let mut file = SnapshotFile::new(path.clone());
        assert!(file.read().is_none(), "nothing was there yet");
        let table = table(&["acme.a", "acme.b"]);
        let [a, b] = [0, 1].map(|n| table.all()[n].instance_id.clone());
        let shows = [
            (a.clone(), visit(json!({"id": "t-1"}))),
            (b.clone(), visit(json!("x".repeat(MOST_PARAMS)))),
        ];
        let bytes = SnapshotFile::bytes(&table.snapshot(), shows.into_iter(), false);
        file.write(bytes);
        file.wait();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let kept = SnapshotFile::new(path).read().unwrap();
        assert_eq!(kept.table.all().len(), 2);
        assert_eq!(kept.windows[&a], visit(json!({"id": "t-1"})));
        assert_eq!(kept.windows[&b], visit(Value::Null));
    }

    #[test]
    fn what_makes_no_sense_or_ended_the_shell_before_brings_nothing_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("instances.json");
        let mut file = SnapshotFile::new(path.clone());
        let good = SnapshotFile::bytes(&table(&["acme.a"]).snapshot(), std::iter::empty(), false);
        let text = String::from_utf8(good.clone()).unwrap();
        for bad in [
            String::new(),
            text[..text.len() / 2].into(),
            text.replace("\"opening\":false", "\"opening\":true"),
            text.replace("\"version\":1", "\"version\":2"),
            text.replace("\"opening\"", "\"more\":1,\"opening\""),
            "x".repeat(MOST + 1),
        ] {
            std::fs::write(&path, &bad).unwrap();
            assert!(file.read().is_none(), "{}", &bad[..bad.len().min(80)]);
        }
        file.write(good);
        file.wait();
        assert!(file.read().is_some());
        assert!(SnapshotFile::default().read().is_none());
    }

    #[test]
    fn what_could_not_be_written_is_tried_again_when_it_is_given_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("later/instances.json");
        let mut file = SnapshotFile::new(path.clone());
        file.write(b"windows".to_vec());
        file.wait();
        assert!(!path.exists());
        std::fs::create_dir(folder.path().join("later")).unwrap();
        for _ in 0..2 {
            file.write(b"windows".to_vec());
            file.wait();
            assert_eq!(std::fs::read(&path).unwrap(), b"windows");
        }
    }

    #[test]
    fn whatever_was_given_meanwhile_the_newest_is_in_the_file_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("instances.json");
        let mut file = SnapshotFile::new(path.clone());
        for n in 0..200 {
            file.write(format!("first {n}").into_bytes());
        }
        file.wait();
        assert_eq!(std::fs::read(&path).unwrap(), b"first 199");
        for n in 0..200 {
            file.write(format!("then {n}").into_bytes());
        }
        // The end of the shell waits for it too.
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), b"then 199");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn nobody_waits_for_ever_for_what_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = SnapshotFile::new(folder.path().join("none/instances.json"));
        file.write(b"x".to_vec());
        file.wait();
        assert!(file.read().is_none());
    }
}
