//! What the shell itself draws around content: the panel's and a widget's plate, a popup's, a window's edge. Measures: mocks/NOTES.md
//! "Surfaces". Colours, radii and shadows are the theme's.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::display::{BorderStyle, DisplayList, Item, Key, Op, Ops};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::recipes::Recipes;
use eui_core::theme::Mode;

/// Which plate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plate {
    Panel,
    Widget,
    Popup,
    Window,
    /// A maximised or tiled window: square, no border, no shadow.
    Square,
}

/// The shell's plates let this much of what lies behind through.
const PLATE_OPACITY: f32 = 0.96;

/// Slots of the shell's own items, far above any slot a surface hands out.
pub(crate) const PLATE_SLOT: u32 = u32::MAX - 1;

impl Plate {
    /// The plate with what stands on it, cut at its edge.
    pub fn under(self, content: Arc<DisplayList>, plate: Rect, recipes: &Recipes) -> DisplayList {
        let inner = Item::Nested {
            key: Key {
                slot: PLATE_SLOT,
                over: true,
            },
            list: content,
            at: Point::ZERO,
            clip: plate.inset(1.0),
            radii: Radii::all(self.radius(recipes)).shrink(1.0),
        };
        DisplayList {
            items: vec![self.item(plate, recipes), inner],
        }
    }

    /// The theme's corner radius for the plate.
    pub fn radius(self, recipes: &Recipes) -> f32 {
        let (name, fallback) = match self {
            Plate::Panel | Plate::Window => ("lg", 12.0),
            Plate::Widget | Plate::Popup => ("xl", 16.0),
            Plate::Square => return 0.0,
        };
        recipes.number("radius", name).unwrap_or(fallback)
    }

    fn shadow(self) -> Option<&'static str> {
        match self {
            Plate::Widget => Some("md"),
            Plate::Panel | Plate::Popup => Some("lg"),
            Plate::Window => Some("xl"),
            Plate::Square => None,
        }
    }

    /// The room a surface keeps around the plate for its shadow, on every side (px): what a built-in theme's shadow darkens by
    /// more than three levels of 255 lies within.
    pub fn room(self) -> f32 {
        match self {
            Plate::Widget => 24.0,
            Plate::Panel | Plate::Popup => 40.0,
            Plate::Window => 72.0,
            Plate::Square => 0.0,
        }
    }

    fn fill(self, recipes: &Recipes) -> Color {
        let background = recipes.token("background");
        match self {
            // In dark themes `card` is a veil: laid over the background it becomes the flat colour of the plate.
            Plate::Panel | Plate::Widget => {
                recipes.token("card").over(background).fade(PLATE_OPACITY)
            }
            Plate::Popup => recipes.token("popover").over(background),
            Plate::Window | Plate::Square => background,
        }
    }

    /// The plate's ops for a box at `rect`.
    pub fn ops(self, rect: Rect, recipes: &Recipes) -> Vec<Op> {
        let radii = Radii::all(self.radius(recipes)).fit(rect.size());
        let mut ops = Vec::new();
        for s in self
            .shadow()
            .map(|name| recipes.shadow(name))
            .unwrap_or_default()
            .iter()
            .rev()
        {
            let cast = rect.inset(-s.spread).translate(Point::new(s.x, s.y));
            let grown = Radii(radii.0.map(|r| (r + s.spread).max(0.0)));
            ops.push(Op::Shadow {
                rect: cast,
                radii: grown,
                blur: s.blur,
                color: s.color,
                hole: (rect, radii),
            });
        }
        ops.extend(self.face(rect, recipes));
        ops
    }

    /// The plate alone, without the shadow it casts: for a picture that ends where it does.
    fn face(self, rect: Rect, recipes: &Recipes) -> Vec<Op> {
        let radii = Radii::all(self.radius(recipes)).fit(rect.size());
        let mut ops = vec![Op::Fill {
            rect,
            radii,
            brush: self.fill(recipes).into(),
        }];
        if self != Plate::Square {
            let edge = if self == Plate::Window {
                "input"
            } else {
                "border"
            };
            ops.push(Op::Border {
                rect,
                radii,
                widths: [1.0; 4],
                color: recipes.token(edge),
                style: BorderStyle::Solid,
            });
        }
        ops
    }

    /// [`Plate::ops`] as the item that lies under everything else of a list.
    pub fn item(self, rect: Rect, recipes: &Recipes) -> Item {
        lowest(self.ops(rect, recipes))
    }

    /// The same for a plate that fills its picture: nothing around it could show its shadow.
    pub fn item_alone(self, rect: Rect, recipes: &Recipes) -> Item {
        lowest(self.face(rect, recipes))
    }
}

/// Ops that lie under everything else of a list.
fn lowest(ops: Vec<Op>) -> Item {
    Item::Node {
        key: Key {
            slot: PLATE_SLOT,
            over: false,
        },
        ops: Arc::new(Ops::new(ops)),
        at: Point::ZERO,
        clip: Rect::EVERYTHING,
    }
}

/// `content` on a plate at `rect`, its corners cut to the plate's.
pub fn on_plate(
    plate: Plate,
    rect: Rect,
    recipes: &Recipes,
    content: Arc<DisplayList>,
) -> DisplayList {
    laid_on(plate.item(rect, recipes), plate, rect, recipes, content)
}

/// The same as a picture that ends where the plate does.
pub fn on_plate_alone(
    plate: Plate,
    size: Size,
    recipes: &Recipes,
    content: Arc<DisplayList>,
) -> DisplayList {
    let rect = Rect::of_size(size);
    let item = plate.item_alone(rect, recipes);
    laid_on(item, plate, rect, recipes, content)
}

fn laid_on(
    item: Item,
    plate: Plate,
    rect: Rect,
    recipes: &Recipes,
    content: Arc<DisplayList>,
) -> DisplayList {
    let inner = rect.inset(1.0);
    let radii = Radii::all(plate.radius(recipes))
        .fit(rect.size())
        .shrink(1.0);
    let cuts = content
        .items
        .iter()
        .any(|i| radii.cuts(&inner, &i.bounds().translate(rect.origin())));
    let key = Key {
        slot: PLATE_SLOT,
        over: true,
    };
    DisplayList {
        items: vec![
            item,
            Item::Nested {
                key,
                list: content,
                at: rect.origin(),
                clip: rect,
                radii: if cuts { radii } else { Radii::NONE },
            },
        ],
    }
}

/// The default wallpaper: two quiet diagonal veils over the theme's base colour.
pub fn wallpaper(rect: Rect, recipes: &Recipes) -> Vec<Op> {
    use ede_renderer::display::{Brush, LinearGradient};
    let dark = recipes.mode() == Mode::Dark;
    let base = recipes
        .token(if dark { "background" } else { "muted" })
        .over(recipes.token("background"));
    let veil = |angle: f32, color: Color, strength: f32, end: f32| Op::Fill {
        rect,
        radii: Radii::NONE,
        brush: Brush::Linear(Arc::new(LinearGradient {
            angle,
            stops: vec![(0.0, color.fade(strength)), (end, color.fade(0.0))],
        })),
    };
    vec![
        Op::Fill {
            rect,
            radii: Radii::NONE,
            brush: base.into(),
        },
        veil(
            325.0,
            recipes.token("chart6"),
            if dark { 0.20 } else { 0.18 },
            0.52,
        ),
        veil(
            145.0,
            recipes.token("info"),
            if dark { 0.26 } else { 0.24 },
            0.58,
        ),
    ]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use ede_renderer::software::{IRect, Order, Painter, Target};
    use eui_core::themes;

    #[test]
    fn no_shadow_of_a_built_in_theme_is_seen_past_its_room() {
        let around = 120;
        let (w, h) = (300, 200);
        let (wide, high) = (w + 2 * around, h + 2 * around);
        for theme in themes::builtin_themes() {
            for (mode, plate) in [Mode::Light, Mode::Dark].into_iter().flat_map(|mode| {
                [Plate::Panel, Plate::Widget, Plate::Popup, Plate::Window]
                    .map(|plate| (mode, plate))
            }) {
                let recipes = Recipes::new(theme.clone(), mode, 1.0);
                let box_ = Rect::new(around as f32, around as f32, w as f32, h as f32);
                let list = DisplayList {
                    items: vec![plate.item(box_, &recipes)],
                };
                let mut pixels = vec![0; (wide * high * 4) as usize];
                let target = Target {
                    pixels: &mut pixels,
                    width: wide as u32,
                    height: high as u32,
                    stride: wide as usize * 4,
                    order: Order::Rgba,
                };
                let all = IRect::new(0, 0, wide, high);
                Painter::new().paint(&list, target, 1.0, Color::TRANSPARENT, &[all]);
                let room = box_.inset(-plate.room());
                let past = (0..wide * high).filter(|i| {
                    let at = Point::new((i % wide) as f32 + 0.5, (i / wide) as f32 + 0.5);
                    !room.contains(at)
                });
                let most = past.map(|i| pixels[i as usize * 4 + 3]).max().unwrap();
                assert!(most <= 3, "{}, {mode:?}: {plate:?} {most}", theme.id);
            }
        }
    }
}
