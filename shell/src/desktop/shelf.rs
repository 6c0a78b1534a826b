//! Fills the leaves of documents: an app's widget or screen from its package, the shell's own components, and an error tile for
//! whatever cannot be shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::package::{Binding, Package, Screen, ScreenId, WidgetSize};
use eui_core::surface::PlacedNode;
use serde_json::{Map, Value, json};

use super::app_view::{AppView, Frame, Owner};
use super::chrome::Plate;
use super::doc_view::{Room, Shelf, Widget};
use super::error_tile::{self, Problem};
use super::native;
use super::style::Style;
use super::window_list::{self, WindowList};

/// Between a desktop widget's edge and its content (px, border included).
pub const WIDGET_PADDING: f32 = 16.0;

/// The installed packages, as the screen sees them.
pub struct Packages {
    packages: BTreeMap<AppId, Arc<Package>>,
    /// Packages whose file is broken and that have no good version to show.
    broken: BTreeMap<String, Problem>,
    pub style: Style,
    /// Merged over every template's own data (`snapshot --data`).
    pub data: Option<Value>,
}

/// What a leaf asks for.
struct Asked<'a> {
    package: &'a Arc<Package>,
    screen: &'a Screen,
    template: String,
    params: Map<String, Value>,
}

impl Packages {
    pub fn new(style: Style) -> Packages {
        Packages {
            packages: BTreeMap::new(),
            broken: BTreeMap::new(),
            style,
            data: None,
        }
    }

    /// A package came, or a new version of it.
    pub fn put(&mut self, package: Arc<Package>) {
        self.broken.remove(package.id().as_str());
        self.packages.insert(package.id().clone(), package);
    }

    /// A package's file does not check: its last good version stays, without one its widgets show the problem.
    pub fn put_broken(&mut self, problem: Problem) {
        if !self.packages.keys().any(|id| id.as_str() == problem.name) {
            self.broken.insert(problem.name.clone(), problem);
        }
    }

    pub fn remove(&mut self, id: &AppId) {
        self.packages.remove(id);
        self.broken.remove(id.as_str());
    }

    pub fn get(&self, id: &AppId) -> Option<&Arc<Package>> {
        self.packages.get(id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<Package>> {
        self.packages.values()
    }

    /// `ede:apps`: the installed apps by name, as entries of a menu.
    pub fn menu(&self) -> Value {
        let mut apps: Vec<&Arc<Package>> = self.packages.values().collect();
        apps.sort_by_key(|p| (p.name().to_lowercase(), p.id().clone()));
        apps.into_iter().map(|p| json!({"label": p.name(), "value": p.id().as_str(), "icon": p.icon().unwrap_or("layout-grid")})).collect()
    }

    fn asked(&self, node: &PlacedNode, room: Room) -> Result<Asked<'_>, Problem> {
        let text = |k: &str| {
            node.props
                .get(k)
                .and_then(Value::as_str)
                .filter(|s| !s.is_empty())
        };
        let name = text("app").unwrap_or("This widget");
        let problem = |message: String| Problem {
            name: name.into(),
            message,
            pointer: String::new(),
            count: 1,
        };
        if let Some(p) = self.broken.get(name) {
            return Err(p.clone());
        }
        let id = AppId::parse(name).map_err(|e| problem(e.to_string()))?;
        let package = self
            .packages
            .get(&id)
            .ok_or_else(|| problem("It is not installed.".into()))?;
        let screen_id = text("screen").map(ScreenId::new);
        let size = match room {
            Room::Panel | Room::SidePanel => Some(WidgetSize::S),
            Room::Window | Room::Preview => None,
            Room::Desktop => Some(
                text("size")
                    .and_then(WidgetSize::parse)
                    .unwrap_or(WidgetSize::S),
            ),
            Room::Popup => text("size").and_then(WidgetSize::parse),
        };
        let (screen, template) = match size {
            Some(size) => {
                let found = package
                    .widget(size, screen_id.as_ref())
                    .map_err(|e| problem(e.to_string()))?;
                (found.screen, found.widget.template.clone())
            }
            None => {
                let screen = package.screen(screen_id.as_ref()).ok_or_else(|| {
                    problem(format!(
                        "It has no screen {}.",
                        text("screen").unwrap_or_default()
                    ))
                })?;
                (screen, screen.id.as_str().to_string())
            }
        };
        let mut params = screen.params.clone();
        if let Some(given) = node.props.get("params").and_then(Value::as_object) {
            params.extend(given.clone());
        }
        Ok(Asked {
            package,
            screen,
            template,
            params,
        })
    }

    /// One template of a package in a frame, its bindings not yet filled.
    pub fn view(
        &self,
        package: &Arc<Package>,
        screen: &str,
        template: &str,
        params: &Map<String, Value>,
        frame: Frame,
    ) -> Result<AppView, Problem> {
        let mut data = json!({"params": params});
        if let (Some(Value::Object(over)), Some(data)) = (&self.data, data.as_object_mut()) {
            data.extend(over.clone());
        }
        let problem = |message: &str| Problem {
            name: package.id().to_string(),
            message: message.into(),
            pointer: format!("/templates/{template}"),
            count: 1,
        };
        let messages = package
            .template_messages(template, "app", Some(&data))
            .ok_or_else(|| problem("There is no such template."))?;
        let bindings = package.bindings(template, params);
        let (mut view, issues) = AppView::open(
            Owner::App(package.clone()),
            screen,
            &messages,
            frame,
            &self.style,
        );
        // Packages are checked before they come here; what the engine still finds is the first thing to show.
        if let Some(first) = issues.first() {
            return Err(Problem {
                count: issues.len(),
                ..problem(&first.message)
            });
        }
        view.follow(bindings);
        Ok(view)
    }

    fn native(&self, messages: &[Value], binding: (&str, &str), room: Room) -> Widget {
        let frame = match room {
            Room::Panel => Frame::Panel,
            Room::SidePanel => Frame::SidePanel,
            _ => Frame::Widget { padding: 0.0 },
        };
        let (mut view, _) = AppView::open(Owner::Shell, "native", messages, frame, &self.style);
        view.follow(vec![Binding {
            path: binding.0.into(),
            source: binding.1.into(),
        }]);
        Widget::new(view, None, true)
    }

    fn error_tile(&self, problem: &Problem, room: Room, size: Option<&str>) -> Widget {
        let (shape, frame) = match room {
            Room::Panel => (error_tile::Room::Panel, Frame::Panel),
            Room::SidePanel => (error_tile::Room::Panel, Frame::SidePanel),
            Room::Desktop if size.is_none_or(|s| s == "s") => (
                error_tile::Room::Small,
                Frame::Widget {
                    padding: WIDGET_PADDING,
                },
            ),
            Room::Desktop | Room::Window | Room::Preview => (
                error_tile::Room::Large,
                Frame::Widget {
                    padding: WIDGET_PADDING,
                },
            ),
            Room::Popup => (error_tile::Room::Large, Frame::Bare),
        };
        let (view, _) = AppView::open(
            Owner::Shell,
            "tile",
            &error_tile::messages(problem, shape),
            frame,
            &self.style,
        );
        let mut widget = Widget::new(view, (room == Room::Desktop).then_some(Plate::Widget), true);
        widget.tile = true;
        widget
    }
}

impl Shelf for Packages {
    fn tile(&mut self, problem: &Problem, room: Room, size: Option<&str>) -> Widget {
        self.error_tile(problem, room, size)
    }

    fn open(&mut self, node: &PlacedNode, room: Room) -> Widget {
        match node.extension_kind.as_deref() {
            Some("WindowList") => {
                let binding = (window_list::WINDOWS, "ede:windows");
                let mut widget = self.native(
                    &window_list::template(room == Room::SidePanel),
                    binding,
                    room,
                );
                widget.windows = Some(WindowList::default());
                return widget;
            }
            Some("Workspaces") => {
                return self.native(
                    &native::workspaces(room == Room::SidePanel),
                    ("/workspaces", "ede:workspaces"),
                    room,
                );
            }
            _ => {}
        }
        let (frame, plate) = match room {
            Room::Panel => (Frame::Panel, None),
            Room::SidePanel => (Frame::SidePanel, None),
            Room::Desktop => (
                Frame::Widget {
                    padding: WIDGET_PADDING,
                },
                Some(Plate::Widget),
            ),
            Room::Window | Room::Preview => (Frame::Window, None),
            Room::Popup => (Frame::Bare, None),
        };
        let opened = self.asked(node, room).and_then(|a| {
            self.view(
                a.package,
                a.screen.id.as_str(),
                &a.template,
                &a.params,
                frame,
            )
        });
        match opened {
            Ok(view) => Widget::new(view, plate, false),
            Err(problem) => self.error_tile(
                &problem,
                room,
                node.props.get("size").and_then(Value::as_str),
            ),
        }
    }
}
