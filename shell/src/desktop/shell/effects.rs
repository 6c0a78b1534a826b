//! What comes out of a view: events for an app, events of the shell's own components, clipboard, links. Nothing an app asks for
//! happens here without the engine having decided it.

use std::sync::Arc;

use ede_engine::actions::{self, Effect, Snapshot};
use ede_engine::app_id::AppId;
use ede_engine::binding::BindError;
use ede_engine::broker::audit::Client;
use ede_engine::package::Package;
use ede_engine::records::{Batch, Via};
use ede_engine::upstreams::{Outcome, Refusal, Unread};
use ede_renderer::input::{Response, Selection};
use eui_core::surface::OutEvent;
use eui_core::theme::Mode;
use serde_json::Value;

use super::calls::errands::{By, Sent};
use super::{DocRef, Shell, doc_in};
use crate::desktop::app_view::Owner;
use crate::desktop::error_tile;
use crate::desktop::feed::write_data;
use crate::desktop::gate::Around;
use crate::desktop::links;
use crate::desktop::native;
use crate::desktop::popup::{self, Popup};
use crate::desktop::preview::{Preview, PreviewOptions, Subject};
use crate::desktop::screens::Visit;
use crate::desktop::window::{ChromeAction, Window};
use crate::desktop::window_list;
use crate::wayland::{Payload, Platform, TEXT_MIMES, TransferError, TransferId, WindowAction};

/// The longest text taken from another program (bytes).
const MOST_PASTED: usize = 1 << 20;

/// A surface of an app: the document it stands in, and the leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct At {
    pub(super) doc: DocRef,
    pub(super) widget: String,
}

impl Shell {
    /// Do what came of an input event, a timer or a layout.
    pub(super) fn answer(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        widget: Option<&str>,
        response: Response,
    ) {
        if let Some(text) = &response.clipboard {
            platform.set_clipboard(Payload::text(text));
        }
        if let Some(text) = &response.primary {
            platform.set_primary(Payload::text(text));
        }
        let asked = match response.paste {
            Some(Selection::Clipboard) => platform.read_clipboard(&TEXT_MIMES),
            Some(Selection::Primary) => platform.read_primary(&TEXT_MIMES),
            None => None,
        };
        if let Some(id) = asked {
            self.pastes.insert(id, (doc, widget.map(str::to_string)));
        }
        if let Some(at) = response.context_menu {
            self.context_menu(platform, doc, widget, at);
        }
        self.out_events(platform, doc, widget, response.events);
    }

    /// A selection that was asked for is here.
    pub(super) fn pasted(
        &mut self,
        platform: &mut Platform,
        id: TransferId,
        result: Result<Vec<u8>, TransferError>,
    ) {
        if self.drop_arrived(platform, id, result.as_deref().ok()) {
            return;
        }
        let Some((doc, widget)) = self.pastes.remove(&id) else {
            return;
        };
        let Ok(bytes) = result else { return };
        let text = String::from_utf8_lossy(bytes.get(..MOST_PASTED).unwrap_or(&bytes)).into_owned();
        let now = self.now_ms();
        if let Some(r) = self.with_view(doc, widget.as_deref(), |view, res| {
            view.paste(&text, res, now)
        }) {
            self.answer(platform, doc, widget.as_deref(), r);
        }
    }

    pub(super) fn out_events(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        widget: Option<&str>,
        events: Vec<OutEvent>,
    ) {
        let owner = widget
            .and_then(|w| self.doc(doc)?.widget(w))
            .map(|w| (w.content.app().cloned(), w.native));
        for event in events {
            match (&owner, event) {
                // The chrome of a window, the entries of a menu.
                (None, OutEvent::Action { name, context, .. }) => {
                    self.own_event(platform, doc, &name, &context)
                }
                (Some((_, true)), OutEvent::Action { name, context, .. }) => {
                    self.native_event(platform, doc, widget.unwrap_or_default(), &name, &context)
                }
                (Some((Some(app), false)), event) => self.app_event(
                    platform,
                    doc,
                    widget.unwrap_or_default(),
                    &app.clone(),
                    event,
                ),
                _ => {}
            }
        }
    }

    fn own_event(&mut self, platform: &mut Platform, doc: DocRef, name: &str, context: &Value) {
        if let Some(n) = Popup::chosen(name, context) {
            let action = self.popup.as_ref().and_then(|p| p.actions.get(n)).cloned();
            self.close_popup(platform);
            if let Some(action) = action {
                self.menu_action(platform, action);
            }
        } else if doc == DocRef::Sheet {
            self.sheet_pressed(platform, name, context);
        } else if doc == DocRef::Card {
            self.card_pressed(platform, name);
        } else if doc == DocRef::Toast && name == popup::OFFER {
            self.take_offer(platform);
        } else if matches!(doc, DocRef::Popup(_)) && name == window_list::WINDOW_PRESS {
            self.close_popup(platform);
            self.native_event(platform, doc, "", name, context);
        } else if let (DocRef::Window(id), Some(action)) = (doc, Window::action(name, context)) {
            self.chrome(platform, id, action);
        } else {
            self.desk_event(platform, doc, name, context);
        }
    }

    /// Events a document of the person's may fire itself: opening an app, named in the event or chosen from a list.
    fn desk_event(&mut self, platform: &mut Platform, doc: DocRef, name: &str, context: &Value) {
        let named = context
            .get("app")
            .or_else(|| context.get("value"))
            .and_then(Value::as_str);
        if name == "app.open"
            && let Some(app) = named.and_then(|a| AppId::parse(a).ok())
        {
            // Choosing closes the list it was chosen from.
            if let Some(view) = self.doc_mut(doc).map(|d| &mut d.view) {
                let open: Vec<String> = view
                    .painted()
                    .layers
                    .iter()
                    .map(|l| l.owner.clone())
                    .collect();
                for owner in open {
                    view.surface_mut().set_open(&owner, false);
                }
            }
            let screen = context.get("screen").and_then(Value::as_str);
            self.try_open(
                platform,
                &app,
                screen,
                context.get("params").cloned().unwrap_or_default(),
            );
        }
    }

    fn native_event(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        widget: &str,
        name: &str,
        context: &Value,
    ) {
        let id = context
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        match name {
            window_list::WINDOW_PRESS => {
                let window = platform
                    .windows()
                    .into_iter()
                    .find(|w| native::window_key(w.id) == id);
                if let Some(w) = window {
                    let action = if w.active {
                        WindowAction::Minimize(true)
                    } else {
                        WindowAction::Activate
                    };
                    platform.act_on_window(w.id, action);
                }
            }
            window_list::MORE_PRESS => self.toggle_windows(platform, doc, widget),
            native::WORKSPACE_PRESS => {
                let workspace = platform
                    .workspaces()
                    .into_iter()
                    .find(|w| native::workspace_key(w.id) == id);
                if let Some(w) = workspace {
                    platform.activate_workspace(w.id);
                }
            }
            error_tile::DETAILS => self.details(platform, context),
            _ => {
                // The navigation of a previewed window; its close button closes nothing.
                if let (
                    DocRef::Window(id),
                    Some(action @ (ChromeAction::Navigate(_) | ChromeAction::Back)),
                ) = (doc, Window::action(name, context))
                {
                    self.chrome(platform, id, action);
                }
            }
        }
    }

    /// What is wrong with a package, in full: the preview of its file, which lists every problem and follows every save.
    fn details(&mut self, platform: &mut Platform, context: &Value) {
        let Some(app) = context
            .get("name")
            .and_then(Value::as_str)
            .and_then(|a| AppId::parse(a).ok())
        else {
            return;
        };
        let file = self.library.apps.file_of(&app);
        if file.is_file() {
            let preview = Preview::new(
                Subject::File(file),
                PreviewOptions {
                    dark: self.desk.style.mode == Mode::Dark,
                    themes: self.desk.themes.clone(),
                    ..PreviewOptions::default()
                },
                self.desk.style.clone(),
            );
            self.open_preview(platform, preview);
        } else {
            self.say(
                &app,
                "it is not installed; `ede apps install FILE` installs it",
            );
        }
    }

    fn app_event(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        widget: &str,
        app: &AppId,
        event: OutEvent,
    ) {
        // The package as it is on screen: a preview shows one that is not installed.
        let Some(Owner::App(package)) = self
            .doc(doc)
            .and_then(|d| d.widget(widget))
            .map(|w| w.content.owner.clone())
        else {
            return;
        };
        let effect = match event {
            OutEvent::FunctionCall { name, args, .. } => actions::decide(&package, &name, &args),
            OutEvent::OpenUrl { url } => actions::open_url(&url),
            OutEvent::Copy { text } => {
                platform.set_clipboard(Payload::text(&text));
                return;
            }
            OutEvent::PickFiles {
                component_id,
                accept,
                multiple,
            } => {
                let at = At {
                    doc,
                    widget: widget.into(),
                };
                return self.pick_files(at, &package, component_id, (accept, multiple));
            }
            // Announcements are for assistive technology; what else there is needs nothing done.
            _ => return,
        };
        // What is only previewed does nothing: it calls, asks, decides and keeps nothing.
        let previewed = self.is_preview(doc);
        match effect {
            Ok(
                Effect::Write { .. }
                | Effect::Run { .. }
                | Effect::Capability { .. }
                | Effect::Errand(_),
            ) if previewed => {
                self.say(app, "a preview keeps nothing and calls nobody");
            }
            Ok(effect) => self.effect(
                platform,
                At {
                    doc,
                    widget: widget.into(),
                },
                &package,
                effect,
            ),
            Err(refused) => self.say(app, &refused.to_string()),
        }
    }

    /// Carry out what the engine allowed.
    pub(super) fn effect(
        &mut self,
        platform: &mut Platform,
        at: At,
        package: &Arc<Package>,
        effect: Effect,
    ) {
        match effect {
            Effect::Write { writes, key } => {
                let batch = Batch {
                    key,
                    ..Batch::new(package.clone(), Via::App, writes)
                };
                self.commit(package, at, batch, Vec::new(), Vec::new());
            }
            Effect::Run { action, params } => {
                let viewer = self.desk.feed.viewer();
                let Some(planned) = self.with_view(at.doc, Some(&at.widget), |view, _| {
                    actions::plan(
                        package,
                        &action,
                        &params,
                        Snapshot {
                            data: view.surface().data(),
                            viewer: &viewer,
                        },
                    )
                }) else {
                    return;
                };
                match planned {
                    Ok(plan) => match plan.batch(package, &viewer) {
                        Some(batch) => self.commit(package, at, batch, plan.sets, plan.calls),
                        None => self.follow_up(platform, &at, package, plan.sets, plan.calls),
                    },
                    Err(failed) => self.say(package.id(), &failed.to_string()),
                }
            }
            Effect::Navigate { screen, params } => {
                let to = Visit {
                    screen: screen.as_str().into(),
                    params: Value::Object(params),
                };
                self.navigated(platform, at.doc, package.id(), to);
            }
            Effect::Bind { path, source } => {
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
                let around = Around {
                    shelf: &desk.shelf,
                    gate: &desk.gate,
                };
                let bound = doc_in(outputs, windows, popup, toast, interactions, sheet, at.doc)
                    .and_then(|d| d.widget_mut(&at.widget))
                    .map(|w| (w.content).follow_also(&mut desk.feed, &around, &path, &source));
                match bound {
                    Some(Err(BindError::Unread(reading, Refusal::Undecided))) => {
                        self.ask_for_reading(platform, at.doc, package, reading);
                    }
                    Some(Err(error)) => self.say(package.id(), &error.to_string()),
                    Some(Ok(())) | None => {}
                }
            }
            Effect::Set(write) => {
                self.with_view(at.doc, Some(&at.widget), |view, _| write_data(view, write));
            }
            Effect::OpenUrl(url) => links::open(&url),
            Effect::Toast(text) => self.say(package.id(), &text),
            Effect::Capability { function, args } => {
                self.call(platform, package, at, &function, args);
            }
            Effect::Errand(errand) => {
                let foreground = self.is_foreground(package.id());
                let (caller, is_there) = self.surface_calls(at);
                let sent = Sent {
                    package: package.clone(),
                    caller,
                    by: By::App(Client::Ui),
                    errand,
                };
                match is_there {
                    true => self.errand(platform, sent, foreground),
                    false => self.errand_over(sent, Outcome::Unread(Unread::AppClosed)),
                }
            }
        }
    }

    /// An app went to another of its screens: in its window, which opens where there is none.
    fn navigated(&mut self, platform: &mut Platform, doc: DocRef, app: &AppId, to: Visit) {
        if let DocRef::Window(id) = doc {
            self.visit(platform, id, to);
            return;
        }
        self.close_popup(platform);
        self.try_open(platform, app, Some(&to.screen), to.params);
    }

    /// Open a screen of an app, or say why not.
    pub(super) fn try_open(
        &mut self,
        platform: &mut Platform,
        app: &AppId,
        screen: Option<&str>,
        params: Value,
    ) {
        if let Err(error) = self.open_app(platform, app, screen, params, None) {
            tracing::warn!(%app, "not opened: {error}");
            let name = self.app_name(app);
            self.tell(name, error);
        }
    }
}
