//! The preview's toolbar: screen, theme, mode, locale, which of the two windows, and whether what is shown is the newest version.

use eui_core::themes::{BUILTIN_THEME_IDS, BUILTIN_THEME_NAMES};
use serde_json::{Value, json};

use super::{Content, Preview};

pub const ID: &str = "preview.toolbar";
pub const SCREEN: &str = "preview.screen";
pub const THEME: &str = "preview.theme";
pub const MODE: &str = "preview.mode";
pub const LOCALE: &str = "preview.locale";
pub const SHOWN: &str = "preview.shown";

/// Languages to try a package in: left to right, right to left, long words, another script.
const LOCALES: [(&str, &str); 5] = [
    ("en-US", "English (US)"),
    ("en-IE", "English (Ireland)"),
    ("de-DE", "German"),
    ("ar-EG", "Arabic"),
    ("ja-JP", "Japanese"),
];

fn option(label: &str, value: &str) -> Value {
    json!({"label": label, "value": value})
}

fn select(id: &str, label: &str, value: &str, options: Vec<Value>, width: u32) -> Value {
    json!({"id": id, "component": "Select", "name": id, "value": value, "searchable": options.len() > 8, "options": options,
        "accessibility": {"label": label}, "on": {"change": {"event": {"name": id}}}, "style": {"width": width, "flexShrink": 0}})
}

fn segmented(id: &str, label: &str, value: &str, items: Value) -> Value {
    json!({"id": id, "component": "Segmented", "value": value, "items": items, "accessibility": {"label": label},
        "on": {"change": {"event": {"name": id}}}, "style": {"alignSelf": "center", "flexShrink": 0}})
}

pub fn components(preview: &Preview) -> Vec<Value> {
    let style = preview.style();
    let (screen, screens) = match &preview.content {
        Content::Gallery(g) => (
            g.chosen().to_string(),
            g.names()
                .map(|(value, label)| option(label, value))
                .collect(),
        ),
        Content::Source(s) => (
            s.screens
                .as_ref()
                .map(|s| s.here().to_string())
                .unwrap_or_default(),
            s.package
                .iter()
                .flat_map(|p| p.screens())
                .map(|s| option(&s.title, s.id.as_str()))
                .collect(),
        ),
    };
    // A theme file goes by its path.
    let theme = preview
        .options
        .theme
        .clone()
        .unwrap_or_else(|| style.theme().id.clone());
    let mut themes: Vec<Value> = BUILTIN_THEME_IDS
        .iter()
        .zip(BUILTIN_THEME_NAMES)
        .map(|(id, name)| option(name, id))
        .collect();
    if !BUILTIN_THEME_IDS.contains(&theme.as_str()) {
        themes.insert(0, option(&style.theme().name, &theme));
    }
    let mut locales: Vec<Value> = LOCALES.iter().map(|(id, name)| option(name, id)).collect();
    if !LOCALES.iter().any(|(id, _)| *id == style.locale) {
        locales.insert(0, option(&style.locale, &style.locale));
    }
    let mode = if preview.options.dark {
        "dark"
    } else {
        "light"
    };
    let (word, tone) = live(preview);
    let all = vec![
        select(SCREEN, "Screen", &screen, screens, 160),
        select(THEME, "Theme", &theme, themes, 150),
        segmented(
            MODE,
            "Mode",
            mode,
            json!([{"icon": "sun", "value": "light", "accessibility": {"label": "Light"}}, {"icon": "moon", "value": "dark", "accessibility": {"label": "Dark"}}]),
        ),
        select(LOCALE, "Language", &style.locale, locales, 176),
        segmented(
            SHOWN,
            "Windows",
            preview.show.as_str(),
            json!([{"label": "Both", "icon": "smartphone", "value": "both"}, {"label": "390", "value": "phone"}, {"label": "1280", "value": "wide"}]),
        ),
        json!({"id": "preview.space", "component": "Box", "style": {"flexGrow": 1}}),
        json!({"id": "preview.dot", "component": "Box", "style": {"width": 8, "height": 8, "borderRadius": 4, "flexShrink": 0, "backgroundColor": tone}}),
        json!({"id": "preview.live", "component": "Text", "text": word, "lines": 1, "style": {"color": "$color.mutedForeground", "minWidth": 0}}),
    ];
    let children: Vec<Value> = all.iter().map(|c| c["id"].clone()).collect();
    let bar = json!({"id": ID, "component": "Box", "children": children,
        "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": 48, "flexShrink": 0, "paddingHorizontal": 16,
            "borderBottomWidth": 1, "borderColor": "$color.border", "overflow": "hidden"}});
    all.into_iter().chain([bar]).collect()
}

/// What the windows show, and the colour of its dot.
fn live(preview: &Preview) -> (String, &'static str) {
    match &preview.content {
        Content::Gallery(_) => ("eUI core catalog".into(), "$color.info"),
        Content::Source(s) if !s.issues.is_empty() => {
            let word = match s.package {
                Some(_) => "The last good version",
                None => "Not shown",
            };
            (word.into(), "$color.destructive")
        }
        Content::Source(s) => {
            let saved = s
                .saved
                .map(|t| format!("Live, saved {}", preview.style().time_of_day(t)));
            (saved.unwrap_or_else(|| "Live".into()), "$color.success")
        }
    }
}
