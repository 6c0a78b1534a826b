//! JSON pointers (RFC 6901), as issues spell them. Pure text: touches nothing.

/// A key as one token of a pointer: `~` and `/` escaped.
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A token as the key it names.
pub fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// The pointer of member `key` of the object at `at`.
pub fn child(at: &str, key: &str) -> String {
    format!("{at}/{}", escape(key))
}

/// The pointer of item `index` of the list at `at`.
pub fn item(at: &str, index: usize) -> String {
    format!("{at}/{index}")
}

/// The keys a pointer walks through, unescaped. The whole document (`""`) has none.
pub fn keys(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(unescape).collect()
}

/// Is this a well-formed pointer: empty, or tokens that each start with `/`, with `~` only as `~0` and `~1`?
pub fn is_pointer(text: &str) -> bool {
    if !(text.is_empty() || text.starts_with('/')) {
        return false;
    }
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '~' && !matches!(chars.next(), Some('0' | '1')) {
            return false;
        }
    }
    true
}

/// Does `inner` name the same place as `outer`, or one inside it?
pub fn is_within(inner: &str, outer: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_survives_the_way_into_a_pointer_and_back() {
        let pointer = child(&child("", "a/b"), "c~1");
        assert_eq!(pointer, "/a~1b/c~01");
        assert_eq!(keys(&pointer), ["a/b", "c~1"]);
        assert!(keys("").is_empty());
    }

    #[test]
    fn within_means_the_same_place_or_deeper_never_a_longer_name() {
        assert!(is_within("/a/b", "/a") && is_within("/a", "/a") && is_within("/a", ""));
        assert!(!is_within("/ab", "/a"));
    }

    #[test]
    fn a_pointer_escapes_tildes() {
        assert!(is_pointer("") && is_pointer("/") && is_pointer("/a~0b~1"));
        assert!(!is_pointer("a") && !is_pointer("/a~2") && !is_pointer("/a~"));
    }
}
