//! The components of a catalog as JSON Schema: generated from the catalog's own data.

use eui_core::catalog::CatalogView;
use eui_core::generated::catalog::{FUNCTION_NAMES, ICON_NAMES};
use eui_core::macros::BREAKPOINTS;
use eui_core::reducer::RESERVED_KEYS;
use eui_core::types::{ComponentDef, PropSchema};
use serde_json::{Map, Value, json};

use super::json::json_schema;
use super::shape::Shape;
use super::style;
use crate::surface::bounds;

/// The definitions of every component of `view`, of what their props are made of, and `component`, which is any one of
/// them. `common` is the shape all components share.
pub(super) fn definitions(view: &CatalogView, common: &Shape) -> Map<String, Value> {
    let mut out = style::definitions();
    out.insert("icon".into(), json!({"enum": ICON_NAMES}));
    out.insert(
        "function".into(),
        json!({
            "description": "A function: one of the catalog's, or one of the host's, which has a dot in its name (harness.toast, actions.NAME).",
            "anyOf": [{"enum": FUNCTION_NAMES}, {"type": "string", "pattern": "\\."}],
        }),
    );
    out.insert(
        "dynamic".into(),
        json!({
            "description": "A binding or a function call.",
            "anyOf": [
                {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}, "additionalProperties": false},
                {"type": "object", "required": ["call"], "properties": {"call": {"$ref": "#/$defs/function"}}},
            ],
        }),
    );
    for (name, values) in &view.enums {
        out.insert(format!("enum.{name}"), json!({"enum": values}));
    }
    for (name, def) in &view.defs {
        out.insert(format!("shape.{name}"), object(&def.properties));
    }
    let offered: Vec<(&String, &ComponentDef)> = view
        .components
        .iter()
        .filter(|(_, def)| def.is_offered())
        .collect();
    for (name, def) in &offered {
        out.insert(format!("component.{name}"), component(def));
    }
    let names: Vec<&String> = offered.iter().map(|(name, _)| *name).collect();
    let branches: Vec<Value> = names
        .iter()
        .map(|name| json!({"if": {"properties": {"component": {"const": name}}, "required": ["component"]}, "then": {"$ref": format!("#/$defs/component.{name}")}}))
        .collect();
    out.insert("anyComponent".into(), json_schema(common));
    out.insert("component".into(), json!({"description": "A component of the catalog: `ede preview --gallery` shows every one, assets/gallery.json has an example of each.", "$ref": "#/$defs/anyComponent", "properties": {"component": {"enum": names}}, "allOf": branches}));
    out
}

fn component(def: &ComponentDef) -> Value {
    let mut properties: Map<String, Value> = RESERVED_KEYS
        .iter()
        .map(|k| ((*k).to_owned(), json!({})))
        .collect();
    properties.insert("style".into(), json!({"$ref": "#/$defs/style"}));
    properties.insert(
        "visible".into(),
        json!({"anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/dynamic"}]}),
    );
    if def.children == "none" {
        properties.insert(
            "children".into(),
            json!({"anyOf": [{"type": "array", "maxItems": 0}, {"type": "object"}]}),
        );
    }
    let slots = def.slots.as_deref().unwrap_or_default();
    if !slots.iter().any(|s| s == "*") {
        properties.insert("slots".into(), json!({"propertyNames": {"enum": slots}}));
    }
    properties.insert(
        "on".into(),
        json!({"propertyNames": {"enum": def.events.as_deref().unwrap_or_default()}}),
    );
    let mut required = Vec::new();
    for (name, schema) in &def.props {
        // A prop that shares a reserved key's name would never be read.
        properties
            .entry(name.clone())
            .or_insert_with(|| prop(name, schema));
        if schema.required == Some(true) {
            required.push(name.clone());
        }
    }
    let mut out = json!({"properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        out["required"] = json!(required);
    }
    if !def.description.is_empty() {
        out["description"] = def.description.clone().into();
    }
    out
}

fn object<'a>(props: impl IntoIterator<Item = (&'a String, &'a PropSchema)>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, schema) in props {
        properties.insert(name.clone(), prop(name, schema));
        if schema.required == Some(true) {
            required.push(name.clone());
        }
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// A prop: its literal, bound or responsive where it may be, null where it may be left out.
fn prop(name: &str, schema: &PropSchema) -> Value {
    // The checker's own bounds, where the catalog has none.
    let schema = &PropSchema {
        maximum: bounds::most(name, schema),
        ..schema.clone()
    };
    let mut any = vec![item(schema)];
    if schema.required != Some(true) {
        any.push(json!({"type": "null"}));
    }
    let mut out = if any.len() == 1 {
        any.remove(0)
    } else {
        json!({"anyOf": any})
    };
    if let (Some(members), false) = (out.as_object_mut(), schema.description.is_empty()) {
        members.insert("description".into(), schema.description.clone().into());
    }
    out
}

/// A value where it must be there: an item of a list, or a required prop.
fn item(schema: &PropSchema) -> Value {
    let plain = literal(schema);
    let mut any = vec![plain.clone()];
    if schema.bindable == Some(true) {
        any.push(json!({"$ref": "#/$defs/dynamic"}));
    }
    if schema.responsive == Some(true) {
        let mut sizes: Map<String, Value> = BREAKPOINTS
            .iter()
            .map(|b| (b.clone(), plain.clone()))
            .collect();
        sizes.insert("base".into(), plain);
        any.push(json!({"type": "object", "required": ["base"], "properties": sizes, "additionalProperties": false}));
    }
    if any.len() == 1 {
        any.remove(0)
    } else {
        json!({"anyOf": any})
    }
}

fn literal(schema: &PropSchema) -> Value {
    match schema.type_.as_str() {
        "string" | "markdown" | "url" => json!({"type": "string"}),
        "date" => json!({"type": "string", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"}),
        "number" => {
            let mut out = json!({"type": "number"});
            for (key, bound) in [("minimum", schema.minimum), ("maximum", schema.maximum)] {
                if let Some(n) = bound {
                    out[key] = eui_core::json::number(n);
                }
            }
            out
        }
        "boolean" => json!({"type": "boolean"}),
        "enum" => match (&schema.values, &schema.enum_) {
            (Some(values), _) => json!({"enum": values}),
            (None, Some(name)) => json!({"$ref": format!("#/$defs/enum.{name}")}),
            (None, None) => json!(false),
        },
        "icon" => json!({"$ref": "#/$defs/icon"}),
        "color" => json!({"$ref": "#/$defs/colorToken"}),
        "style" => json!({"$ref": "#/$defs/style"}),
        "array" => match &schema.items {
            Some(items) => json!({"type": "array", "items": item(items)}),
            None => json!({"type": "array"}),
        },
        "object" => match &schema.shape {
            Some(name) => json!({"$ref": format!("#/$defs/shape.{name}")}),
            None => json!({"type": "object"}),
        },
        _ => json!({}),
    }
}
