//! Images as a PDF takes them: their data as it is, what it shows read from its header. Nothing is decoded, so a header that lies
//! costs nothing here.

mod jpeg;
mod png;

/// How an image's colours are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    Gray,
    Rgb,
    Cmyk,
}

impl Colour {
    fn of_components(count: u8) -> Option<Colour> {
        Some(match count {
            1 => Colour::Gray,
            3 => Colour::Rgb,
            4 => Colour::Cmyk,
            _ => return None,
        })
    }

    pub fn components(self) -> u8 {
        match self {
            Colour::Gray => 1,
            Colour::Rgb => 3,
            Colour::Cmyk => 4,
        }
    }

    /// What a PDF calls it.
    pub fn space(self) -> &'static str {
        match self {
            Colour::Gray => "DeviceGray",
            Colour::Rgb => "DeviceRGB",
            Colour::Cmyk => "DeviceCMYK",
        }
    }
}

/// How an image's data is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// A JPEG file.
    Jpeg,
    /// The deflated rows of a PNG file.
    Png,
}

/// An image of 8 bits a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels; never 0.
    pub width: u32,
    /// Pixels; never 0.
    pub height: u32,
    pub colour: Colour,
    pub packing: Packing,
    pub data: Vec<u8>,
}

impl Image {
    /// The image in a file; `None` when a PDF cannot take it as it is.
    pub fn read(file: Vec<u8>) -> Option<Image> {
        let image = if file.starts_with(png::SIGNATURE) {
            png::image(&file)?
        } else {
            jpeg::image(file)?
        };
        (image.width > 0 && image.height > 0).then_some(image)
    }
}

/// The first `N` bytes and what follows them.
fn split<const N: usize>(bytes: &[u8]) -> Option<([u8; N], &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<N>()?;
    Some((*head, rest))
}
