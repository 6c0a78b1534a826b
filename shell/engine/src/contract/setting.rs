//! What all cases of a file share: `v1: {context: {app, screens}, mimeByExtension}`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::NoCases;
use crate::app_id::AppId;
use crate::bridge::mime::MimeTypes;
use crate::package::ScreenId;

/// The key it stands under.
pub(super) const KEY: &str = "v1";

/// The app that calls, its screens, and the MIME types of extensions.
#[derive(Debug, Clone)]
pub struct Setting {
    pub(super) app: AppId,
    pub(super) screens: Vec<ScreenId>,
    pub(super) mime_types: MimeTypes,
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
        let read = match file.get(KEY) {
            Some(setting) => {
                File::deserialize(setting).map_err(|e| NoCases::Setting(e.to_string()))?
            }
            None => File::default(),
        };
        let (app, screens) = read
            .context
            .map_or_else(|| (APP.to_owned(), Vec::new()), |c| (c.app, c.screens));
        let known = || MimeTypes::known().clone();
        Ok(Setting {
            app: AppId::parse(&app).map_err(|e| NoCases::Setting(e.to_string()))?,
            screens,
            mime_types: read
                .mime_by_extension
                .map_or_else(known, |types| types.into_iter().collect()),
        })
    }
}
