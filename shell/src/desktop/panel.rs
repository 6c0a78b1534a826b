//! A panel: a document laid out as a slice of its output. The surface eui-core sees is the whole output with the panel's thickness as
//! an inset, so that popups open away from the edge and flip and clamp to the output by themselves.

use std::sync::Arc;

use ede_engine::documents::{Document, Edge, PanelPlace};
use ede_renderer::View;
use ede_renderer::display::{DisplayList, Item, Key};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::resources::Resources;
use eui_core::direction::TextDirection;
use eui_core::surface::{Insets, Surface};
use eui_core::types::{FlatComponent, ReduceIssue};
use serde_json::{Value, json};

use super::catalog;
use super::chrome::{PLATE_SLOT, Plate};
use super::doc_view::{DocView, Room, Shelf, Sizing};
use super::mistakes::{self, Mistake};
use super::motion::Motion;
use super::reveal::Reveal;
use super::style::Style;
use super::turned::turned;

/// Between the panel's edge and its items, the border included.
const PADDING: f32 = 4.0;

/// The slot leaf the document hangs in.
const SLOT: &str = "panel.slot";
const ROOT: &str = "panel.root";

/// How much of a hidden panel still takes the pointer, at its edge (px).
const STRIP: f32 = 2.0;

pub struct Panel {
    pub doc: DocView,
    document: Document,
    place: PanelPlace,
    /// The document is read from right to left.
    rtl: bool,
    /// Files with mistakes, which it shows a mark for.
    mistakes: Arc<[Mistake]>,
    /// A panel that hides itself; only on a screen somebody can point at.
    pub reveal: Option<Reveal>,
    /// How far it is moved beyond its edge at the moment (px).
    away: f32,
    output: Size,
    content: Arc<DisplayList>,
    list: Arc<DisplayList>,
}

impl Panel {
    /// A panel from its document. It shows what it could make of it; what the engine has against the rest comes back beside it.
    pub fn new(document: &Document, place: PanelPlace, style: &Style) -> (Panel, Vec<ReduceIssue>) {
        let mut surface = style.surface(
            document.id().as_str(),
            eui_core::CORE_CATALOG_ID,
            catalog::extensions(),
        );
        let rtl = is_rtl(&surface);
        let outcome =
            surface.set_components(components_of(document.components(), &place, rtl, &[]));
        let data = surface.set_data("/", Some(document.data()));
        let mut issues = outcome.issues;
        issues.extend(data.err().map(|message| ReduceIssue {
            id: String::new(),
            message,
        }));
        let (sizing, room) = run(&place);
        let mut doc = DocView::new(View::new(surface), sizing, room);
        doc.follow(document.bindings());
        (
            Panel {
                doc,
                document: document.clone(),
                place,
                rtl,
                mistakes: Arc::default(),
                reveal: None,
                away: 0.0,
                output: Size::default(),
                content: Arc::default(),
                list: Arc::default(),
            },
            issues,
        )
    }

    pub fn place(&self) -> &PanelPlace {
        &self.place
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Show another version of its document, stand elsewhere, or show a mark for other mistakes in files. What the engine has against
    /// it comes back.
    pub fn show(
        &mut self,
        document: &Document,
        place: PanelPlace,
        mistakes: &Arc<[Mistake]>,
    ) -> Vec<ReduceIssue> {
        let rtl = is_rtl(self.doc.view.surface());
        let same = self.document == *document && self.place == place && self.rtl == rtl;
        if same && self.mistakes == *mistakes {
            return Vec::new();
        }
        (self.rtl, self.mistakes) = (rtl, mistakes.clone());
        let components = components_of(document.components(), &place, rtl, mistakes);
        let issues = self
            .doc
            .follow_document(&self.document, document, components);
        let (sizing, room) = run(&place);
        self.doc.stand(sizing, room);
        (self.document, self.place) = (document.clone(), place);
        // Its plate may be another one.
        self.content = Arc::default();
        issues
    }

    /// Hide itself, if its document says so, and move on: see [`Reveal`].
    pub fn hides(&mut self, motion: Motion) {
        let delay = self.place.reveal_delay_ms;
        match &mut self.reveal {
            _ if !self.place.autohide => (self.reveal, self.away) = (None, 0.0),
            Some(reveal) => reveal.set(delay, motion),
            None => self.reveal = Some(Reveal::new(delay, motion)),
        }
    }

    /// Move on to where it is at this moment. True when it moved.
    pub fn step(&mut self, now_ms: f64) -> bool {
        let Some(reveal) = &mut self.reveal else {
            return false;
        };
        reveal.step(now_ms);
        let area = self.area();
        let way = if self.place.edge.is_horizontal() {
            area.h
        } else {
            area.w
        };
        let away = match &self.reveal {
            Some(reveal) => ((1.0 - reveal.shown(now_ms)) * way).round(),
            None => 0.0,
        };
        std::mem::replace(&mut self.away, away) != away
    }

    /// Is it, or is it on its way to be, where it takes presses?
    pub fn is_out(&self) -> bool {
        self.reveal.as_ref().is_none_or(Reveal::is_out)
    }

    /// How far what it shows is moved at the moment, beyond its edge.
    pub fn shift(&self) -> Point {
        match self.place.edge {
            Edge::Top => Point::new(0.0, -self.away),
            Edge::Bottom => Point::new(0.0, self.away),
            Edge::Left => Point::new(-self.away, 0.0),
            Edge::Right => Point::new(self.away, 0.0),
        }
    }

    /// The length along its edge that windows keep clear of.
    pub fn reserved(&self) -> f32 {
        if self.place.reserve && !self.place.autohide {
            self.place.margin + self.place.thickness
        } else {
            0.0
        }
    }

    /// Say which output it stands on; its box follows from that alone.
    pub fn stand_on(&mut self, output: Size) {
        if self.output != output {
            self.output = output;
            self.content = Arc::default();
            self.doc.view.invalidate();
        }
    }

    /// Lay the panel out on an output of this size. Popups keep clear of the panel and of the output's edges.
    pub fn update(
        &mut self,
        output: Size,
        shelf: &mut dyn Shelf,
        res: &mut Resources,
        now_ms: f64,
    ) {
        self.output = output;
        let insets = self.insets();
        self.doc.update(output, insets, shelf, res, now_ms);
        let content = self.doc.view.painted().main.clone();
        if !Arc::ptr_eq(&content, &self.content) {
            self.content = content.clone();
            let surface = self.doc.view.surface();
            if let Some(theme) = surface.effective_theme().cloned() {
                let recipes = res.recipes(&theme, surface.mode());
                let plate = self.plate();
                let key = Key {
                    slot: PLATE_SLOT,
                    over: true,
                };
                let content = Item::Nested {
                    key,
                    list: content,
                    at: Point::ZERO,
                    clip: plate,
                    radii: Radii::NONE,
                };
                self.list = Arc::new(DisplayList {
                    items: vec![Plate::Panel.item(plate, &recipes), content],
                });
            }
        }
    }

    /// The room along its edge that its popups keep clear of.
    fn insets(&self) -> Insets {
        let clear = self.place.thickness + 2.0 * self.place.margin;
        let mut insets = Insets::default();
        *match self.place.edge {
            Edge::Top => &mut insets.top,
            Edge::Bottom => &mut insets.bottom,
            Edge::Left => &mut insets.left,
            Edge::Right => &mut insets.right,
        } = clear;
        insets
    }

    /// Open its widgets, which wait for their values then ([`DocView::open`]).
    pub fn open(&mut self, output: Size, shelf: &mut dyn Shelf, res: &mut Resources, now_ms: f64) {
        self.output = output;
        self.doc.open(output, self.insets(), shelf, res, now_ms);
    }

    /// The panel's box on its output.
    pub fn plate(&self) -> Rect {
        let (w, h) = (self.output.w, self.output.h);
        let PanelPlace {
            edge,
            thickness: t,
            margin: m,
            ..
        } = self.place;
        match edge {
            Edge::Top => Rect::new(m, m, w - 2.0 * m, t),
            Edge::Bottom => Rect::new(m, h - m - t, w - 2.0 * m, t),
            Edge::Left => Rect::new(m, m, t, h - 2.0 * m),
            Edge::Right => Rect::new(w - m - t, m, t, h - 2.0 * m),
        }
    }

    /// The part of the output the panel's surface covers: the plate, the gap to the edge, room for the shadow.
    pub fn area(&self) -> Rect {
        self.plate()
            .inset(-Plate::Panel.room().max(self.place.margin))
            .intersect(&Rect::of_size(self.output))
    }

    /// Where the panel takes presses: its plate and the gap to its edge, so that a pointer thrown into the corner hits; a hidden one
    /// only a strip at its edge.
    pub fn input(&self) -> Rect {
        let p = self.plate();
        let all = Rect::of_size(self.output);
        if !self.is_out() {
            return match self.place.edge {
                Edge::Top => Rect::new(0.0, 0.0, all.w, STRIP),
                Edge::Bottom => Rect::new(0.0, all.h - STRIP, all.w, STRIP),
                Edge::Left => Rect::new(0.0, 0.0, STRIP, all.h),
                Edge::Right => Rect::new(all.w - STRIP, 0.0, STRIP, all.h),
            };
        }
        match self.place.edge {
            Edge::Top => Rect::new(0.0, 0.0, all.w, p.bottom()),
            Edge::Bottom => Rect::new(0.0, p.y, all.w, all.h - p.y),
            Edge::Left => Rect::new(0.0, 0.0, p.right(), all.h),
            Edge::Right => Rect::new(p.x, 0.0, all.w - p.x, all.h),
        }
    }

    /// A point of [`Panel::input`] moved onto the items: presses in the gap belong to the widget beside it.
    pub fn onto_items(&self, p: Point) -> Point {
        let items = self.plate().inset(PADDING);
        Point::new(
            p.x.clamp(items.x, items.right() - 0.01),
            p.y.clamp(items.y, items.bottom() - 0.01),
        )
    }

    /// Everything the panel shows, in output coordinates.
    pub fn list(&self) -> &Arc<DisplayList> {
        &self.list
    }
}

fn is_rtl(surface: &Surface) -> bool {
    TextDirection::of_locale(&surface.settings().locale) == TextDirection::Rtl
}

/// How its widgets get their size, and what room they stand in.
fn run(place: &PanelPlace) -> (Sizing, Room) {
    let items = (place.thickness - 2.0 * PADDING).max(1.0);
    if place.edge.is_horizontal() {
        (Sizing::Row { height: items }, Room::Panel)
    } else {
        (Sizing::Column { width: items }, Room::SidePanel)
    }
}

/// The document's components as a slice of the output: its root at the edge, at the panel's thickness, and the mark of mistakes.
fn components_of(
    components: &[Value],
    place: &PanelPlace,
    rtl: bool,
    mistakes: &[Mistake],
) -> Vec<FlatComponent> {
    let horizontal = place.edge.is_horizontal();
    // A row begins at the right where people read from there.
    let end = match place.edge {
        Edge::Top => false,
        Edge::Bottom => true,
        Edge::Left => rtl,
        Edge::Right => !rtl,
    };
    let outer = json!({
        "id": "root", "component": "Box", "children": [SLOT],
        "style": {
            "display": "flex", "flexDirection": if horizontal { "column" } else { "row" }, "width": "100%", "height": "100%",
            "padding": place.margin, "justifyContent": if end { "flex-end" } else { "flex-start" },
        },
    });
    let mark = mistakes::mark(mistakes, place.edge);
    let items: &[&str] = if mark.is_empty() {
        &[ROOT]
    } else {
        &[ROOT, mistakes::MARK]
    };
    let slot = json!({
        "id": SLOT, "component": "Box", "children": items,
        "style": {
            "display": "flex", "flexDirection": if horizontal { "row" } else { "column" }, "alignItems": "stretch", "flexShrink": 0,
            (if horizontal { "height" } else { "width" }): place.thickness, "padding": PADDING,
        },
    });
    let mut all = vec![outer, slot];
    all.extend(mark);
    for mut c in turned(components, place.edge) {
        if let Some(o) = c.as_object_mut() {
            let is = |k: &str, v: &str| o.get(k).and_then(Value::as_str) == Some(v);
            let (root, widget, spacer) = (
                is("id", "root"),
                is("component", "AppWidget"),
                is("component", "Spacer"),
            );
            if spacer {
                o.insert("component".into(), "Box".into());
            }
            if root {
                o.insert("id".into(), ROOT.into());
            }
            let style = o.entry("style").or_insert_with(|| json!({}));
            if let Some(style) = style.as_object_mut() {
                let mut default = |key: &str, value: Value| {
                    style.entry(key).or_insert(value);
                };
                if root || spacer {
                    default("flexGrow", json!(1));
                    default("minWidth", json!(0));
                    default("minHeight", json!(0));
                }
                if widget {
                    // A widget is an item of the panel: it answers to the pointer as one.
                    default("borderRadius", json!("$radius.sm"));
                    default(":hover", json!({"backgroundColor": "$color.accent"}));
                    default(":pressed", json!({"backgroundColor": "$color.accent"}));
                }
            }
        }
        all.push(c);
    }
    all.into_iter()
        .filter_map(|c| serde_json::from_value(c).ok())
        .collect()
}
