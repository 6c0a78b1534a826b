//! The theme format as JSON Schema, generated from eui-core's tokens and recipe parts.

use eui_core::catalog::TOKEN_GROUPS;
use eui_core::recipes::{RECIPE_KEYS, RECIPE_STATES, RecipeIndex};
use eui_core::theme::THEME_SCHEMA_ID;
use serde_json::{Map, Value, json};

use super::patterns;

/// Per mode, not under `tokens`.
const MODE_GROUPS: [&str; 2] = ["color", "shadow"];

/// The properties of a theme file, with what a theme must hold that extends no other.
pub(super) fn body() -> Value {
    let number = || json!({"type": "number"});
    let mut groups = Map::new();
    let mut types = Map::new();
    let (mut needed, mut needed_types) = (Map::new(), Map::new());
    for (group, names) in TOKEN_GROUPS
        .iter()
        .filter(|(g, _)| !MODE_GROUPS.contains(&g.as_str()))
    {
        let value = match group.as_str() {
            "ease" => {
                json!({"type": "array", "minItems": 4, "maxItems": 4, "items": {"type": "number"}})
            }
            "type.family" => json!({"type": "string", "minLength": 1}),
            "opacity" => json!({"type": "number", "minimum": 0, "maximum": 1}),
            "density" => json!({"type": "number", "minimum": 0.5, "maximum": 2}),
            "scale" => json!({"type": "number", "minimum": 0.5, "maximum": 1.5}),
            _ => number(),
        };
        let (into, need, name) = match group.strip_prefix("type.") {
            Some(sub) => (&mut types, &mut needed_types, sub),
            None => (&mut groups, &mut needed, group.as_str()),
        };
        into.insert(name.to_owned(), named(names, &value));
        need.insert(name.to_owned(), json!({"required": names}));
    }
    let type_names: Vec<String> = types.keys().cloned().collect();
    groups.insert(
        "type".into(),
        json!({"type": "object", "properties": types, "additionalProperties": false}),
    );
    needed.insert(
        "type".into(),
        json!({"required": type_names, "properties": needed_types}),
    );
    let modes = both(&mode());
    let all_of_mode = json!({"required": MODE_GROUPS, "properties": MODE_GROUPS.iter().map(|g| ((*g).to_owned(), json!({"required": TOKEN_GROUPS.get(*g)}))).collect::<Map<_, _>>()});
    let group_names: Vec<String> = needed.keys().cloned().collect();
    let complete = json!({
        "required": ["modes", "tokens", "fonts"],
        "properties": {
            "modes": {"required": ["light", "dark"], "properties": {"light": all_of_mode, "dark": all_of_mode}},
            "tokens": {"required": group_names, "properties": needed},
        },
    });
    json!({
        "type": "object",
        "required": ["$schema", "id", "name"],
        "additionalProperties": false,
        "properties": {
            "$schema": {"const": THEME_SCHEMA_ID},
            "$comment": {},
            "id": {"type": "string", "pattern": patterns::THEME_ID.regex},
            "name": {"type": "string", "minLength": 1},
            "extends": {"type": "string", "description": "A theme whose values this one starts from: a built-in id, or another theme file's."},
            "modes": modes,
            "contrast": modes,
            "tokens": {"type": "object", "properties": groups, "additionalProperties": false},
            "fonts": {"type": "object", "additionalProperties": {
                "type": "object", "additionalProperties": false,
                "properties": {"fallback": {"type": "string"}, "weights": {"type": "array", "items": {"type": "number"}}, "source": {"enum": ["system", "host"]}},
            }},
            "recipes": recipes(),
        },
        "if": {"not": {"required": ["extends"]}},
        "then": complete,
    })
}

fn named(names: &[String], value: &Value) -> Value {
    json!({"type": "object", "properties": names.iter().map(|n| (n.clone(), value.clone())).collect::<Map<_, _>>(), "additionalProperties": false})
}

fn both(mode: &Value) -> Value {
    json!({"type": "object", "properties": {"light": mode, "dark": mode}, "additionalProperties": false})
}

fn mode() -> Value {
    let colour = json!({"type": "string", "pattern": "^#([0-9a-f]{6}|[0-9a-f]{8})$"});
    let number = json!({"type": "number"});
    let layer = json!({"type": "object", "required": ["x", "y", "blur", "spread", "color"], "properties": {"x": number, "y": number, "blur": number, "spread": number, "color": colour}});
    let names = |group: &str| TOKEN_GROUPS.get(group).cloned().unwrap_or_default();
    json!({
        "type": "object", "additionalProperties": false,
        "properties": {"color": named(&names("color"), &colour), "shadow": named(&names("shadow"), &json!({"type": "array", "items": layer}))},
    })
}

/// Recipes by component and part; which value a style key takes is checked by the theme's reader alone.
fn recipes() -> Value {
    let style: Map<String, Value> = RECIPE_KEYS
        .iter()
        .map(|k| {
            (
                (*k).to_owned(),
                json!({"type": ["string", "number", "boolean"]}),
            )
        })
        .collect();
    let state = json!({"enum": RECIPE_STATES});
    let value = json!({"type": ["string", "number", "boolean"]});
    let components: Map<String, Value> = RecipeIndex::core()
        .parts
        .iter()
        .map(|(component, spec)| {
            let mut when: Map<String, Value> = spec
                .props
                .iter()
                .map(|p| {
                    (
                        p.clone(),
                        json!({"anyOf": [value, {"type": "array", "items": value}]}),
                    )
                })
                .collect();
            when.insert(
                "state".into(),
                json!({"anyOf": [state, {"type": "array", "items": state}]}),
            );
            let rule = json!({
                "type": "object", "required": ["style"], "additionalProperties": false,
                "properties": {
                    "when": {"type": "object", "properties": when, "additionalProperties": false},
                    "style": {"type": "object", "properties": style, "additionalProperties": false},
                },
            });
            let rules = json!({"type": "array", "items": rule});
            (component.clone(), named(&spec.parts, &rules))
        })
        .collect();
    json!({"type": "object", "properties": components, "additionalProperties": false})
}
