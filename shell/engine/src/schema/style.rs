//! The style whitelist of eui-core as JSON Schema: generated from its data, so a new key needs no line here.

use eui_core::catalog::TOKEN_GROUPS;
use eui_core::generated::catalog::{STYLE_MEDIA_PATTERN, STYLE_STATES, STYLE_TRANSFORM_PATTERN};
use eui_core::style_check::{KeySpec, STYLE_SPECS};
use serde_json::{Map, Value, json};

use crate::surface::bounds::{LENGTH, may_be_negative};

/// The groups whose tokens stand for a number.
const NUMBERS: &[&str] = &[
    "spacing",
    "radius",
    "control",
    "type.size",
    "type.lineHeight",
    "opacity",
    "border",
];

/// Every token of some groups, as a node writes them.
pub(super) fn tokens(groups: &[&str]) -> Value {
    let all: Vec<String> = groups
        .iter()
        .filter_map(|g| TOKEN_GROUPS.get(*g).map(|names| (g, names)))
        .flat_map(|(g, names)| names.iter().map(move |n| format!("${g}.{n}")))
        .collect();
    json!({"enum": all})
}

/// The definitions a style needs: `style`, its blocks without conditions, and its token lists.
pub(super) fn definitions() -> Map<String, Value> {
    let properties: Map<String, Value> = STYLE_SPECS
        .iter()
        .map(|(key, spec)| (key.clone(), value(key, spec)))
        .collect();
    let states: Vec<String> = STYLE_STATES.iter().map(|s| format!("^{s}$")).collect();
    let conditions = format!(
        "{STYLE_MEDIA_PATTERN}|{}|^@media \\(form-factor: (phone|wide)\\)$",
        states.join("|")
    );
    let mut out = Map::new();
    out.insert("numberToken".into(), tokens(NUMBERS));
    out.insert("colorToken".into(), tokens(&["color"]));
    out.insert(
        "styleBlock".into(),
        json!({"type": "object", "properties": properties, "additionalProperties": false}),
    );
    out.insert(
        "style".into(),
        json!({"type": "object", "properties": properties, "patternProperties": {conditions: {"$ref": "#/$defs/styleBlock"}}, "additionalProperties": false}),
    );
    out
}

/// A text of at most [`LENGTH`] either way: `40px`, `50%`.
const TEXT: &str = r"0*([0-9]{1,5}(\.[0-9]+)?|100000(\.0+)?)(px|%)$";

fn value(key: &str, spec: &KeySpec) -> Value {
    if let Some(values) = &spec.enum_ {
        return json!({"enum": values});
    }
    let (least, sign) = if may_be_negative(key) {
        (-LENGTH, "-?")
    } else {
        (0.0, "")
    };
    let number = json!({"type": "number", "minimum": least, "maximum": LENGTH});
    let number_token = json!({"$ref": "#/$defs/numberToken"});
    match spec.type_.as_deref() {
        Some("number") => json!({"anyOf": [number, number_token]}),
        Some("length") => {
            json!({"anyOf": [number, {"const": "auto"}, {"type": "string", "pattern": format!("^{sign}{TEXT}")}, number_token]})
        }
        Some("color") => json!({"$ref": "#/$defs/colorToken"}),
        Some("gradient") => json!({
            "type": "object", "required": ["angle", "stops"], "additionalProperties": false,
            "properties": {
                "angle": number,
                "stops": {"type": "array", "minItems": 2, "items": {"type": "object", "required": ["color", "offset"], "properties": {"color": {"$ref": "#/$defs/colorToken"}, "offset": {"type": "number", "minimum": 0, "maximum": 1}}}},
            },
        }),
        Some("transform") => json!({"type": "string", "pattern": STYLE_TRANSFORM_PATTERN}),
        Some("token") => tokens(&[spec.group.as_deref().unwrap_or_default()]),
        Some("ratio") => {
            json!({"anyOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": LENGTH}, {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?/[0-9]+(\.[0-9]+)?$"}]})
        }
        Some("areas") => json!({"type": "array", "items": {"type": "string"}}),
        _ => json!({"type": "string"}),
    }
}
