//! The pictures that are known, each by whose it is and what it is called. What nothing shows is kept to a bound.

use std::collections::HashMap;
use std::sync::Arc;

use super::Picture;
use super::worker::Owner;

/// Decoded bytes kept when nothing shows them any more.
const KEPT_BYTES: usize = 24 * 1024 * 1024;
/// Sources known at once; beyond it the longest unused are forgotten.
pub(super) const MOST_SOURCES: usize = 1024;

/// Whose a picture is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Whose {
    /// It is in its source, or the host has it here: the same for whoever asks.
    Everybodys,
    /// From anywhere else: nobody but this owner is shown it (`None`: what no app owns).
    Ones(Option<Owner>),
}

/// What a picture is known by.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub whose: Whose,
    pub src: Arc<str>,
}

pub(super) struct Entry {
    pub picture: Picture,
    pub used: u64,
    /// Longest side a drawing was painted for, px; 0 for what has pixels of its own.
    pub drawn_for: u32,
    /// A sharper version of a drawing is being painted.
    pub sharpening: bool,
    /// The newest time it was asked for: an answer to an older one is none.
    pub asked: u64,
}

impl Entry {
    fn bytes(&self) -> usize {
        match &self.picture {
            Picture::Ready(bitmap) => bitmap.pixels.len(),
            _ => 0,
        }
    }

    /// Does nothing show it?
    fn is_idle(&self) -> bool {
        match &self.picture {
            Picture::Ready(bitmap) => Arc::strong_count(bitmap) == 1,
            Picture::Loading => false,
            Picture::Failed => true,
        }
    }
}

#[derive(Default)]
pub(super) struct Known(HashMap<Whose, HashMap<Arc<str>, Entry>>);

impl Known {
    pub fn get_mut(&mut self, whose: &Whose, src: &str) -> Option<&mut Entry> {
        self.0.get_mut(whose)?.get_mut(src)
    }

    pub fn insert(&mut self, key: Key, entry: Entry) {
        self.0.entry(key.whose).or_default().insert(key.src, entry);
    }

    /// Forget what is not everybody's.
    pub fn forget_ones_own(&mut self) {
        self.0.retain(|whose, _| *whose == Whose::Everybodys);
    }

    pub fn len(&self) -> usize {
        self.0.values().map(HashMap::len).sum()
    }

    /// Forget the longest unused that nothing shows, down to the bounds.
    pub fn forget_some(&mut self) {
        let (mut bytes, mut sources) = (0, self.len());
        for entry in self.0.values().flat_map(HashMap::values) {
            bytes += entry.bytes();
        }
        let fits = |bytes, sources| bytes <= KEPT_BYTES && sources < MOST_SOURCES;
        if fits(bytes, sources) {
            return;
        }
        let mut idle: Vec<(u64, Key)> = Vec::new();
        for (whose, pictures) in &self.0 {
            let unused = pictures.iter().filter(|(_, entry)| entry.is_idle());
            idle.extend(unused.map(|(src, entry)| {
                let (whose, src) = (whose.clone(), src.clone());
                (entry.used, Key { whose, src })
            }));
        }
        idle.sort_unstable_by_key(|(used, _)| *used);
        for (_, Key { whose, src }) in idle {
            if fits(bytes, sources) {
                break;
            }
            let of_one = self.0.get_mut(&whose);
            if let Some(entry) = of_one.and_then(|pictures| pictures.remove(&src)) {
                bytes -= entry.bytes();
                sources -= 1;
            }
        }
        self.0.retain(|_, pictures| !pictures.is_empty());
    }
}
