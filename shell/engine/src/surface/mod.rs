//! A component list held against its catalog: eui-core's reducer does the checking, this module finds the place in
//! the file that each of its complaints is about and says what to do. Builds no surface and lays nothing out.

pub mod bounds;
mod references;
mod words;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use eui_core::basic_map::BASIC_MAP;
use eui_core::catalog::{A2UI_BASIC_CATALOG_ID, CatalogView};
use eui_core::reducer::{ReduceOptions, component_issues, reduce_surface};
use eui_core::types::{FlatComponent, ReduceIssue};
use serde_json::Value;

use self::references::{Reference, event_issues, references};
use crate::issue::{Issue, Note, quoted};
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
    let list = components
        .iter()
        .enumerate()
        .map(|(i, c)| (pointer::item(at, i), c))
        .collect();
    Check::new(list, at, catalog).all()
}

/// As [`check_components`], for components that stand all over a file: each with its own place.
pub fn check_placed(components: &[(String, Value)], catalog: &Catalog) -> (Vec<Issue>, Vec<Note>) {
    let at = components
        .first()
        .and_then(|(place, _)| place.rsplit_once('/'))
        .map_or("", |(list, _)| list);
    Check::new(
        components
            .iter()
            .map(|(place, c)| (place.clone(), c))
            .collect(),
        at,
        catalog,
    )
    .all()
}

struct Check<'a> {
    /// The list itself: what is missing from it is missing there.
    at: &'a str,
    catalog: &'a Catalog,
    /// Each component with its place in the file.
    list: Vec<(String, &'a Value)>,
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
    fn new(list: Vec<(String, &'a Value)>, at: &'a str, catalog: &'a Catalog) -> Check<'a> {
        let wire = |(i, (_, c)): (usize, &(String, &Value))| {
            Some((
                i,
                serde_json::from_value::<FlatComponent>((*c).clone()).ok()?,
            ))
        };
        let flat: Vec<(usize, FlatComponent)> = list.iter().enumerate().filter_map(wire).collect();
        let by_id = flat.iter().rev().map(|(i, c)| (c.id.clone(), *i)).collect();
        let references = list
            .iter()
            .enumerate()
            .flat_map(|(i, (place, c))| references(c, i, place))
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

    fn all(mut self) -> (Vec<Issue>, Vec<Note>) {
        self.duplicates();
        self.each();
        self.tree();
        self.unreached();
        (self.issues, self.notes)
    }

    fn duplicates(&mut self) {
        for (i, component) in &self.flat {
            if self
                .by_id
                .get(&component.id)
                .is_some_and(|first| first != i)
            {
                let here = pointer::child(&self.list[*i].0, "id");
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
        let by_id: HashMap<&str, &FlatComponent> = self
            .flat
            .iter()
            .rev()
            .map(|(_, c)| (c.id.as_str(), c))
            .collect();
        let lookup = |id: &str| by_id.get(id).map(|c| (*c).clone());
        let own = |(i, component): &(usize, FlatComponent)| {
            component_issues(component, &options, &lookup)
                .into_iter()
                .map(|issue| (*i, issue))
                .collect::<Vec<_>>()
        };
        let found: Vec<(usize, ReduceIssue)> = self.flat.iter().flat_map(own).collect();
        for (index, issue) in found {
            let placed = self.place(index, &issue.message);
            self.push(placed);
            self.said.push(issue);
        }
        if !self.catalog.is_basic() {
            for (i, component) in &self.flat {
                let Some(def) = self.catalog.view.component(&component.component) else {
                    continue;
                };
                self.issues
                    .extend(event_issues(component, def, &self.list[*i].0));
                self.issues
                    .extend(bounds::check(component, def, &self.list[*i].0));
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
        let mut by_owner: HashMap<usize, Vec<&str>> = HashMap::new();
        for reference in &self.references {
            by_owner
                .entry(reference.owner)
                .or_default()
                .push(&reference.id);
        }
        let mut reached: HashSet<&str> = HashSet::from(["root"]);
        let mut next = vec!["root"];
        while let Some(id) = next.pop() {
            let inside = self
                .by_id
                .get(id)
                .and_then(|owner| by_owner.get(owner))
                .into_iter()
                .flatten();
            next.extend(inside.filter(|id| reached.insert(id)));
        }
        let lost: Vec<String> = self
            .flat
            .iter()
            .filter(|(_, c)| !reached.contains(c.id.as_str()))
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
}

#[cfg(test)]
mod tests;
