//! Tables from elsewhere, as records: which rows come, and what is said of the others.

use serde_json::json;

use super::support::Home;

#[test]
fn a_spreadsheet_is_imported_and_what_does_not_read_is_named() {
    let home = Home::with_hours();
    let file = home.file(
        "hours.csv",
        "Day;Hours worked;Remark\n1.10.2026;6,5;x\n3/4/2026;1;y\n2026-10-02;two;z\n",
    );
    let import = format!("records import acme.hours entry {}", file.display());
    let dry = home.json(&format!("{import} --dry-run --json"));
    assert_eq!(
        (&dry["ready"], &dry["imported"], &dry["mapping"]),
        (
            &json!(1),
            &json!(0),
            &json!({"day": "Day", "hours": "Hours worked"})
        )
    );
    assert_eq!(home.json("records list acme.hours --json"), json!([]));
    let ran = home.ede(import.split(' '));
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "imported: 1 of 3 rows, as kind entry in acme.hours\n")
    );
    assert!(
        ran.err
            .contains("note: row 4: hours: \"two\" is not a number"),
        "{}",
        ran.err
    );
    assert_eq!(
        home.json("query acme.hours records:entry?sum=hours")["sum"],
        6.5
    );
    let none = home.file("none.csv", "day,hours\n");
    assert!(
        home.error(&format!(
            "records import acme.hours entry {}",
            none.display()
        ))
        .contains("no row can be imported")
    );
}

#[test]
fn a_row_that_the_records_refuse_is_named_before_the_import_and_left_out_of_it() {
    let home = Home::new();
    let package = json!({
        "formatVersion": 3, "id": "acme.work", "name": "Work", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "records": {
            "project": {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}},
            "task": {
                "schema": {"type": "object", "properties": {"title": {"type": "string"}, "project": {"type": "string"}}, "required": ["title"]},
                "refs": {"project": {"kind": "project"}},
            },
        },
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
    });
    let file = home.file("acme.work.app.json", package.to_string());
    home.ok(&format!("apps install {}", file.display()));
    let desk = home.file(
        "p.json",
        json!({"id": "p1", "data": {"name": "Desk"}}).to_string(),
    );
    home.ok(&format!("records put acme.work project {}", desk.display()));
    let csv = home.file("t.csv", "title,project\na,p1\nb,nope\nc,\n");
    let import = format!("records import acme.work task {}", csv.display());
    let named = json!([{"row": 3, "field": null, "message": "project refers to no project"}]);
    for (flags, imported) in [(" --dry-run --json", 0), (" --json", 2)] {
        let said = home.json(&format!("{import}{flags}"));
        assert_eq!((&said["ready"], &said["total"]), (&json!(2), &json!(3)));
        assert_eq!(
            (&said["imported"], &said["issues"]),
            (&json!(imported), &named)
        );
    }
    let tasks = home.json("records list acme.work task --json");
    assert_eq!(tasks.as_array().unwrap().len(), 2);
}
