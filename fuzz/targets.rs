//! What is fuzzed: one function for each kind of bytes that come from outside. Each panics where a promise does not hold, and is called
//! twice over: by libFuzzer (`fuzz_targets/`, `tests/scripts/fuzz`) and by `shell/engine/tests/fuzz.rs`, which replays the seeds and
//! breaks them at random on every `make test`.

use std::sync::OnceLock;

use ede_engine::app_file::AppFile;
use ede_engine::app_id::AppId;
use ede_engine::artifacts::{self, MAX_BYTES};
use ede_engine::bridge::files::{FileId, FileStore, NewFile, NotificationIds, StoreError};
use ede_engine::bridge::mime::MimeTypes;
use ede_engine::bridge::{AppContext, Bridged, NativeAnswer};
use ede_engine::broker::audit::Client;
use ede_engine::broker::catalog::{Runs, Tool, catalog};
use ede_engine::broker::names::RunId;
use ede_engine::check::{Context, check};
use ede_engine::exposes::{self, Deed};
use ede_engine::interactions::{Answer, Call};
use ede_engine::package::{Judge, Package, ScreenId};
use ede_engine::records::import::read_csv;
use ede_engine::records::{Kind, LOCAL, RecordsRequest, Viewer, Write};
use ede_engine::upstreams::{Reading, Servers, answer};
use eui_core::cel::{ExpressionEnv, check_expression, evaluate_expression};
use eui_core::host::{RecordRow, validate_record};
use serde_json::{Map, Value, json};

/// A target by its name, which is also its folder of seeds.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const ALL: &[Target] = &[
    ("arguments", arguments),
    ("csv", csv),
    ("expression", expression),
    ("file", file),
    ("image", image),
    ("interaction", interaction),
    ("native", native),
    ("offered", offered),
    ("package", package),
    ("pdf", pdf),
    ("query", query),
    ("upstream", upstream),
];

/// Hand these bytes to a target.
pub fn run(name: &str, bytes: &[u8]) {
    let target = ALL.iter().find(|(known, _)| *known == name);
    let (_, target) = target.unwrap_or_else(|| panic!("there is no target {name}"));
    target(bytes);
}

/// A package, with or without records: checked, and shown where the checker lets it through.
fn package(bytes: &[u8]) {
    // A message may quote any word of the file: what the checker says of itself is the whole of one's end.
    let gave_up = [
        "could not be checked: simplify them",
        "could not be checked to its end: simplify it",
    ];
    for issue in check("a.app.json", bytes, Context::default()).issues {
        let gave_up = gave_up.iter().any(|end| issue.message.ends_with(end));
        assert!(!gave_up, "the checker gave up: {}", issue.message);
    }
    let Some(file) = AppFile::read(bytes, Judge::default()).file else {
        return;
    };
    let package = file.package;
    for row in file.rows {
        let kind = package.kind(row.kind.as_str()).expect("a kind it has");
        assert_eq!(validate_record(&kind["schema"], &row.put.data), []);
        assert!(row.put.id.is_some());
    }
    let templates: Vec<String> = package.templates().map(str::to_owned).collect();
    for template in templates {
        let params = Map::new();
        for binding in package.bindings(&template, &params) {
            let _ = RecordsRequest::parse(&binding.source, &package, |_| None);
        }
        let _ = package.template_messages("s", &template, None);
    }
    for automation in ede_engine::automations::Automation::all(&package) {
        let record = json!({"id": "r", "title": "t"});
        let _ = automation.plan(
            &std::sync::Arc::new(package.clone()),
            record.as_object(),
            &viewer(),
        );
    }
}

/// A document, a theme or a stream, by whatever it says it is.
fn file(bytes: &[u8]) {
    for name in ["a.ede-ui.json", "a.theme.json", "a.jsonl", "a"] {
        let _ = check(name, bytes, Context::default());
    }
}

/// What an agent asks the person, what they answer, and what it hands over: `{tool, arguments, answer}`. What is kept is plain and reads the same again.
fn interaction(bytes: &[u8]) {
    let Ok(said) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    if let Ok(artifacts::Call::Keep(offer, _)) = artifacts::Call::read("keep", &said["arguments"]) {
        let leads_away = |c: char| c == '/' || c == '\\' || c.is_control();
        assert!(
            !offer.name.contains(leads_away)
                && !offer.name.starts_with('.')
                && !offer.name.is_empty()
        );
        assert!(offer.name.len() <= 255 && offer.size <= MAX_BYTES);
    }
    let tool = said["tool"].as_str().unwrap_or_default();
    let Ok(Call::Ask(request, _)) = Call::read(tool, &said["arguments"]) else {
        return;
    };
    let kept = request.to_json();
    let shown = kept.to_string();
    let hidden = |c: char| {
        c.is_control()
            || ('\u{200b}'..='\u{200f}').contains(&c)
            || ('\u{202a}'..='\u{202e}').contains(&c)
    };
    assert!(!shown.contains(hidden), "{shown}");
    match Call::read(tool, &kept) {
        Ok(Call::Ask(again, None)) => assert_eq!(again, request),
        other => panic!("{kept}: {other:?}"),
    }
    if let Some(answer) = Answer::read(&request, &said["answer"]) {
        assert_eq!(Answer::read(&request, &answer.to_json()), Some(answer));
    }
}

/// What an MCP server answers, what a binding asks of one, and the person's list of them: what is read is written as it was read.
fn upstream(bytes: &[u8]) {
    if let Ok(answer) = serde_json::from_slice(bytes) {
        let _ = answer::value(answer);
    }
    if let Ok(servers) = Servers::read(bytes) {
        let again = Servers::read(servers.to_json().as_bytes());
        assert_eq!(again.map(|s| s.to_json()).ok(), Some(servers.to_json()));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Reading::parse(&format!("upstream:{text}"));
    }
}

/// The package that queries and tables are read against.
fn subject() -> &'static Package {
    static SUBJECT: OnceLock<Package> = OnceLock::new();
    SUBJECT.get_or_init(|| {
        let text = json!({"type": "string"});
        let package = json!({
            "formatVersion": 5, "id": "acme.fuzz", "name": "Fuzz", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "records": {
                "list": {"schema": {"type": "object", "properties": {"title": text}}},
                "task": {
                    "schema": {"type": "object", "required": ["title"], "properties": {
                        "title": text, "list": text, "hours": {"type": "number", "minimum": 0}, "count": {"type": "integer"}, "done": {"type": "boolean"},
                        "state": {"type": "string", "enum": ["open", "closed"]}, "day": {"type": "string", "format": "date"}, "at": {"type": "string", "format": "time"},
                        "due": {"type": "string", "format": "date-time"}, "tags": {"type": "array", "items": text}}},
                    "refs": {"list": {"kind": "list"}},
                    "computed": {"minutes": "hours == null ? 0 : hours * 60"}},
            },
            "queries": {"busy": {"from": "task", "where": [["hours", ">", "${least}"]], "group": ["state"], "aggregate": {"n": ["count"], "total": ["sum", "hours"]}}},
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
        });
        let parsed = Package::read(package.to_string().as_bytes());
        parsed.package.unwrap_or_else(|| panic!("{:?}", parsed.issues))
    })
}

fn viewer() -> Viewer {
    Viewer {
        me: LOCAL.into(),
        now: "2026-11-30T12:00:00[Europe/Vienna]".parse().unwrap(),
    }
}

/// What an agent calls a tool of an app's with: whatever it says, the tool does what the package wrote, with the package's own kind.
fn offered(bytes: &[u8]) {
    static APP: OnceLock<std::sync::Arc<Package>> = OnceLock::new();
    let package = APP.get_or_init(|| {
        let text = json!({"title": {}, "at": {"type": "object"}, "id": {}});
        let tool = |name: &str, access: &str, run: Value| json!({"name": name, "title": "T", "description": "D.", "access": access, "input": {"type": "object", "properties": text}, "run": run});
        let package = json!({
            "formatVersion": 3, "id": "acme.app", "name": "App", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "records": {"task": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}}}, "secret": {"schema": {"type": "object", "properties": {}}}},
            "queries": {"by": {"from": "task", "where": [["title", "=", "${title}"]], "sort": "${at}"}},
            "exposes": [
                tool("by", "read", json!({"records": {"op": "list", "kind": "task", "query": "by"}})),
                tool("all", "read", json!({"records": {"op": "list", "kind": "task", "where": "${input.at}", "sort": "${input.title}", "group": ["${input.title}"]}})),
                tool("one", "read", json!({"records": {"op": "get", "kind": "task", "id": "${input.id}"}})),
                tool("put", "write", json!({"records": {"op": "upsert", "kind": "task", "id": "${input.id}", "data": {"title": "a ${input.title} ${input.at.deep}"}}})),
            ],
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
        });
        let parsed = Package::read(package.to_string().as_bytes());
        std::sync::Arc::new(parsed.package.ok_or(parsed.issues).expect("a package"))
    });
    let Ok(given) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    for tool in exposes::Tool::all(package) {
        let name = tool.name.qualified(package.id());
        let client = Client::Run(RunId::parse("run").expect("a run"));
        let opened = exposes::Call::open(package, client, &name, &given).expect("a tool");
        let Ok(call) = opened else { continue };
        match call.deed(&viewer(), true) {
            Ok(Deed::Read(request, _)) => {
                for change in request.reads() {
                    let of = (change.app.as_str(), change.kind.as_str());
                    assert_eq!(of, ("acme.app", "task"));
                }
                let rows = |_: &_| Ok::<_, std::convert::Infallible>(Vec::new());
                let _ = request.evaluate(&viewer(), rows);
            }
            Ok(Deed::Write { batch, calls }) => {
                assert!(tool.access == exposes::Access::Write && calls.is_empty());
                for write in batch.into_iter().flat_map(|batch| batch.writes) {
                    assert!(
                        matches!(&write, Write::Upsert { kind, .. } if kind.as_str() == "task")
                    );
                }
            }
            Ok(Deed::Errand(_)) => panic!("no server is named"),
            Err(_) => {}
        }
    }
}

/// A records source: what is parsed is answered.
fn query(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let source = format!("records:{text}");
    let Ok(request) = RecordsRequest::parse(&source, subject(), |_| None) else {
        return;
    };
    let row = |id: &str, kind: &str, data: Value| RecordRow {
        id: id.into(),
        kind: kind.into(),
        data,
        created_by: Some(LOCAL.into()),
        author_id: None,
        created_at: format!("2026-11-{:02}T08:00:00.000Z", id.len() % 28 + 1),
        updated_at: "2026-11-30T08:00:00.000Z".into(),
    };
    let rows = [
        row(
            "a",
            "task",
            json!({"title": "A", "hours": 1.5, "day": "2026-11-30", "tags": ["x"], "list": "l"}),
        ),
        row(
            "bb",
            "task",
            json!({"title": "B", "hours": -0.0, "done": true, "state": "open", "due": "2026-11-30T23:59:59Z"}),
        ),
        row(
            "ccc",
            "task",
            json!({"title": "", "count": 9_007_199_254_740_993_i64, "list": "gone"}),
        ),
        row("l", "list", json!({"title": "List"})),
    ];
    let answered = request.evaluate(&viewer(), |change| {
        let of_kind = rows.iter().filter(|r| r.kind == change.kind.as_str());
        Ok::<_, std::convert::Infallible>(of_kind.cloned().collect::<Vec<_>>())
    });
    let Ok(_) = answered;
}

/// An expression: within its limits it ends, and what types evaluates.
fn expression(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let types = json!({"n": "number", "s": "string", "l": {"list": "number"}, "d": "dyn"});
    let values = json!({"n": 2.5, "s": "2026-11-30", "l": [1, 2, 3], "d": {"a": null}});
    let (Value::Object(types), Value::Object(values)) = (types, values) else {
        return;
    };
    let _ = check_expression(text, &types);
    let env = ExpressionEnv {
        now: Some(1_796_000_000_000.0),
        offset: None,
        max_steps: None,
    };
    let _ = evaluate_expression(text, &values, &env);
}

/// A table: every row is ready or says why not, and what is ready keeps to the kind.
fn csv(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let kind = Kind::parse("task").unwrap();
    let schema = &subject().kind("task").unwrap()["schema"];
    let Ok(import) = read_csv(text, &kind, schema) else {
        return;
    };
    let mut wrong: Vec<usize> = import.issues.iter().map(|issue| issue.row).collect();
    wrong.dedup();
    assert_eq!(import.writes.len() + wrong.len(), import.total);
    for write in &import.writes {
        let Write::Put { put, .. } = write else {
            panic!("an import puts records: {write:?}");
        };
        assert_eq!(validate_record(schema, &put.data), Vec::new());
    }
}

/// A document to print: any arguments of `print_pdf` are an answer, and what it makes is a PDF.
fn pdf(bytes: &[u8]) {
    let arguments = serde_json::from_slice(bytes).unwrap_or_else(|_| {
        let text = String::from_utf8_lossy(bytes);
        let first = |most: usize| text.chars().take(most).collect::<String>();
        json!({"title": "T", "blocks": [{"heading": format!("-{}", first(499))}, {"text": first(20_000)}]})
    });
    let mut files = Files::default();
    called(tool("print__pdf"), &arguments, &mut files);
    for file in files.put {
        assert!(file.bytes.starts_with(b"%PDF-1.4"), "no PDF");
        assert!(file.bytes.ends_with(b"%%EOF\n"), "a cut PDF");
    }
}

/// The bytes of a picture that is printed.
fn image(bytes: &[u8]) {
    let arguments = json!({"title": "T", "blocks": [{"image": "f-1"}]});
    let mut files = Files {
        file: bytes.to_vec(),
        put: Vec::new(),
    };
    called(tool("print__pdf"), &arguments, &mut files);
}

/// What an app says to a tool: the first byte says to which.
fn arguments(bytes: &[u8]) {
    let Some((which, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(arguments) = serde_json::from_slice::<Value>(rest) else {
        return;
    };
    let tools = catalog().tools();
    called(
        &tools[usize::from(*which) % tools.len()],
        &arguments,
        &mut Files::default(),
    );
}

/// What a native answers: the first byte says which tool's. No bytes reach the app, and no file is kept of an answer that is refused.
fn native(bytes: &[u8]) {
    let Some((which, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(answer) = serde_json::from_slice::<Value>(rest) else {
        return;
    };
    let has_native =
        |tool: &&Tool| (tool.terms.as_ref()).is_some_and(|t| matches!(t.runs, Runs::Native { .. }));
    let tools: Vec<&Tool> = catalog().tools().iter().filter(has_native).collect();
    let tool = tools[usize::from(*which) % tools.len()];
    let mut files = Files::default();
    let opened = open(tool, &sensible(tool), &mut files);
    let Bridged::Native(running) = opened else {
        panic!("{}: {opened:?}", tool.qualified());
    };
    let answered = running.close(NativeAnswer::Result(answer), &app(), &mut files);
    let said = serde_json::to_value(&answered.result).unwrap();
    if said.get("isError") == Some(&json!(true)) {
        assert!(files.put.is_empty(), "a refused answer left files");
    } else {
        assert_eq!(carries_data(&said["structuredContent"]), None);
    }
}

/// Where an object carries bytes of its own.
fn carries_data(value: &Value) -> Option<&Value> {
    match value {
        Value::Object(members) if members.contains_key("data") => Some(value),
        Value::Object(members) => members.values().find_map(carries_data),
        Value::Array(items) => items.iter().find_map(carries_data),
        _ => None,
    }
}

fn tool(name: &str) -> &'static Tool {
    let mut tools = catalog().tools().iter();
    tools.find(|t| t.qualified() == name).unwrap()
}

/// Arguments that every native takes.
fn sensible(tool: &Tool) -> Value {
    match tool.qualified() {
        "files__save" => json!({"name": "a.txt", "text": "a"}),
        "focus__window" => json!({"window": "w1"}),
        "http__fetch" => json!({"url": "https://a.example/"}),
        "launch__app" => json!({"app": "org.example.App"}),
        "notifications__cancel" | "photos__get" => json!({"id": "n1"}),
        "notifications__post" => json!({"title": "T"}),
        "print__print" => json!({"fileId": "f-1"}),
        "share__send" => json!({"text": "t"}),
        _ => json!({}),
    }
}

fn app() -> AppId {
    AppId::parse("acme.fuzz").unwrap()
}

fn open(tool: &'static Tool, arguments: &Value, files: &mut Files) -> Bridged {
    let screens = [ScreenId::new("main")];
    let app = app();
    let context = AppContext {
        app: &app,
        screens: &screens,
        mime_types: MimeTypes::known(),
    };
    Bridged::open(tool, arguments, context, files, &mut Ids)
}

fn called(tool: &'static Tool, arguments: &Value, files: &mut Files) {
    if let Bridged::Native(running) = open(tool, arguments, files) {
        let _ = running.close(NativeAnswer::Unreachable, &app(), files);
    }
}

/// One file, and what is stored beside it.
struct Files {
    file: Vec<u8>,
    put: Vec<NewFile>,
}

impl Default for Files {
    fn default() -> Files {
        Files {
            file: b"%PDF-1.4\n".to_vec(),
            put: Vec::new(),
        }
    }
}

impl FileStore for Files {
    fn get(&self, _: &AppId, id: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok((id.as_str() == "f-1").then(|| self.file.clone()))
    }

    fn put(&mut self, _: &AppId, files: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
        let ids = (0..files.len()).map(|n| FileId::new(format!("new-{n}")));
        let ids = ids.collect();
        self.put.extend(files);
        Ok(ids)
    }
}

struct Ids;

impl NotificationIds for Ids {
    fn next(&mut self) -> std::io::Result<u128> {
        Ok(7)
    }
}
