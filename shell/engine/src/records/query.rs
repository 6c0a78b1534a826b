//! A records source as a question to the store: `records:<kind>?…`, a package query by name, another app's records where that app
//! allows it. eui-core parses and evaluates; this resolves whose rows are meant, refuses what the package does not declare, and
//! says what the answer depends on.

use std::collections::HashMap;
use std::sync::Arc;

use eui_core::cel::ExpressionEnv;
use eui_core::host::{
    RECORDS_SCHEME, RecordRow, RecordsContext, RecordsQuery, expand_query_source,
    fill_query_templates, parse_records_json, parse_records_source, parse_source,
    records_value_owned,
};
use jiff::Zoned;
use serde_json::Value;

use super::computed::Computed;
use super::model::{Change, Kind};
use crate::app_id::AppId;
use crate::clock::{local_iso, offset_in};

/// Who looks, and when: what an answer depends on besides the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Viewer {
    /// The member id `mine` means.
    pub me: String,
    /// Now, in the zone days are read in.
    pub now: Zoned,
}

/// Why a source cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// It is not `records:<kind>`.
    #[error("{0:?} is no records source, write records:<kind>?…")]
    NotRecords(String),
    /// The app declares no such kind.
    #[error("the app declares no kind {0:?}")]
    UnknownKind(String),
    /// The package has no query of that name.
    #[error("the app has no query {0:?}")]
    UnknownQuery(String),
    /// The query is wrong at this pointer into it.
    #[error("the query is wrong at {path}: {message}")]
    Wrong { path: String, message: String },
    /// The other app does not let this one read the kind.
    #[error("{app} does not let {reader} read its {kind} records")]
    NotReadable {
        app: String,
        reader: AppId,
        kind: String,
    },
}

/// A question about the records of one kind, ready to be asked again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordsRequest {
    reads: Option<Change>,
    query: RecordsQuery,
    computed: Option<Arc<Computed>>,
}

impl RecordsRequest {
    /// What `source` asks, in the surface of the app `app` with the package `package`. `other` answers another installed app's
    /// package, for `?app=`.
    pub fn parse(
        source: &str,
        app: &AppId,
        package: &Value,
        other: impl Fn(&AppId) -> Option<Arc<Value>>,
    ) -> Result<RecordsRequest, QueryError> {
        let not_records = || QueryError::NotRecords(source.to_owned());
        let written = parse_source(source)
            .filter(|parsed| parsed.scheme == RECORDS_SCHEME)
            .ok_or_else(not_records)?;
        let queries = package.get("queries");
        if let Some(name) = written.params.get("query") {
            let Some(query) = queries.and_then(|queries| queries.get(name)) else {
                return Err(QueryError::UnknownQuery(name.clone()));
            };
            let mut params = written.params.clone();
            params.remove("query");
            // A part of a query that is wrong is dropped by the evaluator; here it is said instead.
            sound(&fill_query_templates(query, &params))?;
        } else if let Some(text) = written.params.get("q").filter(|q| !q.trim().is_empty()) {
            let json = serde_json::from_str(text).map_err(|e| QueryError::Wrong {
                path: "/".into(),
                message: e.to_string(),
            })?;
            sound(&json)?;
        }
        let expanded =
            parse_source(&expand_query_source(source, queries)).ok_or_else(not_records)?;
        let query = parse_records_source(&expanded).ok_or_else(not_records)?;
        let kind_name = query.from.clone().unwrap_or_default();

        let Some(name) = query.app.as_deref().filter(|name| *name != app.as_str()) else {
            let definition = kind_of(package, &kind_name)
                .ok_or_else(|| QueryError::UnknownKind(kind_name.clone()))?;
            let computed = Computed::of(definition).map(Arc::new);
            return RecordsRequest::of(app.clone(), &kind_name, query, computed);
        };
        // Another app's records carry no computed fields. Whether that app is missing or silent is not this app's to know.
        let not_readable = || QueryError::NotReadable {
            app: name.to_owned(),
            reader: app.clone(),
            kind: kind_name.clone(),
        };
        let target = AppId::parse(name).map_err(|_| not_readable())?;
        let package = other(&target).ok_or_else(not_readable)?;
        let readers = kind_of(&package, &kind_name)
            .and_then(|kind| kind.get("readableBy"))
            .and_then(Value::as_array);
        if !readers.is_some_and(|readers| {
            readers
                .iter()
                .any(|reader| reader.as_str() == Some(app.as_str()))
        }) {
            return Err(not_readable());
        }
        RecordsRequest::of(target, &kind_name, query, None)
    }

    fn of(
        app: AppId,
        kind: &str,
        query: RecordsQuery,
        computed: Option<Arc<Computed>>,
    ) -> Result<RecordsRequest, QueryError> {
        let kind = Kind::parse(kind).map_err(|_| QueryError::UnknownKind(kind.to_owned()))?;
        Ok(RecordsRequest {
            reads: Some(Change { app, kind }),
            query,
            computed,
        })
    }

    /// The records the answer is made from: it changes only when they do, or the day.
    pub fn reads(&self) -> Option<&Change> {
        self.reads.as_ref()
    }

    /// May the answer change at midnight although no record does? (A month view knows today.)
    pub fn depends_on_day(&self) -> bool {
        self.query.month.is_some()
            || self
                .computed
                .as_ref()
                .is_some_and(|computed| computed.depends_on_day())
    }

    /// The answer over `rows`, the live rows of [`RecordsRequest::reads`].
    pub fn evaluate(&self, rows: &[RecordRow], viewer: &Viewer) -> Value {
        let names = HashMap::new();
        let now = local_iso(&viewer.now);
        let context = RecordsContext {
            me: Some(&viewer.me),
            now: &now,
            names: &names,
        };
        let value = match &self.computed {
            None => records_value_owned(rows, &self.query, context),
            Some(computed) => {
                let offset = offset_in(viewer.now.time_zone().clone());
                let env = ExpressionEnv {
                    now: Some(viewer.now.timestamp().as_millisecond() as f64),
                    offset: Some(&offset),
                    max_steps: None,
                };
                let filled: Vec<RecordRow> =
                    rows.iter().map(|row| computed.fill(row, &env)).collect();
                records_value_owned(&filled, &self.query, context)
            }
        };
        value.unwrap_or(Value::Null)
    }
}

fn kind_of<'a>(package: &'a Value, kind: &str) -> Option<&'a Value> {
    package.get("records").and_then(|records| records.get(kind))
}

/// The first problem of a query in JSON.
fn sound(query: &Value) -> Result<(), QueryError> {
    match parse_records_json(query, None).1.into_iter().next() {
        None => Ok(()),
        Some(issue) => Err(QueryError::Wrong {
            path: if issue.path.is_empty() {
                "/".into()
            } else {
                issue.path
            },
            message: issue.message,
        }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn package() -> Value {
        json!({
            "records": {
                "entry": {"schema": {"type": "object", "properties": {"day": {"type": "string", "format": "date"}, "hours": {"type": "number"}}},
                          "computed": {"minutes": "hours * 60"}, "readableBy": ["acme.report"]},
                "note": {"schema": {"type": "object", "properties": {}}},
            },
            "queries": {"since": {"from": "entry", "where": [["day", ">=", "${from}"]], "aggregate": {"total": ["sum", "minutes"]}}},
        })
    }

    fn app() -> AppId {
        AppId::parse("acme.hours").unwrap()
    }

    fn parse(source: &str) -> Result<RecordsRequest, QueryError> {
        RecordsRequest::parse(source, &app(), &package(), |_| None)
    }

    fn row(id: &str, data: Value) -> RecordRow {
        let at = "2026-10-01T00:00:00.000Z".to_owned();
        RecordRow {
            id: id.into(),
            kind: "entry".into(),
            data,
            created_by: Some("local".into()),
            author_id: Some("local".into()),
            created_at: at.clone(),
            updated_at: at,
        }
    }

    fn viewer(now: &str) -> Viewer {
        Viewer {
            me: "local".into(),
            now: now.parse().unwrap(),
        }
    }

    #[test]
    fn a_named_query_takes_its_parameters_and_reads_computed_fields() {
        let request = parse("records:entry?query=since&from=2026-10-02").unwrap();
        let rows = [
            row("a", json!({"day": "2026-10-01", "hours": 1})),
            row("b", json!({"day": "2026-10-02", "hours": 2.5})),
        ];
        let value = request.evaluate(&rows, &viewer("2026-10-03T12:00:00[UTC]"));
        assert_eq!(value["count"], 1);
        assert_eq!(value["totals"]["total"], 150);
        assert_eq!(value["rows"][0]["minutes"], 150);
    }

    #[test]
    fn the_month_is_that_of_the_persons_zone() {
        let request = parse("records:entry?by=day&sum=hours").unwrap();
        assert!(request.depends_on_day());
        let value = request.evaluate(
            &[],
            &viewer("2026-11-01T00:30:00+14:00[Pacific/Kiritimati]"),
        );
        assert_eq!(
            (
                value["month"]["key"].as_str(),
                value["month"]["today"].as_str()
            ),
            (Some("2026-11"), Some("2026-11-01"))
        );
    }

    #[test]
    fn what_the_package_does_not_declare_is_refused_by_name() {
        assert_eq!(
            parse("records:nope"),
            Err(QueryError::UnknownKind("nope".into()))
        );
        assert_eq!(
            parse("records:entry?query=nope"),
            Err(QueryError::UnknownQuery("nope".into()))
        );
        assert_eq!(
            parse("ede:clock"),
            Err(QueryError::NotRecords("ede:clock".into()))
        );
        assert!(matches!(
            parse("records:entry?q={\"limit\":0,\"x\":1}"),
            Err(QueryError::Wrong { .. })
        ));
    }

    #[test]
    fn another_apps_records_need_its_consent() {
        let reader = AppId::parse("acme.report").unwrap();
        let hours = Arc::new(package());
        let ask = |source: &str| {
            RecordsRequest::parse(source, &reader, &json!({}), |id| {
                (id == &app()).then(|| hours.clone())
            })
        };
        let request = ask("records:entry?app=acme.hours").unwrap();
        assert_eq!(request.reads().unwrap().app, app());
        assert!(
            request.computed.is_none(),
            "computed fields stay with the app that declares them"
        );
        for refused in [
            "records:note?app=acme.hours",
            "records:entry?app=acme.gone",
            "records:entry?app=../x",
        ] {
            assert!(
                matches!(ask(refused), Err(QueryError::NotReadable { .. })),
                "{refused}"
            );
        }
    }
}
