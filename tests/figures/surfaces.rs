//! Single steps of the painter, as a window would cause them: lay out, hover, scroll, raster.
//!
//! The surfaces are the ones the targets were set on: 33 cards of text and buttons (232 nodes), and a list of 2,000 rows.

use std::hint::black_box;
use std::time::Duration;

use ede_renderer::View;
use ede_renderer::color::Color;
use ede_renderer::damage;
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::Point;
use ede_renderer::images::Images;
use ede_renderer::input::PointerEvent;
use ede_renderer::nested::NoNested;
use ede_renderer::resources::Resources;
use ede_renderer::software::{IRect, Order, Painter, Target};
use ede_renderer::text::{Fonts, TextEngine};
use eui_core::surface::{Surface, SurfaceOptions};
use eui_core::types::FlatComponent;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::table::{Row, Table};

/// A window of the size the targets name.
const WIDTH: u32 = 1280;
const HEIGHT: u32 = 800;

/// How often a step is measured; the middle one counts.
const TIMES: usize = 101;
/// The same for steps that begin with nothing.
const COLD_TIMES: usize = 9;

/// Px of one notch of a wheel.
const NOTCH: f32 = 60.0;

pub fn measure(table: &mut Table) {
    cold(table);
    hover(table);
    scroll(table);
    raster(table);
    text_change(table);
}

fn cold(table: &mut Table) {
    let mut times = Vec::new();
    let mut nodes = 0;
    for _ in 0..COLD_TIMES {
        let mut res = resources();
        // The fonts are open already: they belong to the process, not to the surface.
        lay_out(&mut res, cards(1), 0.0);
        let surface = surface(cards(33), json!({}), 0.0);
        let mut view = View::new(surface);
        times.push(timed(|| {
            _ = black_box(view.update(&mut res, &mut NoNested, 0.0))
        }));
        nodes = view.scene().nodes().count();
    }
    let what = format!("{nodes} nodes: cold layout and op list");
    table.push(Row::alone(what, "ms", middle(times)).below(15.0));
}

fn hover(table: &mut Table) {
    let mut res = resources();
    let mut view = lay_out(&mut res, cards(33), 0.0);
    let buttons = [centre(&view, "b0"), centre(&view, "b16")];
    let mut now = 0.0;
    let times = (0..TIMES).map(|i| {
        now += 1000.0;
        // What the last movement set in motion comes to rest first.
        view.update(&mut res, &mut NoNested, now - 500.0);
        timed(|| {
            view.pointer(PointerEvent::Move(buttons[i % 2]), &mut res, now);
            view.update(&mut res, &mut NoNested, now);
        })
    });
    let times = times.collect();
    let what = "232 nodes: pointer onto another button to op list";
    table.push(Row::alone(what, "ms", middle(times)).below(0.3));
}

fn scroll(table: &mut Table) {
    let mut res = resources();
    let row = |i: usize| json!({"id": format!("r{i}"), "name": format!("Row number {i}"), "sub": format!("subtitle text {}", i * 7)});
    let rows: Vec<Value> = (0..2000).map(row).collect();
    let list = json!([
        {"id": "root", "component": "List", "style": {"height": HEIGHT}, "children": {"componentId": "row", "path": "/rows", "key": "/id"}},
        {"id": "row", "component": "Row", "title": {"path": "name"}, "subtitle": {"path": "sub"}, "icon": "bell", "chevron": "right"}
    ]);
    let mut view = View::new(surface(list, json!({"rows": rows}), HEIGHT as f32));
    let opened = timed(|| _ = black_box(view.update(&mut res, &mut NoNested, 0.0)));
    table.push(Row::alone(
        "2,000 rows: cold layout and op list",
        "ms",
        ms(opened),
    ));
    let mut now = 0.0;
    let mut steps = |dy: f32| -> Vec<Duration> {
        let step = |_| {
            now += 16.0;
            let at = Point::new(200.0, 400.0);
            timed(|| {
                view.pointer(PointerEvent::Wheel { at, dx: 0.0, dy }, &mut res, now);
                view.update(&mut res, &mut NoNested, now);
            })
        };
        (0..TIMES).map(step).collect()
    };
    let notches = steps(NOTCH);
    let slowest = notches.iter().max().copied().unwrap_or_default();
    table.push(
        Row::alone(
            "2,000 rows: a notch of the wheel, the middle one",
            "ms",
            middle(notches),
        )
        .below(3.0),
    );
    table.push(Row::alone(
        "2,000 rows: a notch of the wheel, the slowest of 101",
        "ms",
        ms(slowest),
    ));
    let pages = middle(steps(300.0));
    table.push(
        Row::alone(
            "2,000 rows: a flick of 300 px a frame, new rows in each",
            "ms",
            pages,
        )
        .below(3.0),
    );
}

fn raster(table: &mut Table) {
    let mut res = resources();
    let mut view = lay_out(&mut res, cards(33), 0.0);
    let list = view.update(&mut res, &mut NoNested, 0.0).main.clone();
    let mut screen = Screen::new();
    let first = timed(|| screen.paint(&list, &[Screen::ALL]));
    table.push(Row::alone(
        "1280×800: the first raster, no glyph known yet",
        "ms",
        ms(first),
    ));
    let times = (0..TIMES).map(|_| timed(|| screen.paint(&list, &[Screen::ALL])));
    table.push(Row::alone("1280×800: full raster", "ms", middle(times.collect())).below(15.0));
}

fn text_change(table: &mut Table) {
    let mut res = resources();
    let mut components = cards(33);
    if let Some(list) = components.as_array_mut() {
        let text = list.iter_mut().find(|c| c["id"] == "t4");
        text.expect("the card has a text")["text"] = json!({"path": "/line"});
    }
    let mut view = View::new(surface(components, json!({"line": "Begun"}), 0.0));
    view.update(&mut res, &mut NoNested, 0.0);
    let mut screen = Screen::new();
    let mut shown = view.update(&mut res, &mut NoNested, 0.0).main.clone();
    screen.paint(&shown, &[Screen::ALL]);
    let (mut listed, mut painted) = (Vec::new(), Vec::new());
    for i in 0..TIMES {
        let text = format!("It is now {i} past the hour");
        let mut next = shown.clone();
        listed.push(timed(|| {
            let set = view.surface_mut().set_data("/line", Some(text.into()));
            set.expect("the path is there");
            next = view.update(&mut res, &mut NoNested, 0.0).main.clone();
        }));
        painted.push(timed(|| {
            let clips: Vec<IRect> = damage::diff(&shown, &next)
                .iter()
                .map(|r| {
                    let (x, y) = (r.x.floor() as i32, r.y.floor() as i32);
                    let (right, bottom) = (r.right().ceil() as i32, r.bottom().ceil() as i32);
                    IRect::new(x, y, right - x, bottom - y)
                })
                .collect();
            screen.paint(&next, &clips);
        }));
        shown = next;
    }
    table.push(Row::alone(
        "one line of text changes: to op list",
        "ms",
        middle(listed),
    ));
    table.push(
        Row::alone(
            "one line of text changes: damage and raster",
            "ms",
            middle(painted),
        )
        .below(2.0),
    );
}

/// `count` cards of a title, a description, a text and a button: seven nodes each, in a grid.
fn cards(count: usize) -> Value {
    let ids: Vec<String> = (0..count).map(|i| format!("c{i}")).collect();
    let mut all = vec![
        json!({"id": "root", "component": "Grid", "columns": 3, "gap": "md", "children": ids}),
    ];
    for i in 0..count {
        all.push(json!({
            "id": format!("c{i}"), "component": "Card", "title": format!("Card {i}"), "children": [format!("t{i}"), format!("b{i}")],
            "description": "Some descriptive text that is long enough to wrap around."
        }));
        let text = format!(
            "Body {i} lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod."
        );
        all.push(json!({"id": format!("t{i}"), "component": "Text", "text": text}));
        all.push(json!({"id": format!("b{i}"), "component": "Button", "label": format!("Press {i}"), "on": {"press": {"event": {"name": "pressed"}}}}));
    }
    Value::Array(all)
}

/// A height of 0 is as tall as the content.
fn surface(components: Value, data: Value, height: f32) -> Surface {
    let mut surface = Surface::new("figures", SurfaceOptions::default());
    let components: Vec<FlatComponent> =
        serde_json::from_value(components).expect("sound components");
    let issues = surface.set_components(components).issues;
    assert!(issues.is_empty(), "{issues:?}");
    surface.set_data("/", Some(data)).expect("sound data");
    surface.set_viewport(WIDTH as f32, height, None);
    surface
}

fn lay_out(res: &mut Resources, components: Value, height: f32) -> View {
    let mut view = View::new(surface(components, json!({}), height));
    view.update(res, &mut NoNested, 0.0);
    view
}

fn resources() -> Resources {
    let text = TextEngine::new(Fonts::new());
    Resources::new(text, Images::default(), ede_widgets::registry())
}

fn centre(view: &View, id: &str) -> Point {
    let index = view.surface().index_of(id).expect("it is there");
    let frame = view.scene().shown_frame(index).expect("it was laid out");
    frame.center()
}

/// Pixels of a window, and what paints them.
struct Screen {
    pixels: Vec<u8>,
    painter: Painter,
}

impl Screen {
    const ALL: IRect = IRect {
        x: 0,
        y: 0,
        w: WIDTH as i32,
        h: HEIGHT as i32,
    };

    fn new() -> Screen {
        Screen {
            pixels: vec![0; (WIDTH * HEIGHT * 4) as usize],
            painter: Painter::new(),
        }
    }

    fn paint(&mut self, list: &DisplayList, clips: &[IRect]) {
        let target = Target {
            pixels: &mut self.pixels,
            width: WIDTH,
            height: HEIGHT,
            stride: WIDTH as usize * 4,
            order: Order::Bgra,
        };
        self.painter.paint(list, target, 1.0, Color::WHITE, clips);
    }
}

/// The time `work` takes on a processor: what others do on a busy machine is not its fault.
pub fn timed(work: impl FnOnce()) -> Duration {
    let begun = clock_gettime(ClockId::ThreadCPUTime);
    work();
    let spent = clock_gettime(ClockId::ThreadCPUTime) - begun;
    spent.try_into().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

pub fn middle(mut times: Vec<Duration>) -> f64 {
    times.sort();
    ms(times.get(times.len() / 2).copied().unwrap_or_default())
}
