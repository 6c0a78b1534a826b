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

use super::app_view::{Along, Frame};
use super::board::{Board, cells_of, span};
use super::desk::Desk;
use super::doc_view::DocView;
use super::own_window::OwnWindow;
use super::panel::Panel;
use super::shelf::WIDGET_PADDING;
use super::window::{Body, Window};

/// The screen documents are tried on (px).
const SCREEN: Size = Size::new(1280.0, 800.0);

/// Height of an item in a panel of the usual thickness (px).
const PANEL_ITEM: f32 = 32.0;

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
            Stand::Panel => (Frame::Panel, Size::new(0.0, PANEL_ITEM), "a panel".into()),
        };
        let params = params(package, template, stand);
        desk.shelf.put(package.clone());
        let view = desk.shelf.view(package, template, template, &params, frame);
        desk.shelf.remove(package.id());
        let Ok(mut view) = view else {
            return Vec::new();
        };
        if let Some((bound, view)) =
            view.bind(&mut desk.feed, &|_: &ede_engine::app_id::AppId| None)
        {
            desk.feed.fill(bound, view);
        }
        if stand == Stand::Panel {
            view.probe(Along::Row(size.h), &mut desk.res, 0.0);
            let size = view.natural();
            view.update(size, Insets::default(), &mut desk.res, 0.0);
            return cut_off(&view.view, size).into_iter().collect();
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
            Kind::Desktop(places) => {
                let (mut board, _) = Board::new(document, places.base().grid, &desk.style);
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

/// What a panel's item of this size cuts off, where nothing scrolls it in.
fn cut_off(view: &View, size: Size) -> Option<Finding> {
    let needed = extent(view)?;
    let over = (needed.h - size.h).max(0.0);
    (over >= 1.0).then(|| {
        let message = format!(
            "in a panel it has {} px of height and needs {}: show less there, in a block `@media (max-height: 64px)`",
            size.h,
            needed.h.ceil()
        );
        seen("root", message)
    })
}

/// The box that holds all that is shown of a view.
fn extent(view: &View) -> Option<Rect> {
    let mut all: Option<Rect> = None;
    leaves(view, &mut |_, frame| {
        all = Some(all.map_or(frame, |all| all.union(&frame)));
    });
    all
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
            Stand::Panel => s.widgets.iter().any(|w| holds(WidgetSize::S)(&w)),
        })
        .map(|s| s.params.clone())
        .unwrap_or_default()
}

/// Widgets without size, which nobody ever sees, and those beyond `area`.
fn widgets(doc: &DocView, area: Rect, place: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    // The shell's own components are as large as what there is to show: windows, workspaces.
    let apps = doc.widgets().filter(|(_, w)| w.tile || !w.native);
    for (id, widget) in apps {
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
    let mut out = Vec::new();
    leaves(view, &mut |id, frame| {
        if frame.intersect(&area).is_empty() {
            out.push(id.to_string());
        }
    });
    out
}

/// Every component with something to read that nothing scrolls, with its frame.
fn leaves(view: &View, each: &mut dyn FnMut(&str, Rect)) {
    fn walk(view: &View, slot: u32, each: &mut dyn FnMut(&str, Rect)) {
        let scene = view.scene();
        let Some(node) = scene.node(slot) else { return };
        if node.placed.hidden || node.look.gone || scene.scroll_of(slot).is_some() {
            return;
        }
        let frame = scene.shown_frame(slot).unwrap_or(node.frame);
        let leaf = node.placed.children.is_empty() && frame.w >= 1.0 && frame.h >= 1.0;
        if leaf && !node.look.invisible {
            each(&node.placed.id, frame);
        }
        for child in &node.placed.children {
            walk(view, *child, each);
        }
    }
    if let Some(root) = view.scene().root() {
        walk(view, root, each);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use ede_engine::check::{Context, Report, check};
    use serde_json::{Value, json};

    use super::*;
    use crate::desktop::setup;
    use crate::packages;

    fn checked(name: &str, file: &Value) -> Report {
        let painter = PainterCheck::new(setup::offscreen(&Default::default()).unwrap());
        let context = Context {
            layout: Some(&painter),
            ..Context::default()
        };
        check(name, file.to_string().as_bytes(), context)
    }

    fn package(components: Value) -> Report {
        let file = json!({
            "formatVersion": 3, "id": "acme.look", "name": "Look", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
            "icon": {"glyph": "clock", "color": "blue"}, "description": "To be looked at",
            "templates": {"main": {"components": components}},
            "screens": [{"template": "main", "title": "Main", "widget": {"template": "main", "size": "s"}}],
        });
        checked("look.app.json", &file)
    }

    fn desktop(widget: Value) -> Report {
        let mut widget = widget;
        widget["id"] = json!("w");
        widget["component"] = json!("AppWidget");
        widget["app"] = json!("acme.look");
        let file = json!({
            "formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]},
            "components": [{"id": "root", "component": "Box", "children": ["w"]}, widget],
        });
        checked("desktop.ede-ui.json", &file)
    }

    fn notes(report: &Report) -> Vec<&str> {
        let all = report.notes.iter().map(|n| n.message.as_str());
        all.filter(|n| n.starts_with('/')).collect()
    }

    #[test]
    fn a_page_with_something_on_it_is_nothing_to_talk_about() {
        let report = package(json!([{"id": "root", "component": "Text", "text": "Here"}]));
        assert!(report.ok(), "{:?}", report.issues);
        assert_eq!(notes(&report), [""; 0]);
    }

    #[test]
    fn a_template_that_shows_nothing_is_noted_at_its_root() {
        let report = package(json!([{"id": "root", "component": "Box", "children": []}]));
        assert!(report.ok(), "{:?}", report.issues);
        let notes = notes(&report);
        assert!(
            notes[0].starts_with("/templates/main/components/0: without records nothing"),
            "{notes:?}"
        );
    }

    #[test]
    fn a_component_beyond_its_widget_is_noted_and_one_that_scrolls_in_is_not() {
        let page = |overflow: &str| {
            package(json!([
                {"id": "root", "component": "Box", "children": ["box"], "style": {"display": "flex", "flexDirection": "column"}},
                {"id": "box", "component": "Box", "children": ["first", "far"], "style": {"display": "flex", "flexDirection": "column", "height": 100, "overflowY": overflow}},
                {"id": "first", "component": "Text", "text": "First", "style": {"height": 600, "flexShrink": 0}},
                {"id": "far", "component": "Text", "text": "Far", "style": {"flexShrink": 0}},
            ]))
        };
        let hidden = page("hidden");
        let notes_of = notes(&hidden);
        assert!(
            notes_of
                .iter()
                .any(|n| n
                    .starts_with("/templates/main/components/3: far lies outside of its s widget")),
            "{notes_of:?}"
        );
        assert_eq!(notes(&page("auto")), [""; 0]);
    }

    #[test]
    fn a_small_widget_that_does_not_fit_into_a_panel_is_noted_with_what_to_do() {
        let page = |in_a_panel: Value| {
            package(json!([
                {"id": "root", "component": "Box", "children": ["title", "figure"], "style": {"display": "flex", "flexDirection": "column"}},
                {"id": "title", "component": "Text", "text": "Look", "style": {"height": 20, "flexShrink": 0}},
                {"id": "figure", "component": "Text", "text": "12", "style": {"height": 40, "flexShrink": 0, "@media (max-height: 64px)": in_a_panel}},
            ]))
        };
        let tall = page(json!({}));
        assert!(tall.ok(), "{:?}", tall.issues);
        assert_eq!(
            notes(&tall),
            [
                "/templates/main/components/0: in a panel it has 32 px of height and needs 60: show less there, in a block `@media (max-height: 64px)`"
            ]
        );
        assert_eq!(notes(&page(json!({"display": "none"}))), [""; 0]);
    }

    #[test]
    fn a_widget_without_size_is_a_problem_with_the_document() {
        let report = desktop(json!({"cell": [0, 0], "size": "s", "style": {"display": "none"}}));
        let said: Vec<&str> = report.issues.iter().map(|i| i.pointer.as_str()).collect();
        assert_eq!(said, ["/components/1"], "{:?}", report.issues);
        assert!(desktop(json!({"cell": [0, 0], "size": "s"})).ok());
    }

    #[test]
    fn a_widget_beyond_the_panels_end_is_noted() {
        let file = json!({
            "formatVersion": 1, "id": "panel", "kind": "panel", "place": {"edge": "top"},
            "components": [
                {"id": "root", "component": "Box", "children": ["gap", "w"]},
                {"id": "gap", "component": "Box", "style": {"width": 4000, "flexShrink": 0}},
                {"id": "w", "component": "AppWidget", "app": "acme.look"},
            ],
        });
        let report = checked("panel.ede-ui.json", &file);
        assert!(report.ok(), "{:?}", report.issues);
        assert_eq!(
            notes(&report),
            ["/components/2: w lies outside of the panel"]
        );
    }

    #[test]
    fn what_comes_with_ede_lays_out() {
        for (name, bytes) in [packages::BUNDLED, packages::DOCUMENTS].concat() {
            let report = checked(name, &serde_json::from_slice(bytes).unwrap());
            assert_eq!((report.issues.len(), notes(&report)), (0, vec![]), "{name}");
        }
    }
}
