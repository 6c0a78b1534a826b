//! Pictures in the hands of a test: load, cut, count.

use std::path::Path;

use image::ImageResult;

/// Rows of R, G, B, A with straight alpha.
pub type Picture = image::RgbaImage;

/// Read a PNG file.
///
/// # Errors
/// When there is no such file or it is no picture.
pub fn load(path: impl AsRef<Path>) -> ImageResult<Picture> {
    Ok(image::open(path)?.into_rgba8())
}

/// A part of a picture, cut at the picture's own edges.
pub fn crop(picture: &Picture, x: u32, y: u32, width: u32, height: u32) -> Picture {
    image::imageops::crop_imm(picture, x, y, width, height).to_image()
}

/// How many pixels fulfil a condition on R, G, B, A.
pub fn count(picture: &Picture, mut matches: impl FnMut([u8; 4]) -> bool) -> usize {
    picture.pixels().filter(|pixel| matches(pixel.0)).count()
}

/// Whether no channel of two colours is more than `tolerance` apart.
pub fn near(a: [u8; 4], b: [u8; 4], tolerance: u8) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= tolerance)
}

/// How many different colours there are: 1 for a plain surface, many where text or a picture is.
pub fn colours(picture: &Picture) -> usize {
    picture
        .pixels()
        .map(|pixel| pixel.0)
        .collect::<std::collections::HashSet<_>>()
        .len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_cut_at_the_edges_and_its_pixels_are_counted() {
        let mut picture = Picture::from_pixel(4, 4, image::Rgba([0, 0, 0, 255]));
        picture.put_pixel(3, 3, image::Rgba([255, 0, 0, 255]));
        let corner = crop(&picture, 2, 2, 10, 10);
        assert_eq!(corner.dimensions(), (2, 2));
        assert_eq!(count(&corner, |pixel| near(pixel, [250, 4, 0, 255], 5)), 1);
        assert_eq!(colours(&corner), 2);
    }
}
