//! What the audit keeps of an agent's call that asks the person or hands something over: which tool, whose, the id of what was asked, how it
//! ended. The person's answer is no call and leaves no row; neither does a poll that is answered, which an agent makes over and over.

use serde_json::Value;

use super::agent::{CallId, Caller};
use super::call::CallError;
use crate::app_id::AppId;
use crate::bridge::Ended;
use crate::broker::audit::{ArgsHash, AuditRow, Client, Outcome, Status, unknown_name};
use crate::broker::names::RunId;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It was put to the person, taken back, or taken in.
    Ok,
    UnknownTool,
    /// Its arguments are wrong.
    Invalid,
    /// It has none of that id, or its session is not its own.
    NotFound,
    /// Too many wait already.
    TooMany,
    /// It came to nothing: it was over before it was taken back, or there is no room for it.
    Failed,
    /// Nothing could be kept.
    Unavailable,
}

impl From<&CallError> for End {
    fn from(error: &CallError) -> End {
        match error {
            CallError::UnknownTool => End::UnknownTool,
            CallError::Arguments(_) => End::Invalid,
            CallError::NoSuchCall => End::NotFound,
        }
    }
}

impl End {
    fn row(self) -> (Status, Option<&'static str>) {
        let of = |outcome: Outcome| (outcome.status(), outcome.error());
        match self {
            End::Ok => of(Outcome::Bridged(Ended::Ok)),
            End::UnknownTool => of(Outcome::Unknown),
            End::Invalid => of(Outcome::Bridged(Ended::InvalidParams)),
            End::NotFound => (Status::Denied, Some("notFound")),
            End::TooMany => (Status::Denied, Some("tooMany")),
            End::Failed => of(Outcome::Bridged(Ended::IsError)),
            End::Unavailable => of(Outcome::Unavailable),
        }
    }
}

/// The row of a call of a family's tool: under no app, by a run that is the agent's name and what it asks about, `shell:<id>`. `None` where there
/// is no such family.
pub fn row(
    caller: &Caller,
    (family, tool): (&str, &str),
    given: &Value,
    about: Option<&CallId>,
    end: End,
) -> Option<AuditRow> {
    let agent = caller.agent.as_str();
    let whole = about.and_then(|id| RunId::parse(&format!("{agent}:{}", id.as_str())));
    // An agent's name is a run's id too, but for the one word that is an app's surface.
    let run = whole.or_else(|| RunId::parse(agent));
    let (status, error) = end.row();
    Some(AuditRow {
        app_id: AppId::of_family(family)?,
        client_id: run.map_or(Client::Ui, Client::Run),
        tool: format!("{family}__{}", unknown_name(tool)),
        status,
        error,
        args_hash: ArgsHash::of(given),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;
    use crate::interactions::call::FAMILY;
    use crate::interactions::{AgentId, ConversationId};

    #[test]
    fn a_row_names_what_was_asked_and_has_none_of_its_words() {
        let caller = Caller {
            agent: AgentId::shell(),
            conversation: ConversationId::parse("cli").unwrap(),
        };
        let id = CallId::parse("c1").unwrap();
        let row = |tool: &str, about, end| {
            let tool = (FAMILY, tool);
            let kept = row(&caller, tool, &json!({"title": "Secret"}), about, end).unwrap();
            let json = serde_json::to_value(&kept).unwrap();
            assert!(!json.to_string().contains("Secret"));
            let word = |key: &str| json[key].as_str().unwrap_or("-").to_owned();
            ["appId", "clientId", "tool", "status", "error"]
                .map(word)
                .join(" ")
        };
        assert_eq!(
            row("choice", Some(&id), End::Ok),
            "interaction shell:c1 interaction__choice ok -"
        );
        assert_eq!(
            row("a\u{1b}b", None, End::UnknownTool),
            "interaction shell interaction__ab denied unknownTool"
        );
    }
}
