//! A desktop entry's `Exec` as the program and its arguments, by the specification's rules for quotes and field codes. No shell ever
//! sees it: what a shell would expand is plain text here, and what a field code stands for stays within its argument.

use super::entry::Entry;

/// The command line makes no sense.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

/// The program and its arguments; there are no files to hand over.
pub fn arguments(entry: &Entry) -> Result<Vec<String>, Malformed> {
    let exec = entry.exec.as_deref().ok_or(Malformed)?;
    let mut all = Vec::new();
    let mut chars = exec.chars().peekable();
    loop {
        while chars.next_if(|c| is_space(*c)).is_some() {}
        if chars.peek().is_none() {
            break;
        }
        let mut argument = Argument::default();
        while let Some(c) = chars.next_if(|c| !is_space(*c)) {
            match c {
                '"' => {
                    argument.stays = true;
                    loop {
                        match chars.next().ok_or(Malformed)? {
                            '"' => break,
                            '\\' => match chars.next().ok_or(Malformed)? {
                                c @ ('"' | '`' | '$' | '\\') => argument.text.push(c),
                                c => argument.text.extend(['\\', c]),
                            },
                            '%' => argument.code(chars.next(), entry)?,
                            c => argument.text.push(c),
                        }
                    }
                }
                // Undefined outside quotes; others read it as a shell does.
                '\\' => argument.text.extend(chars.next()),
                '%' => argument.code(chars.next(), entry)?,
                c => argument.text.push(c),
            }
        }
        all.extend(
            argument
                .icon
                .iter()
                .flat_map(|i| ["--icon".into(), i.clone()]),
        );
        if argument.stays || !argument.text.is_empty() {
            all.push(argument.text);
        }
    }
    match all.first() {
        Some(program) if is_program(program) => Ok(all),
        _ => Err(Malformed),
    }
}

#[derive(Default)]
struct Argument {
    text: String,
    icon: Option<String>,
    /// It is one even when it is empty: it was quoted.
    stays: bool,
}

impl Argument {
    fn code(&mut self, code: Option<char>, entry: &Entry) -> Result<(), Malformed> {
        match code.ok_or(Malformed)? {
            '%' => self.text.push('%'),
            'c' => self.text.push_str(&entry.name),
            'k' => self.text.push_str(&entry.file.to_string_lossy()),
            'i' => self.icon = entry.icon.clone(),
            // Files, of which there are none, and what once was.
            'f' | 'F' | 'u' | 'U' | 'd' | 'D' | 'n' | 'N' | 'v' | 'm' => {}
            _ => return Err(Malformed),
        }
        Ok(())
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// A whole path or a name to look for, and no assignment.
fn is_program(program: &str) -> bool {
    let place = program.starts_with('/') || !program.contains('/');
    !program.is_empty() && place && !program.contains(['=', '\0'])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(exec: &str) -> Result<Vec<String>, Malformed> {
        arguments(&Entry {
            exec: Some(exec.into()),
            name: "A $(b) \"c\"".into(),
            icon: Some("calc".into()),
            file: "/usr/share/applications/calc.desktop".into(),
            ..Entry::default()
        })
    }

    #[test]
    fn quotes_hold_one_argument_together_and_nothing_is_expanded() {
        assert_eq!(
            of(r#"  prog "a b" "" "\$HOME \"x\" \\ \`" $HOME ~;ls *.c |cat"#).unwrap(),
            [
                "prog",
                "a b",
                "",
                "$HOME \"x\" \\ `",
                "$HOME",
                "~;ls",
                "*.c",
                "|cat"
            ]
        );
    }

    #[test]
    fn field_codes_are_filled_within_their_argument_or_dropped() {
        assert_eq!(
            of("prog %U --x=%f %F%u -v").unwrap(),
            ["prog", "--x=", "-v"]
        );
        assert_eq!(
            of("prog %i --title %c %k").unwrap(),
            [
                "prog",
                "--icon",
                "calc",
                "--title",
                "A $(b) \"c\"",
                "/usr/share/applications/calc.desktop"
            ]
        );
        assert_eq!(of(r#""/100%%/ede" 5%% %d%m"#).unwrap(), ["/100%/ede", "5%"]);
    }

    #[test]
    fn what_makes_no_sense_starts_nothing() {
        for bad in [
            "",
            "  ",
            "%U",
            "\"open",
            "prog %",
            "prog %x",
            "\"\"",
            "A=b prog",
            "./prog",
            "bin/prog",
            "prog \"a\\",
        ] {
            assert_eq!(of(bad), Err(Malformed), "{bad:?}");
        }
        assert_eq!(arguments(&Entry::default()), Err(Malformed));
    }

    #[test]
    fn the_entries_of_our_own_apps_start_what_they_name() {
        assert_eq!(
            of("\"/home/a b/\\$x/100%%/ede\" open acme.hours").unwrap(),
            ["/home/a b/$x/100%/ede", "open", "acme.hours"]
        );
    }
}
