//! Who signed a package. A signed file has an `author` with a name and a key (`ed25519:` and its base64) and a `signature` with `alg` and
//! `value`, over the whole file but the signature itself, as eui-core spells those bytes (RFC 8785 after a line of context).
//! No key is trusted here: whose key an app's must be is decided where it is installed.

use std::fmt;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose::STANDARD_NO_PAD};
use ed25519_dalek::{Signature, VerifyingKey};
use eui_core::host::{AUTHOR_KEY_PREFIX, package_file_signed_bytes};
use serde_json::{Map, Value};

use crate::issue::Issue;

const READ: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The public key of a package's author.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AuthorKey(VerifyingKey);

impl AuthorKey {
    /// The key that `text` (`ed25519:<base64>`) spells.
    fn parse(text: &str) -> Option<AuthorKey> {
        let bytes = decode(text.strip_prefix(AUTHOR_KEY_PREFIX)?)?;
        VerifyingKey::from_bytes(&bytes.try_into().ok()?)
            .ok()
            .map(AuthorKey)
    }

    /// The key a package names as its author's, its signature not looked at: for bytes that were verified when they were installed.
    pub(super) fn named(package: &Map<String, Value>) -> Option<AuthorKey> {
        package.get("signature")?;
        AuthorKey::parse(package.get("author")?.get("key")?.as_str()?)
    }

    /// The key's first twelve hex digits in groups of four, for people to compare.
    pub fn fingerprint(&self) -> String {
        let hex = super::hex(&self.0.as_bytes()[..6]);
        let groups: Vec<&str> = (0..hex.len())
            .step_by(4)
            .map(|at| &hex[at..at + 4])
            .collect();
        groups.join(" ")
    }
}

impl fmt::Display for AuthorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = STANDARD_NO_PAD.encode(self.0.as_bytes());
        write!(f, "{AUTHOR_KEY_PREFIX}{key}")
    }
}

impl fmt::Debug for AuthorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Base64 in the standard or the URL alphabet, padded or not.
fn decode(text: &str) -> Option<Vec<u8>> {
    READ.decode(text.replace('-', "+").replace('_', "/")).ok()
}

/// What is wrong with the package's signature; nothing when it has none. The shapes of `author` and `signature` are checked before.
pub(super) fn check(package: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let Some(signature) = package.get("signature") else {
        return;
    };
    let Some(key) = AuthorKey::named(package) else {
        issues.push(Issue::new(
            "/author/key",
            "a signed package names its author's key, ed25519: and 32 bytes in base64: sign it again, or take `signature` out",
        ));
        return;
    };
    let signed = signature
        .get("value")
        .and_then(Value::as_str)
        .and_then(decode)
        .and_then(|bytes| Signature::from_slice(&bytes).ok())
        .is_some_and(|signature| {
            key.0
                .verify_strict(&package_file_signed_bytes(package), &signature)
                .is_ok()
        });
    if !signed {
        issues.push(Issue::new(
            "/signature",
            "the signature is not the author's for this file, it was changed after it was signed: sign it again, or take `signature` out",
        ));
    }
}
