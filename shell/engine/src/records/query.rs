//! A records source as a question to the store: `records:<kind>?…`, a package query by name, another app's records where that app
//! allows it. eui-core parses; this resolves whose rows are meant, refuses what the package does not declare, and says what the
//! answer depends on. The answer itself is [`super::answer`]'s.

use std::sync::Arc;

use eui_core::host::{
    RECORDS_SCHEME, RecordsQuery, expand_query_source, fill_query_templates, parse_records_json,
    parse_records_source, parse_source,
};
use jiff::Zoned;
use serde_json::Value;

use super::model::{Change, Kind};
use crate::app_id::AppId;
use crate::package::expression::Lasts;
use crate::package::kinds::{RefTarget, computed_last, ref_target};
use crate::package::{Package, split_expand};

/// Who looks, and when: what an answer depends on besides the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Viewer {
    /// The member id `mine` means; [`super::LOCAL`] may read everything.
    pub me: String,
    /// Now, in the zone days are read in.
    pub now: Zoned,
}

/// Why a source cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// It is not `records:<kind>`.
    #[error("{0:?} is no records source, write records:KIND")]
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
    /// The format of the package whose rows are read.
    pub(super) format: u8,
    /// Does the app itself ask? Another one sees stored fields only.
    pub(super) own: bool,
    /// The kind asked, then the kinds its refs follow.
    pub(super) reads: Vec<Read>,
    pub(super) query: RecordsQuery,
    /// The fields whose refs are followed.
    pub(super) refs: Vec<(String, RefTarget)>,
}

/// Records an answer is made from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Read {
    pub of: Change,
    /// The kind as its package declares it.
    pub definition: Value,
    /// How long its computed fields stay the same.
    pub lasts: Lasts,
}

impl RecordsRequest {
    /// What `source` asks in a surface of `package`. `other` answers another installed app's package, for `?app=`.
    pub fn parse(
        source: &str,
        package: &Package,
        other: impl Fn(&AppId) -> Option<Arc<Package>>,
    ) -> Result<RecordsRequest, QueryError> {
        let not_records = || QueryError::NotRecords(source.to_owned());
        let written = parse_source(source)
            .filter(|parsed| parsed.scheme == RECORDS_SCHEME)
            .ok_or_else(not_records)?;
        let (bare, expand) = split_expand(source, package.queries());
        let queries = package.core().get("queries");
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
        let query = parse_source(&expand_query_source(&bare, queries))
            .and_then(|expanded| parse_records_source(&expanded))
            .ok_or_else(not_records)?;
        let kind_name = query.from.clone().unwrap_or_default();

        let foreign = match query.app.as_deref() {
            Some(name) if name != package.id().as_str() => {
                // Whether that app is missing or silent is not this app's to know.
                let not_readable = || QueryError::NotReadable {
                    app: name.to_owned(),
                    reader: package.id().clone(),
                    kind: kind_name.clone(),
                };
                let target = AppId::parse(name).ok().and_then(|id| other(&id));
                let target = target.ok_or_else(not_readable)?;
                let kind = target.kind(&kind_name).ok_or_else(not_readable)?;
                let mut readers = kind["readableBy"].as_array().into_iter().flatten();
                if !readers.any(|reader| reader.as_str() == Some(package.id().as_str())) {
                    return Err(not_readable());
                }
                Some(target)
            }
            _ => None,
        };
        let own = foreign.is_none();
        let target = foreign.as_deref().unwrap_or(package);
        let read = |kind: &str| {
            let unknown = || QueryError::UnknownKind(kind.to_owned());
            let definition = target.kind(kind).ok_or_else(unknown)?.clone();
            Ok(Read {
                of: Change {
                    app: target.id().clone(),
                    kind: Kind::parse(kind).map_err(|_| unknown())?,
                },
                lasts: computed_last(&definition),
                definition,
            })
        };
        let mut reads = vec![read(&kind_name)?];
        let mut refs = Vec::new();
        for field in expand.into_iter().filter(|_| own) {
            let Some(to) = ref_target(&reads[0].definition, &field) else {
                continue;
            };
            if let RefTarget::Kind(kind) = &to
                && reads.iter().all(|read| read.of.kind.as_str() != kind)
            {
                reads.push(read(kind)?);
            }
            refs.push((field, to));
        }
        Ok(RecordsRequest {
            format: target.format(),
            own,
            reads,
            query,
            refs,
        })
    }

    /// The records the answer is made from (the kind asked first): it changes only when they do, or the day.
    pub fn reads(&self) -> impl Iterator<Item = &Change> {
        self.reads.iter().map(|read| &read.of)
    }

    /// May the answer change at midnight although no record does? (A month view knows today.)
    pub fn depends_on_day(&self) -> bool {
        self.query.month.is_some() || self.lasts() < Lasts::Always
    }

    /// How long what the asker reads of computed fields stays the same; another app reads none.
    pub(super) fn lasts(&self) -> Lasts {
        let of_reads = self.reads.iter().map(|read| read.lasts);
        of_reads.filter(|_| self.own).fold(Lasts::Always, Ord::min)
    }
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
    use std::convert::Infallible;

    use eui_core::host::RecordRow;
    use serde_json::json;

    fn read(mut package: Value) -> Arc<Package> {
        package["formatVersion"] = 3.into();
        for (key, value) in [
            ("name", json!("T")),
            ("version", json!("1.0.0")),
            ("catalogId", json!(eui_core::CORE_CATALOG_ID)),
            (
                "templates",
                json!({"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}}),
            ),
        ] {
            package[key] = value;
        }
        let parsed = Package::read(package.to_string().as_bytes());
        Arc::new(parsed.package.ok_or(parsed.issues).unwrap())
    }

    fn hours() -> Arc<Package> {
        let text = json!({"type": "string"});
        read(json!({
            "id": "acme.hours",
            "records": {
                "entry": {
                    "schema": {"type": "object", "properties": {"day": {"type": "string", "format": "date"}, "hours": {"type": "number"}, "task": text, "who": text}, "required": ["hours"]},
                    "computed": {"minutes": "hours * 60", "age": "day == null ? 0 : dateDiff(day, today(), 'day')"}, "refs": {"task": {"kind": "task"}, "who": "member"}, "readableBy": ["acme.report"]},
                "task": {"schema": {"type": "object", "properties": {"title": text, "status": {"type": "string", "enum": ["open", "done"]}}},
                         "transitions": {"field": "status", "from": {"open": ["done"]}}},
                "note": {"schema": {"type": "object", "properties": {}}, "policy": {"read": "author"}},
            },
            "queries": {"since": {"from": "entry", "where": [["day", ">=", "${from}"]], "aggregate": {"total": ["sum", "minutes"]}}},
        }))
    }

    fn parse(source: &str) -> Result<RecordsRequest, QueryError> {
        RecordsRequest::parse(source, &hours(), |_| None)
    }

    fn row(kind: &str, id: &str, author: &str, data: Value) -> RecordRow {
        let at = "2026-10-01T00:00:00.000Z".to_owned();
        let author = Some(author.to_owned());
        RecordRow {
            id: id.into(),
            kind: kind.into(),
            data,
            created_by: author.clone(),
            author_id: author,
            created_at: at.clone(),
            updated_at: at,
        }
    }

    fn answer(request: &RecordsRequest, rows: &[RecordRow], me: &str, now: &str) -> Value {
        let viewer = Viewer {
            me: me.into(),
            now: now.parse().unwrap(),
        };
        let of = |change: &Change| {
            rows.iter()
                .filter(|row| row.kind == change.kind.as_str())
                .cloned()
                .collect()
        };
        request
            .evaluate(&viewer, |change| Ok::<_, Infallible>(of(change)))
            .unwrap()
    }

    const NOON: &str = "2026-10-03T12:00:00[UTC]";

    #[test]
    fn a_named_query_takes_its_parameters_and_reads_computed_fields() {
        let rows = [
            row(
                "entry",
                "a",
                "local",
                json!({"day": "2026-10-01", "hours": 1}),
            ),
            row(
                "entry",
                "b",
                "local",
                json!({"day": "2026-10-02", "hours": 2.5}),
            ),
        ];
        let value = answer(
            &parse("records:entry?query=since&from=2026-10-02").unwrap(),
            &rows,
            "local",
            NOON,
        );
        assert_eq!(
            (&value["count"], &value["totals"]["total"]),
            (&json!(1), &json!(150))
        );
        assert_eq!(value["rows"][0]["minutes"], 150);
    }

    #[test]
    fn refs_are_followed_one_level_and_a_dangling_one_is_null() {
        let request = parse("records:entry?expand=task,who&sort=hours&order=asc").unwrap();
        assert_eq!(
            request
                .reads()
                .map(|change| change.kind.as_str())
                .collect::<Vec<_>>(),
            ["entry", "task"]
        );
        let rows = [
            row(
                "entry",
                "a",
                "local",
                json!({"hours": 1, "task": "t", "who": "ada"}),
            ),
            row("entry", "b", "local", json!({"hours": 2, "task": "gone"})),
            row(
                "task",
                "t",
                "local",
                json!({"title": "Paint", "status": "open"}),
            ),
        ];
        let value = answer(&request, &rows, "local", NOON);
        assert_eq!(
            value["rows"][0]["task"],
            json!({"title": "Paint", "status": "open", "transitions": ["done"], "id": "t"})
        );
        assert_eq!(value["rows"][0]["who"], json!({"id": "ada", "name": "ada"}));
        assert_eq!(value["rows"][1]["task"], Value::Null);
    }

    #[test]
    fn the_month_is_that_of_the_persons_zone() {
        let request = parse("records:entry?by=day&sum=hours").unwrap();
        assert!(request.depends_on_day());
        assert!(!parse("records:task").unwrap().depends_on_day());
        assert!(
            parse("records:entry").unwrap().depends_on_day(),
            "its age does"
        );
        let value = answer(
            &request,
            &[],
            "local",
            "2026-11-01T00:30:00+14:00[Pacific/Kiritimati]",
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
    fn a_computed_day_is_the_persons_too() {
        let rows = [row(
            "entry",
            "a",
            "local",
            json!({"hours": 1, "day": "2026-10-31"}),
        )];
        let now = "2026-11-01T00:30:00+14:00[Pacific/Kiritimati]";
        let value = answer(&parse("records:entry").unwrap(), &rows, "local", now);
        assert_eq!(value["rows"][0]["age"], 1);
    }

    #[test]
    fn a_member_reads_what_the_kinds_policy_lets_them_and_the_owner_everything() {
        let request = parse("records:note").unwrap();
        let rows = [
            row("note", "mine", "ada", json!({})),
            row("note", "theirs", "local", json!({})),
        ];
        assert_eq!(answer(&request, &rows, "ada", NOON)["count"], 1);
        assert_eq!(answer(&request, &rows, "local", NOON)["count"], 2);
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
        let reader = read(json!({"id": "acme.report"}));
        let hours = hours();
        let ask = |source: &str| {
            RecordsRequest::parse(source, &reader, |id| {
                (id == hours.id()).then(|| hours.clone())
            })
        };
        let request = ask("records:entry?app=acme.hours").unwrap();
        assert_eq!(&request.reads().next().unwrap().app, hours.id());
        let value = answer(
            &request,
            &[row("entry", "a", "local", json!({"hours": 1}))],
            "local",
            NOON,
        );
        assert_eq!(
            value["rows"][0].get("minutes"),
            None,
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
