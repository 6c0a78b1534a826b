//! JPEG: size and components from the frame's header. The file is the data.

use super::{Colour, Image, Packing, split};

const START: [u8; 2] = [0xff, 0xd8];
const ESCAPE: u8 = 0xff;

pub(super) fn image(file: Vec<u8>) -> Option<Image> {
    let (width, height, colour) = frame(file.strip_prefix(&START)?)?;
    Some(Image {
        width,
        height,
        colour,
        packing: Packing::Jpeg,
        data: file,
    })
}

/// Go from segment to segment up to the header of the frame.
fn frame(mut rest: &[u8]) -> Option<(u32, u32, Colour)> {
    loop {
        let (mut marker, mut after) = split::<2>(rest)?;
        // A marker may be filled up in front.
        while marker == [ESCAPE, ESCAPE] {
            rest = rest.get(1..)?;
            (marker, after) = split::<2>(rest)?;
        }
        let [ESCAPE, marker] = marker else {
            return None;
        };
        match marker {
            // These stand alone.
            0x01 | 0xd0..=0xd7 => {
                rest = after;
                continue;
            }
            // Another start, the end, the picture itself: there is no header before them.
            0x00 | 0xd8..=0xda => return None,
            _ => {}
        }
        let (length, _) = split::<2>(after)?;
        let length = usize::from(u16::from_be_bytes(length));
        let segment = after.get(2..length)?;
        match marker {
            0xc0..=0xc3 => return header(segment),
            // Frames that no reader of PDFs knows.
            0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => return None,
            _ => rest = after.get(length..)?,
        }
    }
}

fn header(segment: &[u8]) -> Option<(u32, u32, Colour)> {
    let ([bits, h1, h0, w1, w0, components], _) = split::<6>(segment)?;
    let size = |high, low| u32::from(u16::from_be_bytes([high, low]));
    let colour = Colour::of_components(components)?;
    (bits == 8).then(|| (size(w1, w0), size(h1, h0), colour))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn file(parts: &[&[u8]]) -> Vec<u8> {
        let mut file = START.to_vec();
        parts.iter().for_each(|part| file.extend_from_slice(part));
        file
    }

    fn sof(marker: u8, bits: u8, components: u8) -> Vec<u8> {
        vec![
            0xff, marker, 0, 9, bits, 0x01, 0x02, 0x03, 0x04, components, 0,
        ]
    }

    #[test]
    fn the_frame_is_found_behind_other_segments() {
        let app = [0xff, 0xe0, 0, 4, 0xff, 0xc0];
        let file = file(&[&app, &[0xff, 0x01], &[0xff, 0xff], &sof(0xc2, 8, 3)]);
        let image = image(file.clone()).unwrap();
        assert_eq!((image.width, image.height), (0x304, 0x102));
        assert_eq!((image.colour, image.packing), (Colour::Rgb, Packing::Jpeg));
        assert_eq!(image.data, file);
    }

    #[test]
    fn frames_and_components_are_those_a_pdf_knows() {
        for marker in 0xc0..=0xcf_u8 {
            let found = image(file(&[&sof(marker, 8, 1)]));
            assert_eq!(found.is_some(), marker <= 0xc3, "{marker:02x}");
        }
        for components in 0..=5 {
            let found = image(file(&[&sof(0xc0, 8, components)]));
            assert_eq!(found.is_some(), matches!(components, 1 | 3 | 4));
        }
        assert!(image(file(&[&sof(0xc1, 12, 3)])).is_none());
    }

    #[test]
    fn what_has_no_frame_is_none() {
        let frame = sof(0xc0, 8, 3);
        for before in [
            &[0xff, 0xda][..],
            &[0xff, 0xd9],
            &[0xff, 0xd8],
            &[0x00],
            // A segment shorter than its own length, one that ends behind the file.
            &[0xff, 0xe0, 0, 1],
            &[0xff, 0xe0, 0xff, 0xff],
        ] {
            assert!(image(file(&[before, &frame])).is_none(), "{before:?}");
        }
        let whole = file(&[&frame]);
        for length in 0..whole.len() {
            assert!(image(whole[..length].to_vec()).is_none(), "{length}");
        }
    }
}
