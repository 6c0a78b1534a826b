//! How often an agent may ask the person: so many at once, then one at a time; and after the person has left one, not at once again. Pure.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// How many an agent asks at once, and how long each further one takes after that.
pub const BURST: i32 = 20;
pub const EACH: SignedDuration = SignedDuration::from_secs(30);
/// How long an agent asks nothing after the person has left a question of its.
pub const PAUSE: SignedDuration = SignedDuration::from_secs(60);

/// Why the person is not asked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAsked {
    /// Too much waits for the person already.
    #[error("tooMany")]
    TooMany,
    /// The agent asks too often; the next one may come at this time.
    #[error("tooOften")]
    TooOften(Timestamp),
    /// The person has just left a question of the agent's; it may ask again at this time.
    #[error("personLeft")]
    PersonLeft(Timestamp),
}

impl NotAsked {
    /// What its agent is told at `now`: `{retryable, retryAfter?}`, in seconds where that is known.
    pub fn told(self, now: Timestamp) -> Value {
        let mut told = json!({"retryable": true});
        if let NotAsked::TooOften(at) | NotAsked::PersonLeft(at) = self {
            let left = at.duration_since(now);
            // Not before its time.
            let whole = left.as_secs() + i64::from(left.subsec_nanos() > 0);
            told["retryAfter"] = whole.max(1).into();
        }
        told
    }
}

/// May one who has asked at these times, the oldest first, ask at `now`?
///
/// # Errors
/// When it may.
pub fn may_ask(
    before: impl IntoIterator<Item = Timestamp>,
    now: Timestamp,
) -> Result<(), NotAsked> {
    // By when all that was asked has been paid for, at one in each while.
    let mut paid = Timestamp::MIN;
    for at in before {
        // A clock that was put back leaves nothing to be waited for.
        paid = paid.max(at.min(now)).saturating_add(EACH).unwrap_or(now);
    }
    let ahead = EACH.saturating_mul(BURST - 1);
    let free = paid.saturating_sub(ahead).unwrap_or(now);
    match free <= now {
        true => Ok(()),
        false => Err(NotAsked::TooOften(free)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_796_040_000 + second).unwrap()
    }

    #[test]
    fn so_many_are_asked_at_once_and_then_one_at_a_time() {
        let mut asked = Vec::new();
        for _ in 0..BURST {
            assert_eq!(may_ask(asked.clone(), at(0)), Ok(()));
            asked.push(at(0));
        }
        let each = EACH.as_secs();
        let too_often = Err(NotAsked::TooOften(at(each)));
        assert_eq!(may_ask(asked.clone(), at(0)), too_often);
        assert_eq!(may_ask(asked.clone(), at(each - 1)), too_often);
        for n in 1..50 {
            assert_eq!(may_ask(asked.clone(), at(n * each)), Ok(()));
            asked.push(at(n * each));
            assert!(may_ask(asked.clone(), at(n * each)).is_err());
        }
        // Who has been silent for long asks as many at once again, and no more.
        let rested = at(10_000 + 50 * each);
        for _ in 0..BURST {
            assert_eq!(may_ask(asked.clone(), rested), Ok(()));
            asked.push(rested);
        }
        assert!(may_ask(asked, rested).is_err());
    }

    #[test]
    fn a_clock_that_was_put_back_silences_nobody_for_longer() {
        let asked = vec![at(1_000_000); BURST as usize];
        let wait = Err(NotAsked::TooOften(at(EACH.as_secs())));
        assert_eq!(may_ask(asked, at(0)), wait);
    }

    #[test]
    fn an_agent_is_told_that_it_may_come_again_and_when() {
        let told = |not: NotAsked| not.told(at(0));
        assert_eq!(told(NotAsked::TooMany), json!({"retryable": true}));
        let often = NotAsked::TooOften(at(30));
        assert_eq!(told(often), json!({"retryable": true, "retryAfter": 30}));
        let half = at(2) + SignedDuration::from_millis(1);
        let left = NotAsked::PersonLeft(half);
        assert_eq!(told(left), json!({"retryable": true, "retryAfter": 3}));
        assert_eq!(left.to_string(), "personLeft");
    }
}
