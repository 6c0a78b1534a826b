//! The fonts of the process: the bundled faces straight from the binary, the system's only once a text needs a glyph they lack.
//!
//! The system's list is read on a thread of its own; until it is there a missing glyph is a blank, afterwards [`Fonts::poll`]
//! says so and the texts concerned are shaped again. No file is opened twice and no face twice known: a system face that is
//! bundled too is left out.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use cosmic_text::{FontSystem, fontdb};

use super::fallback::{self, Faces};

/// Called from another thread when the system's fonts have been read: the owner of the engine should draw again.
pub type FontsWaker = Arc<dyn Fn() + Send + Sync>;

/// Faces compiled into the binary: the family a theme asks for and the bytes.
static BUNDLED: [&[u8]; 5] = [
    include_bytes!("../../../assets/fonts/Inter-Regular.otf"),
    include_bytes!("../../../assets/fonts/Inter-Medium.otf"),
    include_bytes!("../../../assets/fonts/Inter-SemiBold.otf"),
    include_bytes!("../../../assets/fonts/Inter-Bold.otf"),
    include_bytes!("../../../assets/fonts/GeistMono-Regular.ttf"),
];

pub(crate) const SANS: &str = "Inter";
pub(crate) const MONO: &str = "Geist Mono";

enum System {
    Unread,
    Reading(Receiver<fontdb::Database>),
    Read,
}

/// Owns the one font database of a thread.
pub struct Fonts {
    pub(super) system: FontSystem,
    pub(super) faces: Faces,
    state: System,
    waker: Option<FontsWaker>,
    families: HashMap<String, Arc<str>>,
}

impl Fonts {
    pub fn new() -> Fonts {
        let mut db = fontdb::Database::new();
        for face in BUNDLED {
            db.load_font_source(fontdb::Source::Binary(Arc::new(face)));
        }
        db.set_sans_serif_family(SANS);
        db.set_serif_family(SANS);
        db.set_monospace_family(MONO);
        let faces = Faces::new(&db);
        Fonts {
            system: FontSystem::new_with_locale_and_db(locale(), db),
            faces,
            state: System::Unread,
            waker: None,
            families: HashMap::new(),
        }
    }

    pub fn set_waker(&mut self, waker: FontsWaker) {
        self.waker = Some(waker);
    }

    /// The database, for a backend that shapes with a copy of it.
    pub fn database(&self) -> &fontdb::Database {
        self.system.db()
    }

    /// Is this one of the faces compiled into the binary?
    pub(super) fn is_bundled(&self, id: fontdb::ID) -> bool {
        let face = self.system.db().face(id);
        face.is_some_and(|f| matches!(f.source, fontdb::Source::Binary(_)))
    }

    /// The language texts are shaped in (`de-AT`).
    pub fn locale(&self) -> &str {
        self.system.locale()
    }

    /// Have the system's fonts been read?
    pub fn has_system_fonts(&self) -> bool {
        matches!(self.state, System::Read)
    }

    /// Some text needs more than the bundled faces: start reading the system's list, once.
    pub(super) fn want_system(&mut self) {
        if !matches!(self.state, System::Unread) {
            return;
        }
        let (tx, rx) = channel();
        let waker = self.waker.clone();
        let started = std::thread::Builder::new()
            .name("fonts".into())
            .spawn(move || {
                let mut db = fontdb::Database::new();
                db.load_system_fonts();
                // The engine may be gone by now; then nobody wants the list.
                if tx.send(db).is_ok()
                    && let Some(wake) = waker
                {
                    wake();
                }
            });
        self.state = match started {
            Ok(_) => System::Reading(rx),
            Err(error) => {
                tracing::warn!(%error, "the system's fonts cannot be read");
                System::Read
            }
        };
    }

    /// Take the system's list over if it has arrived. True when there are new faces.
    pub(super) fn poll(&mut self) -> bool {
        let System::Reading(rx) = &self.state else {
            return false;
        };
        match rx.try_recv() {
            Ok(db) => {
                self.adopt(&db);
                true
            }
            Err(TryRecvError::Empty) => false,
            Err(TryRecvError::Disconnected) => {
                self.state = System::Read;
                true
            }
        }
    }

    /// [`Fonts::poll`], waiting for a list that is being read.
    pub(super) fn wait(&mut self) -> bool {
        let System::Reading(rx) = &self.state else {
            return false;
        };
        match rx.recv() {
            Ok(db) => self.adopt(&db),
            Err(_) => self.state = System::Read,
        }
        true
    }

    fn adopt(&mut self, found: &fontdb::Database) {
        self.state = System::Read;
        self.families.clear();
        let known: Vec<_> = self.system.db().faces().map(face_name).collect();
        let db = self.system.db_mut();
        for face in found.faces().filter(|f| !known.contains(&face_name(f))) {
            db.push_face_info(face.clone());
        }
        self.faces = Faces::new(self.system.db());
    }

    /// The family a style's `fontFamily` is drawn with: a bundled one, else the system's, else Inter. The flag is set when only
    /// the system's fonts can tell and they have not been read yet.
    pub(super) fn family(&mut self, asked: Option<&str>) -> (Arc<str>, bool) {
        let Some(asked) = asked else {
            return (SANS.into(), false);
        };
        if let Some(found) = self.families.get(asked) {
            return (found.clone(), false);
        }
        let mut unsure = false;
        let mut chosen: Option<Arc<str>> = None;
        for name in asked.split(',').take(8) {
            let name = name.trim().trim_matches(['"', '\'']);
            let candidates = fallback::family_candidates(name);
            let known = candidates
                .iter()
                .copied()
                .chain(std::iter::once(name))
                .find_map(|n| self.faces.family(n));
            if known.is_some() {
                chosen = known;
                break;
            }
            if candidates.is_empty() && !name.is_empty() && !self.has_system_fonts() {
                unsure = true;
                self.want_system();
                break;
            }
        }
        let chosen = chosen.unwrap_or_else(|| SANS.into());
        if !unsure {
            if self.families.len() >= 256 {
                self.families.clear();
            }
            self.families.insert(asked.to_string(), chosen.clone());
        }
        (chosen, unsure)
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Fonts::new()
    }
}

/// What makes two faces the same to a person.
fn face_name(face: &fontdb::FaceInfo) -> (String, fontdb::Weight, fontdb::Style, fontdb::Stretch) {
    let family = face
        .families
        .first()
        .map(|(n, _)| n.clone())
        .unwrap_or_default();
    (family, face.weight, face.style, face.stretch)
}

/// The language texts without one of their own are shaped in (`de-AT`).
fn locale() -> String {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(|v| std::env::var(v).ok())
        .find(|v| !v.is_empty())
        .and_then(|l| l.split(['.', '@']).next().map(|l| l.replace('_', "-")))
        .filter(|l| l.len() > 1 && l != "POSIX")
        .unwrap_or_else(|| "en-US".into())
}
