//! Recipes of parts that have no node of their own, and the theme's colour tokens, resolved once and kept.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use eui_core::recipes::native_recipe_props;
use eui_core::style::{self, BoxKind};
use eui_core::theme::{Mode, RecipeQuery, ResolvedTheme, resolve_recipe};
use serde_json::{Map, Value};

use crate::color::Color;
use crate::look::{Look, Shadow};

/// A part's resolved style: the look, and the sizes a painter needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    pub look: Look,
    pub width: Option<f32>,
    pub height: Option<f32>,
    pub font_size: Option<f32>,
    pub line_height: Option<f32>,
    pub font_weight: Option<u16>,
    /// Every resolved key, for the rare part that needs another.
    pub raw: Map<String, Value>,
}

/// One theme in one mode at one size of type. Cheap to clone; the cache is shared by the surfaces of one thread.
pub struct Recipes {
    theme: Arc<ResolvedTheme>,
    mode: Mode,
    font_scale: f32,
    parts: RefCell<HashMap<String, Arc<Recipe>>>,
    tokens: RefCell<HashMap<String, Color>>,
}

/// Recipes kept per theme and mode; past this the cache starts afresh (props may be anything).
const MOST_PARTS: usize = 2048;

impl Recipes {
    /// `font_scale` is the person's: every size of type is multiplied by it.
    pub fn new(theme: Arc<ResolvedTheme>, mode: Mode, font_scale: f32) -> Recipes {
        Recipes {
            theme,
            mode,
            font_scale,
            parts: RefCell::default(),
            tokens: RefCell::default(),
        }
    }

    pub fn theme(&self) -> &Arc<ResolvedTheme> {
        &self.theme
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn font_scale(&self) -> f32 {
        self.font_scale
    }

    /// Is this still the theme, mode and size of type of a surface?
    pub fn is_for(&self, theme: &Arc<ResolvedTheme>, mode: Mode, font_scale: f32) -> bool {
        Arc::ptr_eq(&self.theme, theme) && self.mode == mode && self.font_scale == font_scale
    }

    /// `component/part` for these props and states.
    pub fn of(
        &self,
        component: &str,
        part: &str,
        props: &Map<String, Value>,
        states: &[String],
    ) -> Arc<Recipe> {
        // The props the component's recipes select on, with the catalog's defaults; long texts and lists never choose a style.
        let mut props = native_recipe_props(component, props);
        props.retain(|_, v| match v {
            Value::String(s) => s.len() <= 32,
            Value::Bool(_) | Value::Number(_) => true,
            _ => false,
        });
        let key = format!(
            "{component}/{part}/{}/{}",
            states.join(","),
            Value::Object(props.clone())
        );
        if let Some(found) = self.parts.borrow().get(&key) {
            return found.clone();
        }
        let raw = resolve_recipe(
            &self.theme,
            &RecipeQuery::new(component, part, props, states.to_vec()),
            self.mode,
        );
        let visual = style::visual(&raw, BoxKind::Leaf);
        let px = |k: &str| raw.get(k).and_then(style::px);
        let recipe = Arc::new(Recipe {
            look: Look::of(&visual),
            width: px("width"),
            height: px("height"),
            font_size: visual.font_size.map(|size| size * self.font_scale),
            line_height: visual.line_height.map(|height| height * self.font_scale),
            font_weight: visual.font_weight,
            raw,
        });
        let mut parts = self.parts.borrow_mut();
        if parts.len() >= MOST_PARTS {
            parts.clear();
        }
        parts.insert(key, recipe.clone());
        recipe
    }

    /// A colour token (`border`, `mutedForeground`, …); the foreground for a name the theme lacks.
    pub fn token(&self, name: &str) -> Color {
        if let Some(c) = self.tokens.borrow().get(name) {
            return *c;
        }
        let table = self.theme.modes.get(self.mode);
        let find = |n: &str| table.color.get(n).and_then(|c| Color::hex(c));
        let c = find(name)
            .or_else(|| find("foreground"))
            .unwrap_or(Color::BLACK);
        self.tokens.borrow_mut().insert(name.to_string(), c);
        c
    }

    /// The layers of a shadow token (`md`), top first.
    pub fn shadow(&self, name: &str) -> Vec<Shadow> {
        let layers = self
            .theme
            .modes
            .get(self.mode)
            .shadow
            .get(name)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let layer = |s: &eui_core::theme::Shadow| {
            Some(Shadow {
                x: s.x as f32,
                y: s.y as f32,
                blur: s.blur.max(0.0) as f32,
                spread: s.spread as f32,
                color: Color::hex(&s.color)?,
            })
        };
        layers.iter().filter_map(layer).collect()
    }

    /// A number of the theme's tokens (`control`, `iconSm`).
    pub fn number(&self, group: &str, name: &str) -> Option<f32> {
        self.theme
            .tokens
            .numbers(group)
            .and_then(|g| g.get(name))
            .map(|n| *n as f32)
    }
}
