//! PNG: 8 bits gray or RGB, not interlaced. Its rows are deflated as a PDF inflates them, so they are taken as they are; what a PDF
//! cannot undo by itself (palettes, alpha, 16 bits) is no image here.

use super::{Colour, Image, Packing, split};

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The largest side the format allows.
const LARGEST_SIDE: u32 = i32::MAX as u32;

pub(super) fn image(file: &[u8]) -> Option<Image> {
    let mut rest = file.strip_prefix(SIGNATURE)?;
    let (kind, header, after) = chunk(rest)?;
    let (width, height, colour) = (kind == *b"IHDR").then(|| read(header))??;
    rest = after;
    let mut data = Vec::new();
    loop {
        let (kind, part, after) = chunk(rest)?;
        match &kind {
            b"IDAT" => data.extend_from_slice(part),
            b"IEND" => break,
            _ => {}
        }
        rest = after;
    }
    (!data.is_empty()).then_some(Image {
        width,
        height,
        colour,
        packing: Packing::Png,
        data,
    })
}

/// The next chunk: its kind, its data, what follows it.
fn chunk(bytes: &[u8]) -> Option<([u8; 4], &[u8], &[u8])> {
    let (length, bytes) = split::<4>(bytes)?;
    let (kind, bytes) = split::<4>(bytes)?;
    let length = usize::try_from(u32::from_be_bytes(length)).ok()?;
    let (data, bytes) = bytes.split_at_checked(length)?;
    let (_checksum, bytes) = split::<4>(bytes)?;
    Some((kind, data, bytes))
}

fn read(header: &[u8]) -> Option<(u32, u32, Colour)> {
    let (width, header) = split::<4>(header)?;
    let (height, header) = split::<4>(header)?;
    // Bits, colour type, then the only ways to pack, to filter and to order the rows.
    let colour = match header {
        [8, 0, 0, 0, 0] => Colour::Gray,
        [8, 2, 0, 0, 0] => Colour::Rgb,
        _ => return None,
    };
    let (width, height) = (u32::from_be_bytes(width), u32::from_be_bytes(height));
    (width <= LARGEST_SIDE && height <= LARGEST_SIDE).then_some((width, height, colour))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn part(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&length[..], kind, data, b"csum"].concat()
    }

    fn header(how: [u8; 5]) -> Vec<u8> {
        let size = [0, 0, 1, 2, 0, 0, 0, 3];
        part(b"IHDR", &[&size[..], &how].concat())
    }

    fn file(parts: &[Vec<u8>]) -> Vec<u8> {
        [SIGNATURE, &parts.concat()].concat()
    }

    const RGB: [u8; 5] = [8, 2, 0, 0, 0];

    #[test]
    fn the_rows_are_put_together() {
        let parts = [
            header(RGB),
            part(b"tEXt", b"IDAT"),
            part(b"IDAT", b"ab"),
            part(b"IDAT", b""),
            part(b"IDAT", b"c"),
            part(b"IEND", b""),
            part(b"IDAT", b"d"),
        ];
        let image = image(&file(&parts)).unwrap();
        assert_eq!((image.width, image.height), (0x102, 3));
        assert_eq!((image.colour, image.packing), (Colour::Rgb, Packing::Png));
        assert_eq!(image.data, b"abc");
    }

    #[test]
    fn only_gray_and_rgb_of_8_bits_in_order_are_taken() {
        let taken = |how| {
            image(&file(&[
                header(how),
                part(b"IDAT", b"a"),
                part(b"IEND", b""),
            ]))
        };
        assert_eq!(taken([8, 0, 0, 0, 0]).unwrap().colour, Colour::Gray);
        assert_eq!(taken(RGB).unwrap().colour, Colour::Rgb);
        for other in [
            [16, 2, 0, 0, 0],
            [1, 0, 0, 0, 0],
            [8, 3, 0, 0, 0],
            [8, 4, 0, 0, 0],
            [8, 6, 0, 0, 0],
            [8, 2, 1, 0, 0],
            [8, 2, 0, 1, 0],
            [8, 2, 0, 0, 1],
        ] {
            assert!(taken(other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn what_is_cut_off_or_says_too_much_is_none() {
        let whole = file(&[header(RGB), part(b"IDAT", b"abc"), part(b"IEND", b"")]);
        assert!(image(&whole).is_some());
        for length in 0..whole.len() {
            assert!(image(&whole[..length]).is_none(), "{length}");
        }
        let mut wide = whole.clone();
        wide[16..20].copy_from_slice(&[0xff; 4]);
        assert!(image(&wide).is_none());
        let mut long = whole;
        long[33..37].copy_from_slice(&[0xff; 4]);
        assert!(image(&long).is_none());
        assert!(image(&file(&[header(RGB), part(b"IEND", b"")])).is_none());
        assert!(
            image(&file(&[
                part(b"IDAT", b"a"),
                header(RGB),
                part(b"IEND", b"")
            ]))
            .is_none()
        );
    }
}
