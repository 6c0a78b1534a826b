//! The shell's own file sheet: a pick that no portal took is put to the person, after what waits already. Folders are read on threads of
//! their own; a disk that hangs holds up its folder alone.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use ede_engine::app_id::AppId;
use ede_renderer::input::Key;
use eui_core::surface::SurfaceCommand;
use serde_json::Value;

use super::calls::screen_of;
use super::sheets::About;
use super::{DocRef, News, Shell, Where};
use crate::capabilities::files::folder::{self, Listing};
use crate::capabilities::files::{Pick, Picked, Whose};
use crate::desktop::file_sheet::{self, Browser, Step};
use crate::wayland::Platform;

#[derive(Default)]
pub(super) struct Picks {
    waiting: VecDeque<Pick>,
    /// The one in the sheet.
    open: Option<Browser>,
    /// Where the last one was made: the next begins there.
    folder: Option<PathBuf>,
}

impl Shell {
    /// An app asks for files.
    pub(super) fn pick(&mut self, platform: &mut Platform, pick: Pick) {
        self.picks.waiting.push_back(pick);
        self.show_pick(platform);
    }

    /// Open the sheet of the first pick, if none is open.
    pub(super) fn show_pick(&mut self, platform: &mut Platform) {
        while self.sheet.is_none()
            && let Some(pick) = self.picks.waiting.pop_front()
        {
            let home = std::env::var_os("HOME").map(PathBuf::from);
            let home = home.filter(|home| home.is_absolute());
            let home = home.unwrap_or_else(|| "/".into());
            let folder = self.picks.folder.clone();
            let folder = folder.unwrap_or_else(|| home.clone());
            let browser = Browser::new(pick, home, folder.clone());
            // Who asks may have gone on the way here.
            let asks = self.who_picks(browser.whose());
            let doc = asks.and_then(|(doc, _)| doc);
            if !self.cover_popup(platform, doc) {
                self.close_popup(platform);
            }
            let shown = asks
                .is_some_and(|(_, on)| self.open_sheet(platform, on, About::Files, browser.data()));
            if shown {
                self.picks.open = Some(browser);
                self.read_folder(folder);
            } else {
                self.uncover_popup(platform);
                browser.answer(Picked::default());
            }
        }
    }

    /// Where files are asked for, and on which screen: by a call of an app's, or for a component; for an agent on the first.
    fn who_picks(&self, whose: &Whose) -> Option<(Option<DocRef>, Where)> {
        let app = match whose {
            Whose::App(app, _) => app,
            Whose::Agent(_) => return Some((None, self.outputs.keys().next().copied()?)),
        };
        let upload = self.upload_that_picks(app);
        let upload = upload.map(|doc| (Some(doc), screen_of(doc)));
        let (doc, on) = upload.or_else(|| self.call_that_picks(app))?;
        let popup = self.popup.as_ref();
        let popup = popup.filter(|p| doc == Some(DocRef::Popup(p.surface)));
        Some((doc, popup.map_or(on, |p| screen_of(p.opener))))
    }

    fn read_folder(&self, folder: PathBuf) {
        let tell = self.tell.clone();
        let read = folder.clone();
        let started = std::thread::Builder::new()
            .name("ede-folder".into())
            .spawn(move || {
                let listing = folder::list(&read);
                tell(News::Folder(read, listing));
            });
        if let Err(error) = started {
            tracing::warn!("a folder is not read: {error}");
            (self.tell)(News::Folder(folder, None));
        }
    }

    /// What is in a folder is known.
    pub(super) fn folder_read(&mut self, folder: &Path, listing: Option<Listing>) {
        if let Some(browser) = &mut self.picks.open
            && browser.listed(folder, listing)
        {
            self.show_rows();
        }
    }

    /// The sheet's buttons answer from now on. What the person has given the focus keeps it, but for a question.
    pub(super) fn pick_ready(&mut self, platform: &mut Platform) {
        let Some(browser) = &mut self.picks.open else {
            return;
        };
        let id = browser.ready();
        self.show_choice();
        let focused = self.with_view(DocRef::Sheet, None, |view, _| view.focused().is_some());
        if id == file_sheet::CANCEL || focused != Some(true) {
            self.command_sheet(platform, SurfaceCommand::Focus { id: id.into() });
        }
    }

    /// Show the rows afresh, and everything else but the field.
    fn show_rows(&mut self) {
        if let (Some(browser), Some(sheet)) = (&self.picks.open, &mut self.sheet) {
            sheet.popup.set("/rows", browser.row_values());
        }
        self.show_choice();
    }

    fn show_choice(&mut self) {
        if let (Some(browser), Some(sheet)) = (&self.picks.open, &mut self.sheet)
            && let Value::Object(shown) = browser.shown()
        {
            for (key, value) in shown {
                sheet.popup.set(&format!("/{key}"), value);
            }
        }
    }

    /// A press on the sheet.
    pub(super) fn browse_pressed(&mut self, platform: &mut Platform, event: &str, context: &Value) {
        self.browse(platform, |browser, name| {
            browser.pressed(event, context, name)
        });
    }

    /// A key on the sheet. True when it was for the list.
    pub(super) fn browse_key(&mut self, platform: &mut Platform, key: Key) -> bool {
        if self.picks.open.is_none() || self.sheet.as_ref().is_none_or(|s| s.about != About::Files)
        {
            return false;
        }
        let focused = self.with_view(DocRef::Sheet, None, |view, _| {
            // A field is a part of its component: `name.field`.
            let id = view.focused()?.split('.').next()?;
            Some(id.to_owned())
        });
        let walks = matches!(key, Key::Up | Key::Down | Key::PageUp | Key::PageDown);
        let focused = focused.flatten();
        let for_list = match focused.as_deref() {
            None => true,
            Some(id) => walks || !file_sheet::CONTROLS.contains(&id),
        };
        // These would press the row that has the focus, which need not be where the keys are.
        let presses = matches!(key, Key::Enter | Key::Space);
        for_list && (self.browse(platform, |browser, name| browser.key(key, name)) || presses)
    }

    /// Have something done to the sheet, and show what came of it. True when it was anything.
    fn browse(
        &mut self,
        platform: &mut Platform,
        act: impl FnOnce(&mut Browser, &str) -> Step,
    ) -> bool {
        let (Some(browser), Some(sheet)) = (&mut self.picks.open, &mut self.sheet) else {
            return false;
        };
        let data = sheet.popup.doc.view.surface().get_data("/name");
        let name = data.and_then(Value::as_str).unwrap_or_default().to_owned();
        let before = browser.marks();
        let step = act(browser, &name);
        let after = browser.marks();
        let moved = before.keys().chain(after.keys());
        for row in moved.filter(|row| before.get(row) != after.get(row)) {
            let path = format!("/rows/{row}");
            sheet.popup.set(&path, browser.row_value(*row));
        }
        match step {
            Step::Nothing => return false,
            Step::Show => self.show_rows(),
            Step::Read(folder) => {
                self.show_rows();
                self.read_folder(folder);
            }
            Step::Row(row) => {
                if let Some(name) = browser.chosen_name() {
                    sheet.popup.set("/name", name.into());
                }
                self.show_choice();
                self.command_sheet(
                    platform,
                    SurfaceCommand::ScrollToIndex {
                        id: file_sheet::LIST.into(),
                        index: u32::try_from(row).unwrap_or(u32::MAX),
                        align: None,
                    },
                );
            }
            Step::Ask => {
                self.show_choice();
                self.sheet_waits_again();
            }
            Step::Done(picked) => self.pick_made(platform, picked),
        }
        true
    }

    /// The person has picked, or left the sheet.
    pub(super) fn pick_made(&mut self, platform: &mut Platform, picked: Picked) {
        self.close_sheet(platform);
        if let Some(browser) = self.picks.open.take() {
            if !picked.paths.is_empty() {
                self.picks.folder = Some(browser.folder().to_owned());
            }
            browser.answer(picked);
        }
        self.show_question(platform);
    }

    /// These apps are others now, or gone: nobody picks for what they were.
    pub(super) fn drop_picks_of(&mut self, platform: &mut Platform, apps: &[AppId]) {
        let theirs = |whose: &Whose| whose.app().is_some_and(|app| apps.contains(app));
        self.drop_picks(platform, theirs);
    }

    /// Nobody picks for these any more.
    pub(super) fn drop_picks(&mut self, platform: &mut Platform, theirs: impl Fn(&Whose) -> bool) {
        let (gone, waiting): (Vec<_>, Vec<_>) = std::mem::take(&mut self.picks.waiting)
            .into_iter()
            .partition(|pick| theirs(&pick.whose));
        self.picks.waiting = waiting.into();
        for pick in gone {
            pick.answer(Picked::default());
        }
        let open = self.picks.open.as_ref();
        if open.is_some_and(|browser| theirs(browser.whose())) {
            self.pick_made(platform, Picked::default());
        }
    }
}
