//! A package is read by everyone it is given to: nothing in it may look like a key.

use serde_json::Value;

use crate::issue::Issue;
use crate::pointer;

const PREFIXES: &[(&str, usize)] = &[
    ("sk_live_", 16),
    ("rk_live_", 16),
    ("ghp_", 30),
    ("github_pat_", 30),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("AKIA", 16),
    ("whsec_", 24),
];

/// Every text that looks like a secret.
pub(super) fn check(value: &Value, at: &str, issues: &mut Vec<Issue>) {
    match value {
        Value::String(text) if is_secret(text) => {
            issues.push(Issue::new(at, "this looks like a secret key: a package is no place for one, connect the service as an upstream"));
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(i, v)| check(v, &pointer::item(at, i), issues)),
        Value::Object(members) => members
            .iter()
            .for_each(|(k, v)| check(v, &pointer::child(at, k), issues)),
        _ => {}
    }
}

fn is_secret(text: &str) -> bool {
    let key = |(prefix, least): &(&str, usize)| {
        text.match_indices(prefix).any(|(i, _)| {
            let starts = text[..i]
                .chars()
                .next_back()
                .is_none_or(|c| !c.is_ascii_alphanumeric());
            starts
                && text[i + prefix.len()..]
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
                    .count()
                    >= *least
        })
    };
    PREFIXES.iter().any(key) || (text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----"))
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn keys_are_seen_and_words_about_keys_are_not() {
        assert!(
            is_secret("sk_live_abcdefghijklmnop")
                && is_secret("token: ghp_abcdefghijklmnopqrstuvwxyz0123")
                && is_secret("-----BEGIN RSA PRIVATE KEY-----\nMII")
        );
        assert!(
            !is_secret("sk_live_ keys start so")
                && !is_secret("highphp_abcdefghijklmnopqrstuvwxyz012345")
        );
    }
}
