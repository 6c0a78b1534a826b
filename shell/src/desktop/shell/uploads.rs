//! Files for an app's own: what the person picks or drops for a FileUpload is kept among the app's files, and its address written beside
//! its name, where the component's list is bound. The component lists a file at once; one that cannot be kept leaves the list again, with
//! a sentence. Disks are waited for on threads of their own.

use std::path::PathBuf;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::attachments;
use ede_engine::binding::DataWrite;
use ede_engine::blobs::Blobs;
use ede_engine::bridge::files::{FileStore, StoreError};
use ede_engine::bridge::mime::MimeTypes;
use ede_engine::package::Package;
use ede_engine::plain;
use ede_renderer::input::{FileInfo, Response};
use eui_core::surface::OutEvent;
use serde_json::Value;

use super::drops::Landing;
use super::effects::At;
use super::listed::{Listings, Number, keep_listed};
use super::{DocRef, News, Shell};
use crate::capabilities::Stop;
use crate::capabilities::files::accept::Accept;
use crate::capabilities::files::{self, Files, PICK_MAX_FILES};
use crate::desktop::feed::write_data;
use crate::wayland::Platform;

/// What the person is asked for.
pub(super) struct Uploads {
    files: Files,
    open: Vec<(Of, Stop)>,
    listed: Listings<Of>,
}

impl Uploads {
    pub fn new(files: Files) -> Uploads {
        Uploads {
            files,
            open: Vec::new(),
            listed: Listings::default(),
        }
    }

    /// Asks the person for files.
    pub fn files(&self) -> &Files {
        &self.files
    }
}

/// How far files for an app have come.
pub enum Upload {
    /// The person has picked these for a component, or there was no picking.
    Picked(Of, String, Result<Vec<(PathBuf, FileInfo)>, &'static str>),
    /// What is known of files that were dropped here.
    Dropped(Landing, Vec<(PathBuf, FileInfo)>),
    /// Those of an upload are kept, at these addresses, or not.
    Kept(Number, Result<Vec<String>, String>),
}

/// Whose surface files are for.
#[derive(Clone, PartialEq)]
pub struct Of {
    at: At,
    app: AppId,
}

/// What is known of a file without reading it; `None` of what is none.
fn info_of(path: PathBuf) -> Option<(PathBuf, FileInfo)> {
    let meta = std::fs::metadata(&path).ok().filter(|m| m.is_file())?;
    let name = plain::file_name(&path.file_name()?.to_string_lossy());
    let kind = MimeTypes::known().of_name(&name).unwrap_or_default().into();
    let size = meta.len();
    Some((path, FileInfo { name, size, kind }))
}

/// What is known of these without reading them, of as many as are taken and one more, so that what is too many is told. Waits for the disk.
pub(super) fn infos_of(paths: impl IntoIterator<Item = PathBuf>) -> Vec<(PathBuf, FileInfo)> {
    let paths = paths.into_iter().take(PICK_MAX_FILES + 1);
    paths.filter_map(info_of).collect()
}

/// Keep files among the app's; answers their addresses. Waits for the disk.
fn keep(mut blobs: Blobs, app: &AppId, paths: &[PathBuf]) -> Result<Vec<String>, String> {
    let ids = blobs
        .put(app, files::read(paths)?)
        .map_err(|error| match error {
            StoreError::Quota => "The app has no room for more files",
            StoreError::Unavailable => "The files could not be kept",
        })?;
    Ok(ids.iter().map(attachments::address).collect())
}

impl Shell {
    /// A FileUpload of an app's was pressed.
    pub(super) fn pick_files(
        &mut self,
        at: At,
        package: &Arc<Package>,
        component: String,
        (accept, multiple): (Option<String>, bool),
    ) {
        let app = package.id().clone();
        if self.is_preview(at.doc) {
            return self.say(&app, "a preview keeps nothing and calls nobody");
        }
        let accept = Accept::parse(accept.as_deref().unwrap_or_default().split(','));
        let (tell, of, stop) = (self.tell.clone(), Of { at, app }, Stop::default());
        let open = (of.clone(), stop.clone());
        let done = move |picked: Result<Vec<PathBuf>, _>| {
            let known = picked.map(infos_of);
            tell(News::Upload(Upload::Picked(of, component, known)));
        };
        let wanted = (accept, multiple);
        match self.uploads.files.ask(package, wanted, stop, done) {
            Ok(()) => self.uploads.open.push(open),
            Err(words) => self.say(package.id(), words),
        }
    }

    /// The document of the component that files are picked for in this app's name.
    pub(super) fn upload_that_picks(&self, app: &AppId) -> Option<DocRef> {
        let mut open = self.uploads.open.iter();
        open.find(|(of, _)| of.app == *app).map(|(of, _)| of.at.doc)
    }

    /// Surfaces have gone: nobody picks for them.
    pub(super) fn stop_uploads(&mut self, platform: &mut Platform) {
        let open = std::mem::take(&mut self.uploads.open);
        let (here, gone): (Vec<_>, Vec<_>) = open.into_iter().partition(|o| self.is_there(&o.0));
        self.uploads.open = here;
        for (of, stop) in gone {
            stop.stop();
            self.drop_picks_of(platform, &[of.app]);
        }
    }

    /// Files for an app have come further.
    pub(super) fn uploaded(&mut self, platform: &mut Platform, upload: Upload) {
        if let Upload::Picked(of, ..) = &upload {
            self.uploads.open.retain(|(open, _)| open != of);
        }
        match upload {
            Upload::Picked(of, _, Err(words)) => self.say(&of.app, words),
            Upload::Picked(of, component, Ok(files)) => {
                if !self.is_there(&of) || files.is_empty() {
                    return;
                }
                let infos: Vec<FileInfo> = files.iter().map(|(_, info)| info.clone()).collect();
                let (doc, widget, now) = (of.at.doc, Some(of.at.widget.as_str()), self.now_ms());
                let response = self.with_view(doc, widget, |view, res| {
                    view.picked(&component, &infos, res, now)
                });
                if let Some(response) = response {
                    self.keep_listed(doc, widget, files, &response);
                    self.answer(platform, doc, widget, response);
                }
            }
            Upload::Dropped(Landing(target), files) => self.drop_files(platform, &target, files),
            Upload::Kept(number, kept) => self.addressed(number, kept),
        }
    }

    /// Is the app's surface still where it was?
    fn is_there(&self, of: &Of) -> bool {
        let doc = self.doc(of.at.doc);
        let widget = doc.and_then(|doc| doc.widget(&of.at.widget));
        widget.is_some_and(|widget| widget.content.app() == Some(&of.app))
    }

    /// Keep those of `files` that a component has just listed where its list is bound, as its surface's response says. A preview's are not
    /// kept.
    pub(super) fn keep_listed(
        &mut self,
        doc: DocRef,
        widget: Option<&str>,
        mut files: Vec<(PathBuf, FileInfo)>,
        response: &Response,
    ) {
        let content = widget.and_then(|widget| Some(&self.doc(doc)?.widget(widget)?.content));
        let app = content.and_then(|content| content.app()).cloned();
        let (Some(widget), Some(app), false) = (widget, app, self.is_preview(doc)) else {
            return;
        };
        // What the component writes itself comes first.
        let written = response.events.iter().find_map(|event| match event {
            OutEvent::DataChanged { path, value } => Some((path, value.as_array()?)),
            _ => None,
        });
        let Some((path, list)) = written else {
            return;
        };
        keep_listed(&mut files, list, |(_, info)| info);
        let Some(blobs) = self.desk.feed.store().map(|store| store.blobs()) else {
            return;
        };
        if files.is_empty() {
            return;
        }
        let (paths, infos): (Vec<PathBuf>, Vec<FileInfo>) = files.into_iter().unzip();
        let at = At {
            doc,
            widget: widget.into(),
        };
        let (of, owner) = (
            Of {
                at,
                app: app.clone(),
            },
            app,
        );
        let number = self.uploads.listed.begin(of, path.clone(), infos);
        let tell = self.tell.clone();
        let thread = std::thread::Builder::new().name("ede-upload".into());
        let started = thread.spawn(move || {
            let kept = keep(blobs, &owner, &paths);
            tell(News::Upload(Upload::Kept(number, kept)));
        });
        if let Err(error) = started {
            // They stay listed without an address, which says that they are not kept.
            tracing::warn!("files for an app are not kept: {error}");
            self.uploads.listed.end(number);
        }
    }

    /// Files are kept: their addresses go where they are listed. Those that are not leave the list.
    fn addressed(&mut self, number: Number, kept: Result<Vec<String>, String>) {
        let Some(listing) = self.uploads.listed.end(number) else {
            return;
        };
        let of = listing.of.clone();
        if !self.is_there(&of) {
            return;
        }
        self.with_view(of.at.doc, Some(&of.at.widget), |view, _| {
            let there = view.surface().get_data(&listing.path);
            let Some(mut list) = there.and_then(Value::as_array).cloned() else {
                return;
            };
            match &kept {
                Ok(addresses) => listing.address(&mut list, addresses),
                Err(_) => listing.take_off(&mut list),
            }
            let (path, value) = (listing.path, Value::Array(list));
            write_data(view, DataWrite { path, value });
        });
        if let Err(words) = kept {
            self.say(&of.app, &words);
        }
    }
}
