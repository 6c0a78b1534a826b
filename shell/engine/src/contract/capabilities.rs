//! `capabilities`: entries of the catalog. A label or a verb that an entry leaves out is not compared.

use serde_json::{Value, json};

use super::{Replayed, Setting, each};
use crate::broker::catalog::{Capability, Consent, Scope, catalog};

pub(super) fn replay(entries: &Value, _: &Setting) -> Vec<Replayed> {
    each(entries, |entry: Value| {
        let named = entry["name"].as_str().unwrap_or_default();
        let mut all = catalog().capabilities.iter();
        let found = all.find(|c| c.name.as_str() == named);
        let mut ours = found.map_or(Value::Null, shown);
        leave_out(&entry, &mut ours, "label");
        let pairs = (entry["scopes"].as_array(), ours["scopes"].as_array_mut());
        if let (Some(theirs), Some(ours)) = pairs {
            for (theirs, ours) in theirs.iter().zip(ours) {
                leave_out(theirs, ours, "verb");
            }
        }
        (entry, ours)
    })
}

fn leave_out(theirs: &Value, ours: &mut Value, key: &str) {
    if let (None, Value::Object(ours)) = (theirs.get(key), ours) {
        ours.shift_remove(key);
    }
}

/// A capability as the contract spells it.
fn shown(capability: &Capability) -> Value {
    let mut out = json!({"name": capability.name, "label": capability.label});
    if let Some(host) = &capability.host {
        out["host"] = json!(host);
    }
    out["scopes"] = capability.scopes.iter().map(|s| scope(s)).collect();
    out
}

fn scope(scope: &Scope) -> Value {
    let consent = match scope.consent {
        Consent::Ask => "ask",
        Consent::Picker => "picker",
    };
    let mut out =
        json!({"id": scope.id, "verb": scope.verb, "consent": consent, "tools": scope.tools});
    if scope.origins {
        out["origins"] = json!(true);
    }
    if scope.host_only {
        out["hostOnly"] = json!(true);
    }
    out
}
