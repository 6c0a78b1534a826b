//! Pictures without a display: a package's screen or widget, a document, a stream.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ede_engine::package::{Package, ScreenId, WidgetSize};
use ede_renderer::View;
use ede_renderer::color::Color;
use ede_renderer::display::{DisplayList, Item, Key};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::png::Rgba;
use ede_renderer::scene::PaintedLayer;
use ede_renderer::software::{IRect, Order, Painter, Target};
use eui_core::surface::Insets;
use eui_core::types::UiNode;
use serde_json::{Map, Value, json};

use super::app_view::{Along, AppView, Frame, Owner};
use super::board::{cells_of, span};
use super::chrome::{self, PLATE_SLOT, Plate};
use super::desk::Desk;
use super::dump;
use super::gate::Around;

pub(super) mod document;
mod subject;

pub use subject::Subject;

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

/// What a picture is to be like.
#[derive(Debug)]
pub struct Shot {
    pub frame: Option<ShotFrame>,
    pub size: Option<(f32, f32)>,
    pub scale: f32,
    pub open: Vec<String>,
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShotError {
    /// The file does not check.
    #[error("{0}")]
    Broken(String),
    /// Something was named that is not there.
    #[error("{what}")]
    Named { what: String, remedy: &'static str },
    #[error("the picture would be {0} × {1} pixels, more than {MOST} on a side")]
    TooLarge(u32, u32),
    #[error("the painter failed on this file; that is a fault of ede")]
    Fault,
}

impl ShotError {
    /// What the person can do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            ShotError::Broken(_) => "run `ede check` on it",
            ShotError::Named { remedy, .. } => remedy,
            ShotError::TooLarge(..) => "give a smaller --size or --scale",
            ShotError::Fault => "leave out the newest change to it",
        }
    }
}

/// The largest picture, either side (pixels).
const MOST: u32 = 16_384;

fn list(names: &BTreeSet<String>) -> String {
    names
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

pub struct Taken {
    pub png: Vec<u8>,
    pub width: u32,
    pub height: u32,
    pub dump: Value,
}

/// A list of this size (px) as pixels: their width and height, and the PNG bytes.
pub(super) fn png(
    list: &DisplayList,
    size: Size,
    scale: f32,
    clear: Color,
) -> Result<(u32, u32, Vec<u8>), ShotError> {
    let (w, h) = (
        (size.w * scale).ceil().max(1.0) as u32,
        (size.h * scale).ceil().max(1.0) as u32,
    );
    if w > MOST || h > MOST {
        return Err(ShotError::TooLarge(w, h));
    }
    let mut pixels = vec![0; w as usize * h as usize * 4];
    let target = Target {
        pixels: &mut pixels,
        width: w,
        height: h,
        stride: w as usize * 4,
        order: Order::Rgba,
    };
    let whole = [IRect::new(0, 0, w as i32, h as i32)];
    Painter::new().paint(list, target, scale, clear, &whole);
    let bytes = Rgba::from_painted(w, h, &pixels)
        .encode()
        .map_err(|_| ShotError::Fault)?;
    Ok((w, h, bytes))
}

/// A picture before it is pixels.
pub(super) struct Picture {
    list: DisplayList,
    size: Size,
    clear: Color,
    issues: Vec<Value>,
    nodes: Vec<Value>,
}

impl Picture {
    /// As PNG bytes at `scale` pixels a logical pixel, with its dump.
    pub(super) fn paint(self, scale: f32) -> Result<Taken, ShotError> {
        let (width, height, png) = png(&self.list, self.size, scale, self.clear)?;
        let dump = json!({"width": self.size.w, "height": self.size.h, "issues": self.issues, "nodes": self.nodes});
        Ok(Taken {
            png,
            width,
            height,
            dump,
        })
    }
}

impl Shot {
    pub fn take(&self, desk: &mut Desk, subject: &Subject) -> Result<Taken, ShotError> {
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
        drawn.unwrap_or(Err(ShotError::Fault))?.paint(self.scale)
    }

    fn draw(&self, desk: &mut Desk, subject: &Subject) -> Result<Picture, ShotError> {
        match subject {
            Subject::Package { package, screen } => self.package(desk, package, screen.as_deref()),
            Subject::Stream(messages) => self.stream(desk, messages),
            Subject::Document(doc) => Ok(self.document(desk, doc)),
        }
    }

    fn package(
        &self,
        desk: &mut Desk,
        package: &Arc<Package>,
        screen: Option<&str>,
    ) -> Result<Picture, ShotError> {
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
                    .map_err(|e| ShotError::Named {
                        what: e.to_string(),
                        remedy: "name another --frame or --screen",
                    })?;
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
                    let known: Vec<&str> = match package.screens() {
                        [] => package.templates().collect(),
                        screens => screens.iter().map(|s| s.id.as_str()).collect(),
                    };
                    return Err(ShotError::Named {
                        what: format!(
                            "{} has no screen {}, it has {}",
                            package.id(),
                            screen.unwrap_or_default(),
                            known.join(" ")
                        ),
                        remedy: "name one with --screen",
                    });
                }
            },
        };
        let stands = match frame {
            ShotFrame::Widget(_) => Frame::Widget { padding: 16.0 },
            ShotFrame::Panel => Frame::Panel,
            ShotFrame::Phone | ShotFrame::Wide => Frame::Window,
        };
        desk.shelf.put(package.clone());
        let mut view = desk
            .shelf
            .view(package, &name, &template, &params, stands)
            .map_err(|p| ShotError::Broken(format!("{}: {}", p.pointer, p.message)))?;
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
        let around = Around {
            shelf: &desk.shelf,
            gate: &desk.gate,
        };
        if let Some((bound, v)) = view.bind(&mut desk.feed, &around) {
            desk.feed.fill(bound, v);
        }
        if let Some(Value::Object(over)) = &desk.shelf.data {
            for (key, value) in over {
                view.set(&ede_engine::pointer::child("", key), value.clone());
            }
        }
    }

    fn open(&self, view: &mut View) -> Result<(), ShotError> {
        for id in &self.open {
            let there = view
                .surface_mut()
                .root()
                .is_some_and(|root| holds(root, id));
            if !there {
                return Err(ShotError::Named {
                    what: format!("there is no component {id}"),
                    remedy: "name an overlay of this surface with --open",
                });
            }
            view.surface_mut().set_open(id, true);
        }
        Ok(())
    }

    /// A view on its own: as large as asked for, else as tall as its content.
    fn alone(
        &self,
        desk: &mut Desk,
        mut view: AppView,
        size: Size,
        plate: Option<Plate>,
    ) -> Result<Picture, ShotError> {
        self.open(&mut view.view)?;
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
                chrome::on_plate_alone(plate, size, &recipes, main),
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
    fn in_panel(&self, desk: &mut Desk, mut view: AppView) -> Result<Picture, ShotError> {
        self.open(&mut view.view)?;
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
                Plate::Panel.item_alone(Rect::of_size(size), &recipes),
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

    fn stream(&self, desk: &mut Desk, messages: &[Value]) -> Result<Picture, ShotError> {
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
}

/// Is there a component of this id at or below `node`, shown or not?
fn holds(node: &UiNode, id: &str) -> bool {
    let slots = node.slots.iter().flat_map(|slots| slots.values());
    node.id == id || node.children.iter().chain(slots).any(|n| holds(n, id))
}

fn issues_of(view: &mut View) -> Vec<Value> {
    view.surface_mut()
        .issues()
        .iter()
        .map(|i| json!({"path": i.id, "message": i.message}))
        .collect()
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
