//! Bytes broken at random: a good input with a few changes is nearer to what a parser takes than any bytes are. Shared by the tests that
//! feed somebody rubbish.

use proptest::prelude::*;
use proptest::sample::Index;

/// One of these inputs with one to five changes.
pub fn one_of(inputs: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let changed = (
        prop::sample::select(inputs),
        prop::collection::vec(change(), 1..6),
    );
    changed.prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|c| apply(&mut bytes, c));
        bytes
    })
}

/// One change to some bytes.
#[derive(Debug, Clone)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Cut(Index, Index),
    /// A part of it once more, elsewhere.
    Copy(Index, Index, Index),
    End(Index),
}

/// What is more likely to matter than any bytes.
const WORDS: [&str; 20] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "null",
    "true",
    "-0.0",
    "1e999",
    "9007199254740993",
    "\\u0000",
    "\u{202e}",
    "%00",
    "&",
    "=",
    "${",
    "\n",
    ";",
];

fn change() -> impl Strategy<Value = Change> {
    let word = prop::sample::select(&WORDS[..]).prop_map(|w| w.as_bytes().to_vec());
    let bytes = prop::collection::vec(any::<u8>(), 1..8);
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, b)| Change::Set(at, b)),
        (any::<Index>(), prop_oneof![word, bytes]).prop_map(|(at, b)| Change::Insert(at, b)),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Change::Cut(a, b)),
        (any::<Index>(), any::<Index>(), any::<Index>())
            .prop_map(|(a, b, c)| Change::Copy(a, b, c)),
        any::<Index>().prop_map(Change::End),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    // Also behind the last one.
    let at = |index: &Index, bytes: &[u8]| index.index(bytes.len() + 1);
    let range = |a: &Index, b: &Index, bytes: &[u8]| {
        let (a, b) = (at(a, bytes), at(b, bytes));
        a.min(b)..a.max(b)
    };
    match change {
        Change::Set(index, byte) => {
            let n = at(index, bytes);
            if let Some(there) = bytes.get_mut(n) {
                *there = *byte;
            }
        }
        Change::Insert(index, new) => {
            let n = at(index, bytes);
            bytes.splice(n..n, new.iter().copied());
        }
        Change::Cut(a, b) => drop(bytes.drain(range(a, b, bytes))),
        Change::Copy(a, b, to) => {
            let (part, n) = (bytes[range(a, b, bytes)].to_vec(), at(to, bytes));
            bytes.splice(n..n, part);
        }
        Change::End(index) => bytes.truncate(at(index, bytes)),
    }
}
