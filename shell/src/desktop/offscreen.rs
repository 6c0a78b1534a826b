//! Pictures without a display: a package's screen or widget, a document, a stream.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ede_engine::documents::{Document, Kind};
use ede_engine::package::{Package, ScreenId, WidgetSize};
use ede_renderer::View;
use ede_renderer::color::Color;
use ede_renderer::display::{DisplayList, Item, Key};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::png::Rgba;
use ede_renderer::scene::PaintedLayer;
use ede_renderer::software::{IRect, Order, Painter, Target};
use eui_core::surface::Insets;
use eui_core::types::ReduceIssue;
use serde_json::{Map, Value, json};

use super::app_view::{Along, AppView, Frame, Owner};
use super::board::{Board, cells_of, span};
use super::chrome::{self, PLATE_SLOT, Plate};
use super::desk::Desk;
use super::doc_view::DocView;
use super::dump;
use super::panel::Panel;

/// How a package is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShotFrame {
    Phone,
    Wide,
    Panel,
    Widget(WidgetSize),
}

impl ShotFrame {
    fn width(self) -> f32 {
        match self {
            ShotFrame::Phone => 390.0,
            ShotFrame::Wide | ShotFrame::Panel => 1280.0,
            ShotFrame::Widget(size) => span(cells_of(size.as_str()).0),
        }
    }
}

/// Height of `--frame panel` (px).
const PANEL: f32 = 40.0;

/// What is to be seen.
pub enum Subject {
    Package {
        package: Arc<Package>,
        screen: Option<String>,
    },
    Document(Box<Document>),
    Stream(Vec<Value>),
}

impl Subject {
    /// Find out what a file is and take it in.
    pub fn read(
        bytes: &[u8],
        screen: Option<&str>,
        surface: Option<&str>,
    ) -> Result<Subject, String> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_string())?;
        let whole: Result<Value, _> = serde_json::from_str(text);
        match whole {
            Ok(v) if v.get("templates").is_some() => {
                let parsed = Package::read(bytes);
                let package = parsed.package.ok_or_else(|| {
                    parsed.issues.first().map_or_else(
                        || "the package does not check".into(),
                        |i| format!("{}: {}", i.pointer, i.message),
                    )
                })?;
                Ok(Subject::Package {
                    package: Arc::new(package),
                    screen: screen.map(str::to_string),
                })
            }
            Ok(v) if v.get("kind").is_some() => {
                let parsed = Document::read(bytes);
                let first = || {
                    parsed.issues.first().map_or_else(
                        || "the document does not check".into(),
                        |i| format!("{}: {}", i.pointer, i.message),
                    )
                };
                parsed
                    .document
                    .map(|d| Subject::Document(Box::new(d)))
                    .ok_or_else(first)
            }
            Ok(Value::Array(messages)) => stream(messages, surface),
            Ok(v) if is_message(&v) => stream(vec![v], surface),
            Ok(_) => Err("the file is no package, document or stream".into()),
            Err(_) => {
                let lines: Result<Vec<Value>, _> = text
                    .lines()
                    .map(str::trim)
                    .filter(|l| !l.is_empty())
                    .map(serde_json::from_str)
                    .collect();
                stream(
                    lines.map_err(|e| format!("the file is neither JSON nor JSON lines: {e}"))?,
                    surface,
                )
            }
        }
    }
}

fn is_message(v: &Value) -> bool {
    [
        "createSurface",
        "updateComponents",
        "updateDataModel",
        "deleteSurface",
    ]
    .iter()
    .any(|k| v.get(*k).is_some())
}

/// The messages of one surface of a stream, the first one where none is named.
fn stream(messages: Vec<Value>, surface: Option<&str>) -> Result<Subject, String> {
    let of = |m: &Value| {
        [
            "createSurface",
            "updateComponents",
            "updateDataModel",
            "deleteSurface",
        ]
        .iter()
        .find_map(|k| m.get(*k)?.get("surfaceId")?.as_str().map(str::to_string))
    };
    let wanted = match surface {
        Some(id) => id.to_string(),
        None => messages
            .iter()
            .find_map(of)
            .ok_or("no message of the stream names a surface")?,
    };
    let own: Vec<Value> = messages
        .into_iter()
        .filter(|m| of(m).as_deref() == Some(wanted.as_str()))
        .collect();
    if own.is_empty() {
        Err(format!("the stream has no surface {wanted}"))
    } else {
        Ok(Subject::Stream(own))
    }
}

/// What a picture is to be like.
pub struct Shot {
    pub frame: Option<ShotFrame>,
    pub size: Option<(f32, f32)>,
    pub scale: f32,
    pub open: Vec<String>,
}

pub struct Taken {
    pub png: Vec<u8>,
    pub width: u32,
    pub height: u32,
    pub dump: Value,
}

/// A picture before it is pixels.
struct Picture {
    list: DisplayList,
    size: Size,
    clear: Color,
    issues: Vec<Value>,
    nodes: Vec<Value>,
}

impl Shot {
    pub fn take(&self, desk: &mut Desk, subject: &Subject) -> Result<Taken, String> {
        // What a component does wrong must not end in a backtrace: it is a fault of ours, said as one.
        let drawn = catch_unwind(AssertUnwindSafe(|| {
            let known = |desk: &Desk| (desk.res.text.generation(), desk.res.images.generation());
            let before = known(desk);
            let first = self.draw(desk, subject)?;
            // The system's fonts and pictures are read beside: asked for by the first drawing, which may have taken over some of them
            // half way through, waited for, all there in the second.
            desk.res.text.settle();
            desk.res.images.settle();
            if known(desk) == before {
                Ok(first)
            } else {
                self.draw(desk, subject)
            }
        }));
        let picture = drawn.unwrap_or_else(|_| {
            Err("the painter failed on this file; that is a fault of ede".into())
        })?;
        let (w, h) = (
            (picture.size.w * self.scale).ceil().max(1.0) as u32,
            (picture.size.h * self.scale).ceil().max(1.0) as u32,
        );
        if w > 16_384 || h > 16_384 {
            return Err(format!(
                "the picture would be {w} × {h} pixels, more than 16384 on a side"
            ));
        }
        let mut pixels = vec![0; w as usize * h as usize * 4];
        let target = Target {
            pixels: &mut pixels,
            width: w,
            height: h,
            stride: w as usize * 4,
            order: Order::Rgba,
        };
        Painter::new().paint(
            &picture.list,
            target,
            self.scale,
            picture.clear,
            &[IRect::new(0, 0, w as i32, h as i32)],
        );
        let png = Rgba::from_painted(w, h, &pixels)
            .encode()
            .map_err(|e| e.to_string())?;
        let dump = json!({"width": picture.size.w, "height": picture.size.h, "issues": picture.issues, "nodes": picture.nodes});
        Ok(Taken {
            png,
            width: w,
            height: h,
            dump,
        })
    }

    fn draw(&self, desk: &mut Desk, subject: &Subject) -> Result<Picture, String> {
        match subject {
            Subject::Package { package, screen } => self.package(desk, package, screen.as_deref()),
            Subject::Stream(messages) => self.stream(desk, messages),
            Subject::Document(doc) => self.document(desk, doc),
        }
    }

    fn package(
        &self,
        desk: &mut Desk,
        package: &Arc<Package>,
        screen: Option<&str>,
    ) -> Result<Picture, String> {
        let frame = self.frame.unwrap_or(ShotFrame::Phone);
        let size = match frame {
            ShotFrame::Widget(size) => Some(size),
            ShotFrame::Panel => Some(WidgetSize::S),
            _ => None,
        };
        let id = screen.map(ScreenId::new);
        let (name, template, params) = match size {
            Some(size) => {
                let found = package
                    .widget(size, id.as_ref())
                    .map_err(|e| e.to_string())?;
                (
                    found.screen.id.as_str().to_string(),
                    found.widget.template.clone(),
                    found.screen.params.clone(),
                )
            }
            None => match (package.screen(id.as_ref()), screen) {
                (Some(s), _) => (
                    s.id.as_str().to_string(),
                    s.id.as_str().to_string(),
                    s.params.clone(),
                ),
                // Any template may be looked at, a screen or not.
                (None, Some(t)) if package.templates().any(|x| x == t) => {
                    (t.to_string(), t.to_string(), Map::new())
                }
                (None, _) => {
                    let known: Vec<&str> =
                        package.screens().iter().map(|s| s.id.as_str()).collect();
                    return Err(format!(
                        "{} has no screen {}; it has {}",
                        package.id(),
                        screen.unwrap_or_default(),
                        known.join(", ")
                    ));
                }
            },
        };
        let stands = match frame {
            ShotFrame::Widget(_) => Frame::Widget { padding: 16.0 },
            ShotFrame::Panel => Frame::Panel,
            _ if self.size.is_some() => Frame::Window,
            _ => Frame::Bare,
        };
        desk.shelf.put(package.clone());
        let mut view = desk
            .shelf
            .view(package, &name, &template, &params, stands)
            .map_err(|p| format!("{}: {}", p.pointer, p.message))?;
        self.values(desk, &mut view);
        match frame {
            ShotFrame::Panel => self.in_panel(desk, view),
            ShotFrame::Widget(size) => {
                let (cols, rows) = cells_of(size.as_str());
                let size = self
                    .size
                    .map_or(Size::new(span(cols), span(rows)), |(w, h)| Size::new(w, h));
                self.alone(desk, view, size, Some(Plate::Widget))
            }
            _ => {
                let size = self
                    .size
                    .map_or(Size::new(frame.width(), 0.0), |(w, h)| Size::new(w, h));
                self.alone(desk, view, size, None)
            }
        }
    }

    /// Bound values, then `--data` over them, then what is to be open.
    fn values(&self, desk: &mut Desk, view: &mut AppView) {
        if let Some((bound, v)) = view.bind(&mut desk.feed, &|id| desk.shelf.get(id).cloned()) {
            desk.feed.fill(bound, v);
        }
        if let Some(Value::Object(over)) = &desk.shelf.data {
            for (key, value) in over {
                view.set(&ede_engine::pointer::child("", key), value.clone());
            }
        }
    }

    fn open(&self, view: &mut View) {
        for id in &self.open {
            view.surface_mut().set_open(id, true);
        }
    }

    /// A view on its own: as large as asked for, else as tall as its content.
    fn alone(
        &self,
        desk: &mut Desk,
        mut view: AppView,
        size: Size,
        plate: Option<Plate>,
    ) -> Result<Picture, String> {
        self.open(&mut view.view);
        let content = view.update(size, Insets::default(), &mut desk.res, 0.0);
        let size = Size::new(
            size.w,
            if size.h > 0.0 {
                size.h
            } else {
                content.h.ceil().max(1.0)
            },
        );
        if view.view.surface().viewport().1 <= 0.0 && !view.view.painted().layers.is_empty() {
            // Overlays are placed against a height: give them the content's.
            view.update(size, Insets::default(), &mut desk.res, 0.0);
        }
        let recipes = desk.res.recipes(desk.style.theme(), desk.style.mode);
        let main = view.view.painted().main.clone();
        let (list, clear) = match plate {
            Some(plate) => (
                chrome::on_plate(plate, Rect::of_size(size), &recipes, main),
                Color::TRANSPARENT,
            ),
            None => (
                DisplayList {
                    items: vec![nested(0, main, Point::ZERO, size)],
                },
                recipes.token("background"),
            ),
        };
        let list = with_layers(
            list,
            view.view.painted().layers.iter().map(|l| (Point::ZERO, l)),
            size,
        );
        let mut nodes = Vec::new();
        dump::nodes(&view.view, Point::ZERO, &mut nodes);
        let issues = issues_of(&mut view.view);
        Ok(Picture {
            list,
            size,
            clear,
            issues,
            nodes,
        })
    }

    /// A widget as it stands in a panel: on the panel's plate, as wide as it is.
    fn in_panel(&self, desk: &mut Desk, mut view: AppView) -> Result<Picture, String> {
        self.open(&mut view.view);
        let inner = PANEL - 8.0;
        view.probe(Along::Row(inner), &mut desk.res, 0.0);
        let natural = view.natural();
        view.update(natural, Insets::default(), &mut desk.res, 0.0);
        let size = self
            .size
            .map_or(Size::new(natural.w + 8.0, PANEL), |(w, h)| Size::new(w, h));
        let recipes = desk.res.recipes(desk.style.theme(), desk.style.mode);
        let at = Point::new(4.0, (size.h - inner) / 2.0);
        let list = DisplayList {
            items: vec![
                Plate::Panel.item(Rect::of_size(size), &recipes),
                nested(0, view.view.painted().main.clone(), at, size),
            ],
        };
        let mut nodes = Vec::new();
        dump::nodes(&view.view, at, &mut nodes);
        let issues = issues_of(&mut view.view);
        Ok(Picture {
            list,
            size,
            clear: Color::TRANSPARENT,
            issues,
            nodes,
        })
    }

    fn stream(&self, desk: &mut Desk, messages: &[Value]) -> Result<Picture, String> {
        let frame = self.frame.unwrap_or(ShotFrame::Wide);
        let (mut view, issues) =
            AppView::open(Owner::Shell, "stream", messages, Frame::Bare, &desk.style);
        self.values(desk, &mut view);
        let size = self
            .size
            .map_or(Size::new(frame.width(), 0.0), |(w, h)| Size::new(w, h));
        let mut picture = self.alone(desk, view, size, None)?;
        let more: Vec<Value> = issues
            .iter()
            .map(|i| json!({"path": i.id, "message": i.message}))
            .filter(|i| !picture.issues.contains(i))
            .collect();
        picture.issues.extend(more);
        Ok(picture)
    }

    fn document(&self, desk: &mut Desk, doc: &Document) -> Result<Picture, String> {
        let (w, h) = self.size.unwrap_or((1280.0, 800.0));
        let size = Size::new(w, h);
        let recipes = desk.res.recipes(desk.style.theme(), desk.style.mode);
        let clear = recipes.token("background");
        let mut items = desk.wallpaper(size).items;
        let (mut nodes, mut issues) = (Vec::new(), Vec::new());
        let found = |i: &ReduceIssue| json!({"path": i.id, "message": i.message});
        match doc.kind() {
            Kind::Panel(places) => {
                let (mut panel, wrong) = Panel::new(doc, places.base(), &desk.style);
                issues.extend(wrong.iter().map(found));
                panel.update(size, &mut desk.shelf, &mut desk.res, 0.0);
                desk.fill(&mut panel.doc);
                panel.update(size, &mut desk.shelf, &mut desk.res, 0.0);
                doc_nodes(&panel.doc, Point::ZERO, &mut nodes);
                let strip = panel
                    .plate()
                    .inset(-panel.place().margin)
                    .intersect(&Rect::of_size(size));
                let region = if self.size.is_some() {
                    Rect::of_size(size)
                } else {
                    strip
                };
                items.push(nested(1, panel.list().clone(), Point::ZERO, size));
                let list = DisplayList {
                    items: vec![nested(
                        2,
                        Arc::new(DisplayList { items }),
                        Point::ZERO - region.origin(),
                        region.size(),
                    )],
                };
                return Ok(Picture {
                    list,
                    size: region.size(),
                    clear,
                    issues,
                    nodes,
                });
            }
            Kind::Desktop(_) => {
                let (mut board, wrong) = Board::new(doc, &desk.style);
                issues.extend(wrong.iter().map(found));
                let free = Rect::of_size(size);
                board.update(free, &mut desk.shelf, &mut desk.res, 0.0);
                desk.fill(&mut board.doc);
                board.update(free, &mut desk.shelf, &mut desk.res, 0.0);
                doc_nodes(&board.doc, Point::ZERO, &mut nodes);
                items.push(nested(1, board.list().clone(), Point::ZERO, size));
            }
            Kind::Session(_) => {}
            Kind::Window(_) => return self.stream(desk, &doc.messages("window")),
        }
        Ok(Picture {
            list: DisplayList { items },
            size,
            clear,
            issues,
            nodes,
        })
    }
}

fn issues_of(view: &mut View) -> Vec<Value> {
    view.surface_mut()
        .issues()
        .iter()
        .map(|i| json!({"path": i.id, "message": i.message}))
        .collect()
}

fn doc_nodes(doc: &DocView, at: Point, out: &mut Vec<Value>) {
    dump::nodes(&doc.view, at, out);
    for (_, w) in doc.widgets() {
        dump::nodes(&w.content.view, at + w.frame().origin(), out);
    }
}

fn nested(slot: u32, list: Arc<DisplayList>, at: Point, size: Size) -> Item {
    Item::Nested {
        key: Key {
            slot: PLATE_SLOT - 16 - slot,
            over: false,
        },
        list,
        at,
        clip: Rect::of_size(size),
        radii: Radii::NONE,
    }
}

/// A list with open overlays over it, each on its scrim.
pub fn with_layers<'a>(
    mut list: DisplayList,
    layers: impl Iterator<Item = (Point, &'a PaintedLayer)>,
    size: Size,
) -> DisplayList {
    for (n, (at, layer)) in layers.enumerate() {
        if let Some(c) = layer.scrim {
            let ops = vec![ede_renderer::display::Op::Fill {
                rect: Rect::of_size(size),
                radii: Radii::NONE,
                brush: c.into(),
            }];
            list.items.extend(super::list_of(ops).items);
        }
        list.items
            .push(nested(64 + n as u32, layer.list.clone(), at, size));
    }
    list
}
