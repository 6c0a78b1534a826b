//! The screens and widgets of a package.

use serde_json::{Map, Value};

use super::names::{ScreenId, WidgetSize};
use crate::issue::{Issue, did_you_mean, quoted};
use crate::pointer;

/// A screen a person can open.
#[derive(Debug, Clone, PartialEq)]
pub struct Screen {
    pub id: ScreenId,
    /// What the navigation calls it.
    pub title: String,
    /// An icon of the catalog.
    pub icon: Option<String>,
    /// What it opens with when nothing else is given; lands at `/params`.
    pub params: Map<String, Value>,
    /// Its widgets, as the package lists them.
    pub widgets: Vec<Widget>,
}

/// A screen's template for one widget size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Widget {
    pub size: WidgetSize,
    pub template: String,
}

/// A widget found in a package: the screen it belongs to and the template to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundWidget<'a> {
    pub screen: &'a Screen,
    pub widget: &'a Widget,
}

/// Why a package has no such widget.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoWidget {
    /// No screen, or not the screen asked for, has this size.
    #[error("{app} has no {size} widget{}; {}", screen.as_ref().map(|s| format!(" on the screen {s}")).unwrap_or_default(), sizes_in_words(sizes))]
    Size {
        app: String,
        screen: Option<ScreenId>,
        size: WidgetSize,
        sizes: Vec<(ScreenId, WidgetSize)>,
    },
    /// The app has no such screen.
    #[error("{app} has no screen {screen}; it has {}", screens.iter().map(ScreenId::as_str).collect::<Vec<_>>().join(", "))]
    Screen {
        app: String,
        screen: ScreenId,
        screens: Vec<ScreenId>,
    },
}

fn sizes_in_words(sizes: &[(ScreenId, WidgetSize)]) -> String {
    if sizes.is_empty() {
        return "it declares no widgets".into();
    }
    format!(
        "it has {}",
        sizes
            .iter()
            .map(|(screen, size)| format!("{size} ({screen})"))
            .collect::<Vec<_>>()
            .join(", ")
    )
}

/// The screens of a well-formed package: those it declares, or its first template as the only one.
pub(super) fn of(package: &Map<String, Value>) -> Vec<Screen> {
    let declared: Vec<Screen> = package
        .get("screens")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(screen)
        .collect();
    if !declared.is_empty() {
        return declared;
    }
    let first = package
        .get("templates")
        .and_then(Value::as_object)
        .and_then(|t| t.keys().next());
    let title = package
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    first
        .map(|id| Screen {
            id: ScreenId::new(id),
            title: title.into(),
            icon: None,
            params: Map::new(),
            widgets: Vec::new(),
        })
        .into_iter()
        .collect()
}

fn screen(value: &Value) -> Option<Screen> {
    let widgets = match value.get("widget") {
        Some(Value::Array(list)) => list.iter().filter_map(widget).collect(),
        Some(one) => widget(one).into_iter().collect(),
        None => Vec::new(),
    };
    Some(Screen {
        id: ScreenId::new(value.get("template")?.as_str()?),
        title: value.get("title")?.as_str()?.to_owned(),
        icon: value.get("icon").and_then(Value::as_str).map(str::to_owned),
        params: value
            .get("params")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default(),
        widgets,
    })
}

fn widget(value: &Value) -> Option<Widget> {
    Some(Widget {
        size: WidgetSize::parse(value.get("size")?.as_str()?)?,
        template: value.get("template")?.as_str()?.to_owned(),
    })
}

/// The widget of a size: the one screen that has it, or the first; `screen` narrows the choice.
pub(super) fn find<'a>(
    app: &str,
    screens: &'a [Screen],
    size: WidgetSize,
    screen: Option<&ScreenId>,
) -> Result<FoundWidget<'a>, NoWidget> {
    if let Some(id) = screen.filter(|id| !screens.iter().any(|s| s.id == **id)) {
        return Err(NoWidget::Screen {
            app: app.to_owned(),
            screen: id.clone(),
            screens: screens.iter().map(|s| s.id.clone()).collect(),
        });
    }
    let all = || {
        screens.iter().flat_map(|screen| {
            screen
                .widgets
                .iter()
                .map(move |widget| FoundWidget { screen, widget })
        })
    };
    all()
        .find(|f| f.widget.size == size && screen.is_none_or(|id| f.screen.id == *id))
        .ok_or_else(|| NoWidget::Size {
            app: app.to_owned(),
            screen: screen.cloned(),
            size,
            sizes: all()
                .map(|f| (f.screen.id.clone(), f.widget.size))
                .collect(),
        })
}

/// Names in `screens`, and calls that navigate, must exist.
pub(super) fn check(package: &Map<String, Value>) -> Vec<Issue> {
    let mut issues = Vec::new();
    let no_templates = Map::new();
    let templates = package
        .get("templates")
        .and_then(Value::as_object)
        .unwrap_or(&no_templates);
    let mut seen: Vec<&str> = Vec::new();
    let template = |name: &Value, here: String| -> Option<Issue> {
        let name = name.as_str().filter(|n| !templates.contains_key(*n))?;
        Some(Issue::new(
            here,
            format!(
                "no template is called {}{}",
                quoted(name),
                did_you_mean(name, templates.keys().map(String::as_str))
            ),
        ))
    };
    for (i, screen) in package
        .get("screens")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        let at = pointer::item("/screens", i);
        issues.extend(template(&screen["template"], format!("{at}/template")));
        if let Some(name) = screen["template"].as_str() {
            if seen.contains(&name) {
                issues.push(Issue::new(
                    format!("{at}/template"),
                    format!(
                        "a second screen draws {}: a screen has its own template",
                        quoted(name)
                    ),
                ));
            }
            seen.push(name);
        }
        let widgets: Vec<(String, &Value)> = match &screen["widget"] {
            Value::Array(list) => list
                .iter()
                .enumerate()
                .map(|(n, w)| (pointer::item(&format!("{at}/widget"), n), w))
                .collect(),
            Value::Null => Vec::new(),
            one => vec![(format!("{at}/widget"), one)],
        };
        let mut sizes: Vec<&str> = Vec::new();
        for (here, widget) in widgets {
            issues.extend(template(&widget["template"], format!("{here}/template")));
            if let Some(size) = widget["size"].as_str() {
                if sizes.contains(&size) {
                    issues.push(Issue::new(
                        format!("{here}/size"),
                        format!("this screen has a widget of size {size} already"),
                    ));
                }
                sizes.push(size);
            }
        }
    }
    let screens: Vec<String> = of(package)
        .into_iter()
        .map(|s| s.id.as_str().to_owned())
        .collect();
    for (root, value) in [
        ("/templates", package.get("templates")),
        ("/actions", package.get("actions")),
    ] {
        if let Some(value) = value {
            navigation(value, root, &screens, &mut issues);
        }
    }
    issues
}

/// Every literal target of a navigating call names a screen.
fn navigation(value: &Value, at: &str, screens: &[String], issues: &mut Vec<Issue>) {
    match value {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(i, v)| navigation(v, &pointer::item(at, i), screens, issues)),
        Value::Object(members) => {
            if members
                .get("call")
                .is_some_and(|c| c == super::core::NAVIGATE)
            {
                let here = format!("{at}/args/screen");
                match members.get("args").and_then(|a| a.get("screen")) {
                    None => issues.push(Issue::new(
                        here,
                        "`screen` is missing: name the screen to open",
                    )),
                    // In an action's step the text is an expression: a literal stands in its own quotes.
                    Some(Value::String(text)) => {
                        let literal = if at.starts_with("/actions") {
                            literal(text)
                        } else {
                            Some(text.as_str())
                        };
                        if let Some(name) = literal.filter(|n| !screens.iter().any(|s| s == n)) {
                            issues.push(Issue::new(
                                here,
                                format!(
                                    "no screen is called {}{}",
                                    quoted(name),
                                    did_you_mean(name, screens.iter().map(String::as_str))
                                ),
                            ));
                        }
                    }
                    Some(_) => {}
                }
            }
            members
                .iter()
                .for_each(|(k, v)| navigation(v, &pointer::child(at, k), screens, issues));
        }
        _ => {}
    }
}

/// The text of an expression that is one plain text literal.
fn literal(expression: &str) -> Option<&str> {
    let text = expression.trim();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains(quote) && !inner.contains('\\')).then_some(inner)
}
