//! What kind of bytes a file holds: by what is said, by its name, by how it begins.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// MIME types by the extension of a name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MimeTypes(BTreeMap<String, String>);

/// Extensions this host knows.
const KNOWN: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    (
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    ("epub", "application/epub+zip"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("heic", "image/heic"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ics", "text/calendar"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("json", "application/json"),
    ("m4a", "audio/mp4"),
    ("md", "text/markdown"),
    ("mov", "video/quicktime"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("odp", "application/vnd.oasis.opendocument.presentation"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("ogg", "audio/ogg"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    (
        "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    ("svg", "image/svg+xml"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("txt", "text/plain"),
    ("vcf", "text/vcard"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    (
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    ("xml", "application/xml"),
    ("zip", "application/zip"),
];

/// How files of some kinds begin.
const SIGNATURES: &[(&[u8], Sniffed)] = &[
    (b"%PDF-", Sniffed::Pdf),
    (b"\xff\xd8\xff", Sniffed::Jpeg),
    (b"\x89PNG\r\n\x1a\n", Sniffed::Png),
    (b"GIF8", Sniffed::Gif),
];

/// A kind that bytes tell of themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    Pdf,
    Jpeg,
    Png,
    Gif,
}

impl Sniffed {
    /// The kind that `bytes` begin as.
    pub fn of(bytes: &[u8]) -> Option<Sniffed> {
        let fits = SIGNATURES
            .iter()
            .find(|(start, _)| bytes.starts_with(start));
        fits.map(|(_, kind)| *kind)
    }

    pub fn mime_type(self) -> &'static str {
        match self {
            Sniffed::Pdf => "application/pdf",
            Sniffed::Jpeg => "image/jpeg",
            Sniffed::Png => "image/png",
            Sniffed::Gif => "image/gif",
        }
    }
}

impl MimeTypes {
    /// The types this host knows.
    pub fn known() -> &'static MimeTypes {
        static ALL: LazyLock<MimeTypes> = LazyLock::new(|| {
            let known = KNOWN.iter().map(|(e, t)| ((*e).into(), (*t).into()));
            MimeTypes(known.collect())
        });
        &ALL
    }

    /// The type of a file called `name`, by what follows its last dot, in any case.
    pub fn of_name(&self, name: &str) -> Option<&str> {
        let (_, extension) = name.rsplit_once('.')?;
        let found = self.0.get(&extension.to_ascii_lowercase());
        found.map(String::as_str)
    }

    /// The type of a file: what is `given`, else by its name, else by how it begins, else that of any text or any bytes.
    pub fn of_file(&self, given: Option<&str>, name: &str, bytes: &[u8], is_text: bool) -> String {
        let found = given
            .or_else(|| self.of_name(name))
            .or_else(|| Sniffed::of(bytes).map(Sniffed::mime_type));
        let otherwise = if is_text {
            "text/plain"
        } else {
            "application/octet-stream"
        };
        found.unwrap_or(otherwise).to_owned()
    }
}

impl FromIterator<(String, String)> for MimeTypes {
    /// Extensions with or without their dot, in any case.
    fn from_iter<I: IntoIterator<Item = (String, String)>>(types: I) -> MimeTypes {
        let clean = |(e, t): (String, String)| (e.trim_start_matches('.').to_ascii_lowercase(), t);
        MimeTypes(types.into_iter().map(clean).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extensions_stand_in_order_in_lower_case() {
        assert!(KNOWN.is_sorted_by(|a, b| a.0 < b.0));
        assert!(KNOWN.iter().all(|(e, _)| *e == e.to_ascii_lowercase()));
    }

    #[test]
    fn what_is_said_goes_before_the_name_and_the_name_before_the_bytes() {
        let types = MimeTypes::known();
        let of = |given, name, bytes: &[u8], text| types.of_file(given, name, bytes, text);
        assert_eq!(of(Some("a/b"), "x.pdf", b"GIF8", false), "a/b");
        assert_eq!(of(None, "x.tar.PDF", b"GIF8", false), "application/pdf");
        assert_eq!(of(None, "x.unheard", b"GIF89a", true), "image/gif");
        assert_eq!(of(None, "pdf", b"", false), "application/octet-stream");
        assert_eq!(of(None, "x.", b"hi", true), "text/plain");
    }
}
