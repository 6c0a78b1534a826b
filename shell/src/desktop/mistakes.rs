//! The mark on a panel that files have mistakes: there as long as one has, pressed it lists them, each with its place. Components of the
//! shell's own beside the document's, laid out and painted like everything else.

use std::fmt;

use ede_engine::documents::Edge;
use serde_json::{Value, json};

/// The mark's component, a child of the panel beside its document.
pub const MARK: &str = "panel.mistakes";
/// How many are listed; `ede check` lists all.
const LISTED: usize = 8;

/// A file that is not used as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file's name, without its folder.
    pub file: String,
    /// What is wrong, and where in the file.
    pub what: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.what)
    }
}

/// The mark for a panel at this edge. Nothing when there are no mistakes.
pub fn mark(mistakes: &[Mistake], edge: Edge) -> Vec<Value> {
    let title = match mistakes.len() {
        0 => return Vec::new(),
        1 => "A file has a mistake".to_string(),
        n => format!("{n} files have mistakes"),
    };
    let side = match edge {
        Edge::Top => "bottom",
        Edge::Bottom => "top",
        Edge::Left => "right",
        Edge::Right => "left",
    };
    let part = |name: &str| format!("{MARK}.{name}");
    let mut all = vec![
        json!({"id": MARK, "component": "Popover", "side": side, "slots": {"trigger": part("button")}, "children": [part("list")],
            "style": {"flexShrink": 0, "alignSelf": "center"}}),
        json!({"id": part("button"), "component": "Button", "icon": "triangle-alert", "variant": "ghost", "size": "icon", "label": title,
            "style": {"color": "$color.destructive"}}),
    ];
    let mut rows = vec![part("title")];
    all.push(json!({"id": part("title"), "component": "Text", "text": title, "style": {"fontWeight": 600}}));
    for (n, mistake) in mistakes.iter().take(LISTED).enumerate() {
        let id = |name: &str| format!("{MARK}.{n}.{name}");
        rows.push(id("row"));
        all.extend([
            json!({"id": id("row"), "component": "Box", "children": [id("name"), id("what")],
                "style": {"display": "flex", "flexDirection": "column", "gap": 2}}),
            json!({"id": id("name"), "component": "Text", "text": mistake.file, "lines": 1}),
            json!({"id": id("what"), "component": "Text", "text": mistake.what, "lines": 4, "style": {"color": "$color.mutedForeground",
                "fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs"}}),
        ]);
    }
    let rest = match mistakes.len().saturating_sub(LISTED) {
        0 => "The last good version of each stays in use.".to_string(),
        n => format!("And {n} more. The last good version of each stays in use."),
    };
    rows.push(part("rest"));
    all.extend([
        json!({"id": part("rest"), "component": "Text", "text": rest, "style": {"color": "$color.mutedForeground"}}),
        json!({"id": part("list"), "component": "Box", "children": rows,
            "style": {"display": "flex", "flexDirection": "column", "gap": 12, "width": 320}}),
    ]);
    all
}
