//! The kinds of record, the queries over them and how older ones migrate.

use super::caps;
use crate::schema::patterns as p;
use crate::schema::shape::{Object, Shape, may, must};

pub(super) fn kind() -> Shape {
    let level = || Shape::choice(&["member", "author", "owners"]);
    let computed = Shape::map(p::FIELD, Shape::text(1, caps::EXPRESSION), caps::COMPUTED);
    let reference = Shape::Either(vec![
        Shape::choice(&["issue", "member"]),
        Shape::object(vec![must(
            "kind",
            Shape::like(p::KIND),
            "A kind of this package.",
        )]),
    ]);
    Shape::object(vec![
        must("schema", record_schema(), "The fields of a record."),
        may("title", Shape::line(1, 80), "What people call one record."),
        may("description", Shape::prose(0, 500), ""),
        may(
            "policy",
            Shape::object(vec![
                may("read", level(), "Who reads a record."),
                may(
                    "create",
                    Shape::choice(&["member", "owners"]),
                    "Who makes one.",
                ),
                may("update", level(), "Who changes one."),
                may("delete", level(), "Who deletes one."),
            ]),
            "Who may do what; left out: member, member, author, author.",
        )
        .since(3),
        may(
            "computed",
            computed,
            "Fields worked out on reading, one expression each.",
        )
        .since(3),
        may(
            "refs",
            Shape::map(p::FIELD, reference, 32),
            "Text fields that hold another record's id.",
        )
        .since(3),
        may(
            "transitions",
            Shape::object(vec![
                must("field", Shape::like(p::FIELD), "The enum field that moves."),
                may(
                    "initial",
                    Shape::any_list(Shape::text(1, 80)),
                    "The states a new record may start in.",
                ),
                must(
                    "from",
                    Shape::any_map(Shape::any_list(Shape::text(1, 80))),
                    "Each state's next states.",
                ),
                may(
                    "who",
                    Shape::any_map(Shape::like(p::WHO)),
                    "Who may move along an edge `a->b` or into a state.",
                ),
            ]),
            "The states a field moves through.",
        )
        .since(3),
        may(
            "readableBy",
            Shape::any_list(Shape::like(p::APP_ID)),
            "Other apps that may read this kind.",
        )
        .since(3),
    ])
}

pub(super) fn record_schema() -> Shape {
    let scalar = || Shape::choice(&["string", "number", "integer", "boolean"]);
    let words = || Shape::list(Shape::text(0, 200), 1, 200);
    let field = Shape::object(vec![
        must(
            "type",
            Shape::choice(eui_core::host::RECORD_FIELD_TYPES),
            "What the field holds.",
        ),
        may("title", Shape::line(1, 80), ""),
        may("description", Shape::prose(0, 500), ""),
        may("enum", words(), "The texts it may hold."),
        may(
            "format",
            Shape::choice(&["date", "date-time", "time", "attachment"]),
            "What the text is; attachment since format 3.",
        ),
        may("maxLength", Shape::whole(0, 100_000), ""),
        may("minimum", Shape::Number(Default::default()), ""),
        may("maximum", Shape::Number(Default::default()), ""),
        may(
            "items",
            Shape::object(vec![
                must("type", scalar(), ""),
                may("enum", words(), ""),
                may("format", Shape::choice(&["attachment"]), "").since(3),
                may("title", Shape::line(1, 80), ""),
                may("description", Shape::prose(0, 500), ""),
            ]),
            "What an array holds.",
        ),
    ]);
    Shape::object(vec![
        must("type", Shape::choice(&["object"]), ""),
        must(
            "properties",
            Shape::map(p::FIELD, field, 100),
            "The fields.",
        ),
        may(
            "required",
            Shape::any_list(Shape::text(1, 64)),
            "The fields every record has.",
        ),
        may("additionalProperties", Shape::Flag, ""),
        may("title", Shape::line(1, 80), ""),
        may("description", Shape::prose(0, 500), ""),
    ])
}

pub(super) fn query() -> Shape {
    let name = || Shape::text(1, 200);
    Shape::object(vec![
        must("from", name(), "The kind it reads."),
        may("app", name(), "Another app whose kind it reads."),
        may("mine", Shape::Flag, "Only the reader's own."),
        may("user", name(), "One author's."),
        may(
            "where",
            Shape::any_list(Shape::Any),
            "Conditions [field, op, value], or one {or: […]}. op is eq (=), lt (<), lte (<=), gt (>), gte (>=), in or between; value is a text or a number, a list for in and between ([low, high]), and no expression: what today is, a computed field knows.",
        ),
        may(
            "sort",
            Shape::Any,
            "A field, or a list of [field, asc|desc].",
        ),
        may("limit", Shape::Any, "At most this many rows."),
        may("sum", name(), "The field whose total is the value's `sum`."),
        may("month", Shape::Any, "{field, key?}: a month's view."),
        may(
            "group",
            Shape::any_list(Shape::Any),
            "Group keys: fields, or {bucket, by}.",
        ),
        may(
            "aggregate",
            Shape::any_map(Shape::Any),
            "{name: [op, field?]}.",
        ),
        may("running", Shape::any_map(Shape::Any), "{field: op}."),
        may("before", Shape::Any, "A date, or {field, date}."),
        may(
            "expand",
            Shape::list(Shape::like(p::FIELD), 1, 16),
            "Refs to follow.",
        )
        .since(3),
    ])
}

pub(super) fn migration() -> Shape {
    let field = || Shape::like(p::FIELD);
    let op = Object::of(vec![
        may(
            "rename",
            Shape::object(vec![must("from", field(), ""), must("to", field(), "")]),
            "A field gets another name.",
        ),
        may(
            "default",
            Shape::object(vec![
                must("field", field(), ""),
                must("value", Shape::Any, ""),
            ]),
            "A field that is missing gets a value.",
        ),
        may("drop", field(), "A field goes."),
        may(
            "map",
            Shape::object(vec![
                must("field", field(), ""),
                must("expr", Shape::text(1, caps::EXPRESSION), ""),
            ]),
            "A field becomes an expression's value.",
        ),
        may(
            "renameKind",
            Shape::like(p::KIND),
            "The kind gets another name.",
        ),
    ])
    .one_of(&["rename", "default", "drop", "map", "renameKind"]);
    Shape::object(vec![
        must(
            "from",
            Shape::like(p::RANGE),
            "The versions whose records it reads.",
        ),
        must(
            "kind",
            Shape::like(p::KIND),
            "The kind as that version called it.",
        ),
        must("ops", Shape::list(op.into(), 1, 64), "In order."),
    ])
}
