//! The painter's word for `ede check`: a file is laid out as it would be on screen, without records, without other apps, and what
//! nobody would see is named. Nothing is drawn, nothing is read but the bundled faces.

use std::cell::RefCell;
use std::sync::Arc;

use ede_engine::documents::{Document, Kind};
use ede_engine::layout::{Finding, LayoutCheck, Stand};
use ede_engine::package::{Package, WidgetSize};
use ede_renderer::View;
use ede_renderer::display::{DisplayList, Item};
use ede_renderer::geometry::{Point, Rect, Size};
use eui_core::surface::Insets;
use serde_json::Map;

use super::app_view::Frame;
use super::board::{Board, cells_of, span};
use super::desk::Desk;
use super::doc_view::DocView;
use super::own_window::OwnWindow;
use super::panel::Panel;
use super::shelf::WIDGET_PADDING;
use super::window::{Body, Window};

/// The screen documents are tried on (px).
const SCREEN: Size = Size::new(1280.0, 800.0);

/// Width of a phone (px).
const PHONE: f32 = 390.0;

/// Lays files out on a desk of its own.
pub struct PainterCheck(RefCell<Desk>);

impl PainterCheck {
    /// `desk` holds no store and no documents; packages come and go with the files that are checked.
    pub fn new(desk: Desk) -> PainterCheck {
        PainterCheck(RefCell::new(desk))
    }
}

fn seen(component: impl Into<String>, message: String) -> Finding {
    Finding {
        component: component.into(),
        message,
        hidden: false,
    }
}

impl LayoutCheck for PainterCheck {
    fn template(&self, package: &Arc<Package>, template: &str, stand: Stand) -> Vec<Finding> {
        let mut desk = self.0.borrow_mut();
        let desk = &mut *desk;
        let (frame, size, place) = match stand {
            Stand::Phone => (
                Frame::Bare,
                Size::new(PHONE, 0.0),
                format!("a window {PHONE} wide"),
            ),
            Stand::Widget(size) => {
                let (columns, rows) = cells_of(size.as_str());
                (
                    Frame::Widget {
                        padding: WIDGET_PADDING,
                    },
                    Size::new(span(columns), span(rows)),
                    format!("its {} widget", size.as_str()),
                )
            }
        };
        let params = params(package, template, stand);
        desk.shelf.put(package.clone());
        let view = desk.shelf.view(package, template, template, &params, frame);
        desk.shelf.remove(package.id());
        let Ok(mut view) = view else {
            return Vec::new();
        };
        if let Some((bound, view)) = view.bind(&mut desk.feed, &|_| None) {
            desk.feed.fill(bound, view);
        }
        let content = view.update(size, Insets::default(), &mut desk.res, 0.0);
        let area = Rect::of_size(if size.h > 0.0 { size } else { content });
        if !ink(&view.view.painted().main, Point::ZERO, area) {
            return vec![seen(
                "root",
                format!("without records nothing is to be seen in {place}"),
            )];
        }
        outside(&view.view, area)
            .into_iter()
            .map(|id| {
                let message = format!("{id} lies outside of {place} and is never seen there");
                seen(id, message)
            })
            .collect()
    }

    fn document(&self, document: &Document) -> Vec<Finding> {
        let mut desk = self.0.borrow_mut();
        let desk = &mut *desk;
        let (shelf, res) = (&mut desk.shelf, &mut desk.res);
        match document.kind() {
            Kind::Session(_) => Vec::new(),
            Kind::Panel(places) => {
                let (mut panel, _) = Panel::new(document, places.base(), &desk.style);
                panel.update(SCREEN, shelf, res, 0.0);
                widgets(&panel.doc, Rect::of_size(panel.doc.size()), "the panel")
            }
            Kind::Desktop(_) => {
                let (mut board, _) = Board::new(document, &desk.style);
                board.update(Rect::of_size(SCREEN), shelf, res, 0.0);
                let place = format!("a screen of {} × {}", SCREEN.w, SCREEN.h);
                widgets(&board.doc, Rect::of_size(SCREEN), &place)
            }
            Kind::Window(place) => {
                let size = Size::new(place.size.0, place.size.1);
                let body =
                    Body::Document(Box::new(OwnWindow::new(document.clone(), place.clone())));
                let mut window = Window::new(document.title(), body, &desk.style);
                window.update(size, shelf, res, 0.0);
                // A window's root scrolls: what is below its edge can be reached.
                widgets(&window.doc, Rect::EVERYTHING, "the window")
            }
        }
    }
}

/// The parameters the host gives a template: those of its screen.
fn params(package: &Package, template: &str, stand: Stand) -> Map<String, serde_json::Value> {
    let holds = |size: WidgetSize| {
        move |w: &&ede_engine::package::Widget| w.size == size && w.template == template
    };
    package
        .screens()
        .iter()
        .find(|s| match stand {
            Stand::Phone => s.id.as_str() == template,
            Stand::Widget(size) => s.widgets.iter().any(|w| holds(size)(&w)),
        })
        .map(|s| s.params.clone())
        .unwrap_or_default()
}

/// Widgets without size, which nobody ever sees, and those beyond `area`.
fn widgets(doc: &DocView, area: Rect, place: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (id, widget) in doc.widgets() {
        let frame = widget.frame();
        if frame.w < 1.0 || frame.h < 1.0 {
            found.push(Finding {
                component: id.into(),
                message: format!("{id} has no size: give it a width and a height, or room to grow"),
                hidden: true,
            });
        } else if frame.intersect(&area).is_empty() {
            found.push(seen(id, format!("{id} lies outside of {place}")));
        }
    }
    found
}

/// Is anything of a list painted inside `area`?
fn ink(list: &DisplayList, at: Point, area: Rect) -> bool {
    list.items.iter().any(|item| match item {
        Item::Node {
            ops,
            at: here,
            clip,
            ..
        } => {
            let bounds = ops.bounds.translate(at + *here);
            let clip = clip.translate(at);
            !bounds.intersect(&clip).intersect(&area).is_empty()
        }
        Item::Nested { list, at: here, .. } => ink(list, at + *here, area),
        Item::Group { items, .. } => ink(
            &DisplayList {
                items: items.clone(),
            },
            at,
            area,
        ),
    })
}

/// Components with something to read that lie wholly outside of `area`, where nothing scrolls them in.
fn outside(view: &View, area: Rect) -> Vec<String> {
    fn walk(view: &View, slot: u32, area: Rect, out: &mut Vec<String>) {
        let scene = view.scene();
        let Some(node) = scene.node(slot) else { return };
        if node.placed.hidden || node.look.gone || scene.scroll_of(slot).is_some() {
            return;
        }
        let frame = scene.shown_frame(slot).unwrap_or(node.frame);
        let leaf = node.placed.children.is_empty() && frame.w >= 1.0 && frame.h >= 1.0;
        if leaf && !node.look.invisible && frame.intersect(&area).is_empty() {
            out.push(node.placed.id.clone());
        }
        for child in &node.placed.children {
            walk(view, *child, area, out);
        }
    }
    let mut out = Vec::new();
    if let Some(root) = view.scene().root() {
        walk(view, root, area, &mut out);
    }
    out
}
