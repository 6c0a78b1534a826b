//! App packages: read, checked, and asked for what a shell needs. A package is data; nothing here runs it, stores it
//! or draws it.
//!
//! Reading goes in four steps, each only over what the one before let through: the text ([`crate::source`]), the shape
//! ([`shape`]), the names and rules of formats 3 to 5 (the modules beside this), and eui-core's own checks over a
//! format-2 copy ([`core`]), with every template reduced against its catalog and every test run.

mod bindings;
mod check;
pub mod core;
pub mod cron;
mod differ;
pub(crate) mod expression;
mod functions;
mod given;
pub mod kinds;
mod literals;
mod manifest;
mod migrate;
mod migrations;
mod names;
mod presses;
mod queries;
mod reload;
pub mod rules;
mod runs;
mod screens;
mod secrets;
pub mod shape;
mod signature;
mod trial;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use eui_core::host::{
    ACTION_CALL_PREFIX, FunctionPolicy, RECORDS_SCHEME, canonical_json, package_policy,
    parse_source, source_allowed,
};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

pub use bindings::{Access, Binding, DEFAULT_SOURCES, EDE_SOURCES, split_expand};
pub(crate) use bindings::{check_document_source, of as bindings_of};
pub use manifest::Capability;
pub use migrate::{Moved, losses};
pub use names::{ScreenId, WidgetSize};
pub use reload::{Change, INSTALLED};
pub use screens::{FoundWidget, NoWidget, Screen, Widget};
pub use signature::AuthorKey;
pub use trial::Outcome;

use crate::app_id::AppId;
use crate::issue::{Issue, Note};
use crate::layout::LayoutCheck;
use crate::source::{Limits, Source};

/// What reading a package gives: the package when nothing is wrong with it, and all that is worth saying.
#[derive(Debug, Clone)]
pub struct Parsed {
    pub package: Option<Package>,
    pub issues: Vec<Issue>,
    pub notes: Vec<Note>,
}

/// How much of a package is judged.
#[derive(Clone, Copy, Default)]
pub struct Judge<'a> {
    /// Its tests do not run: what is only looked at may fail them ([`Package::failing_tests`]).
    pub untested: bool,
    /// Every template is laid out by this when all is well.
    pub layout: Option<&'a dyn LayoutCheck>,
}

/// A checked app package.
#[derive(Debug, Clone)]
pub struct Package {
    value: Map<String, Value>,
    /// Its copy for eui-core, without the templates: those are most of a package, and copied when one is shown.
    core: Value,
    id: AppId,
    format: u8,
    screens: Vec<Screen>,
    capabilities: Vec<Capability>,
    /// Made when it is first asked for: a start asks for none.
    hash: OnceLock<String>,
}

impl Package {
    /// Read a package from its file's bytes.
    pub fn read(bytes: &[u8]) -> Parsed {
        match Source::read(bytes, Limits::PACKAGE) {
            Ok(source) => Package::parse(&source),
            Err(issue) => Parsed {
                package: None,
                issues: vec![issue],
                notes: Vec::new(),
            },
        }
    }

    /// Read a package whose very bytes were checked before (an installed one), without judging it again: its tests do
    /// not run at every start. `None` when the bytes are no package at all.
    pub fn read_checked(bytes: &[u8]) -> Option<Package> {
        let value: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
        let core = core::without_templates(&value);
        Package::new(value, core)
    }

    /// Check a package. It is given only when there is no issue; every issue has its place in the text.
    pub fn parse(source: &Source) -> Parsed {
        Package::parse_with(source, Judge::default())
    }

    /// As [`Package::parse`], judged so.
    pub fn parse_with(source: &Source, judge: Judge) -> Parsed {
        let mut parsed = Package::judge(source, !judge.untested);
        if let Some(layout) = judge.layout {
            // The painter holds packages by reference count, and lets them go again.
            let shared = parsed.package.map(Arc::new);
            if let Some(package) = &shared {
                parsed.notes.extend(check::layout_notes(package, layout));
            }
            parsed.package = shared.map(Arc::unwrap_or_clone);
        }
        parsed
    }

    /// Everything that is wrong with a package; its tests run where all else is well and `tested` asks for them.
    fn judge(source: &Source, tested: bool) -> Parsed {
        let mut found = check::guarded(source.value());
        found.issues.extend(source.issues().iter().cloned());
        let mut package = match (&found.issues[..], source.value()) {
            ([], Value::Object(value)) => {
                Package::new(value.clone(), std::mem::take(&mut found.core))
            }
            _ => None,
        };
        if let Some(well) = package.as_ref().filter(|_| tested) {
            found.issues = well.failing_tests();
        }
        package = package.filter(|_| found.issues.is_empty());
        source.place(&mut found.issues);
        found.issues.sort_by_key(|i| i.position);
        Parsed {
            package,
            issues: found.issues,
            notes: found.notes,
        }
    }

    fn new(value: Map<String, Value>, mut core: Map<String, Value>) -> Option<Package> {
        core.shift_remove("templates");
        let id = AppId::parse(value.get("id")?.as_str()?).ok()?;
        let format = u8::try_from(value.get("formatVersion")?.as_u64()?).ok()?;
        Some(Package {
            screens: screens::of(&value),
            capabilities: manifest::of(&value),
            core: Value::Object(core),
            value,
            id,
            format,
            hash: OnceLock::new(),
        })
    }

    pub fn id(&self) -> &AppId {
        &self.id
    }

    /// 2 to 5.
    pub fn format(&self) -> u8 {
        self.format
    }

    fn text(&self, key: &str) -> &str {
        self.value
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    pub fn name(&self) -> &str {
        self.text("name")
    }

    /// `MAJOR.MINOR.PATCH`.
    pub fn version(&self) -> &str {
        self.text("version")
    }

    pub fn description(&self) -> &str {
        self.text("description")
    }

    /// The catalog its templates are written in.
    pub fn catalog_id(&self) -> &str {
        self.text("catalogId")
    }

    /// An icon of the catalog.
    pub fn icon(&self) -> Option<&str> {
        let icon = self.value.get("icon")?;
        icon.as_str().or_else(|| icon.get("glyph")?.as_str())
    }

    /// The key its file is signed with; `None` for one that is not signed.
    pub fn signer(&self) -> Option<AuthorKey> {
        AuthorKey::named(&self.value)
    }

    /// The package as written.
    pub fn value(&self) -> &Map<String, Value> {
        &self.value
    }

    /// The copy eui-core's functions take: format 2, computed fields as optional fields, this host's calls renamed
    /// ([`core::package_call_name`] gives a planned call its name back).
    pub fn core(&self) -> &Value {
        &self.core
    }

    /// The SHA-256 of the package's RFC 8785 form, in lower-case hex: what a signature or a grant is kept for.
    pub fn content_hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let value = Value::Object(self.value.clone());
            hex(&Sha256::digest(canonical_json(&value)))
        })
    }

    /// The screens, in the navigation's order; at least one.
    pub fn screens(&self) -> &[Screen] {
        &self.screens
    }

    /// The screen with this name, or the first.
    pub fn screen(&self, id: Option<&ScreenId>) -> Option<&Screen> {
        match id {
            None => self.screens.first(),
            Some(id) => self.screens.iter().find(|s| s.id == *id),
        }
    }

    /// The widget of a size; `screen` chooses among several screens that have it.
    ///
    /// # Errors
    /// The sizes there are, when this one is not declared.
    pub fn widget(
        &self,
        size: WidgetSize,
        screen: Option<&ScreenId>,
    ) -> Result<FoundWidget<'_>, NoWidget> {
        screens::find(self.id.as_str(), &self.screens, size, screen)
    }

    /// The ids of the templates, in the file's order.
    pub fn templates(&self) -> impl Iterator<Item = &str> {
        self.value
            .get("templates")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(id, _)| id.as_str())
    }

    /// The A2UI messages that make a template's surface: its creation, its components, its data under `data`.
    /// Bindings are not among them: see [`Package::bindings`]. `None` when there is no such template.
    pub fn template_messages(
        &self,
        template: &str,
        surface_id: &str,
        data: Option<&Value>,
    ) -> Option<Vec<Value>> {
        let found = self.value.get("templates")?.get(template)?;
        let alone = json!({
            "catalogId": self.catalog_id(),
            "templates": {template: core::template(found, self.format)},
        });
        let mut messages = eui_core::host::template_messages(&alone, template, surface_id, data)?;
        messages.retain(|m| m.get("bindDataModel").is_none());
        Some(messages)
    }

    /// The bindings of a template, `params` filled into their `${params.…}`.
    pub fn bindings(&self, template: &str, params: &Map<String, Value>) -> Vec<Binding> {
        let mut all = self
            .value
            .get("templates")
            .and_then(|t| t.get(template))
            .map(bindings_of)
            .unwrap_or_default();
        for binding in &mut all {
            binding.source = bindings::fill_params(&binding.source, params);
        }
        all
    }

    /// What its templates may follow: the listed patterns, `records:*` when it lists none.
    pub fn sources(&self) -> Vec<String> {
        let listed = self.value.get("sources").and_then(Value::as_array);
        listed.map_or_else(
            || DEFAULT_SOURCES.iter().map(|s| (*s).to_owned()).collect(),
            |l| {
                l.iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            },
        )
    }

    /// May its surfaces follow this source?
    pub fn may_follow(&self, source: &str) -> bool {
        source_allowed(Some(&self.sources()), source)
    }

    /// Which functions its surfaces may call, as eui-core decides it: those it lists, its own actions, and navigating.
    pub fn function_policy(&self) -> FunctionPolicy {
        let listed = self.core.get("functions").and_then(Value::as_array);
        let mut functions: Vec<String> = listed
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        functions.extend([core::NAVIGATE.to_owned(), format!("{ACTION_CALL_PREFIX}*")]);
        package_policy(Some(&functions))
    }

    /// The kinds it declares, as written: name and definition.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.value
            .get("records")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(name, kind)| (name.as_str(), kind))
    }

    /// One kind's definition, as written: its schema has no computed fields, so it is the one to store by.
    pub fn kind(&self, name: &str) -> Option<&Value> {
        self.value.get("records")?.get(name)
    }

    /// The named queries, as written (`expand` and all).
    pub fn queries(&self) -> Option<&Value> {
        self.value.get("queries")
    }

    /// The kind a records source reads.
    pub fn source_kind(&self, source: &str) -> Option<&Value> {
        let parsed = parse_source(source).filter(|p| p.scheme == RECORDS_SCHEME)?;
        self.kind(&parsed.name)
    }

    /// The manifest: the ceiling of what it may ever ask for.
    pub fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    /// Run its tests again.
    pub fn run_tests(&self) -> Vec<Outcome> {
        trial::run_all(&self.value, &self.core, self.format)
    }

    /// Run its tests: those that fail, each with what of its answer is not as expected.
    pub fn failing_tests(&self) -> Vec<Issue> {
        let run = || trial::issues(&self.value, &self.core, self.format);
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            vec![Issue::new(
                "/tests",
                "a test could not be run to its end: simplify it",
            )]
        })
    }
}

/// Bytes in lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
