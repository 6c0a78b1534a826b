//! What agents ask the person: the card in the corner, what comes of its answers, and what the agent hears.

use std::sync::Arc;

use ede::clock::SystemClock;
use ede_engine::clock::Clock;
use ede_engine::interactions::{
    AgentId, AppSessionId, AppSessions, Call, Caller, ConversationId, Interaction, State, Wanted,
};
use ede_engine::records::{Store, StoreOptions};
use ede_tests::compositor::{Compositor, LEFT, Scene, SurfaceId, SurfaceView};
use ede_tests::picture;
use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::harness::{Desktop, one, painted, wait_for};
use super::readings::audit;

/// A widget whose press asks the person what it may do.
const TIMER: &str = include_str!("../../../fixtures/apps/test.timer.app.json");

/// The middle of the card's buttons and of its field, from its lower right corner, which is that of the desktop's grid.
pub const ANSWER: (f64, f64) = (44.0, 32.0);
pub const OTHER: (f64, f64) = (104.0, 32.0);
const FIELD: (f64, f64) = (168.0, 82.0);
/// Words of it, which nothing comes of.
const WORDS: (f64, f64) = (220.0, 100.0);

/// A home whose desktop is empty.
pub fn home() -> Ede {
    let ede = Ede::new();
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": []}]}"#);
    ede
}

pub fn start() -> Desktop {
    let d = Desktop::start_with(&[one()], home()).0;
    d.panel();
    d
}

/// What `ede call interaction …` prints.
pub fn call(ede: &Ede, tool: &str, given: &Value) -> Value {
    call_of(ede, "interaction", tool, given)
}

/// What `ede call FAMILY …` prints.
pub fn call_of(ede: &Ede, family: &str, tool: &str, given: &Value) -> Value {
    let file = ede.config().join("arguments.json");
    std::fs::write(&file, given.to_string()).unwrap();
    let call = ["call", family, tool, file.to_str().unwrap(), "--agent"];
    let ran = ede.command(&call).output().unwrap();
    let said: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
    said["answer"].clone()
}

/// Ask, and get the id.
pub fn ask(ede: &Ede, tool: &str, given: &Value) -> String {
    let said = call(ede, tool, given)["structuredContent"].clone();
    assert_eq!(said["state"], "pending", "{said}");
    assert!((1..=60).contains(&said["retryAfter"].as_i64().unwrap()));
    said["id"].as_str().unwrap().to_owned()
}

pub fn get(ede: &Ede, id: &str) -> Value {
    call(ede, "get", &json!({"id": id}))["structuredContent"].clone()
}

/// The record, once it has come to its end.
pub fn ended(ede: &Ede, id: &str) -> Value {
    wait_for("its end", || {
        Some(get(ede, id)).filter(|said| said["state"] != "pending")
    })
}

fn card(s: &Scene) -> Option<SurfaceView> {
    s.layer("ede-card").filter(|c| painted(c)).cloned()
}

pub fn no_card(s: &Scene) -> Option<()> {
    s.layer("ede-card").is_none().then_some(())
}

/// Does its main button answer? It is light then, in the dark.
fn lit(card: &SurfaceView) -> bool {
    let (picture, (x, y)) = (card.picture(), ANSWER);
    let (w, h) = (picture.width() - 32, picture.height() - 32);
    let around = picture::crop(&picture, w - x as u32 - 20, h - y as u32 - 12, 40, 24);
    picture::count(&around, |p| p[0] < 0x40 && p[3] > 200) > 400
}

/// The card, another one than `before`, once its controls answer.
pub fn ready(compositor: &Compositor, before: Option<SurfaceId>) -> SurfaceView {
    compositor.wait_for("a card that answers", |s| {
        card(s).filter(|now| Some(now.id) != before && lit(now))
    })
}

impl Desktop {
    /// Press this far from the card's lower right corner.
    pub fn press_card(&self, (x, y): (f64, f64)) {
        self.press(LEFT, (1248.0 - x, 768.0 - y));
    }
}

struct NoSessions;

impl AppSessions for NoSessions {
    fn is_of(&self, _: &AppSessionId, _: &Caller) -> bool {
        false
    }
}

/// A clock that is late by so many seconds.
struct Late(i64);

impl Clock for Late {
    fn now(&self) -> jiff::Zoned {
        let late = jiff::SignedDuration::from_secs(self.0);
        SystemClock.now().checked_sub(late).unwrap()
    }
}

/// The records beside the shell, by this clock.
fn store(ede: &Ede, clock: impl Clock + 'static) -> Store {
    let records = ede.data().join("records.db");
    Store::start(StoreOptions::new(records, Arc::new(clock))).unwrap()
}

/// Asked by another agent.
fn asked_by(store: &Store, agent: &str, given: &Value) -> Interaction {
    let Ok(Call::Ask(request, None)) = Call::read("confirm", given) else {
        panic!("{given}");
    };
    let caller = Caller {
        agent: AgentId::parse(agent).unwrap(),
        conversation: ConversationId::parse("c").unwrap(),
    };
    let wanted = Wanted::new(caller, request, None, &NoSessions).unwrap();
    store.ask_person(wanted).wait().unwrap().unwrap()
}

#[test]
fn a_person_answers_by_presses_and_the_agent_hears_it() {
    let d = start();
    let id = ask(&d.ede, "confirm", &json!({"title": "Move the clock?"}));
    let first = ready(&d.compositor, None);
    assert_ne!(
        d.compositor.scene().keyboard_focus,
        Some(first.id),
        "it takes no keys by itself"
    );
    d.press_card(ANSWER);
    d.compositor.wait_for("no card", no_card);
    let record = ended(&d.ede, &id);
    assert_eq!(record["state"], "completed");
    assert_eq!(record["answer"], json!({"approved": true}));
    let no = ask(&d.ede, "confirm", &json!({"title": "Drop the titles?"}));
    ready(&d.compositor, Some(first.id));
    d.press_card(OTHER);
    assert_eq!(ended(&d.ede, &no)["answer"], json!({"approved": false}));
}

#[test]
fn a_line_is_typed_after_a_press_and_sent_by_enter() {
    let d = start();
    let field = json!({"title": "What is it called?", "field": {"label": "Name"}});
    let id = ask(&d.ede, "input", &field);
    let open = d.compositor.wait_for("the card", card);
    // Its field answers as its buttons do: once it has been seen.
    wait_for("the keys", || {
        d.press_card(FIELD);
        (d.compositor.scene().keyboard_focus == Some(open.id)).then_some(())
    });
    let hand = d.compositor.keyboard();
    wait_for("the answer", || {
        d.press_card(FIELD);
        hand.text("Ines").tap("Return");
        let said = get(&d.ede, &id);
        (said["state"] == "completed").then_some(())
    });
    let text = get(&d.ede, &id)["answer"]["text"].clone();
    assert!(text.as_str().unwrap().ends_with("Ines"), "{text}");
    d.compositor.wait_for("no card", no_card);
}

#[test]
fn a_finger_in_its_field_gives_it_the_keys_too() {
    let d = start();
    let field = json!({"title": "What is it called?", "field": {"label": "Name"}});
    let id = ask(&d.ede, "input", &field);
    let open = d.compositor.wait_for("the card", card);
    let (w, h) = (f64::from(open.size.0), f64::from(open.size.1));
    wait_for("the keys", || {
        let hand = d.compositor.touch();
        let (x, y) = (w - 32.0 - FIELD.0, h - 32.0 - FIELD.1);
        hand.down(1, open.id, x, y).up(1);
        (d.compositor.scene().keyboard_focus == Some(open.id)).then_some(())
    });
    d.compositor.keyboard().text("Ines").tap("Return");
    assert_eq!(ended(&d.ede, &id)["answer"], json!({"text": "Ines"}));
}

#[test]
fn a_card_that_is_left_by_escape_is_cancelled() {
    let d = start();
    let id = ask(
        &d.ede,
        "confirm",
        &json!({"title": "Move the clock?", "prompt": "It goes to the right end."}),
    );
    let open = ready(&d.compositor, None);
    // A press gives it the keys once it has said that it wants them.
    wait_for("the keys", || {
        d.press_card(WORDS);
        (d.compositor.scene().keyboard_focus == Some(open.id)).then_some(())
    });
    d.compositor.keyboard().tap("Escape");
    let record = ended(&d.ede, &id);
    assert_eq!(
        (&record["state"], record.get("answer")),
        (&json!("cancelled"), None)
    );
}

#[test]
fn several_are_chosen_and_answered_in_their_order() {
    let d = start();
    let id = ask(
        &d.ede,
        "choice",
        &json!({"title": "Which?", "several": true, "actions": [
        {"id": "one", "label": "One"}, {"id": "two", "label": "Two"}, {"id": "three", "label": "Three"}, {"id": "four", "label": "Four"}]}),
    );
    let open = d.compositor.wait_for("the card", card);
    assert!(!lit(&open), "nothing is chosen yet");
    // By keys: the last tile of the second row, then the first of the first.
    wait_for("the keys", || {
        d.press_card((60.0, 82.0));
        (d.compositor.scene().keyboard_focus == Some(open.id)).then_some(())
    });
    wait_for("a choice", || {
        if lit(&card(&d.compositor.scene())?) {
            return Some(());
        }
        d.press_card((60.0, 82.0));
        d.compositor
            .look_for(std::time::Duration::from_millis(300), |s| {
                card(s).filter(lit).map(|_| ())
            })
    });
    d.press_card((240.0, 130.0));
    d.press_card(ANSWER);
    let record = ended(&d.ede, &id);
    assert_eq!(record["answer"], json!({"actionIds": ["one", "four"]}));
}

#[test]
fn a_press_that_was_meant_for_what_was_there_before_answers_nothing() {
    // On a busy machine a press may come too late to be early, and is an answer then: another question is asked.
    let d = start();
    for _ in 0..8 {
        let id = ask(&d.ede, "confirm", &json!({"title": "Move the clock?"}));
        let open = d
            .compositor
            .wait_for("the card", |s| s.layer("ede-card").cloned());
        d.press_card(ANSWER);
        let answers = ready_or_gone(&d, open.id);
        if answers {
            assert_eq!(get(&d.ede, &id)["state"], "pending");
            return;
        }
        d.compositor.wait_for("no card", no_card);
    }
    panic!("no press came early");
}

/// Does the card come to answer? Or was it answered before.
fn ready_or_gone(d: &Desktop, id: SurfaceId) -> bool {
    d.compositor.wait_for("it answers or is gone", |s| {
        let there = s.surface(id).filter(|c| c.mapped);
        match there {
            Some(card) if lit(card) => Some(true),
            Some(_) => None,
            None => Some(false),
        }
    })
}

#[test]
fn what_is_taken_back_goes_from_the_screen_and_the_next_one_comes() {
    let d = start();
    let first = ask(&d.ede, "confirm", &json!({"title": "First?"}));
    let one = d.compositor.wait_for("the card", card);
    let second = ask(&d.ede, "confirm", &json!({"title": "Second?"}));
    let back = call(&d.ede, "dismiss", &json!({"id": first}));
    assert_eq!(back["structuredContent"]["state"], "cancelled");
    ready(&d.compositor, Some(one.id));
    assert_eq!(call(&d.ede, "dismiss", &json!({"id": first})), back);
    d.press_card(ANSWER);
    assert_eq!(ended(&d.ede, &second)["state"], "completed");
    let late = call(&d.ede, "dismiss", &json!({"id": second}));
    assert_eq!(late["isError"], true);
    assert_eq!(late["content"][0]["text"], "invalid_transition");
    assert_eq!(late["structuredContent"], get(&d.ede, &second));
    // Every call but the polls has its row, with the id of what it is about and none of its words.
    let ran = d.ede.command(&["audit", "--app", "interaction", "--json"]);
    let rows = { ran }.output().unwrap().stdout;
    let rows: Vec<Value> = serde_json::from_slice(&rows).unwrap();
    let word = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let line = |row: &Value| {
        ["clientId", "tool", "status"]
            .map(|k| word(row, k))
            .join(" ")
    };
    let shell = |id: &str, rest: &str| format!("shell:{id} interaction__{rest}");
    assert_eq!(
        rows.iter().map(line).collect::<Vec<_>>(),
        [
            shell(&second, "dismiss failed"),
            shell(&first, "dismiss ok"),
            shell(&first, "dismiss ok"),
            shell(&second, "confirm ok"),
            shell(&first, "confirm ok"),
        ]
    );
}

#[test]
fn after_a_restart_what_waits_is_shown_again_and_answered() {
    let Desktop {
        shell,
        compositor,
        ede,
    } = start();
    let id = ask(&ede, "confirm", &json!({"title": "Move the clock?"}));
    let before = compositor.wait_for("the card", card).id;
    // It is killed.
    drop(shell);
    let shell = ede.run_on(&compositor);
    let d = Desktop {
        shell,
        compositor,
        ede,
    };
    ready(&d.compositor, Some(before));
    assert_eq!(get(&d.ede, &id)["state"], "pending");
    d.press_card(ANSWER);
    assert_eq!(ended(&d.ede, &id)["answer"], json!({"approved": true}));
}

#[test]
fn one_that_nobody_answers_goes_when_its_time_has_come() {
    let ede = home();
    // Its minute is nearly over.
    let late = store(&ede, Late(50));
    let given = json!({"title": "Still there?", "expiresIn": 60});
    let asked = asked_by(&late, "claude", &given);
    drop(late);
    let d = Desktop::start_with(&[one()], ede).0;
    d.compositor.wait_for("the card", card);
    d.compositor.wait_for("no card", no_card);
    assert!(jiff::Timestamp::now() >= asked.expires_at.unwrap());
    let found = store(&d.ede, SystemClock).interaction(asked.caller, asked.id.clone());
    assert_eq!(found.wait().unwrap().unwrap().state, State::Expired);
    // It is another agent's: this one does not learn of it.
    let strange = call(&d.ede, "get", &json!({"id": asked.id.as_str()}));
    assert_eq!(strange["content"][0]["text"], "notFound: id");
}

#[test]
fn a_notice_is_shown_in_the_corner_under_its_mark_and_is_over_by_that() {
    let d = start();
    let told = json!({"title": "Clock moved", "message": "It stands at the right end now."});
    let id = ask(&d.ede, "notice", &told);
    let toast = |s: &Scene| s.layer("ede-toast").filter(|t| painted(t)).cloned();
    let shown = d.compositor.wait_for("the notice", toast);
    assert!(shown.input_region.is_some_and(|r| r.is_empty()));
    let record = ended(&d.ede, &id);
    assert_eq!(
        (&record["kind"], &record["state"]),
        (&json!("notice"), &json!("completed"))
    );
    d.compositor.wait_for("it is gone", |s| {
        s.layer("ede-toast").is_none().then_some(())
    });
}

#[test]
fn a_sheet_that_grants_something_lies_over_the_card_and_takes_the_press() {
    let ede = home();
    ede.write_package("test.timer", TIMER);
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["timer"]}, {"id": "timer", "component": "AppWidget", "app": "test.timer", "size": "m", "cell": [0, 0]}]}"#);
    let d = Desktop::start_with(&[one()], ede).0;
    d.compositor.wait_for("the widget", |s| {
        s.layer("ede-widget").filter(|w| painted(w)).map(|_| ())
    });
    let id = ask(&d.ede, "confirm", &json!({"title": "Move the clock?"}));
    ready(&d.compositor, None);
    d.press(LEFT, (200.0, 160.0));
    let sheet = d.compositor.wait_for("the sheet with the keys", |s| {
        let sheet = s.layer("ede-sheet").filter(|s| painted(s)).map(|s| s.id);
        sheet.filter(|id| s.keyboard_focus == Some(*id))
    });
    // Where the card answers, the sheet is pressed.
    d.press_card(ANSWER);
    let scene = d.compositor.scene();
    assert_eq!(scene.pointer_focus, Some(sheet));
    assert_eq!(get(&d.ede, &id)["state"], "pending");
    d.compositor.keyboard().tap("Escape");
    wait_for("no sheet", || {
        d.compositor.keyboard().tap("Escape");
        let scene = d.compositor.scene();
        scene.layer("ede-sheet").is_none().then_some(())
    });
    d.press_card(ANSWER);
    assert_eq!(ended(&d.ede, &id)["answer"], json!({"approved": true}));
}

#[test]
fn a_message_stands_above_the_card() {
    let d = start();
    ask(&d.ede, "confirm", &json!({"title": "Move the clock?"}));
    let open = d.compositor.wait_for("the card", card);
    ask(
        &d.ede,
        "notice",
        &json!({"title": "Done", "message": "Done."}),
    );
    d.compositor.wait_for("the notice above it", |s| {
        let toast = s.layer("ede-toast").filter(|t| painted(t))?;
        // Both have the same room around them.
        let foot = toast.origin.1 + toast.size.1 - 32;
        (foot <= open.origin.1 + 32).then_some(())
    });
}

#[test]
fn what_makes_no_sense_asks_nothing() {
    let d = start();
    let says = |tool: &str, given: Value| {
        let said = call(&d.ede, tool, &given);
        assert_eq!(said["isError"], true);
        said["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        says(
            "notice",
            json!({"title": "T", "message": "M", "expiresIn": 60})
        ),
        "invalidParams: /expiresIn additionalProperties"
    );
    assert_eq!(
        says("confirm", json!({"title": "T", "appSession": "s"})),
        "notFound: appSession"
    );
    assert_eq!(says("allow", json!({})), "unknownTool");
    for _ in 0..8 {
        ask(&d.ede, "confirm", &json!({"title": "T"}));
    }
    assert_eq!(says("confirm", json!({"title": "T"})), "tooMany");
    assert_eq!(says("get", json!({"id": "gone"})), "notFound: id");
    let mut rows = audit(&d);
    rows.retain(|row| row != "interaction__confirm ok -");
    assert_eq!(
        rows,
        [
            "interaction__get denied notFound",
            "interaction__confirm denied tooMany",
            "interaction__allow denied unknownTool",
            "interaction__confirm denied notFound",
            "interaction__notice invalid invalidParams",
        ]
    );
}
