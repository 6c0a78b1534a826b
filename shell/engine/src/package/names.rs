//! The names inside a package, typed so that a screen is never taken for a template of another app or a size.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A screen's name: the id of the template it draws.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScreenId(String);

impl ScreenId {
    pub fn new(id: impl Into<String>) -> ScreenId {
        ScreenId(id.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ScreenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How large a widget stands: on the desktop 160×160, 336×160 and 336×336 logical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WidgetSize {
    S,
    M,
    L,
}

impl WidgetSize {
    pub const ALL: [WidgetSize; 3] = [WidgetSize::S, WidgetSize::M, WidgetSize::L];

    /// `s`, `m` or `l`.
    pub fn parse(text: &str) -> Option<WidgetSize> {
        WidgetSize::ALL
            .into_iter()
            .find(|size| size.as_str() == text)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            WidgetSize::S => "s",
            WidgetSize::M => "m",
            WidgetSize::L => "l",
        }
    }
}

impl fmt::Display for WidgetSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
