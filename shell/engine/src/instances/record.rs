//! One instance, as it is kept and as a snapshot holds it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::id::{AgentId, AppSessionId, Caller, ConversationId, InstanceId};
use super::state::State;
use crate::app_id::AppId;

/// The longest error that is kept (characters).
pub const MOST_ERROR: usize = 500;

/// One opening of an app. The table alone changes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    pub instance_id: InstanceId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_session_id: Option<AppSessionId>,
    /// Whose instance it is.
    #[serde(with = "app")]
    pub app_scope: AppId,
    /// The agent and the conversation with it that it was launched in; the person's own launches have neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<ConversationId>,
    pub state: State,
    /// The instance it was launched from, which ran then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_instance_id: Option<InstanceId>,
    /// The ended session it goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued_from_app_session_id: Option<AppSessionId>,
    #[serde(with = "instant")]
    pub started_at: Timestamp,
    /// When it ended; in final states alone.
    #[serde(
        default,
        with = "instant::maybe",
        skip_serializing_if = "Option::is_none"
    )]
    pub stopped_at: Option<Timestamp>,
    /// Why it failed, in plain words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Instance {
    /// It has not ended.
    pub fn is_living(&self) -> bool {
        !self.state.is_final()
    }

    /// Is it the app's instance of this context?
    pub(super) fn is_of(&self, app: &AppId, context: Option<&Caller>) -> bool {
        self.app_scope == *app && self.is_in(context)
    }

    /// Was it launched in this context, by this agent in this conversation? `None`: by the person.
    pub fn is_in(&self, context: Option<&Caller>) -> bool {
        self.agent_id.as_ref() == context.map(|c| &c.agent)
            && self.conversation_id.as_ref() == context.map(|c| &c.conversation)
    }

    /// The context it was launched in; `None` where the person did.
    pub fn context(&self) -> Option<Caller> {
        Some(Caller {
            agent: self.agent_id.clone()?,
            conversation: self.conversation_id.clone()?,
        })
    }

    /// Does what was read make sense?
    pub(super) fn is_sound(&self) -> bool {
        let error = self.error.as_ref();
        self.stopped_at.is_some() == self.state.is_final()
            && self.agent_id.is_some() == self.conversation_id.is_some()
            && self.stopped_at.is_none_or(|end| end >= self.started_at)
            && error.is_none_or(|e| e.chars().count() <= MOST_ERROR)
    }
}

mod app {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::app_id::AppId;

    pub fn serialize<S: Serializer>(app: &AppId, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(app.as_str())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<AppId, D::Error> {
        AppId::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// As records spell it: UTC with milliseconds.
mod instant {
    use jiff::Timestamp;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::clock::{iso, parse_instant};

    pub fn serialize<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&iso(*at))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(from)?;
        parse_instant(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no instant")))
    }

    pub mod maybe {
        use super::*;

        pub fn serialize<S: Serializer>(at: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
            match at {
                Some(at) => super::serialize(at, to),
                None => to.serialize_none(),
            }
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Option<Timestamp>, D::Error> {
            super::deserialize(from).map(Some)
        }
    }
}
