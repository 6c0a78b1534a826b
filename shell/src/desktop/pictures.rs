//! Where pictures come from. From the person's disk only those the session itself named: a package may spell the same name and gets the same
//! picture, and no other file. Of the files apps keep each app's own, for it alone. From other machines what the person lets an app connect
//! to, for that app.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ede_engine::app_id::AppId;
use ede_engine::attachments;
use ede_engine::blobs::Blobs;
use ede_engine::bridge::files::{FileId, FileStore};
use ede_engine::documents::Fit;
use ede_engine::files;
use ede_renderer::geometry::{Rect, Size};
use ede_renderer::images::{Bitmap, MediaSource};

use crate::capabilities::http::RemotePictures;

/// The sources that may be read, with the file each stands for.
#[derive(Clone, Debug, Default)]
pub struct Pictures(Arc<Mutex<BTreeMap<String, PathBuf>>>);

impl Pictures {
    /// Allow a file; answers the source it is drawn by.
    pub fn allow(&self, path: &Path) -> String {
        let source = format!("session-picture:{}", path.display());
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(source.clone(), path.to_path_buf());
        source
    }

    fn file(&self, src: &str) -> Option<PathBuf> {
        let allowed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        allowed.get(src).cloned()
    }
}

/// All kinds, as the renderer asks for them.
#[derive(Clone, Default)]
pub struct Media {
    pub own: Pictures,
    /// The files of apps, where there are any.
    pub kept: Option<Blobs>,
    pub remote: RemotePictures,
}

impl Media {
    /// A file that `owner` keeps.
    fn load_kept(&self, owner: &str, file: &FileId) -> Result<Vec<u8>, String> {
        let none = || format!("{owner} keeps no such file");
        let app = AppId::parse(owner).map_err(|_| none())?;
        let kept = self.kept.as_ref().ok_or_else(none)?;
        let found = kept.get(&app, file).map_err(|error| error.to_string())?;
        found.ok_or_else(none)
    }
}

impl MediaSource for Media {
    fn is_here(&self, src: &str) -> bool {
        self.own.file(src).is_some()
    }

    fn load_here(&self, src: &str, most: u64) -> Result<Vec<u8>, String> {
        let path = self
            .own
            .file(src)
            .ok_or("the session names no such picture")?;
        files::read_regular(&path, usize::try_from(most).unwrap_or(usize::MAX))
            .map_err(|e| e.to_string())
    }

    fn load_for(&self, owner: &str, src: &str, most: u64) -> Result<Vec<u8>, String> {
        let Some(file) = attachments::file_at(src) else {
            return self.remote.load(owner, src, most);
        };
        let bytes = self.load_kept(owner, &file)?;
        if bytes.len() as u64 > most {
            return Err(format!("the picture has more than {most} bytes"));
        }
        Ok(bytes)
    }
}

/// The file a session's wallpaper names: absolute, below the home folder (`~/`), or beside the document.
pub fn resolve(path: &str, beside: &Path) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(rest) => std::env::var_os("HOME")
            .map(PathBuf::from)
            .unwrap_or_default()
            .join(rest),
        None => beside.join(path),
    }
}

/// Where a picture goes on an output of this size, and which part of it: pairs of place (px) and part (pixels of the picture).
pub fn fitted(bitmap: &Bitmap, size: Size, fit: Fit) -> Vec<(Rect, Rect)> {
    let own = bitmap.size();
    if own.w <= 0.0 || own.h <= 0.0 || size.w <= 0.0 || size.h <= 0.0 {
        return Vec::new();
    }
    let all = Rect::of_size(size);
    let place = |s: Size| all.centered(s);
    let scaled = |f: f32| Size::new(own.w * f, own.h * f);
    let (wide, high) = (size.w / own.w, size.h / own.h);
    let whole = bitmap.pixels_of(Rect::of_size(own));
    match fit {
        Fit::Cover => {
            let f = wide.max(high);
            let part = Rect::of_size(own).centered(Size::new(size.w / f, size.h / f));
            vec![(all, bitmap.pixels_of(part))]
        }
        Fit::Contain => vec![(place(scaled(wide.min(high))), whole)],
        Fit::Centre => vec![(place(own), whole)],
        Fit::Tile => {
            let (columns, rows) = (
                (size.w / own.w).ceil() as u32,
                (size.h / own.h).ceil() as u32,
            );
            // A picture of one pixel would be a million tiles: it is a colour, drawn large.
            if columns.saturating_mul(rows) > 4096 {
                return vec![(all, whole)];
            }
            (0..rows)
                .flat_map(|r| (0..columns).map(move |c| (c, r)))
                .map(|(c, r)| {
                    (
                        Rect::new(c as f32 * own.w, r as f32 * own.h, own.w, own.h),
                        whole,
                    )
                })
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_pictures_the_session_named_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("wall.png");
        std::fs::write(&file, b"bytes").unwrap();
        let media = Media::default();
        let load = |src: &str| match media.is_here(src) {
            true => media.load_here(src, 100),
            false => media.load_for("acme.app", src, 100),
        };
        let named = format!("session-picture:{}", file.display());
        assert!(load(&named).is_err() && media.load_here(&named, 100).is_err());
        assert_eq!(media.own.allow(&file), named);
        assert_eq!(load(&named).unwrap(), b"bytes");
        for other in [
            "session-picture:/etc/passwd",
            "/etc/passwd",
            "file:///etc/passwd",
            "https://one.example/a.png",
            " https://one.example/a.png",
        ] {
            assert!(!media.is_here(other) && load(other).is_err(), "{other}");
        }
    }

    #[test]
    fn an_apps_files_are_its_own_pictures_by_one_spelling() {
        use ede_engine::bridge::files::NewFile;
        use ede_engine::clock::FixedClock;
        use ede_engine::records::{Store, StoreOptions};
        let dir = tempfile::tempdir().unwrap();
        let clock = FixedClock("2026-10-01T09:30:00[UTC]".parse().unwrap());
        let options = StoreOptions::new(dir.path().join("records.db"), Arc::new(clock));
        let mut blobs = Store::start(options).unwrap().blobs();
        let new = NewFile {
            name: "a.png".into(),
            mime_type: "image/png".into(),
            bytes: b"bytes".to_vec(),
        };
        let app = AppId::parse("acme.app").unwrap();
        let id = blobs.put(&app, vec![new]).unwrap().remove(0);
        let src = attachments::address(&id);
        assert!(Media::default().load_for("acme.app", &src, 100).is_err());
        let media = Media {
            kept: Some(blobs),
            ..Media::default()
        };
        assert!(!media.is_here(&src), "it is nobody else's");
        assert_eq!(media.load_for("acme.app", &src, 5).unwrap(), b"bytes");
        assert!(media.load_for("acme.app", &src, 4).is_err());
        for owner in ["acme.spy", "a preview", ""] {
            assert!(media.load_for(owner, &src, 100).is_err(), "{owner}");
        }
        for other in [
            src.to_uppercase(),
            format!(" {src}"),
            format!("{src}?"),
            src.replace("attachments/", "attachments/../attachments/"),
        ] {
            assert!(media.load_for("acme.app", &other, 100).is_err(), "{other}");
        }
    }

    #[test]
    fn a_cover_fills_the_output_and_a_contained_picture_is_whole() {
        let bitmap = Bitmap::new(200, 100, vec![0; 200 * 100 * 4]);
        let size = Size::new(100.0, 100.0);
        assert_eq!(
            fitted(&bitmap, size, Fit::Cover),
            vec![(
                Rect::new(0.0, 0.0, 100.0, 100.0),
                Rect::new(50.0, 0.0, 100.0, 100.0)
            )]
        );
        assert_eq!(
            fitted(&bitmap, size, Fit::Contain),
            vec![(
                Rect::new(0.0, 25.0, 100.0, 50.0),
                Rect::new(0.0, 0.0, 200.0, 100.0)
            )]
        );
        assert_eq!(fitted(&bitmap, size, Fit::Tile).len(), 1);
        assert_eq!(
            fitted(
                &Bitmap::new(1, 1, vec![0; 4]),
                Size::new(1000.0, 1000.0),
                Fit::Tile
            )
            .len(),
            1
        );
    }
}
