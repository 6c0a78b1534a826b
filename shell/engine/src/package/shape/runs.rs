//! Actions, exposed tools and automations.

use super::caps;
use super::records::record_schema;
use crate::schema::patterns as p;
use crate::schema::shape::{Object, Shape, may, must};
use crate::upstreams::{Reading, ServerName};

pub(super) fn action() -> Shape {
    let step = Object::of(vec![
        may(
            "require",
            Shape::text(1, caps::EXPRESSION),
            "An expression that must hold.",
        ),
        may(
            "message",
            Shape::text(1, 300),
            "What a person reads when it does not.",
        ),
        may(
            "records.upsert",
            Shape::object(vec![
                must("kind", Shape::like(p::KIND), ""),
                must("data", Shape::any_object(), "A field's expression each."),
                may("id", Shape::Any, "The record to change; none makes one."),
            ]),
            "Make or change a record.",
        ),
        may(
            "records.delete",
            Shape::object(vec![must("id", Shape::Any, "")]),
            "Delete a record.",
        ),
        may(
            "set",
            Shape::object(vec![
                must("path", Shape::like(p::POINTER), ""),
                may("value", Shape::Any, ""),
            ]),
            "Write to the screen's data.",
        ),
        may("call", Shape::text(1, 200), "Call a host function."),
        may(
            "args",
            Shape::any_object(),
            "Its arguments, an expression each.",
        ),
    ])
    .one_of(&["require", "records.upsert", "records.delete", "set", "call"]);
    Shape::object(vec![
        may("params", record_schema(), "What it is called with."),
        must(
            "steps",
            Shape::list(step.into(), 1, eui_core::host::ACTION_LIMIT_STEPS),
            "In order; any failure undoes all.",
        ),
        may("title", Shape::line(1, 80), ""),
        may("description", Shape::prose(0, 500), ""),
    ])
}

/// What a tool or an automation runs: one of the four.
fn run() -> Shape {
    Object::of(vec![
        may(
            "records",
            Object::of(vec![
                must("op", Shape::text(1, 16), "list, get or upsert."),
                must("kind", Shape::text(1, 32), ""),
            ])
            .open()
            .into(),
            "Read or write records.",
        ),
        may("action", Shape::text(1, 80), "An action of this package."),
        may(
            "upstream",
            ServerName::shape(),
            "A tool of one of its upstreams.",
        ),
        may(
            "agent",
            Shape::text(1, 80),
            "An agent that gets the prompt.",
        )
        .since(3),
        may("tool", Reading::tool_shape(), "The upstream's tool."),
        may(
            "args",
            Shape::any_object(),
            "The arguments, with ${…} filled in.",
        ),
        may(
            "prompt",
            Shape::prose(1, caps::PROMPT),
            "What the agent is asked, fixed with the version.",
        )
        .since(3),
        may("device", Shape::text(1, 80), "Where the agent runs.").since(3),
    ])
    .one_of(&["records", "action", "upstream", "agent"])
    .into()
}

pub(super) fn expose() -> Shape {
    Shape::object(vec![
        must(
            "name",
            Shape::text(1, 40),
            "Lower-case letters, digits and _.",
        ),
        must("title", Shape::line(1, 80), ""),
        must(
            "description",
            Shape::prose(1, 1024),
            "What an agent reads before it calls.",
        ),
        must(
            "input",
            Shape::any_object(),
            "A JSON Schema of type object.",
        ),
        must("access", Shape::choice(&["read", "write"]), ""),
        must("run", run(), "What a call does."),
    ])
}

pub(super) fn automation() -> Shape {
    let on = Object::of(vec![
        may(
            "schedule",
            Shape::object(vec![
                must("cron", Shape::text(9, 100), "Five fields."),
                may("tz", Shape::text(1, 64), "A time zone's name."),
            ]),
            "A clock.",
        ),
        may(
            "record",
            Shape::object(vec![
                must("kind", Shape::like(p::KIND), ""),
                must("op", Shape::choice(&["create", "update", "delete"]), ""),
            ]),
            "A record written.",
        ),
        may("event", Shape::text(1, 80), "An event's name."),
        may(
            "webhook",
            Shape::object(vec![must("name", Shape::like(p::NAME), "")]),
            "A signed call from outside.",
        ),
    ])
    .one_of(&["schedule", "record", "event", "webhook"]);
    Shape::object(vec![
        must("name", Shape::like(p::NAME), ""),
        may("title", Shape::line(1, 80), ""),
        must("on", on.into(), "The trigger."),
        must("run", run(), "The one thing it does."),
        may("sponsor", Shape::text(3, 200), "The member it acts as."),
    ])
}
