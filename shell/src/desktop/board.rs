//! The desktop document of one output: widgets on a grid, or where the person put them, inside what panels leave free.

use std::sync::Arc;

use ede_engine::documents::{Document, Grid, WidgetPlace};
use ede_renderer::View;
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Point, Rect, Size};
use ede_renderer::resources::Resources;
use eui_core::surface::Insets;
use eui_core::types::{FlatComponent, ReduceIssue};
use serde_json::{Value, json};

use super::catalog;
use super::chrome::Plate;
use super::doc_view::{DocView, Room, Shelf, Sizing};
use super::style::Style;

/// A desktop widget's size, in cells.
pub fn cells_of(size: &str) -> (u32, u32) {
    match size {
        "m" => (2, 1),
        "l" => (2, 2),
        _ => (1, 1),
    }
}

/// `n` cells of a plain grid with the gaps between them (px): what a widget is made for wherever no desktop says otherwise.
pub fn span(n: u32) -> f32 {
    span_on(Grid::default(), n)
}

/// `n` cells of a grid with the gaps between them (px).
fn span_on(grid: Grid, n: u32) -> f32 {
    n as f32 * grid.cell + n.saturating_sub(1) as f32 * grid.gap
}

/// The cells of a desktop as its widgets take them, in the order of the document.
struct Cells {
    grid: Grid,
    free: Size,
    taken: Vec<Rect>,
}

impl Cells {
    fn new(grid: Grid, free: Size) -> Cells {
        Cells {
            grid,
            free,
            taken: Vec::new(),
        }
    }

    /// From one cell to the next.
    fn step(&self) -> f32 {
        self.grid.cell + self.grid.gap
    }

    fn span(&self, n: u32) -> f32 {
        span_on(self.grid, n)
    }

    /// How many cells fit in `free` px with a gap at both ends, so that nothing touches an edge; there is always one.
    fn fit(&self, free: f32) -> f32 {
        ((free - self.grid.gap) / self.step()).floor().max(1.0)
    }

    /// Where the first cell begins when as many cells as fit are centred in `free` px.
    fn origin(&self, free: f32) -> f32 {
        ((free - self.span(self.fit(free) as u32)) / 2.0)
            .max(0.0)
            .floor()
    }

    /// The cell `n` on one axis, for a widget of `span` cells; below zero it is counted from the last. Past the last, it is the last.
    fn cell(&self, free: f32, n: i32, span: u32) -> f32 {
        let fit = self.fit(free);
        let n = if n < 0 { n as f32 + fit } else { n as f32 };
        n.min(fit - span as f32).max(0.0)
    }

    /// The box of a widget of this size whose place the document gives; `None` when no cell is left for it.
    fn stand(&mut self, place: WidgetPlace, size: (u32, u32)) -> Option<Rect> {
        match place {
            WidgetPlace::At(x, y) => Some(self.put((x, y), size)),
            WidgetPlace::Cell(column, row) => {
                let wanted = (
                    self.cell(self.free.w, column, size.0),
                    self.cell(self.free.h, row, size.1),
                );
                self.take(wanted, size)
            }
        }
    }

    fn box_of(&self, (col, row): (f32, f32), (cols, rows): (u32, u32)) -> Rect {
        let at = |free: f32, n: f32| self.origin(free) + n * self.step();
        let (x, y) = (at(self.free.w, col), at(self.free.h, row));
        Rect::new(x, y, self.span(cols), self.span(rows))
    }

    /// Takes the cell, or where another widget stands there (on a smaller screen two may want one place) the nearest that is free.
    fn take(&mut self, wanted: (f32, f32), size: (u32, u32)) -> Option<Rect> {
        let most = |free: f32, span: u32| (self.fit(free) - span as f32).max(0.0) as u32;
        let (wide, high) = (most(self.free.w, size.0), most(self.free.h, size.1));
        let away = |(c, r): (f32, f32)| (c - wanted.0).abs() + (r - wanted.1).abs();
        let cells = (0..=wide).flat_map(|c| (0..=high).map(move |r| (c as f32, r as f32)));
        let found = cells
            .filter(|at| {
                let area = self.box_of(*at, size);
                self.taken.iter().all(|t| t.intersect(&area).is_empty())
            })
            .min_by(|a, b| away(*a).total_cmp(&away(*b)))
            .map(|at| self.box_of(at, size));
        self.taken.extend(found);
        found
    }

    /// Takes a point; nothing is lost off the edge of a smaller screen.
    fn put(&mut self, (x, y): (f32, f32), (cols, rows): (u32, u32)) -> Rect {
        let (w, h) = (self.span(cols), self.span(rows));
        let within = |at: f32, most: f32| at.min(most.max(0.0));
        let area = Rect::new(within(x, self.free.w - w), within(y, self.free.h - h), w, h);
        self.taken.push(area);
        area
    }
}

pub struct Board {
    pub doc: DocView,
    document: Document,
    grid: Grid,
    free: Rect,
}

impl Board {
    /// A desktop from its document, on the grid it has on this output.
    pub fn new(document: &Document, grid: Grid, style: &Style) -> (Board, Vec<ReduceIssue>) {
        let mut surface = style.surface(
            document.id().as_str(),
            eui_core::CORE_CATALOG_ID,
            catalog::extensions(),
        );
        let outcome = surface.set_components(placed(document, grid, Size::default()));
        let mut issues = outcome.issues;
        issues.extend(
            surface
                .set_data("/", Some(document.data()))
                .err()
                .map(|message| ReduceIssue {
                    id: String::new(),
                    message,
                }),
        );
        let mut doc = DocView::new(View::new(surface), Sizing::Styled, Room::Desktop);
        doc.follow(document.bindings());
        (
            Board {
                doc,
                document: document.clone(),
                grid,
                free: Rect::ZERO,
            },
            issues,
        )
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Show another version of its document, or on another grid. What the engine has against it comes back.
    pub fn show(&mut self, document: &Document, grid: Grid) -> Vec<ReduceIssue> {
        if self.document == *document && self.grid == grid {
            return Vec::new();
        }
        self.grid = grid;
        let components = placed(document, grid, self.free.size());
        let issues = self
            .doc
            .follow_document(&self.document, document, components);
        self.document = document.clone();
        issues
    }

    /// Lay the widgets out in `free`, the part of the output no panel stands on (output coordinates).
    pub fn update(&mut self, free: Rect, shelf: &mut dyn Shelf, res: &mut Resources, now_ms: f64) {
        self.stand_in(free);
        self.doc
            .update(free.size(), Insets::default(), shelf, res, now_ms);
    }

    /// Open its widgets, which wait for their values then ([`DocView::open`]).
    pub fn open(&mut self, free: Rect, shelf: &mut dyn Shelf, res: &mut Resources, now_ms: f64) {
        self.stand_in(free);
        self.doc
            .open(free.size(), Insets::default(), shelf, res, now_ms);
    }

    fn stand_in(&mut self, free: Rect) {
        if self.free != free {
            self.free = free;
            self.doc.view.surface_mut().set_components(placed(
                &self.document,
                self.grid,
                free.size(),
            ));
        }
    }

    /// Output coordinates of the document's origin.
    pub fn free(&self) -> Rect {
        self.free
    }

    pub fn list(&self) -> &Arc<DisplayList> {
        &self.doc.view.painted().main
    }

    /// The widgets with the boxes their surfaces cover, shadow included, and the boxes that take presses (document coordinates).
    pub fn places(&self) -> Vec<(String, Rect, Rect)> {
        self.doc
            .widgets()
            .map(|(id, w)| (id.to_string(), self.covered(w.frame()), w.frame()))
            .collect()
    }

    /// What one widget shows and the part of it its surface covers, in the widget's own coordinates: its neighbours are not in it.
    pub fn widget_picture(&self, id: &str) -> Option<(Arc<DisplayList>, Rect)> {
        let w = self.doc.widget(id)?;
        let area = self.covered(w.frame());
        Some((
            w.shown().clone(),
            area.translate(Point::ZERO - w.frame().origin()),
        ))
    }

    /// What the surface of a widget at `frame` covers: its shadow too, where that stays in the free area.
    fn covered(&self, frame: Rect) -> Rect {
        frame
            .inset(-Plate::Widget.room())
            .intersect(&Rect::of_size(self.free.size()))
    }
}

/// The document with every widget put at its cell or point. A widget no cell is left for is not shown: over another one, neither could
/// be read.
fn placed(document: &Document, grid: Grid, free: Size) -> Vec<FlatComponent> {
    let components = document.components();
    let mut all = Vec::with_capacity(components.len());
    let mut cells = Cells::new(grid, free);
    for c in components {
        let mut c = c.clone();
        if let Some(o) = c.as_object_mut() {
            let text = |k: &str| o.get(k).and_then(Value::as_str).unwrap_or_default();
            let (id, size) = (text("id"), cells_of(text("size")));
            let root = id == "root";
            let area = document
                .widget_place(id)
                .map(|place| cells.stand(place, size));
            let style = o.entry("style").or_insert_with(|| json!({}));
            if let Some(style) = style.as_object_mut() {
                if root {
                    for (k, v) in [
                        ("position", json!("relative")),
                        ("width", json!("100%")),
                        ("height", json!("100%")),
                    ] {
                        style.entry(k).or_insert(v);
                    }
                }
                match area {
                    Some(Some(area)) => {
                        for (k, v) in [
                            ("position", json!("absolute")),
                            ("left", json!(area.x)),
                            ("top", json!(area.y)),
                            ("width", json!(area.w)),
                            ("height", json!(area.h)),
                        ] {
                            style.insert(k.into(), v);
                        }
                    }
                    Some(None) => drop(style.insert("display".into(), json!("none"))),
                    None => {}
                }
            }
        }
        all.push(c);
    }
    all.into_iter()
        .filter_map(|c| serde_json::from_value(c).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use ede_engine::documents::{Kind, OutputName};

    use super::*;

    #[test]
    fn the_grid_is_centred_in_what_is_free() {
        let plain = Cells::new(Grid::default(), Size::default());
        // 1280×800 under a panel that reserves 48: 7 × 4 cells with a margin of 32 on all sides.
        assert_eq!((plain.origin(1280.0), plain.origin(752.0)), (32.0, 32.0));
        assert_eq!((span(1), span(2)), (160.0, 336.0));
        // Eleven cells would fill 1920 to the last px: ten stand better.
        assert_eq!(plain.origin(1920.0), 88.0);
    }

    #[test]
    fn widgets_stand_on_the_grid_their_document_says() {
        let grid = |place: &str| {
            let text = format!(
                r#"{{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {{{place}}}, "components": [
                    {{"id": "root", "component": "Box", "children": ["a"]}},
                    {{"id": "a", "component": "AppWidget", "app": "acme.app", "size": "m", "cell": [1, 0]}}]}}"#
            );
            let document = Document::read(text.as_bytes()).document.unwrap();
            let Kind::Desktop(places) = document.kind() else {
                panic!("no desktop")
            };
            let grid = places.on(OutputName::default()).unwrap().grid;
            let all = placed(&document, grid, Size::new(1000.0, 600.0));
            let style = all.iter().find(|c| c.id == "a").unwrap();
            let style = serde_json::to_value(style).unwrap()["style"].clone();
            ["left", "top", "width", "height"].map(|k| style[k].as_f64().unwrap())
        };
        let plain = grid("");
        assert_eq!(plain[2..], [336.0, 160.0]);
        // Nine columns and five rows of 100 with 10 between: 10 px are left at the sides and 30 above.
        assert_eq!(
            grid(r#""grid": {"cell": 100, "gap": 10}"#),
            [120.0, 30.0, 210.0, 100.0]
        );
    }

    /// A cell and a size in cells.
    type Wanted = ((i32, i32), (u32, u32));

    /// Where widgets stand that want this, in the order they are named.
    fn stand(free: Size, wanted: &[Wanted]) -> Vec<Option<(f32, f32)>> {
        let mut cells = Cells::new(Grid::default(), free);
        let one = |((c, r), size): &Wanted| {
            cells
                .stand(WidgetPlace::Cell(*c, *r), *size)
                .map(|area| (area.x, area.y))
        };
        wanted.iter().map(one).collect()
    }

    #[test]
    fn a_cell_below_zero_stands_at_the_far_side_of_every_output() {
        let far = ((-2, 0), (2, 1));
        assert_eq!(
            stand(Size::new(1280.0, 752.0), &[far]),
            [Some((912.0, 32.0))]
        );
        let x = stand(Size::new(1920.0, 1032.0), &[far])[0].unwrap().0;
        let plain = Cells::new(Grid::default(), Size::default());
        assert_eq!(x + span(2) + plain.origin(1920.0), 1920.0);
        assert_eq!(
            stand(Size::new(100.0, 100.0), &[((-2, 7), (1, 1))]),
            [Some((0.0, 0.0))]
        );
    }

    #[test]
    fn on_a_smaller_screen_widgets_move_to_the_nearest_free_cells_and_never_stand_on_each_other() {
        // Three columns and two rows.
        let free = Size::new(560.0, 400.0);
        let small = (1, 1);
        let wanted = [
            ((0, 0), (2, 2)),
            ((-1, 0), small),
            ((-1, 0), small),
            ((9, 9), small),
        ];
        let at = |c: f32, r: f32| Some((24.0 + c * 176.0, 32.0 + r * 176.0));
        assert_eq!(
            stand(free, &wanted),
            [at(0.0, 0.0), at(2.0, 0.0), at(2.0, 1.0), None]
        );
    }
}
