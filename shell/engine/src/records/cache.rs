//! Parsed rows of the kinds that were asked for lately, so that a repeated query does not parse the same JSON again. Bounded in
//! bytes; the least recently used goes first. Correctness never depends on it: a change drops its kind.

use std::collections::HashMap;
use std::sync::Arc;

use eui_core::host::RecordRow;

use super::model::Change;

/// About 16 MiB of rows.
const LIMIT: usize = 16 * 1024 * 1024;

#[derive(Debug)]
struct Entry {
    rows: Arc<Vec<RecordRow>>,
    bytes: usize,
    used: u64,
}

/// Rows by (app, kind).
#[derive(Debug, Default)]
pub(super) struct RowCache {
    entries: HashMap<Change, Entry>,
    bytes: usize,
    clock: u64,
}

impl RowCache {
    pub fn get(&mut self, of: &Change) -> Option<Arc<Vec<RecordRow>>> {
        self.clock += 1;
        let entry = self.entries.get_mut(of)?;
        entry.used = self.clock;
        Some(entry.rows.clone())
    }

    /// Keep `rows` (holding about `bytes`); rows beyond the whole limit are not kept.
    pub fn put(&mut self, of: Change, rows: Arc<Vec<RecordRow>>, bytes: usize) {
        self.drop_kind(&of);
        if bytes > LIMIT {
            return;
        }
        while self.bytes + bytes > LIMIT {
            let Some(oldest) = self
                .entries
                .iter()
                .min_by_key(|(_, entry)| entry.used)
                .map(|(of, _)| of.clone())
            else {
                break;
            };
            self.drop_kind(&oldest);
        }
        self.bytes += bytes;
        self.entries.insert(
            of,
            Entry {
                rows,
                bytes,
                used: self.clock,
            },
        );
    }

    pub fn drop_kind(&mut self, of: &Change) {
        if let Some(entry) = self.entries.remove(of) {
            self.bytes -= entry.bytes;
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::app_id::AppId;
    use crate::records::Kind;

    fn of(kind: &str) -> Change {
        Change {
            app: AppId::parse("a.b").unwrap(),
            kind: Kind::parse(kind).unwrap(),
        }
    }

    #[test]
    fn the_least_recently_used_kind_makes_room() {
        let mut cache = RowCache::default();
        cache.put(of("old"), Arc::default(), LIMIT / 2);
        cache.put(of("kept"), Arc::default(), LIMIT / 2);
        cache.get(&of("old"));
        cache.get(&of("kept"));
        cache.get(&of("old"));
        cache.put(of("new"), Arc::default(), LIMIT / 4);
        assert!(cache.get(&of("kept")).is_none());
        assert!(cache.get(&of("old")).is_some() && cache.get(&of("new")).is_some());
        assert!(cache.bytes <= LIMIT);
    }

    #[test]
    fn rows_beyond_the_limit_are_not_kept_and_push_nothing_out() {
        let mut cache = RowCache::default();
        cache.put(of("small"), Arc::default(), 10);
        cache.put(of("huge"), Arc::default(), LIMIT + 1);
        assert!(cache.get(&of("huge")).is_none() && cache.get(&of("small")).is_some());
    }
}
