//! One turn of the loop, after everything that happened in it: values into the documents, layouts, surfaces, lists, timers.

use std::time::SystemTime;

use ede_engine::app_id::AppId;
use serde_json::Value;

use super::{BOARDS_LATEST, DocRef, Shell, doc_in};
use crate::wayland::{Platform, SurfaceId};

impl Shell {
    /// Bring the screen in step with everything that changed: values, layouts, surfaces, lists, timers.
    pub(super) fn settle(&mut self, platform: &mut Platform) {
        self.sync_focus(platform);
        self.apply_news(platform);
        self.fill_docs();
        self.lay_out(platform);
        if self.fill_docs() {
            // Widgets opened by the layout have their values now.
            self.lay_out(platform);
        }
        self.answer_layouts(platform);
        self.sync_widgets(platform);
        self.sync_layers(platform);
        self.sync_card(platform);
        self.sync_toast(platform);
        self.sync_sheet(platform);
        self.sync_reveals(platform);
        self.sync_panes(platform);
        self.sync_keys(platform);
        self.sync_text_input(platform);
        self.start_apps(platform);
        self.keep_instances();
        self.set_timers(platform);
    }

    /// Open what the session starts with, or what was open in it, once the panels are on screen: a person looks for them first.
    fn start_apps(&mut self, platform: &mut Platform) {
        if self.panels_come() {
            return;
        }
        self.reopen_windows(platform);
        for entry in std::mem::take(&mut self.startup) {
            // An app's own desktop entry carries its id behind the shell's name.
            let id = entry.strip_prefix("ede-").unwrap_or(&entry);
            match AppId::parse(id) {
                Ok(app) => self.try_open(platform, &app, None, Value::Null),
                Err(_) => tracing::warn!(entry, "not started: it is no app of this desktop"),
            }
        }
    }

    /// Do what came of the layouts themselves: events the engine raised, focus that moved into an overlay.
    fn answer_layouts(&mut self, platform: &mut Platform) {
        for at in self.docs() {
            let mut told = Vec::new();
            if let Some(doc) = self.doc_mut(at) {
                told.push((None, doc.view.take_response()));
                told.extend(
                    doc.widgets_mut()
                        .map(|(id, w)| (Some(id.to_string()), w.content.view.take_response())),
                );
            }
            for (widget, response) in told {
                self.answer(platform, at, widget.as_deref(), response);
            }
        }
    }

    /// What to add to the shell's clock to get milliseconds since 1970: views that show the time tick on the minute by it.
    pub(super) fn wall_offset(&self) -> f64 {
        let wall = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0.0, |d| d.as_secs_f64() * 1000.0);
        wall - self.now_ms()
    }

    /// Ask for what is stale in the documents. True when a widget opened since is among them.
    fn fill_docs(&mut self) -> bool {
        let mut opened = false;
        let wall = self.wall_offset();
        for at in self.docs() {
            let Shell {
                outputs,
                windows,
                popup,
                toast,
                interactions,
                sheet,
                desk,
                ..
            } = self;
            let Some(doc) = doc_in(outputs, windows, popup, toast, interactions, sheet, at) else {
                continue;
            };
            if doc.take_opened() {
                opened = true;
                doc.set_wall_clock(wall);
            }
            desk.fill(doc);
        }
        opened
    }

    /// Lay out and paint every document that asks for it.
    fn lay_out(&mut self, platform: &mut Platform) {
        let now = self.now_ms();
        let moving = std::mem::take(&mut self.moving);
        self.boards_wait = self.boards_wait && now < BOARDS_LATEST && self.panels_come();
        let wait = self.boards_wait;
        let Shell { outputs, desk, .. } = self;
        for (key, on) in outputs.iter_mut() {
            for (n, p) in on.panels.iter_mut().enumerate() {
                let size = p.stands_on(on.size);
                if p.panel.doc.is_new() {
                    p.panel.open(size, &mut desk.shelf, &mut desk.res, now);
                    desk.fill(&mut p.panel.doc);
                }
                if p.panel.doc.is_dirty() || moving.contains(&DocRef::Panel(*key, n)) {
                    p.panel.update(size, &mut desk.shelf, &mut desk.res, now);
                }
            }
            let (free, known) = (on.free(), on.is_free_known(now));
            if let Some(board) = on.board.as_mut().filter(|b| {
                let asks = b.doc.is_dirty() || b.free() != free;
                !wait && known && (asks || moving.contains(&DocRef::Board(*key)))
            }) {
                if board.doc.is_new() {
                    board.open(free, &mut desk.shelf, &mut desk.res, now);
                    desk.fill(&mut board.doc);
                }
                board.update(free, &mut desk.shelf, &mut desk.res, now);
            }
        }
        self.sync_windows();
        self.sync_popup(platform);
    }

    /// Is there a panel that has never been painted?
    fn panels_come(&self) -> bool {
        let panels = self.outputs.values().flat_map(|on| &on.panels);
        let mut surfaces = panels.filter_map(|p| p.surface);
        surfaces.any(|id| self.panes.get(&id).is_none_or(|(_, pane)| !pane.is_shown()))
    }

    /// Hand every surface its list; ask for a redraw where it is another one.
    fn sync_panes(&mut self, platform: &mut Platform) {
        let ids: Vec<SurfaceId> = self.panes.keys().copied().collect();
        for id in ids {
            let Some((show, _)) = self.panes.get(&id) else {
                continue;
            };
            let Some((list, region)) = self.picture(id, show) else {
                continue;
            };
            if let Some(pane) = self.pane_mut(id)
                && pane.show(&list, region)
            {
                platform.request_redraw(id);
            }
        }
    }
}
