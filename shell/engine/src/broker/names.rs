//! The names a call is made of, typed so that a capability is never taken for a scope, a tool or an app.

use std::fmt;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::schema::patterns;

/// Lower-case letters and digits, a letter first.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

macro_rules! name {
    ($(#[$about:meta])* $name:ident, $fits:expr, $says:literal) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name that `text` spells.
            pub fn parse(text: &str) -> Option<$name> {
                $fits(text).then(|| $name(text.into()))
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                let text = String::deserialize(from)?;
                $name::parse(&text).ok_or_else(|| D::Error::custom(format!(concat!("{:?} is no ", $says), text)))
            }
        }
    };
}

name!(
    /// A capability: `windows`. The name of a server on the hub.
    CapabilityName,
    is_word,
    "capability's name"
);
name!(
    /// A tool within its capability: `list`.
    ToolName,
    is_word,
    "tool's name"
);
name!(
    /// A scope: `<capability>.<scope>`, what a manifest declares and a grant is kept for.
    ScopeId,
    patterns::SCOPE.test,
    "scope id"
);

name!(
    /// One run of an agent: 1 to 128 of `[A-Za-z0-9._:-]`, and never `ui`, which is the app's own surface in the audit.
    RunId,
    |text: &str| (1..=128).contains(&text.len())
        && text != super::audit::UI
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._:-".contains(&b)),
    "run id"
);

impl ScopeId {
    /// The capability it is a scope of.
    pub fn capability(&self) -> &str {
        self.0.split_once('.').map_or(&self.0, |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_name_is_what_its_pattern_says() {
        assert!(CapabilityName::parse("windows").is_some());
        for bad in ["", "Windows", "a_b", "a-b", "1a", "a.b", "ä"] {
            assert_eq!(CapabilityName::parse(bad), None, "{bad:?}");
            assert_eq!(ToolName::parse(bad), None, "{bad:?}");
        }
        assert_eq!(
            ScopeId::parse("windows.read").unwrap().capability(),
            "windows"
        );
        assert_eq!(ScopeId::parse("windows"), None);
        assert!(RunId::parse("run-7:a.b_C").is_some());
        assert_eq!(RunId::parse("ui"), None);
        assert_eq!(RunId::parse(&"x".repeat(129)), None);
    }
}
