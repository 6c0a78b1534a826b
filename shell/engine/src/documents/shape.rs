//! The ede-ui document format as a table, one variant per kind.

use std::sync::LazyLock;

use crate::package::shape::{bindings, components};
use crate::schema::patterns as p;
use crate::schema::shape::{Field, Object, Shape, may, must};

/// The version this shell writes and reads.
pub const FORMAT: u8 = 1;

/// The most components a document holds.
pub const MAX_COMPONENTS: usize = 1000;

/// The whole format.
pub static DOCUMENT: LazyLock<Shape> = LazyLock::new(|| Shape::Tagged {
    tag: "kind",
    variants: vec![
        (
            "panel",
            with_tree(
                "panel",
                vec![must("place", panel_place(), "Where the panel stands.")],
            ),
        ),
        (
            "desktop",
            with_tree(
                "desktop",
                vec![may(
                    "place",
                    desktop_place(),
                    "Which outputs, and their grid.",
                )],
            ),
        ),
        (
            "window",
            with_tree(
                "window",
                vec![must("place", window_place(), "How large the window is.")],
            ),
        ),
        ("session", session()),
    ],
});

fn head(kind: &'static str) -> Vec<Field> {
    vec![
        must(
            "formatVersion",
            Shape::whole(i32::from(FORMAT), i32::from(FORMAT)),
            "The document format: 1.",
        ),
        must(
            "id",
            Shape::like(p::DOCUMENT_ID),
            "The document's name; its file is called <id>.ede-ui.json.",
        ),
        must("kind", Shape::choice(&[kind]), "What the document is."),
        may("title", Shape::line(1, 80), "What people call it."),
    ]
}

fn with_tree(kind: &'static str, place: Vec<Field>) -> Object {
    let mut fields = head(kind);
    fields.extend(place);
    fields.extend([
        must(
            "components",
            components(MAX_COMPONENTS),
            "The components, one of them with the id root.",
        ),
        may(
            "data",
            Shape::any_object(),
            "The data before any binding has answered.",
        ),
        may(
            "bindings",
            bindings(),
            "Data that follows one of the shell's sources.",
        ),
    ]);
    Object::of(fields)
}

fn length(max: i32) -> Shape {
    Shape::number(0.0, f64::from(max))
}

fn outputs() -> Shape {
    Shape::list(Shape::text(1, 200), 1, 32)
}

fn panel_fields() -> Vec<Field> {
    vec![
        may(
            "edge",
            Shape::choice(&["top", "bottom", "left", "right"]),
            "The edge it stands on.",
        ),
        may(
            "thickness",
            Shape::number(16.0, 512.0),
            "Its height along a top or bottom edge, its width along a side.",
        ),
        may(
            "layer",
            Shape::choice(&["bottom", "top"]),
            "Under or above windows; overlay is the shell's own.",
        ),
        may("reserve", Shape::Flag, "Windows keep clear of it."),
        may("margin", length(256), "Between it and the output's edges."),
        may(
            "autohide",
            Shape::Flag,
            "It slides away while no pointer is at its edge.",
        ),
        may(
            "revealDelay",
            Shape::whole(0, 5000),
            "Milliseconds the pointer rests at the edge before it comes back.",
        ),
    ]
}

fn panel_place() -> Shape {
    let mut fields = vec![may(
        "outputs",
        outputs(),
        "Connector names, make and model, or *.",
    )];
    fields.extend(panel_fields());
    fields.push(may(
        "overrides",
        Shape::any_map(Shape::object(panel_fields())),
        "What differs, by output.",
    ));
    Shape::object(fields)
}

fn desktop_place() -> Shape {
    let grid = || {
        may(
            "grid",
            Shape::object(vec![
                may("cell", Shape::number(40.0, 640.0), "A cell's edge."),
                may("gap", length(160), "Between two cells."),
            ]),
            "The grid widgets stand on.",
        )
    };
    Shape::object(vec![
        may(
            "outputs",
            outputs(),
            "Connector names, make and model, or *.",
        ),
        grid(),
        may(
            "overrides",
            Shape::any_map(Shape::object(vec![grid()])),
            "What differs, by output.",
        ),
    ])
}

fn window_place() -> Shape {
    let size = || Shape::list(Shape::number(1.0, 16384.0), 2, 2);
    Shape::object(vec![
        may("size", size(), "Width and height when it opens."),
        may("minSize", size(), "The least it can be."),
        may("maxSize", size(), "The most it can be."),
        may(
            "appId",
            Shape::like(p::DESKTOP_ENTRY),
            "What compositors and window rules know it by.",
        ),
    ])
}

fn session() -> Object {
    let wallpaper = Shape::Tagged {
        tag: "kind",
        variants: vec![
            (
                "gradient",
                Object::of(vec![must("kind", Shape::choice(&["gradient"]), "")]),
            ),
            (
                "color",
                Object::of(vec![
                    must("kind", Shape::choice(&["color"]), ""),
                    must(
                        "color",
                        Shape::like(p::COLOR_TOKEN),
                        "A colour of the theme.",
                    ),
                ]),
            ),
            (
                "image",
                Object::of(vec![
                    must("kind", Shape::choice(&["image"]), ""),
                    must(
                        "path",
                        Shape::like(p::PATH),
                        "Absolute, below ~/, or beside the document.",
                    ),
                    may(
                        "fit",
                        Shape::choice(&["cover", "contain", "center", "tile"]),
                        "How it fills an output.",
                    ),
                ]),
            ),
        ],
    };
    let settings = Shape::object(vec![
        may("theme", Shape::like(p::THEME_ID), "A theme's id."),
        may(
            "mode",
            Shape::choice(&["auto", "light", "dark"]),
            "auto follows the desktop's own setting.",
        ),
        may(
            "density",
            Shape::choice(&["compact", "default", "comfortable"]),
            "How close things stand.",
        ),
        may("locale", Shape::like(p::LOCALE), "The language and region."),
        may(
            "fontScale",
            Shape::number(0.5, 3.0),
            "1 is the theme's own size.",
        ),
        may("wallpaper", wallpaper, "What is behind everything."),
        may(
            "startup",
            Shape::list(Shape::like(p::DESKTOP_ENTRY), 0, 32),
            "Desktop entries started with the session.",
        ),
    ]);
    let mut fields = head("session");
    fields.push(must("session", settings, "The settings."));
    Object::of(fields)
}
