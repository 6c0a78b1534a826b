#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;
use eui_core::catalog::CORE_CATALOG_ID;
use serde_json::json;

fn said(components: Value) -> Vec<String> {
    said_in(components, CORE_CATALOG_ID)
}

fn said_in(components: Value, catalog: &str) -> Vec<String> {
    let list = components.as_array().unwrap();
    let (issues, notes) = check_components(list, "/c", &Catalog::new(catalog, CatalogView::core()));
    issues
        .into_iter()
        .map(|i| format!("{} {}", i.pointer, i.message))
        .chain(notes.into_iter().map(|n| n.message))
        .collect()
}

fn root(child: Value) -> Value {
    json!([{"id": "root", "component": "Box", "children": ["x"]}, child])
}

#[test]
fn a_good_list_has_nothing_to_say() {
    assert_eq!(
        said(root(
            json!({"id": "x", "component": "Text", "text": {"path": "/a"}})
        )),
        [""; 0]
    );
}

#[test]
fn each_complaint_stands_at_the_place_in_the_file() {
    for (component, expected) in [
        (
            json!({"id": "x", "component": "Buton"}),
            "/c/1/component no component is called `Buton`: did you mean `Button`?",
        ),
        (
            json!({"id": "x", "component": "Text", "txt": "a", "text": "a"}),
            "/c/1/txt Text has no prop `txt`: did you mean `text`?",
        ),
        (
            json!({"id": "x", "component": "Text", "text": "a", "visable": true}),
            "/c/1/visable Text has no prop `visable`: did you mean `visible`?",
        ),
        (
            json!({"id": "x", "component": "Text", "text": "a", "colour": "red"}),
            "/c/1/colour Text has no prop `colour`: remove it; it takes text, variant, align, lines, tone, shimmer, live, style, visible, on, accessibility",
        ),
        (
            json!({"id": "x", "component": "Icon", "name": "hourglas"}),
            "/c/1/name `name`: no icon is called `hourglas`: did you mean `hourglass`?",
        ),
        (
            json!({"id": "x", "component": "Icon", "name": "clock-face"}),
            "/c/1/name `name`: no icon is called `clock-face`: there are clock, ui-clock; all are in `ede schema package` under $defs/icon",
        ),
        (
            json!({"id": "x", "component": "Text", "text": {"call": "formatDat", "args": {}}}),
            "/c/1/text no function is called `formatDat`: did you mean `formatDate`?",
        ),
        (
            json!({"id": "x", "component": "Text", "text": {"call": "uppercase", "args": {}}}),
            "/c/1/text no function is called `uppercase`: the catalog's are in `ede schema package` under $defs/function, the host's have a dot in their name",
        ),
        (
            json!({"id": "x", "component": "Text", "text": "a", "style": {"color": "$color.mutd"}}),
            "/c/1/style/color `color`: expected $color.<name>: did you mean `$color.muted`?",
        ),
        (
            json!({"id": "x", "component": "Text"}),
            "/c/1/text `text` is missing: Text needs it",
        ),
        (
            json!({"id": "x", "component": "Heading", "text": "a", "level": "h9"}),
            "/c/1/level `level`: expected one of h1|h2|h3|h4",
        ),
        (
            json!({"id": "x", "component": "Text", "text": "a", "style": {"colour": "$color.muted"}}),
            "/c/1/style/colour `colour` is no style key: did you mean `color`?",
        ),
        (
            json!({"id": "x", "component": "Text", "text": "a", "style": {"@media (min-width: 37.5px)": {"gap": "wide"}}}),
            "/c/1/style/@media (min-width: 37.5px)/gap `gap`: expected px, \"N%\", \"auto\" or a numeric token",
        ),
        (
            json!({"id": "x", "component": "Button", "label": "a", "on": {"pres": {}}}),
            "/c/1/on/pres Button has no event `pres`: did you mean `press`?",
        ),
        (
            json!({"id": "x", "component": "Text", "text": "a", "children": ["root"]}),
            "/c/1/children Text takes no children: remove them",
        ),
        (
            json!({"id": "x", "component": "Table", "rows": [], "columns": [{"key": "a", "label": "A", "type": "slot", "slot": "nope"}]}),
            "/c/1/columns/0/slot `slot`: no slot \"nope\" on this Table; slots: none",
        ),
    ] {
        let all = said(root(component));
        assert!(
            all.contains(&expected.to_owned()),
            "{expected}\nbut: {all:#?}"
        );
    }
}

#[test]
fn where_a_token_belongs_the_tokens_are_named() {
    let list =
        root(json!({"id": "x", "component": "Text", "text": "a", "style": {"color": "#ff0000"}}));
    let said = said(list);
    assert!(
        said[0].starts_with(
            "/c/1/style/color `color`: expected $color.<name>; the names are background, foreground, "
        ),
        "{said:?}"
    );
}

#[test]
fn the_tree_is_checked_too() {
    assert_eq!(
        said(json!([{"id": "a", "component": "Box"}])),
        [
            "/c no component has the id `root`: name the outermost one root",
            "/c: nothing shows the component `a`"
        ]
    );
    assert_eq!(
        said(json!([{"id": "root", "component": "Box", "children": ["gone"]}])),
        ["/c/0/children/0 no component has the id `gone`: add it or remove the reference"]
    );
    let twice = json!([{"id": "root", "component": "Box", "children": ["x", "x"]}, {"id": "x", "component": "Box"}]);
    assert_eq!(
        said(twice),
        ["/c/0/children/1 `x` already has a place: a component stands in one place only"]
    );
    let circle = json!([{"id": "root", "component": "Box", "children": ["x"]}, {"id": "x", "component": "Box", "children": ["root"]}]);
    assert_eq!(
        said(circle),
        ["/c/0 `root` contains itself: break the circle"]
    );
    let same = json!([{"id": "root", "component": "Box"}, {"id": "root", "component": "Box"}]);
    assert_eq!(
        said(same),
        ["/c/1/id a second component has the id `root`: give it its own"]
    );
    let deep: Vec<Value> = (0..60).map(|i| json!({"id": if i == 0 { "root".into() } else { format!("n{i}") }, "component": "Box", "children": [format!("n{}", i + 1)]})).collect();
    assert!(said(Value::Array(deep))[0].contains("nesting deeper than 48 levels"));
}

#[test]
fn a_component_nothing_shows_is_checked_and_noted() {
    let list = json!([{"id": "root", "component": "Box"}, {"id": "lost", "component": "Text"}]);
    assert_eq!(
        said(list),
        [
            "/c/1/text `text` is missing: Text needs it",
            "/c: nothing shows the component `lost`"
        ]
    );
}

#[test]
fn the_basic_catalog_is_checked_through_its_mapping() {
    let list = json!([{"id": "root", "component": "Column", "children": ["t", "b"]}, {"id": "t", "component": "Txt"}, {"id": "b", "component": "Button", "child": "l", "action": {"event": {"name": "x"}}}, {"id": "l", "component": "Text", "text": "Go"}]);
    assert_eq!(
        said_in(list, A2UI_BASIC_CATALOG_ID),
        ["/c/1/component no component is called `Txt`: did you mean `Text`?"]
    );
}
