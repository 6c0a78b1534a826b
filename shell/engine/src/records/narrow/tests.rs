#![allow(clippy::unwrap_used)]
use std::collections::{BTreeMap, HashMap};

use eui_core::host::{RecordRow, parse_records_json};
use proptest::prelude::*;
use serde_json::{Map, json};

use super::super::table::Placed;
use super::*;

/// A field of a generated row; `m` holds anything, the others one sort of value each.
const FIELDS: [&str; 6] = ["n", "t", "d", "z", "b", "m"];

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3..4i64).prop_map(Value::from),
        (-8..8i64).prop_map(|n| json!(n as f64 / 10.0)),
        Just(json!(1e15)),
        Just(json!(2.0)),
        Just(json!(-0.0)),
    ]
}

fn text() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[ab]{0,2}".prop_map(Value::from),
        Just(json!("é")),
        Just(json!("\u{1f600}")),
        Just(json!("\u{ffee}")),
        Just(json!("2026-10")),
        Just(json!("9:5")),
    ]
}

fn day() -> impl Strategy<Value = Value> {
    (9..12u32, 1..31u32).prop_map(|(month, day)| json!(format!("2026-{month:02}-{day:02}")))
}

/// Digits in a text, as a postcode has them.
fn digits() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0..12u32).prop_map(|n| json!(n.to_string())),
        Just(json!("007")),
        Just(json!("7.50"))
    ]
}

fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        number(),
        text(),
        day(),
        digits(),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!("1e3")),
        Just(json!("0x10")),
        Just(json!(" 7 ")),
        Just(json!("Infinity")),
        Just(json!([1, "a"])),
    ]
}

fn data() -> impl Strategy<Value = Value> {
    let some = |value: BoxedStrategy<Value>| prop::option::weighted(0.85, value);
    (
        some(number().boxed()),
        some(text().boxed()),
        some(day().boxed()),
        some(digits().boxed()),
        some(any::<bool>().prop_map(Value::from).boxed()),
        some(anything().boxed()),
    )
        .prop_map(|(n, t, d, z, b, m)| {
            let values = FIELDS.into_iter().zip([n, t, d, z, b, m]);
            let there = values.filter_map(|(field, value)| Some((field.to_owned(), value?)));
            Value::Object(there.collect::<Map<_, _>>())
        })
}

#[derive(Debug, Clone)]
struct Made {
    author: Option<&'static str>,
    minute: u32,
    data: Value,
}

fn made() -> impl Strategy<Value = Made> {
    let author = prop_oneof![3 => Just(Some("local")), 2 => Just(Some("ada")), 1 => Just(None)];
    (author, 0..90u32, data()).prop_map(|(author, minute, data)| Made {
        author,
        minute,
        data,
    })
}

fn row(place: i64, made: &Made) -> Placed {
    let at = format!(
        "2026-10-01T{:02}:{:02}:00.000Z",
        made.minute / 60,
        made.minute % 60
    );
    Placed {
        place,
        bytes: 1,
        row: RecordRow {
            // Ids are in no order of their own.
            id: format!("r{}", (place * 37) % 101),
            kind: "k".into(),
            data: made.data.clone(),
            created_by: Some("local".into()),
            author_id: made.author.map(Into::into),
            created_at: at.clone(),
            updated_at: at,
        },
    }
}

fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(&FIELDS[..]),
        2 => prop::sample::select(vec!["createdAt", "authorId", "gone"]),
        1 => Just("id"),
    ]
    .prop_map(str::to_owned)
}

fn condition() -> impl Strategy<Value = Value> {
    let scalar = || {
        prop_oneof![
            number(),
            text(),
            day(),
            digits(),
            Just(json!("1e3")),
            Just(json!(""))
        ]
    };
    let op = prop::sample::select(vec!["=", "<", "<=", ">", ">="]);
    prop_oneof![
        4 => (field(), op, scalar()).prop_map(|(f, op, v)| json!([f, op, v])),
        1 => (field(), prop::collection::vec(scalar(), 0..4)).prop_map(|(f, vs)| json!([f, "in", vs])),
        1 => (field(), scalar(), scalar()).prop_map(|(f, a, b)| json!([f, "between", a, b])),
    ]
}

fn query() -> impl Strategy<Value = Value> {
    let conditions = || prop::collection::vec(condition(), 0..2);
    let alternatives = prop::option::weighted(0.2, prop::collection::vec(conditions(), 1..3));
    let order = || prop::sample::select(vec!["asc", "desc"]);
    let by = prop_oneof![
        field(),
        prop::sample::select(vec!["count", "sum", "total"]).prop_map(str::to_owned)
    ];
    let sort = prop::option::weighted(0.8, prop::collection::vec((by, order()), 1..3));
    let op = prop::sample::select(vec![
        "sum",
        "avg",
        "min",
        "max",
        "count",
        "countDistinct",
        "first",
        "last",
    ]);
    let run = prop::sample::select(vec!["sum", "count", "avg", "min", "max"]);
    let bucket = prop::sample::select(vec!["day", "week", "month"]);
    let group = prop_oneof![
        3 => field().prop_map(Value::from),
        1 => Just(json!("author")),
        2 => bucket.prop_map(|by| json!({"bucket": "d", "by": by})),
    ];
    let sometimes = |strategy: BoxedStrategy<Value>| prop::option::weighted(0.3, strategy);
    (
        (conditions(), alternatives, sort, 1..12u32),
        sometimes(field().prop_map(Value::from).boxed()),
        prop::option::weighted(0.4, prop::collection::vec(group, 1..3)),
        sometimes(
            (op, field())
                .prop_map(|(op, f)| json!({"total": [op, f]}))
                .boxed(),
        ),
        sometimes((run, field()).prop_map(|(op, f)| json!({f: op})).boxed()),
        sometimes(
            (field(), day())
                .prop_map(|(f, date)| json!({"field": f, "date": date}))
                .boxed(),
        ),
        sometimes(
            prop_oneof![
                Just(json!({"field": "d", "key": "2026-10"})),
                Just(json!({"field": "d"})),
                Just(json!({"field": "t"}))
            ]
            .boxed(),
        ),
        (prop::bool::weighted(0.1), prop::bool::weighted(0.1)),
    )
        .prop_map(
            |(
                (mut conditions, or, sort, limit),
                sum,
                group,
                aggregate,
                running,
                before,
                month,
                (mine, user),
            )| {
                conditions.extend(or.map(|or| json!({"or": or})));
                let mut query = json!({"where": conditions, "limit": limit, "mine": mine});
                let parts = [
                    ("sort", sort.map(|s| json!(s))),
                    ("sum", sum),
                    ("group", group.map(Value::from)),
                    ("aggregate", aggregate),
                    ("running", running),
                    ("before", before),
                    ("month", month),
                    ("user", user.then(|| "ada".into())),
                ];
                for (key, value) in parts
                    .into_iter()
                    .filter_map(|(key, value)| Some((key, value?)))
                {
                    query[key] = value;
                }
                query
            },
        )
}

/// Sorting by a field of anything has no one result where there are many rows: what sorts may answer anything then, or panic.
fn is_orderly(query: &RecordsQuery) -> bool {
    let mixed = |field: &String| field == "m";
    !query.sort.iter().any(|key| mixed(&key.field))
        && !query.group.iter().any(|key| mixed(&key.field))
        && !query
            .aggregate
            .iter()
            .any(|a| a.field.as_ref().is_some_and(mixed))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_answer_is_that_over_all_rows(
        first in prop::collection::vec(made(), 0..60),
        changes in prop::collection::vec((0..70i64, prop::option::weighted(0.7, made())), 0..6),
        queries in prop::collection::vec(query(), 1..3),
    ) {
        let queries: Vec<RecordsQuery> = queries.iter().map(|query| parse_records_json(query, Some("k")).0).collect();
        let few = if queries.iter().all(is_orderly) { 60 } else { 18 };
        let names = HashMap::new();
        let context = RecordsContext { me: Some("local"), now: "2026-11-02T08:00:00.000Z", names: &names };
        let mut all: BTreeMap<i64, Placed> = (0..).zip(first.iter().take(few)).map(|(place, made)| (place, row(place, made))).collect();
        let mut table = Table::of(all.iter().map(|(place, placed)| Placed { place: *place, row: placed.row.clone(), bytes: 1 }));
        let check = |table: &mut Table, all: &BTreeMap<i64, Placed>| {
            for query in &queries {
                let rows: Vec<RecordRowRef<'_>> = all.values().map(|placed| placed.row.as_ref()).collect();
                let plain = records_value(&rows, query, context).unwrap();
                prop_assert_eq!(value_over(0, table, query, context), plain, "{:?}", query);
            }
            Ok(())
        };
        check(&mut table, &all)?;
        for (place, change) in changes.iter().filter(|(place, _)| *place < few as i64) {
            let placed = |made: &Made| row(*place, made);
            let id = row(*place, &Made { author: None, minute: 0, data: Value::Null }).row.id;
            table.set(&id, change.as_ref().map(placed));
            match change {
                Some(made) => drop(all.insert(*place, placed(made))),
                None => drop(all.remove(place)),
            }
            check(&mut table, &all)?;
        }
        prop_assert_eq!((table.len(), table.bytes()), (all.len(), all.len()));
    }
}

#[test]
fn most_queries_are_narrowed() {
    // The property above would hold of a table that hands over everything.
    let made = |n: i64| Made {
        author: Some("local"),
        minute: n as u32,
        data: json!({"n": n % 7, "t": format!("t{n}"), "d": "2026-10-01"}),
    };
    let mut table = Table::of((0..90).map(|n| row(n, &made(n))));
    let names = HashMap::new();
    let context = RecordsContext {
        me: Some("local"),
        now: "2026-11-02T08:00:00.000Z",
        names: &names,
    };
    for query in [
        json!({"where": [["n", ">", 3]], "sort": [["t", "desc"]], "limit": 5}),
        json!({"group": ["n"], "sum": "n", "sort": [["n", "asc"]], "limit": 5}),
        json!({"group": [{"bucket": "d", "by": "day"}], "aggregate": {"a": ["first", "t"]}, "limit": 5}),
    ] {
        let query = parse_records_json(&query, Some("k")).0;
        assert!(
            narrowed(0, &mut table, &query, context).is_some(),
            "{query:?}"
        );
    }
}

#[test]
fn groups_are_kept_and_only_those_that_changed_are_made_again() {
    let made = |n: i64, hours: f64| Made {
        author: Some("local"),
        minute: n as u32,
        data: json!({"n": hours, "t": format!("t{}", n % 9)}),
    };
    for (hours, adds_up) in [(0.25, true), (0.1, false)] {
        let mut table = Table::of((0..90).map(|n| row(n, &made(n, hours))));
        let names = HashMap::new();
        let context = RecordsContext {
            me: Some("local"),
            now: "2026-11-02T08:00:00.000Z",
            names: &names,
        };
        let query = json!({"group": ["t"], "sum": "n", "sort": [["sum", "desc"]], "limit": 5});
        let query = parse_records_json(&query, Some("k")).0;
        let stale = |table: &mut Table| {
            narrowed(0, table, &query, context).unwrap();
            let groups = table.take_groups(Groups::asked(&query, context.me).unwrap());
            let (kept, touched) = (groups.len(), groups.touched.len());
            table.keep_groups(Some(groups));
            (kept, touched)
        };
        assert_eq!(stale(&mut table), (9, 0));
        assert_eq!(table.column("n").unwrap().adds_up(), adds_up);
        let changed = row(3, &made(4, hours * 3.0));
        table.set(&changed.row.id.clone(), Some(changed));
        let groups = table.take_groups(Groups::asked(&query, context.me).unwrap());
        assert_eq!(groups.touched.len(), 1, "the others are as they were");
        table.keep_groups(Some(groups));
        assert_eq!(stale(&mut table), (9, 0));
    }
}

#[test]
fn that_a_question_has_too_many_groups_to_keep_is_remembered_until_there_are_fewer_rows() {
    let made = |n: i64| {
        let data = json!({"n": 1, "t": format!("t{n}")});
        let (author, minute) = (Some("local"), (n % 90) as u32);
        let mut placed = row(
            n,
            &Made {
                author,
                minute,
                data,
            },
        );
        placed.row.id = format!("w{n}");
        placed
    };
    let mut table = Table::of((0..2_100).map(made));
    let names = HashMap::new();
    let context = RecordsContext {
        me: Some("local"),
        now: "2026-11-02T08:00:00.000Z",
        names: &names,
    };
    let query = json!({"group": ["t"], "sum": "n", "limit": 5});
    let query = parse_records_json(&query, Some("k")).0;
    let ask = |table: &mut Table| {
        let told = narrowed(0, table, &query, context).unwrap();
        let expected = records_value(&table.in_place(), &query, context).unwrap();
        assert_eq!(told, expected);
        let groups = table.take_groups(Groups::asked(&query, context.me).unwrap());
        let (wide, placed, touched) = (groups.was_wide(), groups.len(), groups.touched.len());
        table.keep_groups(Some(groups));
        (wide, placed, touched)
    };
    assert_eq!(ask(&mut table), (true, 0, 0));
    table.set("w1", Some(made(1)));
    assert_eq!(
        ask(&mut table),
        (true, 0, 0),
        "no row is looked at for them"
    );
    for n in 0..1_060 {
        table.set(&format!("w{n}"), None);
    }
    assert_eq!(ask(&mut table), (false, 1_040, 0));
}
