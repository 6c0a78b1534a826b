//! Ids of new records: UUIDs of version 7, so that ids made one after the other sort in that order (the tie breaker of every
//! query) and the index grows at its end.

use std::fs::File;
use std::io::{self, BufReader, Read};

use jiff::Timestamp;

use super::model::RecordId;

/// Makes the ids of new records. A test may pass its own.
pub trait IdSource: Send {
    /// An id that no record should have yet, for one made at `now`; where one has it all the same, another is asked for.
    fn next(&mut self, now: Timestamp) -> io::Result<RecordId>;
}

/// UUIDs of version 7 from the system's random source.
#[derive(Debug, Default)]
pub struct RandomIds {
    source: Option<BufReader<File>>,
    /// The milliseconds and the counter of the newest id: ids within one millisecond still ascend.
    last: (u64, u16),
}

/// How many bytes are drawn at once: an import makes thousands of ids.
const AT_ONCE: usize = 512;

/// The counter takes twelve bits of the id.
const COUNTER_MAX: u16 = 0x0fff;

impl IdSource for RandomIds {
    fn next(&mut self, now: Timestamp) -> io::Result<RecordId> {
        let source = match &mut self.source {
            Some(source) => source,
            none => none.insert(BufReader::with_capacity(
                AT_ONCE,
                File::open("/dev/urandom")?,
            )),
        };
        let mut random = [0; 8];
        source.read_exact(&mut random)?;
        let milliseconds = u64::try_from(now.as_millisecond()).unwrap_or(0);
        self.last = match self.last {
            (last, counter) if last >= milliseconds && counter < COUNTER_MAX => (last, counter + 1),
            (last, _) if last >= milliseconds => (last + 1, 0),
            _ => (milliseconds, 0),
        };
        let (time, counter) = self.last;
        let tail = u64::from_be_bytes(random) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
        let text = format!(
            "{:08x}-{:04x}-7{counter:03x}-{:04x}-{:012x}",
            (time >> 16) & 0xffff_ffff,
            time & 0xffff,
            tail >> 48,
            tail & 0xffff_ffff_ffff
        );
        RecordId::parse(&text).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn ids_are_version_7_uuids_that_ascend_even_within_a_millisecond() {
        let mut ids = RandomIds::default();
        let now = Timestamp::from_millisecond(1_790_000_000_123).unwrap();
        let made: Vec<String> = (0..5000)
            .map(|_| ids.next(now).unwrap().to_string())
            .collect();
        assert!(
            made.is_sorted(),
            "5000 ids in one millisecond run over into the next and still ascend"
        );
        assert!(made.windows(2).all(|pair| pair[0] != pair[1]));
        let id = &made[0];
        assert_eq!((id.len(), &id[14..15]), (36, "7"));
        assert!("89ab".contains(&id[19..20]));
        assert_eq!(
            i64::from_str_radix(&id[..13].replace('-', ""), 16).unwrap(),
            now.as_millisecond()
        );
    }
}
