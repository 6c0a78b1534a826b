//! `data:` URLs to bytes.

const SCHEME: &str = "data:";

/// Is it a `data:` URL, well formed or not?
pub(super) fn is_one(url: &str) -> bool {
    let scheme = url.get(..SCHEME.len());
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
}

/// The bytes of a `data:` URL; `None` for anything else or anything malformed. At most `most` bytes come out.
pub(super) fn bytes(url: &str, most: u64) -> Option<Vec<u8>> {
    let rest = is_one(url).then(|| &url[SCHEME.len()..])?;
    let (head, body) = rest.split_once(',')?;
    if body.len() as u64 > most.saturating_mul(3) {
        return None;
    }
    let raw = unescape(body)?;
    let out = if head.to_ascii_lowercase().ends_with(";base64") {
        base64(&raw)?
    } else {
        raw
    };
    (out.len() as u64 <= most).then_some(out)
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        let mut digit = || bytes.next().and_then(|b| (b as char).to_digit(16));
        out.push((digit()? * 16 + digit()?) as u8);
    }
    Some(out)
}

/// Standard or URL alphabet, with or without padding, white space skipped.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut have) = (0_u32, 0);
    let mut ended = false;
    for b in text {
        let value = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                ended = true;
                continue;
            }
            b' ' | b'\n' | b'\r' | b'\t' => continue,
            _ => return None,
        };
        if ended {
            return None;
        }
        bits = bits << 6 | u32::from(value);
        have += 6;
        if have >= 8 {
            have -= 8;
            out.push((bits >> have) as u8);
            bits &= (1 << have) - 1;
        }
    }
    (have < 6).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_body_are_read() {
        assert_eq!(bytes("data:,a%20b", 9).as_deref(), Some(&b"a b"[..]));
        assert_eq!(
            bytes("DATA:x;base64,aGVsbG8=", 9).as_deref(),
            Some(&b"hello"[..])
        );
        assert_eq!(
            bytes("data:x;base64,aGVsbG8", 9).as_deref(),
            Some(&b"hello"[..])
        );
    }

    #[test]
    fn malformed_and_oversized_bodies_are_refused() {
        for bad in [
            "data:x;base64,a",
            "data:x;base64,a=b=",
            "data:,%4",
            "data:,%zz",
            "data:abc",
            "http://x",
            "dätä:",
        ] {
            assert_eq!(bytes(bad, 99), None, "{bad}");
        }
        assert_eq!(bytes("data:,0123456789", 9), None);
    }
}
