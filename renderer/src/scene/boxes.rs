//! The box of a node: shadows, background, gradient, border, focus ring. Every node has one; components paint only what is inside.

use crate::color::Color;
use crate::display::Op;
use crate::geometry::{Radii, Rect, Size};
use crate::look::Look;

/// Width of the keyboard focus ring, and of the gap a filled control leaves under it (mocks: "Focus ring").
const RING: f32 = 2.0;

pub(crate) fn paint(look: &Look, size: Size, inherited: Color, ops: &mut Vec<Op>) {
    let rect = Rect::of_size(size);
    if rect.is_empty() {
        return;
    }
    let radii = look.radii.fit(size);
    // The first shadow lies on top, as in CSS.
    for s in look
        .shadows
        .iter()
        .rev()
        .filter(|s| !s.color.is_invisible())
    {
        let cast = rect
            .inset(-s.spread)
            .translate(crate::geometry::Point::new(s.x, s.y));
        let grown = Radii(radii.0.map(|r| {
            if r > 0.0 {
                (r + s.spread).max(0.0)
            } else {
                0.0
            }
        }));
        if !cast.is_empty() {
            ops.push(Op::Shadow {
                rect: cast,
                radii: grown,
                blur: s.blur,
                color: s.color,
                hole: (rect, radii),
            });
        }
    }
    if let Some(c) = look.background.filter(|c| !c.is_invisible()) {
        ops.push(Op::Fill {
            rect,
            radii,
            brush: c.into(),
        });
    }
    if let Some(g) = &look.gradient {
        ops.push(Op::Fill {
            rect,
            radii,
            brush: g.clone(),
        });
    }
    let color = look.border_color.unwrap_or(inherited);
    if look.border.iter().any(|w| *w > 0.0) && !color.is_invisible() {
        ops.push(Op::Border {
            rect,
            radii,
            widths: look.border,
            color,
            style: look.border_style,
        });
    }
}

/// The ring of a node that has the keyboard focus: around its box, or just inside it where a list would cut it off.
pub(crate) fn focus_ring(look: &Look, size: Size, inside: bool, ring: Color, ops: &mut Vec<Op>) {
    let rect = Rect::of_size(size);
    if rect.is_empty() {
        return;
    }
    if inside {
        ops.push(Op::Border {
            rect,
            radii: look.radii.fit(size),
            widths: [RING; 4],
            color: ring,
            style: Default::default(),
        });
        return;
    }
    // A filled control keeps a gap, so that the ring does not melt into it.
    let gap = if look.background.is_some_and(|c| c.a > 200) && look.border_color.is_none() {
        RING
    } else {
        0.0
    };
    let grown = rect.inset(-(gap + RING));
    let radii = Radii(
        look.radii
            .fit(size)
            .0
            .map(|r| if r > 0.0 { r + gap + RING } else { 0.0 }),
    );
    ops.push(Op::Border {
        rect: grown,
        radii,
        widths: [RING; 4],
        color: ring,
        style: Default::default(),
    });
}
