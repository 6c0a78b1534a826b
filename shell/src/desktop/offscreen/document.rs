//! Pictures of documents: a panel on its strip of an output, a desktop on a whole one, a window as it floats.

use std::sync::Arc;

use ede_engine::documents::{Document, Kind, WindowPlace};
use ede_renderer::color::Color;
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Point, Rect, Size};
use eui_core::types::ReduceIssue;
use serde_json::{Value, json};

use super::super::board::Board;
use super::super::desk::Desk;
use super::super::doc_view::DocView;
use super::super::dump;
use super::super::own_window::OwnWindow;
use super::super::panel::Panel;
use super::super::window::{Body, Window};
use super::{Picture, Shot, ShotFrame, issues_of, nested};

impl Shot {
    pub(super) fn document(&self, desk: &mut Desk, doc: &Document) -> Picture {
        let output = match self.frame {
            Some(ShotFrame::Phone) => (390.0, 844.0),
            _ => (1280.0, 800.0),
        };
        let (w, h) = self.size.unwrap_or(output);
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
                return Picture {
                    list,
                    size: region.size(),
                    clear,
                    issues,
                    nodes,
                };
            }
            Kind::Desktop(places) => {
                let (mut board, wrong) = Board::new(doc, places.base().grid, &desk.style);
                issues.extend(wrong.iter().map(found));
                let free = Rect::of_size(size);
                board.update(free, &mut desk.shelf, &mut desk.res, 0.0);
                desk.fill(&mut board.doc);
                board.update(free, &mut desk.shelf, &mut desk.res, 0.0);
                doc_nodes(&board.doc, Point::ZERO, &mut nodes);
                items.push(nested(1, board.list().clone(), Point::ZERO, size));
            }
            Kind::Session(_) => {}
            Kind::Window(place) => return self.window(desk, doc, place.clone()),
        }
        Picture {
            list: DisplayList { items },
            size,
            clear,
            issues,
            nodes,
        }
    }

    /// A document's window, title bar included, as large as it says.
    fn window(&self, desk: &mut Desk, doc: &Document, place: WindowPlace) -> Picture {
        let (w, h) = self.size.unwrap_or(place.size);
        let body = Body::Document(Box::new(OwnWindow::new(doc.clone(), place)));
        let mut window = Window::new(doc.title(), body, &desk.style);
        of_window(desk, &mut window, Size::new(w, h))
    }
}

/// A window of the shell's as it floats.
pub(in crate::desktop) fn of_window(desk: &mut Desk, window: &mut Window, size: Size) -> Picture {
    window.update(size, &mut desk.shelf, &mut desk.res, 0.0);
    desk.fill(&mut window.doc);
    window.update(size, &mut desk.shelf, &mut desk.res, 0.0);
    let recipes = desk.res.recipes(desk.style.theme(), desk.style.mode);
    let mut nodes = Vec::new();
    doc_nodes(&window.doc, Point::ZERO, &mut nodes);
    let issues = issues_of(&mut window.doc.view);
    Picture {
        list: window.picture(size, false, &recipes),
        size,
        clear: Color::TRANSPARENT,
        issues,
        nodes,
    }
}

fn doc_nodes(doc: &DocView, at: Point, out: &mut Vec<Value>) {
    dump::nodes(&doc.view, at, out);
    for (_, w) in doc.widgets() {
        dump::nodes(&w.content.view, at + w.frame().origin(), out);
    }
}
