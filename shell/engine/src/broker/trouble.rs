//! What went wrong with a call, for the person who looks at the app: one table from the codes of the broker, the bridge and the natives to
//! a title, one plain sentence, whether the same call may succeed later, and what would help. A code that is not in it gets words that say
//! nothing wrong; another program's own words are never shown.

use serde::Serialize;

/// What a person could do first. It describes; nothing is done or asked by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Hint {
    /// Allow it.
    Grant,
    /// The same once more.
    Retry,
    /// Connect to what should have answered.
    Reconnect,
}

/// One trouble in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// The word it is known by.
    pub code: &'static str,
    pub title: &'static str,
    pub message: &'static str,
    /// May the same call succeed without anything else being changed?
    pub retryable: bool,
    pub action: Option<Hint>,
}

const fn row(
    code: &'static str,
    title: &'static str,
    message: &'static str,
    retryable: bool,
    action: Option<Hint>,
) -> Trouble {
    Trouble {
        code,
        title,
        message,
        retryable,
        action,
    }
}

/// Every code there is, by the alphabet.
#[rustfmt::skip]
pub const TABLE: &[Trouble] = &[
    row("app_closed", "Closed", "The app was closed before this was done.", true, Some(Hint::Retry)),
    row("badResult", "Unexpected answer", "What came back does not make sense. Tell the app's author.", false, None),
    row("consentDenied", "Not allowed", "You have not allowed this app to do that. \"What it may do\" in its menu changes it.", false, Some(Hint::Grant)),
    row("consentNeeded", "Not allowed yet", "You have not decided about this yet. Press the app again to be asked.", true, Some(Hint::Grant)),
    row("destructive", "Not from an app", "What the server would do destroys something, and no app may have that done.", false, None),
    row("hostOnly", "Not for apps", "Only the desktop itself may do that.", false, None),
    row("invalidParams", "The app made a mistake", "It asked for something that does not make sense. Tell its author.", false, None),
    row("needsForeground", "Only when you ask", "This works only right after you press the app.", true, Some(Hint::Retry)),
    row("noToken", "Not connected", "The server wants a token, and your keyring does not give it.", false, Some(Hint::Reconnect)),
    row("notDeclared", "Not declared", "The app's package does not declare this. Tell its author.", false, None),
    row("notFound", "Not found", "What the app asked for is not there.", false, None),
    row("notListed", "Not listed", "The app's package does not list this function. Tell its author.", false, None),
    row("notText", "Not text", "The server answered something other than text.", false, None),
    row("notVerified", "Not whole", "The file is not known to be what it was said to be, so it is not saved.", false, None),
    row("originNotDeclared", "Another server", "The app may connect to the servers it declares only.", false, None),
    row("privateAddress", "Not on your network", "Apps cannot reach this computer or your own network.", false, None),
    row("quotaExceeded", "No room left", "The app has used the room it has for files. Delete some of them.", false, None),
    row("rpcError", "No answer", "What should have answered reported an error. Try again later.", true, Some(Hint::Retry)),
    row("timeout", "Too slow", "The answer took too long. Try again.", true, Some(Hint::Retry)),
    row("tooLarge", "Too large", "There is more of it than the desktop takes in.", false, None),
    row("tooMany", "Too many at once", "The app asks too often. Try again in a while.", true, Some(Hint::Retry)),
    row("tooManyRedirects", "Led in circles", "The server sends the app from place to place. Try again later.", true, Some(Hint::Retry)),
    row("unauthorized", "Not connected", "The server does not accept your token, or wants one.", false, Some(Hint::Reconnect)),
    row("unavailable", "Not available", "This desktop cannot do that.", false, None),
    row("unknownTool", "Unknown", "There is nothing of that name here. Tell the app's author.", false, None),
    row("unreachable", "Not reachable", "What should have answered is not there. Check your connection.", true, Some(Hint::Reconnect)),
    row("unsupportedFile", "Not this kind of file", "Only PDF, PNG and JPEG files can be printed.", false, None),
    row("unsupportedImage", "Not this kind of picture", "Only PNG and JPEG pictures can be printed.", false, None),
    row("untrusted", "Not trusted", "The server could not prove who it is, so nothing was sent.", false, None),
];

/// What is said of anything else.
const OTHER: Trouble = row(
    "failed",
    "That did not work",
    "Something went wrong.",
    false,
    None,
);

/// The words for an error as a call answers it: a code, or a code and what it is about behind a colon.
pub fn of(error: &str) -> Trouble {
    let code = error.split_once(':').map_or(error, |(code, _)| code);
    let found = TABLE.binary_search_by(|row| row.code.cmp(code));
    found.map_or(OTHER, |n| TABLE[n])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Ended;
    use crate::broker::audit::APP_CLOSED;
    use crate::broker::decide::Reason;
    use crate::upstreams::{Outcome, Refusal, Unread};

    #[test]
    fn every_code_of_the_broker_and_the_bridge_has_its_words() {
        assert!(TABLE.is_sorted_by_key(|row| row.code));
        let reasons = [
            Reason::HostOnly,
            Reason::NotDeclared,
            Reason::OriginNotDeclared,
            Reason::NeedsForeground,
            Reason::ConsentDenied,
            Reason::ConsentNeeded,
        ];
        let ended = [Ended::RpcError, Ended::Unreachable, Ended::Timeout];
        let codes = reasons.map(Reason::as_str).into_iter();
        for code in codes.chain(ended.map(Ended::as_str)).chain([APP_CLOSED]) {
            assert_eq!(of(code).code, code);
        }
        let unread = [
            Unread::NoToken,
            Unread::Unauthorized,
            Unread::TooLarge,
            Unread::Refused(Refusal::Destructive),
        ];
        for code in unread
            .map(|u| Outcome::Unread(u).error())
            .into_iter()
            .flatten()
        {
            assert_eq!(of(code).code, code);
        }
        for row in TABLE.iter().chain([&OTHER]) {
            assert!(
                row.message.ends_with('.') && !row.message.contains('!'),
                "{}",
                row.code
            );
            assert!(
                row.action != Some(Hint::Retry) || row.retryable,
                "{}",
                row.code
            );
        }
    }

    #[test]
    fn an_error_is_known_by_its_code_and_strange_ones_say_nothing_of_their_own() {
        assert_eq!(of("invalidParams: /url format").code, "invalidParams");
        assert_eq!(of("notFound: f-1").title, "Not found");
        assert_eq!(of("segfault at 0x0 in /usr/lib/x.so"), OTHER);
    }
}
