//! temporary, never committed
use ede_renderer::component::*;
use ede_renderer::text::TextSpec;
use ede_renderer::geometry::*;
use eui_core::measure::LeafRequest;
struct T; struct I;
static TT: T = T; static II: I = I;
impl Component for T {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, width: Option<f32>) -> Measured {
        let t = leaf.display_text().into_owned();
        let pad = leaf.control.padding[1] + leaf.control.padding[3] + 2.0 * leaf.control.border_width;
        let b = cx.text.shape(&TextSpec::new(&t, leaf.text_style).wrap(width.map(|w| w - pad + 0.5)).lines(leaf.lines));
        let mut s = b.size();
        if leaf.props.get("icon").is_some_and(|v| v.as_str().is_some_and(|s| !s.is_empty())) { s.w += 16.0 + if t.is_empty() { 0.0 } else { leaf.control.gap.max(4.0) }; s.h = s.h.max(16.0); }
        Measured::around(s, if width.is_none() { b.min_width() } else { 0.0 }, Some(b.baseline()), &leaf.control)
    }
    fn paint(&self, cx: &mut PaintCx<'_>) {
        if cx.node.kind != eui_core::layout_tree::NodeKind::Leaf { return; }
        let t = ["text", "label", "title", "placeholder"].iter().find_map(|k| cx.str_prop(k)).unwrap_or("").to_string();
        let c = cx.content();
        if let Some(i) = cx.str_prop("icon").map(str::to_string) { let r = if t.is_empty() { c.centered(Size::new(16.0, 16.0)) } else { Rect::new(c.x, c.y + (c.h - 16.0) / 2.0, 16.0, 16.0) }; let col = cx.color; cx.icon(&i, r, col); if t.is_empty() { return; } let col = cx.color; cx.line(&t, Rect::new(c.x + 20.0, c.y, c.w - 20.0, c.h), Default::default(), col); return; }
        let style = cx.style.clone();
        let b = cx.shape(&TextSpec::new(&t, &style).wrap(Some(c.w + 0.5)).lines(cx.node.lines).align(cx.look.align.unwrap_or_default()));
        let y = c.y + ((c.h - b.size().h) / 2.0).max(0.0);
        let col = cx.color;
        cx.block(b, Point::new(c.x, y), col, None);
    }
}
impl Component for I {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured { Measured::fixed(leaf.control.width.unwrap_or(16.0), leaf.control.height.unwrap_or(16.0)) }
    fn paint(&self, cx: &mut PaintCx<'_>) { let n = cx.str_prop("name").unwrap_or("").to_string(); let (b, c) = (cx.bounds(), cx.color); cx.icon(&n, b, c); }
}
pub fn registry() -> Registry { Registry::new(&TT).kind("Icon", &II) }
