//! What a set of bindings asks, takes and refuses.
#![allow(clippy::unwrap_used)]
use super::*;
use crate::broker::grants::Grant;
use crate::records::Kind;
use serde_json::{Map, json};

fn package(sources: Value) -> Arc<Package> {
    let schema = json!({"schema": {"type": "object", "properties": {"day": {"type": "string"}}}});
    let mut package = json!({
        "formatVersion": 2, "id": "acme.app", "name": "App", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "records": {"task": schema, "entry": schema},
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}], "bindings": [{"path": "/tasks", "source": "records:task"}]}},
    });
    if !sources.is_null() {
        package["sources"] = sources;
    }
    let parsed = Package::read(package.to_string().as_bytes());
    Arc::new(parsed.package.ok_or(parsed.issues).unwrap())
}

fn owner(sources: Value) -> Owner {
    Owner::App(package(sources))
}

fn bind(owner: Owner, source: &str) -> Result<(), BindError> {
    BindingSet::new(owner).bind("/x", source, &nobody)
}

fn nobody(_: &AppId) -> Option<Arc<Package>> {
    None
}

fn change(kind: &str) -> Change {
    Change {
        app: AppId::parse("acme.app").unwrap(),
        kind: Kind::parse(kind).unwrap(),
    }
}

fn declared() -> Vec<Declared> {
    [
        ("/tasks", "records:task"),
        ("/month", "records:entry?by=day"),
        ("/clock", "ede:clock?seconds=1"),
    ]
    .map(|(path, source)| Declared {
        path: path.into(),
        source: source.into(),
    })
    .into()
}

fn set() -> BindingSet {
    let (set, refused) = BindingSet::of(
        owner(json!(["records:*", "ede:clock"])),
        &declared(),
        &nobody,
    );
    assert_eq!(refused, []);
    set
}

#[test]
fn a_templates_own_bindings_are_followed() {
    let package = package(Value::Null);
    let declared = package.bindings("main", &Map::new());
    let (mut set, refused) = BindingSet::of(Owner::App(package), &declared, &nobody);
    assert_eq!((set.asks().len(), refused), (1, Vec::new()));
}

#[test]
fn a_package_without_sources_follows_its_records_and_nothing_else() {
    assert_eq!(bind(owner(Value::Null), "records:task"), Ok(()));
    assert_eq!(
        bind(owner(Value::Null), "ede:clock"),
        Err(BindError::NotListed("ede:clock".into()))
    );
}

#[test]
fn what_shows_the_persons_windows_is_for_apps_the_person_has_allowed_to_see_them() {
    /// A person who has allowed one scope.
    struct Allows(&'static str);
    impl Host for Allows {
        fn package(&self, _: &AppId) -> Option<Arc<Package>> {
            None
        }
        fn may(&self, _: &Package, scope: &'static str) -> bool {
            scope == self.0
        }
        fn may_read(&self, _: &Package, _: &Reading) -> Result<May, Refusal> {
            Err(Refusal::Undecided)
        }
    }

    let list = json!(["records:*", "ede:clock", "ede:*"]);
    for source in ["ede:windows", "ede:workspaces"] {
        let refused = Err(BindError::NotAllowed(source.into(), "windows.read"));
        assert_eq!(bind(owner(list.clone()), source), refused);
        let with = |scope| BindingSet::new(owner(list.clone())).bind("/x", source, &Allows(scope));
        assert_eq!(with("focus.window"), refused);
        assert_eq!(with("windows.read"), Ok(()));
        assert_eq!(bind(Owner::Shell, source), Ok(()));
    }
    let apps = "ede:apps".to_string();
    assert_eq!(
        bind(owner(list.clone()), &apps),
        Err(BindError::ShellOnly(apps.clone()))
    );
    assert_eq!(bind(Owner::Shell, &apps), Ok(()));
    for free in ["ede:clock", "ede:system", "ede:outputs", "ede:battery"] {
        assert_eq!(bind(owner(list.clone()), free), Ok(()));
    }
    for owner in [owner(list), Owner::Shell] {
        assert!(matches!(
            bind(owner, "ede:anything"),
            Err(BindError::Unknown(_))
        ));
    }
    assert!(matches!(
        bind(Owner::Shell, "records:task"),
        Err(BindError::AppsOnly(_))
    ));
    assert!(matches!(
        bind(Owner::Shell, "nonsense"),
        Err(BindError::Malformed(_))
    ));
}
#[test]
fn only_what_a_change_concerns_is_asked_again() {
    let mut set = set();
    assert_eq!(set.asks().len(), 3);
    assert!(set.asks().is_empty(), "each question is asked once");
    assert!(set.records_changed(&[change("task")]));
    assert!(!set.records_changed(&[change("note")]));
    let asks = set.asks();
    assert!(
        matches!(&asks[..], [Ask { source: SourceRef::Records(request), .. }] if request.reads().eq([&change("task")]))
    );
    assert!(set.source_ticked("clock") && !set.source_ticked("system"));
    assert!(set.depends_on_day() && set.day_changed());
    assert_eq!(set.asks().len(), 2, "the clock and the month view");
    assert!(set.records_replaced());
    assert_eq!(set.asks().len(), 2);
}

#[test]
fn an_answer_is_written_only_when_it_says_something_new() {
    let mut set = set();
    let ask = set.asks().remove(0);
    assert_eq!(
        set.land(ask.ticket, json!({"count": 1})),
        Some(DataWrite {
            path: "/tasks".into(),
            value: json!({"count": 1})
        })
    );
    assert_eq!(set.land(ask.ticket, json!({"count": 1})), None);
    assert!(set.land(ask.ticket, json!({"count": 2})).is_some());
}

#[test]
fn an_answer_of_fields_writes_those_that_differ_and_nothing_without_an_earlier_answer() {
    let mut set = set();
    let ask = set.asks().remove(0);
    let fields = |n: i32| Answer::Fields(vec![("count", json!(n)), ("done", json!(0))]);
    assert_eq!(
        (set.take(ask.ticket, fields(1)), set.last(ask.ticket)),
        (vec![], None)
    );
    set.take(
        ask.ticket,
        Answer::Whole(json!({"count": 1, "done": 0, "rest": []})),
    );
    assert_eq!(
        set.take(ask.ticket, fields(2)),
        [DataWrite {
            path: "/tasks/count".into(),
            value: json!(2)
        }]
    );
    assert_eq!(
        set.last(ask.ticket),
        Some(&json!({"count": 2, "done": 0, "rest": []}))
    );
}

#[test]
fn an_answer_to_an_older_question_does_not_reach_a_path_bound_anew() {
    let mut set = set();
    let old = set.asks().remove(0).ticket;
    set.bind("/tasks", "records:task?mine=1", &nobody).unwrap();
    assert_eq!(set.land(old, json!({"count": 9})), None);
    let new = set.asks().remove(0);
    assert!(set.land(new.ticket, json!({"count": 0})).is_some());
}

#[test]
fn a_refused_binding_leaves_the_path_as_it_was() {
    let mut set = set();
    set.asks();
    assert!(set.bind("/tasks", "ede:windows", &nobody).is_err());
    assert!(set.asks().is_empty());
    let (mut set, refused) = BindingSet::of(owner(Value::Null), &declared(), &nobody);
    assert_eq!(refused.len(), 1, "the rest is bound");
    assert_eq!(set.asks().len(), 2);
}

#[test]
fn an_answer_that_did_not_come_is_asked_for_with_the_next_news_and_not_in_a_circle() {
    let mut set = set();
    let ask = set.asks().remove(0);
    set.missed(ask.ticket);
    assert_eq!(set.asks(), []);
    assert!(
        set.records_changed(&[change("note")]),
        "news of any records"
    );
    assert_eq!(set.asks(), [ask]);
    assert_eq!(set.asks(), []);
}

#[test]
fn a_picture_takes_what_is_known_and_keeps_the_rest() {
    struct Clock;
    impl Sources for Clock {
        fn value(&mut self, source: &SourceRef) -> Option<Value> {
            matches!(source, SourceRef::Shell(_)).then(|| json!({"time": "12:00"}))
        }
    }
    let mut set = set();
    assert_eq!(
        set.resolve(&mut Clock),
        [DataWrite {
            path: "/clock".into(),
            value: json!({"time": "12:00"})
        }]
    );
    assert_eq!(set.asks().len(), 2);
}

/// A person with one server called `bank`, who has decided so about it.
struct HasBank(Option<Grant>);

impl Host for HasBank {
    fn package(&self, _: &AppId) -> Option<Arc<Package>> {
        None
    }
    fn may(&self, _: &Package, _: &'static str) -> bool {
        false
    }
    fn may_read(&self, package: &Package, reading: &Reading) -> Result<May, Refusal> {
        let relation = match reading.server.as_str() {
            "bank" => Relation::Decided(self.0),
            _ => Relation::NoServer,
        };
        rule::may_read(package, reading, relation)
    }
}

fn reader() -> Owner {
    let package = json!({
        "formatVersion": 3, "id": "acme.app", "name": "App", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "upstreams": ["bank", "other"], "sources": ["upstream:bank/rates", "upstream:other/*"],
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
    });
    Owner::App(
        Package::read_checked(package.to_string().as_bytes())
            .unwrap()
            .into(),
    )
}

#[test]
fn an_app_reads_from_servers_it_names_once_the_person_has_allowed_it() {
    let asks = |owner, source: &str, grant| {
        let bound = BindingSet::new(owner).bind("/x", source, &HasBank(grant));
        bound.map_err(|error| match error {
            BindError::Unread(_, refusal) => refusal.as_str(),
            BindError::AppsOnly(_) => "appsOnly",
            BindError::Malformed(_) => "malformed",
            other => panic!("{other}"),
        })
    };
    let allowed = Some(Grant::Granted);
    assert_eq!(asks(reader(), "upstream:bank/rates?day=1", allowed), Ok(()));
    for (source, grant, why) in [
        ("upstream:bank/rates", None, "consentNeeded"),
        ("upstream:bank/rates", Some(Grant::Denied), "consentDenied"),
        ("upstream:bank/pay", allowed, "notListed"),
        ("upstream:other/x", allowed, "unavailable"),
        ("upstream:theirs/x", allowed, "notDeclared"),
        ("upstream:bank", allowed, "malformed"),
    ] {
        assert_eq!(asks(reader(), source, grant), Err(why), "{source}");
    }
    assert_eq!(
        asks(Owner::Shell, "upstream:bank/rates", allowed),
        Err("appsOnly")
    );
}

#[test]
fn what_is_read_is_asked_for_again_when_it_is_old_and_forgotten_when_it_is_refused() {
    let mut set = BindingSet::new(reader());
    let host = HasBank(Some(Grant::Granted));
    set.bind("/rates", "upstream:bank/rates", &host).unwrap();
    let ticket = set.asks()[0].ticket;
    assert!(set.land(ticket, json!(1)).is_some());
    assert!(!set.records_replaced() && !set.source_ticked("bank") && !set.depends_on_day());
    assert_eq!(set.upstreams().count(), 1);
    assert!(!set.read_again(|_| false));
    assert!(set.read_again(|allowed| allowed.reading.tool == "rates"));
    assert_eq!(set.asks().len(), 1);
    assert_eq!(set.land(ticket, json!(1)), None, "it says nothing new");
    assert_eq!(set.refused(ticket), Some("/rates"));
    assert!(
        set.land(ticket, json!(1)).is_some(),
        "the template's data stood there"
    );
}
