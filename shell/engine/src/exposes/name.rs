//! What a tool is called.

use std::fmt;

use eui_core::host::exposes::EXPOSE_NAME_MAX;
use serde::{Serialize, Serializer};

use crate::app_id::AppId;

/// What stands between the app and its tool in the name an agent calls: in neither of them is it found.
const SEPARATOR: &str = eui_core::host::exposes::EXPOSE_SEPARATOR;

/// A tool's name within its app: a lower-case letter, then such letters, digits and `_`, at most 40, never two `_` together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExposeName(String);

impl ExposeName {
    /// The name that `text` spells.
    pub fn parse(text: &str) -> Option<ExposeName> {
        let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        let fits = text.len() <= EXPOSE_NAME_MAX
            && text.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
            && text.bytes().all(letter)
            && !text.contains(SEPARATOR);
        fits.then(|| ExposeName(text.to_owned()))
    }

    /// The tool of `app` that an agent calls by `name`, `<app>__<tool>`.
    pub fn of_call(app: &AppId, name: &str) -> Option<ExposeName> {
        let tool = name.strip_prefix(app.as_str())?.strip_prefix(SEPARATOR)?;
        ExposeName::parse(tool)
    }

    /// The name an agent calls it by as a tool of `app`'s. An app's id has no `_`, so no two are the same.
    pub fn qualified(&self, app: &AppId) -> String {
        format!("{app}{SEPARATOR}{}", self.0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ExposeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for ExposeName {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_qualified_name_is_one_apps_tool_and_no_others() {
        let app = AppId::parse("acme.time-r").unwrap();
        let tool = ExposeName::parse("log_hours2").unwrap();
        assert_eq!(tool.qualified(&app), "acme.time-r__log_hours2");
        assert_eq!(
            ExposeName::of_call(&app, "acme.time-r__log_hours2"),
            Some(tool)
        );
        for none in [
            "log_hours2",
            "acme.time__log_hours2",
            "acme.time-r_log_hours2",
            "acme.time-r___log",
            "acme.time-r__a__b",
            "acme.time-r__",
            "acme.time-r__Log",
            "acme.time-r.log_hours2",
        ] {
            assert_eq!(ExposeName::of_call(&app, none), None, "{none}");
        }
    }
}
