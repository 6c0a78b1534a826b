//! The JSON Schemas a person can ask for: one a format.

use eui_core::catalog::{A2UI_BASIC_CATALOG_ID, CatalogView};
use serde_json::{Map, Value, json};

use super::json::{DIALECT, document, without_later_keys};
use super::shape::Shape;
use super::{components, theme};
use crate::documents::{self, catalog};
use crate::package::shape::{FORMATS, PACKAGE, component_shape};

/// A format with a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Package,
    Document,
    Theme,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Package, Format::Document, Format::Theme];

    pub fn as_str(self) -> &'static str {
        match self {
            Format::Package => "package",
            Format::Document => "document",
            Format::Theme => "theme",
        }
    }

    /// Its JSON Schema, draft 2020-12.
    pub fn schema(self) -> Value {
        match self {
            Format::Package => package(),
            Format::Document => {
                let definitions = components::definitions(&catalog::view(), &component_shape());
                document(
                    &self.id(),
                    "An ede-ui document",
                    &documents::DOCUMENT,
                    definitions,
                )
            }
            Format::Theme => {
                let mut out = Map::new();
                out.insert("$schema".into(), DIALECT.into());
                out.insert("$id".into(), self.id().into());
                out.insert("title".into(), "A theme".into());
                if let Value::Object(body) = theme::body() {
                    out.extend(body);
                }
                Value::Object(out)
            }
        }
    }

    fn id(self) -> String {
        format!("https://ede.desktop/schemas/{}/v1", self.as_str())
    }
}

fn package() -> Value {
    let mut schema = document(
        &Format::Package.id(),
        "An app package",
        &PACKAGE,
        components::definitions(&CatalogView::core(), &component_shape()),
    );
    // Keys of a later format are refused in an earlier one.
    let versions =
        FORMATS.filter_map(|v| without_later_keys(&PACKAGE, v).map(|schema| (v, schema)));
    let mut rules: Vec<Value> = versions.map(|(v, later)| json!({"if": {"required": ["formatVersion"], "properties": {"formatVersion": {"const": v}}}, "then": later})).collect();
    // The core's components, unless the package is written in the public basic catalog.
    let own = json!({"properties": {"templates": {"additionalProperties": {"properties": {"components": {"items": {"$ref": "#/$defs/component"}}}}}}});
    rules.push(json!({"if": {"properties": {"catalogId": {"const": A2UI_BASIC_CATALOG_ID}}, "required": ["catalogId"]}, "else": own}));
    schema["allOf"] = rules.into();
    if let Some(items) =
        schema.pointer_mut("/properties/templates/additionalProperties/properties/components/items")
    {
        *items = json!({"$ref": "#/$defs/anyComponent"});
    }
    schema
}

/// The shape a schema was made from, where there is one.
pub fn shape(format: Format) -> Option<&'static Shape> {
    match format {
        Format::Package => Some(&PACKAGE),
        Format::Document => Some(&documents::DOCUMENT),
        Format::Theme => None,
    }
}
