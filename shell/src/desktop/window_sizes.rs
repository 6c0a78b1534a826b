//! The size each app's window had last, kept in a small file of the shell's own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ede_engine::app_id::AppId;
use ede_engine::files;
use ede_renderer::geometry::Size;

/// The largest file of sizes that is read (bytes).
const MOST: usize = 64 * 1024;

/// Apps whose size is kept; the file stays small whatever is installed and removed.
const MOST_APPS: usize = 500;

#[derive(Debug, Default)]
pub struct WindowSizes {
    path: Option<PathBuf>,
    sizes: BTreeMap<String, [f32; 2]>,
    dirty: bool,
}

impl WindowSizes {
    /// The sizes kept at `path`; a missing or damaged file is an empty one.
    pub fn open(path: PathBuf) -> WindowSizes {
        let sizes = files::read_regular(&path, MOST)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        WindowSizes {
            path: Some(path),
            sizes,
            dirty: false,
        }
    }

    pub fn get(&self, app: &AppId) -> Option<Size> {
        let [w, h] = *self.sizes.get(app.as_str())?;
        (w >= 1.0 && h >= 1.0).then(|| Size::new(w, h))
    }

    pub fn set(&mut self, app: &AppId, size: Size) {
        let size = [size.w, size.h];
        let room = self.sizes.len() < MOST_APPS || self.sizes.contains_key(app.as_str());
        if room && self.sizes.insert(app.as_str().into(), size) != Some(size) {
            self.dirty = true;
        }
    }

    /// Write the file if anything changed: when a window closes and when the shell ends.
    pub fn save(&mut self) {
        let Some(path) = self.path.as_ref().filter(|_| self.dirty) else {
            return;
        };
        self.dirty = false;
        let saved = serde_json::to_vec_pretty(&self.sizes)
            .map_err(|e| e.to_string())
            .and_then(|b| files::replace(path, &b, 0o600).map_err(|e| e.to_string()));
        if let Err(error) = saved {
            tracing::warn!("the sizes of windows are not remembered: {error}");
        }
    }
}

impl Drop for WindowSizes {
    fn drop(&mut self) {
        self.save();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_size_survives_the_shell() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("windows.json");
        let app = AppId::parse("ede.hours").unwrap();
        let mut sizes = WindowSizes::open(path.clone());
        sizes.set(&app, Size::new(800.0, 600.0));
        drop(sizes);
        assert_eq!(
            WindowSizes::open(path.clone()).get(&app),
            Some(Size::new(800.0, 600.0))
        );
        std::fs::write(&path, "rubbish").unwrap();
        assert_eq!(WindowSizes::open(path).get(&app), None);
    }
}
