//! The bundled apps under the finger: each control is pressed on the surface its template makes, with the sample data of
//! `fixtures/apps`, and what it asks for is followed to the effect or the record it ends in.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use ede_engine::actions::{self, Effect, Plan, Snapshot};
use ede_engine::package::Package;
use ede_engine::records::{Viewer, Write};
use eui_core::measure::FixedMeasure;
use eui_core::surface::{OutEvent, Surface, SurfaceOptions};
use serde_json::{Value, json};

const NOW: &str = "2026-11-30T09:41:00+01:00[Europe/Vienna]";

struct App {
    package: Package,
    surface: Surface,
}

impl App {
    /// The template of an app with sample data over its own.
    fn open(app: &str, template: &str, data: &str) -> App {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let bytes = std::fs::read(root.join(format!("assets/apps/{app}.app.json"))).unwrap();
        let package = Package::read(&bytes).package.unwrap();
        let data: Value = serde_json::from_slice(
            &std::fs::read(root.join(format!("fixtures/apps/{data}.data.json"))).unwrap(),
        )
        .unwrap();
        let mut surface = Surface::new(
            "app",
            SurfaceOptions {
                catalog_id: eui_core::CORE_CATALOG_ID.into(),
                ..SurfaceOptions::default()
            },
        );
        let now: jiff::Zoned = NOW.parse().unwrap();
        surface.set_clock(Some(now.timestamp().as_millisecond() as f64));
        for message in package
            .template_messages(template, "app", Some(&data))
            .unwrap()
        {
            if message.get("bindDataModel").is_none() {
                surface.apply(&message).unwrap();
            }
        }
        surface.set_viewport(900.0, 2000.0, None);
        let mut app = App { package, surface };
        app.layout();
        app
    }

    fn layout(&mut self) {
        self.surface.layout(&mut FixedMeasure::default());
    }

    fn fire(&mut self, id: &str, event: &str, payload: Option<Value>) -> Vec<(String, Value)> {
        let index = self
            .surface
            .index_of(id)
            .unwrap_or_else(|| panic!("no {id}"));
        let events = self.surface.event(index, event, payload);
        self.layout();
        events
            .into_iter()
            .filter_map(|event| match event {
                OutEvent::FunctionCall { name, args, .. } => Some((name, args)),
                _ => None,
            })
            .collect()
    }

    /// The one effect an event has.
    fn effect(&mut self, id: &str, event: &str, payload: Option<Value>) -> Effect {
        let calls = self.fire(id, event, payload);
        let [(name, args)] = &calls[..] else {
            panic!("{id} {event}: {calls:?}")
        };
        actions::decide(&self.package, name, args).unwrap()
    }

    fn plan(&mut self, effect: &Effect) -> Result<Plan, String> {
        let Effect::Run { action, params } = effect else {
            panic!("no action: {effect:?}")
        };
        let viewer = Viewer {
            me: "local".into(),
            now: NOW.parse().unwrap(),
        };
        let data = self.surface.get_data("/").cloned().unwrap_or_default();
        let snapshot = Snapshot {
            data: &data,
            viewer: &viewer,
        };
        actions::plan(&self.package, action, params, snapshot).map_err(|e| e.to_string())
    }

    /// The data of the one record an action writes.
    fn written(&mut self, effect: &Effect) -> Value {
        let plan = self.plan(effect).unwrap();
        let [Write::Upsert { data, .. }] = &plan.writes[..] else {
            panic!("{:?}", plan.writes)
        };
        data.clone()
    }

    fn set(&mut self, path: &str, value: Value) {
        self.surface.set_data(path, Some(value)).unwrap();
        self.layout();
    }
}

fn screen(effect: &Effect) -> (&str, Value) {
    match effect {
        Effect::Navigate { screen, params } => (screen.as_str(), Value::Object(params.clone())),
        other => panic!("{other:?}"),
    }
}

#[test]
fn stop_counts_the_running_day_and_start_begins_one() {
    let mut hours = App::open("ede.hours", "medium", "ede.hours");
    let stop = hours.effect("day-stop", "press", None);
    let data = hours.written(&stop);
    assert_eq!(
        (&data["minutes"], &data["running"]),
        (&json!(390), &json!(false))
    );
    hours.set("/running", json!({"rows": [], "count": 0}));
    let start = hours.effect("day-start", "press", None);
    let data = hours.written(&start);
    assert_eq!(
        (&data["work"], &data["day"]),
        (&json!("Bakery"), &json!("2026-11-30"))
    );
    assert_eq!(data["startedAt"], "2026-11-30T08:41:00.000Z");
}

#[test]
fn hours_added_the_wrong_way_round_are_refused_and_swapped_they_are_kept() {
    let mut hours = App::open("ede.hours", "month", "ede.hours.add");
    let add = hours.effect("add-form", "submit", None);
    assert_eq!(
        hours.plan(&add).unwrap_err(),
        "Ends before it starts. Swap them."
    );
    hours.set("/draft/from", json!("05:00"));
    hours.set("/draft/to", json!("11:30"));
    let add = hours.effect("add-form", "submit", None);
    let plan = hours.plan(&add).unwrap();
    assert_eq!(screen(&plan.calls[0]), ("month", json!({})));
    assert_eq!(hours.written(&add)["minutes"], 360);
}

#[test]
fn the_months_arrows_follow_the_month_beside_the_one_shown() {
    let mut hours = App::open("ede.hours", "month", "ede.hours");
    let previous = hours.effect("prev", "press", None);
    assert_eq!(
        previous,
        Effect::Bind {
            path: "/month".into(),
            source: "records:entry?month=2026-10&query=month".into()
        }
    );
    let add = hours.effect("add", "press", None);
    assert_eq!(screen(&add), ("month", json!({"form": "add"})));
    let mut clock = App::open("ede.clock", "large", "ede.clock");
    clock.set(
        "/clock/month",
        json!({"next": "2026-12", "previous": "2026-10", "days": [], "weekdays": []}),
    );
    assert_eq!(
        clock.effect("nav-next", "press", None),
        Effect::Bind {
            path: "/clock".into(),
            source: "ede:clock?month=2026-12".into()
        }
    );
    let open = clock.effect("due-open", "press", None);
    assert_eq!(screen(&open).0, "clock");
}

#[test]
fn a_day_of_the_list_opens_itself() {
    let mut hours = App::open("ede.hours", "today", "ede.hours");
    let day = hours.effect("day.entry-2026-11-28", "press", None);
    assert_eq!(
        screen(&day),
        (
            "month",
            json!({"form": "edit", "entry": "entry-2026-11-28"})
        )
    );
}

#[test]
fn ticking_a_task_marks_that_task() {
    for (template, tick) in [
        ("small", "list-tick.task-02"),
        ("large", "list-tick.task-02"),
        ("tasks", "task-tick.task-02"),
    ] {
        let mut tasks = App::open("ede.tasks", template, "ede.tasks");
        let check = tasks.effect(tick, "press", None);
        let plan = tasks.plan(&check).unwrap();
        let [
            Write::Upsert {
                id: Some(id), data, ..
            },
        ] = &plan.writes[..]
        else {
            panic!("{:?}", plan.writes)
        };
        assert_eq!(
            (id.as_str(), data),
            ("task-02", &json!({"done": true})),
            "{template}"
        );
    }
}

#[test]
fn a_filter_follows_its_own_query() {
    let mut tasks = App::open("ede.tasks", "tasks", "ede.tasks");
    let filter = tasks.effect("filter", "change", Some(json!({"value": "done"})));
    assert_eq!(
        filter,
        Effect::Bind {
            path: "/tasks".into(),
            source: "records:task?query=done".into()
        }
    );
}

#[test]
fn a_task_changed_in_its_form_is_that_task() {
    let mut tasks = App::open("ede.tasks", "tasks", "ede.tasks.edit");
    tasks.set("/edit/rows/0/title", json!("Order flour and salt"));
    let save = tasks.effect("edit-form", "submit", None);
    let plan = tasks.plan(&save).unwrap();
    let [
        Write::Upsert {
            id: Some(id), data, ..
        },
    ] = &plan.writes[..]
    else {
        panic!("{:?}", plan.writes)
    };
    assert_eq!(id.as_str(), "task-01");
    assert_eq!(data["title"], "Order flour and salt");
    assert_eq!(screen(&plan.calls[0]), ("tasks", json!({})));
    let delete = tasks.effect("edit-delete", "press", None);
    assert!(matches!(
        &tasks.plan(&delete).unwrap().writes[..],
        [Write::Delete { .. }]
    ));
}

#[test]
fn a_quick_line_is_kept_with_enter() {
    for (app, data) in [("ede.tasks", "ede.tasks"), ("ede.notes", "ede.notes")] {
        let screen = app.trim_start_matches("ede.");
        let mut quick = App::open(app, screen, data);
        let jot = quick.effect("quick", "submit", Some(json!({"value": "Buy yeast"})));
        assert_eq!(quick.written(&jot)["title"], "Buy yeast", "{app}");
    }
}

#[test]
fn a_note_is_opened_changed_and_added() {
    let mut notes = App::open("ede.notes", "large", "ede.notes");
    let open = notes.effect("list-row.note-1", "press", None);
    assert_eq!(screen(&open), ("notes", json!({"note": "note-1"})));
    let new = notes.effect("new", "press", None);
    assert_eq!(screen(&new), ("notes", json!({"note": "new"})));
    let mut notes = App::open("ede.notes", "notes", "ede.notes.edit");
    notes.set("/edit/rows/0/body", json!("Ines brings two tables."));
    let save = notes.effect("edit-form", "submit", None);
    assert_eq!(notes.written(&save)["body"], "Ines brings two tables.");
    notes.set("/params/note", json!("new"));
    notes.set("/draft", json!({"title": "Yeast", "body": ""}));
    let add = notes.effect("new-form", "submit", None);
    assert_eq!(notes.written(&add)["title"], "Yeast");
}

#[test]
fn an_empty_database_shows_every_screen() {
    for app in ["clock", "hours", "notes", "system", "tasks"] {
        let bytes = std::fs::read(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(format!("../../assets/apps/ede.{app}.app.json")),
        )
        .unwrap();
        let package = Package::read(&bytes).package.unwrap();
        for template in package.templates() {
            let mut surface = Surface::new(
                "app",
                SurfaceOptions {
                    catalog_id: eui_core::CORE_CATALOG_ID.into(),
                    ..SurfaceOptions::default()
                },
            );
            for message in package.template_messages(template, "app", None).unwrap() {
                if message.get("bindDataModel").is_none() {
                    surface.apply(&message).unwrap();
                }
            }
            surface.set_viewport(390.0, 844.0, None);
            let laid = surface.layout(&mut FixedMeasure::default());
            assert!(!laid.frames.is_empty(), "{app} {template}");
            assert!(
                surface.issues().is_empty(),
                "{app} {template}: {:?}",
                surface.issues()
            );
        }
    }
}
