//! Component lists, bindings and templates.

use super::caps;
use crate::schema::patterns as p;
use crate::schema::shape::{Object, Shape, may, must};

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

pub(super) fn templates() -> Shape {
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
        may("title", Shape::line(1, 80), ""),
        may("description", Shape::prose(0, 500), ""),
    ]);
    let Shape::Map(mut map) = Shape::map(p::TEMPLATE_ID, template, caps::TEMPLATES) else {
        return Shape::Any;
    };
    map.min = 1;
    Shape::Map(map)
}
