//! The id of an app: what its files, its records, its grants and its audit rows are kept under.

use std::fmt;
use std::sync::Arc;

use crate::artifacts::call as artifacts;
use crate::interactions::call as interactions;

/// Dotted lower-case words like `acme.hours`. Safe as a file name by construction.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AppId(Arc<str>);

/// Names of the shell's own that an app may not take.
const RESERVED: [&str; 4] = ["shell", "surface", "interaction", "artifact"];

/// A text that is no app id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no app id: an app id is dotted lower-case words like acme.hours")]
pub struct InvalidAppId(pub String);

impl AppId {
    /// The id that `text` spells.
    pub fn parse(text: &str) -> Result<AppId, InvalidAppId> {
        let word = |(index, word): (usize, &str)| {
            let first = |c: char| c.is_ascii_lowercase() || (index > 0 && c.is_ascii_digit());
            (1..=32).contains(&word.len())
                && word.starts_with(first)
                && word
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        let fits = text.split('.').count() <= 5
            && text.split('.').enumerate().all(word)
            && !RESERVED.contains(&text);
        if fits {
            Ok(AppId(text.into()))
        } else {
            Err(InvalidAppId(text.into()))
        }
    }

    /// Under which the audit keeps what agents call of the shell itself, by the family of tools: no app may take it. `None` where there is no
    /// such family.
    pub fn of_family(name: &str) -> Option<AppId> {
        let families = [interactions::FAMILY, artifacts::FAMILY];
        families.contains(&name).then(|| AppId(name.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Is it one of the ids kept for what the shell ships (`ede.…`)?
    pub fn is_reserved(&self) -> bool {
        self.0.starts_with("ede.") || &*self.0 == "ede"
    }
}

impl fmt::Display for AppId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_id_is_always_a_safe_file_name() {
        for good in ["acme.hours", "a", "ede.clock", "a-b.2c"] {
            assert_eq!(AppId::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "",
            ".",
            "..",
            "a..b",
            "../a",
            "a/b",
            "A.b",
            "a b",
            "a.",
            ".a",
            "1a",
            "a\0",
            "shell",
            "ü",
            "a.b.c.d.e.f",
        ] {
            assert!(AppId::parse(bad).is_err(), "{bad:?}");
        }
        assert!(AppId::parse(&"a".repeat(33)).is_err());
    }

    #[test]
    fn the_shells_own_ids_are_known() {
        assert!(AppId::parse("ede.notes").unwrap().is_reserved());
        assert!(!AppId::parse("edelweiss.notes").unwrap().is_reserved());
    }
}
