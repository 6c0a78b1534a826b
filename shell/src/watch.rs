//! Watches folders for changes, the targets of symlinks in them included. Saves come as storms of events (write, rename, chmod): one
//! quiet moment later, or half a second into a storm that does not end, one call says that something is new.
//!
//! A folder is watched itself, not the files in it: a file that is renamed over is still seen. The folder above is watched for its name
//! alone, so that it is followed again when it is renamed away and made anew. So is every link on the way, of the folder and of what it
//! holds, and what is missing at a link's end: it is seen when it comes back. What editors put beside a file for a moment is no news.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::event::ModifyKind;
use notify::{Event, EventKind, RecursiveMode, Watcher};

/// How long a folder must be quiet. Long enough for an editor's save, short enough to feel live.
const QUIET: Duration = Duration::from_millis(60);
/// How many links on the way to one file are followed; the system gives up as early.
const LINKS: usize = 40;
/// How often the folders are looked through again as long as they change meanwhile. Whatever changes them later is seen.
const LOOKS: usize = 8;
/// How long changes wait at most while more of them come.
const LONGEST: Duration = Duration::from_millis(500);

/// Watch `folders` until the process ends, calling `changed` on a thread of its own: once at the beginning, for what was saved before the
/// watching began, then after each change.
pub fn watch(folders: &[&Path], changed: impl Fn() + Send + 'static) -> Result<(), String> {
    let (tx, rx) = mpsc::channel();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // Reading a file is no change; everything else may be one. Nobody listens once the thread has gone.
        if let Some(event) = event
            .ok()
            .filter(|e| !matches!(e.kind, EventKind::Access(_)))
        {
            let _ = tx.send(event);
        }
    })
    .map_err(|e| e.to_string())?;
    let mut follower = Follower {
        watcher,
        folders: folders.iter().map(|p| absolute(p)).collect(),
        watched: BTreeMap::new(),
    };
    follower.follow(&BTreeSet::new());
    std::thread::Builder::new()
        .name("ede-watch".into())
        .spawn(move || {
            changed();
            while let Some(moved) = next_change(&rx, |event| follower.matters(event)) {
                // Links may lead elsewhere now.
                follower.follow(&moved);
                changed();
            }
        })
        .map(drop)
        .map_err(|e| e.to_string())
}

/// Wait for an event that matters and for the quiet after it; the paths of all that mattered and may be other files or folders now.
/// `None` when no more can come.
fn next_change(
    events: &Receiver<Event>,
    matters: impl Fn(&Event) -> bool,
) -> Option<BTreeSet<PathBuf>> {
    let mut moved = BTreeSet::new();
    let mut began: Option<Instant> = None;
    loop {
        let wait = began.map(|b| QUIET.min(LONGEST.saturating_sub(b.elapsed())));
        let event = match wait {
            None => events.recv().ok()?,
            Some(wait) if wait.is_zero() => return Some(moved),
            Some(wait) => match events.recv_timeout(wait) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => return Some(moved),
                Err(RecvTimeoutError::Disconnected) => return None,
            },
        };
        if !matters(&event) {
            continue;
        }
        began.get_or_insert_with(Instant::now);
        if matches!(
            event.kind,
            EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        ) {
            moved.extend(event.paths);
        }
    }
}

/// Which names of a watched folder matter.
#[derive(Clone, Debug, Default, PartialEq)]
struct Names {
    /// Every one that is not hidden and no editor's copy.
    all: bool,
    these: BTreeSet<OsString>,
}

impl Names {
    fn contain(&self, name: &OsStr) -> bool {
        let passing = |bytes: &[u8]| bytes.starts_with(b".") || bytes.ends_with(b"~");
        self.these.contains(name) || (self.all && !passing(name.as_encoded_bytes()))
    }
}

/// A folder that is watched: which one it was then, and what of it matters.
struct Watched {
    inode: (u64, u64),
    names: Names,
}

struct Follower<W> {
    watcher: W,
    folders: Vec<PathBuf>,
    /// By their paths without links: one folder is watched once.
    watched: BTreeMap<PathBuf, Watched>,
}

impl<W: Watcher> Follower<W> {
    /// May the event be news? One without a path says that events were lost.
    fn matters(&self, event: &Event) -> bool {
        event.paths.is_empty() || event.paths.iter().any(|path| self.names(path))
    }

    fn names(&self, path: &Path) -> bool {
        let among = |folder, name| {
            let watched: Option<&Watched> = self.watched.get::<Path>(folder);
            watched.is_some_and(|w| w.names.contain(name))
        };
        self.watched.contains_key(path)
            || path
                .parent()
                .zip(path.file_name())
                .is_some_and(|(folder, name)| among(folder, name))
    }

    /// Watch the folders and wherever links in them lead. What is among `moved`, or is another folder than it was, is watched anew. What
    /// came to be before it was watched is found by looking again.
    fn follow(&mut self, moved: &BTreeSet<PathBuf>) {
        let mut wanted = self.wanted();
        self.watch(wanted.clone(), moved);
        for _ in 1..LOOKS {
            let now = self.wanted();
            if now == wanted {
                break;
            }
            wanted = now;
            self.watch(wanted.clone(), &BTreeSet::new());
        }
    }

    fn watch(&mut self, wanted: BTreeMap<PathBuf, Names>, moved: &BTreeSet<PathBuf>) {
        let watcher = &mut self.watcher;
        self.watched.retain(|path, was| {
            let stays = wanted.contains_key(path)
                && !moved.contains(path)
                && inode(path) == Some(was.inode);
            if !stays {
                // A folder that is gone is watched no more already.
                let _ = watcher.unwatch(path);
            }
            stays
        });
        for (path, names) in wanted {
            if let Some(watched) = self.watched.get_mut(&path) {
                watched.names = names;
                continue;
            }
            let Some(inode) = inode(&path) else { continue };
            match self.watcher.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.watched.insert(path, Watched { inode, names })),
                Err(error) => {
                    tracing::warn!(folder = %path.display(), "changes are not seen: {error}")
                }
            }
        }
    }

    /// What is to be watched now, and for which names.
    fn wanted(&self) -> BTreeMap<PathBuf, Names> {
        let mut wanted: BTreeMap<PathBuf, Names> = BTreeMap::new();
        for folder in &self.folders {
            let Some(folder) = trace(folder, &mut wanted) else {
                continue;
            };
            let Ok(listing) = std::fs::read_dir(&folder) else {
                continue;
            };
            let names = wanted.entry(folder).or_default();
            names.all = true;
            let all = names.clone();
            for entry in listing.flatten() {
                let link = entry.file_type().is_ok_and(|t| t.is_symlink());
                if link && all.contain(&entry.file_name()) {
                    trace(&entry.path(), &mut wanted);
                }
            }
        }
        wanted
    }
}

/// Go along an absolute path as the system does, and want to hear of what makes it lead elsewhere: of every link on it, of its last part,
/// and of the first that is missing. Where it leads, if it leads anywhere.
fn trace(path: &Path, wanted: &mut BTreeMap<PathBuf, Names>) -> Option<PathBuf> {
    let mut want = |folder: &Path, name: &OsStr| {
        let names = wanted.entry(folder.to_path_buf()).or_default();
        names.these.insert(name.to_owned());
    };
    let parts = |path: &Path| -> VecDeque<OsString> {
        let parts = path.components().map(|c| c.as_os_str().to_owned());
        parts.collect()
    };
    let (mut rest, mut links) = (parts(path), 0);
    let mut at = PathBuf::from("/");
    while let Some(part) = rest.pop_front() {
        match Path::new(&part).components().next() {
            Some(Component::RootDir) => at = PathBuf::from("/"),
            Some(Component::ParentDir) => drop(at.pop()),
            Some(Component::Normal(name)) => {
                let next = at.join(name);
                let target = std::fs::read_link(&next).ok();
                let there = std::fs::symlink_metadata(&next).is_ok();
                if target.is_some() || rest.is_empty() || !there {
                    want(&at, name);
                }
                if !there || links == LINKS {
                    return None;
                }
                match target {
                    Some(target) => {
                        links += 1;
                        let mut through = parts(&target);
                        through.append(&mut rest);
                        rest = through;
                    }
                    None => at = next,
                }
            }
            _ => {}
        }
    }
    Some(at)
}

/// A path from the root, links and all.
fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Which folder a path leads to.
fn inode(path: &Path) -> Option<(u64, u64)> {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.dev(), meta.ino()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;

    use super::*;

    /// Long enough for any machine; a test that passes never waits so long.
    const SOON: Duration = Duration::from_secs(20);

    /// Watches a folder; the first call, which comes at the beginning, is over.
    fn watched(folder: &Path) -> Receiver<()> {
        let (tx, rx) = mpsc::channel();
        watch(&[folder], move || {
            let _ = tx.send(());
        })
        .unwrap();
        rx.recv_timeout(SOON).unwrap();
        rx
    }

    #[test]
    fn what_was_saved_before_the_watching_began_is_told_at_the_beginning() {
        let dir = tempfile::tempdir().unwrap();
        watched(dir.path());
    }

    #[test]
    fn a_rename_over_a_file_and_a_write_through_a_link_are_seen() {
        let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(other.path().join("real.json"), "1").unwrap();
        std::os::unix::fs::symlink(other.path().join("real.json"), dir.path().join("link.json"))
            .unwrap();
        let rx = watched(dir.path());
        let seen = || rx.recv_timeout(SOON).is_ok();
        fs::write(dir.path().join("new"), "x").unwrap();
        fs::rename(dir.path().join("new"), dir.path().join("a.json")).unwrap();
        assert!(seen());
        fs::write(other.path().join("real.json"), "2").unwrap();
        assert!(seen());
    }

    #[test]
    fn what_a_link_leads_to_is_seen_when_it_comes_back_by_whatever_way() {
        let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = |to: &Path, at: PathBuf| std::os::unix::fs::symlink(to, at).unwrap();
        let (real, now) = (other.path().join("v1/real.json"), other.path().join("now"));
        for version in ["v1", "v2"] {
            fs::create_dir(other.path().join(version)).unwrap();
        }
        fs::write(&real, "1").unwrap();
        // Through a folder that is a link itself, and relative.
        link(Path::new("v1"), now.clone());
        link(&now.join("real.json"), dir.path().join("link.json"));
        let rx = watched(dir.path());
        let seen = || rx.recv_timeout(SOON).is_ok();
        let quiet = || while rx.recv_timeout(QUIET * 4).is_ok() {};
        fs::remove_file(&real).unwrap();
        assert!(seen());
        quiet();
        fs::write(&real, "2").unwrap();
        assert!(seen());
        quiet();
        // Another version takes its place, without the file first.
        fs::remove_file(&now).unwrap();
        link(Path::new("v2"), now.clone());
        assert!(seen());
        quiet();
        fs::write(other.path().join("v2/real.json"), "3").unwrap();
        assert!(seen());
        quiet();
        fs::remove_dir_all(other.path().join("v2")).unwrap();
        assert!(seen());
        quiet();
        fs::create_dir(other.path().join("v2")).unwrap();
        assert!(seen());
        quiet();
        fs::write(other.path().join("v2/real.json"), "4").unwrap();
        assert!(seen());
    }

    #[test]
    fn a_folder_that_is_a_link_is_followed_when_what_it_leads_to_is_made_again() {
        let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (folder, real) = (dir.path().join("ui"), other.path().join("dotfiles/ui"));
        fs::create_dir_all(&real).unwrap();
        std::os::unix::fs::symlink(&real, &folder).unwrap();
        let rx = watched(&folder);
        let seen = || rx.recv_timeout(SOON).is_ok();
        let quiet = || while rx.recv_timeout(QUIET * 4).is_ok() {};
        for gone in [real.as_path(), real.parent().unwrap()] {
            fs::write(folder.join("a.json"), "1").unwrap();
            assert!(seen());
            quiet();
            fs::remove_dir_all(gone).unwrap();
            assert!(seen());
            quiet();
            fs::create_dir_all(&real).unwrap();
            assert!(seen());
            quiet();
        }
        fs::write(folder.join("a.json"), "2").unwrap();
        assert!(seen());
    }

    /// Watches nothing, and makes a folder as it is asked for the first time.
    #[derive(Debug)]
    struct Late(Option<PathBuf>);

    impl Watcher for Late {
        fn new<F: notify::EventHandler>(_: F, _: notify::Config) -> notify::Result<Late> {
            Ok(Late(None))
        }

        fn watch(&mut self, _: &Path, _: RecursiveMode) -> notify::Result<()> {
            self.0
                .take()
                .into_iter()
                .for_each(|made| fs::create_dir_all(made).unwrap());
            Ok(())
        }

        fn unwatch(&mut self, _: &Path) -> notify::Result<()> {
            Ok(())
        }

        fn kind() -> notify::WatcherKind {
            notify::WatcherKind::NullWatcher
        }
    }

    #[test]
    fn a_folder_that_is_made_before_its_absence_is_watched_is_watched_itself() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().canonicalize().unwrap().join("ede/ui");
        let mut follower = Follower {
            watcher: Late(Some(folder.clone())),
            folders: vec![folder.clone()],
            watched: BTreeMap::new(),
        };
        follower.follow(&BTreeSet::new());
        assert!(follower.watched.contains_key(&folder));
    }

    #[test]
    fn a_folder_that_is_renamed_away_or_removed_is_followed_when_it_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let (above, folder) = (dir.path().join("ede"), dir.path().join("ede/ui"));
        fs::create_dir_all(&folder).unwrap();
        let rx = watched(&folder);
        let seen = || rx.recv_timeout(SOON).is_ok();
        fs::rename(&folder, dir.path().join("old")).unwrap();
        assert!(seen());
        fs::create_dir(&folder).unwrap();
        assert!(seen());
        fs::write(folder.join("a.json"), "1").unwrap();
        assert!(seen());
        // And with the folder above it.
        fs::remove_dir_all(&above).unwrap();
        assert!(seen());
        fs::create_dir_all(&folder).unwrap();
        assert!(seen());
        while rx.recv_timeout(QUIET * 4).is_ok() {}
        fs::write(folder.join("a.json"), "2").unwrap();
        assert!(seen());
    }

    fn event(path: PathBuf) -> Event {
        Event::new(EventKind::Modify(ModifyKind::Any)).add_path(path)
    }

    #[test]
    fn what_editors_leave_for_a_moment_and_what_lies_beside_a_links_target_is_no_news() {
        let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(other.path().join("real.json"), "1").unwrap();
        std::os::unix::fs::symlink(other.path().join("real.json"), dir.path().join("link.json"))
            .unwrap();
        // As Emacs locks a file.
        std::os::unix::fs::symlink("me@here.1234", dir.path().join(".#a.json")).unwrap();
        let mut follower = Follower {
            watcher: notify::recommended_watcher(|_| {}).unwrap(),
            folders: vec![dir.path().to_path_buf()],
            watched: BTreeMap::new(),
        };
        follower.follow(&BTreeSet::new());
        let matters = |path: PathBuf| follower.matters(&event(path));
        let target = other.path().canonicalize().unwrap();
        assert!(matters(dir.path().join("a.json")) && matters(target.join("real.json")));
        for (folder, name) in [
            (dir.path(), ".a.json.swp"),
            (dir.path(), "a.json~"),
            (dir.path(), ".#a.json"),
            (&target, "download.part"),
            (dir.path().parent().unwrap(), "neighbour"),
        ] {
            assert!(!matters(folder.join(name)), "{name}");
        }
        assert!(
            follower.matters(&Event::new(EventKind::Other)),
            "events were lost"
        );
    }

    #[test]
    fn a_storm_that_does_not_end_is_told_of_all_the_same() {
        let (tx, rx) = mpsc::channel();
        let over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let storm = std::thread::spawn({
            let over = over.clone();
            move || {
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    let _ = tx.send(event("a.json".into()));
                    std::thread::sleep(QUIET / 10);
                }
            }
        });
        let told = next_change(&rx, |_| true);
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        storm.join().unwrap();
        assert!(told.is_some());
    }
}
