//! Who may do what to a record, and which state may follow which: format 3's `policy` and `transitions`, as pure
//! questions. On this host everyone is the owner; `run as` and package tests ask as somebody else.

use serde_json::{Map, Value};

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor<'a> {
    pub member: &'a str,
    pub owner: bool,
}

/// Who may do one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Everyone.
    Member,
    /// The record's author, and owners.
    Author,
    Owners,
}

impl Level {
    fn read(value: Option<&Value>, default: Level) -> Level {
        match value.and_then(Value::as_str) {
            Some("member") => Level::Member,
            Some("author") => Level::Author,
            Some("owners") => Level::Owners,
            _ => default,
        }
    }

    /// May `actor` do it to a record of `author`?
    pub fn allows(self, actor: Actor, author: &str) -> bool {
        actor.owner
            || match self {
                Level::Member => true,
                Level::Author => actor.member == author,
                Level::Owners => false,
            }
    }
}

/// A kind's policy, with what it leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    pub read: Level,
    pub create: Level,
    pub update: Level,
    pub delete: Level,
}

impl Policy {
    /// Format 2 has no policies: everyone may do everything.
    pub const OPEN: Policy = Policy {
        read: Level::Member,
        create: Level::Member,
        update: Level::Member,
        delete: Level::Member,
    };

    /// The policy of a kind in a package of this format.
    pub fn of(kind: &Value, format: u8) -> Policy {
        if format < 3 {
            return Policy::OPEN;
        }
        let policy = kind.get("policy");
        let level = |key: &str, default| Level::read(policy.and_then(|p| p.get(key)), default);
        Policy {
            read: level("read", Level::Member),
            create: level("create", Level::Member),
            update: level("update", Level::Author),
            delete: level("delete", Level::Author),
        }
    }
}

/// The states a record may move to next, as far as `actor` may: the declared order.
pub fn next_states<'a>(
    kind: &'a Value,
    record: &Map<String, Value>,
    author: &str,
    actor: Actor,
) -> Vec<&'a str> {
    let Some(def) = kind.get("transitions") else {
        return Vec::new();
    };
    let state = def["field"]
        .as_str()
        .and_then(|f| record.get(f))
        .and_then(Value::as_str);
    let next = state
        .and_then(|s| def["from"].get(s))
        .and_then(Value::as_array);
    next.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(|to| may_move(def, state.unwrap_or_default(), to, record, author, actor))
        .collect()
}

/// Does the write keep the kind's state machine? `before` is the record as it was, none for a new one.
///
/// # Errors
/// The edge that is not declared, or that `actor` may not take, in one sentence.
pub fn check_move(
    kind: &Value,
    before: Option<&Map<String, Value>>,
    after: &Map<String, Value>,
    author: &str,
    actor: Actor,
) -> Result<(), String> {
    let Some(def) = kind.get("transitions") else {
        return Ok(());
    };
    let Some(field) = def["field"].as_str() else {
        return Ok(());
    };
    let state =
        |record: &Map<String, Value>| record.get(field).and_then(Value::as_str).map(str::to_owned);
    let to = state(after);
    let lists =
        |list: &Value, word: &str| list.as_array().is_some_and(|l| l.iter().any(|v| v == word));
    match (before, to) {
        (None, Some(to)) => match def.get("initial") {
            Some(initial) if !lists(initial, &to) => {
                Err(format!("a new record does not start with {field} {to}"))
            }
            _ => Ok(()),
        },
        (None, None) => Ok(()),
        (Some(before), to) => {
            let from = state(before);
            if from == to {
                return Ok(());
            }
            let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
            if !def["from"].get(&from).is_some_and(|next| lists(next, &to)) {
                return Err(format!("{field} does not move from {from} to {to}"));
            }
            if may_move(def, &from, &to, before, author, actor) {
                Ok(())
            } else {
                Err(format!(
                    "{} may not move {field} from {from} to {to}",
                    actor.member
                ))
            }
        }
    }
}

/// The edge's own rule, else its target's, else every member.
fn may_move(
    def: &Value,
    from: &str,
    to: &str,
    record: &Map<String, Value>,
    author: &str,
    actor: Actor,
) -> bool {
    let who = def
        .get("who")
        .and_then(|w| w.get(format!("{from}->{to}")).or_else(|| w.get(to)))
        .and_then(Value::as_str);
    match who {
        Some(role) if role.starts_with("role:") => {
            actor.owner
                || role
                    .strip_prefix("role:")
                    .and_then(|f| record.get(f))
                    .and_then(Value::as_str)
                    == Some(actor.member)
        }
        who => Level::read(who.map(Value::from).as_ref(), Level::Member).allows(actor, author),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    const ANN: Actor = Actor {
        member: "ann",
        owner: false,
    };
    const BEN: Actor = Actor {
        member: "ben",
        owner: false,
    };
    const OWNER: Actor = Actor {
        member: "olga",
        owner: true,
    };

    fn record(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn the_defaults_of_format_3_keep_a_record_its_authors() {
        let policy = Policy::of(&json!({}), 3);
        assert!(policy.read.allows(BEN, "ann") && policy.create.allows(BEN, "ben"));
        assert!(
            !policy.update.allows(BEN, "ann")
                && policy.update.allows(ANN, "ann")
                && policy.update.allows(OWNER, "ann")
        );
        assert_eq!(
            Policy::of(&json!({"policy": {"update": "owners"}}), 2),
            Policy::OPEN
        );
    }

    #[test]
    fn owners_only_means_not_even_the_author() {
        let policy = Policy::of(&json!({"policy": {"read": "owners"}}), 3);
        assert!(!policy.read.allows(ANN, "ann") && policy.read.allows(OWNER, "ann"));
    }

    #[test]
    fn a_record_moves_along_declared_edges_by_who_may() {
        let kind = json!({"transitions": {"field": "status", "initial": ["asked"], "from": {"asked": ["yes", "no"], "yes": ["paid"]}, "who": {"asked->yes": "role:approver", "paid": "owners"}}});
        let asked = record(json!({"status": "asked", "approver": "ann"}));
        let yes = record(json!({"status": "yes", "approver": "ann"}));
        let paid = record(json!({"status": "paid", "approver": "ann"}));
        assert_eq!(check_move(&kind, None, &asked, "ben", BEN), Ok(()));
        assert_eq!(
            check_move(&kind, None, &yes, "ben", BEN),
            Err("a new record does not start with status yes".into())
        );
        assert_eq!(check_move(&kind, Some(&asked), &yes, "ben", ANN), Ok(()));
        assert!(check_move(&kind, Some(&asked), &yes, "ben", BEN).is_err());
        assert_eq!(
            check_move(&kind, Some(&asked), &paid, "ben", OWNER),
            Err("status does not move from asked to paid".into())
        );
        assert!(
            check_move(&kind, Some(&yes), &paid, "ben", ANN).is_err()
                && check_move(&kind, Some(&yes), &paid, "ben", OWNER).is_ok()
        );
        assert_eq!(next_states(&kind, &asked, "ben", ANN), ["yes", "no"]);
        assert_eq!(next_states(&kind, &asked, "ben", BEN), ["no"]);
    }
}
