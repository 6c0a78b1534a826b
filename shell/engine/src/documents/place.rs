//! Where a document stands. Every length is in logical pixels.

use std::marker::PhantomData;

use serde_json::Value;

use super::outputs::{self, Outputs};

/// The edge of an output a panel stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edge {
    Top,
    Bottom,
    Left,
    Right,
}

impl Edge {
    /// Does a panel on it lie rather than stand?
    pub fn is_horizontal(self) -> bool {
        matches!(self, Edge::Top | Edge::Bottom)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Edge::Top => "top",
            Edge::Bottom => "bottom",
            Edge::Left => "left",
            Edge::Right => "right",
        }
    }
}

/// Between windows and wallpaper, or above windows. The overlay layer is the shell's sheets' alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layer {
    Bottom,
    Top,
}

/// A panel's place on one output.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelPlace {
    pub edge: Edge,
    pub thickness: f32,
    pub layer: Layer,
    /// Windows keep clear of it.
    pub reserve: bool,
    /// Between the panel and the output's edges.
    pub margin: f32,
    /// It slides away while no pointer is at its edge.
    pub autohide: bool,
    /// How long the pointer rests at the edge before it comes back, in milliseconds.
    pub reveal_delay_ms: u32,
}

/// The desktop's grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// A cell's edge.
    pub cell: f32,
    pub gap: f32,
}

impl Default for Grid {
    fn default() -> Grid {
        Grid {
            cell: 160.0,
            gap: 16.0,
        }
    }
}

/// The desktop's place on one output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DesktopPlace {
    pub grid: Grid,
}

/// A widget's place on the desktop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WidgetPlace {
    /// Column and row of its first cell; below zero they count from the last column and row: a widget at −2 stands at the right
    /// of every output.
    Cell(i32, i32),
    /// Its top left corner inside the output's free area.
    At(f32, f32),
}

/// A width and a height.
pub type Size = (f32, f32);

/// A window's place.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowPlace {
    pub size: Size,
    pub min_size: Option<Size>,
    pub max_size: Option<Size>,
    /// The `app_id` compositors and window rules know it by.
    pub app_id: Option<String>,
}

/// An output, as far as a document can name it.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputName<'a> {
    /// The connector: `DP-1`.
    pub name: &'a str,
    pub make: &'a str,
    pub model: &'a str,
}

/// The place of a panel or desktop, with what it says per output.
#[derive(Debug, Clone, PartialEq)]
pub struct OnOutputs<P> {
    value: Value,
    pub outputs: Outputs,
    place: PhantomData<P>,
}

/// A place read from a well-formed document, defaults filled in.
pub trait ReadPlace {
    fn read(place: &Value) -> Self;
}

impl<P: ReadPlace> OnOutputs<P> {
    pub(super) fn new(value: &Value) -> OnOutputs<P> {
        OnOutputs {
            value: value.clone(),
            outputs: Outputs::read(value),
            place: PhantomData,
        }
    }

    /// The place on an output, its overrides applied; `None` where the document does not stand.
    pub fn on(&self, output: OutputName) -> Option<P> {
        self.outputs
            .contain(output.name, output.make, output.model)
            .then(|| self.resolved(output))
    }

    /// The place as any output without overrides has it.
    pub fn base(&self) -> P {
        P::read(&self.value)
    }

    fn resolved(&self, output: OutputName) -> P {
        let Some(Value::Object(part)) =
            outputs::override_for(&self.value, output.name, output.make, output.model)
        else {
            return self.base();
        };
        let mut merged = self.value.clone();
        if let Some(members) = merged.as_object_mut() {
            members.extend(part.clone());
        }
        P::read(&merged)
    }
}

fn number(value: &Value, default: f32) -> f32 {
    value.as_f64().map_or(default, |n| n as f32)
}

fn pair(value: &Value) -> Option<Size> {
    Some((
        value.get(0)?.as_f64()? as f32,
        value.get(1)?.as_f64()? as f32,
    ))
}

impl ReadPlace for PanelPlace {
    fn read(place: &Value) -> PanelPlace {
        PanelPlace {
            edge: match place["edge"].as_str() {
                Some("bottom") => Edge::Bottom,
                Some("left") => Edge::Left,
                Some("right") => Edge::Right,
                _ => Edge::Top,
            },
            thickness: number(&place["thickness"], 40.0),
            layer: if place["layer"] == "bottom" {
                Layer::Bottom
            } else {
                Layer::Top
            },
            reserve: place["reserve"].as_bool().unwrap_or(true),
            margin: number(&place["margin"], 8.0),
            autohide: place["autohide"].as_bool().unwrap_or(false),
            reveal_delay_ms: place["revealDelay"]
                .as_u64()
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(200),
        }
    }
}

impl ReadPlace for DesktopPlace {
    fn read(place: &Value) -> DesktopPlace {
        let plain = Grid::default();
        DesktopPlace {
            grid: Grid {
                cell: number(&place["grid"]["cell"], plain.cell),
                gap: number(&place["grid"]["gap"], plain.gap),
            },
        }
    }
}

pub(super) fn window(place: &Value) -> WindowPlace {
    WindowPlace {
        size: pair(&place["size"]).unwrap_or((800.0, 560.0)),
        min_size: pair(&place["minSize"]),
        max_size: pair(&place["maxSize"]),
        app_id: place["appId"].as_str().map(str::to_owned),
    }
}

/// Where a component stands on the desktop, when it says so.
pub(super) fn widget(component: &Value) -> Option<WidgetPlace> {
    let cell = |v: &Value| {
        v.as_f64()
            .filter(|n| n.fract() == 0.0 && n.abs() < 1e6)
            .map(|n| n as i32)
    };
    match (component.get("cell"), component.get("at")) {
        (Some(pair), _) => Some(WidgetPlace::Cell(cell(pair.get(0)?)?, cell(pair.get(1)?)?)),
        (None, Some(at)) => pair(at).map(|(x, y)| WidgetPlace::At(x, y)),
        (None, None) => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_override_changes_its_output_only() {
        let place = json!({"outputs": ["DP-1", "DP-2"], "edge": "top", "thickness": 40, "overrides": {"DP-2": {"thickness": 32, "edge": "left"}}});
        let place: OnOutputs<PanelPlace> = OnOutputs::new(&place);
        let on = |name| {
            place.on(OutputName {
                name,
                ..OutputName::default()
            })
        };
        assert_eq!(on("DP-1").unwrap().thickness, 40.0);
        assert_eq!(
            (on("DP-2").unwrap().thickness, on("DP-2").unwrap().edge),
            (32.0, Edge::Left)
        );
        assert_eq!(on("HDMI-A-1"), None);
    }

    #[test]
    fn a_place_that_says_nothing_has_the_defaults() {
        let place = PanelPlace::read(&json!({}));
        assert_eq!(
            (
                place.edge,
                place.thickness,
                place.margin,
                place.reserve,
                place.layer
            ),
            (Edge::Top, 40.0, 8.0, true, Layer::Top)
        );
        assert_eq!(
            DesktopPlace::read(&json!({})).grid,
            Grid {
                cell: 160.0,
                gap: 16.0
            }
        );
    }
}
