//! Answers are good for a minute: whoever reads the same meanwhile gets the same. Errors are never kept.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eui_core::host::canonical_json;
use serde_json::Value;

use super::reading::Reading;
use super::rule::May;

/// How long an answer is good for, and how often what is bound is read again.
pub const GOOD_FOR: Duration = Duration::from_secs(60);
/// How many answers are kept.
const MOST: usize = 256;
/// How long all answers together are at most, as JSON (bytes).
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// What is read, and by whom in the one respect that matters: who vouches for a tool reads what others may not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>);

impl Key {
    /// The key of a reading.
    pub fn of(reading: &Reading, may: May) -> Key {
        let whole = serde_json::json!([
            reading.server.as_str(),
            reading.tool,
            reading.arguments,
            may.vouched
        ]);
        Key(canonical_json(&whole).into())
    }
}

#[derive(Debug)]
struct Kept {
    value: Value,
    bytes: usize,
    at: Instant,
}

/// The answers of the last minute.
#[derive(Debug, Default)]
pub struct Cache(HashMap<Key, Kept>);

impl Cache {
    /// The answer to this, where it is still good.
    pub fn get(&self, key: &Key, now: Instant) -> Option<&Value> {
        let kept = self.0.get(key)?;
        is_good(kept, now).then_some(&kept.value)
    }

    /// Keep an answer. Those that are no longer good go, then the oldest, until all have room.
    pub fn put(&mut self, key: Key, value: Value, now: Instant) {
        self.0.remove(&key);
        self.0.retain(|_, kept| is_good(kept, now));
        let bytes = value.to_string().len();
        let mut all: usize = self.0.values().map(|kept| kept.bytes).sum();
        while self.0.len() >= MOST || (all + bytes > MOST_BYTES && !self.0.is_empty()) {
            let oldest = self.0.iter().min_by_key(|(_, kept)| kept.at);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                break;
            };
            all -= self.0.remove(&oldest).map_or(0, |kept| kept.bytes);
        }
        let at = now;
        self.0.insert(key, Kept { value, bytes, at });
    }

    /// Nothing that was answered counts any more: a name may stand for another server now.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

fn is_good(kept: &Kept, now: Instant) -> bool {
    now.saturating_duration_since(kept.at) < GOOD_FOR
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn key(source: &str, vouched: bool) -> Key {
        let reading = Reading::parse(source).unwrap();
        Key::of(&reading, May { vouched })
    }

    #[test]
    fn an_answer_is_good_for_a_minute_for_whoever_reads_the_same() {
        let start = Instant::now();
        let mut cache = Cache::default();
        cache.put(key("upstream:a/b?x=1&y=2", false), json!(7), start);
        let at = |seconds| start + Duration::from_secs(seconds);
        let got = |source, vouched, now| cache.get(&key(source, vouched), now).cloned();
        assert_eq!(got("upstream:a/b?y=2&x=1", false, at(59)), Some(json!(7)));
        assert_eq!(got("upstream:a/b?y=2&x=1", false, at(60)), None);
        for other in [
            "upstream:a/b?x=1",
            "upstream:a/b?x=1&y=%222%22",
            "upstream:a/c?x=1&y=2",
            "upstream:c/b?x=1&y=2",
        ] {
            assert_eq!(got(other, false, start), None, "{other}");
        }
        assert_eq!(
            got("upstream:a/b?x=1&y=2", true, start),
            None,
            "another's word"
        );
    }

    #[test]
    fn the_oldest_answers_make_room() {
        let start = Instant::now();
        let mut cache = Cache::default();
        let large = json!("x".repeat(1024 * 1024));
        for n in 0..20 {
            let now = start + Duration::from_secs(n);
            cache.put(
                key(&format!("upstream:a/b?n={n}"), false),
                large.clone(),
                now,
            );
        }
        let now = start + Duration::from_secs(20);
        let kept = |n: u64| {
            cache
                .get(&key(&format!("upstream:a/b?n={n}"), false), now)
                .is_some()
        };
        assert!(kept(19) && kept(13) && !kept(12) && !kept(0));
        for n in 0..1000 {
            cache.put(
                key(&format!("upstream:a/small?n={n}"), false),
                json!(n),
                now,
            );
        }
        assert_eq!(cache.0.len(), MOST);
    }
}
