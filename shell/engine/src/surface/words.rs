//! eui-core's complaints in our words, at their places in the file.

use eui_core::catalog::TOKEN_GROUPS;
use eui_core::generated::catalog::{FUNCTION_NAMES, ICON_NAMES};
use eui_core::reducer::RESERVED_KEYS;
use eui_core::style_check::STYLE_SPECS;
use eui_core::types::ReduceIssue;
use serde_json::Value;

use super::Check;
use crate::dotted;
use crate::issue::{Issue, did_you_mean, quoted};
use crate::pointer;
use crate::schema::check::in_words;

/// What every component takes beside the props of its own.
const COMMON: [&str; 4] = ["style", "visible", "on", "accessibility"];

impl Check<'_> {
    /// A complaint about one component, at its place inside it.
    pub(super) fn place(&self, index: usize, message: &str) -> Issue {
        let here = self.list[index].0.clone();
        let component = self.list[index].1;
        let name = component["component"].as_str().unwrap_or_default();
        if message.starts_with("unknown component ") || message.starts_with("basic component ") {
            let hint = did_you_mean(name, self.catalog.names());
            let what = if hint.is_empty() {
                ": `ede preview --gallery` shows those there are"
            } else {
                &hint
            };
            return Issue::new(
                pointer::child(&here, "component"),
                format!("no component is called {}{what}", quoted(name)),
            );
        }
        if message.ends_with(" takes no children") {
            return Issue::new(
                pointer::child(&here, "children"),
                format!("{name} takes no children: remove them"),
            );
        }
        let Some((path, what)) = split_path(message) else {
            return Issue::new(here, message);
        };
        if let Some(slot) = path.strip_prefix("slots.") {
            let slots = self
                .catalog
                .view
                .component(name)
                .and_then(|d| d.slots.clone())
                .unwrap_or_default();
            let known = if slots.is_empty() {
                "none".into()
            } else {
                slots.join(", ")
            };
            return Issue::key(
                pointer::child(&pointer::child(&here, "slots"), slot),
                format!("{name} has no slot {}: its slots are {known}", quoted(slot)),
            );
        }
        // A basic component's props are checked after the mapping, under the names of the core.
        let path = path.strip_prefix("props.").unwrap_or(path);
        let (inner, last) = dotted::walk(component, path);
        // There a press is called the action.
        let inner = inner
            .strip_prefix("/on/press")
            .filter(|_| self.catalog.is_basic())
            .map_or(inner.clone(), |rest| format!("/action{rest}"));
        let place = format!("{here}{inner}");
        self.word(place, name, &last, what, component.pointer(&inner))
    }

    /// A prop or style complaint in our words.
    fn word(
        &self,
        place: String,
        component: &str,
        last: &str,
        what: &str,
        value: Option<&Value>,
    ) -> Issue {
        let def = self.catalog.view.component(component);
        match what {
            "unknown prop" => {
                let known: Vec<&str> = def
                    .map(|d| d.props.keys().map(String::as_str).collect())
                    .unwrap_or_default();
                let common = RESERVED_KEYS.iter().copied();
                let hint = did_you_mean(last, known.iter().copied().chain(common));
                let more = if hint.is_empty() {
                    let common = COMMON.iter().copied().filter(|k| !known.contains(k));
                    let all: Vec<&str> = known.iter().copied().chain(common).collect();
                    format!(": remove it; it takes {}", all.join(", "))
                } else {
                    hint
                };
                Issue::key(
                    place,
                    format!("{component} has no prop {}{more}", quoted(last)),
                )
            }
            "required" => Issue::new(place, format!("`{last}` is missing: {component} needs it")),
            "not in the Box style whitelist" => {
                let hint = did_you_mean(last, STYLE_SPECS.keys().map(String::as_str));
                Issue::key(
                    place,
                    format!(
                        "{} is no style key{}",
                        quoted(last),
                        if hint.is_empty() {
                            ": remove it"
                        } else {
                            &hint
                        }
                    ),
                )
            }
            "not a supported condition" => Issue::key(
                place,
                format!(
                    "{} is no condition: write one like @media (min-width: 600px) or :hover",
                    quoted(last)
                ),
            ),
            _ => {
                let what = what.strip_prefix(&format!("{last}: ")).unwrap_or(what);
                let wrong = value.and_then(Value::as_str).unwrap_or_default();
                let more = if let Some(words) = what.strip_prefix("expected one of ") {
                    did_you_mean(wrong, words.split('|'))
                } else if let Some(name) = unknown_function(what) {
                    return Issue::new(
                        place,
                        format!("no function is called {}{}", quoted(name), functions(name)),
                    );
                } else if what == "not an icons.json name" {
                    let word = value.map_or_else(String::new, in_words);
                    return Issue::new(
                        place,
                        format!("`{last}`: no icon is called {word}{}", icons(wrong)),
                    );
                } else {
                    tokens(what, wrong).unwrap_or_default()
                };
                Issue::new(place, format!("`{last}`: {what}{more}"))
            }
        }
    }

    /// A complaint about the tree: it names an id, which may be one that nothing has.
    pub(super) fn place_in_tree(&self, issue: &ReduceIssue) -> Issue {
        let id = &issue.id;
        let at_reference = |n: usize| {
            self.references
                .iter()
                .filter(|r| r.id == *id)
                .nth(n)
                .map(|r| r.pointer.clone())
        };
        if issue.message == "no component with this id"
            || issue.message == "template: no component with this id"
        {
            if id == "root" {
                return Issue::new(
                    self.at,
                    "no component has the id `root`: name the outermost one root",
                );
            }
            let hint = did_you_mean(id, self.by_id.keys().map(String::as_str));
            let what = if hint.is_empty() {
                ": add it or remove the reference"
            } else {
                &hint
            };
            return Issue::new(
                at_reference(0).unwrap_or_else(|| self.at.into()),
                format!("no component has the id {}{what}", quoted(id)),
            );
        }
        if issue.message == eui_core::limits::USED_TWICE_ISSUE {
            return Issue::new(
                at_reference(1).unwrap_or_else(|| self.at.into()),
                format!(
                    "{} already has a place: a component stands in one place only",
                    quoted(id)
                ),
            );
        }
        let index = self.by_id.get(id).or_else(|| {
            // A macro's part is called after its component: `card.title`.
            let owner = id
                .match_indices('.')
                .rev()
                .find_map(|(dot, _)| self.by_id.get(&id[..dot]));
            owner.or(self.by_id.get("root"))
        });
        let here = index.map_or_else(|| self.at.to_owned(), |i| self.list[*i].0.clone());
        let message = match issue.message.as_str() {
            "cycle through this id" | "template: cycle through this id" => {
                format!("{} contains itself: break the circle", quoted(id))
            }
            m if *m == eui_core::limits::depth_issue() => {
                format!("{m}: flatten the components around {}", quoted(id))
            }
            m => m.to_owned(),
        };
        Issue::new(here, message)
    }
}

/// The function a complaint of eui-core's is about.
fn unknown_function(what: &str) -> Option<&str> {
    let (name, _) = what.strip_prefix("unknown function \"")?.split_once('"')?;
    Some(name)
}

fn functions(name: &str) -> String {
    let hint = did_you_mean(name, FUNCTION_NAMES.iter().copied());
    if hint.is_empty() {
        ": the catalog's are in `ede schema package` under $defs/function, the host's have a dot in their name".into()
    } else {
        hint
    }
}

/// The icon that was meant, or those that have the word in their name.
fn icons(name: &str) -> String {
    let hint = did_you_mean(name, ICON_NAMES.iter().copied());
    if !hint.is_empty() {
        return hint;
    }
    let word = name.split(['-', '_', ' ']).next().unwrap_or_default();
    let alike: Vec<&str> = ICON_NAMES
        .iter()
        .copied()
        .filter(|known| word.len() > 2 && known.contains(word))
        .take(6)
        .collect();
    let all = "all are in `ede schema package` under $defs/icon";
    if alike.is_empty() {
        format!(": {all}")
    } else {
        format!(": there are {}; {all}", alike.join(", "))
    }
}

/// Where a token was expected (`expected $color.<name>`): the one that was meant, or the group's names.
fn tokens(what: &str, wrong: &str) -> Option<String> {
    let group = what.strip_prefix("expected $")?.strip_suffix(".<name>")?;
    let names = TOKEN_GROUPS.get(group)?;
    let all: Vec<String> = names.iter().map(|n| format!("${group}.{n}")).collect();
    let hint = did_you_mean(wrong, all.iter().map(String::as_str));
    Some(if hint.is_empty() {
        format!("; the names are {}", names.join(", "))
    } else {
        hint
    })
}

/// `path: what is wrong`, where the path may hold a condition like `@media (min-width: 600px)`.
fn split_path(message: &str) -> Option<(&str, &str)> {
    let balanced = |path: &str| path.matches('(').count() == path.matches(')').count();
    message
        .match_indices(": ")
        .map(|(i, _)| (&message[..i], &message[i + 2..]))
        .find(|(path, _)| balanced(path))
}
