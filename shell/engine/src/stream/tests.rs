#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;

fn create(catalog: &str) -> Value {
    json!({"version": "v0.9", "createSurface": {"surfaceId": "s", "catalogId": catalog}})
}

fn text() -> Value {
    json!({"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": [{"id": "root", "component": "Text", "text": "Hi"}]}})
}

fn read(messages: &Value) -> ParsedStream {
    Stream::read(serde_json::to_string(messages).unwrap().as_bytes())
}

fn said(messages: Value) -> Vec<String> {
    read(&messages)
        .issues
        .into_iter()
        .map(|i| format!("{} {}", i.pointer, i.message))
        .collect()
}

#[test]
fn both_names_of_the_basic_catalog_work() {
    for catalog in [
        "https://a2ui.org/specification/v0_9/basic_catalog.json",
        "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
    ] {
        let parsed = read(&json!([create(catalog), text()]));
        assert_eq!(parsed.issues, []);
        let stream = parsed.stream.unwrap();
        let mut surface = eui_core::surface::Surface::new("s", Default::default());
        for message in &stream.surface(None).unwrap().messages {
            surface.apply(message).unwrap();
        }
        assert!(surface.is_basic() && surface.issues().is_empty());
    }
    assert_eq!(
        catalog_of("https://a2ui.org/specification/v1_0/catalogs/minimal/catalog.json"),
        Some(A2UI_BASIC_CATALOG_ID)
    );
    assert_eq!(catalog_of("https://example.org/basic_catalog.json"), None);
}

#[test]
fn json_lines_and_one_message_are_streams_too() {
    let lines = format!("{}\n{}\n", create(A2UI_BASIC_CATALOG_ID), text());
    let parsed = Stream::read(lines.as_bytes());
    assert_eq!(
        (parsed.issues.len(), parsed.stream.unwrap().surfaces().len()),
        (0, 1)
    );
    let broken = format!("{}\n{{\"version\": }}\n", create(A2UI_BASIC_CATALOG_ID));
    let issue = Stream::read(broken.as_bytes()).issues.pop().unwrap();
    assert_eq!(
        (issue.pointer.as_str(), issue.position.unwrap().line),
        ("/1", 2)
    );
}

#[test]
fn what_is_wrong_is_named_and_the_rest_is_kept() {
    let parsed = read(&json!([
        create(A2UI_BASIC_CATALOG_ID),
        {"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": [
            {"id": "root", "component": "Column", "children": ["a", "b"], "style": "big"},
            {"id": "a", "component": "Text", "text": "Hi"}, {"id": "b", "component": "Map"}, {"component": "Text"}
        ]}},
        {"version": "v0.9", "updateDatModel": {"surfaceId": "s"}},
        {"version": "v2", "deleteSurface": {"surfaceId": "t"}}
    ]));
    let said: Vec<String> = parsed
        .issues
        .into_iter()
        .map(|i| format!("{} {}", i.pointer, i.message))
        .collect();
    assert_eq!(
        said,
        [
            "/1/updateComponents/components/0/style `style` must be an object, not `big`",
            "/1/updateComponents/components/2/component no component is called `Map`: `ede preview --gallery` shows those there are",
            "/1/updateComponents/components/3/id `id` is missing: a component has an id and a component",
            "/2/updateDatModel no message is called `updateDatModel`: did you mean `updateDataModel`?",
            "/3/version this host reads v0.9, v0.9.1, v0.10, v1.0, not `v2`",
            "/3/deleteSurface/surfaceId no surface `t` was made: send createSurface first",
        ]
    );
    assert_eq!(parsed.stream.unwrap().surfaces()[0].messages.len(), 2);
}

#[test]
fn an_old_stream_says_it_is_old() {
    assert_eq!(
        said(json!([{"surfaceUpdate": {"surfaceId": "s"}}])),
        ["/0/surfaceUpdate surfaceUpdate is A2UI v0.8: this host reads v0.9 and later"]
    );
}

#[test]
fn a_component_sent_again_is_checked_where_it_was_sent_last() {
    let again = json!({"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": [{"id": "root", "component": "Txt"}]}});
    assert_eq!(
        said(json!([create(A2UI_BASIC_CATALOG_ID), text(), again])),
        [
            "/2/updateComponents/components/0/component no component is called `Txt`: did you mean `Text`?"
        ]
    );
}
