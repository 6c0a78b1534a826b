//! Painted pixels to PNG and back, and how far two pictures are apart. For snapshots, previews and golden images.

use std::io::Cursor;

use thiserror::Error;

/// Why a picture could not be written or read.
#[derive(Debug, Error)]
pub enum PngError {
    #[error("{width}×{height} pixels need {} bytes, there are {got}", u64::from(*width) * u64::from(*height) * 4)]
    Size { width: u32, height: u32, got: usize },
    #[error("not written: {0}")]
    Encode(#[from] ::png::EncodingError),
    #[error("not read: {0}")]
    Decode(#[from] ::png::DecodingError),
    #[error("only 8-bit RGB and RGBA are read")]
    Format,
}

/// Straight (not premultiplied) RGBA pixels, as a file has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rgba {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u8>,
}

/// How two pictures of one size differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The largest difference of one channel.
    pub most: u8,
    /// Pixels with a channel further apart than the tolerance.
    pub pixels: usize,
    /// White where they differ most, black where they agree.
    pub picture: Rgba,
}

impl Rgba {
    /// From painted pixels: premultiplied RGBA, rows without gaps.
    pub fn from_painted(width: u32, height: u32, painted: &[u8]) -> Rgba {
        let pixels = painted
            .as_chunks::<4>()
            .0
            .iter()
            .flat_map(|[r, g, b, a]| match a {
                0 => [0; 4],
                255 => [*r, *g, *b, 255],
                _ => {
                    let straight = |v: u8| {
                        ((u32::from(v) * 255 + u32::from(*a) / 2) / u32::from(*a)).min(255) as u8
                    };
                    [straight(*r), straight(*g), straight(*b), *a]
                }
            })
            .collect();
        Rgba {
            width,
            height,
            pixels,
        }
    }

    pub fn encode(&self) -> Result<Vec<u8>, PngError> {
        if self.pixels.len() as u64 != u64::from(self.width) * u64::from(self.height) * 4 {
            return Err(PngError::Size {
                width: self.width,
                height: self.height,
                got: self.pixels.len(),
            });
        }
        let mut bytes = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(::png::ColorType::Rgba);
        encoder.set_depth(::png::BitDepth::Eight);
        encoder.set_compression(::png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// For our own golden images: at most 64 MB of pixels.
    pub fn decode(bytes: &[u8]) -> Result<Rgba, PngError> {
        let limits = ::png::Limits { bytes: 64 << 20 };
        let mut decoder = ::png::Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder
            .set_transformations(::png::Transformations::EXPAND | ::png::Transformations::STRIP_16);
        let mut reader = decoder.read_info()?;
        let size = reader.output_buffer_size().filter(|n| *n <= 64 << 20);
        let mut buffer = vec![0; size.ok_or(PngError::Format)?];
        let info = reader.next_frame(&mut buffer)?;
        let pixels = match info.color_type {
            ::png::ColorType::Rgba => buffer,
            ::png::ColorType::Rgb => buffer
                .as_chunks::<3>()
                .0
                .iter()
                .flat_map(|[r, g, b]| [*r, *g, *b, 255])
                .collect(),
            _ => return Err(PngError::Format),
        };
        Ok(Rgba {
            width: info.width,
            height: info.height,
            pixels,
        })
    }

    /// `None` when the sizes differ.
    pub fn difference(&self, other: &Rgba, tolerance: u8) -> Option<Difference> {
        if (self.width, self.height) != (other.width, other.height) {
            return None;
        }
        let (mut most, mut count) = (0, 0);
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for (a, b) in self
            .pixels
            .as_chunks::<4>()
            .0
            .iter()
            .zip(other.pixels.as_chunks::<4>().0)
        {
            let d = a
                .iter()
                .zip(b)
                .map(|(a, b)| a.abs_diff(*b))
                .max()
                .unwrap_or(0);
            most = most.max(d);
            count += usize::from(d > tolerance);
            let shown = if d == 0 { 0 } else { d.max(64) };
            pixels.extend_from_slice(&[shown, shown, shown, 255]);
        }
        Some(Difference {
            most,
            pixels: count,
            picture: Rgba {
                width: self.width,
                height: self.height,
                pixels,
            },
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_survives_its_file() {
        let painted = [10, 20, 30, 255, 0, 0, 0, 0, 64, 0, 32, 128, 1, 1, 1, 1];
        let picture = Rgba::from_painted(2, 2, &painted);
        assert_eq!(picture.pixels[8..12], [128, 0, 64, 128]);
        assert_eq!(Rgba::decode(&picture.encode().unwrap()).unwrap(), picture);
    }

    #[test]
    fn a_picture_of_the_wrong_size_is_an_error() {
        let short = Rgba {
            width: 3,
            height: 3,
            pixels: vec![0; 35],
        };
        assert!(matches!(short.encode(), Err(PngError::Size { .. })));
        assert!(
            short
                .difference(
                    &Rgba {
                        width: 3,
                        height: 2,
                        pixels: vec![]
                    },
                    0
                )
                .is_none()
        );
    }
}
