//! Bytes to pixels: PNG, JPEG, WebP and GIF (their first frame), SVG. What is too large is refused before it is decoded.

use std::io::Cursor;

use eui_core::host;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, imageops::FilterType};

use super::Bitmap;
use super::svg;

/// Pixels kept of a larger photo.
const MOST_KEPT: u64 = 4 << 20;
/// Memory a decoder may take beside its output.
const MOST_ALLOC: u64 = 256 << 20;

/// A decoded picture; `drawn_for` is the longest side a drawing was painted for, 0 for pixels.
pub(super) struct Decoded {
    pub bitmap: Bitmap,
    pub drawn_for: u32,
}

/// `side`: paint a drawing at least this long (px); its own size and a little more for `None`.
pub(super) fn decode(bytes: &[u8], side: Option<u32>) -> Result<Decoded, String> {
    host::media_image_within_limits(bytes)?;
    let format = match image::guess_format(bytes) {
        Ok(f @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP | ImageFormat::Gif)) => f,
        _ if svg::is_svg(bytes) => return svg::draw(bytes, side),
        _ => return Err("not a picture that can be shown".into()),
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_ALLOC);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|e| e.to_string())?;
    let orientation = decoder.orientation().map_err(|e| e.to_string())?;
    let (w, h) = decoder.dimensions();
    if u64::from(w) * u64::from(h) > host::MEDIA_MAX_PIXELS || w == 0 || h == 0 {
        return Err(format!("{w}×{h} pixels cannot be shown"));
    }
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|e| e.to_string())?;
    picture.apply_orientation(orientation);
    let natural = (picture.width(), picture.height());
    let pixels = u64::from(natural.0) * u64::from(natural.1);
    if pixels > MOST_KEPT {
        let by = (MOST_KEPT as f64 / pixels as f64).sqrt();
        let side = |v: u32| ((f64::from(v) * by) as u32).max(1);
        picture = picture.resize_exact(side(natural.0), side(natural.1), FilterType::Triangle);
    }
    let mut rgba = picture.into_rgba8();
    let (width, height) = rgba.dimensions();
    for p in rgba.pixels_mut() {
        let a = u32::from(p.0[3]);
        if a < 255 {
            let m = |v: u8| ((u32::from(v) * a + 127) / 255) as u8;
            p.0 = [m(p.0[0]), m(p.0[1]), m(p.0[2]), p.0[3]];
        }
    }
    Ok(Decoded {
        bitmap: Bitmap {
            width,
            height,
            pixels: rgba.into_raw(),
            natural,
        },
        drawn_for: 0,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    fn encoded(format: ImageFormat) -> Vec<u8> {
        let picture = RgbaImage::from_fn(3, 2, |x, _| Rgba([x as u8 * 100, 10, 20, 255]));
        let mut out = Cursor::new(Vec::new());
        let picture = DynamicImage::from(picture);
        let picture = match format {
            ImageFormat::Jpeg => DynamicImage::from(picture.into_rgb8()),
            _ => picture,
        };
        picture.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    #[test]
    fn every_format_is_told_by_its_bytes() {
        for format in [
            ImageFormat::Png,
            ImageFormat::Jpeg,
            ImageFormat::WebP,
            ImageFormat::Gif,
        ] {
            let b = decode(&encoded(format), None).unwrap().bitmap;
            assert_eq!(
                (b.width, b.height, b.pixels.len()),
                (3, 2, 24),
                "{format:?}"
            );
        }
    }

    #[test]
    fn a_broken_picture_is_an_error_and_never_a_panic() {
        for format in [
            ImageFormat::Png,
            ImageFormat::Jpeg,
            ImageFormat::WebP,
            ImageFormat::Gif,
        ] {
            let whole = encoded(format);
            for cut in (0..whole.len()).step_by(3) {
                let _ = decode(&whole[..cut], None);
                let mut bent = whole.clone();
                bent[cut] ^= 0x55;
                let _ = decode(&bent, None);
            }
            assert!(
                decode(&whole[..whole.len() / 4], None).is_err(),
                "{format:?}"
            );
        }
    }
}
