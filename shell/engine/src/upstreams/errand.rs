//! What an app has a server do: `upstream.<server>.<tool>`, called by its surface or by an action of it, and what an automation of it
//! runs. The package says which tools, the person allows each app each tool once, and a tool that says of itself that it destroys is
//! never called.

use std::fmt;

use eui_core::host::{FunctionDecision, decide_function};
use serde_json::{Map, Value, json};

use super::reading::Reading;
use super::rule::{Hints, May, Refusal, Relation};
use super::servers::ServerName;
use crate::broker::grants::{Grant, Subject};
use crate::package::Package;
use crate::schema::check::shape_issues;

/// What the functions begin with.
pub const PREFIX: &str = "upstream.";

/// One tool of one server of the person's; as text `<server>/<tool>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerTool {
    pub server: ServerName,
    pub tool: String,
}

/// One call of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Errand {
    pub to: ServerTool,
    pub arguments: Map<String, Value>,
    /// Who calls says that it only reads: so must the tool.
    pub only_reads: bool,
}

impl ServerTool {
    fn new(server: ServerName, tool: &str) -> Option<ServerTool> {
        let fits = shape_issues(&tool.into(), &Reading::tool_shape(), 0).is_empty();
        let plain = fits && !tool.contains(|c: char| c.is_control() || c == '/');
        plain.then(|| ServerTool {
            server,
            tool: tool.to_owned(),
        })
    }

    /// The tool that `text` names, `<server>/<tool>`: it splits at its last `/`.
    pub fn parse(text: &str) -> Option<ServerTool> {
        let (server, tool) = text.rsplit_once('/')?;
        ServerTool::new(ServerName::parse(server)?, tool)
    }

    /// The tool that a function of this package's calls. Both names may have dots: a server that `upstreams` names is meant, of several
    /// the one with the longest name.
    pub fn of_function(package: &Map<String, Value>, function: &str) -> Option<ServerTool> {
        let rest = function.strip_prefix(PREFIX)?;
        let tool_of = |server: &ServerName| {
            Some(
                rest.strip_prefix(server.as_str())?
                    .strip_prefix('.')?
                    .to_owned(),
            )
        };
        let named = upstreams(package).filter_map(|server| Some((tool_of(&server)?, server)));
        let (tool, server) = named.max_by_key(|(_, server)| server.as_str().len())?;
        ServerTool::new(server, &tool)
    }

    /// What `run` of a tool or an automation calls.
    pub fn of_run(run: &Value) -> Option<ServerTool> {
        let server = ServerName::parse(run["upstream"].as_str()?)?;
        ServerTool::new(server, run["tool"].as_str()?)
    }
}

impl Errand {
    /// A call with these arguments; none at all are no arguments. `None` where they are no object.
    pub fn new(to: ServerTool, arguments: &Value) -> Option<Errand> {
        let arguments = match arguments {
            Value::Object(arguments) => arguments.clone(),
            Value::Null => Map::new(),
            _ => return None,
        };
        Some(Errand {
            to,
            arguments,
            only_reads: false,
        })
    }

    /// What is decided about it, in the words of a capability call's verdict.
    pub fn verdict(&self, verdict: &str, reason: Option<&str>) -> Value {
        json!({
            "verdict": verdict, "capability": "upstream", "tool": self.to.to_string(), "scope": Subject::Tool(self.to.clone()),
            "reason": reason,
        })
    }
}

impl fmt::Display for ServerTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.server, self.tool)
    }
}

/// The servers that a package's `upstreams` name.
pub(crate) fn upstreams(package: &Map<String, Value>) -> impl Iterator<Item = ServerName> {
    let named = package.get("upstreams").and_then(Value::as_array);
    let named = named.into_iter().flatten().filter_map(Value::as_str);
    named.filter_map(ServerName::parse)
}

impl Package {
    /// The tools it may ever call: those its functions list one by one, and those its automations and tools run.
    pub fn errands(&self) -> Vec<ServerTool> {
        let all = |key: &str| {
            self.value()
                .get(key)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        let functions = all("functions").filter_map(Value::as_str);
        let functions = functions.filter_map(|f| ServerTool::of_function(self.value(), f));
        let functions = functions.filter(|t| !t.tool.ends_with('*'));
        let exposes = all("exposes").filter_map(|one| ServerTool::of_run(&one["run"]));
        let mut tools: Vec<ServerTool> = functions.chain(exposes).collect();
        tools.extend(self.automation_errands());
        tools.sort();
        tools.dedup();
        tools
    }

    /// The tools its automations run.
    pub fn automation_errands(&self) -> Vec<ServerTool> {
        let all = self.value().get("automations").and_then(Value::as_array);
        let runs = all.into_iter().flatten();
        runs.filter_map(|one| ServerTool::of_run(&one["run"]))
            .collect()
    }

    /// Is it among the tools it may call: one of its [`Package::errands`], or one that its functions allow by a pattern?
    pub fn lists_tool(&self, to: &ServerTool) -> bool {
        let function = format!("{PREFIX}{}.{}", to.server, to.tool);
        let is_it = ServerTool::of_function(self.value(), &function).as_ref() == Some(to);
        let listed = || decide_function(Some(&self.function_policy()), &function, true);
        self.names_upstream(&to.server)
            && (is_it && listed() == FunctionDecision::Allow || self.errands().contains(to))
    }
}

/// May `package` call this tool?
///
/// # Errors
/// What keeps it from that.
pub fn may_call(package: &Package, to: &ServerTool, relation: Relation) -> Result<(), Refusal> {
    if !package.names_upstream(&to.server) {
        return Err(Refusal::NotDeclared);
    }
    if !package.lists_tool(to) {
        return Err(Refusal::NotListed);
    }
    match relation {
        Relation::NoServer => Err(Refusal::NoServer),
        Relation::Decided(Some(Grant::Granted)) => Ok(()),
        Relation::Decided(Some(Grant::Denied)) => Err(Refusal::Denied),
        Relation::Decided(None) => Err(Refusal::Undecided),
    }
}

impl Hints {
    /// May it be called where the person allowed it? What it says nothing of is theirs to know.
    pub fn does(self) -> bool {
        self.destructive != Some(true)
    }

    /// May this call of it be made?
    ///
    /// # Errors
    /// What keeps it from that.
    pub fn admit(self, errand: &Errand) -> Result<(), Refusal> {
        if !self.does() {
            return Err(Refusal::Destructive);
        }
        if errand.only_reads && !self.reads(May { vouched: false }) {
            return Err(Refusal::NotReadOnly);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn package(more: Value) -> Package {
        let mut package = json!({
            "formatVersion": 3, "id": "acme.pay", "name": "Pay", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "upstreams": ["bank", "bank.eu", "Home Assistant"],
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
        });
        package
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        Package::read_checked(package.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn a_function_names_a_server_of_the_package_and_a_tool_of_it() {
        let package = package(json!({}));
        let calls = |function: &str| {
            ServerTool::of_function(package.value(), function).map(|t| t.to_string())
        };
        assert_eq!(calls("upstream.bank.pay").as_deref(), Some("bank/pay"));
        assert_eq!(
            calls("upstream.bank.pay.now").as_deref(),
            Some("bank/pay.now")
        );
        assert_eq!(
            calls("upstream.bank.eu.pay").as_deref(),
            Some("bank.eu/pay")
        );
        assert_eq!(
            calls("upstream.Home Assistant.toggle").as_deref(),
            Some("Home Assistant/toggle")
        );
        for none in [
            "upstream.bank",
            "upstream.bank.",
            "upstream.banks.pay",
            "upstream.shop.buy",
            "bank.pay",
            "upstream.bank.a/b",
            "upstream.bank.a\nb",
        ] {
            assert_eq!(calls(none), None, "{none}");
        }
    }

    #[test]
    fn a_package_says_which_tools_it_may_ever_call() {
        let run = json!({"upstream": "bank", "tool": "book"});
        let package = package(json!({
            "functions": ["upstream.bank.pay", "upstream.bank.eu.*", "harness.toast"],
            "automations": [{"name": "weekly", "on": {"schedule": {"cron": "0 8 * * MON"}}, "run": run}],
        }));
        let tools: Vec<String> = package.errands().iter().map(ToString::to_string).collect();
        assert_eq!(tools, ["bank/book", "bank/pay"]);
    }

    #[test]
    fn the_person_decides_about_each_tool_of_a_server_that_is_named() {
        let package = package(json!({"functions": ["upstream.bank.*"]}));
        let may =
            |to: &str, relation| may_call(&package, &ServerTool::parse(to).unwrap(), relation);
        let decided = |grant| Relation::Decided(grant);
        assert_eq!(may("bank/pay", decided(Some(Grant::Granted))), Ok(()));
        assert_eq!(
            may("bank/pay", decided(Some(Grant::Denied))),
            Err(Refusal::Denied)
        );
        assert_eq!(may("bank/pay", decided(None)), Err(Refusal::Undecided));
        assert_eq!(may("bank/pay", Relation::NoServer), Err(Refusal::NoServer));
        assert_eq!(
            may("shop/buy", decided(Some(Grant::Granted))),
            Err(Refusal::NotDeclared)
        );
        assert_eq!(
            may("Home Assistant/toggle", decided(Some(Grant::Granted))),
            Err(Refusal::NotListed)
        );
    }

    #[test]
    fn what_says_that_it_destroys_is_never_called() {
        let does = |read_only, destructive| {
            Hints {
                read_only,
                destructive,
            }
            .does()
        };
        assert!(
            does(None, None)
                && does(Some(false), None)
                && does(Some(false), Some(false))
                && does(Some(true), None)
        );
        assert!(!does(None, Some(true)) && !does(Some(true), Some(true)));
    }
}
