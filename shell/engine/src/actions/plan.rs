//! A package action, planned: its expressions are evaluated against one snapshot, and what it would write, set and call comes out
//! whole, or the one sentence that says why not.

use std::sync::Arc;

use eui_core::host::{ActionContext, run_action};
use serde_json::Value;

use super::{Effect, decide};
use crate::binding::DataWrite;
use crate::clock::offset_in;
use crate::package::Package;
use crate::package::core::package_call_name;
use crate::records::{Batch, Via, Viewer, Write};

/// What an action sees: the surface's data at the press, who pressed, and when.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<'a> {
    pub data: &'a Value,
    pub viewer: &'a Viewer,
}

/// Why an action does nothing at all: the author's message of a requirement that does not hold, or what went wrong at which step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ActionFailed(pub String);

impl ActionFailed {
    /// What is wrong with the parameters the action was called with, where it is those.
    pub fn parameters(&self) -> Option<&str> {
        self.0.strip_prefix("params: ")
    }
}

/// What an action will do, in this order: the writes, and when they have landed the sets, then the calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub action: String,
    pub writes: Vec<Write>,
    pub sets: Vec<DataWrite>,
    /// Each allowed already.
    pub calls: Vec<Effect>,
}

impl Plan {
    /// The functions it calls that need a surface, `set` among them: nothing comes of them where there is none.
    pub fn needs_surface(&self) -> Vec<String> {
        let sets = self.sets.first().map(|_| "set".to_owned());
        sets.into_iter()
            .chain(self.calls.iter().map(Effect::function))
            .collect()
    }

    /// The writes as the batch to commit; `None` when there are none.
    pub fn batch(&self, package: &Arc<Package>, viewer: &Viewer) -> Option<Batch> {
        (!self.writes.is_empty()).then(|| Batch {
            actor: viewer.me.clone(),
            action: Some(self.action.clone()),
            ..Batch::new(package.clone(), Via::App, self.writes.clone())
        })
    }
}

/// Plan the action `name` of `package` with `params`. Nothing happens: the data is only read.
///
/// # Errors
/// The one reason that discards the action whole: a requirement, a step that fails, a call the package may not make.
pub fn plan(
    package: &Package,
    name: &str,
    params: &Value,
    snapshot: Snapshot<'_>,
) -> Result<Plan, ActionFailed> {
    let offset = offset_in(snapshot.viewer.now.time_zone().clone());
    let context = ActionContext {
        data: Some(snapshot.data),
        me: Some(&snapshot.viewer.me),
        now: Some(snapshot.viewer.now.timestamp().as_millisecond() as f64),
        offset: Some(&offset),
        max_steps: None,
    };
    let planned = run_action(package.core(), name, params, &context).map_err(ActionFailed)?;
    let list = |key: &str| {
        planned
            .get(key)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice)
    };
    let writes = list("writes")
        .iter()
        .map(Write::from_json)
        .collect::<Result<_, _>>();
    let sets = list("sets").iter().map(|set| DataWrite {
        path: set
            .get("path")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        value: set.get("value").cloned().unwrap_or(Value::Null),
    });
    let calls = list("calls").iter().map(|call| {
        let function =
            package_call_name(call.get("name").and_then(Value::as_str).unwrap_or_default());
        decide(package, function, call.get("args").unwrap_or(&Value::Null))
            .map_err(|refused| ActionFailed(refused.to_string()))
    });
    Ok(Plan {
        action: name.to_owned(),
        writes: writes.map_err(ActionFailed)?,
        sets: sets.collect(),
        calls: calls.collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::package;
    use super::*;
    use serde_json::json;

    fn run(params: Value) -> Result<Plan, ActionFailed> {
        let viewer = Viewer {
            me: "local".into(),
            now: "2026-11-01T00:30:00+14:00[Pacific/Kiritimati]"
                .parse()
                .unwrap(),
        };
        let snapshot = Snapshot {
            data: &json!({}),
            viewer: &viewer,
        };
        plan(&package(), "log", &params, snapshot)
    }

    #[test]
    fn an_action_is_planned_whole_with_the_persons_day() {
        let plan = run(json!({"hours": 2})).unwrap();
        let [
            Write::Upsert {
                kind,
                id: None,
                data,
            },
        ] = &plan.writes[..]
        else {
            panic!("{plan:?}")
        };
        assert_eq!(
            (kind.as_str(), data),
            ("entry", &json!({"hours": 2, "day": "2026-11-01"}))
        );
        assert_eq!(
            plan.sets,
            [DataWrite {
                path: "/open".into(),
                value: json!(false)
            }]
        );
        assert!(
            matches!(&plan.calls[..], [Effect::Toast(text), Effect::Navigate { .. }] if text == "Logged")
        );
    }

    #[test]
    fn a_requirement_that_does_not_hold_is_the_authors_sentence() {
        assert_eq!(
            run(json!({"hours": 0})),
            Err(ActionFailed("Log more than nothing".into()))
        );
        assert!(run(json!({})).unwrap_err().0.contains("hours"));
    }

    #[test]
    fn a_call_the_package_may_not_make_discards_the_whole_action() {
        let mut value = Value::Object(package().value().clone());
        value["functions"] = json!(["harness.toast"]);
        value["actions"]["log"]["steps"][3] =
            json!({"call": "notifications.post", "args": {"title": "'x'"}});
        let stricter = Package::read_checked(value.to_string().as_bytes()).unwrap();
        let viewer = Viewer {
            me: "local".into(),
            now: "2026-11-01T00:30:00[UTC]".parse().unwrap(),
        };
        let snapshot = Snapshot {
            data: &Value::Null,
            viewer: &viewer,
        };
        let failed = plan(&stricter, "log", &json!({"hours": 1}), snapshot).unwrap_err();
        assert!(failed.0.contains("notifications.post"), "{failed}");
    }
}
