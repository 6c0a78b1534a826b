//! The names and texts the formats allow, each as regular expression, test and words.

use super::shape::Pattern;

/// `first` then at most `more` of the characters `rest` allows.
fn word(text: &str, first: fn(char) -> bool, rest: fn(char) -> bool, more: usize) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(first) && chars.clone().count() <= more && chars.all(rest)
}

fn lower(c: char) -> bool {
    c.is_ascii_lowercase()
}

fn letter(c: char) -> bool {
    c.is_ascii_alphabetic()
}

fn lower_or_digit(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

fn name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What fits on one line of another program: no line ends, and no NUL, which ends a text for programs in C. Says itself after a length.
pub const LINE: Pattern = Pattern {
    regex: r"^[^\u0000-\u001f\u007f-\u009f]*$",
    test: |text| !text.contains(char::is_control),
    says: "without control characters",
};

/// As [`LINE`], but lines may end in it. Says itself after a length.
pub const PROSE: Pattern = Pattern {
    regex: r"^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$",
    test: |text| !text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'),
    says: "without control characters but line ends",
};

/// An app's id: dotted lower-case words, `acme.hours`.
pub const APP_ID: Pattern = Pattern {
    regex: r"^[a-z][a-z0-9-]{0,31}(\.[a-z0-9][a-z0-9-]{0,31}){0,4}$",
    test: |text| {
        let mut parts = text.split('.');
        let part = |c| lower_or_digit(c) || c == '-';
        parts.next().is_some_and(|p| word(p, lower, part, 31))
            && parts.clone().count() <= 4
            && parts.all(|p| word(p, lower_or_digit, part, 31))
    },
    says: "dotted lower-case words like acme.hours",
};

fn base64(text: &str, length: usize, padding: usize) -> bool {
    let digits = text.trim_end_matches('=');
    digits.len() == length
        && text.len() - digits.len() <= padding
        && digits
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+/-_".contains(&b))
}

/// A public key: 32 bytes.
pub const AUTHOR_KEY: Pattern = Pattern {
    regex: r"^ed25519:[A-Za-z0-9+/_-]{43}={0,1}$",
    test: |text| {
        text.strip_prefix("ed25519:")
            .is_some_and(|key| base64(key, 43, 1))
    },
    says: "ed25519: and 32 bytes in base64",
};

/// A signature: 64 bytes.
pub const SIGNATURE: Pattern = Pattern {
    regex: r"^[A-Za-z0-9+/_-]{86}={0,2}$",
    test: |text| base64(text, 86, 2),
    says: "64 bytes in base64",
};

/// `MAJOR.MINOR.PATCH`.
pub const VERSION: Pattern = Pattern {
    regex: r"^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$",
    test: |text| {
        let number = |p: &str| {
            !p.is_empty()
                && p.len() <= 9
                && p.bytes().all(|b| b.is_ascii_digit())
                && (p == "0" || !p.starts_with('0'))
        };
        text.split('.').count() == 3 && text.split('.').all(number)
    },
    says: "a version like 1.0.0",
};

/// A template's id, which is a screen's name too.
pub const TEMPLATE_ID: Pattern = Pattern {
    regex: r"^[A-Za-z][A-Za-z0-9_.-]{0,63}$",
    test: |text| word(text, letter, |c| name_char(c) || c == '.' || c == '-', 63),
    says: "a letter, then letters, digits, `_`, `-` or `.`, at most 64",
};

/// A record kind.
pub const KIND: Pattern = Pattern {
    regex: r"^[a-z][a-z0-9_]{0,31}$",
    test: |text| word(text, lower, |c| lower_or_digit(c) || c == '_', 31),
    says: "a lower-case letter, then lower-case letters, digits or `_`, at most 32",
};

/// A record field or a computed field: a name an expression can read.
pub const FIELD: Pattern = Pattern {
    regex: r"^[A-Za-z_][A-Za-z0-9_]{0,63}$",
    test: |text| word(text, |c| letter(c) || c == '_', name_char, 63),
    says: "a letter or `_`, then letters, digits or `_`",
};

/// A query, an action, an automation.
pub const NAME: Pattern = Pattern {
    regex: r"^[a-z][A-Za-z0-9_]{0,31}$",
    test: |text| word(text, lower, name_char, 31),
    says: "a lower-case letter, then letters, digits or `_`, at most 32",
};

/// A capability scope.
pub const SCOPE: Pattern = Pattern {
    regex: r"^[a-z][a-z0-9]*\.[a-z][a-z0-9-]*$",
    test: |text| {
        text.split_once('.').is_some_and(|(c, s)| {
            word(c, lower, lower_or_digit, usize::MAX)
                && word(s, lower, |c| lower_or_digit(c) || c == '-', usize::MAX)
        })
    },
    says: "a scope id like windows.read",
};

/// A caret range over versions: `^1`, `^1.2`, `^1.2.3`.
pub const RANGE: Pattern = Pattern {
    regex: r"^\^[0-9]{1,9}(\.[0-9]{1,9}){0,2}$",
    test: |text| {
        let number = |p: &str| (1..=9).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit());
        text.strip_prefix('^')
            .is_some_and(|rest| rest.split('.').count() <= 3 && rest.split('.').all(number))
    },
    says: "a range of versions like ^1",
};

/// Who may move a record along an edge.
pub const WHO: Pattern = Pattern {
    regex: r"^(member|author|owners|role:[A-Za-z_][A-Za-z0-9_]{0,63})$",
    test: |text| {
        matches!(text, "member" | "author" | "owners")
            || text.strip_prefix("role:").is_some_and(FIELD.test)
    },
    says: "member, author, owners or role:<field>",
};

/// A JSON pointer.
pub const POINTER: Pattern = Pattern {
    regex: r"^(/([^/~]|~[01])*)*$",
    test: crate::pointer::is_pointer,
    says: "a JSON pointer like /rows",
};

/// An origin a capability may reach: `https://host` or `https://host:port`, nothing after it.
pub const ORIGIN: Pattern = Pattern {
    regex: r"^https://[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?(:[0-9]{1,5})?$",
    test: |text| {
        let Some(rest) = text.strip_prefix("https://") else {
            return false;
        };
        let (host, port) = rest
            .split_once(':')
            .map_or((rest, None), |(h, p)| (h, Some(p)));
        let edge = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        host.len() <= 254
            && edge(host.as_bytes().first())
            && edge(host.as_bytes().last())
            && host
                .chars()
                .all(|c| lower_or_digit(c) || c == '.' || c == '-')
            && port
                .is_none_or(|p| (1..=5).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit()))
    },
    says: "an exact origin like https://api.example.org",
};

/// A document's id, safe as a file name.
pub const DOCUMENT_ID: Pattern = Pattern {
    regex: r"^[a-z0-9][a-z0-9-]{0,63}$",
    test: |text| word(text, lower_or_digit, |c| lower_or_digit(c) || c == '-', 63),
    says: "lower-case letters, digits and `-`, at most 64",
};

/// A theme's id.
pub const THEME_ID: Pattern = Pattern {
    regex: r"^[a-z][a-z0-9-]*$",
    test: |text| word(text, lower, |c| lower_or_digit(c) || c == '-', usize::MAX),
    says: "lower-case letters, digits and `-`",
};

/// A language tag, or `auto` for the session's.
pub const LOCALE: Pattern = Pattern {
    regex: r"^(auto|[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,5})$",
    test: |text| {
        let mut parts = text.split('-');
        let first = parts
            .next()
            .is_some_and(|p| (2..=8).contains(&p.len()) && p.chars().all(letter));
        first
            && parts.clone().count() <= 5
            && parts
                .all(|p| (1..=8).contains(&p.len()) && p.chars().all(|c| c.is_ascii_alphanumeric()))
    },
    says: "a language tag like de-AT, or auto",
};

/// A desktop entry's id, or an `app_id`: reverse-DNS or a plain name, `.desktop` left out or not.
pub const DESKTOP_ENTRY: Pattern = Pattern {
    regex: r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$",
    test: |text| {
        word(
            text,
            name_char,
            |c| name_char(c) || c == '.' || c == '-',
            254,
        )
    },
    says: "a desktop entry id like org.gnome.Calculator",
};

/// A theme token of the group `color`.
pub const COLOR_TOKEN: Pattern = Pattern {
    regex: r"^\$color\.[A-Za-z][A-Za-z0-9]*$",
    test: |text| {
        text.strip_prefix("$color.")
            .is_some_and(|n| word(n, letter, |c| c.is_ascii_alphanumeric(), usize::MAX))
    },
    says: "a colour token like $color.muted",
};

/// A path of this machine: absolute, below the home folder, or beside the document. Never an address.
pub const PATH: Pattern = Pattern {
    regex: r"^(?![A-Za-z][A-Za-z0-9+.-]*:)[^\u0000]{1,4096}$",
    test: |text| {
        let scheme = text.split_once(':').is_some_and(|(s, _)| {
            word(
                s,
                letter,
                |c| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-'),
                usize::MAX,
            )
        });
        !scheme && !text.contains('\0') && (1..=4096).contains(&text.chars().count())
    },
    says: "a file's path (no address)",
};

/// Every pattern, for the test that the expression and the code agree.
#[cfg(test)]
const ALL: &[Pattern] = &[
    LINE,
    PROSE,
    AUTHOR_KEY,
    SIGNATURE,
    APP_ID,
    VERSION,
    TEMPLATE_ID,
    KIND,
    FIELD,
    NAME,
    SCOPE,
    RANGE,
    WHO,
    POINTER,
    ORIGIN,
    DOCUMENT_ID,
    THEME_ID,
    LOCALE,
    DESKTOP_ENTRY,
    COLOR_TOKEN,
    PATH,
];

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn compiled() -> Vec<(Pattern, jsonschema::Validator)> {
        ALL.iter()
            .map(|p| {
                (
                    *p,
                    jsonschema::validator_for(&json!({"pattern": p.regex}))
                        .expect("the expression compiles"),
                )
            })
            .collect()
    }

    fn concat_padding(before: &str, digits: usize, padding: usize) -> &'static str {
        format!("{before}{}{}", "-".repeat(digits), "=".repeat(padding)).leak()
    }

    fn agrees((pattern, schema): &(Pattern, jsonschema::Validator), text: &str) -> bool {
        schema.is_valid(&json!(text)) == (pattern.test)(text)
    }

    #[test]
    fn the_expression_and_the_code_agree_on_every_near_miss() {
        let words = [
            "",
            "a",
            "A",
            "1",
            "-",
            ".",
            "a.b",
            "a..b",
            "a.b.c.d.e",
            "a.b.c.d.e.f",
            "acme.hours",
            "Acme.hours",
            "ede.clock",
            "1.0.0",
            "01.0.0",
            "1.0",
            "1.0.0.0",
            "^1",
            "^1.2.3",
            "^",
            "1",
            "^1.",
            "member",
            "role:",
            "role:approver",
            "role:1",
            "/",
            "/a~0",
            "/a~2",
            "a/b",
            "https://a",
            "https://a:1",
            "https://a:",
            "https://a/",
            "https://a.b:123456",
            "http://a",
            "https://-a",
            "https://a.",
            "de",
            "de-AT",
            "auto",
            "d",
            "de-",
            "deutschland",
            "$color.muted",
            "$color.",
            "$spacing.md",
            "/home/a.png",
            "file:///a",
            "C:\\a",
            "~/a.png",
            "a:b",
            "windows.read",
            "shell.edit",
            "Windows.read",
            "windows",
            "a.b.c",
            "org.gnome.Calculator",
            "calc.desktop",
            "ü",
            "a\n",
            "a\nb\tc",
            "a\r",
            "a\0",
            "a\u{1b}[2J",
            "a\u{7f}",
            "a\u{9b}1m",
            "a\u{a0}b",
            "a b",
            "x".repeat(64).leak(),
            "x".repeat(65).leak(),
            "x".repeat(300).leak(),
            "x".repeat(86).leak(),
            concat_padding("", 86, 2),
            concat_padding("", 86, 3),
            concat_padding("ed25519:", 43, 0),
            concat_padding("ed25519:", 43, 1),
            concat_padding("ed25519:", 43, 2),
            concat_padding("ed25519:", 44, 0),
        ];
        for pattern in &compiled() {
            for word in words {
                assert!(agrees(pattern, word), "{:?} on {word:?}", pattern.0);
            }
        }
    }

    #[test]
    fn the_expression_and_the_code_agree_on_anything() {
        let patterns = compiled();
        proptest!(|(text in "[a-zA-Z0-9_.:/~^$ -]{0,12}")| {
            for pattern in &patterns {
                prop_assert!(agrees(pattern, &text), "{:?} on {:?}", pattern.0, text);
            }
        });
    }
}
