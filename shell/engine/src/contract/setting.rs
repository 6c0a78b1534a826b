//! What all cases of a file share: `v1: {context: {app, screens}, mimeByExtension}`, and the moment of those about the outbox, `syncedNow`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::NoCases;
use crate::app_id::AppId;
use crate::bridge::mime::MimeTypes;
use crate::package::ScreenId;

const SHARED: &str = "v1";
const NOW: &str = "syncedNow";

/// The keys it stands under.
pub(super) const KEYS: [&str; 2] = [SHARED, NOW];

/// The app that calls, its screens, and the MIME types of extensions.
#[derive(Debug, Clone)]
pub struct Setting {
    pub(super) app: AppId,
    pub(super) screens: Vec<ScreenId>,
    pub(super) mime_types: MimeTypes,
    pub(super) now: Timestamp,
}

/// The app of a file that names none.
const APP: &str = "acme.app";

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    context: Option<Context>,
    mime_by_extension: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Context {
    app: String,
    #[serde(default)]
    screens: Vec<ScreenId>,
}

impl Setting {
    pub(super) fn of(file: &Map<String, Value>) -> Result<Setting, NoCases> {
        let wrong = |error: String| NoCases::Setting(SHARED, error);
        let read = match file.get(SHARED) {
            Some(setting) => File::deserialize(setting).map_err(|e| wrong(e.to_string()))?,
            None => File::default(),
        };
        let now = match file.get(NOW).map(Value::as_str) {
            None => Timestamp::UNIX_EPOCH,
            Some(text) => (text.unwrap_or_default().parse())
                .map_err(|e: jiff::Error| NoCases::Setting(NOW, e.to_string()))?,
        };
        let (app, screens) = read
            .context
            .map_or_else(|| (APP.to_owned(), Vec::new()), |c| (c.app, c.screens));
        let known = || MimeTypes::known().clone();
        Ok(Setting {
            app: AppId::parse(&app).map_err(|e| wrong(e.to_string()))?,
            screens,
            mime_types: read
                .mime_by_extension
                .map_or_else(known, |types| types.into_iter().collect()),
            now,
        })
    }
}
