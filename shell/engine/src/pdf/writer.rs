//! Pages to a file: its objects in the contract's order, each where the table at the end says.

use std::fmt::Display;

use super::image::{Image, Packing};
use super::layout::Page;
use super::metrics::{Font, PAGE};

/// The version, and bytes that say: this is no text.
const HEADER: &[u8] = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";

const CATALOG: usize = 1;
const PAGES: usize = 2;
/// The first of the fonts.
const FONTS: usize = 3;
const INFO: usize = 5;
/// The first of the images; pages follow them.
const IMAGES: usize = 6;

/// A whole file.
pub(super) fn file(title: &str, images: Vec<Image>, pages: &[Page]) -> Vec<u8> {
    let first_page = IMAGES + images.len();
    let mut objects = Objects::new(size(&images, pages));
    objects.add(&format!("<< /Type /Catalog /Pages {PAGES} 0 R >>"));
    // A page is two objects: itself and what is on it.
    let kids = joined((0..pages.len()).map(|index| format!("{} 0 R", first_page + 2 * index)));
    let count = pages.len();
    objects.add(&format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"));
    for font in Font::ALL {
        let base = font.base();
        objects.add(&format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>"
        ));
    }
    let title: String = title.encode_utf16().map(|u| format!("{u:04X}")).collect();
    objects.add(&format!(
        "<< /Title <FEFF{title}> /Producer (Exponential Engine) >>"
    ));
    for image in images {
        objects.stream(&about(&image), &image.data);
    }
    for (index, page) in pages.iter().enumerate() {
        objects.add(&page_object(page, first_page + 2 * index + 1));
        objects.stream("", page.operators.as_bytes());
    }
    objects.finish()
}

/// About how large the file will be.
fn size(images: &[Image], pages: &[Page]) -> usize {
    let images = images.iter().map(|image| image.data.len() + 300);
    let pages = pages.iter().map(|page| page.operators.len() + 300);
    1024 + images.chain(pages).sum::<usize>()
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" ")
}

/// An image's dictionary, but for its length.
fn about(image: &Image) -> String {
    let Image { width, height, .. } = image;
    let space = image.colour.space();
    let packing = match image.packing {
        Packing::Jpeg => "/Filter /DCTDecode".to_owned(),
        Packing::Png => {
            let colors = image.colour.components();
            format!(
                "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors {colors} /BitsPerComponent 8 /Columns {width} >>"
            )
        }
    };
    format!(
        "/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /{space} /BitsPerComponent 8 {packing} "
    )
}

fn page_object(page: &Page, contents: usize) -> String {
    let (width, height) = PAGE;
    let fonts = Font::ALL.iter().zip(FONTS..);
    let fonts = joined(fonts.map(|(font, id)| format!("/{} {id} 0 R", font.resource())));
    let images = page.images.iter();
    let images = joined(images.map(|index| format!("/Im{} {} 0 R", index + 1, IMAGES + index)));
    let images = if images.is_empty() {
        images
    } else {
        format!(" /XObject << {images} >>")
    };
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 {width} {height}] /Resources << /Font << {fonts} >>{images} >> /Contents {contents} 0 R >>"
    )
}

/// The file so far, and where its objects begin. They are numbered from 1 as they come.
struct Objects {
    out: Vec<u8>,
    starts: Vec<usize>,
}

impl Objects {
    fn new(size: usize) -> Objects {
        let mut out = Vec::with_capacity(size);
        out.extend_from_slice(HEADER);
        let starts = Vec::new();
        Objects { out, starts }
    }

    fn text(&mut self, text: impl Display) {
        self.out.extend_from_slice(text.to_string().as_bytes());
    }

    fn begin(&mut self) {
        self.starts.push(self.out.len());
        self.text(format_args!("{} 0 obj\n", self.starts.len()));
    }

    fn add(&mut self, body: &str) {
        self.begin();
        self.text(body);
        self.text("\nendobj\n");
    }

    /// A stream; `about` are the entries of its dictionary before its length, a space after each.
    fn stream(&mut self, about: &str, data: &[u8]) {
        self.begin();
        let length = data.len();
        self.text(format_args!("<< {about}/Length {length} >>\nstream\n"));
        self.out.extend_from_slice(data);
        self.text("\nendstream\nendobj\n");
    }

    fn finish(mut self) -> Vec<u8> {
        let table = self.out.len();
        let size = self.starts.len() + 1;
        self.text(format_args!("xref\n0 {size}\n0000000000 65535 f \n"));
        for start in std::mem::take(&mut self.starts) {
            self.text(format_args!("{start:010} 00000 n \n"));
        }
        self.text(format_args!(
            "trailer\n<< /Size {size} /Root {CATALOG} 0 R /Info {INFO} 0 R >>\nstartxref\n{table}\n%%EOF\n"
        ));
        self.out
    }
}
