//! What stands in the place of content that could not be shown: what, why, where, in the same box as any widget. A template of the
//! shell's own, so that it is laid out and painted like everything else.

use serde_json::{Value, json};

/// The event of its button.
pub const DETAILS: &str = "shell.details";

/// The first thing that is wrong with something, and how many things are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The app or document.
    pub name: String,
    pub message: String,
    /// Where in its file (a JSON pointer); empty when there is no such place.
    pub pointer: String,
    pub count: usize,
}

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Panel,
    Small,
    Large,
}

/// The messages of a tile for `problem`.
pub fn messages(problem: &Problem, room: Room) -> Vec<Value> {
    let title = format!("{} could not be shown", problem.name);
    let icon = |size: &str| json!({"id": "icon", "component": "Icon", "name": "triangle-alert", "size": size, "style": {"color": "$color.destructive", "flexShrink": 0}});
    let button = json!({"id": "details", "component": "Button", "label": "Open details", "variant": "secondary", "size": "sm",
        "on": {"press": {"event": {"name": DETAILS, "context": {"name": problem.name}}}}, "style": {"alignSelf": "flex-start"}});
    let sentence =
        json!({"id": "title", "component": "Text", "text": title, "style": {"fontWeight": 600}});
    let list = match room {
        Room::Panel => vec![
            json!({"id": "root", "component": "Box", "children": ["icon", "name"], "accessibility": {"label": title},
                "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 6, "paddingHorizontal": 8}}),
            icon("sm"),
            json!({"id": "name", "component": "Text", "text": problem.name, "lines": 1, "style": {"color": "$color.mutedForeground"}}),
        ],
        Room::Small => vec![
            json!({"id": "root", "component": "Box", "children": ["icon", "title", "space", "details"],
                "style": {"display": "flex", "flexDirection": "column", "gap": 8, "overflow": "hidden"}}),
            icon("default"),
            sentence,
            json!({"id": "space", "component": "Box", "style": {"flexGrow": 1}}),
            button,
        ],
        Room::Large => {
            let count = if problem.count > 1 {
                format!("1 of {} problems", problem.count)
            } else {
                String::new()
            };
            let mut foot = vec!["details"];
            if !count.is_empty() {
                foot.push("count");
            }
            let mut body = vec!["title", "problem"];
            if !problem.pointer.is_empty() {
                body.push("pointer");
            }
            body.extend(["space", "foot"]);
            vec![
                json!({"id": "root", "component": "Box", "children": ["icon", "body"],
                    "style": {"display": "flex", "flexDirection": "row", "alignItems": "flex-start", "gap": 12, "overflow": "hidden"}}),
                icon("default"),
                json!({"id": "body", "component": "Box", "children": body,
                    "style": {"display": "flex", "flexDirection": "column", "alignSelf": "stretch", "gap": 4, "flexGrow": 1, "flexBasis": 0, "minWidth": 0}}),
                sentence,
                json!({"id": "problem", "component": "Text", "text": problem.message, "lines": 2, "style": {"color": "$color.mutedForeground"}}),
                json!({"id": "pointer", "component": "Text", "text": problem.pointer, "lines": 1, "style": {"color": "$color.mutedForeground",
                    "fontFamily": "$type.family.mono", "fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs"}}),
                json!({"id": "space", "component": "Box", "style": {"flexGrow": 1}}),
                json!({"id": "foot", "component": "Box", "children": foot, "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 12}}),
                button,
                json!({"id": "count", "component": "Text", "text": count, "style": {"color": "$color.mutedForeground", "fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs"}}),
            ]
        }
    };
    vec![json!({"version": "v0.9", "updateComponents": {"surfaceId": "tile", "components": list}})]
}
