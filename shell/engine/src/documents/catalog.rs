//! The shell's extension catalog: the components a document has beyond the core's. Said once, so that what `check`
//! accepts is what the painter draws.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use eui_core::catalog::{CORE_CATALOG_ID, CatalogView};
use eui_core::types::{ComponentDef, ExtensionDef, PropSchema};
use serde_json::{Value, json};

/// The catalog's id.
pub const SHELL_CATALOG_ID: &str = "https://ede.desktop/catalogs/shell/v1";

/// Its components.
pub mod names {
    /// A widget of a package: a surface of its own, painted in place.
    pub const APP_WIDGET: &str = "AppWidget";
    /// The open windows.
    pub const WINDOW_LIST: &str = "WindowList";
    /// The workspaces.
    pub const WORKSPACES: &str = "Workspaces";
    /// The tray.
    pub const TRAY: &str = "Tray";
    /// Room that grows.
    pub const SPACER: &str = "Spacer";
}

/// The definition eui-core is given, checked once.
pub fn extension() -> ExtensionDef {
    ExtensionDef {
        id: SHELL_CATALOG_ID.into(),
        name: "eDE shell".into(),
        version: Some("1.0.0".into()),
        extends: CORE_CATALOG_ID.into(),
        enums: Some(
            std::iter::once((
                "widgetSize".to_owned(),
                vec!["s".into(), "m".into(), "l".into()],
            ))
            .collect(),
        ),
        defs: None,
        components: [
            (
                names::APP_WIDGET.to_owned(),
                native(
                    "A widget of an app, painted in place.",
                    vec![
                        ("app", required(prop("string", "The app's id."))),
                        (
                            "screen",
                            prop(
                                "string",
                                "The screen whose widget it is, where several have the size.",
                            ),
                        ),
                        (
                            "size",
                            PropSchema {
                                enum_: Some("widgetSize".into()),
                                ..prop("enum", "How large it stands; s in a panel.")
                            },
                        ),
                        ("params", prop("object", "What the screen is opened with.")),
                        (
                            "cell",
                            pair("Its first cell on the desktop's grid: column, row; below zero from the last."),
                        ),
                        (
                            "at",
                            pair("Its top left corner on the desktop, logical pixels."),
                        ),
                    ],
                ),
            ),
            (
                names::WINDOW_LIST.to_owned(),
                native("The open windows.", Vec::new()),
            ),
            (
                names::WORKSPACES.to_owned(),
                native("The workspaces.", Vec::new()),
            ),
            (
                names::TRAY.to_owned(),
                native("The tray's icons.", Vec::new()),
            ),
            (
                names::SPACER.to_owned(),
                native("Room that grows.", Vec::new()),
            ),
        ]
        .into_iter()
        .collect(),
        macros: None,
    }
}

/// The core with the shell's components: what every document is read with. It is a copy of the whole core, so it lives only as long as
/// somebody reads documents.
pub fn view() -> Arc<CatalogView> {
    static LAST: Mutex<Weak<CatalogView>> = Mutex::new(Weak::new());
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.upgrade().unwrap_or_else(|| {
        let view = CatalogView::with(&[extension()]);
        *last = Arc::downgrade(&view);
        view
    })
}

fn native(description: &str, props: Vec<(&str, PropSchema)>) -> ComponentDef {
    ComponentDef {
        kind: "native".into(),
        group: "shell".into(),
        lite: false,
        children: "none".into(),
        slots: None,
        hidden: None,
        status: None,
        description: description.into(),
        props: props
            .into_iter()
            .map(|(name, schema)| (name.to_owned(), schema))
            .collect(),
        events: None,
        example: None,
        recipe: None,
        slot_scope: None,
    }
}

fn prop(ty: &str, description: &str) -> PropSchema {
    PropSchema {
        type_: ty.into(),
        description: description.into(),
        required: None,
        default: None,
        bindable: None,
        responsive: None,
        enum_: None,
        values: None,
        minimum: None,
        maximum: None,
        items: None,
        shape: None,
    }
}

fn required(schema: PropSchema) -> PropSchema {
    PropSchema {
        required: Some(true),
        ..schema
    }
}

fn pair(description: &str) -> PropSchema {
    PropSchema {
        items: Some(Box::new(prop("number", "Logical pixels or cells."))),
        ..prop("array", description)
    }
}

/// An `AppWidget`'s component as a document writes it.
pub fn app_widget(id: &str, app: &str, screen: Option<&str>, size: &str) -> Value {
    let mut widget = json!({"id": id, "component": names::APP_WIDGET, "app": app});
    if let Some(screen) = screen {
        widget["screen"] = screen.into();
    }
    widget["size"] = size.into();
    widget
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eui_core_takes_the_catalog() {
        assert_eq!(
            eui_core::extension::validate_extension(&extension()),
            Vec::<String>::new()
        );
        assert!(view().knows_catalog(SHELL_CATALOG_ID));
        assert_eq!(
            view().extension_of(names::APP_WIDGET),
            Some(SHELL_CATALOG_ID)
        );
    }
}
