//! The components the shell's surfaces may hold besides the core catalog: what documents may use (the engine says), and the leaf an
//! app's screen stands in, which no document may name.

use eui_core::ExtensionDef;
use serde_json::json;

/// The leaf of a window's or a popup's content.
pub const CONTENT: &str = "AppContent";

/// The leaf of a part of a window in the preview.
pub const CHROME: &str = "AppChrome";

/// Both catalogs.
pub fn extensions() -> Vec<ExtensionDef> {
    let mut all = vec![ede_engine::documents::catalog::extension()];
    all.extend(own());
    all
}

fn own() -> Option<ExtensionDef> {
    let def = json!({
        "id": "https://ede.desktop/catalogs/chrome/v1", "name": "eDE chrome", "version": "1.0.0", "extends": eui_core::CORE_CATALOG_ID,
        "components": {CONTENT: {
            "kind": "native", "group": "shell", "children": "none", "description": "A screen of an app, filling a window or a popup",
            "props": {
                "app": {"type": "string", "required": true, "description": "The app's id"},
                "screen": {"type": "string", "description": "The screen"},
                "size": {"type": "string", "description": "The widget size, in a popup"},
                "params": {"type": "object", "bindable": true, "description": "The screen's parameters"}
            }
        }, CHROME: {
            "kind": "native", "group": "shell", "children": "none", "description": "A part of a previewed window: its title bar, its navigation",
            "props": {"part": {"type": "string", "required": true, "description": "Which part"}}
        }}
    });
    eui_core::extension::define_extension(serde_json::from_value(def).ok()?).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_catalogs_are_sound() {
        assert_eq!(super::extensions().len(), 2);
    }
}
