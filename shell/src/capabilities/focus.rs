//! `focus`: bring a window to the front. A window an app may not know of is not there for it.

use serde_json::{Value, json};

use super::windows::is_open;
use super::{Call, Provider, Ran};
use crate::wayland::{Platform, WindowAction};

pub(super) struct Focus;

impl Provider for Focus {
    fn capability(&self) -> &'static str {
        "focus"
    }

    fn is_there(&self, session: Option<&Platform>) -> bool {
        session.is_some_and(Platform::moves_windows)
    }

    fn call(&mut self, call: Call<'_>, session: Option<&mut Platform>) -> Ran {
        let Some(platform) = session else {
            return Ran::ok(json!({"focused": false}));
        };
        let wanted = call.arguments.get("window").and_then(Value::as_str);
        let windows = platform.windows();
        let found = windows
            .iter()
            .find(|w| is_open(w) && Some(w.id.to_string().as_str()) == wanted);
        let focused = found.is_some_and(|w| {
            if w.minimized {
                platform.act_on_window(w.id, WindowAction::Minimize(false));
            }
            platform.act_on_window(w.id, WindowAction::Activate)
        });
        Ran::ok(json!({"focused": focused}))
    }
}
