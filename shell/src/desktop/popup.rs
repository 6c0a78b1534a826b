//! What opens from a panel or a widget on a plate of its own: a widget's larger template, a menu. As wide as it says, as tall as its
//! content, never taller than fits.

use ede_engine::app_id::AppId;
use ede_renderer::View;
use ede_renderer::geometry::{Rect, Size};
use ede_renderer::resources::Resources;
use eui_core::surface::Insets;
use eui_core::types::FlatComponent;
use serde_json::{Value, json};

use super::board::span;
use super::catalog;
use super::doc_view::{DocView, Room, Shelf, Sizing};
use super::style::Style;
use super::window_list::WINDOW_PRESS;

/// Between a widget popup's edge and its content (px).
const PADDING: f32 = 16.0;

/// Between the popup and the item it opened from.
pub const DISTANCE: f32 = 8.0;

/// The tallest popup, whatever its content says and however much room there is (px).
pub const TALLEST: f32 = 640.0;

/// The leaf of a widget popup's content.
pub const CONTENT: &str = "content";

/// The event of a menu's entry, with its number in the context.
const CHOSEN: &str = "menu.chosen";

/// The event of a message's button.
pub const OFFER: &str = "toast.offer";

/// Width of a menu (mocks: "Popup and menu").
const MENU: f32 = 208.0;

/// Width of a list of windows.
const WINDOWS: f32 = 288.0;

/// One line of a menu.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub icon: &'static str,
    pub label: String,
    /// A line above sets it apart from what comes before.
    pub apart: bool,
}

impl Entry {
    pub fn new(icon: &'static str, label: impl Into<String>) -> Entry {
        Entry {
            icon,
            label: label.into(),
            apart: false,
        }
    }

    pub fn apart(mut self) -> Entry {
        self.apart = true;
        self
    }
}

/// What kind of message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something is told.
    Info,
    /// Something did not work, or needs mending.
    Warning,
    /// An app wants something known.
    Notice,
}

impl Tone {
    /// Its icon, and the icon's colour.
    fn sign(self) -> (&'static str, &'static str) {
        match self {
            Tone::Info => ("info", "$color.info"),
            Tone::Warning => ("triangle-alert", "$color.destructive"),
            Tone::Notice => ("bell", "$color.info"),
        }
    }
}

pub struct Popup {
    pub doc: DocView,
    /// The leaf it was opened from; empty for a menu.
    pub widget: String,
    /// It lists the windows its leaf has no room for.
    pub lists_windows: bool,
    width: f32,
    tallest: f32,
    size: Size,
    /// Of a sheet, its root as it is written: how tall that may be follows the output.
    root: Option<FlatComponent>,
}

impl Popup {
    /// A widget of `app` opened large: as tall as its content, up to `tallest` px, where it scrolls.
    pub fn app(
        app: &AppId,
        widget: &str,
        (screen, size, params): (&str, &str, &Value),
        tallest: f32,
        style: &Style,
    ) -> Popup {
        let components = json!([
            {"id": "root", "component": "Box", "children": ["scroll"],
             "style": {"display": "flex", "flexDirection": "column", "alignItems": "stretch", "padding": PADDING, "maxHeight": tallest}},
            {"id": "scroll", "component": "Box", "children": [CONTENT],
             "style": {"display": "flex", "flexDirection": "column", "alignItems": "stretch", "overflowY": "auto"}},
            {"id": CONTENT, "component": catalog::CONTENT, "app": app.as_str(), "screen": screen, "size": size, "params": params, "style": {"flexShrink": 0}},
        ]);
        let width = span(2);
        let sizing = Sizing::Column {
            width: width - 2.0 * PADDING,
        };
        Popup::new(components, widget, (width, tallest), sizing, style)
    }

    /// A menu of these entries.
    pub fn menu(entries: &[Entry], style: &Style) -> Popup {
        let mut children = Vec::new();
        let mut all = Vec::new();
        for (n, e) in entries.iter().enumerate() {
            if e.apart && n > 0 {
                children.push(format!("line.{n}"));
                all.push(json!({"id": format!("line.{n}"), "component": "Box", "style": {"height": 1, "flexShrink": 0, "marginVertical": 4, "marginHorizontal": -3, "backgroundColor": "$color.border"}}));
            }
            let id = format!("entry.{n}");
            all.push(json!({"id": id, "component": "Box", "pressable": true, "children": [format!("{id}.icon"), format!("{id}.label")],
                "accessibility": {"role": "button", "label": e.label},
                "on": {"press": {"event": {"name": CHOSEN, "context": {"entry": n}}}},
                "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": 24, "flexShrink": 0, "paddingHorizontal": 8,
                    "borderRadius": "$radius.sm", ":hover": {"backgroundColor": "$color.accent"}, ":focus-visible": {"backgroundColor": "$color.accent"}}}));
            all.push(json!({"id": format!("{id}.icon"), "component": "Icon", "name": e.icon, "size": "sm", "style": {"color": "$color.mutedForeground"}}));
            all.push(json!({"id": format!("{id}.label"), "component": "Text", "text": e.label, "lines": 1, "style": {"minWidth": 0}}));
            children.push(id);
        }
        all.push(json!({"id": "root", "component": "Box", "children": children, "accessibility": {"role": "menu"},
            "style": {"display": "flex", "flexDirection": "column", "padding": 4, "maxHeight": TALLEST, "overflowY": "auto"}}));
        Popup::new(
            Value::Array(all),
            "",
            (MENU, TALLEST),
            Sizing::Styled,
            style,
        )
    }

    /// The windows that the list `widget` of a panel has no room for, up to `tallest` px.
    pub fn windows(widget: &str, windows: Vec<Value>, tallest: f32, style: &Style) -> Popup {
        let components = json!([
            {"id": "root", "component": "Box", "accessibility": {"role": "list", "label": "More windows"},
             "style": {"display": "flex", "flexDirection": "column", "padding": 4, "maxHeight": tallest, "overflowY": "auto"},
             "children": {"componentId": "window", "path": "/windows", "key": "/id"}},
            {"id": "window", "component": "Box", "pressable": true, "children": ["icon", "title"],
             "accessibility": {"role": "button", "label": {"path": "title"}},
             "on": {"press": {"event": {"name": WINDOW_PRESS, "context": {"id": {"path": "id"}}}}},
             "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": 32, "flexShrink": 0, "paddingHorizontal": 8,
                "borderRadius": "$radius.md", ":hover": {"backgroundColor": "$color.accent"}, ":focus-visible": {"backgroundColor": "$color.accent"}}},
            {"id": "icon", "component": "Icon", "name": {"path": "icon"}, "size": "sm", "style": {"color": "$color.mutedForeground"}},
            {"id": "title", "component": "Text", "text": {"path": "title"}, "lines": 1, "style": {"minWidth": 0, "flexShrink": 1}},
        ]);
        let mut popup = Popup::new(
            components,
            widget,
            (WINDOWS, tallest),
            Sizing::Styled,
            style,
        );
        popup.lists_windows = true;
        popup.set_windows(windows);
        popup
    }

    /// Windows came, went or changed their titles.
    pub fn set_windows(&mut self, windows: Vec<Value>) {
        let value = Value::Array(windows);
        let view = &mut self.doc.view;
        if view.surface().get_data("/windows") != Some(&value)
            && let Err(error) = view.surface_mut().set_data("/windows", Some(value))
        {
            tracing::warn!("the list of windows was not updated: {error}");
        }
    }

    /// A message: what it is about, and what it says; with a button of this label where there is something to do about it.
    pub fn toast(
        (name, text): (&str, &str),
        tone: Tone,
        offer: Option<&str>,
        style: &Style,
    ) -> Popup {
        let (icon, color) = tone.sign();
        let mut children = vec!["icon", "words"];
        if offer.is_some() {
            children.push("offer");
        }
        let components = json!([
            {"id": "root", "component": "Box", "children": children, "accessibility": {"role": "status", "label": text},
             "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 12, "padding": 12, "minHeight": "$control.toast"}},
            {"id": "icon", "component": "Icon", "name": icon, "style": {"color": color, "flexShrink": 0}},
            {"id": "words", "component": "Box", "children": ["name", "text"], "style": {"display": "flex", "flexDirection": "column", "flexGrow": 1, "flexBasis": 0, "minWidth": 0}},
            {"id": "name", "component": "Text", "text": name, "lines": 1, "style": {"fontWeight": 600}},
            {"id": "text", "component": "Text", "text": text, "lines": 4, "style": {"color": "$color.mutedForeground"}},
            {"id": "offer", "component": "Button", "label": offer.unwrap_or_default(), "variant": "outline", "size": "sm", "style": {"flexShrink": 0},
             "on": {"press": {"event": {"name": OFFER}}}},
        ]);
        Popup::new(components, "", (span(2), TALLEST), Sizing::Styled, style)
    }

    /// A sheet of the shell's own, with what it shows. See [`Popup::fit`].
    pub fn sheet(components: Value, data: Value, style: &Style) -> Popup {
        let list = components.as_array();
        let root = list.and_then(|all| all.iter().find(|c| c["id"] == "root"));
        let root = root.and_then(|root| serde_json::from_value(root.clone()).ok());
        let mut popup = Popup::new(components, "", (0.0, 0.0), Sizing::Styled, style);
        popup.root = root;
        popup.set("/", data);
        popup
    }

    /// Keep a sheet within this room: what scrolls in it does, the rest stays.
    pub fn fit(&mut self, room: Size) {
        if room == Size::new(self.width, self.tallest) {
            return;
        }
        (self.width, self.tallest) = (room.w, room.h);
        if let Some(mut root) = self.root.clone() {
            let style = root.style.get_or_insert_default();
            style.insert("maxHeight".into(), room.h.into());
            self.doc.view.surface_mut().update_components(vec![root]);
        }
    }

    /// Put a value into what it shows.
    pub fn set(&mut self, path: &str, value: Value) {
        if let Err(error) = self.doc.view.surface_mut().set_data(path, Some(value)) {
            tracing::warn!(path, "not shown: {error}");
        }
    }

    fn new(
        components: Value,
        widget: &str,
        (width, tallest): (f32, f32),
        sizing: Sizing,
        style: &Style,
    ) -> Popup {
        let mut surface = style.surface("popup", eui_core::CORE_CATALOG_ID, catalog::extensions());
        let list = components.as_array().cloned().unwrap_or_default();
        surface.set_components(
            list.into_iter()
                .filter_map(|c| serde_json::from_value(c).ok())
                .collect(),
        );
        Popup {
            doc: DocView::new(View::new(surface), sizing, Room::Popup),
            widget: widget.into(),
            lists_windows: false,
            width,
            tallest,
            size: Size::default(),
            root: None,
        }
    }

    /// The entry a menu's event chose.
    pub fn chosen(name: &str, context: &Value) -> Option<usize> {
        (name == CHOSEN)
            .then(|| context.get("entry").and_then(Value::as_u64))
            .flatten()
            .map(|n| n as usize)
    }

    /// Lay out; answers the plate's size. `around` is the room its own popups may use beyond it.
    pub fn update(
        &mut self,
        around: Insets,
        shelf: &mut dyn Shelf,
        res: &mut Resources,
        now_ms: f64,
    ) -> Size {
        self.doc
            .update(Size::new(self.width, 0.0), around, shelf, res, now_ms);
        let content = self.doc.view.scene().size();
        self.size = Size::new(self.width, content.h.min(self.tallest).max(8.0).ceil());
        self.size
    }

    pub fn plate(&self) -> Rect {
        Rect::of_size(self.size)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::formatter::Locale;

    #[test]
    fn a_message_of_what_went_wrong_does_not_look_like_news() {
        let style = Style::new(Locale::new("en"), jiff::tz::TimeZone::UTC);
        let icon = |tone| {
            let mut popup = Popup::toast(("Hours", "It is so."), tone, None, &style);
            let surface = popup.doc.view.surface_mut();
            let icon = surface.root().unwrap().children[0].clone();
            icon.props["name"].clone()
        };
        assert_eq!(icon(Tone::Info), "info");
        assert_eq!(icon(Tone::Warning), "triangle-alert");
    }
}
