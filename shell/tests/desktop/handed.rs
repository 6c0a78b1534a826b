//! Files that agents hand over: the card that offers one, the dialog that saves it, and what the agent hears.

use ede_engine::artifacts::Hash;
use ede_engine::bridge::format;
use ede_tests::compositor::{LEFT, Scene};
use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::cards::{ANSWER, OTHER, call, call_of, ended, get, no_card, ready, start};
use super::file_sheet::{SAVE, answers};
use super::harness::{Desktop, painted, wait_for};

const REPORT: &[u8] = b"Seven hours on Monday";

/// The arguments that hand these bytes over, said to have the hash of `whole`.
fn report(bytes: &[u8], whole: &[u8]) -> Value {
    json!({
        "name": "report.txt", "mimeType": "text/plain", "size": bytes.len(), "sha256": Hash::of(whole).as_str(),
        "data": format::base64(bytes),
    })
}

fn keep(ede: &Ede, given: &Value) -> Value {
    call_of(ede, "artifact", "keep", given)["structuredContent"].clone()
}

/// Hand a whole one over; the id its offer is polled by.
fn offer(d: &Desktop) -> String {
    let kept = keep(&d.ede, &report(REPORT, REPORT));
    assert_eq!(kept["integrity"], "verified", "{kept}");
    kept["call"].as_str().unwrap().to_owned()
}

fn sheet(s: &Scene) -> Option<()> {
    s.layer("ede-sheet").filter(|w| painted(w)).map(|_| ())
}

fn no_sheet(s: &Scene) -> Option<()> {
    s.layer("ede-sheet").is_none().then_some(())
}

#[test]
fn a_person_saves_what_an_agent_has_handed_over_and_the_agent_hears_that_alone() {
    let d = start();
    let id = offer(&d);
    ready(&d.compositor, None);
    d.press_card(ANSWER);
    d.compositor.wait_for("the file sheet", sheet);
    d.compositor.wait_for("no card beside it", no_card);
    assert_eq!(get(&d.ede, &id)["state"], "pending");
    answers(&d, SAVE);
    d.press(LEFT, SAVE);
    let saved = wait_for("the file", || {
        std::fs::read(d.ede.data().parent()?.join("report.txt")).ok()
    });
    assert_eq!(saved, REPORT);
    let record = ended(&d.ede, &id);
    assert_eq!(record["answer"], json!({"saved": true}));
    assert_eq!(record["kind"], "save");
    let rows = wait_for("its rows", || {
        let ran = d.ede.command(&["audit", "--json"]).output().unwrap();
        let rows: Vec<Value> = serde_json::from_slice(&ran.stdout).ok()?;
        let ours = rows.iter().filter_map(|row| {
            let tool = row["tool"].as_str()?.strip_prefix("artifact__")?;
            Some(format!("{tool} {}", row["status"].as_str()?))
        });
        let ours: Vec<String> = ours.collect();
        (ours.len() == 2).then_some(ours)
    });
    assert_eq!(rows, ["save ok", "keep ok"]);
    d.compositor.wait_for("no sheet", no_sheet);
    d.compositor.wait_for("no card", no_card);
}

#[test]
fn a_dialog_that_is_left_brings_the_card_back_and_skipping_that_is_an_answer_too() {
    let d = start();
    let id = offer(&d);
    let first = ready(&d.compositor, None);
    d.press_card(ANSWER);
    d.compositor.wait_for("the file sheet", sheet);
    wait_for("the end of the sheet", || {
        d.compositor.keyboard().tap("Escape");
        no_sheet(&d.compositor.scene())
    });
    ready(&d.compositor, Some(first.id));
    assert_eq!(get(&d.ede, &id)["state"], "pending");
    d.press_card(OTHER);
    assert_eq!(ended(&d.ede, &id)["state"], "cancelled");
}

#[test]
fn what_its_agent_takes_back_is_not_saved_any_more() {
    let d = start();
    let id = offer(&d);
    ready(&d.compositor, None);
    d.press_card(ANSWER);
    d.compositor.wait_for("the file sheet", sheet);
    call(&d.ede, "dismiss", &json!({"id": id}));
    d.compositor.wait_for("no sheet", no_sheet);
    d.compositor.wait_for("no card", no_card);
    assert_eq!(ended(&d.ede, &id)["state"], "cancelled");
    let rows = super::readings::audit(&d);
    assert_eq!(rows[0], "interaction__dismiss ok -");
    assert!(
        rows[1].starts_with("artifact__") && rows[1].ends_with(" ok -"),
        "{rows:?}"
    );
}

#[test]
fn while_one_is_saved_other_questions_are_asked_and_other_files_wait() {
    let d = start();
    let (first, second) = (offer(&d), offer(&d));
    let open = ready(&d.compositor, None);
    d.press_card(ANSWER);
    d.compositor.wait_for("the file sheet", sheet);
    d.compositor.wait_for("no card beside it", no_card);
    let asked = super::cards::ask(&d.ede, "confirm", &json!({"title": "Move the clock?"}));
    let question = d.compositor.wait_for("the question", |s| {
        s.layer("ede-card").filter(|c| painted(c)).map(|c| c.id)
    });
    assert_ne!(question, open.id);
    call(&d.ede, "dismiss", &json!({"id": asked}));
    call(&d.ede, "dismiss", &json!({"id": first}));
    d.compositor.wait_for("no sheet", no_sheet);
    ready(&d.compositor, Some(question));
    d.press_card(OTHER);
    assert_eq!(ended(&d.ede, &second)["state"], "cancelled");
}

#[test]
fn what_is_not_what_was_said_is_known_and_offered_to_nobody() {
    let d = start();
    for (given, integrity) in [
        (report(REPORT, b"another"), "failed"),
        (
            json!({"name": "film.mkv", "mimeType": "video/x-matroska", "size": 512 * 1024 * 1024}),
            "unverified",
        ),
    ] {
        let kept = keep(&d.ede, &given);
        assert_eq!(kept["integrity"], integrity);
        assert_eq!(kept.get("call"), None, "{kept}");
        let id = json!({"id": kept["id"]});
        let known = call_of(&d.ede, "artifact", "get", &id);
        assert_eq!(known["structuredContent"], kept);
    }
    for (tool, given, says) in [
        ("get", json!({"id": "nothing"}), "notFound: id"),
        (
            "keep",
            json!({"name": "n"}),
            "invalidParams: /mimeType required",
        ),
        ("save", json!({}), "unknownTool"),
    ] {
        let said = call_of(&d.ede, "artifact", tool, &given);
        assert_eq!(
            (&said["isError"], &said["content"][0]["text"]),
            (&json!(true), &json!(says))
        );
    }
    // Nothing was offered: the next card is of what is asked next.
    let asked = super::cards::ask(&d.ede, "confirm", &json!({"title": "Move the clock?"}));
    ready(&d.compositor, None);
    d.press_card(ANSWER);
    assert_eq!(ended(&d.ede, &asked)["answer"], json!({"approved": true}));
}
