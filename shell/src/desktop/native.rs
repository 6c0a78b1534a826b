//! What the shell's own components in documents have in common, and the smallest of them: each is a template fed with live data. The
//! list of windows is [`super::window_list`]'s.

use serde_json::{Value, json};

use crate::wayland::{WindowId, WindowInfo, WorkspaceId, WorkspaceInfo};

/// A workspace was pressed; its id is in the context.
pub const WORKSPACE_PRESS: &str = "shell.workspace";

/// A window's id in these templates.
pub fn window_key(id: WindowId) -> String {
    format!("{id:?}")
}

/// A workspace's id in these templates.
pub fn workspace_key(id: WorkspaceId) -> String {
    format!("{id:?}")
}

/// `ede:windows`: the windows in the order they appeared. Titles are other programs' words, shortened and without controls.
pub fn windows_value(windows: &[WindowInfo]) -> Value {
    let one = |w: &WindowInfo| json!({"id": window_key(w.id), "title": words(&w.title, &w.app_id), "letter": letter(w), "icon": "app-window", "appId": words(&w.app_id, ""), "focused": w.active});
    windows.iter().map(one).collect()
}

/// What a window is known by where there is no room for a title: the first letter of its app's name, which is the last part of a
/// reversed domain, else of its title.
fn letter(w: &WindowInfo) -> String {
    let name = w.app_id.rsplit('.').next().unwrap_or_default();
    let of = |text: &str| text.chars().find(|c| c.is_alphanumeric());
    of(name)
        .or_else(|| of(&w.title))
        .map_or_else(|| "·".into(), |c| c.to_uppercase().collect())
}

/// `ede:workspaces`, in the compositor's order.
pub fn workspaces_value(workspaces: &[WorkspaceInfo]) -> Value {
    let one = |w: &WorkspaceInfo| json!({"id": workspace_key(w.id), "name": words(&w.name, "?"), "active": w.active, "urgent": w.urgent});
    workspaces.iter().map(one).collect()
}

/// Another program's text as data: no control characters, at most 512 characters; `or` when nothing is left.
fn words(text: &str, or: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).take(512).collect();
    if clean.trim().is_empty() {
        or.chars().filter(|c| !c.is_control()).take(512).collect()
    } else {
        clean
    }
}

pub(super) fn messages(components: Value) -> Vec<Value> {
    vec![
        json!({"version": "v0.9", "updateComponents": {"surfaceId": "native", "components": components}}),
    ]
}

/// The style of an item of a panel, lit while the value at `on` is true.
pub(super) fn item_style(on: &str) -> Value {
    json!({
        "display": "flex", "flexDirection": "row", "alignItems": "center", "justifyContent": "center", "gap": 8, "flexShrink": 0, "height": "100%",
        "borderRadius": "$radius.sm", "borderWidth": 0,
        "backgroundColor": {"call": "cond", "args": {"if": {"path": on}, "then": "$color.accent", "else": "$color.none"}},
        ":hover": {"backgroundColor": "$color.accent"},
    })
}

/// The workspaces as numbered items; `/workspaces` holds `{id, name, active, urgent}`.
pub fn workspaces(standing: bool) -> Vec<Value> {
    let mut style = item_style("active");
    let (direction, length) = if standing {
        ("column", "height")
    } else {
        ("row", "width")
    };
    style[length] = json!(28);
    messages(json!([
        {"id": "root", "component": "Box", "accessibility": {"role": "list", "label": "Workspaces"},
         "style": {"display": "flex", "flexDirection": direction, "alignItems": "stretch", "gap": 2},
         "children": {"componentId": "item", "path": "/workspaces", "key": "/id"}},
        {"id": "item", "component": "Box", "pressable": true, "style": style, "children": ["name"],
         "on": {"press": {"event": {"name": WORKSPACE_PRESS, "context": {"id": {"path": "id"}}}}}},
        {"id": "name", "component": "Text", "text": {"path": "name"}, "lines": 1, "style": {"fontWeight": 500,
         "color": {"call": "cond", "args": {"if": {"path": "active"}, "then": "$color.foreground", "else": "$color.mutedForeground"}}}},
    ]))
}
