//! Options that several commands take, each read and refused in one place: what is typed wrong is wrong usage (exit code 2) before
//! anything is done.

use clap::ValueEnum;
use ede_engine::clock::parse_instant;
use ede_engine::schema::patterns::LOCALE;
use jiff::Timestamp;

use super::Failure;
use crate::sources::zone::ZoneFile;

/// `--renderer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RendererArg {
    /// The best there is here
    Auto,
    /// The processor
    Software,
    /// The graphics card
    Wgpu,
}

impl RendererArg {
    /// A picture is painted by what was asked for, or not at all: it is there to be compared.
    pub fn picture(self) -> Result<(), Failure> {
        match self {
            RendererArg::Auto | RendererArg::Software => Ok(()),
            RendererArg::Wgpu => Err(Failure::new(
                "this ede paints pictures in software only",
                "--renderer wgpu",
                "leave the option out",
            )),
        }
    }
}

/// `--mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    Light,
    Dark,
}

/// The largest picture either side (px): what a PNG of sane size holds.
const MOST: f32 = 16_384.0;

/// `1280x800`, in logical pixels.
pub fn size(text: &str) -> Result<(f32, f32), String> {
    let (w, h) = text
        .split_once(['x', 'X', '×'])
        .ok_or("write it as 1280x800")?;
    let side = |s: &str| {
        s.trim()
            .parse::<f32>()
            .ok()
            .filter(|n| (1.0..=MOST).contains(n))
            .ok_or(format!("a side is 1 to {MOST} pixels"))
    };
    Ok((side(w)?, side(h)?))
}

/// Pixels per logical pixel.
pub fn scale(text: &str) -> Result<f32, String> {
    text.parse::<f32>()
        .ok()
        .filter(|s| (0.25..=8.0).contains(s))
        .ok_or_else(|| "a scale is 0.25 to 8".into())
}

/// An instant in RFC 3339.
pub fn instant(text: &str) -> Result<Timestamp, String> {
    parse_instant(text).ok_or_else(|| "a time is like 2026-11-30T09:41:00+01:00".into())
}

/// A time zone of the system's database.
pub fn zone(text: &str) -> Result<ZoneFile, String> {
    ZoneFile::named(text).ok_or_else(|| "a time zone is like Europe/Vienna".into())
}

/// A BCP 47 tag.
pub fn locale(text: &str) -> Result<String, String> {
    if (LOCALE.test)(text) {
        Ok(text.into())
    } else {
        Err("a locale is like en-IE".into())
    }
}

/// Someone's member id.
pub fn who(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("name a member; without the option it is you".into())
    } else {
        Ok(text.into())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_size_is_two_sides_a_picture_can_have() {
        assert_eq!(size("1280x800"), Ok((1280.0, 800.0)));
        assert_eq!(size("390 × 844"), Ok((390.0, 844.0)));
        for wrong in ["", "1280", "0x5", "5x-1", "NaNx5", "infx5", "16385x1"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_scale_is_a_sane_number() {
        assert_eq!(scale("1.5"), Ok(1.5));
        for wrong in ["0", "9", "NaN", "inf", "x"] {
            assert!(scale(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_names_no_time_zone_locale_or_member_is_refused() {
        assert!(instant("2026-11-30T09:41:00+01:00").is_ok());
        assert!(instant("yesterday").is_err());
        assert!(zone("UTC").is_ok());
        assert!(zone("Mars/Olympus").is_err());
        assert_eq!(locale("de-AT").unwrap(), "de-AT");
        assert!(locale("!!").is_err());
        assert!(who(" ").is_err());
    }
}
