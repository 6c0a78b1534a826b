//! What may be asked and answered, and how one interaction comes to its one end.
#![allow(clippy::unwrap_used)]

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::call::tools;
use super::*;
use crate::app_id::AppId;
use crate::instances::{Ids, Instances, Launch};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn start() -> Timestamp {
    at("2026-11-30T12:00:00Z")
}

fn later(seconds: i64) -> Timestamp {
    Timestamp::from_second(start().as_second() + seconds).unwrap()
}

struct All;

impl AppSessions for All {
    fn is_of(&self, session: &AppSessionId, caller: &Caller) -> bool {
        session.as_str() == format!("{}-{}", caller.agent, caller.conversation)
    }
}

fn caller() -> Caller {
    Caller {
        agent: AgentId::shell(),
        conversation: ConversationId::parse("cli").unwrap(),
    }
}

fn request(tool: &str, given: Value) -> Request {
    match Call::read(tool, &given).unwrap() {
        Call::Ask(request, _) => request,
        other => panic!("{other:?}"),
    }
}

fn asked(tool: &str, given: Value) -> Interaction {
    let request = request(tool, given);
    let wanted = Wanted::new(caller(), request, None, &All).unwrap();
    Interaction::new(CallId::parse("call-1").unwrap(), wanted, start())
}

fn refused(tool: &str, given: Value) -> String {
    Call::read(tool, &given).unwrap_err().to_string()
}

fn two() -> Value {
    json!([{"id": "a", "label": "A"}, {"id": "b", "label": "B"}, {"id": "c", "label": "C"}])
}

#[test]
fn every_tool_is_read_from_its_file() {
    let names: Vec<&str> = tools().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(
        names,
        ["notice", "choice", "confirm", "input", "get", "dismiss"]
    );
    assert!(tools().iter().all(|tool| tool.description.ends_with('.')));
}

#[test]
fn arguments_are_held_against_the_tools_schema_and_the_first_mistake_is_pointed_at() {
    for (tool, given, says) in [
        ("ask", json!({}), "unknownTool"),
        (
            "notice",
            json!({"title": "T"}),
            "invalidParams: /message required",
        ),
        (
            "notice",
            json!({"title": "T", "message": "M", "expiresIn": 60}),
            "invalidParams: /expiresIn additionalProperties",
        ),
        (
            "notice",
            json!({"title": "T", "message": "\u{202e}\n"}),
            "invalidParams: /message minLength",
        ),
        (
            "confirm",
            json!({"title": "T", "expiresIn": 59}),
            "invalidParams: /expiresIn minimum",
        ),
        (
            "confirm",
            json!({"title": "T", "expiresIn": 86401}),
            "invalidParams: /expiresIn maximum",
        ),
        (
            "confirm",
            json!({"title": "T", "yes": "Allow"}),
            "invalidParams: /yes additionalProperties",
        ),
        (
            "confirm",
            json!({"title": "x".repeat(121)}),
            "invalidParams: /title maxLength",
        ),
        (
            "confirm",
            json!({"title": "ab:c ".repeat(24)}),
            "invalidParams: /title maxLength",
        ),
        (
            "confirm",
            json!({"title": "T", "appSession": "a b"}),
            "invalidParams: /appSession format",
        ),
        (
            "choice",
            json!({"title": "T", "actions": []}),
            "invalidParams: /actions minItems",
        ),
        (
            "choice",
            json!({"title": "T", "actions": [{"id": "a,b", "label": "A"}]}),
            "invalidParams: /actions/0/id format",
        ),
        (
            "choice",
            json!({"title": "T", "actions": [{"id": "a", "label": "A"}, {"id": "a", "label": "B"}]}),
            "invalidParams: /actions/1/id unique",
        ),
        (
            "choice",
            json!({"title": "T", "actions": [{"id": "a", "label": "A"}, {"id": "b", "label": "A\u{200b} "}]}),
            "invalidParams: /actions/1/label unique",
        ),
        (
            "input",
            json!({"title": "T", "field": {"label": "L", "type": "password"}}),
            "invalidParams: /field/type additionalProperties",
        ),
        ("get", json!({"id": "../x"}), "notFound: id"),
    ] {
        assert_eq!(refused(tool, given), says, "{tool}");
    }
}

#[test]
fn what_an_agent_says_is_kept_as_plain_text() {
    let request = request(
        "choice",
        json!({"title": " Which\u{202e}\none? ", "prompt": "See [this](https://evil.example)\n\n\u{7}now", "actions": [{"id": "a", "label": "A  b", "description": "\u{200b}"}]}),
    );
    let kept = json!({"title": "Which one?", "prompt": "See [link]\nnow", "actions": [{"id": "a", "label": "A b"}], "several": false, "expiresIn": 900});
    assert_eq!(request.to_json(), kept);
    assert_eq!(Call::kept("choice", &kept.to_string()), Some(request));
    assert_eq!(Call::kept("notice", &kept.to_string()), None);
}

#[test]
fn a_question_expires_after_a_quarter_of_an_hour_or_when_it_says_and_a_notice_never() {
    let of = |tool: &str, given: Value| asked(tool, given).expires_at;
    assert_eq!(of("confirm", json!({"title": "T"})), Some(later(900)));
    let given = json!({"title": "T", "field": {"label": "L"}, "expiresIn": 60.0});
    assert_eq!(of("input", given), Some(later(60)));
    assert_eq!(of("notice", json!({"title": "T", "message": "M"})), None);
}

#[test]
fn an_answer_has_the_requests_shape_exactly() {
    let single = request("choice", json!({"title": "T", "actions": two()}));
    let several = request(
        "choice",
        json!({"title": "T", "actions": two(), "several": true}),
    );
    let confirm = request("confirm", json!({"title": "T"}));
    let input = request("input", json!({"title": "T", "field": {"label": "L"}}));
    let good = [
        (&single, json!({"actionId": "b"})),
        (&several, json!({"actionIds": ["a", "c"]})),
        (&confirm, json!({"approved": false})),
        (&input, json!({"text": "hello"})),
    ];
    for (request, value) in &good {
        let answer = Answer::read(request, value).unwrap();
        assert_eq!(answer.to_json(), *value);
        let others = good.iter().filter(|(other, _)| other != request);
        for (_, other) in others {
            assert_eq!(Answer::read(request, other), None, "{other}");
        }
    }
    for (request, value) in [
        (&single, json!({"actionId": "d"})),
        (&single, json!({"actionId": "a", "actionIds": ["a"]})),
        (&single, json!("a")),
        (&several, json!({"actionIds": []})),
        (&several, json!({"actionIds": ["a", "a"]})),
        (&several, json!({"actionIds": ["c", "a"]})),
        (&several, json!({"actionIds": ["a", "d"]})),
        (&confirm, json!({"confirmed": true})),
        (&confirm, json!({"approved": "true"})),
        (&input, json!({"values": {"text": "hello"}})),
        (&input, json!({"text": ""})),
        (&input, json!({"text": "a\nb"})),
        (&input, json!({"text": "x".repeat(2001)})),
    ] {
        assert_eq!(Answer::read(request, &value), None, "{value}");
    }
    let notice = request("notice", json!({"title": "T", "message": "M"}));
    assert!(good.iter().all(|(_, v)| Answer::read(&notice, v).is_none()));
}

#[test]
fn a_session_that_is_anothers_asks_nothing() {
    let wanted = |session: &str| {
        let session = Some(AppSessionId::parse(session).unwrap());
        let request = request("confirm", json!({"title": "T"}));
        Wanted::new(caller(), request, session, &All)
    };
    assert_eq!(wanted("shell-other").unwrap_err(), NotItsSession);
    let asked = wanted("shell-cli").unwrap();
    let asked = Interaction::new(CallId::parse("c").unwrap(), asked, start());
    assert_eq!(
        asked.session,
        Some(AppSessionId::parse("shell-cli").unwrap())
    );
}

#[test]
fn a_session_of_an_instance_is_its_agents_in_its_conversation_while_it_runs_and_after() {
    struct Counted(u128);
    impl Ids for Counted {
        fn next(&mut self) -> std::io::Result<u128> {
            self.0 += 1;
            Ok(self.0)
        }
    }
    let (mut instances, mut ids) = (Instances::default(), Counted(0));
    let app = AppId::parse("acme.app").unwrap();
    let mut launch = |context: Option<Caller>| {
        let launch = Launch {
            context,
            ..Launch::by_person(app.clone())
        };
        let launched = instances.launch(launch, &mut ids, start()).unwrap();
        let session = instances.get(&launched.id).unwrap().app_session_id.clone();
        (launched.id, session.unwrap())
    };
    let (_, persons) = launch(None);
    let (id, agents) = launch(Some(caller()));
    let other = Caller {
        conversation: ConversationId::parse("other").unwrap(),
        ..caller()
    };
    // Another agent whose conversation goes by the same id.
    let stranger = Caller {
        agent: AgentId::parse("stranger").unwrap(),
        ..caller()
    };
    let of = |instances: &Instances| {
        let is_of = |session, caller: &Caller| instances.is_of(session, caller);
        [
            is_of(&agents, &caller()),
            is_of(&agents, &other),
            is_of(&agents, &stranger),
            is_of(&persons, &caller()),
        ]
    };
    assert_eq!(of(&instances), [true, false, false, false]);
    assert!(instances.close(&id, start()).is_ok());
    assert_eq!(of(&instances), [true, false, false, false]);
}

#[test]
fn a_notice_is_over_when_it_is_shown() {
    let mut notice = asked("notice", json!({"title": "T", "message": "M"}));
    let answered = notice.apply(&Event::Answer(json!({"approved": true})), later(1));
    assert_eq!(answered, Err(Refused::InvalidAnswer));
    notice.apply(&Event::Present, later(100_000)).unwrap();
    assert_eq!(notice.state, State::Completed);
}

#[test]
fn an_answer_that_comes_too_late_finds_it_expired() {
    let mut late = asked("confirm", json!({"title": "T", "expiresIn": 60}));
    late.apply(&Event::Present, later(1)).unwrap();
    assert_eq!(
        late.apply(&Event::Expire, later(59)),
        Err(Refused::InvalidTransition)
    );
    let yes = Event::Answer(json!({"approved": true}));
    assert_eq!(late.apply(&yes, later(60)), Err(Refused::InvalidTransition));
    assert_eq!((late.state, &late.answer), (State::Expired, &None));
}

#[test]
fn an_agent_hears_pending_and_when_to_ask_again_until_the_record_is_whole() {
    let mut confirm = asked("confirm", json!({"title": "T"}));
    let pending = |retry: i64| json!({"state": "pending", "retryAfter": retry, "id": "call-1"});
    assert_eq!(confirm.told(start()), pending(2));
    confirm.apply(&Event::Present, later(1)).unwrap();
    for (second, retry) in [(-5, 2), (80, 12), (899, 2), (600, 60)] {
        assert_eq!(confirm.told(later(second)), pending(retry), "{second}");
    }
    // Nobody has looked since.
    assert_eq!(confirm.told(later(900))["state"], "expired");
    let yes = Event::Answer(json!({"approved": true}));
    confirm.apply(&yes, later(2)).unwrap();
    assert_eq!(
        confirm.told(later(3)),
        json!({"id": "call-1", "kind": "confirm", "state": "completed", "createdAt": "2026-11-30T12:00:00.000Z", "updatedAt": "2026-11-30T12:00:02.000Z",
            "expiresAt": "2026-11-30T12:15:00.000Z", "answer": {"approved": true}})
    );
}

fn event() -> impl Strategy<Value = Event> {
    let answer = prop_oneof![
        Just(json!({"approved": true})),
        Just(json!({"approved": false})),
        Just(json!({"text": "x"})),
        Just(json!(null)),
    ];
    prop_oneof![
        2 => Just(Event::Present),
        3 => answer.prop_map(Event::Answer),
        1 => Just(Event::Cancel),
        3 => Just(Event::Expire),
        1 => Just(Event::Fail),
    ]
}

proptest! {
    /// The clock may be set back and forth meanwhile.
    #[test]
    fn whatever_happens_in_whatever_order_there_is_one_end_and_never_another(
        events in prop::collection::vec((event(), 0i64..120), 1..24),
    ) {
        let mut one = asked("confirm", json!({"title": "T", "expiresIn": 60}));
        for (event, second) in events {
            let before = one.clone();
            let done = one.apply(&event, later(second));
            if !before.state.is_live() {
                prop_assert_eq!(&one, &before);
                prop_assert_eq!(done, Err(Refused::InvalidTransition));
            }
            prop_assert_eq!(one.answer.is_some(), one.state == State::Completed);
            if let Event::Answer(value) = &event && done.is_ok() {
                let kept = one.answer.as_ref().map(Answer::to_json);
                prop_assert_eq!(kept.as_ref(), Some(value));
            }
            if done.is_err() && one != before {
                prop_assert_eq!((one.state, second >= 60), (State::Expired, true));
            }
        }
        // In the end it always comes to one.
        let _ = one.apply(&Event::Expire, later(60));
        prop_assert!(!one.state.is_live());
    }
}
