//! An app's screens in its window: the navigation (a sidebar when wide, a bottom bar when narrow), the screen between them, the way
//! back. Its style decides by width, so a resize lays out and builds nothing new.

use ede_engine::app_id::AppId;
use ede_engine::package::Package;
use serde_json::{Value, json};

use super::window::{CONTENT, WIDE};

/// A screen the window can show.
#[derive(Clone, Debug, PartialEq)]
pub struct NavItem {
    pub screen: String,
    pub title: String,
    pub icon: Option<String>,
}

/// One step of the window's own history.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    pub screen: String,
    pub params: Value,
}

/// Which navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nav {
    /// A sidebar, where there is room.
    Side,
    /// A bar at the bottom, where there is little.
    Bottom,
}

/// When a navigation is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Always,
    /// As the window's width says.
    ByWidth,
}

/// Width of the sidebar (px).
pub const SIDE: f32 = 200.0;

/// The event of a navigation entry.
pub const NAVIGATE: &str = "window.navigate";

/// A history nobody can remember is no help: the oldest steps go.
const MOST_VISITS: usize = 64;

/// The screens of a package, as entries of its navigation.
pub fn entries(package: &Package) -> Vec<NavItem> {
    package
        .screens()
        .iter()
        .map(|s| NavItem {
            screen: s.id.as_str().into(),
            title: s.title.clone(),
            icon: s.icon.clone(),
        })
        .collect()
}

pub struct Screens {
    pub app: AppId,
    nav: Vec<NavItem>,
    history: Vec<Visit>,
}

impl Screens {
    pub fn new(app: AppId, nav: Vec<NavItem>, first: Visit) -> Screens {
        Screens {
            app,
            nav,
            history: vec![first],
        }
    }

    /// Go to a screen. True when that is somewhere else.
    pub fn navigate(&mut self, to: Visit) -> bool {
        if self.history.last() == Some(&to) {
            return false;
        }
        self.history.push(to);
        if self.history.len() > MOST_VISITS {
            self.history.remove(0);
        }
        true
    }

    pub fn can_go_back(&self) -> bool {
        self.history.len() > 1
    }

    /// One step back. False at the first screen: Back never leaves the app.
    pub fn back(&mut self) -> bool {
        let can = self.can_go_back();
        if can {
            self.history.pop();
        }
        can
    }

    /// What is on show.
    pub fn visit(&self) -> Option<&Visit> {
        self.history.last()
    }

    /// The screen on show.
    pub fn here(&self) -> &str {
        self.history
            .last()
            .map(|v| v.screen.as_str())
            .unwrap_or_default()
    }

    /// The parameters of the screen on show.
    pub fn params(&self) -> Value {
        self.history
            .last()
            .map(|v| v.params.clone())
            .unwrap_or_default()
    }

    /// Is there more than one screen to choose from?
    pub fn navigates(&self) -> bool {
        self.nav.len() > 1
    }

    /// The navigation as a box of this id, shown when `shown` says so, and everything it holds.
    pub fn navigation(&self, id: &str, nav: Nav, shown: Shown) -> Vec<Value> {
        let here = self.here();
        let (mut all, mut rows) = (vec![], vec![]);
        for (n, item) in self.nav.iter().enumerate() {
            let on = item.screen == here;
            let row = format!("{id}.{n}");
            let weight = if on { 500 } else { 400 };
            let color = if on {
                "$color.foreground"
            } else {
                "$color.mutedForeground"
            };
            let mut text = json!({"id": format!("{row}.text"), "component": "Text", "text": item.title, "lines": 1,
                "style": {"fontWeight": weight, "minWidth": 0}});
            let mut icon = json!({"id": format!("{row}.icon"), "component": "Icon", "name": item.icon.as_deref().unwrap_or("layout-grid"), "style": {"color": color}});
            let style = match nav {
                Nav::Side => {
                    icon["size"] = json!("sm");
                    let (key, look) = if on {
                        ("backgroundColor", json!("$color.accent"))
                    } else {
                        (":hover", json!({"backgroundColor": "$color.accent"}))
                    };
                    json!({"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": "$control.row", "paddingHorizontal": 12,
                        "borderRadius": "$radius.md", "flexShrink": 0, key: look})
                }
                Nav::Bottom => {
                    text["style"] = json!({"fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs", "fontWeight": weight, "color": color});
                    json!({"display": "flex", "flexDirection": "column", "alignItems": "center", "justifyContent": "center", "gap": 4,
                        "flexGrow": 1, "flexBasis": 0, "minWidth": 0})
                }
            };
            all.push(json!({"id": row, "component": "Box", "pressable": true, "children": [icon["id"], text["id"]],
                "on": {"press": {"event": {"name": NAVIGATE, "context": {"screen": item.screen}}}},
                "accessibility": {"role": "link", "label": item.title}, "style": style}));
            all.extend([icon, text]);
            rows.push(row);
        }
        let mut style = match nav {
            Nav::Side => {
                json!({"flexDirection": "column", "gap": 2, "padding": 8, "width": SIDE, "flexShrink": 0, "overflowY": "auto",
                "backgroundColor": "$color.card", "borderRightWidth": 1, "borderColor": "$color.border"})
            }
            Nav::Bottom => {
                json!({"flexDirection": "row", "height": "$control.tabBar", "flexShrink": 0, "backgroundColor": "$color.card",
                "borderTopWidth": 1, "borderColor": "$color.border"})
            }
        };
        let (narrow, wide) = match (shown, nav) {
            (Shown::Always, _) => ("flex", None),
            (Shown::ByWidth, Nav::Side) => ("none", Some("flex")),
            (Shown::ByWidth, Nav::Bottom) => ("flex", Some("none")),
        };
        style["display"] = json!(narrow);
        if let Some(wide) = wide {
            style[WIDE] = json!({"display": wide});
        }
        all.push(json!({"id": id, "component": "Box", "children": rows, "accessibility": {"role": "navigation"}, "style": style}));
        all
    }

    /// The components between the title bar and the window's end: the ids to place, in order, and everything they hold.
    pub fn components(&self) -> (Vec<&'static str>, Vec<Value>) {
        let (mut body, mut all, mut parts) = (vec![], vec![], vec!["window.body"]);
        if self.navigates() {
            all.extend(self.navigation("window.side", Nav::Side, Shown::ByWidth));
            all.extend(self.navigation("window.bottom", Nav::Bottom, Shown::ByWidth));
            body.push("window.side");
            parts.push("window.bottom");
        }
        body.push(CONTENT);
        all.push(json!({"id": CONTENT, "component": "AppContent", "app": self.app.as_str(), "screen": self.here(), "params": self.params(),
            "style": {"flexGrow": 1, "flexBasis": 0, "minWidth": 0, "minHeight": 0}}));
        all.push(json!({"id": "window.body", "component": "Box", "children": body,
            "style": {"display": "flex", "flexDirection": "row", "alignItems": "stretch", "flexGrow": 1, "flexBasis": 0, "minHeight": 0}}));
        (parts, all)
    }
}
