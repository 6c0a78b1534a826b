//! The shell's own components in documents, each a small template fed with live data: the windows and the workspaces of the session.
//! Titles come from other programs: they are data in a text, never markup.

use serde_json::{Value, json};

use crate::wayland::{WindowId, WindowInfo, WorkspaceId, WorkspaceInfo};

/// Events of these templates, with the id of what was pressed in the context.
pub const WINDOW_PRESS: &str = "shell.window";
pub const WORKSPACE_PRESS: &str = "shell.workspace";

/// Width of a window's item: icon, gap and title at most this wide, padding (mocks: "Panel").
pub const WINDOW_ITEM: f32 = 144.0 + 16.0 + 8.0 + 16.0;

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
    let one = |w: &WindowInfo| json!({"id": window_key(w.id), "title": words(&w.title, &w.app_id), "icon": "app-window", "appId": words(&w.app_id, ""), "focused": w.active});
    windows.iter().map(one).collect()
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

fn messages(components: Value) -> Vec<Value> {
    vec![
        json!({"version": "v0.9", "updateComponents": {"surfaceId": "native", "components": components}}),
    ]
}

fn item_style(on: &str) -> Value {
    json!({
        "display": "flex", "flexDirection": "row", "alignItems": "center", "justifyContent": "center", "gap": 8, "flexShrink": 0, "height": "100%",
        "borderRadius": "$radius.sm", "borderWidth": 0,
        "backgroundColor": {"call": "cond", "args": {"if": {"path": on}, "then": "$color.accent", "else": "$color.none"}},
        ":hover": {"backgroundColor": "$color.accent"},
    })
}

/// The open windows as panel items; `/windows` holds `{id, title, icon, focused}`.
pub fn window_list() -> Vec<Value> {
    let mut style = item_style("focused");
    style["paddingHorizontal"] = json!(8);
    // Of its own an item would be as wide as its whole title, cut or not.
    style["maxWidth"] = json!(WINDOW_ITEM);
    messages(json!([
        {"id": "root", "component": "Box", "accessibility": {"role": "list", "label": "Windows"},
         "style": {"display": "flex", "flexDirection": "row", "alignItems": "stretch", "gap": 4, "minWidth": 0, "overflow": "hidden"},
         "children": {"componentId": "item", "path": "/windows", "key": "/id"}},
        {"id": "item", "component": "Box", "pressable": true, "style": style, "children": ["icon", "title"],
         "on": {"press": {"event": {"name": WINDOW_PRESS, "context": {"id": {"path": "id"}}}}}},
        {"id": "icon", "component": "Icon", "name": {"path": "icon"}, "size": "sm"},
        {"id": "title", "component": "Text", "text": {"path": "title"}, "lines": 1, "style": {"maxWidth": 144, "minWidth": 0, "flexShrink": 1}},
    ]))
}

/// The workspaces as numbered items; `/workspaces` holds `{id, name, active, urgent}`.
pub fn workspaces() -> Vec<Value> {
    let mut style = item_style("active");
    style["width"] = json!(28);
    messages(json!([
        {"id": "root", "component": "Box", "accessibility": {"role": "list", "label": "Workspaces"},
         "style": {"display": "flex", "flexDirection": "row", "alignItems": "stretch", "gap": 2},
         "children": {"componentId": "item", "path": "/workspaces", "key": "/id"}},
        {"id": "item", "component": "Box", "pressable": true, "style": style, "children": ["name"],
         "on": {"press": {"event": {"name": WORKSPACE_PRESS, "context": {"id": {"path": "id"}}}}}},
        {"id": "name", "component": "Text", "text": {"path": "name"}, "lines": 1, "style": {"fontWeight": "$type.weight.medium",
         "color": {"call": "cond", "args": {"if": {"path": "active"}, "then": "$color.foreground", "else": "$color.mutedForeground"}}}},
    ]))
}
