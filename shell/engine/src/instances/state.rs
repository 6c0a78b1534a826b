//! What an instance may become.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How far an instance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Launched, and not seen yet.
    Starting,
    /// The person is at it. One at most.
    Foreground,
    Background,
    /// It has no window; one may be opened for it.
    Suspended,
    Stopping,
    /// Ended in order.
    Stopped,
    /// Ended by what is in its error.
    Failed,
}

/// A move that is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an instance that is {from} does not become {to}")]
pub struct Forbidden {
    pub from: State,
    pub to: State,
}

impl State {
    /// Every state there is.
    pub const ALL: [State; 7] = [
        State::Starting,
        State::Foreground,
        State::Background,
        State::Suspended,
        State::Stopping,
        State::Stopped,
        State::Failed,
    ];

    /// Nothing comes after it.
    pub fn is_final(self) -> bool {
        matches!(self, State::Stopped | State::Failed)
    }

    /// May it become `to`? What it is already, it may.
    pub fn may_become(self, to: State) -> bool {
        use State::{Background, Failed, Foreground, Starting, Stopped, Stopping, Suspended};
        let next: &[State] = match self {
            Starting => &[Foreground, Background, Suspended, Failed, Stopping],
            Foreground => &[Background, Suspended, Stopping, Failed],
            Background => &[Foreground, Suspended, Stopping, Failed],
            Suspended => &[Foreground, Background, Stopping, Failed],
            Stopping => &[Stopped, Failed],
            Stopped | Failed => &[],
        };
        self == to || next.contains(&to)
    }

    /// The state after a move to `to`.
    pub fn moved_to(self, to: State) -> Result<State, Forbidden> {
        match self.may_become(to) {
            true => Ok(to),
            false => Err(Forbidden { from: self, to }),
        }
    }

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Starting => "starting",
            State::Foreground => "foreground",
            State::Background => "background",
            State::Suspended => "suspended",
            State::Stopping => "stopping",
            State::Stopped => "stopped",
            State::Failed => "failed",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves as the contract lists them, a line a state.
    const MOVES: [(&str, &str); 7] = [
        (
            "starting",
            "foreground background suspended failed stopping",
        ),
        ("foreground", "background suspended stopping failed"),
        ("background", "foreground suspended stopping failed"),
        ("suspended", "foreground background stopping failed"),
        ("stopping", "stopped failed"),
        ("stopped", ""),
        ("failed", ""),
    ];

    #[test]
    fn a_state_becomes_what_the_contract_lists_and_stays_what_it_is() {
        for (from, (name, next)) in State::ALL.into_iter().zip(MOVES) {
            assert_eq!(from.as_str(), name);
            assert_eq!(from.is_final(), next.is_empty());
            for to in State::ALL {
                let listed = next.split(' ').any(|word| word == to.as_str());
                let moved = from.moved_to(to);
                let wanted = match listed || from == to {
                    true => Ok(to),
                    false => Err(Forbidden { from, to }),
                };
                assert_eq!(moved, wanted);
            }
        }
        let said = State::Stopped.moved_to(State::Foreground).err();
        assert_eq!(
            said.map(|e| e.to_string()).as_deref(),
            Some("an instance that is stopped does not become foreground")
        );
    }
}
