//! What the person has answered: the shape its request has, exactly.

use serde_json::{Value, json};

use super::request::{Action, ActionId, Matter, Request};

/// The longest text that is answered (characters).
pub const LONGEST_TEXT: usize = 2000;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// One action: `{actionId}`.
    Chosen(ActionId),
    /// As many as the person liked, at least one, in the order they are listed: `{actionIds}`.
    ChosenSeveral(Vec<ActionId>),
    /// `{approved}`.
    Approved(bool),
    /// `{text}`; control characters are none that a line has.
    Text(String),
    /// `{saved: true}`.
    Saved,
}

impl Answer {
    /// The answer to `request` that `value` spells; `None` where it has another shape.
    pub fn read(request: &Request, value: &Value) -> Option<Answer> {
        let members = value.as_object().filter(|members| members.len() == 1)?;
        let (key, value) = members.iter().next()?;
        match (&request.matter, key.as_str()) {
            (
                Matter::Choice {
                    actions,
                    several: false,
                    ..
                },
                "actionId",
            ) => listed(actions, value).map(|(_, id)| Answer::Chosen(id)),
            (
                Matter::Choice {
                    actions,
                    several: true,
                    ..
                },
                "actionIds",
            ) => {
                let chosen = value.as_array()?.iter().map(|id| listed(actions, id));
                let chosen: Vec<(usize, ActionId)> = chosen.collect::<Option<_>>()?;
                let ascends = chosen.windows(2).all(|pair| pair[0].0 < pair[1].0);
                let some = ascends && !chosen.is_empty();
                some.then(|| Answer::ChosenSeveral(chosen.into_iter().map(|(_, id)| id).collect()))
            }
            (Matter::Confirm { .. }, "approved") => value.as_bool().map(Answer::Approved),
            (Matter::Input { .. }, "text") => {
                let text = value.as_str()?;
                let fits = text.chars().count() <= LONGEST_TEXT;
                let line = fits && !text.is_empty() && !text.contains(char::is_control);
                line.then(|| Answer::Text(text.into()))
            }
            (Matter::Save { .. }, "saved") => {
                (value == &Value::Bool(true)).then_some(Answer::Saved)
            }
            _ => None,
        }
    }

    /// As it was read.
    pub fn to_json(&self) -> Value {
        match self {
            Answer::Chosen(id) => json!({"actionId": id.as_str()}),
            Answer::ChosenSeveral(ids) => {
                json!({"actionIds": ids.iter().map(ActionId::as_str).collect::<Vec<_>>()})
            }
            Answer::Approved(approved) => json!({"approved": approved}),
            Answer::Text(text) => json!({"text": text}),
            Answer::Saved => json!({"saved": true}),
        }
    }
}

fn listed(actions: &[Action], value: &Value) -> Option<(usize, ActionId)> {
    let id = value.as_str()?;
    let at = actions.iter().position(|action| action.id.as_str() == id)?;
    Some((at, actions[at].id.clone()))
}
