//! What every surface of a thread shares: fonts, pictures, components, and the recipes of the themes in use.

use std::rc::Rc;
use std::sync::Arc;

use eui_core::theme::{Mode, ResolvedTheme};

use crate::component::Registry;
use crate::images::Images;
use crate::recipes::Recipes;
use crate::text::TextEngine;

/// Themes whose recipes are kept. A desktop shows one or two at a time; the preview a few more.
const MOST_THEMES: usize = 8;

pub struct Resources {
    pub text: TextEngine,
    pub images: Images,
    pub registry: Registry,
    recipes: Vec<Rc<Recipes>>,
}

impl Resources {
    pub fn new(text: TextEngine, images: Images, registry: Registry) -> Resources {
        Resources {
            text,
            images,
            registry,
            recipes: Vec::new(),
        }
    }

    /// The recipes of `theme` in `mode`, resolved once for all surfaces that show it.
    pub fn recipes(&mut self, theme: &Arc<ResolvedTheme>, mode: Mode) -> Rc<Recipes> {
        self.scaled_recipes(theme, mode, 1.0)
    }

    /// [`Resources::recipes`] with every size of type multiplied by `font_scale`.
    pub fn scaled_recipes(
        &mut self,
        theme: &Arc<ResolvedTheme>,
        mode: Mode,
        font_scale: f32,
    ) -> Rc<Recipes> {
        let found = |r: &&Rc<Recipes>| r.is_for(theme, mode, font_scale);
        if let Some(r) = self.recipes.iter().find(found) {
            return r.clone();
        }
        if self.recipes.len() >= MOST_THEMES {
            self.recipes.remove(0);
        }
        let r = Rc::new(Recipes::new(theme.clone(), mode, font_scale));
        self.recipes.push(r.clone());
        r
    }
}
