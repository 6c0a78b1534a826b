//! How the file is written: it is no JSON, or not one that all read alike, or larger and deeper than a package may be.

use super::common::{Fault, Seen};

pub const BAD: &[Fault] = &[
    ("no-object", "", "one JSON object", Seen::Shape),
    (
        "secret",
        "/description",
        "looks like a secret",
        Seen::Meaning,
    ),
    ("not-json", "", "comma between them", Seen::Text),
    ("not-a-number", "", "not a JSON value", Seen::Text),
    ("huge-number", "", "too large", Seen::Text),
    ("byte-order-mark", "", "byte order mark", Seen::Text),
    ("utf-16", "", "UTF-16", Seen::Text),
    ("latin-1", "", "not UTF-8", Seen::Text),
    ("empty", "", "is empty", Seen::Text),
    ("nested-too-deep", "", "levels deep", Seen::Text),
    ("duplicate-key", "/name", "written twice", Seen::Text),
];
