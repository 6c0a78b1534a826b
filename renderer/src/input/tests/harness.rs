//! A view that is clicked, typed into and asked what it shows, with a clock of its own.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use eui_core::measure::LeafRequest;
use eui_core::surface::{OutEvent, PlacedNode, Surface, SurfaceOptions};
use serde_json::{Value, json};

use crate::component::{Component, MeasureCx, Measured, PaintCx, Registry};
use crate::geometry::{Point, Rect, Size};
use crate::images::Images;
use crate::input::{
    Button, Drag, FieldSpec, Intent, Key, KeyPress, Modifiers, PointerEvent, Purpose, Response,
};
use crate::look::Look;
use crate::resources::Resources;
use crate::text::{Fonts, TextEngine, TextSpec};
use crate::view::View;

/// Every leaf: its text on one line, 20 px tall at least; fields by their catalog parts; sliders drag.
struct Plain;

impl Component for Plain {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let text = ["text", "label", "value", "placeholder"]
            .iter()
            .find_map(|k| leaf.props.get(*k).and_then(Value::as_str))
            .unwrap_or("");
        let block = cx
            .text
            .shape(&TextSpec::new(text, leaf.text_style).wrap(width));
        let h = if leaf.component == "Textarea" {
            96.0
        } else {
            block.size().h.max(20.0)
        };
        Measured::around(
            Size::new(block.size().w.max(8.0), h),
            8.0,
            None,
            &leaf.control,
        )
    }

    fn paint(&self, _cx: &mut PaintCx<'_>) {}

    fn field(&self, n: &PlacedNode) -> Option<FieldSpec> {
        let (multiline, prop) = match (n.component.as_str(), n.part.as_deref()?) {
            ("Input", "field") => (false, "value"),
            ("Textarea", "field") => (true, "value"),
            ("NumberField" | "ChipInput", "input") => (false, "text"),
            (_, "search") => (false, "value"),
            _ => return None,
        };
        let kind = n.props.get("type").and_then(Value::as_str);
        let purpose = match (n.component.as_str(), kind) {
            ("NumberField", _) => Purpose::Number,
            (_, Some("password")) => Purpose::Password,
            _ => Purpose::Text,
        };
        Some(FieldSpec {
            multiline,
            secret: purpose == Purpose::Password,
            purpose,
            prop,
            enter_submits: !multiline,
            stand: Default::default(),
        })
    }

    fn drag(&self, n: &PlacedNode, _: &Look, size: Size, drag: &Drag) -> Option<Intent> {
        (n.component == "Slider" && n.part.as_deref() == Some("track")).then(|| {
            let value = (drag.at.x / size.w * 100.0).round().clamp(0.0, 100.0);
            Intent::new("change", Some(json!({ "value": value })))
        })
    }
}

static PLAIN: Plain = Plain;

/// An extension leaf, as an app's widget is one.
fn spot() -> Vec<eui_core::ExtensionDef> {
    let def = json!({
        "id": "https://test.invalid/catalogs/spot/v1", "name": "spot", "version": "1.0.0",
        "extends": eui_core::catalog::CORE_CATALOG_ID,
        "components": { "Spot": {
            "kind": "native", "group": "test", "children": "none", "description": "A leaf the host fills",
            "props": { "app": { "type": "string", "description": "Which" } }
        } }
    });
    vec![eui_core::extension::define_extension(serde_json::from_value(def).unwrap()).unwrap()]
}

/// A leaf of 60 × 30.
struct Spots;

impl crate::nested::Nested for Spots {
    fn measure(&mut self, _leaf: &LeafRequest<'_>, _width: Option<f32>) -> Measured {
        Measured::fixed(60.0, 30.0)
    }

    fn paint(&mut self, _node: &PlacedNode, _frame: Rect) -> Option<crate::nested::NestedPaint> {
        None
    }
}

pub(crate) struct Sim {
    pub view: View,
    pub res: Resources,
    pub now: f64,
    /// Every event the host has got so far.
    pub events: Vec<OutEvent>,
    pub last: Response,
}

impl Sim {
    /// A surface of 400 × 300 whose root is a column of `components`.
    pub fn new(children: Value, data: Value) -> Sim {
        let ids: Vec<String> = children
            .as_array()
            .unwrap()
            .iter()
            .filter(|c| c.get("inside").is_none())
            .map(|c| c["id"].as_str().unwrap().to_string())
            .collect();
        let mut components = vec![json!({
            "id": "root", "component": "Box", "children": ids,
            "style": { "display": "flex", "flexDirection": "column", "gap": 8, "padding": 8 }
        })];
        for c in children.as_array().unwrap() {
            let mut c = c.clone();
            c.as_object_mut().unwrap().remove("inside");
            components.push(c);
        }
        Sim::of(json!(components), data, 400.0, 300.0)
    }

    /// A surface of `components`; props the catalog asks for and a test does not care about are filled in.
    pub fn of(mut components: Value, data: Value, w: f32, h: f32) -> Sim {
        for c in components.as_array_mut().unwrap() {
            let id = c["id"].clone();
            let (named, ranged) = match c["component"].as_str().unwrap() {
                "Input" | "Textarea" | "NumberField" | "ChipInput" | "Select" | "DatePicker"
                | "Radio" | "FileUpload" => (true, false),
                "Slider" => (false, true),
                _ => (false, false),
            };
            let defaults = [
                ("name", id.clone(), named),
                ("label", id, named || ranged),
                ("min", json!(0), ranged),
                ("max", json!(100), ranged),
            ];
            for (prop, value, wanted) in defaults {
                if wanted && c.get(prop).is_none() {
                    c[prop] = value;
                }
            }
        }
        let mut surface = Surface::new(
            "s",
            SurfaceOptions {
                catalog_id: eui_core::catalog::CORE_CATALOG_ID.into(),
                extensions: spot(),
                ..Default::default()
            },
        );
        surface.set_viewport(w, h, None);
        surface
            .apply(&json!({ "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": components } }))
            .unwrap();
        surface
            .apply(&json!({ "version": "v0.9", "updateDataModel": { "surfaceId": "s", "path": "/", "value": data } }))
            .unwrap();
        let res = Resources::new(
            TextEngine::new(Fonts::new()),
            Images::default(),
            Registry::new(&PLAIN),
        );
        let mut sim = Sim {
            view: View::new(surface),
            res,
            now: 1000.0,
            events: Vec::new(),
            last: Response::default(),
        };
        let issues = sim.view.surface_mut().issues().to_vec();
        assert!(issues.is_empty(), "{issues:?}");
        sim.update();
        sim
    }

    pub fn update(&mut self) {
        self.view.update(&mut self.res, &mut Spots, self.now);
        let r = self.view.take_response();
        self.events.extend(r.events);
    }

    fn take(&mut self, r: Response) {
        self.events.extend(r.events.iter().cloned());
        self.last = r;
        self.update();
    }

    /// Let time pass as a host does: wake when the view wants it.
    pub fn pass(&mut self, ms: f64) {
        let until = self.now + ms;
        for _ in 0..10_000 {
            match self.view.next_wake(self.now).filter(|at| *at <= until) {
                Some(at) => {
                    self.now = at.max(self.now);
                    let r = self.view.wake(&mut self.res, self.now);
                    self.take(r);
                }
                None => break,
            }
        }
        self.now = until;
    }

    pub fn pointer(&mut self, e: PointerEvent) {
        let r = self.view.pointer(e, &mut self.res, self.now);
        self.take(r);
    }

    pub fn point(&mut self, at: Point) {
        self.pointer(PointerEvent::Move(at));
    }

    pub fn press(&mut self, at: Point) {
        self.pointer(PointerEvent::Press {
            at,
            button: Button::Left,
            mods: Modifiers::NONE,
            clicks: 0,
        });
    }

    pub fn release(&mut self, at: Point) {
        self.pointer(PointerEvent::Release {
            at,
            button: Button::Left,
        });
    }

    pub fn click_at(&mut self, at: Point) {
        self.point(at);
        self.press(at);
        self.release(at);
    }

    pub fn click(&mut self, id: &str) {
        let at = self.middle(id);
        self.click_at(at);
        self.now += 600.0;
    }

    pub fn wheel(&mut self, id: &str, dy: f32) {
        let at = self.middle(id);
        self.pointer(PointerEvent::Wheel { at, dx: 0.0, dy });
    }

    pub fn key(&mut self, key: Key) {
        self.key_with(key, Modifiers::NONE);
    }

    pub fn shift(&mut self, key: Key) {
        self.key_with(
            key,
            Modifiers {
                shift: true,
                ..Modifiers::NONE
            },
        );
    }

    pub fn ctrl(&mut self, key: Key) {
        self.key_with(
            key,
            Modifiers {
                ctrl: true,
                ..Modifiers::NONE
            },
        );
    }

    pub fn key_with(&mut self, key: Key, mods: Modifiers) {
        let r = self
            .view
            .key(&KeyPress::with(key, mods), &mut self.res, self.now);
        self.take(r);
    }

    /// Type `text` a letter at a time.
    pub fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            let press = KeyPress {
                key: if c == ' ' { Key::Space } else { Key::Char(c) },
                mods: Modifiers::NONE,
                text: Some(c.to_string()),
                repeat: false,
            };
            let r = self.view.key(&press, &mut self.res, self.now);
            self.take(r);
            self.now += 10.0;
        }
    }

    pub fn with(&mut self, f: impl FnOnce(&mut View, &mut Resources, f64) -> Response) {
        let r = f(&mut self.view, &mut self.res, self.now);
        self.take(r);
    }

    pub fn slot(&self, id: &str) -> u32 {
        self.view
            .surface()
            .index_of(id)
            .unwrap_or_else(|| panic!("no node {id}"))
    }

    pub fn shown(&self, id: &str) -> Rect {
        self.view.scene().shown_frame(self.slot(id)).unwrap()
    }

    pub fn exists(&self, id: &str) -> bool {
        self.view.surface().index_of(id).is_some()
    }

    pub fn middle(&self, id: &str) -> Point {
        self.shown(id).center()
    }

    pub fn states(&self, id: &str) -> Vec<String> {
        self.view.surface().host_states(id).to_vec()
    }

    pub fn data(&self, path: &str) -> Value {
        self.view
            .surface()
            .get_data(path)
            .cloned()
            .unwrap_or(Value::Null)
    }

    pub fn focused(&self) -> Option<String> {
        self.view.focused().map(str::to_string)
    }

    /// The text of the field that is edited.
    pub fn text(&self) -> String {
        self.edit().text.clone()
    }

    pub fn edit(&self) -> &crate::input::Edit {
        self.view.input.focus().edit.expect("a field has the focus")
    }

    /// Names of the actions the host has got.
    pub fn actions(&self) -> Vec<String> {
        self.events
            .iter()
            .filter_map(|e| match e {
                OutEvent::Action { name, .. } => Some(name.clone()),
                _ => None,
            })
            .collect()
    }
}
