//! A panel's content turned for its edge: what was written to run along the top stands down a side, and the other way round, so that a
//! panel can be moved to any edge as it is. A document that already runs the way its edge does is left alone.

use std::collections::BTreeSet;

use ede_engine::documents::Edge;
use serde_json::{Map, Value, json};

/// Style keys that change places; the rest means the same both ways.
const PAIRS: [(&str, &str); 13] = [
    ("width", "height"),
    ("minWidth", "minHeight"),
    ("maxWidth", "maxHeight"),
    ("paddingHorizontal", "paddingVertical"),
    ("marginHorizontal", "marginVertical"),
    ("paddingLeft", "paddingTop"),
    ("paddingRight", "paddingBottom"),
    ("marginLeft", "marginTop"),
    ("marginRight", "marginBottom"),
    ("gridTemplateColumns", "gridTemplateRows"),
    ("columnGap", "rowGap"),
    ("overflowX", "overflowY"),
    ("borderLeftWidth", "borderTopWidth"),
];

/// What lies over the panel while it is open: only its trigger stands in the panel.
const OVERLAYS: [&str; 5] = ["Popover", "Menu", "Dialog", "Drawer", "AlertDialog"];

/// The components of a panel's document as they stand on `edge`.
pub fn turned(components: &[Value], edge: Edge) -> Vec<Value> {
    let mut all = components.to_vec();
    let root = all.iter().find(|c| c["id"] == "root");
    let along = root.and_then(|r| runs_in_a_row(&r["style"]));
    if along.is_none_or(|row| row == edge.is_horizontal()) {
        return all;
    }
    let standing = in_panel(components);
    for c in &mut all {
        let inside = c["id"].as_str().is_some_and(|id| standing.contains(id));
        if let Some(c) = c.as_object_mut().filter(|_| inside) {
            turn(c, edge);
        }
    }
    all
}

/// Does a container lay its children out side by side? `None` when it does not say.
fn runs_in_a_row(style: &Value) -> Option<bool> {
    if let Some(direction) = style["flexDirection"].as_str() {
        return Some(direction.starts_with("row"));
    }
    if style.get("gridTemplateColumns").is_some() {
        return Some(true);
    }
    style.get("gridTemplateRows").map(|_| false)
}

/// The ids of what stands in the panel itself, not in something that opens from it.
fn in_panel(components: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut next = vec!["root".to_string()];
    while let Some(id) = next.pop() {
        let Some(c) = components.iter().find(|c| c["id"] == id.as_str()) else {
            continue;
        };
        if !found.insert(id) {
            continue;
        }
        let text = |v: &Value| v.as_str().map(str::to_string);
        let overlay = c["component"]
            .as_str()
            .is_some_and(|k| OVERLAYS.contains(&k));
        if !overlay {
            next.extend(
                c["children"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(text),
            );
            next.extend(text(&c["children"]["componentId"]));
            next.extend(text(&c["child"]));
        }
        let slots = c["slots"].as_object().into_iter().flatten();
        next.extend(
            slots
                .filter(|(name, _)| !overlay || *name == "trigger")
                .filter_map(|(_, v)| text(v)),
        );
    }
    found
}

fn turn(c: &mut Map<String, Value>, edge: Edge) {
    let kind = c
        .get("component")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_string();
    if kind == "Popover" {
        // Away from the edge; the layout flips what does not fit.
        let side = match edge {
            Edge::Top => "bottom",
            Edge::Bottom => "top",
            Edge::Left => "right",
            Edge::Right => "left",
        };
        c.insert("side".into(), json!(side));
    }
    for key in ["direction", "orientation"] {
        if let Some(v) = c.get_mut(key) {
            turn_word(v);
        }
    }
    if let Some(style) = c.get_mut("style").and_then(Value::as_object_mut) {
        turn_style(style);
    }
}

fn turn_style(style: &mut Map<String, Value>) {
    for (a, b) in PAIRS {
        let (x, y) = (style.remove(a), style.remove(b));
        if let Some(x) = x {
            style.insert(b.into(), x);
        }
        if let Some(y) = y {
            style.insert(a.into(), y);
        }
    }
    if let Some(direction) = style.get_mut("flexDirection") {
        turn_word(direction);
    }
    for (key, value) in style.iter_mut() {
        // What holds in a state or at a size.
        if (key.starts_with(':') || key.starts_with('@'))
            && let Some(inner) = value.as_object_mut()
        {
            turn_style(inner);
        }
    }
}

fn turn_word(word: &mut Value) {
    let other = match word.as_str() {
        Some("row") => "column",
        Some("row-reverse") => "column-reverse",
        Some("column") => "row",
        Some("column-reverse") => "row-reverse",
        Some("horizontal") => "vertical",
        Some("vertical") => "horizontal",
        _ => return,
    };
    *word = json!(other);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<Value> {
        vec![
            json!({"id": "root", "component": "Box", "style": {"gridTemplateColumns": "1fr auto 1fr", "columnGap": 8}, "children": ["line", "menu"]}),
            json!({"id": "line", "component": "Box", "style": {"width": 1, "height": 16, "marginHorizontal": 4, ":hover": {"minWidth": 2}}}),
            json!({"id": "menu", "component": "Popover", "side": "bottom", "slots": {"trigger": "button"}, "children": ["list"]}),
            json!({"id": "button", "component": "Box", "style": {"paddingHorizontal": 4}}),
            json!({"id": "list", "component": "Box", "style": {"width": 192, "flexDirection": "column"}}),
        ]
    }

    #[test]
    fn what_runs_along_the_top_stands_down_a_side_and_what_opens_from_it_stays_as_it_is() {
        let all = turned(&sample(), Edge::Left);
        assert_eq!(
            all[0]["style"],
            json!({"gridTemplateRows": "1fr auto 1fr", "rowGap": 8})
        );
        assert_eq!(
            all[1]["style"],
            json!({"width": 16, "height": 1, "marginVertical": 4, ":hover": {"minHeight": 2}})
        );
        assert_eq!(
            (&all[2]["side"], &all[3]["style"]),
            (&json!("right"), &json!({"paddingVertical": 4}))
        );
        assert_eq!(all[4], sample()[4]);
    }

    #[test]
    fn what_runs_as_its_edge_does_is_left_alone() {
        assert_eq!(turned(&sample(), Edge::Bottom), sample());
        let down = vec![
            json!({"id": "root", "component": "Box", "style": {"flexDirection": "column", "width": 10}}),
        ];
        assert_eq!(turned(&down, Edge::Right), down);
        assert_eq!(
            turned(&down, Edge::Top)[0]["style"],
            json!({"flexDirection": "row", "height": 10})
        );
        let one = vec![json!({"id": "root", "component": "AppWidget", "app": "a.b"})];
        assert_eq!(turned(&one, Edge::Left), one);
    }
}
