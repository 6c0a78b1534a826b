//! A Chart's props as numbers that can be drawn: whatever is missing, null, negative or not a number has its place here.

use ede_renderer::color::Color;
use ede_renderer::recipes::Recipes;
use eui_core::chart::{self, DONUT_HOLE, chart_extent, nice_ticks, series_color};
use eui_core::format::{EnglishFormatter, Formatter, NumberOptions};
use serde_json::Value;

use crate::props::{self, Props};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bar,
    StackedBar,
    Line,
    Area,
    Pie,
    Donut,
    Sparkline,
}

impl Kind {
    /// The kind a chart's props name; a bar chart where they name none.
    pub fn of(props: &Props) -> Kind {
        Kind::parse(props::string(props, "kind"))
    }

    fn parse(name: Option<&str>) -> Kind {
        match name {
            Some("stackedBar") => Kind::StackedBar,
            Some("line") => Kind::Line,
            Some("area") => Kind::Area,
            Some("pie") => Kind::Pie,
            Some("donut") => Kind::Donut,
            Some("sparkline") => Kind::Sparkline,
            _ => Kind::Bar,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Bar => "bar",
            Kind::StackedBar => "stackedBar",
            Kind::Line => "line",
            Kind::Area => "area",
            Kind::Pie => "pie",
            Kind::Donut => "donut",
            Kind::Sparkline => "sparkline",
        }
    }

    pub fn round(self) -> bool {
        matches!(self, Kind::Pie | Kind::Donut)
    }

    pub fn bars(self) -> bool {
        matches!(self, Kind::Bar | Kind::StackedBar)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    /// `None` where there is no finite number.
    pub values: Vec<Option<f64>>,
    pub labels: Vec<String>,
    pub color: Color,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub value: f64,
    pub label: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub kind: Kind,
    pub title: Option<String>,
    pub x_label: Option<String>,
    pub y_label: Option<String>,
    pub categories: Vec<String>,
    pub series: Vec<Series>,
    /// One colour a slice, for round charts.
    pub slices: Vec<Color>,
    pub ticks: Vec<Tick>,
    /// What the vertical axis spans.
    pub low: f64,
    pub high: f64,
    pub axes: bool,
    pub grid: bool,
    pub legend: bool,
    pub values: bool,
    /// The hole of a donut, as a share of its radius.
    pub hole: f32,
}

const MOST_SERIES: usize = 32;
const MOST_VALUES: usize = 10_000;
const MOST_TICKS: usize = 24;

fn on(props: &Props, name: &str) -> bool {
    props.get(name).and_then(Value::as_bool).unwrap_or(true)
}

fn color(token: &str, recipes: &Recipes) -> Color {
    recipes.token(token.trim_start_matches("$color."))
}

/// A label the engine made with the surface's formatter, else one in English.
fn label(from: Option<&Value>, value: f64) -> String {
    match from.and_then(Value::as_str) {
        Some(text) => props::bounded(text).into_owned(),
        None => EnglishFormatter.number(value, NumberOptions::default()),
    }
}

/// The one value all of them have.
fn flat_value(series: &[Series]) -> Option<f64> {
    let mut values = series.iter().flat_map(|s| s.values.iter().flatten());
    let first = *values.next()?;
    values.all(|v| *v == first).then_some(first)
}

impl Model {
    pub fn of(props: &Props, recipes: &Recipes) -> Model {
        let kind = Kind::of(props);
        let shared = props.get("chart").and_then(Value::as_object);
        let shared_list = |name: &str| shared.map_or(&[][..], |c| props::list(c, name));
        let value_labels = shared_list("valueLabels");
        let series: Vec<Series> = props::objects(props, "series")
            .take(MOST_SERIES)
            .enumerate()
            .map(|(s, o)| {
                let values: Vec<Option<f64>> = props::list(o, "values")
                    .iter()
                    .take(MOST_VALUES)
                    .map(|v| v.as_f64().filter(|v| v.is_finite() && v.abs() < 1e15))
                    .collect();
                let made = value_labels.get(s).and_then(Value::as_array);
                let labels = values
                    .iter()
                    .enumerate()
                    .map(|(i, v)| {
                        v.map_or(String::new(), |v| label(made.and_then(|m| m.get(i)), v))
                    })
                    .collect();
                // By the theme in use: what the engine has resolved is of the mode the chart was laid out in.
                let color = color(&series_color(s, props::string(o, "tone")), recipes);
                Series {
                    name: props::text(o, &["name"]).into_owned(),
                    values,
                    labels,
                    color,
                }
            })
            .collect();
        let numbers: Vec<chart::ChartSeries> = series
            .iter()
            .map(|s| chart::ChartSeries {
                name: String::new(),
                values: s.values.iter().map(|v| v.unwrap_or(f64::NAN)).collect(),
                tone: None,
            })
            .collect();
        let bound = |name: &str| props::number(props, name).filter(|n| n.abs() < 1e15);
        let extent = chart_extent(kind.name(), &numbers, bound("min"), bound("max"));
        let nice = nice_ticks(extent.min, extent.max, 5);
        let made = shared_list("tickLabels");
        let same = made.len() == nice.ticks.len();
        let ticks: Vec<Tick> = nice
            .ticks
            .iter()
            .take(MOST_TICKS)
            .enumerate()
            .map(|(i, value)| Tick {
                value: *value,
                label: label(made.get(i).filter(|_| same), *value),
            })
            .collect();
        let (low, high) = if kind == Kind::Sparkline {
            // A flat line runs through the middle, unless its author says what the bottom and the top are.
            let free = bound("min").is_none() || bound("max").is_none();
            let flat = flat_value(&series).filter(|_| free);
            flat.map_or((extent.min, extent.max), |v| (v - 1.0, v + 1.0))
        } else {
            (nice.min.min(extent.min), nice.max.max(extent.max))
        };
        let slice_count = series.first().map_or(0, |s| s.values.len());
        let shown = if kind.round() {
            slice_count
        } else {
            series.len()
        };
        Model {
            title: props::string(props, "title").map(|t| props::bounded(t).into_owned()),
            x_label: props::string(props, "xLabel").map(|t| props::bounded(t).into_owned()),
            y_label: props::string(props, "yLabel").map(|t| props::bounded(t).into_owned()),
            categories: props::list(props, "categories")
                .iter()
                .take(MOST_VALUES)
                .map(|c| props::shown(c).into_owned())
                .collect(),
            slices: (0..slice_count)
                .map(|i| color(&series_color(i, None), recipes))
                .collect(),
            series,
            ticks,
            low,
            high: if high > low { high } else { low + 1.0 },
            axes: on(props, "showAxes") && kind != Kind::Sparkline && !kind.round(),
            grid: on(props, "showGrid") && kind != Kind::Sparkline && !kind.round(),
            legend: on(props, "showLegend") && shown >= 2 && kind != Kind::Sparkline,
            values: props::flag(props, "showValues"),
            hole: if kind == Kind::Donut {
                DONUT_HOLE as f32
            } else {
                0.0
            },
            kind,
        }
    }

    /// Columns along the horizontal axis.
    pub fn columns(&self) -> usize {
        let longest = self
            .series
            .iter()
            .map(|s| s.values.len())
            .max()
            .unwrap_or(0);
        if self.kind == Kind::Sparkline {
            longest
        } else {
            longest.max(self.categories.len())
        }
    }

    pub fn category(&self, i: usize) -> &str {
        self.categories.get(i).map_or("", String::as_str)
    }

    /// 0 at the bottom of the plot, 1 at its top; outside when the value is.
    pub fn share(&self, value: f64) -> f32 {
        ((value - self.low) / (self.high - self.low)) as f32
    }

    /// Where bars and areas stand on: zero, or the nearest end of the axis.
    pub fn base(&self) -> f64 {
        0.0f64.clamp(self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use eui_core::theme::Mode;
    use serde_json::json;

    fn model(v: Value) -> Model {
        let recipes = Recipes::new(eui_core::themes::default_theme().clone(), Mode::Light, 1.0);
        Model::of(v.as_object().unwrap(), &recipes)
    }

    #[test]
    fn nulls_and_words_are_gaps_not_errors() {
        let m =
            model(json!({"kind": "line", "series": [{"name": "a", "values": [1, null, "x", 4]}]}));
        assert_eq!(m.series[0].values, [Some(1.0), None, None, Some(4.0)]);
        assert_eq!((m.low, m.high), (0.0, 4.0));
        assert_eq!(m.columns(), 4);
    }

    #[test]
    fn negative_values_stand_on_zero() {
        let m = model(json!({"kind": "bar", "series": [{"values": [-3, 5]}]}));
        assert!(m.low <= -3.0 && m.base() == 0.0);
        assert!(m.share(0.0) > 0.0 && m.share(0.0) < 1.0);
    }

    #[test]
    fn a_flat_sparkline_stands_where_its_bounds_say() {
        let series = json!([{"values": [90, 90, 90]}]);
        let m = model(json!({"kind": "sparkline", "min": 0, "max": 100, "series": series}));
        assert_eq!(m.share(90.0), 0.9);
        let m = model(json!({"kind": "sparkline", "min": 0, "series": series}));
        assert_eq!(m.share(90.0), 0.5);
    }

    #[test]
    fn nothing_to_draw_still_has_an_axis() {
        for props in [
            json!({}),
            json!({"series": []}),
            json!({"series": "no", "min": 1e300, "max": -1e300}),
            json!({"kind": "pie", "series": [{"values": [0, -1]}]}),
            json!({"kind": "sparkline", "series": [{"values": [7]}]}),
        ] {
            let m = model(props);
            assert!(m.high > m.low && m.share(m.low).is_finite());
        }
    }
}
