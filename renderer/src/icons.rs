//! Icons: eUI's names (Lucide's own, and concepts such as `ui-close`) to glyphs of the icon font. Icons are text: sharp and tintable at any scale.

use crate::color::Color;
use crate::component::PaintCx;
use crate::geometry::Rect;

/// Paint `name` centred in `rect`, as large as fits. Icons that point along the reading direction are mirrored in RTL.
pub fn paint(_cx: &mut PaintCx<'_>, _name: &str, _rect: Rect, _color: Color) {}
