//! What an app or an agent says, as plain text: for the shell's own sheets and cards, for notifications, for names of files. Nothing they
//! say is markup, turns the direction of the words around it, hides among them or leads away. Pure text: touches nothing.

/// The longest name of a file (bytes), as file systems have it.
pub const NAME_MAX_BYTES: usize = 255;

/// One line of an app's words: no control characters, none that turn the direction of text around, white space folded; longer than
/// `most` letters it ends in an ellipsis.
pub fn line(words: &str, most: usize) -> String {
    cut(&parts(words).collect::<Vec<_>>().join(" "), most)
}

/// An app's words with its own line ends, each line as [`line()`] has it; empty lines are left out.
pub fn lines(words: &str, most: usize) -> String {
    let all = words.split(['\n', '\r']).map(|l| line(l, most));
    let all: Vec<String> = all.filter(|line| !line.is_empty()).collect();
    cut(&all.join("\n"), most)
}

/// [`lines()`], and in each what looks like a link or a path is named as one, as [`without_links()`] does.
pub fn lines_without_links(words: &str, most: usize) -> String {
    let all = words.split(['\n', '\r']).map(|l| without_links(l, most));
    let all: Vec<String> = all.filter(|line| !line.is_empty()).collect();
    cut(&all.join("\n"), most)
}

/// A name as one plain line of at most `most` characters, that of a file say: what is too much of it goes from its middle.
pub fn ends(name: &str, most: usize) -> String {
    let name = line(name, usize::MAX);
    let long = name.chars().count();
    if long <= most {
        return name;
    }
    let end = most / 2;
    let begin: String = name.chars().take(most.saturating_sub(end + 1)).collect();
    let end: String = name.chars().skip(long - end).collect();
    format!("{begin}…{end}")
}

/// An app's, an agent's or a folder's name for a file, as the name of one: one line without what is not seen, no way to another folder, not
/// hidden.
pub fn file_name(name: &str) -> String {
    let barred = |c: char| c == '/' || c == '\\';
    let name = line(name, NAME_MAX_BYTES).replace(barred, "-");
    let name = name.trim_start_matches(['.', ' ']).trim_end();
    let end = name.floor_char_boundary(NAME_MAX_BYTES);
    match &name[..end] {
        "" => "file".into(),
        name => name.into(),
    }
}

/// [`line()`], and what looks like a link or a path is named as one instead of shown.
pub fn without_links(words: &str, most: usize) -> String {
    let safe = parts(words).map(|part| {
        if leads_away(&part) {
            "[link]".into()
        } else {
            part
        }
    });
    cut(&safe.collect::<Vec<_>>().join(" "), most)
}

/// What stands between white space, without what is not seen.
fn parts(words: &str) -> impl Iterator<Item = String> {
    let shown = |c: &char| !c.is_control() && !is_format(*c);
    let part = move |part: &str| part.chars().filter(shown).collect::<String>();
    let parts = words.split(char::is_whitespace).map(part);
    parts.filter(|part| !part.is_empty())
}

fn cut(words: &str, most: usize) -> String {
    if words.chars().count() <= most {
        return words.into();
    }
    let kept = words.chars().take(most.saturating_sub(1));
    kept.chain(std::iter::once('…')).collect()
}

/// Is it a mark of direction, a joiner or another character that is not seen?
pub fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn leads_away(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '~');
    let scheme = bare.split_once(':').is_some_and(|(scheme, rest)| {
        let letters = scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c));
        // 9:30 is a time.
        let begins = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
        scheme.len() > 1 && begins && letters && !rest.is_empty()
    });
    let host = bare
        .split_once('/')
        .is_some_and(|(host, _)| host.contains('.'));
    scheme
        || host
        || bare.contains("://")
        || bare.starts_with("www.")
        || bare.starts_with("mailto:")
        || is_path(&word, bare)
}

/// Does a word, or what is left of it without the signs before it, name a file? `and/or` and `1/2/2026` do not.
fn is_path(word: &str, bare: &str) -> bool {
    let rooted = bare.starts_with('/') && bare.len() > 1;
    let home = bare.starts_with('~') && bare.contains('/');
    let mut letters = word.chars().zip(word.chars().skip(1));
    // `key=/etc/passwd`
    let inside = word.char_indices().any(|(at, c)| {
        let before = word[..at].chars().next_back();
        let after = word[at + c.len_utf8()..].chars().next();
        c == '/'
            && before.is_some_and(|c| !c.is_alphanumeric())
            && after.is_some_and(char::is_alphanumeric)
    });
    let backward = letters.any(|(c, next)| c == '\\' && !next.is_whitespace());
    let deep = word.matches('/').count() > 1 && word.chars().any(char::is_alphabetic);
    rooted || home || inside || backward || deep
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apps_words_are_one_line_of_what_is_seen() {
        assert_eq!(
            line("To  see\nyour\twindows. ", 500),
            "To see your windows."
        );
        assert_eq!(line("a\u{202e}dlrow\u{2066}\u{200b}b\u{7}", 500), "adlrowb");
        assert_eq!(
            line("At 9:30, see www.example", 500),
            "At 9:30, see www.example"
        );
        assert_eq!(line(&"x".repeat(500), 500), "x".repeat(500));
        let cut = line(&"x".repeat(501), 500);
        assert_eq!(cut.chars().count(), 500);
        assert!(cut.ends_with("x…"));
    }

    #[test]
    fn a_text_keeps_its_lines_but_not_the_empty_ones() {
        assert_eq!(lines("a  b\r\n\n\u{200b}\n\u{2028}c", 500), "a b\nc");
        assert_eq!(lines(&"x\n".repeat(500), 9).chars().count(), 9);
        let says = "Ready.\n\nSee [here](https://evil.example) or\u{202e} /etc";
        let folded = "Ready.\nSee [link] or [link]";
        assert_eq!(lines_without_links(says, 500), folded);
        assert_eq!(lines_without_links(folded, 500), folded);
    }

    #[test]
    fn a_name_is_no_path_and_hides_nothing() {
        for (said, name) in [
            ("invoice.pdf", "invoice.pdf"),
            ("../../.bashrc", "-..-.bashrc"),
            ("/etc/passwd", "-etc-passwd"),
            (".profile", "profile"),
            ("a\u{202e}fdp.exe\n", "afdp.exe"),
            ("..", "file"),
            (" ", "file"),
            ("Bericht März", "Bericht März"),
        ] {
            assert_eq!(file_name(said), name, "{said}");
        }
        assert!(file_name(&"ü".repeat(300)).len() <= NAME_MAX_BYTES);
    }

    #[test]
    fn a_long_name_keeps_both_its_ends() {
        assert_eq!(ends("report.txt", 60), "report.txt");
        let long = format!("Invoice 2026.pdf {}.desktop", "W".repeat(200));
        let short = ends(&long, 20);
        assert_eq!(short.chars().count(), 20);
        assert_eq!(
            (&short[..9], short.ends_with("…WW.desktop")),
            ("Invoice 2", true),
            "{short}"
        );
        assert_eq!(ends("a\u{202e}b", 60), "ab");
    }

    #[test]
    fn what_leads_away_is_named_instead_of_shown() {
        let says = "see https://evil.example/x (www.evil.example) /etc/passwd ~/x and/or 1/2, 9:30";
        assert_eq!(
            without_links(says, 500),
            "see [link] [link] [link] [link] and/or 1/2, 9:30"
        );
        for path in [
            r"C:\Users\ines",
            "c:/users/ines",
            r"\\server\share",
            r"..\secret",
            "../secret",
            "./secret",
            "etc/ssh/id_rsa",
            "key=/etc/passwd",
            "(/etc/passwd)",
            "~ines/letters",
            "file:///etc/passwd",
        ] {
            let says = format!("to read {path} for you");
            assert_eq!(
                without_links(&says, 500),
                "to read [link] for you",
                "{path}"
            );
        }
        let harmless = "on 1/2/2026, n/a, w/ you, 24/7: and/or";
        assert_eq!(without_links(harmless, 500), harmless);
    }
}
