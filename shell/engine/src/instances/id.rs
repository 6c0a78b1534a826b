//! The ids of instances, of their sessions and of the contexts they run in: 1 to 128 of `[A-Za-z0-9._:-]`, each a type of its own.

use std::io;

/// The longest id (characters).
const MOST: usize = 128;

/// A text that is no id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no id: an id is 1 to 128 of A-Z a-z 0-9 . _ : -")]
pub struct InvalidId(pub String);

pub(crate) fn fits(text: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphanumeric() || b"._:-".contains(&b);
    (1..=MOST).contains(&text.len()) && text.bytes().all(letter)
}

/// A type of such ids.
macro_rules! id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// The id that `text` spells.
            pub fn parse(text: &str) -> Result<$name, $crate::instances::InvalidId> {
                match $crate::instances::id::fits(text) {
                    true => Ok($name(text.into())),
                    false => Err($crate::instances::InvalidId(text.into())),
                }
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(from)?;
                $name::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use id;

id!(
    /// One opening of an app.
    InstanceId
);
id!(
    /// What an instance's interactions and history are kept under; it stays when the instance has ended.
    AppSessionId
);
id!(
    /// A conversation with an agent.
    ConversationId
);

id!(
    /// An agent: the shell's own, or the name the person has paired another by.
    AgentId
);

impl AgentId {
    /// The shell's own agent.
    pub fn shell() -> AgentId {
        AgentId("shell".into())
    }

    /// Is it the shell's own?
    pub fn is_shell(&self) -> bool {
        &*self.0 == "shell"
    }
}

/// An agent in one of its conversations. The conversation's id is the hub's to make, never an agent's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Caller {
    pub agent: AgentId,
    pub conversation: ConversationId,
}

/// Where new ids come from.
pub trait Ids {
    /// 128 bits nobody had before.
    ///
    /// # Errors
    /// There is no chance to be had.
    fn next(&mut self) -> io::Result<u128>;
}

impl InstanceId {
    pub(super) fn fresh(ids: &mut dyn Ids) -> io::Result<InstanceId> {
        Ok(InstanceId(format!("instance:{:032x}", ids.next()?).into()))
    }
}

impl AppSessionId {
    pub(super) fn fresh(ids: &mut dyn Ids) -> io::Result<AppSessionId> {
        Ok(AppSessionId(format!("session:{:032x}", ids.next()?).into()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_id_is_short_and_of_plain_letters() {
        for good in ["a", "task:1", "instance:0f", "A.b_c-9", &"x".repeat(128)] {
            assert_eq!(InstanceId::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "a b", "a/b", "ü", "a\n", "a\0", &"x".repeat(129)] {
            assert!(InstanceId::parse(bad).is_err(), "{bad:?}");
            let read = serde_json::from_value::<AppSessionId>(bad.into());
            assert!(read.is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_new_id_is_an_id() {
        struct One;
        impl Ids for One {
            fn next(&mut self) -> io::Result<u128> {
                Ok(u128::MAX)
            }
        }
        let id = InstanceId::fresh(&mut One).unwrap();
        assert_eq!(InstanceId::parse(id.as_str()), Ok(id));
        let id = AppSessionId::fresh(&mut One).unwrap();
        assert_eq!(AppSessionId::parse(id.as_str()), Ok(id));
    }
}
