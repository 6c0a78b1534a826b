//! The formats a tool's text may have to keep. Pure tests of one text each.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use url::Url;

/// A format of the engine contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 3339 with a zone: `T` and `Z` in upper case, seconds to 59, offsets to ±23:59.
    DateTime,
    /// A day, `2026-11-30`.
    Date,
    /// 1 to 64 of `[A-Za-z0-9._-]`.
    Token,
    /// An absolute http or https URL.
    Uri,
    /// The standard alphabet, padded, without stray bits; nothing is the base64 of nothing.
    Base64,
}

impl Format {
    /// The format called `name`.
    pub fn parse(name: &str) -> Option<Format> {
        Some(match name {
            "date-time" => Format::DateTime,
            "date" => Format::Date,
            "token" => Format::Token,
            "uri" => Format::Uri,
            "base64" => Format::Base64,
            _ => return None,
        })
    }

    /// Does `text` keep to it?
    pub fn fits(self, text: &str) -> bool {
        match self {
            Format::DateTime => date_time(text.as_bytes()).is_some(),
            Format::Date => {
                let whole = text.len() == 10 && text.as_bytes()[4] == b'-';
                whole && text.parse::<jiff::civil::Date>().is_ok()
            }
            Format::Token => {
                (1..=64).contains(&text.len())
                    && text
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
            }
            Format::Uri => web_url(text).is_some(),
            Format::Base64 => bytes(text).is_some(),
        }
    }
}

/// The bytes that `text` spells in base64.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// `bytes` in base64.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The absolute http or https URL that `text` spells out. What only a browser's address line would mend is none: a missing
/// slash, a backslash for one, spaces and control characters.
pub fn web_url(text: &str) -> Option<Url> {
    let (scheme, rest) = text.split_once("://")?;
    let http = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let mended = |c: char| c == '\\' || c.is_whitespace() || c.is_control();
    // An empty authority would be mended too: `https:///host`.
    if !http || rest.starts_with('/') || text.contains(mended) {
        return None;
    }
    Url::parse(text)
        .ok()
        .filter(|url| url.host_str().is_some_and(|host| !host.is_empty()))
}

/// A number of exactly `digits` digits at the start, at most `most`.
fn number(text: &[u8], digits: usize, most: u32) -> Option<(u32, &[u8])> {
    let (head, rest) = text.split_at_checked(digits)?;
    let mut value = 0;
    for byte in head {
        value = value * 10 + char::from(*byte).to_digit(10)?;
    }
    (value <= most).then_some((value, rest))
}

fn date_time(text: &[u8]) -> Option<()> {
    let (year, text) = number(text, 4, 9999)?;
    let (month, text) = number(text.strip_prefix(b"-")?, 2, 12)?;
    let (day, text) = number(text.strip_prefix(b"-")?, 2, days(year, month)?)?;
    let (_, text) = number(text.strip_prefix(b"T")?, 2, 23)?;
    let (_, text) = number(text.strip_prefix(b":")?, 2, 59)?;
    let (_, mut text) = number(text.strip_prefix(b":")?, 2, 59)?;
    if let Some(fraction) = text.strip_prefix(b".") {
        let digits = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
        text = fraction.get(digits..).filter(|_| digits > 0)?;
    }
    if day == 0 {
        return None;
    }
    if text == b"Z" {
        return Some(());
    }
    let offset = text.strip_prefix(b"+").or(text.strip_prefix(b"-"))?;
    let (_, offset) = number(offset, 2, 23)?;
    let (_, offset) = number(offset.strip_prefix(b":")?, 2, 59)?;
    offset.is_empty().then_some(())
}

fn days(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    Some(match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => return None,
    })
}
