//! Whose an app is, as far as its records are concerned.

use crate::package::Package;

/// Who gets the records back that a removed app has left: whoever signed it. Of what nobody signed it is that one file, and of what eDE
/// ships eDE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author(String);

impl Author {
    /// The author of `package`.
    pub fn of(package: &Package) -> Author {
        Author(match package.signer() {
            _ if package.id().is_reserved() => "ede".into(),
            Some(key) => key.to_string(),
            None => format!("sha256:{}", package.content_hash()),
        })
    }

    /// Of a file that cannot be read: nobody.
    pub(super) fn unknown() -> Author {
        Author(String::new())
    }

    /// How it is kept.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
