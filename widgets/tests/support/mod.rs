//! Surfaces of single components, painted into pictures. Golden images lie in `tests/golden`; `EDE_BLESS=1` writes them anew, a
//! difference writes the actual picture and the difference to the target folder.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::display::DisplayList;
use ede_renderer::images::Images;
use ede_renderer::nested::NoNested;
use ede_renderer::png::Rgba;
use ede_renderer::resources::Resources;
use ede_renderer::software::{IRect, Order, Painter, Target};
use ede_renderer::text::{Fonts, TextEngine};
use ede_renderer::view::View;
use eui_core::surface::{Surface, SurfaceOptions};
use eui_core::theme::ModeSetting;
use eui_core::types::FlatComponent;
use serde_json::{Map, Value, json};

/// How a sheet is painted.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub theme: &'static str,
    pub dark: bool,
    pub rtl: bool,
    pub scale: f32,
}

pub const LIGHT: Look = Look {
    theme: "exponential",
    dark: false,
    rtl: false,
    scale: 1.0,
};

pub fn fixture(name: &str) -> Value {
    file(&format!("fixtures/components/{name}"))
}

/// An example of every component of the catalog, by name.
pub fn examples() -> Value {
    file("assets/gallery.json")
}

fn file(path: &str) -> Value {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(workspace.join(path)).expect("a file of the workspace");
    serde_json::from_str(&text).expect("JSON")
}

pub fn resources() -> Resources {
    Resources::new(
        TextEngine::new(Fonts::new()),
        Images::default(),
        ede_widgets::registry(),
    )
}

/// Nested components to the flat list a surface takes; ids are positions.
fn flatten(tree: &Value, id: &str, out: &mut Vec<Value>) {
    let mut node: Map<String, Value> = tree.as_object().cloned().unwrap_or_default();
    node.insert("id".into(), json!(id));
    if let Some(Value::Array(children)) = node.remove("children") {
        let ids: Vec<String> = (0..children.len()).map(|i| format!("{id}-{i}")).collect();
        for (child, id) in children.iter().zip(&ids) {
            flatten(child, id, out);
        }
        node.insert("children".into(), json!(ids));
    }
    if let Some(Value::Object(slots)) = node.remove("slots") {
        let mut named = Map::new();
        for (name, child) in slots {
            let id = format!("{id}-{name}");
            flatten(&child, &id, out);
            named.insert(name, json!(id));
        }
        node.insert("slots".into(), Value::Object(named));
    }
    out.push(Value::Object(node));
}

/// A surface whose root is a column that holds `tree` as `x`.
pub fn surface(tree: &Value, size: (f32, f32), look: Look) -> (Surface, Vec<String>) {
    let mut surface = Surface::new("s", SurfaceOptions::default());
    if look.theme != "exponential" {
        let theme = eui_core::themes::builtin_theme(look.theme).expect("theme");
        surface.set_theme(Some(theme));
    }
    let mut list = Vec::new();
    flatten(tree, "x", &mut list);
    let mut root = json!({"id": "root", "component": "Stack", "children": ["x"]});
    if look.rtl {
        root["style"] = json!({"direction": "rtl"});
    }
    list.push(root);
    let list: Vec<FlatComponent> = list
        .into_iter()
        .filter_map(|v| serde_json::from_value(v).ok())
        .collect();
    let issues = surface.set_components(list).issues;
    surface.set_viewport(size.0, size.1, None);
    let mode = if look.dark {
        ModeSetting::Dark
    } else {
        ModeSetting::Light
    };
    surface.set_mode_setting(mode, false);
    (surface, issues.iter().map(|i| format!("{i:?}")).collect())
}

pub struct Painted {
    pub view: View,
    pub lists: Vec<Arc<DisplayList>>,
    pub size: (f32, f32),
}

pub fn paint_view(res: &mut Resources, surface: Surface, open: bool, now_ms: f64) -> Painted {
    let mut view = View::new(surface);
    view.update(res, &mut NoNested, 0.0);
    if open {
        let ids: Vec<String> = view.scene().nodes().map(|n| n.placed.id.clone()).collect();
        for id in ids {
            view.surface_mut().set_open(&id, true);
        }
    }
    view.update(res, &mut NoNested, 0.0);
    res.images.settle();
    view.invalidate();
    let painted = view.update(res, &mut NoNested, now_ms);
    let lists = std::iter::once(painted.main.clone())
        .chain(painted.layers.iter().map(|l| l.list.clone()))
        .collect();
    let size = view.scene().size();
    Painted {
        lists,
        size: (size.w, size.h),
        view,
    }
}

pub fn raster(lists: &[Arc<DisplayList>], size: (f32, f32), scale: f32, clear: Color) -> Rgba {
    let (w, h) = (
        (size.0 * scale).ceil().clamp(1.0, 4000.0) as u32,
        (size.1 * scale).ceil().clamp(1.0, 16_000.0) as u32,
    );
    let mut pixels = vec![0u8; w as usize * h as usize * 4];
    let mut painter = Painter::new();
    // Layers go over what is there: one list after the other, the first clears.
    let mut all = DisplayList::default();
    for list in lists {
        all.items.extend(list.items.iter().cloned());
    }
    painter.paint(
        &all,
        Target {
            pixels: &mut pixels,
            width: w,
            height: h,
            stride: w as usize * 4,
            order: Order::Rgba,
        },
        scale,
        clear,
        &[IRect::new(0, 0, w as i32, h as i32)],
    );
    Rgba::from_painted(w, h, &pixels)
}

/// The items of a sheet under each other in columns of at most 1500 px.
pub fn sheet(name: &str, look: Look) -> Rgba {
    let sheet = fixture(&format!("{name}.json"));
    let width = sheet["width"].as_f64().unwrap_or(400.0) as f32;
    let height = sheet["height"].as_f64().unwrap_or(0.0) as f32;
    let open = sheet["open"].as_bool().unwrap_or(false);
    let mut res = resources();
    let mut pictures = Vec::new();
    let mut wrong = Vec::new();
    for tree in sheet["items"].as_array().expect("items") {
        let (mut surface, issues) = surface(tree, (width, height), look);
        if let Some(data) = sheet.get("data") {
            let message = json!({"version": "v0.9", "updateDataModel": {"surfaceId": "s", "path": "/", "value": data}});
            surface.apply(&message).expect("data");
        }
        wrong.extend(issues);
        let theme = surface.effective_theme().expect("theme").clone();
        let back = theme.modes.get(surface.mode()).color["background"].clone();
        let painted = paint_view(&mut res, surface, open, 0.0);
        let tall = painted.size.1.max(height).max(8.0);
        pictures.push(raster(
            &painted.lists,
            (width, tall),
            look.scale,
            Color::hex(&back).expect("colour"),
        ));
    }
    assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    arrange(&pictures, (16.0 * look.scale) as u32, look)
}

fn arrange(pictures: &[Rgba], gap: u32, look: Look) -> Rgba {
    let column = pictures.iter().map(|p| p.width).max().unwrap_or(1) + gap;
    let most = (1500.0 * look.scale) as u32;
    let mut spots = Vec::new();
    let (mut x, mut y, mut tall) = (gap, gap, 0);
    for p in pictures {
        if y > gap && y + p.height > most {
            (x, y) = (x + column, gap);
        }
        spots.push((x, y));
        y += p.height + gap;
        tall = tall.max(y);
    }
    let back: [u8; 4] = if look.dark {
        [10, 10, 10, 255]
    } else {
        [255, 255, 255, 255]
    };
    let (w, h) = (x + column, tall);
    let mut pixels = back.repeat((w * h) as usize);
    for (p, (x, y)) in pictures.iter().zip(spots) {
        for row in 0..p.height {
            let from = (row * p.width * 4) as usize;
            let to = (((y + row) * w + x) * 4) as usize;
            let len = (p.width * 4) as usize;
            pixels[to..to + len].copy_from_slice(&p.pixels[from..from + len]);
        }
    }
    Rgba {
        width: w,
        height: h,
        pixels,
    }
}

fn golden_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(format!("{name}.png"))
}

/// How far apart two shades of one thing may be: edges are softened a little differently as the rasteriser changes; what moved, or
/// took another colour, is further apart.
const SHADE: u8 = 24;

/// The picture is the golden one, but for shades.
pub fn assert_golden(name: &str, picture: &Rgba) {
    let path = golden_path(name);
    if std::env::var_os("EDE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, picture.encode().unwrap()).unwrap();
        return;
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let actual = out.join(format!("{name}.actual.png"));
    let save = || std::fs::write(&actual, picture.encode().unwrap()).unwrap();
    let Ok(bytes) = std::fs::read(&path) else {
        save();
        panic!(
            "no golden image {name}: the picture is at {}",
            actual.display()
        );
    };
    let golden = Rgba::decode(&bytes).unwrap();
    if (golden.width, golden.height) != (picture.width, picture.height) {
        save();
        panic!(
            "{name}: {}×{}, the golden image has {}×{}; the picture is at {}",
            picture.width,
            picture.height,
            golden.width,
            golden.height,
            actual.display()
        );
    }
    if let Some(d) = golden.difference(picture, SHADE)
        && d.pixels > 0
    {
        save();
        let difference = out.join(format!("{name}.difference.png"));
        std::fs::write(&difference, d.picture.encode().unwrap()).unwrap();
        panic!(
            "{name}: {} pixels differ (by up to {}); see {}",
            d.pixels,
            d.most,
            difference.display()
        );
    }
}
