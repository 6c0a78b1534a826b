//! Drawings (SVG). They can name no file and no address, hold no pictures and no text, and are refused when painting them would
//! take long: `use` elements that multiply, filters, huge numbers of elements.

use std::collections::HashMap;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, roxmltree};

use super::Bitmap;
use super::decode::Decoded;

const MOST_BYTES: usize = 1 << 20;
/// Elements, counted as often as `use` repeats them.
const MOST_ELEMENTS: u64 = 20_000;
const MOST_FILTERS: usize = 32;
const LONGEST_SIDE: u32 = 2048;
/// A drawing whose size is not asked for is painted this much larger than it says, to be sharp on a dense screen.
const SPARE: f32 = 2.0;

/// Do the bytes look like a drawing?
pub(super) fn is_svg(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    head.windows(4).any(|w| w == b"<svg")
}

pub(super) fn draw(bytes: &[u8], side: Option<u32>) -> Result<Decoded, String> {
    if bytes.len() > MOST_BYTES {
        return Err(format!("a drawing of more than {MOST_BYTES} bytes"));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| e.to_string())?;
    // No document types: entities could multiply before anything is counted.
    let doc = roxmltree::Document::parse(text).map_err(|e| e.to_string())?;
    weigh(&doc)?;
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&doc, &options).map_err(|e| e.to_string())?;
    let size = tree.size();
    let long = size.width().max(size.height());
    if !(long.is_finite() && long > 0.0) {
        return Err("a drawing without a size".into());
    }
    let wanted = side
        .map_or(long * SPARE, |s| s as f32)
        .min(LONGEST_SIDE as f32);
    let scale = wanted / long;
    let px = |v: f32| ((v * scale).ceil() as u32).clamp(1, LONGEST_SIDE);
    let (width, height) = (px(size.width()), px(size.height()));
    let mut pixmap = Pixmap::new(width, height).ok_or("a drawing too large")?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixmap.as_mut(),
    );
    let natural = |v: f32| (v.round() as u32).max(1);
    Ok(Decoded {
        bitmap: Bitmap {
            width,
            height,
            pixels: pixmap.take(),
            natural: (natural(size.width()), natural(size.height())),
        },
        drawn_for: width.max(height),
    })
}

/// Refuse what would take long to paint.
fn weigh(doc: &roxmltree::Document<'_>) -> Result<(), String> {
    let filters = doc
        .descendants()
        .filter(|n| n.tag_name().name().starts_with("fe"))
        .count();
    if filters > MOST_FILTERS {
        return Err(format!("a drawing with {filters} filter steps"));
    }
    let ids: HashMap<&str, roxmltree::Node<'_, '_>> = doc
        .descendants()
        .filter_map(|n| Some((n.attribute("id")?, n)))
        .collect();
    let mut known = HashMap::new();
    let elements = count(doc.root_element(), &ids, &mut known, 0);
    if elements > MOST_ELEMENTS {
        return Err("a drawing with too many elements".into());
    }
    Ok(())
}

/// Elements below `node`, through `use`. Saturates, so that a drawing that repeats itself for ever is only very heavy.
fn count<'a, 'i>(
    node: roxmltree::Node<'a, 'i>,
    ids: &HashMap<&str, roxmltree::Node<'a, 'i>>,
    known: &mut HashMap<roxmltree::NodeId, u64>,
    depth: u32,
) -> u64 {
    if depth > 256 {
        return u64::MAX;
    }
    if let Some(n) = known.get(&node.id()) {
        return *n;
    }
    // While it is being counted it weighs too much: who finds it again has found a circle.
    known.insert(node.id(), u64::MAX);
    let mut sum: u64 = 1;
    for child in node.children().filter(|c| c.is_element()) {
        sum = sum.saturating_add(count(child, ids, known, depth + 1));
    }
    // Any reference may repeat what it names: `use`, patterns, masks, markers, clip paths.
    for a in node.attributes() {
        let value = a.value();
        let name = match a.name() {
            "href" => value.strip_prefix('#'),
            _ => value
                .split_once("url(")
                .and_then(|(_, rest)| rest.split_once(')'))
                .and_then(|(name, _)| name.trim_matches(['"', '\'', ' ']).strip_prefix('#')),
        };
        if let Some(target) = name.and_then(|n| ids.get(n))
            && *target != node
        {
            sum = sum.saturating_add(count(*target, ids, known, depth + 1));
        }
    }
    known.insert(node.id(), sum);
    sum
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn svg(body: &str) -> Vec<u8> {
        format!("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='10' height='10'>{body}</svg>").into_bytes()
    }

    #[test]
    fn a_drawing_reads_no_file_and_shows_no_foreign_picture() {
        let file = std::env::temp_dir().join("ede-svg-probe.png");
        let red = crate::png::Rgba {
            width: 1,
            height: 1,
            pixels: vec![255, 0, 0, 255],
        };
        std::fs::write(&file, red.encode().unwrap()).unwrap();
        let body = format!(
            "<image width='10' height='10' xlink:href='{}'/>",
            file.display()
        );
        let drawn = draw(&svg(&body), None).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(drawn.bitmap.pixels.iter().all(|b| *b == 0));
    }

    #[test]
    fn drawings_that_multiply_are_refused() {
        let mut body = String::from("<g id='a0'><rect width='1' height='1'/></g>");
        for i in 0..12 {
            let uses = format!("<use href='#a{i}'/>").repeat(8);
            body.push_str(&format!("<g id='a{}'>{uses}</g>", i + 1));
        }
        assert!(draw(&svg(&body), None).is_err());
        assert!(draw(&svg("<g id='x'><use href='#x'/></g>"), None).is_err());
        let doctype = b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>";
        assert!(draw(doctype, None).is_err());
    }

    #[test]
    fn a_drawing_is_painted_as_large_as_asked() {
        let body = "<rect width='10' height='10' fill='#fff'/>";
        let b = draw(&svg(body), Some(64)).unwrap();
        assert_eq!(
            (b.bitmap.width, b.bitmap.natural, b.drawn_for),
            (64, (10, 10), 64)
        );
        assert!(b.bitmap.pixels.iter().all(|b| *b == 255));
    }
}
