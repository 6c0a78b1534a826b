//! What apps have the person's servers do: asked once, a tool at a time, told in the surface, and never by itself before it was allowed.

use ede_tests::compositor::{LEFT, Scene};
use ede_tests::picture::{self, Picture};
use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::harness::{Desktop, painted, wait_for};
use super::readings::{
    WIDGET, add_bank, asked, audit, grants, no_sheet, ready, row, start, toast, widget,
};

const PAYER: &str = include_str!("../../../fixtures/apps/test.payer.app.json");

fn app() -> Ede {
    let ede = Ede::new();
    ede.write_package("test.payer", PAYER);
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["payer"]}, {"id": "payer", "component": "AppWidget", "app": "test.payer", "size": "m", "cell": [0, 0]}]}"#);
    add_bank(&ede);
    ede
}

/// What the widget says.
fn said(s: &Scene) -> Option<Picture> {
    let widget = widget(s)?.picture();
    Some(picture::crop(&widget, 30, 40, widget.width() - 60, 80))
}

fn times(d: &Desktop, what: &str) -> usize {
    asked(d).lines().filter(|l| l.starts_with(what)).count()
}

fn bill(d: &Desktop, sum: u32) {
    let file = d.ede.config().join("bill.json");
    std::fs::write(&file, json!({"data": {"sum": sum}}).to_string()).unwrap();
    d.ok(&[
        "records",
        "put",
        "test.payer",
        "bill",
        file.to_str().unwrap(),
    ]);
}

#[test]
fn a_tool_is_called_on_a_press_once_the_person_has_allowed_it() {
    let d = start(app());
    let before = said(&d.compositor.scene()).unwrap();
    d.press(LEFT, WIDGET);
    // What runs by itself is asked about with the same press, and first.
    ready(&d);
    d.compositor.keyboard().tap("Return");
    wait_for("the first answer", || {
        (grants(&d) == ["call:bank/unsaid denied"]).then_some(())
    });
    ready(&d);
    d.compositor.keyboard().tap("Tab").tap("Return");
    no_sheet(&d);
    row(&d, "bank/pay ok -");
    assert_eq!(times(&d, r#"tools/call pay {"sum":3}"#), 1, "{}", asked(&d));
    d.compositor
        .wait_for("its answer", |s| (said(s)? != before).then_some(()));
    assert_eq!(
        grants(&d),
        ["call:bank/pay granted", "call:bank/unsaid denied"]
    );
    // Allowed is allowed.
    d.press(LEFT, WIDGET);
    wait_for("a second call", || {
        (times(&d, "tools/call pay") == 2).then_some(())
    });
    // Taken back, it is asked about again.
    d.ok(&["grants", "test.payer", "revoke", "call:bank/pay"]);
    wait_for("the question", || {
        // The shell hears of it in its own time.
        d.press(LEFT, WIDGET);
        std::thread::sleep(std::time::Duration::from_millis(100));
        d.compositor.scene().layer("ede-sheet").map(|_| ())
    });
    ready(&d);
    let called = times(&d, "tools/call pay");
    d.compositor.keyboard().tap("Return");
    no_sheet(&d);
    row(&d, "bank/pay denied consentDenied");
    d.compositor.wait_for("a message", toast);
    assert_eq!(times(&d, "tools/call pay"), called);
}

#[test]
fn an_automation_calls_nothing_that_was_not_allowed_and_nobody_is_asked_behind_their_back() {
    let d = start(app());
    // Once its automations have begun.
    wait_for("a refusal", || {
        bill(&d, 7);
        std::thread::sleep(std::time::Duration::from_millis(50));
        let refused = "bank/unsaid denied consentNeeded".to_string();
        audit(&d).contains(&refused).then_some(())
    });
    assert!(d.compositor.scene().layer("ede-sheet").is_none());
    assert_eq!(asked(&d), "", "its program is not even started");
    d.press(LEFT, WIDGET);
    ready(&d);
    d.compositor.keyboard().tap("Tab").tap("Return");
    wait_for("the first answer", || {
        (grants(&d) == ["call:bank/unsaid granted"]).then_some(())
    });
    ready(&d);
    d.compositor.keyboard().tap("Return");
    no_sheet(&d);
    wait_for("the second answer", || {
        (grants(&d).len() == 2).then_some(())
    });
    bill(&d, 9);
    row(&d, "bank/unsaid ok -");
    assert_eq!(
        times(&d, r#"tools/call unsaid {"sum":9}"#),
        1,
        "{}",
        asked(&d)
    );
    assert_eq!(
        times(&d, "tools/call"),
        1,
        "what was refused is not caught up"
    );
}

#[test]
fn another_process_calls_as_the_app_does_and_a_tool_that_destroys_is_never_called() {
    let d = start(app());
    let call = |name: &str, more: &[&str]| {
        let mut arguments = vec!["call", "test.payer", name];
        arguments.extend(more);
        let ran = d.ede.command(&arguments).output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&ran.stdout).unwrap()
    };
    let hidden = call("upstream.bank.pay", &["--background"]);
    assert_eq!(hidden["verdict"]["reason"], "needsForeground", "{hidden}");
    let unlisted = call("upstream.bank.rates", &[]);
    assert_eq!(unlisted["verdict"]["reason"], "notListed", "{unlisted}");
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| call("upstream.bank.wipe", &[]));
        ready(&d);
        d.compositor.keyboard().tap("Tab").tap("Return");
        let refused = asked.join().unwrap();
        assert_eq!(refused["verdict"]["reason"], "destructive", "{refused}");
    });
    assert_eq!(times(&d, "tools/call"), 0);
}

#[test]
fn a_window_that_closes_takes_its_question_about_a_tool_along_and_its_call() {
    let mut package: Value = serde_json::from_str(&PAYER.replace("pay\"", "silent\"")).unwrap();
    package["functions"] = json!(["upstream.bank.silent"]);
    let root = &mut package["templates"]["main"]["components"][0];
    root["on"]["press"]["functionCall"]["call"] = json!("upstream.bank.silent");
    package.as_object_mut().unwrap().remove("automations");
    let ede = app();
    ede.write_package("test.payer", &package.to_string());
    let d = start(ede);
    let press = || {
        d.ok(&["open", "test.payer"]);
        let window = d.compositor.wait_for("the window", |s| {
            s.toplevel("test.payer").filter(|w| painted(w)).cloned()
        });
        let (left, top) = (f64::from(window.origin.0), f64::from(window.origin.1));
        d.press(LEFT, (left + 300.0, top + 120.0));
        window.id
    };
    let window = press();
    ready(&d);
    d.compositor.close_toplevel(window);
    no_sheet(&d);
    row(&d, "bank/silent cancelled app_closed");
    assert_eq!((times(&d, "tools/call"), grants(&d).len()), (0, 0));
    let window = press();
    ready(&d);
    d.compositor.keyboard().tap("Tab").tap("Return");
    wait_for("the call", || (times(&d, "tools/call") == 1).then_some(()));
    d.compositor.close_toplevel(window);
    wait_for("its row", || {
        let cancelled = "bank/silent cancelled app_closed";
        (audit(&d).iter().filter(|row| *row == cancelled).count() == 2).then_some(())
    });
}

#[test]
fn a_call_that_the_server_refuses_has_failed_in_its_surface_and_the_person_is_told() {
    let ede = app();
    let wipes = PAYER
        .replace(
            r#""call": "upstream.bank.pay""#,
            r#""call": "upstream.bank.wipe""#,
        )
        .replace(
            "/calls/upstream/bank/pay/value",
            "/calls/upstream/bank/wipe/error",
        )
        .replace(
            "/calls/upstream/bank/pay/state",
            "/calls/upstream/bank/wipe/error",
        );
    // Nothing runs by itself.
    let mut wipes: serde_json::Value = serde_json::from_str(&wipes).unwrap();
    wipes.as_object_mut().unwrap().remove("automations");
    ede.write_package("test.payer", &wipes.to_string());
    let d = start(ede);
    let before = said(&d.compositor.scene()).unwrap();
    d.press(LEFT, WIDGET);
    ready(&d);
    d.compositor.keyboard().tap("Tab").tap("Return");
    no_sheet(&d);
    row(&d, "bank/wipe denied destructive");
    d.compositor.wait_for("its error in the widget", |s| {
        (said(s)? != before).then_some(())
    });
    d.compositor.wait_for("a message", toast);
    assert_eq!(times(&d, "tools/call"), 0);
}
