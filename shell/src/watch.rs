//! Watches folders for changes, the targets of symlinks in them included. Saves come as storms of events (write, rename, chmod): one
//! quiet moment later one call says that something is new.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// How long a folder must be quiet. Long enough for an editor's save, short enough to feel live.
const QUIET: Duration = Duration::from_millis(60);

/// Watch `folders` until the process ends, calling `changed` on a thread of its own. Folders are watched themselves, not the files in
/// them: a file that is renamed over is still seen.
pub fn watch(folders: &[&Path], changed: impl Fn() + Send + 'static) -> Result<(), String> {
    let (tx, rx) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file is no change; everything else may be one.
        if event.is_ok_and(|e| !matches!(e.kind, EventKind::Access(_))) {
            let _ = tx.send(());
        }
    })
    .map_err(|e| e.to_string())?;
    let folders: Vec<PathBuf> = folders.iter().map(|p| p.to_path_buf()).collect();
    let mut watched = BTreeSet::new();
    follow(&mut watcher, &folders, &mut watched);
    std::thread::Builder::new()
        .name("ede-watch".into())
        .spawn(move || {
            while rx.recv().is_ok() {
                loop {
                    match rx.recv_timeout(QUIET) {
                        Ok(()) => {}
                        Err(RecvTimeoutError::Timeout) => break,
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
                // Links may lead elsewhere now.
                follow(&mut watcher, &folders, &mut watched);
                changed();
            }
        })
        .map(drop)
        .map_err(|e| e.to_string())
}

/// Watch the folders and wherever links in them lead.
fn follow(watcher: &mut RecommendedWatcher, folders: &[PathBuf], watched: &mut BTreeSet<PathBuf>) {
    let mut wanted: BTreeSet<PathBuf> = folders.iter().cloned().collect();
    for entry in folders
        .iter()
        .filter_map(|f| std::fs::read_dir(f).ok())
        .flatten()
        .flatten()
    {
        if entry.file_type().is_ok_and(|t| t.is_symlink())
            && let Ok(target) = entry.path().canonicalize()
        {
            wanted.extend(target.parent().map(Path::to_path_buf));
        }
    }
    for gone in watched.difference(&wanted) {
        let _ = watcher.unwatch(gone);
    }
    watched.retain(|p| wanted.contains(p));
    for new in wanted {
        if !watched.contains(&new) {
            match watcher.watch(&new, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    watched.insert(new);
                }
                Err(error) => {
                    tracing::warn!(folder = %new.display(), "changes are not seen: {error}")
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_rename_over_a_file_and_a_write_through_a_link_are_seen() {
        let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(other.path().join("real.json"), "1").unwrap();
        std::os::unix::fs::symlink(other.path().join("real.json"), dir.path().join("link.json"))
            .unwrap();
        let (tx, rx) = mpsc::channel();
        watch(&[dir.path()], move || {
            let _ = tx.send(());
        })
        .unwrap();
        let seen = || rx.recv_timeout(Duration::from_secs(20)).is_ok();
        std::fs::write(dir.path().join("new"), "x").unwrap();
        std::fs::rename(dir.path().join("new"), dir.path().join("a.json")).unwrap();
        assert!(seen());
        std::fs::write(other.path().join("real.json"), "2").unwrap();
        assert!(seen());
    }
}
