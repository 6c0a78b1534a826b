//! What a press in an app's surface may do: a function call becomes an [`Effect`], or is refused, and nothing happens yet.
//!
//! [`decide`] is pure: the package's own list of functions (with its actions and navigating, which are always its own) and
//! eui-core's policy decide. The shell carries effects out: records through the store, a bind through the surface's bindings, a
//! link through the desktop. A package action is planned whole ([`plan`]): every call in it is decided before its first write, its
//! writes are one batch, its sets and calls follow only when the batch has landed.

mod plan;

use eui_core::host::{
    FunctionDecision, RECORDS_BATCH_FUNCTION, decide_function, decide_url, source_with_params,
};
use serde_json::{Map, Value};

pub use plan::{ActionFailed, Plan, Snapshot, plan};

use crate::binding::DataWrite;
use crate::bridge::format::Format;
use crate::broker::catalog::catalog;
use crate::package::core::{BIND, NAVIGATE, package_call_name};
use crate::package::{Package, ScreenId};
use crate::records::Write;
use crate::upstreams::{Errand, ServerTool};

/// The function that shows a short message.
pub const TOAST: &str = "harness.toast";

/// Something the shell is to do for an app.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Write these records, as one batch; the same `key` again answers what the first did and writes nothing.
    Write {
        writes: Vec<Write>,
        key: Option<String>,
    },
    /// Run the package's action: see [`plan`].
    Run { action: String, params: Value },
    /// Show another screen of the app; its data gets the parameters at `/params`.
    Navigate {
        screen: ScreenId,
        params: Map<String, Value>,
    },
    /// Make a path of the surface's data follow another source ([`crate::binding::BindingSet::bind`] decides whether it may).
    Bind { path: String, source: String },
    /// Change the surface's data.
    Set(DataWrite),
    /// Open a link, already held against the URL policy, outside the app.
    OpenUrl(String),
    /// Show a short message over the app.
    Toast(String),
    /// Call a capability: the broker's to decide.
    Capability { function: String, args: Value },
    /// Call a tool of a server of the person's, where they allow it.
    Errand(Errand),
}

impl Effect {
    /// The function it came of, as a package names it.
    pub fn function(&self) -> String {
        let name = match self {
            Effect::Write { .. } => RECORDS_BATCH_FUNCTION,
            Effect::Run { action, .. } => return format!("actions.{action}"),
            Effect::Navigate { .. } => NAVIGATE,
            Effect::Bind { .. } => BIND,
            Effect::Set(_) => "set",
            Effect::OpenUrl(_) => "openUrl",
            Effect::Toast(_) => TOAST,
            Effect::Capability { function, .. } => function,
            Effect::Errand(errand) => return errand.to.to_string(),
        };
        name.to_owned()
    }
}

/// Why a call does nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No such function on this host.
    #[error("there is no function {0}")]
    Unknown(String),
    /// A function of Exponential's.
    #[error("{0} needs an Exponential account, which this desktop is not connected to")]
    Elsewhere(String),
    /// The package does not list it.
    #[error("{0} is not among the package's functions")]
    NotListed(String),
    /// What it was called with is no use.
    #[error("{function}: {why}")]
    Arguments { function: String, why: String },
    /// The link leads where an app may not send anyone.
    #[error("the link {url:?} is not opened ({reason})")]
    Link { url: String, reason: String },
}

/// What the call of `function` with `args` (resolved against the surface's data) means in a surface of `package`. The function is
/// named as the package or as its surface names it.
pub fn decide(package: &Package, function: &str, args: &Value) -> Result<Effect, Refused> {
    let function = package_call_name(function);
    let known = Known::of(package.value(), function);
    match decide_function(Some(&package.function_policy()), function, known.is_some()) {
        FunctionDecision::Allow => {}
        FunctionDecision::NotFound => return Err(Refused::Unknown(function.to_owned())),
        // Nothing of a package's own list asks; what needs consent is a capability, and the broker's.
        FunctionDecision::Ask | FunctionDecision::Deny => {
            return Err(Refused::NotListed(function.to_owned()));
        }
    }
    let wrong = |why: String| Refused::Arguments {
        function: function.to_owned(),
        why,
    };
    let text = |key: &str| {
        let value = args.get(key).and_then(Value::as_str);
        value.ok_or_else(|| wrong(format!("{key} is a string")))
    };
    match known.ok_or_else(|| Refused::Unknown(function.to_owned()))? {
        Known::Records(op) => {
            let mut write = args.clone();
            if let Some(write) = write.as_object_mut() {
                write.insert("op".into(), op.into());
            }
            Ok(Effect::Write {
                writes: vec![Write::from_json(&write).map_err(wrong)?],
                key: write_key(args).map_err(wrong)?,
            })
        }
        Known::RecordsBatch => {
            let writes = args.get("writes").and_then(Value::as_array);
            let writes = writes.ok_or_else(|| wrong("writes is a list".into()))?;
            let writes = writes
                .iter()
                .map(Write::from_json)
                .collect::<Result<_, _>>();
            Ok(Effect::Write {
                writes: writes.map_err(wrong)?,
                key: write_key(args).map_err(wrong)?,
            })
        }
        Known::Action(action) => Ok(Effect::Run {
            action,
            params: args.clone(),
        }),
        Known::Navigate => {
            let screen = ScreenId::new(text("screen")?);
            if package.screen(Some(&screen)).is_none() {
                return Err(wrong(format!("{screen} is no screen of the app")));
            }
            let params = match args.get("params") {
                None | Some(Value::Null) => Map::new(),
                Some(Value::Object(params)) => params.clone(),
                Some(_) => return Err(wrong("params is an object".into())),
            };
            Ok(Effect::Navigate { screen, params })
        }
        Known::Bind => Ok(Effect::Bind {
            path: text("path")?.to_owned(),
            source: source_with_params(text("source")?, args.get("params")),
        }),
        Known::Set => Ok(Effect::Set(DataWrite {
            path: eui_core::host::normalize_path(Some(text("path")?)),
            value: args.get("value").cloned().unwrap_or(Value::Null),
        })),
        Known::OpenUrl => open_url(text("url")?),
        Known::Toast => {
            let words = ["text", "message", "title"]
                .into_iter()
                .find_map(|key| args.get(key).and_then(Value::as_str));
            let words = words.filter(|words| !words.trim().is_empty());
            words
                .map(|words| Effect::Toast(words.to_owned()))
                .ok_or_else(|| wrong("text is the message".into()))
        }
        Known::Capability => Ok(Effect::Capability {
            function: function.to_owned(),
            args: args.clone(),
        }),
        Known::Tool(to) => Errand::new(to, args)
            .map(Effect::Errand)
            .ok_or_else(|| wrong("its arguments are an object".into())),
        Known::Elsewhere => Err(Refused::Elsewhere(function.to_owned())),
    }
}

/// What a call of a `records.*` function is known by, so that a second one writes nothing: `writeId`, a token.
fn write_key(args: &Value) -> Result<Option<String>, String> {
    match args.get("writeId") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(key)) if Format::Token.fits(key) => Ok(Some(key.clone())),
        Some(_) => Err("writeId is 1 to 64 letters, digits, `.`, `_` or `-`".into()),
    }
}

/// Has this host a function of this name for a package?
pub(crate) fn is_function(package: &Map<String, Value>, name: &str) -> bool {
    Known::of(package, package_call_name(name)).is_some()
}

/// The functions of this host itself.
pub(crate) const FUNCTIONS: [&str; 8] = [
    "records.upsert",
    "records.delete",
    RECORDS_BATCH_FUNCTION,
    NAVIGATE,
    BIND,
    "set",
    "openUrl",
    TOAST,
];

/// A link of an app, held against the URL policy: web, mail and telephone links to public places.
pub fn open_url(url: &str) -> Result<Effect, Refused> {
    let decision = decide_url(None, url);
    match decision.url {
        Some(url) if decision.allowed => Ok(Effect::OpenUrl(url)),
        _ => Err(Refused::Link {
            url: url.to_owned(),
            reason: decision.reason.unwrap_or_else(|| "invalid".into()),
        }),
    }
}

/// The functions of this host.
enum Known {
    Records(&'static str),
    RecordsBatch,
    Action(String),
    Navigate,
    Bind,
    Set,
    OpenUrl,
    Toast,
    Capability,
    Tool(ServerTool),
    Elsewhere,
}

impl Known {
    fn of(package: &Map<String, Value>, function: &str) -> Option<Known> {
        match function {
            "records.upsert" => return Some(Known::Records("upsert")),
            "records.delete" => return Some(Known::Records("delete")),
            RECORDS_BATCH_FUNCTION => return Some(Known::RecordsBatch),
            NAVIGATE => return Some(Known::Navigate),
            BIND => return Some(Known::Bind),
            "set" => return Some(Known::Set),
            "openUrl" => return Some(Known::OpenUrl),
            TOAST => return Some(Known::Toast),
            _ => {}
        }
        if let Some(action) = eui_core::host::action_call_name(function) {
            let declared = package.get("actions").and_then(|all| all.get(action));
            return declared.map(|_| Known::Action(action.to_owned()));
        }
        if let Some(to) = ServerTool::of_function(package, function) {
            return Some(Known::Tool(to));
        }
        if function.starts_with("exponential.") {
            return Some(Known::Elsewhere);
        }
        catalog()
            .is_capability_call(function)
            .then_some(Known::Capability)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::records::{Kind, RecordId};
    use serde_json::json;

    pub(crate) fn package() -> Package {
        let text = json!({"type": "string"});
        let package = json!({
            "formatVersion": 3, "id": "acme.app", "name": "App", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "functions": ["records.upsert", "harness.toast"],
            "records": {"entry": {"schema": {"type": "object", "properties": {"day": text, "hours": {"type": "number"}}, "required": ["hours"]}}},
            "actions": {
                "log": {"params": {"type": "object", "properties": {"hours": {"type": "number"}}, "required": ["hours"]}, "steps": [
                    {"require": "params.hours > 0", "message": "Log more than nothing"},
                    {"records.upsert": {"kind": "entry", "data": {"hours": "params.hours", "day": "today()"}}},
                    {"set": {"path": "/open", "value": false}},
                    {"call": "harness.toast", "args": {"text": "'Logged'"}},
                    {"call": "app.navigate", "args": {"screen": "'list'"}},
                ]},
            },
            "screens": [{"template": "list", "title": "List"}],
            "templates": {"list": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
        });
        let parsed = Package::read(package.to_string().as_bytes());
        parsed.package.ok_or(parsed.issues).unwrap()
    }

    fn call(function: &str, args: Value) -> Result<Effect, Refused> {
        decide(&package(), function, &args)
    }

    #[test]
    fn a_write_is_known_by_its_id_which_is_a_token() {
        let write = |id: Value| {
            let given = json!({"kind": "entry", "data": {"hours": 1}, "writeId": id});
            call("records.upsert", given)
        };
        let key = |id: Value| match write(id) {
            Ok(Effect::Write { key, .. }) => key,
            other => panic!("{other:?}"),
        };
        assert_eq!(key(json!("w-1")).as_deref(), Some("w-1"));
        assert_eq!(key(Value::Null), None);
        for wrong in [json!(""), json!("a b"), json!(7), json!("x".repeat(65))] {
            assert!(matches!(write(wrong), Err(Refused::Arguments { .. })));
        }
    }

    #[test]
    fn only_what_the_package_lists_is_carried_out() {
        let written = call(
            "records.upsert",
            json!({"kind": "entry", "data": {"hours": 1}}),
        );
        let kind = Kind::parse("entry").unwrap();
        assert_eq!(
            written,
            Ok(Effect::Write {
                writes: vec![Write::Upsert {
                    kind,
                    id: None,
                    data: json!({"hours": 1})
                }],
                key: None,
            })
        );
        for unlisted in [
            "records.delete",
            "records.batch",
            "files.open",
            "notifications.post",
            "shell.edit",
        ] {
            assert_eq!(
                call(unlisted, json!({"id": "x"})),
                Err(Refused::NotListed(unlisted.into())),
                "{unlisted}"
            );
        }
        for unknown in [
            "records.drop",
            "harness.mcp",
            "eval",
            "actions.nope",
            "actions.",
        ] {
            assert_eq!(
                call(unknown, json!({})),
                Err(Refused::Unknown(unknown.into())),
                "{unknown}"
            );
        }
    }

    #[test]
    fn what_only_exponential_can_do_says_so() {
        let issue = "exponential.issues.create";
        let mut value = package().value().clone();
        assert!(is_function(&value, issue) && FUNCTIONS.iter().all(|f| is_function(&value, f)));
        assert_eq!(
            call(issue, json!({})),
            Err(Refused::NotListed(issue.into()))
        );
        let listed = json!(["records.upsert", "harness.toast", issue]);
        value.insert("functions".into(), listed);
        let package = Package::read(Value::Object(value).to_string().as_bytes());
        let refused = decide(&package.package.unwrap(), issue, &json!({}));
        assert_eq!(refused, Err(Refused::Elsewhere(issue.into())));
    }

    #[test]
    fn its_own_actions_and_screens_need_no_listing() {
        let run = call("actions.log", json!({"hours": 2}));
        assert_eq!(
            run,
            Ok(Effect::Run {
                action: "log".into(),
                params: json!({"hours": 2})
            })
        );
        let shown = call(
            "app.navigate",
            json!({"screen": "list", "params": {"month": "2026-10"}}),
        );
        assert!(
            matches!(shown, Ok(Effect::Navigate { screen, params }) if screen.as_str() == "list" && params["month"] == "2026-10")
        );
        assert!(matches!(
            call("app.navigate", json!({"screen": "gone"})),
            Err(Refused::Arguments { .. })
        ));
    }

    #[test]
    fn links_lead_to_public_places_only() {
        assert_eq!(
            call("openUrl", json!({"url": "https://example.org/a"})),
            Ok(Effect::OpenUrl("https://example.org/a".into()))
        );
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "http://127.0.0.1:8080",
            "http://router.local",
            "not a link",
            "ede:clock",
        ] {
            assert!(
                matches!(
                    call("openUrl", json!({"url": url})),
                    Err(Refused::Link { .. })
                ),
                "{url}"
            );
        }
    }

    #[test]
    fn both_spellings_of_a_capability_are_a_call_for_the_broker() {
        let mut package = package().value().clone();
        package.insert(
            "functions".into(),
            json!([
                "records.upsert",
                "harness.toast",
                "windows.list",
                "windows_list"
            ]),
        );
        let parsed = Package::read(Value::Object(package).to_string().as_bytes());
        let package = parsed.package.ok_or(parsed.issues).unwrap();
        for function in ["windows.list", "windows_list"] {
            let effect = decide(&package, function, &json!({}));
            let expected = Effect::Capability {
                function: function.into(),
                args: json!({}),
            };
            assert_eq!(effect, Ok(expected));
        }
    }

    #[test]
    fn a_surface_may_bind_and_set_its_own_data() {
        let bound = call(
            "bind",
            json!({"path": "/x", "source": "records:entry", "params": {"day": "a&b"}}),
        );
        assert_eq!(
            bound,
            Ok(Effect::Bind {
                path: "/x".into(),
                source: "records:entry?day=a%26b".into()
            })
        );
        assert_eq!(
            call("set", json!({"path": "/"})),
            Ok(Effect::Set(DataWrite {
                path: String::new(),
                value: Value::Null
            }))
        );
    }

    #[test]
    fn arguments_that_make_no_sense_are_named() {
        for (function, args) in [
            ("records.upsert", json!({"data": {}})),
            ("records.upsert", json!({"kind": "Entry", "data": {}})),
            ("records.upsert", json!([])),
            ("harness.toast", json!({"text": " "})),
            ("bind", json!({"path": 1})),
            ("app.navigate", json!({"screen": "list", "params": 1})),
        ] {
            assert!(
                matches!(call(function, args.clone()), Err(Refused::Arguments { .. })),
                "{function} {args}"
            );
        }
        assert!(RecordId::parse("").is_err());
    }
}
