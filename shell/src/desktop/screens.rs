//! An app's screens in its window: the navigation (a sidebar when wide, a bottom bar when narrow), the screen between them, the way
//! back. Its style decides by width, so a resize lays out and builds nothing new.

use ede_engine::app_id::AppId;
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

/// The event of a navigation entry.
pub const NAVIGATE: &str = "window.navigate";

/// A history nobody can remember is no help: the oldest steps go.
const MOST_VISITS: usize = 64;

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

    /// The components between the title bar and the window's end: the ids to place, in order, and everything they hold.
    pub fn components(&self) -> (Vec<&'static str>, Vec<Value>) {
        let visit = self.history.last();
        let here = visit.map(|v| v.screen.as_str()).unwrap_or_default();
        let many = self.nav.len() > 1;
        let mut body = vec![];
        let mut all = vec![];
        if many {
            body.push("window.side".to_string());
            let row = |v: &str| format!("window.{v}");
            let mut side = vec![];
            let mut bottom = vec![];
            for (n, item) in self.nav.iter().enumerate() {
                let on = item.screen == here;
                let press = json!({"press": {"event": {"name": NAVIGATE, "context": {"screen": item.screen}}}});
                let icon = item.icon.as_deref().unwrap_or("layout-grid");
                let color = if on {
                    "$color.foreground"
                } else {
                    "$color.mutedForeground"
                };
                let weight = if on {
                    "$type.weight.medium"
                } else {
                    "$type.weight.regular"
                };
                let (s, b) = (row(&format!("side.{n}")), row(&format!("bottom.{n}")));
                all.push(json!({"id": s, "component": "Box", "pressable": true, "on": press, "children": [format!("{s}.icon"), format!("{s}.text")],
                    "accessibility": {"role": "link", "label": item.title},
                    "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": "$control.row", "paddingHorizontal": 12,
                        "borderRadius": "$radius.md", "flexShrink": 0, (if on { "backgroundColor" } else { ":hover" }):
                        (if on { json!("$color.accent") } else { json!({"backgroundColor": "$color.accent"}) })}}));
                all.push(json!({"id": format!("{s}.icon"), "component": "Icon", "name": icon, "size": "sm", "style": {"color": color}}));
                all.push(json!({"id": format!("{s}.text"), "component": "Text", "text": item.title, "lines": 1, "style": {"fontWeight": weight, "minWidth": 0}}));
                all.push(json!({"id": b, "component": "Box", "pressable": true, "on": press, "children": [format!("{b}.icon"), format!("{b}.text")],
                    "accessibility": {"role": "link", "label": item.title},
                    "style": {"display": "flex", "flexDirection": "column", "alignItems": "center", "justifyContent": "center", "gap": 4, "flexGrow": 1, "flexBasis": 0, "minWidth": 0}}));
                all.push(json!({"id": format!("{b}.icon"), "component": "Icon", "name": icon, "style": {"color": color}}));
                all.push(json!({"id": format!("{b}.text"), "component": "Text", "text": item.title, "lines": 1,
                    "style": {"fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs", "fontWeight": weight, "color": color}}));
                side.push(s);
                bottom.push(b);
            }
            all.push(json!({"id": "window.side", "component": "Box", "children": side, "accessibility": {"role": "navigation"},
                "style": {"display": "none", "flexDirection": "column", "gap": 2, "padding": 8, "width": 200, "flexShrink": 0, "overflowY": "auto",
                    "backgroundColor": "$color.card", "borderRightWidth": 1, "borderColor": "$color.border", WIDE: {"display": "flex"}}}));
            all.push(json!({"id": "window.bottom", "component": "Box", "children": bottom, "accessibility": {"role": "navigation"},
                "style": {"display": "flex", "flexDirection": "row", "height": "$control.tabBar", "flexShrink": 0, "backgroundColor": "$color.card",
                    "borderTopWidth": 1, "borderColor": "$color.border", WIDE: {"display": "none"}}}));
        }
        body.push(CONTENT.into());
        all.push(json!({"id": CONTENT, "component": "AppContent", "app": self.app.as_str(), "screen": here,
            "params": visit.map(|v| v.params.clone()).unwrap_or_default(), "style": {"flexGrow": 1, "flexBasis": 0, "minWidth": 0, "minHeight": 0}}));
        all.push(json!({"id": "window.body", "component": "Box", "children": body,
            "style": {"display": "flex", "flexDirection": "row", "alignItems": "stretch", "flexGrow": 1, "flexBasis": 0, "minHeight": 0}}));
        let mut parts = vec!["window.body"];
        if many {
            parts.push("window.bottom");
        }
        (parts, all)
    }
}
