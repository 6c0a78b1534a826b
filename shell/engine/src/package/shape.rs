//! The package format as a table: every key, the rule for its value, the format version that brought it. What a value
//! means beyond its shape (names that must exist, expressions that must type) is checked by the modules beside this.

use std::sync::LazyLock;

use eui_core::generated::catalog::ICON_NAMES;

use crate::schema::patterns as p;
use crate::schema::shape::{Object, Shape, may, must};

/// The formats this host reads.
pub const FORMATS: std::ops::RangeInclusive<u8> = 2..=5;

/// What a package may hold at most.
pub mod caps {
    pub const COMPONENTS: usize = 500;
    pub const KINDS: usize = 16;
    pub const COMPUTED: usize = 16;
    pub const EXPOSES: usize = 32;
    pub const AUTOMATIONS: usize = 16;
    pub const SCREENS: usize = 5;
    pub const TESTS: usize = 50;
    pub const TEMPLATES: usize = 64;
    pub const RECORD_BYTES: usize = 16 * 1024;
    pub const WHY: usize = 500;
    pub const PROMPT: usize = 4000;
    pub const EXPRESSION: usize = 1000;
}

/// The whole format.
pub static PACKAGE: LazyLock<Shape> = LazyLock::new(package);

fn package() -> Shape {
    Shape::object(vec![
        must(
            "formatVersion",
            Shape::whole(i32::from(*FORMATS.start()), i32::from(*FORMATS.end())),
            "The format this package is written in.",
        ),
        must(
            "id",
            Shape::like(p::APP_ID),
            "The app's name among apps; it never changes.",
        ),
        must("name", Shape::text(1, 80), "What people call the app."),
        must("version", Shape::like(p::VERSION), "MAJOR.MINOR.PATCH."),
        must(
            "catalogId",
            Shape::text(1, 300),
            "The catalog its templates are written in.",
        ),
        may("icon", package_icon(), "The app's icon."),
        may(
            "description",
            Shape::text(0, 500),
            "One or two sentences about the app.",
        ),
        may("author", Shape::any_object(), "Who signed it."),
        may(
            "signature",
            Shape::any_object(),
            "The signature over the rest of the file.",
        ),
        may(
            "sources",
            Shape::any_list(Shape::text(1, 200)),
            "The binding sources its templates may follow; none means records:* only.",
        ),
        may(
            "functions",
            Shape::any_list(Shape::text(1, 200)),
            "The functions its templates and actions may call; a trailing * matches any ending.",
        ),
        may(
            "records",
            Shape::map(p::KIND, kind(), caps::KINDS),
            "The kinds of record it keeps.",
        ),
        may(
            "queries",
            Shape::map(p::NAME, query(), 64),
            "Named queries over its records.",
        ),
        must(
            "templates",
            templates(),
            "Its screens and widgets as component lists.",
        ),
        may(
            "actions",
            Shape::map(p::NAME, action(), eui_core::host::ACTION_LIMIT_ACTIONS),
            "What it does to its records, all or nothing.",
        ),
        may(
            "exposes",
            Shape::list(expose(), 0, caps::EXPOSES),
            "The tools it offers to agents.",
        ),
        may(
            "upstreams",
            Shape::any_list(Shape::text(1, 80)),
            "Names of MCP servers the person has added.",
        ),
        may(
            "extensions",
            Shape::any_list(extension()),
            "Extension catalogs its templates use.",
        ),
        may(
            "tests",
            Shape::list(test(), 0, caps::TESTS),
            "Checks of its queries, expressions and actions, run at install.",
        ),
        may(
            "screens",
            Shape::list(screen(), 1, caps::SCREENS),
            "The screens a person navigates between.",
        )
        .since(3),
        may(
            "migrations",
            Shape::any_list(migration()),
            "How records of an older version become this one's.",
        )
        .since(3),
        may(
            "automations",
            Shape::list(automation(), 0, caps::AUTOMATIONS),
            "What runs by itself, one trigger each.",
        )
        .since(3),
        may(
            "capabilities",
            Shape::list(capability(), 0, 32),
            "The manifest: all the app may ever ask for.",
        )
        .since(5),
    ])
}

fn icon_name() -> Shape {
    Shape::Choice(ICON_NAMES.iter().map(|n| (*n).to_owned()).collect())
}

fn package_icon() -> Shape {
    Shape::Either(vec![
        icon_name(),
        Shape::object(vec![
            must("glyph", icon_name(), "An icon's name."),
            may("color", Shape::text(1, 32), "A colour's name."),
        ]),
    ])
}

fn kind() -> Shape {
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
        may("title", Shape::text(1, 80), "What people call one record."),
        may("description", Shape::text(0, 500), ""),
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

fn record_schema() -> Shape {
    let scalar = || Shape::choice(&["string", "number", "integer", "boolean"]);
    let words = || Shape::list(Shape::text(0, 200), 1, 200);
    let field = Shape::object(vec![
        must(
            "type",
            Shape::choice(eui_core::host::RECORD_FIELD_TYPES),
            "What the field holds.",
        ),
        may("title", Shape::text(1, 80), ""),
        may("description", Shape::text(0, 500), ""),
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
                may("title", Shape::text(1, 80), ""),
                may("description", Shape::text(0, 500), ""),
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
        may("title", Shape::text(1, 80), ""),
        may("description", Shape::text(0, 500), ""),
    ])
}

fn query() -> Shape {
    let name = || Shape::text(1, 200);
    Shape::object(vec![
        must("from", name(), "The kind it reads."),
        may("app", name(), "Another app whose kind it reads."),
        may("mine", Shape::Flag, "Only the reader's own."),
        may("user", name(), "One author's."),
        may(
            "where",
            Shape::any_list(Shape::Any),
            "Conditions [field, op, value], or one {or: […]}.",
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

/// The component list every format shares: props are the catalog's, not this table's.
pub(crate) fn components(max: usize) -> Shape {
    Shape::list(
        Shape::Named("component", Box::new(component_shape())),
        1,
        max,
    )
}

/// What every component has, whatever its catalog.
pub(crate) fn component_shape() -> Shape {
    let child_list = Shape::Either(vec![
        Shape::any_list(Shape::text(1, 200)),
        Shape::object(vec![
            must(
                "componentId",
                Shape::text(1, 200),
                "The component drawn per item.",
            ),
            must("path", Shape::text(0, 1024), "The list in the data."),
            may(
                "key",
                Shape::text(0, 1024),
                "What names an item, relative to it.",
            ),
        ]),
    ]);
    let component = Object::of(vec![
        must("id", Shape::text(1, 200), "Its name in this list."),
        must("component", Shape::text(1, 64), "The catalog's component."),
        may(
            "children",
            child_list,
            "Ids, or one component per item of a list.",
        ),
        may("slots", Shape::any_map(Shape::text(1, 200)), "Ids by slot."),
        may("on", Shape::any_map(event_action()), "What an event does."),
        may(
            "style",
            Shape::any_object(),
            "Layout and look, in theme tokens.",
        ),
        may("visible", Shape::Any, "A flag, a binding or a call."),
        may("accessibility", Shape::any_object(), ""),
    ])
    .open();
    component.into()
}

/// What an event does: send an event, call a function, or both.
fn event_action() -> Shape {
    Shape::object(vec![
        may(
            "event",
            Object::of(vec![must("name", Shape::text(1, 200), "")])
                .open()
                .into(),
            "An event for whoever drew the surface.",
        ),
        may(
            "functionCall",
            Object::of(vec![must("call", Shape::text(1, 200), "")])
                .open()
                .into(),
            "A function to call.",
        ),
    ])
}

/// Data that follows a source.
pub(crate) fn bindings() -> Shape {
    Shape::any_list(Shape::object(vec![
        must("path", Shape::like(p::POINTER), "Where the value lands."),
        must("source", Shape::text(3, 2000), "scheme:name?params."),
    ]))
}

fn templates() -> Shape {
    let template = Shape::object(vec![
        must(
            "components",
            components(caps::COMPONENTS),
            "The components, one of them with the id root.",
        ),
        may(
            "data",
            Shape::any_object(),
            "The data before any binding has answered.",
        ),
        may("bindings", bindings(), "Data that follows a source."),
        may("title", Shape::text(1, 80), ""),
        may("description", Shape::text(0, 500), ""),
    ]);
    let Shape::Map(mut map) = Shape::map(p::TEMPLATE_ID, template, caps::TEMPLATES) else {
        return Shape::Any;
    };
    map.min = 1;
    Shape::Map(map)
}

fn action() -> Shape {
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
        may("title", Shape::text(1, 80), ""),
        may("description", Shape::text(0, 500), ""),
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
            Shape::text(1, 80),
            "A tool of one of its upstreams.",
        ),
        may(
            "agent",
            Shape::text(1, 80),
            "An agent that gets the prompt.",
        )
        .since(3),
        may("tool", Shape::text(1, 200), "The upstream's tool."),
        may(
            "args",
            Shape::any_object(),
            "The arguments, with ${…} filled in.",
        ),
        may(
            "prompt",
            Shape::text(1, caps::PROMPT),
            "What the agent is asked, fixed with the version.",
        )
        .since(3),
        may("device", Shape::text(1, 80), "Where the agent runs.").since(3),
    ])
    .one_of(&["records", "action", "upstream", "agent"])
    .into()
}

fn expose() -> Shape {
    Shape::object(vec![
        must(
            "name",
            Shape::text(1, 40),
            "Lower-case letters, digits and _.",
        ),
        must("title", Shape::text(1, 80), ""),
        must(
            "description",
            Shape::text(1, 1024),
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

fn extension() -> Shape {
    Shape::object(vec![
        must("id", Shape::text(1, 300), ""),
        must("version", Shape::like(p::VERSION), ""),
        may("components", Shape::any_list(Shape::text(1, 64)), ""),
    ])
}

fn test() -> Shape {
    Object::of(vec![
        must("name", Shape::text(1, 200), "The promise it keeps."),
        may(
            "records",
            Shape::any_map(Shape::any_list(Shape::any_object())),
            "The records it starts from, by kind.",
        ),
        may("now", Shape::text(1, 40), "The clock, RFC 3339."),
        may("as", Shape::text(1, 80), "The member it runs as."),
        may(
            "role",
            Shape::choice(&["member", "owner"]),
            "That member's role; member when left out.",
        )
        .since(3),
        may(
            "expr",
            Shape::object(vec![
                must("expr", Shape::text(1, caps::EXPRESSION), ""),
                may("vars", Shape::any_object(), ""),
            ]),
            "An expression to evaluate.",
        ),
        may(
            "query",
            Shape::object(vec![
                must("name", Shape::text(1, 32), ""),
                may("params", Shape::any_object(), ""),
            ]),
            "A query to run.",
        ),
        may(
            "action",
            Shape::object(vec![
                must("name", Shape::text(1, 32), ""),
                may("params", Shape::any_object(), ""),
                may("data", Shape::any_object(), ""),
            ]),
            "An action to run.",
        ),
        must(
            "expect",
            Shape::Any,
            "What must come out; an object names the keys it cares about.",
        ),
    ])
    .one_of(eui_core::host::PACKAGE_TEST_KINDS)
    .into()
}

fn screen() -> Shape {
    let widget = || {
        Object::of(vec![
            must("template", Shape::like(p::TEMPLATE_ID), ""),
            must("size", Shape::choice(&["s", "m", "l"]), ""),
        ])
    };
    Shape::object(vec![
        must(
            "template",
            Shape::like(p::TEMPLATE_ID),
            "The template it draws; its name too.",
        ),
        must("title", Shape::text(1, 32), "What the navigation calls it."),
        may("icon", icon_name(), "Its icon in the navigation."),
        may(
            "params",
            Shape::any_map(Shape::text(0, 1000)),
            "The params it opens with; they land at /params.",
        ),
        may(
            "widget",
            Shape::Either(vec![widget().into(), Shape::list(widget().into(), 1, 8)]),
            "The widgets of this screen, by size.",
        ),
    ])
}

fn migration() -> Shape {
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

fn automation() -> Shape {
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
        may("title", Shape::text(1, 80), ""),
        must("on", on.into(), "The trigger."),
        must("run", run(), "The one thing it does."),
        may("sponsor", Shape::text(3, 200), "The member it acts as."),
    ])
}

fn capability() -> Shape {
    Shape::object(vec![
        must("id", Shape::like(p::SCOPE), "A scope of the catalog."),
        must(
            "why",
            Shape::text(1, caps::WHY),
            "One sentence the person reads before deciding.",
        ),
        may(
            "origins",
            Shape::list(Shape::like(p::ORIGIN), 1, 32),
            "The exact origins of a network scope.",
        ),
    ])
}
