//! The capability catalog: every capability, scope and tool there is, the names no capability may have, and what this host
//! provides. One data file, `catalog.json`, compiled in and read once. Who may call what is decided in [`super::decide`].
//!
//! In the file a tool stands inside its scope, so that each belongs to exactly one. In its terms, `bridge` says how its arguments
//! become the native's (see [`crate::bridge::map`]) and `native` is the schema of the native's answer; `engine` names a tool the
//! engine answers itself. `output` is the schema of the app's answer, left out where it follows from `native`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::names::{CapabilityName, ScopeId, ToolName};
use super::providers::Host;
use crate::bridge::map::Bridge;
use crate::bridge::schema::{BadSchema, Schema, stored};

/// How the person consents to a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Consent {
    /// The shell's sheet, once; the answer is kept.
    Ask,
    /// The platform's own picker or sheet, at every call; nothing is kept.
    Picker,
}

/// A capability.
#[derive(Debug, Clone, PartialEq)]
pub struct Capability {
    pub name: CapabilityName,
    /// What a person reads.
    pub label: String,
    /// The only kind of host that has it.
    pub host: Option<String>,
    pub scopes: Vec<Arc<Scope>>,
}

/// One scope of a capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    pub id: ScopeId,
    /// What it lets an app do, as the consent sheet says it: `see your open windows`. May hold `{origins}`.
    pub verb: String,
    pub consent: Consent,
    /// The manifest must list the origins it reaches, and a call's `url` must be on one.
    pub origins: bool,
    /// The host's own: no manifest may name it, no app gets it.
    pub host_only: bool,
    pub tools: Vec<ToolName>,
}

/// One tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    pub capability: CapabilityName,
    pub name: ToolName,
    pub scope: Arc<Scope>,
    /// Its terms; `None` for a tool that has a name and a scope but no terms yet.
    pub terms: Option<Terms>,
    qualified: String,
}

impl Tool {
    /// `<capability>__<tool>`: its name to agents, and in the audit.
    pub fn qualified(&self) -> &str {
        &self.qualified
    }
}

/// What goes into a tool and what comes out.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// For agents.
    pub description: String,
    pub input: Described,
    pub runs: Runs,
    /// The schema of the app's answer.
    pub output: Value,
}

/// Who answers a tool.
#[derive(Debug, Clone, PartialEq)]
pub enum Runs {
    /// The host's native.
    Native {
        bridge: Bridge,
        /// What its answer must keep to.
        answer: Box<Described>,
    },
    /// The engine itself; the host must provide the capability all the same.
    Engine(EngineTool),
}

/// A tool the engine answers itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EngineTool {
    /// A document laid out as a PDF.
    Pdf,
}

/// A schema as it is read and as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    pub schema: Schema,
    pub json: Value,
}

impl Described {
    fn read(json: Value) -> Result<Described, BadSchema> {
        Ok(Described {
            schema: Schema::read(&json)?,
            json,
        })
    }
}

/// Who calls by a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Caller {
    /// The app's own surface.
    Ui,
    Agent,
}

/// The whole catalog.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// Names no capability may have.
    pub reserved: Vec<String>,
    pub capabilities: Vec<Capability>,
    /// This host; `None` only in an empty catalog.
    pub host: Option<Host>,
    /// By qualified name.
    tools: Vec<Tool>,
    agent_names: HashMap<String, usize>,
    ui_names: HashMap<String, usize>,
}

/// The catalog.
pub fn catalog() -> &'static Catalog {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
        // A test reads the file; were it broken all the same, nothing may be called.
        Catalog::read(include_str!("catalog.json")).unwrap_or_else(|error| {
            tracing::error!("the capability catalog cannot be read: {error}");
            Catalog::default()
        })
    });
    &CATALOG
}

impl Catalog {
    fn read(text: &str) -> Result<Catalog, CatalogError> {
        let file: File = serde_json::from_str(text)?;
        let mut catalog = Catalog {
            reserved: file.reserved,
            host: Some(file.host),
            ..Catalog::default()
        };
        for capability in file.capabilities {
            let mut scopes = Vec::new();
            for scope in capability.scopes {
                let shared = Arc::new(Scope {
                    id: scope.id,
                    verb: scope.verb,
                    consent: scope.consent,
                    origins: scope.origins,
                    host_only: scope.host_only,
                    tools: scope.tools.iter().map(|t| t.name.clone()).collect(),
                });
                for tool in scope.tools {
                    let qualified = format!("{}__{}", capability.name, tool.name);
                    catalog.tools.push(Tool {
                        capability: capability.name.clone(),
                        name: tool.name,
                        scope: shared.clone(),
                        terms: tool.terms.map(Terms::read).transpose()?,
                        qualified,
                    });
                }
                scopes.push(shared);
            }
            catalog.capabilities.push(Capability {
                name: capability.name,
                label: capability.label,
                host: capability.host,
                scopes,
            });
        }
        catalog.tools.sort_by(|a, b| a.qualified.cmp(&b.qualified));
        for (index, tool) in catalog.tools.iter().enumerate() {
            catalog.agent_names.insert(tool.qualified.clone(), index);
            for between in [".", "_"] {
                let spelled = format!("{}{between}{}", tool.capability, tool.name);
                catalog.ui_names.insert(spelled, index);
            }
        }
        Ok(catalog)
    }

    /// The tool that a caller means by `name`: an agent says `<capability>__<tool>`, an app's surface `<capability>.<tool>` or
    /// `<capability>_<tool>`.
    pub fn parse(&self, caller: Caller, name: &str) -> Option<&Tool> {
        let names = match caller {
            Caller::Ui => &self.ui_names,
            Caller::Agent => &self.agent_names,
        };
        names.get(name).and_then(|index| self.tools.get(*index))
    }

    /// Every tool, by qualified name.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Every scope, by capability.
    pub fn scopes(&self) -> impl Iterator<Item = &Scope> {
        let scopes = self.capabilities.iter().flat_map(|c| &c.scopes);
        scopes.map(Arc::as_ref)
    }

    /// The scope with this id.
    pub fn scope(&self, id: &str) -> Option<&Scope> {
        self.scopes().find(|scope| scope.id.as_str() == id)
    }

    /// Does an app's surface mean a capability by the function `name`? One of a tool there is not, too: the broker answers that.
    pub fn is_capability_call(&self, name: &str) -> bool {
        let family = name.split_once('.').map(|(family, _)| family);
        family.is_some_and(|family| self.is_capability(family))
            || self.parse(Caller::Ui, name).is_some()
    }

    /// Is this the name of a capability? No app may be called so.
    pub fn is_capability(&self, name: &str) -> bool {
        self.capabilities.iter().any(|c| c.name.as_str() == name)
    }
}

impl Terms {
    fn read(file: TermsFile) -> Result<Terms, CatalogError> {
        let output = file.output.or_else(|| file.native.as_ref().map(stored));
        let runs = match (file.bridge, file.native, file.engine) {
            (Some(bridge), Some(native), None) => Runs::Native {
                bridge,
                answer: Box::new(Described::read(native)?),
            },
            (None, None, Some(tool)) => Runs::Engine(tool),
            _ => return Err(CatalogError::Runs),
        };
        Ok(Terms {
            description: file.description,
            input: Described::read(file.input)?,
            runs,
            output: output.unwrap_or_default(),
        })
    }
}

#[derive(Debug, thiserror::Error)]
enum CatalogError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Schema(#[from] BadSchema),
    #[error("a tool has a `bridge` with its `native`, or an `engine`")]
    Runs,
}

#[derive(Deserialize)]
struct File {
    reserved: Vec<String>,
    capabilities: Vec<CapabilityFile>,
    host: Host,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CapabilityFile {
    name: CapabilityName,
    label: String,
    host: Option<String>,
    scopes: Vec<ScopeFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ScopeFile {
    id: ScopeId,
    verb: String,
    consent: Consent,
    #[serde(default)]
    origins: bool,
    #[serde(default)]
    host_only: bool,
    tools: Vec<ToolFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolFile {
    name: ToolName,
    terms: Option<TermsFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TermsFile {
    bridge: Option<Bridge>,
    engine: Option<EngineTool>,
    description: String,
    input: Value,
    native: Option<Value>,
    output: Option<Value>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::schema::patterns::SCOPE;

    fn read() -> Catalog {
        Catalog::read(include_str!("catalog.json")).unwrap()
    }

    #[test]
    fn the_catalog_keeps_its_own_rules() {
        let catalog = read();
        let names: Vec<&str> = catalog
            .capabilities
            .iter()
            .map(|c| c.name.as_str())
            .collect();
        assert!(names.is_sorted_by(|a, b| a < b), "each once, in order");
        for capability in &catalog.capabilities {
            assert!(
                !catalog
                    .reserved
                    .iter()
                    .any(|r| r == capability.name.as_str()),
                "{} is kept for the engine",
                capability.name
            );
            assert!(
                capability
                    .scopes
                    .is_sorted_by(|a, b| a.id.as_str() < b.id.as_str())
            );
            for scope in &capability.scopes {
                assert!((SCOPE.test)(scope.id.as_str()));
                assert_eq!(scope.id.capability(), capability.name.as_str());
                assert!(!scope.tools.is_empty() && !scope.verb.is_empty());
                assert_eq!(scope.origins, scope.verb.contains("{origins}"));
            }
        }
        assert!(
            catalog.tools.is_sorted_by(|a, b| a.qualified < b.qualified),
            "no tool is in two scopes"
        );
        assert_eq!(
            catalog.ui_names.len(),
            2 * catalog.tools.len(),
            "no two tools are spelled alike"
        );
    }

    #[test]
    fn what_this_host_provides_has_terms() {
        let catalog = read();
        let provided = catalog.host.as_ref().unwrap().provided();
        for tool in catalog.tools() {
            let needs_terms = provided.contains(&tool.capability) && !tool.scope.host_only;
            assert!(tool.terms.is_some() || !needs_terms, "{}", tool.qualified());
            let Some(terms) = &tool.terms else { continue };
            assert!(
                !tool.scope.host_only,
                "the host's own tools are not bridged"
            );
            assert!(Schema::read(&terms.output).is_ok() && terms.output.is_object());
        }
    }

    #[test]
    fn a_name_is_spelled_as_its_caller_spells_it() {
        let catalog = read();
        let found = |caller, name| catalog.parse(caller, name).map(Tool::qualified);
        let list = Some("windows__list");
        assert_eq!(found(Caller::Ui, "windows.list"), list);
        assert_eq!(found(Caller::Ui, "windows_list"), list);
        assert_eq!(found(Caller::Agent, "windows__list"), list);
        assert_eq!(found(Caller::Ui, "windows__list"), None);
        assert_eq!(found(Caller::Agent, "windows.list"), None);
        assert_eq!(found(Caller::Agent, "windows_list"), None);
        assert_eq!(found(Caller::Agent, "Windows__list"), None);
        for call in ["windows.list", "windows_list", "windows.close"] {
            assert!(catalog.is_capability_call(call), "{call}");
        }
        for call in [
            "windows",
            "windows_close",
            "windows__list",
            "records.upsert",
        ] {
            assert!(!catalog.is_capability_call(call), "{call}");
        }
    }

    #[test]
    fn capabilities_are_known_by_name_even_without_a_scope() {
        let catalog = read();
        assert!(catalog.is_capability("windows") && catalog.is_capability("contacts"));
        assert!(!catalog.is_capability("records"));
    }
}
