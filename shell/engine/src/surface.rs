//! A component list held against its catalog: eui-core's reducer does the checking, this module finds the place in
//! the file that each of its complaints is about and says what to do. Builds no surface and lays nothing out.

use std::collections::HashMap;
use std::sync::Arc;

use eui_core::basic_map::BASIC_MAP;
use eui_core::catalog::{A2UI_BASIC_CATALOG_ID, CatalogView};
use eui_core::reducer::{ReduceOptions, component_issues, reduce_surface};
use eui_core::style_check::STYLE_SPECS;
use eui_core::types::{FlatComponent, ReduceIssue};
use serde_json::Value;

use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::pointer;

/// The catalog a component list is written in.
#[derive(Debug, Clone)]
pub struct Catalog {
    id: String,
    view: Arc<CatalogView>,
}

impl Catalog {
    /// A catalog id read with the components of `view`.
    pub fn new(id: impl Into<String>, view: Arc<CatalogView>) -> Catalog {
        Catalog {
            id: id.into(),
            view,
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// The public A2UI basic catalog, which eui-core maps onto its own components.
    pub fn is_basic(&self) -> bool {
        self.id == A2UI_BASIC_CATALOG_ID
    }

    fn names(&self) -> Vec<&str> {
        if self.is_basic() {
            BASIC_MAP.components.keys().map(String::as_str).collect()
        } else {
            self.view
                .components
                .iter()
                .filter(|(_, def)| def.is_offered())
                .map(|(name, _)| name.as_str())
                .collect()
        }
    }
}

/// Every problem with a component list that stands at `at`, and what is harmless but surely not meant.
pub fn check_components(
    components: &[Value],
    at: &str,
    catalog: &Catalog,
) -> (Vec<Issue>, Vec<Note>) {
    let mut check = Check::new(components, at, catalog);
    check.duplicates();
    check.each();
    check.tree();
    check.unreached();
    (check.issues, check.notes)
}

/// One place where a component is named by another.
struct Reference {
    id: String,
    pointer: String,
    owner: usize,
}

struct Check<'a> {
    at: &'a str,
    catalog: &'a Catalog,
    list: &'a [Value],
    /// The components that have the wire form at all, with their index in the file.
    flat: Vec<(usize, FlatComponent)>,
    by_id: HashMap<String, usize>,
    references: Vec<Reference>,
    /// What a component's own check has said, so that the tree's does not say it again.
    said: Vec<ReduceIssue>,
    issues: Vec<Issue>,
    notes: Vec<Note>,
}

impl<'a> Check<'a> {
    fn new(list: &'a [Value], at: &'a str, catalog: &'a Catalog) -> Check<'a> {
        let flat: Vec<(usize, FlatComponent)> = list
            .iter()
            .enumerate()
            .filter_map(|(i, c)| Some((i, serde_json::from_value(c.clone()).ok()?)))
            .collect();
        let by_id = flat.iter().rev().map(|(i, c)| (c.id.clone(), *i)).collect();
        let references = list
            .iter()
            .enumerate()
            .flat_map(|(i, c)| references(c, i, &pointer::item(at, i)))
            .collect();
        Check {
            at,
            catalog,
            list,
            flat,
            by_id,
            references,
            said: Vec::new(),
            issues: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn duplicates(&mut self) {
        for (i, component) in &self.flat {
            if self
                .by_id
                .get(&component.id)
                .is_some_and(|first| first != i)
            {
                let here = pointer::child(&pointer::item(self.at, *i), "id");
                self.issues.push(Issue::new(
                    here,
                    format!(
                        "a second component has the id {}: give it its own",
                        quoted(&component.id)
                    ),
                ));
            }
        }
    }

    fn each(&mut self) {
        let options = self.options();
        let lookup = |id: &str| {
            self.by_id
                .get(id)
                .and_then(|i| self.flat.iter().find(|(n, _)| n == i))
                .map(|(_, c)| c.clone())
        };
        let found: Vec<(usize, ReduceIssue)> = self
            .flat
            .iter()
            .flat_map(|(i, component)| {
                component_issues(component, &options, &lookup)
                    .into_iter()
                    .map(|issue| (*i, issue))
            })
            .collect();
        for (index, issue) in found {
            let placed = self.place(index, &issue.message);
            self.push(placed);
            self.said.push(issue);
        }
        if !self.catalog.is_basic() {
            for (i, component) in &self.flat {
                self.issues.extend(event_issues(
                    component,
                    &pointer::item(self.at, *i),
                    &self.catalog.view,
                ));
            }
        }
    }

    fn tree(&mut self) {
        let components: Vec<FlatComponent> = self.flat.iter().map(|(_, c)| c.clone()).collect();
        let reduced = reduce_surface(&components, &self.options());
        for issue in reduced.issues {
            if self.said.contains(&issue) || issue.message.starts_with("duplicate id") {
                continue;
            }
            let placed = self.place_in_tree(&issue);
            self.push(placed);
        }
    }

    fn unreached(&mut self) {
        let mut reached: Vec<&str> = vec!["root"];
        let mut next = 0;
        while let Some(id) = reached.get(next).copied() {
            next += 1;
            let Some(owner) = self.by_id.get(id) else {
                continue;
            };
            for reference in self.references.iter().filter(|r| r.owner == *owner) {
                if !reached.contains(&reference.id.as_str()) {
                    reached.push(&reference.id);
                }
            }
        }
        let lost: Vec<String> = self
            .flat
            .iter()
            .filter(|(_, c)| !reached.contains(&c.id.as_str()))
            .map(|(_, c)| quoted(&c.id))
            .collect();
        match lost.as_slice() {
            [] => {}
            [one] => self.notes.push(Note::new(format!(
                "{}: nothing shows the component {one}",
                self.at
            ))),
            many => self.notes.push(Note::new(format!(
                "{}: nothing shows the components {}",
                self.at,
                many[..many.len().min(8)].join(", ")
            ))),
        }
    }

    fn options(&self) -> ReduceOptions {
        ReduceOptions::new(&self.catalog.id).with_view(self.catalog.view.clone())
    }

    fn push(&mut self, issue: Issue) {
        if !self.issues.contains(&issue) {
            self.issues.push(issue);
        }
    }

    /// A complaint about one component, at its place inside it.
    fn place(&self, index: usize, message: &str) -> Issue {
        let here = pointer::item(self.at, index);
        let component = &self.list[index];
        let name = component["component"].as_str().unwrap_or_default();
        if message.starts_with("unknown component ") || message.starts_with("basic component ") {
            let hint = did_you_mean(name, self.catalog.names());
            let what = if hint.is_empty() {
                ": use one of the catalog's"
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
        let (inner, last) = walk(component, path);
        let place = format!("{here}{inner}");
        self.word(place, name, &last, what)
    }

    /// A prop or style complaint in our words.
    fn word(&self, place: String, component: &str, last: &str, what: &str) -> Issue {
        let def = self.catalog.view.component(component);
        match what {
            "unknown prop" => {
                let known: Vec<&str> = def
                    .map(|d| d.props.keys().map(String::as_str).collect())
                    .unwrap_or_default();
                let hint = did_you_mean(last, known.iter().copied());
                let more = if hint.is_empty() {
                    format!(
                        ": remove it; its props are {}",
                        if known.is_empty() {
                            "none".into()
                        } else {
                            known.join(", ")
                        }
                    )
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
                let hint =
                    what.strip_prefix("expected one of ")
                        .map_or_else(String::new, |words| {
                            let wrong = self
                                .value_at(&place)
                                .and_then(Value::as_str)
                                .unwrap_or_default();
                            did_you_mean(wrong, words.split('|'))
                        });
                let what = what.strip_prefix(&format!("{last}: ")).unwrap_or(what);
                Issue::new(place, format!("`{last}`: {what}{hint}"))
            }
        }
    }

    fn value_at(&self, place: &str) -> Option<&'a Value> {
        let inner = place.strip_prefix(self.at)?;
        let (index, rest) = inner.strip_prefix('/')?.split_once('/')?;
        self.list
            .get(index.parse::<usize>().ok()?)?
            .pointer(&format!("/{rest}"))
    }

    /// A complaint about the tree: it names an id, which may be one that nothing has.
    fn place_in_tree(&self, issue: &ReduceIssue) -> Issue {
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
        let here = index.map_or_else(|| self.at.to_owned(), |i| pointer::item(self.at, *i));
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

/// `path: what is wrong`, where the path may hold a condition like `@media (min-width: 600px)`.
fn split_path(message: &str) -> Option<(&str, &str)> {
    let balanced = |path: &str| path.matches('(').count() == path.matches(')').count();
    message
        .match_indices(": ")
        .map(|(i, _)| (&message[..i], &message[i + 2..]))
        .find(|(path, _)| balanced(path))
}

/// Every other component this one names, in the core's and in the basic catalog's ways.
fn references(component: &Value, owner: usize, here: &str) -> Vec<Reference> {
    let mut out = Vec::new();
    let mut add = |value: &Value, pointer: String| {
        if let Some(id) = value.as_str() {
            out.push(Reference {
                id: id.to_owned(),
                pointer,
                owner,
            });
        }
    };
    let children = pointer::child(here, "children");
    match &component["children"] {
        Value::Array(ids) => ids
            .iter()
            .enumerate()
            .for_each(|(i, id)| add(id, pointer::item(&children, i))),
        Value::Object(template) => {
            if let Some(id) = template.get("componentId") {
                add(id, pointer::child(&children, "componentId"));
            }
        }
        _ => {}
    }
    if let Some(slots) = component["slots"].as_object() {
        let at = pointer::child(here, "slots");
        slots
            .iter()
            .for_each(|(name, id)| add(id, pointer::child(&at, name)));
    }
    for key in ["child", "trigger", "content"] {
        add(&component[key], pointer::child(here, key));
    }
    if let Some(tabs) = component["tabs"].as_array() {
        let at = pointer::child(here, "tabs");
        tabs.iter().enumerate().for_each(|(i, tab)| {
            add(
                &tab["child"],
                pointer::child(&pointer::item(&at, i), "child"),
            )
        });
    }
    out
}

/// eui-core's path inside a component (`columns[0].slot`, `style.@media (min-width: 37.5px).gap`) as a pointer into
/// it, with the last key. Keys may hold dots, so each step takes the longest key the value has.
fn walk(component: &Value, path: &str) -> (String, String) {
    let (mut here, mut at, mut last) = (Some(component), String::new(), String::new());
    let mut rest = path;
    while !rest.is_empty() {
        if let Some((index, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            at = format!("{at}/{index}");
            here = index
                .parse::<usize>()
                .ok()
                .and_then(|i| here.and_then(|v| v.get(i)));
            rest = after.strip_prefix('.').unwrap_or(after);
            continue;
        }
        let known = here.and_then(Value::as_object).and_then(|o| {
            let fits = |k: &&String| {
                rest.strip_prefix(k.as_str())
                    .is_some_and(|r| r.is_empty() || r.starts_with(['.', '[']))
            };
            o.keys().filter(fits).max_by_key(|k| k.len())
        });
        let key = known.map_or_else(
            || rest.split(['.', '[']).next().unwrap_or(rest),
            String::as_str,
        );
        let key_length = key.len().max(1).min(rest.len());
        here = here.and_then(|v| v.get(key));
        at = pointer::child(&at, key);
        last = key.to_owned();
        rest = rest.get(key_length..).unwrap_or_default();
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    (at, last)
}

/// Events a component does not have.
fn event_issues(component: &FlatComponent, here: &str, view: &CatalogView) -> Vec<Issue> {
    let Some(def) = view.component(&component.component) else {
        return Vec::new();
    };
    let events: Vec<&str> = def.events.iter().flatten().map(String::as_str).collect();
    let unknown = component
        .on
        .iter()
        .flatten()
        .map(|(event, _)| event)
        .filter(|e| !events.contains(&e.as_str()));
    unknown
        .map(|event| {
            let hint = did_you_mean(event, events.iter().copied());
            let known = if events.is_empty() {
                "none".into()
            } else {
                events.join(", ")
            };
            let what = if hint.is_empty() {
                format!(": its events are {known}")
            } else {
                hint
            };
            Issue::key(
                pointer::child(&pointer::child(here, "on"), event),
                format!(
                    "{} has no event {}{what}",
                    component.component,
                    quoted(event)
                ),
            )
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use eui_core::catalog::CORE_CATALOG_ID;
    use serde_json::json;

    fn said(components: Value) -> Vec<String> {
        said_in(components, CORE_CATALOG_ID)
    }

    fn said_in(components: Value, catalog: &str) -> Vec<String> {
        let list = components.as_array().unwrap();
        let (issues, notes) =
            check_components(list, "/c", &Catalog::new(catalog, CatalogView::core()));
        issues
            .into_iter()
            .map(|i| format!("{} {}", i.pointer, i.message))
            .chain(notes.into_iter().map(|n| n.message))
            .collect()
    }

    fn root(child: Value) -> Value {
        json!([{"id": "root", "component": "Box", "children": ["x"]}, child])
    }

    #[test]
    fn a_good_list_has_nothing_to_say() {
        assert_eq!(
            said(root(
                json!({"id": "x", "component": "Text", "text": {"path": "/a"}})
            )),
            [""; 0]
        );
    }

    #[test]
    fn each_complaint_stands_at_the_place_in_the_file() {
        for (component, expected) in [
            (
                json!({"id": "x", "component": "Buton"}),
                "/c/1/component no component is called `Buton`: did you mean `Button`?",
            ),
            (
                json!({"id": "x", "component": "Text", "txt": "a", "text": "a"}),
                "/c/1/txt Text has no prop `txt`: did you mean `text`?",
            ),
            (
                json!({"id": "x", "component": "Text"}),
                "/c/1/text `text` is missing: Text needs it",
            ),
            (
                json!({"id": "x", "component": "Heading", "text": "a", "level": "h9"}),
                "/c/1/level `level`: expected one of h1|h2|h3|h4",
            ),
            (
                json!({"id": "x", "component": "Text", "text": "a", "style": {"colour": "$color.muted"}}),
                "/c/1/style/colour `colour` is no style key: did you mean `color`?",
            ),
            (
                json!({"id": "x", "component": "Text", "text": "a", "style": {"@media (min-width: 37.5px)": {"gap": "wide"}}}),
                "/c/1/style/@media (min-width: 37.5px)/gap `gap`: expected px, \"N%\", \"auto\" or a numeric token",
            ),
            (
                json!({"id": "x", "component": "Button", "label": "a", "on": {"pres": {}}}),
                "/c/1/on/pres Button has no event `pres`: did you mean `press`?",
            ),
            (
                json!({"id": "x", "component": "Text", "text": "a", "children": ["root"]}),
                "/c/1/children Text takes no children: remove them",
            ),
            (
                json!({"id": "x", "component": "Table", "rows": [], "columns": [{"key": "a", "label": "A", "type": "slot", "slot": "nope"}]}),
                "/c/1/columns/0/slot `slot`: no slot \"nope\" on this Table; slots: none",
            ),
        ] {
            let all = said(root(component));
            assert!(
                all.contains(&expected.to_owned()),
                "{expected}\nbut: {all:#?}"
            );
        }
    }

    #[test]
    fn the_tree_is_checked_too() {
        assert_eq!(
            said(json!([{"id": "a", "component": "Box"}])),
            [
                "/c no component has the id `root`: name the outermost one root",
                "/c: nothing shows the component `a`"
            ]
        );
        assert_eq!(
            said(json!([{"id": "root", "component": "Box", "children": ["gone"]}])),
            ["/c/0/children/0 no component has the id `gone`: add it or remove the reference"]
        );
        let twice = json!([{"id": "root", "component": "Box", "children": ["x", "x"]}, {"id": "x", "component": "Box"}]);
        assert_eq!(
            said(twice),
            ["/c/0/children/1 `x` already has a place: a component stands in one place only"]
        );
        let circle = json!([{"id": "root", "component": "Box", "children": ["x"]}, {"id": "x", "component": "Box", "children": ["root"]}]);
        assert_eq!(
            said(circle),
            ["/c/0 `root` contains itself: break the circle"]
        );
        let same = json!([{"id": "root", "component": "Box"}, {"id": "root", "component": "Box"}]);
        assert_eq!(
            said(same),
            ["/c/1/id a second component has the id `root`: give it its own"]
        );
        let deep: Vec<Value> = (0..60).map(|i| json!({"id": if i == 0 { "root".into() } else { format!("n{i}") }, "component": "Box", "children": [format!("n{}", i + 1)]})).collect();
        assert!(said(Value::Array(deep))[0].contains("nesting deeper than 48 levels"));
    }

    #[test]
    fn a_component_nothing_shows_is_checked_and_noted() {
        let list = json!([{"id": "root", "component": "Box"}, {"id": "lost", "component": "Text"}]);
        assert_eq!(
            said(list),
            [
                "/c/1/text `text` is missing: Text needs it",
                "/c: nothing shows the component `lost`"
            ]
        );
    }

    #[test]
    fn the_basic_catalog_is_checked_through_its_mapping() {
        let list = json!([{"id": "root", "component": "Column", "children": ["t", "b"]}, {"id": "t", "component": "Txt"}, {"id": "b", "component": "Button", "child": "l", "action": {"event": {"name": "x"}}}, {"id": "l", "component": "Text", "text": "Go"}]);
        assert_eq!(
            said_in(list, A2UI_BASIC_CATALOG_ID),
            ["/c/1/component no component is called `Txt`: did you mean `Text`?"]
        );
    }
}
