//! What an app says, as plain text: for the shell's own sheets, and for notifications. Nothing an app says is markup, turns the direction
//! of the words around it or hides among them.

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

/// Marks of direction, joiners and other characters that are not seen.
fn is_format(c: char) -> bool {
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
        || bare.starts_with("~/")
        || bare.starts_with('/') && bare.len() > 1
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
    }

    #[test]
    fn what_leads_away_is_named_instead_of_shown() {
        let says = "see https://evil.example/x (www.evil.example) /etc/passwd ~/x and/or 1/2, 9:30";
        assert_eq!(
            without_links(says, 500),
            "see [link] [link] [link] [link] and/or 1/2, 9:30"
        );
    }
}
