//! UUIDs as text: eight, four, four, four and twelve hex digits. Pure; where the bits come from is the caller's.

/// A UUID of this version, its other bits from `bits`.
pub(crate) fn spell(bits: u128, version: u8) -> String {
    let marks = u128::from(version & 0xf) << 76 | 0x2 << 62;
    let bits = bits & !(0xf << 76 | 0x3 << 62) | marks;
    let hex = format!("{bits:032x}");
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &hex[part]);
    parts.join("-")
}

/// Is `text` a UUID in lower case?
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_says_its_version_and_is_read_in_lower_case_alone() {
        let id = spell(u128::MAX, 8);
        assert_eq!(id, "ffffffff-ffff-8fff-bfff-ffffffffffff");
        assert!(is_uuid(&id) && is_uuid(&spell(0, 4)));
        let upper = id.to_uppercase();
        let path = format!("{}/", &id[..35]);
        for other in ["", "..", upper.as_str(), path.as_str(), &id[1..]] {
            assert!(!is_uuid(other), "{other}");
        }
    }
}
