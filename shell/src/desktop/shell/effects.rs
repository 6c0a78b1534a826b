//! What comes out of a view: events for an app, events of the shell's own components, clipboard, links. Nothing an app asks for
//! happens here without the engine having decided it.

use ede_engine::app_id::AppId;
use ede_renderer::input::{Response, Selection};
use eui_core::surface::OutEvent;
use serde_json::Value;

use super::{DocRef, Shell};
use crate::desktop::native;
use crate::desktop::popup::Popup;
use crate::desktop::window::{AppWindow, Visit};
use crate::wayland::{Payload, Platform, TransferError, TransferId, WindowAction};

/// Text as other programs offer it, best first.
const TEXT: [&str; 3] = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"];

/// The longest text taken from another program (bytes).
const MOST_PASTED: usize = 1 << 20;

impl Shell {
    /// Do what came of an input event, a timer or a layout.
    pub(super) fn answer(&mut self, platform: &mut Platform, doc: DocRef, widget: Option<&str>, response: Response) {
        if let Some(text) = &response.clipboard {
            platform.set_clipboard(Payload::text(text));
        }
        if let Some(text) = &response.primary {
            platform.set_primary(Payload::text(text));
        }
        let asked = match response.paste {
            Some(Selection::Clipboard) => platform.read_clipboard(&TEXT),
            Some(Selection::Primary) => platform.read_primary(&TEXT),
            None => None,
        };
        if let Some(id) = asked {
            self.pastes.insert(id, (doc, widget.map(str::to_string)));
        }
        self.out_events(platform, doc, widget, response.events);
    }

    /// A selection that was asked for is here.
    pub(super) fn pasted(&mut self, platform: &mut Platform, id: TransferId, result: Result<Vec<u8>, TransferError>) {
        let Some((doc, widget)) = self.pastes.remove(&id) else { return };
        let Ok(bytes) = result else { return };
        let text = String::from_utf8_lossy(bytes.get(..MOST_PASTED).unwrap_or(&bytes)).into_owned();
        let now = self.now_ms();
        if let Some(r) = self.with_view(doc, widget.as_deref(), |view, res| view.paste(&text, res, now)) {
            self.answer(platform, doc, widget.as_deref(), r);
        }
    }

    pub(super) fn out_events(&mut self, platform: &mut Platform, doc: DocRef, widget: Option<&str>, events: Vec<OutEvent>) {
        let owner = widget.and_then(|w| self.doc(doc)?.widget(w)).map(|w| (w.content.app().cloned(), w.native));
        for event in events {
            match (&owner, event) {
                // The chrome of a window, the entries of a menu.
                (None, OutEvent::Action { name, context, .. }) => self.own_event(platform, doc, &name, &context),
                (Some((_, true)), OutEvent::Action { name, context, .. }) => self.native_event(platform, &name, &context),
                (Some((Some(app), false)), event) => self.app_event(platform, doc, &app.clone(), event),
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
        } else if let (DocRef::Window(id), Some(action)) = (doc, AppWindow::action(name, context)) {
            self.chrome(platform, id, action);
        } else {
            self.desk_event(platform, name, context);
        }
    }

    /// Events a document of the person's may fire itself: opening an app.
    fn desk_event(&mut self, platform: &mut Platform, name: &str, context: &Value) {
        if name == "app.open"
            && let Some(app) = context.get("app").and_then(Value::as_str).and_then(|a| AppId::parse(a).ok())
        {
            let screen = context.get("screen").and_then(Value::as_str);
            self.try_open(platform, &app, screen, context.get("params").cloned().unwrap_or_default());
        }
    }

    fn native_event(&mut self, platform: &mut Platform, name: &str, context: &Value) {
        let id = context.get("id").and_then(Value::as_str).unwrap_or_default();
        match name {
            native::WINDOW_PRESS => {
                let window = platform.windows().into_iter().find(|w| native::window_key(w.id) == id);
                if let Some(w) = window {
                    let action = if w.active { WindowAction::Minimize(true) } else { WindowAction::Activate };
                    platform.act_on_window(w.id, action);
                }
            }
            native::WORKSPACE_PRESS => {
                let workspace = platform.workspaces().into_iter().find(|w| native::workspace_key(w.id) == id);
                if let Some(w) = workspace {
                    platform.activate_workspace(w.id);
                }
            }
            _ => {}
        }
    }

    fn app_event(&mut self, platform: &mut Platform, doc: DocRef, app: &AppId, event: OutEvent) {
        match event {
            OutEvent::FunctionCall { name, args, .. } => match self.desk.call(app, &name, &args) {
                Ok(Some(navigation)) => self.navigated(platform, doc, app, navigation),
                Ok(None) => {}
                Err(error) => tracing::warn!(%app, function = name, "the call was refused: {error}"),
            },
            OutEvent::OpenUrl { url } => self.desk.open_url(app, &url),
            OutEvent::Copy { text } => {
                platform.set_clipboard(Payload::text(&text));
            }
            OutEvent::Announce { text, .. } => tracing::debug!(%app, "announced: {} characters", text.chars().count()),
            _ => {}
        }
    }

    /// An app went to another of its screens: in its window, which opens where there is none.
    fn navigated(&mut self, platform: &mut Platform, doc: DocRef, app: &AppId, to: Visit) {
        if let DocRef::Window(id) = doc
            && let Some(w) = self.windows.get_mut(&id)
        {
            w.window.navigate(to);
            return;
        }
        self.close_popup(platform);
        self.try_open(platform, app, Some(&to.screen), to.params);
    }

    /// Open a screen of an app, or say in the log why not.
    pub(super) fn try_open(&mut self, platform: &mut Platform, app: &AppId, screen: Option<&str>, params: Value) {
        if let Err(error) = self.open_app(platform, app, screen, params, None) {
            tracing::warn!("{error}");
        }
    }
}
