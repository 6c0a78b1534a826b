//! The package format as a table: every key, the rule for its value, the format version that brought it. What a value
//! means beyond its shape (names that must exist, expressions that must type) is checked by the modules beside this.

mod records;
mod runs;
mod templates;

use std::sync::LazyLock;

use eui_core::generated::catalog::ICON_NAMES;
use eui_core::host::{AUTHOR_NAME_MAX, PACKAGE_FILE_SIGNATURE_ALG};

use self::records::{kind, migration, query};
use self::runs::{action, automation, expose};
use self::templates::templates;
pub(crate) use self::templates::{bindings, component_shape, components};
use crate::schema::patterns as p;
use crate::schema::shape::{Object, Shape, may, must};
use crate::upstreams::ServerName;

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
            "The format this package is written in. A new package says 3; 5 where it asks for `capabilities`; 2 knows no screens and widgets.",
        ),
        must(
            "id",
            Shape::like(p::APP_ID),
            "The app's name among apps; it never changes.",
        ),
        must("name", Shape::line(1, 80), "What people call the app."),
        must("version", Shape::like(p::VERSION), "MAJOR.MINOR.PATCH."),
        must(
            "catalogId",
            Shape::text(1, 300),
            "The catalog its templates are written in.",
        ),
        may("icon", package_icon(), "The app's icon."),
        may(
            "description",
            Shape::prose(0, 500),
            "One or two sentences about the app.",
        ),
        may(
            "author",
            Object::of(vec![
                may(
                    "name",
                    Shape::line(1, AUTHOR_NAME_MAX),
                    "What people call the author.",
                ),
                may(
                    "key",
                    Shape::like(p::AUTHOR_KEY),
                    "The author's public key.",
                ),
            ])
            .open()
            .into(),
            "Who made it, and signed it.",
        ),
        may(
            "signature",
            Object::of(vec![
                must(
                    "alg",
                    Shape::choice(&[PACKAGE_FILE_SIGNATURE_ALG]),
                    "The algorithm.",
                ),
                must("value", Shape::like(p::SIGNATURE), "64 bytes in base64."),
            ])
            .open()
            .into(),
            "The author's signature over the rest of the file.",
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
            Shape::any_list(ServerName::shape()),
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

fn extension() -> Shape {
    Shape::object(vec![
        must("id", Shape::text(1, 300), ""),
        must("version", Shape::like(p::VERSION), ""),
        may("components", Shape::any_list(Shape::text(1, 64)), ""),
    ])
}

fn test() -> Shape {
    Object::of(vec![
        must("name", Shape::line(1, 200), "The promise it keeps."),
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
        must("title", Shape::line(1, 32), "What the navigation calls it."),
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

fn capability() -> Shape {
    Shape::object(vec![
        must("id", Shape::like(p::SCOPE), "A scope of the catalog."),
        must(
            "why",
            Shape::prose(1, caps::WHY),
            "One sentence the person reads before deciding.",
        ),
        may(
            "origins",
            Shape::list(Shape::like(p::ORIGIN), 1, 32),
            "The exact origins of a network scope.",
        ),
    ])
}
