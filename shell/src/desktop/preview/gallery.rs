//! Every component of the catalog by its example, one under the other. The examples are `assets/gallery.json`: nested components by
//! name, in the catalog's order.

use serde_json::{Map, Value, json};

const EXAMPLES: &str = include_str!("../../../../assets/gallery.json");

/// The choice that shows all of them.
const ALL: &str = "all";

/// The one component that is over the others without a press.
const TOAST: &str = "Toast";

pub struct Gallery {
    examples: Map<String, Value>,
    chosen: String,
}

impl Gallery {
    /// The gallery at the component `first`; all of them where it names none.
    pub fn new(first: Option<&str>) -> Gallery {
        let examples = serde_json::from_str(EXAMPLES).unwrap_or_default();
        let mut gallery = Gallery {
            examples,
            chosen: ALL.into(),
        };
        gallery.choose(first.unwrap_or(ALL));
        gallery
    }

    /// Show one component, or all where there is none of that name.
    pub fn choose(&mut self, name: &str) {
        let known = self.examples.keys().find(|k| k.eq_ignore_ascii_case(name));
        self.chosen = known.map_or(ALL, String::as_str).to_string();
    }

    pub fn chosen(&self) -> &str {
        &self.chosen
    }

    /// What can be chosen: the value, and what a person reads.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        let each = self.examples.keys().map(|k| (k.as_str(), k.as_str()));
        std::iter::once((ALL, "All components")).chain(each)
    }

    /// The messages of a surface that shows what is chosen.
    pub fn messages(&self) -> Vec<Value> {
        let shown = self
            .examples
            .iter()
            .filter(|(name, _)| self.chosen == ALL || self.chosen == **name);
        let (mut all, mut cells) = (Vec::new(), Vec::new());
        for (name, example) in shown {
            let id = format!("gallery.{name}");
            let mut example = example.clone();
            if name == TOAST && self.chosen == ALL {
                // It would lie over its neighbours; chosen alone it is there.
                example["open"] = json!(false);
            }
            flatten(&example, &format!("{id}.x"), &mut all);
            all.push(json!({"id": format!("{id}.name"), "component": "Text", "text": name, "variant": "caption"}));
            // An example that fills its page gets a page to fill, and no more.
            all.push(json!({"id": format!("{id}.place"), "component": "Box", "children": [format!("{id}.x")],
                "style": {"display": "flex", "flexDirection": "column", "alignItems": "stretch", "maxHeight": 360, "minWidth": 0, "overflow": "hidden", "padding": 4}}));
            all.push(json!({"id": id, "component": "Box", "children": [format!("{id}.name"), format!("{id}.place")],
                "style": {"display": "flex", "flexDirection": "column", "gap": 8, "minWidth": 0}}));
            cells.push(id);
        }
        // One component alone has the whole width.
        let wide = if self.chosen == ALL { 3 } else { 1 };
        let columns = |n: u32| format!("repeat({n}, minmax(0, 1fr))");
        all.push(json!({"id": "root", "component": "Box", "children": cells,
            "style": {"display": "grid", "gridTemplateColumns": columns(1), "columnGap": 32, "rowGap": 32, "padding": 24, "alignItems": "start",
                "@media (min-width: 768px)": {"gridTemplateColumns": columns(wide)}}}));
        vec![
            json!({"version": "v0.9", "updateComponents": {"surfaceId": "gallery", "components": all}}),
        ]
    }
}

/// Nested components as the flat list a surface takes; ids are positions.
fn flatten(tree: &Value, id: &str, out: &mut Vec<Value>) {
    let mut node: Map<String, Value> = tree.as_object().cloned().unwrap_or_default();
    node.insert("id".into(), json!(id));
    if let Some(Value::Array(children)) = node.remove("children") {
        let ids: Vec<String> = (0..children.len()).map(|i| format!("{id}.{i}")).collect();
        for (child, id) in children.iter().zip(&ids) {
            flatten(child, id, out);
        }
        node.insert("children".into(), json!(ids));
    }
    if let Some(Value::Object(slots)) = node.remove("slots") {
        let mut named = Map::new();
        for (name, child) in slots {
            let id = format!("{id}.{name}");
            flatten(&child, &id, out);
            named.insert(name, json!(id));
        }
        node.insert("slots".into(), Value::Object(named));
    }
    out.push(Value::Object(node));
}
