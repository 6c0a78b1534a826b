//! Answers eui-core's batched measure calls: each leaf by its component, extension leaves by the host.

use std::collections::HashMap;

use eui_core::measure::{ControlBox, HeightRequest, Intrinsics, LeafRequest, Measure};

use crate::component::{MeasureCx, Measured, Registry};
use crate::images::Images;
use crate::nested::Nested;
use crate::recipes::Recipes;
use crate::text::TextEngine;

/// The native kind eui-core gives to every node of an extension catalog.
pub(crate) const EXTENSION: &str = "Extension";

pub(crate) struct Measurer<'a> {
    pub text: &'a mut TextEngine,
    pub images: &'a mut Images,
    pub registry: &'a Registry,
    pub recipes: &'a Recipes,
    pub nested: &'a mut dyn Nested,
}

impl Measurer<'_> {
    fn leaf(&mut self, leaf: &LeafRequest<'_>, width: Option<f32>) -> Measured {
        let measured = if leaf.component == EXTENSION {
            self.nested.measure(leaf, width)
        } else {
            let component = self
                .registry
                .find(leaf.component, leaf.owner_component, leaf.part);
            let mut cx = MeasureCx {
                text: self.text,
                images: self.images,
                recipes: self.recipes,
            };
            component.measure(&mut cx, leaf, width)
        };
        within(measured, &leaf.control)
    }
}

/// The control's own sizes win over the content's; text stays centred in what they give it.
fn within(mut m: Measured, c: &ControlBox) -> Measured {
    let natural = m.size.h;
    m.size.w = c.width.unwrap_or(m.size.w).max(c.min_width.unwrap_or(0.0));
    m.size.h = c
        .height
        .unwrap_or(m.size.h)
        .max(c.min_height.unwrap_or(0.0));
    m.min_width = c
        .width
        .unwrap_or(m.min_width)
        .max(c.min_width.unwrap_or(0.0))
        .min(m.size.w);
    m.baseline = m.baseline.map(|b| b + (m.size.h - natural) / 2.0);
    m
}

impl Measure for Measurer<'_> {
    /// Changes when the fonts do: every text is then measured again.
    fn measure_id(&self) -> u64 {
        0x0ede_0000 + self.text.generation()
    }

    fn measure_intrinsics(&mut self, leaves: &[LeafRequest<'_>]) -> Vec<Intrinsics> {
        leaves
            .iter()
            .map(|leaf| {
                let m = self.leaf(leaf, None);
                Intrinsics {
                    min_content_width: m.min_width,
                    max_content_width: m.size.w,
                    height_at_max_content: m.size.h,
                    baseline: m.baseline,
                }
            })
            .collect()
    }

    fn measure_heights(
        &mut self,
        leaves: &[LeafRequest<'_>],
        requests: &[HeightRequest],
    ) -> Vec<f32> {
        let by_index: HashMap<u32, &LeafRequest<'_>> =
            leaves.iter().map(|l| (l.index, l)).collect();
        requests
            .iter()
            .map(|r| {
                by_index
                    .get(&r.index)
                    .map_or(0.0, |leaf| self.leaf(leaf, Some(r.width)).size.h)
            })
            .collect()
    }
}
