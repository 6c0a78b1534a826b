//! What holds for the broker and the bridge whatever is said to them: random names, arguments, manifests and answers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ede_engine::app_id::AppId;
use ede_engine::bridge::files::{FileId, FileStore, NewFile, NotificationIds, StoreError};
use ede_engine::bridge::mime::MimeTypes;
use ede_engine::bridge::schema::Schema;
use ede_engine::bridge::{NativeAnswer, validate};
use ede_engine::broker::audit::{AuditRow, Client, Status};
use ede_engine::broker::call::{Answer, Consent, Decided, Prepared, Request, Settled};
use ede_engine::broker::catalog::{Described, Runs, Terms, Tool, catalog};
use ede_engine::broker::decide::{Standing, Verdict, decide, list};
use ede_engine::broker::grants::{Grant, Grants};
use ede_engine::broker::names::{CapabilityName, RunId, ScopeId};
use ede_engine::broker::origin::Origin;
use ede_engine::broker::providers::Provided;
use ede_engine::package::{Capability, ScreenId};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Any JSON, with the keys tools know among it.
fn any_json() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON", |n| n.is_finite())
            .prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("https://api.example.org/")),
        Just(json!("2026-11-30T00:00:00Z")),
        Just(json!("aGk=")),
        Just(json!("f-1")),
        Just(json!("list")),
    ];
    let key = prop_oneof![
        "[a-z~/]{0,6}",
        Just("data".to_owned()),
        Just("name".to_owned()),
        Just("mimeType".to_owned()),
        Just("url".to_owned()),
        Just("fileId".to_owned()),
        Just("title".to_owned()),
        Just("screen".to_owned()),
        Just("structuredContent".to_owned()),
        Just("isError".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect()))
        ]
    })
    .boxed()
}

/// A value that keeps to a schema of the catalog, mostly: required members always, others now and then.
fn fitting(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(allowed) = schema["enum"].as_array() {
        return prop::sample::select(allowed.clone()).boxed();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[0].as_str(),
        kind => kind.as_str(),
    };
    match (kind, schema["format"].as_str()) {
        (Some("object"), _) => object(schema),
        (Some("array"), _) => {
            let items = prop::collection::vec(fitting(&schema["items"]), 0..4);
            items.prop_map(Value::from).boxed()
        }
        (Some("boolean"), _) => any::<bool>().prop_map(Value::from).boxed(),
        (Some("integer"), _) => {
            let least = schema["minimum"].as_i64().unwrap_or(0);
            let most = schema["maximum"].as_i64().unwrap_or(least + 9);
            (least..=most).prop_map(Value::from).boxed()
        }
        (_, Some("base64")) => prop::collection::vec(any::<u8>(), 0..9)
            .prop_map(|bytes| json!(STANDARD.encode(bytes)))
            .boxed(),
        (_, Some("date-time")) => Just(json!("2026-11-30T16:10:34.5+01:00")).boxed(),
        (_, Some("uri")) => Just(json!("https://api.example.org/a")).boxed(),
        (_, Some("token")) => "[A-Za-z0-9._-]{1,64}".prop_map(Value::from).boxed(),
        _ => prop_oneof!["[a-z.]{1,9}".prop_map(Value::from), Just(json!("f-1"))].boxed(),
    }
}

fn object(schema: &Value) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let members: Vec<_> = properties
        .iter()
        .map(|(key, property)| {
            let is_required = required.contains(&json!(key));
            let key = key.clone();
            let value = fitting(property).prop_map(move |value| (key.clone(), value));
            if is_required {
                value.prop_map(Some).boxed()
            } else {
                prop::option::weighted(0.3, value).boxed()
            }
        })
        .collect();
    members
        .prop_map(|members| Value::Object(members.into_iter().flatten().collect()))
        .boxed()
}

/// A tool with terms.
fn terms_of(tool: &'static Tool) -> Option<&'static Terms> {
    tool.terms.as_ref()
}

/// What its native's answer must keep to.
fn native_of(terms: &'static Terms) -> Option<&'static Described> {
    match &terms.runs {
        Runs::Native { answer, .. } => Some(answer),
        Runs::Engine(_) => None,
    }
}

fn any_tool() -> impl Strategy<Value = &'static Tool> {
    prop::sample::select(catalog().tools().iter().collect::<Vec<_>>())
}

/// A tool, arguments that mostly fit, and what its native may come back with.
fn any_call() -> impl Strategy<Value = (&'static Tool, Value, NativeAnswer)> {
    any_tool().prop_flat_map(|tool| {
        let terms = terms_of(tool);
        let arguments = match terms {
            Some(terms) => prop_oneof![4 => fitting(&terms.input.json), 1 => any_json()].boxed(),
            None => any_json(),
        };
        let content = match terms.and_then(native_of) {
            Some(native) => prop_oneof![4 => fitting(&native.json), 1 => any_json()].boxed(),
            None => any_json(),
        };
        let answer = prop_oneof![
            6 => content.prop_map(|c| NativeAnswer::Result(json!({"structuredContent": c}))),
            2 => any_json().prop_map(NativeAnswer::Result),
            1 => Just(NativeAnswer::Timeout),
        ];
        (Just(tool), arguments, answer)
    })
}

fn everything_declared() -> Vec<Capability> {
    let declared = catalog().scopes().map(|scope| Capability {
        scope: scope.id.clone(),
        why: "It is needed.".into(),
        origins: Origin::parse("https://api.example.org")
            .into_iter()
            .collect(),
    });
    declared.collect()
}

fn everything_provided() -> Provided {
    catalog()
        .capabilities
        .iter()
        .map(|c| c.name.clone())
        .collect()
}

/// One file, `f-1`, of any app; new ones are numbered.
#[derive(Default)]
struct Files(Vec<NewFile>);

impl FileStore for Files {
    fn get(&self, _: &AppId, id: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok((id.as_str() == "f-1").then(|| b"%PDF-1.4".to_vec()))
    }

    fn put(&mut self, _: &AppId, files: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
        let ids = (0..files.len()).map(|n| FileId::new(format!("new-{n}")));
        self.0.extend(files);
        Ok(ids.collect())
    }
}

struct Ids;

impl NotificationIds for Ids {
    fn next(&mut self) -> std::io::Result<u128> {
        Ok(7)
    }
}

fn request(tool: &Tool, arguments: Value) -> Request {
    Request {
        app: AppId::parse("acme.app").unwrap(),
        client: Client::Run(RunId::parse("run-1").unwrap()),
        name: tool.qualified().to_owned(),
        arguments,
    }
}

/// The whole way of a call that the person lets pass.
fn run(request: Request, native: NativeAnswer, files: &mut Files) -> (Settled, Vec<AuditRow>) {
    let standing = Standing {
        manifest: &everything_declared(),
        grants: &Grants::default(),
        provided: &everything_provided(),
        foreground: true,
    };
    let mut decided = request.decide(&standing);
    if let Decided::Ask(question) = decided {
        decided = question.resume(Consent::Granted);
    }
    let closed = match decided {
        Decided::Refused(closed) => closed,
        Decided::Ask(_) => panic!("asked twice"),
        Decided::Call(allowed) => {
            let screens = [ScreenId::new("list")];
            match allowed.prepare(&screens, MimeTypes::known(), files, &mut Ids) {
                Prepared::Closed(closed) => closed,
                Prepared::Native(running) => running.finish(native, files),
            }
        }
    };
    let mut rows = Vec::new();
    (closed.settle(&mut rows), rows)
}

fn holds_bytes(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.contains_key("data") || members.values().any(holds_bytes),
        Value::Array(items) => items.iter().any(holds_bytes),
        _ => false,
    }
}

proptest! {
    #[test]
    fn any_json_is_judged_against_every_schema(value in any_json()) {
        for terms in catalog().tools().iter().filter_map(terms_of) {
            let native = native_of(terms).map(|n| &n.schema);
            for schema in native.into_iter().chain([&terms.input.schema]) {
                if let Err(violation) = validate::value(schema, &value) {
                    prop_assert!(ede_engine::pointer::is_pointer(&violation.pointer));
                }
                if let Ok(given) = validate::arguments(schema, &value) {
                    let again = validate::arguments(schema, &Value::Object(given.clone()));
                    prop_assert_eq!(again, Ok(given), "what was let through passes with its defaults");
                }
            }
        }
    }

    #[test]
    fn every_call_gets_a_verdict(
        tool in any_tool(), spelled in 0..4usize, noise in "\\PC{0,16}", arguments in any_json(),
        declared in prop::collection::vec(prop::sample::select(vec!["windows.read", "http.fetch", "files.read", "shell.edit", "x.y"]), 0..4),
        granted in any::<Option<bool>>(), provided in prop::collection::vec("[a-z]{1,8}", 0..3), all in any::<bool>(), foreground in any::<bool>(),
    ) {
        let name = match spelled {
            0 => tool.qualified().to_owned(),
            1 => tool.qualified().replace("__", "."),
            2 => tool.qualified().replace("__", "_"),
            _ => noise,
        };
        let mut manifest: Vec<Capability> = declared.iter().map(|id| Capability { scope: ScopeId::parse(id).unwrap(), why: String::new(), origins: Vec::new() }).collect();
        if all {
            manifest = everything_declared();
        }
        let grant = granted.map(|yes| if yes { Grant::Granted } else { Grant::Denied });
        let grants: Grants = grant.into_iter().map(|g| (tool.scope.id.clone(), g)).collect();
        let mut names: Vec<CapabilityName> = provided.iter().filter_map(|n| CapabilityName::parse(n)).collect();
        names.push(tool.capability.clone());
        let provided: Provided = names.into_iter().collect();
        let standing = Standing { manifest: &manifest, grants: &grants, provided: &provided, foreground };
        for client in [Client::Ui, Client::Run(RunId::parse("run-1").unwrap())] {
            let verdict = decide(&standing, client.caller(), &name, &arguments);
            let may = |tool: &Tool| !tool.scope.host_only && manifest.iter().any(|c| c.scope == tool.scope.id);
            match verdict {
                Verdict::Call(tool) => prop_assert!(may(tool) && list(&manifest, &provided).contains(&tool)),
                Verdict::Ask(tool) => prop_assert!(may(tool) && foreground && grant.is_none()),
                Verdict::Unknown | Verdict::Unavailable(_) | Verdict::Denied(..) => {}
            }
            prop_assert_eq!(verdict, decide(&standing, client.caller(), &name, &arguments), "the same question has the same answer");
        }
    }

    #[test]
    fn no_answer_holds_bytes_and_every_call_leaves_one_row((tool, arguments, native) in any_call()) {
        let mut files = Files::default();
        let (settled, rows) = run(request(tool, arguments), native, &mut files);
        prop_assert_eq!(rows.len(), 1);
        prop_assert_eq!(&rows[0].tool, tool.qualified());
        let Answer::Result(result) = settled.answer else {
            panic!("a tool of the catalog is known")
        };
        prop_assert_eq!(rows[0].status == Status::Ok, !result.is_error());
        match result.structured() {
            Some(content) => {
                prop_assert!(!holds_bytes(content));
                let output = Schema::read(&terms_of(tool).unwrap().output).unwrap();
                prop_assert_eq!(validate::value(&output, content), Ok(()));
            }
            None => prop_assert!(files.0.is_empty(), "what is refused is not kept"),
        }
    }
}

#[test]
fn the_properties_see_answers_with_files() {
    let tool = catalog()
        .tools()
        .iter()
        .find(|t| t.qualified() == "files__open");
    let content = json!({"files": [{"name": "a", "mimeType": "b/c", "data": "aGk="}]});
    let native = NativeAnswer::Result(json!({"structuredContent": content}));
    let mut files = Files::default();
    let (settled, _) = run(request(tool.unwrap(), json!({})), native, &mut files);
    let Answer::Result(result) = settled.answer else {
        panic!("it is known")
    };
    let id = result
        .structured()
        .and_then(|c| c.pointer("/files/0/fileId"));
    assert_eq!(id, Some(&json!("new-0")));
    assert_eq!(files.0.len(), 1);
    assert!(holds_bytes(&content));
}
