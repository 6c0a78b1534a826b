//! The list under the windows: what is wrong with the file, what there is to know about it, and how its tests went.

use ede_engine::issue::{Issue, Note};
use serde_json::{Value, json};

pub const ID: &str = "preview.issues";

/// Lines listed; `ede check` has them all.
const MOST: usize = 50;

/// Height of a line, and of the list's head (px).
const ROW: u32 = 36;
const HEAD: u32 = 40;

pub fn components(issues: &[Issue], notes: &[Note], (pass, tests): (usize, usize)) -> Vec<Value> {
    let muted = json!({"color": "$color.mutedForeground"});
    let (icon, tone, outcome) = match tests {
        0 => ("minus", "$color.mutedForeground", "No tests".to_string()),
        _ if pass == tests => (
            "circle-check",
            "$color.success",
            format!("{pass} of {tests} tests pass"),
        ),
        _ => (
            "circle-x",
            "$color.destructive",
            format!("{pass} of {tests} tests pass"),
        ),
    };
    let mut rows = vec!["preview.head".to_string()];
    let mut all = vec![
        json!({"id": "preview.title", "component": "Text", "text": "Issues", "style": {"fontWeight": 600}}),
        json!({"id": "preview.count", "component": "Badge", "text": (issues.len() + notes.len()).to_string(), "variant": "secondary", "style": {"alignSelf": "center"}}),
        json!({"id": "preview.gap", "component": "Box", "style": {"flexGrow": 1}}),
        json!({"id": "preview.tests.icon", "component": "Icon", "name": icon, "size": "sm", "style": {"color": tone}}),
        json!({"id": "preview.tests", "component": "Text", "text": outcome, "style": muted}),
        json!({"id": "preview.head", "component": "Box", "children": ["preview.title", "preview.count", "preview.gap", "preview.tests.icon", "preview.tests"],
            "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 12, "height": HEAD, "flexShrink": 0, "paddingHorizontal": 16}}),
    ];
    let lines = issues
        .iter()
        .map(|i| {
            let place = i
                .position
                .map_or_else(String::new, |p| format!("line {}", p.line));
            (
                "circle-x",
                "$color.destructive",
                i.message.as_str(),
                i.pointer.as_str(),
                place,
            )
        })
        .chain(notes.iter().map(line));
    for (n, (icon, tone, message, pointer, place)) in lines.take(MOST).enumerate() {
        let row = format!("preview.issue.{n}");
        all.extend([
            json!({"id": format!("{row}.icon"), "component": "Icon", "name": icon, "size": "sm", "style": {"color": tone, "flexShrink": 0}}),
            json!({"id": format!("{row}.text"), "component": "Text", "text": message, "lines": 1, "style": {"flexGrow": 1, "flexBasis": 472, "minWidth": 0}}),
            json!({"id": format!("{row}.at"), "component": "Text", "text": pointer, "lines": 1,
                "style": {"fontFamily": "$type.family.mono", "fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs", "color": "$color.mutedForeground",
                    "flexGrow": 1, "flexBasis": 320, "minWidth": 0}}),
            json!({"id": format!("{row}.line"), "component": "Text", "text": place, "lines": 1,
                "style": {"color": "$color.mutedForeground", "fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs", "flexShrink": 0}}),
            json!({"id": row, "component": "Box", "children": [format!("{row}.icon"), format!("{row}.text"), format!("{row}.at"), format!("{row}.line")],
                "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 12, "height": ROW, "flexShrink": 0, "paddingHorizontal": 16,
                    "borderTopWidth": 1, "borderColor": "$color.border"}}),
        ]);
        rows.push(row);
    }
    all.push(json!({"id": ID, "component": "Box", "children": rows,
        "style": {"display": "flex", "flexDirection": "column", "flexShrink": 0, "maxHeight": HEAD + 3 * ROW + 1, "overflowY": "auto",
            "borderTopWidth": 1, "borderColor": "$color.border"}}));
    all
}

/// A note as a line: icon, colour, words, pointer, place. One about a place in the file begins with its pointer.
fn line(note: &Note) -> (&str, &str, &str, &str, String) {
    let placed = note
        .message
        .split_once(": ")
        .filter(|(at, _)| at.starts_with('/'));
    match placed {
        Some((at, words)) => ("triangle-alert", "$color.warning", words, at, String::new()),
        None => ("info", "$color.info", &note.message, "", String::new()),
    }
}
