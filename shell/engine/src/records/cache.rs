//! What questions have read lately: the rows of the kinds, kept as they change. Bounded; the least recently used goes first.
//! Correctness never depends on it: a change is told by [`Cache::changed`], and whoever uses a table again brings it up to date with
//! what [`Kept::stale`] names.

use std::collections::HashSet;

use super::model::Change;
use super::sight::Sight;
use super::table::Table;

/// About 64 MiB of rows: two kinds of as many records as an app may have.
const LIMIT: usize = 64 * 1024 * 1024;
/// A table with more changes than this is read anew.
const STALE: usize = 4096;

/// The rows of a kind as somebody sees them.
#[derive(Debug)]
pub(super) struct Kept {
    pub of: Change,
    pub sight: Option<Sight>,
    pub table: Table,
    /// The records that were written since.
    pub stale: HashSet<String>,
}

/// Tables, the one used last at the end.
#[derive(Debug, Default)]
pub(super) struct Cache {
    tables: Vec<Kept>,
}

impl Cache {
    /// Take the table of a kind as it is seen with `sight`, to [`Cache::keep`] it again after use.
    pub fn take(&mut self, of: &Change, sight: Option<&Sight>) -> Option<Kept> {
        let same = |kept: &Kept| {
            kept.of == *of
                && match (&kept.sight, sight) {
                    (None, None) => true,
                    (Some(kept), Some(sight)) => kept.shows_as(sight),
                    _ => false,
                }
        };
        let at = self.tables.iter().position(same)?;
        Some(self.tables.remove(at))
    }

    /// Keep a table, for whoever asks next; one beyond the whole limit is kept until then.
    pub fn keep(&mut self, kept: Kept) -> &mut Table {
        let held = |tables: &[Kept]| tables.iter().map(|kept| kept.table.bytes()).sum::<usize>();
        while !self.tables.is_empty() && held(&self.tables) + kept.table.bytes() > LIMIT {
            self.tables.remove(0);
        }
        self.tables.push(kept);
        let last = self.tables.len() - 1;
        &mut self.tables[last].table
    }

    /// Records of a kind were written.
    pub fn changed(&mut self, of: &Change, records: &[String]) {
        for kept in self.tables.iter_mut().filter(|kept| kept.of == *of) {
            kept.stale.extend(records.iter().cloned());
        }
        self.tables
            .retain(|kept| kept.stale.len() <= STALE && !kept.table.is_worn());
    }

    /// Everything is stale.
    pub fn clear(&mut self) {
        self.tables.clear();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::app_id::AppId;
    use crate::records::Kind;
    use crate::records::table::Placed;
    use eui_core::host::RecordRow;
    use serde_json::Value;

    fn of(kind: &str) -> Change {
        Change {
            app: AppId::parse("a.b").unwrap(),
            kind: Kind::parse(kind).unwrap(),
        }
    }

    fn kept(kind: &str, bytes: usize) -> Kept {
        let row = RecordRow {
            id: "r".into(),
            kind: kind.into(),
            data: Value::Null,
            created_by: None,
            author_id: None,
            created_at: String::new(),
            updated_at: String::new(),
        };
        Kept {
            of: of(kind),
            sight: None,
            table: Table::of([Placed {
                place: 0,
                row,
                bytes,
            }]),
            stale: HashSet::new(),
        }
    }

    #[test]
    fn the_least_recently_used_kind_makes_room() {
        let mut cache = Cache::default();
        cache.keep(kept("old", LIMIT / 2));
        cache.keep(kept("other", LIMIT / 2));
        let old = cache.take(&of("old"), None).unwrap();
        cache.keep(old);
        cache.keep(kept("new", LIMIT / 4));
        assert!(cache.take(&of("other"), None).is_none());
        assert!(cache.take(&of("old"), None).is_some() && cache.take(&of("new"), None).is_some());
    }

    #[test]
    fn a_kind_with_too_many_changes_is_read_anew() {
        let mut cache = Cache::default();
        cache.keep(kept("k", 10));
        let many: Vec<String> = (0..=STALE).map(|n| n.to_string()).collect();
        cache.changed(&of("k"), &many[..1]);
        let kept = cache.take(&of("k"), None).unwrap();
        assert_eq!(kept.stale.len(), 1);
        cache.keep(kept);
        cache.changed(&of("k"), &many);
        assert!(cache.take(&of("k"), None).is_none());
    }
}
