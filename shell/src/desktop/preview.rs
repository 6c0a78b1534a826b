//! The package developer's preview: one screen at phone and wide size side by side, what is wrong with the package below, all of it
//! live while the file is edited. The last version that checks stays on show beside the problems of the newest.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ede_engine::files;
use ede_engine::issue::Issue;
use ede_engine::package::{Package, ScreenId};
use eui_core::theme::{Density, Mode};
use eui_core::themes::BUILTIN_THEME_IDS;
use serde_json::{Value, json};

use super::catalog;
use super::setup;
use super::shelf::Packages;
use super::style::Style;

/// How large the two surfaces are, and how large they are shown.
const PHONE: (f32, f32) = (390.0, 844.0);
const WIDE: (f32, f32) = (1280.0, 800.0);
pub const ZOOM: f32 = 0.5;

/// The largest package that is read (bytes).
const MOST: usize = 256 * 1024;

/// Problems listed; `ede check` has them all.
const MOST_ISSUES: usize = 50;

/// Languages to try a package in: left to right, right to left, long words, another script.
const LOCALES: [(&str, &str); 5] = [
    ("en-US", "English (US)"),
    ("en-IE", "English (Ireland)"),
    ("de-DE", "German"),
    ("ar-EG", "Arabic"),
    ("ja-JP", "Japanese"),
];

/// What is shown of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewOptions {
    pub screen: Option<String>,
    pub theme: Option<String>,
    pub dark: bool,
    pub locale: Option<String>,
}

/// Which of the two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Both,
    Phone,
    Wide,
}

pub struct Preview {
    path: PathBuf,
    options: PreviewOptions,
    shown: Shown,
    /// Holds the last version that checks, in the preview's own style.
    pub shelf: Packages,
    package: Option<Arc<Package>>,
    issues: Vec<Issue>,
    tests: (usize, usize),
    /// What was read last, so that a save without a change changes nothing.
    bytes: Vec<u8>,
}

impl Preview {
    pub fn new(path: &Path, options: PreviewOptions, style: Style) -> Preview {
        let mut preview = Preview {
            path: path.into(),
            options,
            shown: Shown::Both,
            shelf: Packages::new(style),
            package: None,
            issues: Vec::new(),
            tests: (0, 0),
            bytes: Vec::new(),
        };
        preview.restyle();
        preview.reload();
        preview
    }

    pub fn title(path: &Path) -> String {
        format!(
            "Preview: {}",
            path.file_name()
                .and_then(|n| n.to_str())
                .unwrap_or("package")
        )
    }

    fn restyle(&mut self) {
        let style = &mut self.shelf.style;
        if let Some(name) = &self.options.theme {
            match setup::theme(name) {
                Ok(theme) => style.set_theme(theme, Density::Default, false),
                Err(error) => tracing::warn!("{error}"),
            }
        }
        style.mode = if self.options.dark {
            Mode::Dark
        } else {
            Mode::Light
        };
        if let Some(locale) = &self.options.locale {
            style.set_locale(locale);
        }
    }

    /// Read the file again. True when it holds something else now.
    pub fn reload(&mut self) -> bool {
        let bytes = match files::read_limited(&self.path, MOST) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.issues = vec![Issue::new("", error.to_string())];
                return true;
            }
        };
        if bytes == self.bytes {
            return false;
        }
        let parsed = Package::read(&bytes);
        self.bytes = bytes;
        self.issues = parsed.issues;
        if let Some(package) = parsed.package {
            let package = Arc::new(package);
            let tests = package.run_tests();
            self.tests = (tests.iter().filter(|t| t.pass).count(), tests.len());
            self.shelf.put(package.clone());
            self.package = Some(package);
        }
        true
    }

    /// One of the preview's controls was used. True when something else is to be shown.
    pub fn event(&mut self, name: &str, context: &Value) -> bool {
        let Some(value) = context
            .get("value")
            .and_then(Value::as_str)
            .map(str::to_string)
        else {
            return false;
        };
        match name {
            "preview.screen" => self.options.screen = Some(value),
            "preview.theme" => self.options.theme = Some(value),
            "preview.mode" => self.options.dark = value == "dark",
            "preview.locale" => self.options.locale = Some(value),
            "preview.shown" => {
                self.shown = match value.as_str() {
                    "phone" => Shown::Phone,
                    "wide" => Shown::Wide,
                    _ => Shown::Both,
                }
            }
            _ => return false,
        }
        self.restyle();
        true
    }

    /// The components below the title bar: the ids to place, in order, and everything they hold.
    pub fn components(&self) -> (Vec<&'static str>, Vec<Value>) {
        let mut all = Vec::new();
        self.toolbar(&mut all);
        self.stage(&mut all);
        self.problems(&mut all);
        (
            vec!["preview.toolbar", "preview.stage", "preview.issues"],
            all,
        )
    }

    fn toolbar(&self, all: &mut Vec<Value>) {
        let select = |id: &str, value: &str, options: Vec<Value>, width: u32| {
            json!({"id": id, "component": "Select", "name": id, "value": value, "options": options,
                "on": {"change": {"event": {"name": id}}}, "style": {"width": width, "flexShrink": 0}})
        };
        let option = |label: &str, value: &str| json!({"label": label, "value": value});
        let screens = self
            .package
            .iter()
            .flat_map(|p| p.screens())
            .map(|s| option(&s.title, s.id.as_str()))
            .collect();
        let screen = self.screen().map(|s| s.to_string()).unwrap_or_default();
        all.push(select("preview.screen", &screen, screens, 160));
        let theme = self
            .options
            .theme
            .clone()
            .unwrap_or_else(|| self.shelf.style.theme().id.clone());
        all.push(select(
            "preview.theme",
            &theme,
            BUILTIN_THEME_IDS.iter().map(|t| option(t, t)).collect(),
            150,
        ));
        let locale = self.shelf.style.locale.clone();
        let mut locales: Vec<Value> = LOCALES.iter().map(|(id, name)| option(name, id)).collect();
        if !LOCALES.iter().any(|(id, _)| *id == locale) {
            locales.insert(0, option(&locale, &locale));
        }
        all.push(select("preview.locale", &locale, locales, 176));
        let segmented = |id: &str, value: &str, items: Value| json!({"id": id, "component": "Segmented", "value": value, "items": items, "on": {"change": {"event": {"name": id}}}, "style": {"alignSelf": "center", "flexShrink": 0}});
        let mode = if self.options.dark { "dark" } else { "light" };
        all.push(segmented(
            "preview.mode",
            mode,
            json!([{"label": "Light", "value": "light"}, {"label": "Dark", "value": "dark"}]),
        ));
        let shown = match self.shown {
            Shown::Both => "both",
            Shown::Phone => "phone",
            Shown::Wide => "wide",
        };
        all.push(segmented("preview.shown", shown, json!([{"label": "Both", "value": "both"}, {"label": "390", "value": "phone"}, {"label": "1280", "value": "wide"}])));
        let children = [
            "preview.screen",
            "preview.theme",
            "preview.mode",
            "preview.locale",
            "preview.shown",
            "preview.space",
            "preview.live",
        ];
        all.push(json!({"id": "preview.space", "component": "Box", "style": {"flexGrow": 1}}));
        all.push(json!({"id": "preview.live", "component": "Text", "text": if self.issues.is_empty() { "Live" } else { "The last good version" }, "lines": 1,
            "style": {"color": "$color.mutedForeground", "minWidth": 0}}));
        all.push(json!({"id": "preview.toolbar", "component": "Box", "children": children,
            "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": 48, "flexShrink": 0, "paddingHorizontal": 16,
                "borderBottomWidth": 1, "borderColor": "$color.border", "overflow": "hidden"}}));
    }

    /// The screen on show: the one asked for while the package has it, else its first.
    fn screen(&self) -> Option<&ScreenId> {
        let package = self.package.as_ref()?;
        let asked = self.options.screen.as_ref().map(ScreenId::new);
        package
            .screen(asked.as_ref())
            .or_else(|| package.screen(None))
            .map(|s| &s.id)
    }

    fn stage(&self, all: &mut Vec<Value>) {
        let mut children = Vec::new();
        if let (Some(package), Some(screen)) = (&self.package, self.screen()) {
            for (id, label, (w, h), on) in [
                ("phone", "Phone", PHONE, self.shown != Shown::Wide),
                ("wide", "Wide", WIDE, self.shown != Shown::Phone),
            ] {
                if !on {
                    continue;
                }
                let column = format!("preview.{id}");
                all.push(json!({"id": format!("{column}.label"), "component": "Text", "text": format!("{label}  {w} × {h} at {} %", ZOOM * 100.0),
                    "style": {"color": "$color.mutedForeground", "fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs"}}));
                all.push(json!({"id": format!("{column}.frame"), "component": "Box", "children": [format!("{column}.content")],
                    "style": {"borderWidth": 1, "borderColor": "$color.border", "backgroundColor": "$color.background", "overflow": "hidden"}}));
                all.push(json!({"id": format!("{column}.content"), "component": catalog::CONTENT, "app": package.id().as_str(), "screen": screen.as_str(),
                    "params": {}, "style": {"width": w * ZOOM, "height": h * ZOOM, "flexShrink": 0}}));
                all.push(json!({"id": column, "component": "Box", "children": [format!("{column}.label"), format!("{column}.frame")],
                    "style": {"display": "flex", "flexDirection": "column", "gap": 8, "flexShrink": 0}}));
                children.push(column);
            }
        } else {
            all.push(json!({"id": "preview.nothing", "component": "EmptyState", "icon": "triangle-alert", "title": "Nothing to show yet",
                "description": "The package does not check. Its problems are below."}));
            children.push("preview.nothing".into());
        }
        all.push(json!({"id": "preview.stage", "component": "Box", "children": children,
            "style": {"display": "flex", "flexDirection": "row", "justifyContent": "center", "alignItems": "flex-start", "gap": 32, "padding": 16, "flexGrow": 1, "flexBasis": 0,
                "minHeight": 0, "overflow": "auto", "backgroundColor": "$color.muted"}}));
    }

    fn problems(&self, all: &mut Vec<Value>) {
        let mut rows = vec!["preview.head".to_string()];
        let (pass, tests) = self.tests;
        let outcome = if tests == 0 {
            "No tests".to_string()
        } else {
            format!("{pass} of {tests} tests pass")
        };
        all.push(json!({"id": "preview.title", "component": "Text", "text": "Issues", "style": {"fontWeight": "$type.weight.semibold"}}));
        all.push(json!({"id": "preview.count", "component": "Badge", "text": self.issues.len().to_string(), "variant": "secondary", "style": {"alignSelf": "center"}}));
        all.push(json!({"id": "preview.gap", "component": "Box", "style": {"flexGrow": 1}}));
        all.push(json!({"id": "preview.tests", "component": "Text", "text": outcome, "style": {"color": "$color.mutedForeground"}}));
        all.push(json!({"id": "preview.head", "component": "Box", "children": ["preview.title", "preview.count", "preview.gap", "preview.tests"],
            "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 12, "height": 40, "flexShrink": 0, "paddingHorizontal": 16}}));
        for (n, issue) in self.issues.iter().take(MOST_ISSUES).enumerate() {
            let row = format!("preview.issue.{n}");
            let place = issue
                .position
                .map_or_else(String::new, |p| format!("line {}", p.line));
            all.push(json!({"id": format!("{row}.icon"), "component": "Icon", "name": "ui-error", "size": "sm", "style": {"color": "$color.destructive"}}));
            all.push(json!({"id": format!("{row}.text"), "component": "Text", "text": issue.message, "lines": 1, "style": {"flexGrow": 1, "flexBasis": 0, "minWidth": 0}}));
            all.push(json!({"id": format!("{row}.at"), "component": "Text", "text": issue.pointer, "lines": 1,
                "style": {"fontFamily": "$type.family.mono", "fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs", "color": "$color.mutedForeground", "maxWidth": 480}}));
            all.push(json!({"id": format!("{row}.line"), "component": "Text", "text": place, "style": {"color": "$color.mutedForeground", "fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs"}}));
            all.push(json!({"id": row, "component": "Box", "children": [format!("{row}.icon"), format!("{row}.text"), format!("{row}.at"), format!("{row}.line")],
                "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 12, "height": 36, "flexShrink": 0, "paddingHorizontal": 16, "borderTopWidth": 1, "borderColor": "$color.border"}}));
            rows.push(row);
        }
        all.push(json!({"id": "preview.issues", "component": "Box", "children": rows,
            "style": {"display": "flex", "flexDirection": "column", "flexShrink": 0, "maxHeight": 200, "overflowY": "auto", "borderTopWidth": 1, "borderColor": "$color.border"}}));
    }
}
