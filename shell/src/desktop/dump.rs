//! Every painted node of a view as data, in paint order: what `snapshot --dump` writes and the tests read.

use ede_renderer::View;
use ede_renderer::geometry::Point;
use serde_json::{Value, json};

use super::app_view::APP_ROOT;

/// The nodes of a view, moved by `offset`; open layers last. Closed overlays and inactive tabs are not in the tree at all.
pub fn nodes(view: &View, offset: Point, out: &mut Vec<Value>) {
    let scene = view.scene();
    let roots = scene
        .root()
        .into_iter()
        .chain(scene.layers().iter().map(|l| l.root));
    for root in roots {
        node(view, root, offset, out);
    }
}

fn node(view: &View, slot: u32, offset: Point, out: &mut Vec<Value>) {
    let scene = view.scene();
    let Some(n) = scene.node(slot) else { return };
    let p = &n.placed;
    if p.hidden || n.look.gone {
        return;
    }
    if !n.look.invisible {
        let frame = scene.shown_frame(slot).unwrap_or(n.frame).translate(offset);
        let id = if p.id == APP_ROOT {
            "root"
        } else {
            p.id.as_str()
        };
        let mut entry = json!({"id": id, "component": p.component});
        let mut put = |key: &str, value: Option<Value>| {
            if let (Some(value), Some(entry)) = (value, entry.as_object_mut()) {
                entry.insert(key.into(), value);
            }
        };
        put("part", p.part.clone().map(Value::from));
        let a11y = |key: &str| p.accessibility.as_ref().and_then(|a| a.get(key)).cloned();
        put("role", a11y("role"));
        put("name", a11y("label"));
        put("text", shown_text(&p.props));
        put("states", (!p.states.is_empty()).then(|| json!(p.states)));
        put(
            "frame",
            Some(json!([
                tidy(frame.x),
                tidy(frame.y),
                tidy(frame.w),
                tidy(frame.h)
            ])),
        );
        out.push(entry);
    }
    for child in &p.children {
        node(view, *child, offset, out);
    }
}

/// The text a leaf shows, numbers and booleans as people read them.
fn shown_text(props: &serde_json::Map<String, Value>) -> Option<Value> {
    let value = [
        "text",
        "label",
        "title",
        "content",
        "code",
        "value",
        "placeholder",
    ]
    .iter()
    .find_map(|k| props.get(*k))?;
    match value {
        Value::String(s) if !s.is_empty() => Some(Value::from(s.as_str())),
        Value::Number(_) | Value::Bool(_) => {
            Some(Value::from(eui_core::format::display_string(value)))
        }
        _ => None,
    }
}

/// Hundredths of a pixel say everything a frame has to say.
fn tidy(n: f32) -> f64 {
    (f64::from(n) * 100.0).round() / 100.0
}
