//! Drawings (SVG). They can name no file and no address, hold no pictures and no text, and are refused when building or painting them
//! would take long: elements that multiply each other, costly filters, huge numbers of elements.

mod cost;
mod weight;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, roxmltree};

use super::Bitmap;
use super::decode::Decoded;

const MOST_BYTES: usize = 1 << 20;
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
    weight::check(&doc)?;
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
    if !cost::is_bearable(&tree, scale, f64::from(width) * f64::from(height)) {
        return Err("a drawing that would take too long to paint".into());
    }
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

    /// A drawing that is 2048 long where it is painted.
    fn large(body: &str) -> Result<Decoded, String> {
        draw(&svg(body), Some(LONGEST_SIDE))
    }

    #[test]
    fn costly_filters_are_refused_however_they_are_named() {
        let rect = "<rect width='10' height='10' fill='#fff'/>";
        for (step, how) in [
            (
                "<feTurbulence numOctaves='1000000000' baseFrequency='1'/>",
                "filter='url(#f)'",
            ),
            (
                "<feTurbulence numOctaves='1000000000' baseFrequency='1'/>",
                "style='filter:url(#f)'",
            ),
            (
                "<feTurbulence numOctaves='1000000000' baseFrequency='1'/>",
                "class='c'",
            ),
            ("<feMorphology operator='dilate' radius='5'/>", "class='c'"),
        ] {
            let body = format!(
                "<style>.c{{filter:url(#f)}}</style><filter id='f' x='0' y='0' width='1' height='1'>{step}</filter><g {how}>{rect}</g>"
            );
            assert!(large(&body).is_err(), "{step} {how}");
        }
        let many = format!("<g filter='{}'>{rect}</g>", "blur(1) ".repeat(500));
        assert!(large(&many).is_err());
        let blur = "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter>";
        assert!(large(&format!("{blur}<g filter='url(#f)'>{rect}</g>")).is_ok());
    }

    #[test]
    fn layers_and_patterns_that_add_up_are_refused() {
        let layers =
            "<g opacity='.5'><rect width='10' height='10'/><rect width='9' height='9'/></g>";
        assert!(large(&layers.repeat(2000)).is_err());
        assert!(large(&layers.repeat(20)).is_ok());
        // One pattern in the next, each painted for every shape of it.
        let mut body = String::from(
            "<pattern id='p0' width='1' height='1'><rect width='1' height='1'/></pattern>",
        );
        for i in 0..12 {
            let shapes = format!("<rect width='1' height='1' fill='url(#p{i})'/>").repeat(8);
            body.push_str(&format!(
                "<pattern id='p{}' width='1' height='1'>{shapes}</pattern>",
                i + 1
            ));
        }
        body.push_str("<rect width='10' height='10' fill='url(#p12)'/>");
        assert!(draw(&svg(&body), None).is_err());
    }

    #[test]
    fn references_that_multiply_are_refused_wherever_they_are_written() {
        let clips = |refer: &dyn Fn(usize) -> String| {
            let mut body =
                String::from("<clipPath id='a0'><rect width='1' height='1'/></clipPath>");
            for i in 0..12 {
                let shapes = format!("<rect width='1' height='1' {}/>", refer(i)).repeat(8);
                body.push_str(&format!(
                    "<clipPath id='a{}' clipPathUnits='objectBoundingBox'>{shapes}</clipPath>",
                    i + 1
                ));
            }
            format!("{body}<rect width='10' height='10' {}/>", refer(12))
        };
        let rules: String = (0..13)
            .map(|i| format!(".c{i}{{clip-path:url(#a{i})}}"))
            .collect();
        let ways: [(&str, &dyn Fn(usize) -> String); 4] = [
            ("", &|i| format!("clip-path='url(#a{i})'")),
            ("", &|i| format!("style='clip-path: url( \"#a{i}\" )'")),
            (&rules, &|i| format!("class='c{i}'")),
            // The second of two in one attribute.
            ("", &|i| {
                format!("filter='url(#none) url(#a{i})' clip-path='url(#a{i})'")
            }),
        ];
        for (rules, way) in ways {
            let body = format!("<style>{rules}</style>{}", clips(way));
            assert!(draw(&svg(&body), None).is_err(), "{}", way(1));
        }
        // A marker on every corner, which a rule for all gives.
        let marker = format!(
            "<marker id='m'>{}</marker>",
            "<rect width='1' height='1'/>".repeat(20)
        );
        let path = format!("<path d='M0 0{}'/>", "h1v1".repeat(2000));
        let body = format!("<style>path{{marker-mid:url(#m)}}</style>{marker}{path}");
        assert!(draw(&svg(&body), None).is_err());
    }

    #[test]
    fn drawings_as_programs_write_them_are_drawn() {
        let gradient = "<linearGradient id='g'><stop offset='0' stop-color='#fff'/><stop offset='1'/></linearGradient>";
        let clip = "<clipPath id='c'><rect width='9' height='9'/></clipPath>";
        let arrow = "<marker id='m'><path d='M0 0L1 1'/></marker>";
        let shapes = "<g class='k'><path class='a' d='M0 0L9 9L3 1z'/><path class='b' d='M1.5.5c1 1 2 2 3 3'/></g>".repeat(400);
        let style = "<style>.a{fill:url(#g)}.b{marker-end:url(#m)}.k{clip-path:url(#c)}</style>";
        let drawn = draw(
            &svg(&format!(
                "{style}{gradient}{clip}{arrow}<g fill='url(#g)'>{shapes}</g>"
            )),
            None,
        );
        assert!(drawn.is_ok(), "{:?}", drawn.err());
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
