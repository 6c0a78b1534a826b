//! The fonts of the process: the bundled ones straight from the binary, the system's only once a text needs a glyph they lack.

use std::sync::Arc;

use cosmic_text::{FontSystem, fontdb};

/// Owns the one font database. No font file is loaded twice: the bundled faces are borrowed from the binary.
pub struct Fonts {
    pub(crate) system: FontSystem,
    system_loaded: bool,
}

/// The face the icons are drawn with.
pub(crate) const ICON_FAMILY: &str = "lucide";

/// Faces compiled into the binary, with the families themes ask for.
static BUNDLED: [&[u8]; 6] = [
    include_bytes!("../../../assets/fonts/Inter-Regular.otf"),
    include_bytes!("../../../assets/fonts/Inter-Medium.otf"),
    include_bytes!("../../../assets/fonts/Inter-SemiBold.otf"),
    include_bytes!("../../../assets/fonts/Inter-Bold.otf"),
    include_bytes!("../../../assets/fonts/GeistMono-Regular.ttf"),
    lucide_icons::LUCIDE_FONT_BYTES,
];

impl Fonts {
    pub fn new() -> Fonts {
        let mut db = fontdb::Database::new();
        for face in BUNDLED {
            db.load_font_source(fontdb::Source::Binary(Arc::new(face)));
        }
        db.set_sans_serif_family("Inter");
        db.set_monospace_family("Geist Mono");
        db.set_serif_family("Inter");
        let locale = std::env::var("LANG")
            .ok()
            .and_then(|l| l.split('.').next().map(|l| l.replace('_', "-")))
            .filter(|l| l.len() > 1)
            .unwrap_or_else(|| "en-US".into());
        Fonts {
            system: FontSystem::new_with_locale_and_db(locale, db),
            system_loaded: false,
        }
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Fonts::new()
    }
}
