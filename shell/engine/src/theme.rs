//! Themes as files: eUI's runtime theme format, read and checked by eui-core. Loads no font and no picture.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use eui_core::generated::themes::BUILTIN_THEME_JSON;
use eui_core::theme::{ResolvedTheme, ThemeIssue, ThemeOptions, ThemeRef, try_load_theme};
use eui_core::themes::{BUILTIN_THEME_IDS, DEFAULT_THEME_ID};
use serde_json::Value;

use crate::dotted;
use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::source::{Limits, Source};

/// A theme of eui-core's by its id. Only the themes asked for are read: each takes some 700 KiB, and eui-core's own table reads all.
pub fn built_in(id: &str) -> Option<Arc<ResolvedTheme>> {
    static READ: [OnceLock<Option<Arc<ResolvedTheme>>>; BUILTIN_THEME_IDS.len()] =
        [const { OnceLock::new() }; BUILTIN_THEME_IDS.len()];
    let at = BUILTIN_THEME_IDS.iter().position(|known| *known == id)?;
    let read = || {
        serde_json::from_str(BUILTIN_THEME_JSON[at])
            .ok()
            .map(Arc::new)
    };
    READ[at].get_or_init(read).clone()
}

/// The theme of a session that names none.
pub fn default() -> Arc<ResolvedTheme> {
    built_in(DEFAULT_THEME_ID).unwrap_or_else(eui_core::themes::default_theme)
}

/// What reading a theme gives: the theme when nothing is wrong with it, and all that is.
#[derive(Debug, Clone)]
pub struct ParsedTheme {
    pub theme: Option<Arc<ResolvedTheme>>,
    pub issues: Vec<Issue>,
    pub notes: Vec<Note>,
}

/// Read a theme from its file's bytes. `others` are themes it may extend beside the built-in ones.
pub fn read(bytes: &[u8], others: &[Value]) -> ParsedTheme {
    match Source::read(bytes, Limits::THEME) {
        Ok(source) => parse(&source, others),
        Err(issue) => ParsedTheme {
            theme: None,
            issues: vec![issue],
            notes: Vec::new(),
        },
    }
}

/// Check a theme and flatten what it extends; every issue has its place in the text.
pub fn parse(source: &Source, others: &[Value]) -> ParsedTheme {
    let built_in = BUILTIN_THEME_IDS.iter().filter_map(|id| built_in(id));
    let mut registry: Vec<ThemeRef> = built_in.map(ThemeRef::Resolved).collect();
    registry.extend(others.iter().cloned().map(ThemeRef::Source));
    let loaded = catch_unwind(AssertUnwindSafe(|| {
        try_load_theme(source.value(), &ThemeOptions::core(&registry))
    }));
    let (theme, mut issues) = match loaded {
        Ok(Ok(theme)) => (Some(Arc::new(theme)), Vec::new()),
        Ok(Err(found)) => (None, all_placed(source.value(), &found)),
        Err(_) => (
            None,
            vec![Issue::new(
                "",
                "the theme could not be read to its end: simplify it",
            )],
        ),
    };
    issues.extend(source.issues().iter().cloned());
    source.place(&mut issues);
    issues.sort_by_key(|i| i.position);
    ParsedTheme {
        theme: theme.filter(|_| issues.is_empty()),
        issues,
        notes: Vec::new(),
    }
}

/// The complaints at their places. What a theme that extends none lacks is said once a group, not once a token.
fn all_placed(theme: &Value, found: &[ThemeIssue]) -> Vec<Issue> {
    let (missing, other): (Vec<&ThemeIssue>, Vec<&ThemeIssue>) = found
        .iter()
        .partition(|i| i.message.starts_with("missing value for "));
    let mut issues: Vec<Issue> = other.into_iter().map(|i| placed(theme, i)).collect();
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for issue in missing {
        let (place, name) = dotted::walk(theme, &issue.path);
        let group = place.rsplit_once('/').map_or("", |(group, _)| group);
        match groups.iter_mut().find(|(g, _)| g == group) {
            Some((_, names)) => names.push(name),
            None => groups.push((group.to_owned(), vec![name])),
        }
    }
    issues.extend(groups.into_iter().map(|(group, names)| {
        let shown = names[..names.len().min(8)].join(", ");
        let more = if names.len() > 8 { format!(" and {} more", names.len() - 8) } else { String::new() };
        Issue::new(group, format!("no value for {shown}{more}: add them, or extend a theme that has them (\"extends\": \"neutral\")"))
    }));
    issues
}

/// A complaint of eui-core's at its place, in our words.
fn placed(theme: &Value, issue: &ThemeIssue) -> Issue {
    // The file as a whole is called "theme"; a parent's complaint names the parent first.
    if issue.path == "theme" {
        return Issue::new(
            "",
            "a theme is one JSON object with $schema, id, name, modes, tokens and recipes",
        );
    }
    if issue.path.starts_with("extends(") {
        return Issue::new(
            "/extends",
            format!(
                "the theme it extends is wrong itself: {}: {}",
                issue.path, issue.message
            ),
        );
    }
    let (pointer, last) = dotted::walk(theme, &issue.path);
    match issue.message.split_once("; known: ") {
        Some((what, known)) => {
            let hint = did_you_mean(&last, known.split('|'));
            let known = if hint.is_empty() {
                format!(": known are {}", known.replace('|', ", "))
            } else {
                hint
            };
            let at_key = what.starts_with("unknown") && !what.contains('"') && !what.contains('$');
            let message = format!(
                "{what} {}{known}",
                if what.contains('"') {
                    String::new()
                } else {
                    quoted(&last)
                }
            )
            .replace(" :", ":");
            if at_key || what.starts_with("not a recipe") {
                Issue::key(pointer, message)
            } else {
                Issue::new(pointer, message)
            }
        }
        None => Issue::new(pointer, format!("{}: {}", quoted(&last), issue.message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eui_core::theme::THEME_SCHEMA_ID;
    use serde_json::json;

    fn said(theme: &Value) -> Vec<String> {
        parse(&Source::from_value(theme.clone()), &[])
            .issues
            .into_iter()
            .map(|i| format!("{} {}", i.pointer, i.message))
            .collect()
    }

    #[test]
    fn the_built_in_themes_are_eui_cores() {
        let ids = eui_core::themes::builtin_themes();
        assert_eq!(ids.len(), 4);
        for theme in ids {
            assert_eq!(built_in(&theme.id).as_ref(), Some(&theme));
        }
        assert_eq!(built_in("nope"), None);
        assert_eq!(default(), eui_core::themes::default_theme());
    }

    #[test]
    fn a_theme_over_a_built_in_one_loads() {
        let theme = json!({"$schema": THEME_SCHEMA_ID, "id": "mine", "name": "Mine", "extends": "neutral", "modes": {"light": {"color": {"primary": "#2563eb"}}}});
        assert_eq!(said(&theme), [""; 0]);
        let child =
            json!({"$schema": THEME_SCHEMA_ID, "id": "child", "name": "Child", "extends": "mine"});
        assert!(parse(&Source::from_value(child), &[theme]).theme.is_some());
    }

    #[test]
    fn each_complaint_stands_at_its_place() {
        let with = |key: &str, value: Value| {
            let mut theme = json!({"$schema": THEME_SCHEMA_ID, "id": "mine", "name": "Mine", "extends": "neutral"});
            theme[key] = value;
            said(&theme)
        };
        assert_eq!(
            with("tokens", json!({"spacing": {"mdd": 1}})),
            ["/tokens/spacing/mdd unknown token `mdd`: did you mean `md`?"]
        );
        assert_eq!(
            with("modes", json!({"dark": {"color": {"primary": "red"}}}))[0]
                .split(':')
                .next(),
            Some("/modes/dark/color/primary `primary`")
        );
        assert_eq!(
            with("recipez", json!({})),
            ["/recipez unknown theme key `recipez`: did you mean `recipes`?"]
        );
        assert!(
            with("extends", json!("neutrall"))[0]
                .starts_with("/extends unknown theme \"neutrall\"")
        );
        assert!(said(&json!([]))[0].contains("one JSON object"));
    }
}
