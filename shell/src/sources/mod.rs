//! Live values for bindings (`ede:clock`, `ede:system`, `ede:outputs`, …): one file a source, listed once in [`Sources::new`].
//!
//! A source is pure but for the folder it reads: the time, the zone and the locale are handed in with every call
//! ([`SourceCx`]), so `--now` and `--tz` decide what a test sees. It says when its value changes next; the loop sleeps until
//! the earliest of those instants over everything that is bound, and asks again. What nobody binds is never asked, so it
//! costs nothing.
//!
//! How the loop keeps the answers fresh: it arms one timer on the *realtime* clock, absolute, with cancel-on-set
//! (`CLOCK_REALTIME`, `TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET`), at [`Sources::next_change`]. Waking from suspend, a
//! clock that somebody sets and an instant that passes all end that sleep; after each, it calls [`zone::ZoneFile::refresh`]
//! (one `readlink`), reads the bound values again and arms the timer anew. A change of `/etc/localtime` itself is a file
//! watch on that name, or is seen at the latest with the next minute.

pub mod clock;
pub mod outputs;
pub mod system;
pub mod zone;

use std::collections::BTreeMap;
use std::path::Path;

use ede_engine::binding::Answer;
use eui_core::host::{ParsedSource, parse_source};
use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;

use crate::formatter::Locale;

/// The scheme every source here is named under.
pub const SCHEME: &str = "ede";

/// The query of a source, as eui-core parses it: keys sorted, the last of a repeated key wins.
pub type Params = BTreeMap<String, String>;

/// What a source may know about the moment it is asked in.
#[derive(Debug, Clone, Copy)]
pub struct SourceCx<'a> {
    /// The instant that counts as now.
    pub now: Timestamp,
    /// The person's time zone.
    pub zone: &'a TimeZone,
    /// The person's locale: first day of the week, 12 or 24 hours, digits.
    pub locale: &'a Locale,
}

/// Who may bind a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// Any installed package that lists it in its `sources`.
    Packages,
    /// The shell's own documents only.
    Shell,
}

/// One live value.
pub trait Source: Send {
    /// The name after `ede:`.
    fn name(&self) -> &'static str;

    /// The least trusted asker that gets an answer.
    fn audience(&self) -> Audience {
        Audience::Packages
    }

    /// The value now. Unknown parameters are ignored, unreadable ones count as absent: a binding never fails because of them.
    fn value(&mut self, params: &Params, cx: &SourceCx) -> Value;

    /// The value now for one who knows `last`, an earlier answer to the same question: a source that would make much anew to change
    /// little may say only that.
    fn change(&mut self, _last: &Value, params: &Params, cx: &SourceCx) -> Answer {
        Answer::Whole(self.value(params, cx))
    }

    /// The instant after `cx.now` at which [`Source::value`] answers something else; `None` where it changes only by a push.
    fn next_change(&self, params: &Params, cx: &SourceCx) -> Option<Timestamp>;

    /// Takes a value the platform hands in and says whether it differs. A source that computes its own takes none.
    fn push(&mut self, _value: Value) -> bool {
        false
    }
}

/// A source whose value the platform hands in whenever it changes.
#[derive(Debug)]
pub struct Pushed {
    name: &'static str,
    audience: Audience,
    value: Value,
}

impl Pushed {
    /// A source named `name` that answers `value` until another is pushed.
    pub fn new(name: &'static str, audience: Audience, value: Value) -> Pushed {
        Pushed {
            name,
            audience,
            value,
        }
    }
}

impl Source for Pushed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn audience(&self) -> Audience {
        self.audience
    }

    fn value(&mut self, _params: &Params, _cx: &SourceCx) -> Value {
        self.value.clone()
    }

    fn next_change(&self, _params: &Params, _cx: &SourceCx) -> Option<Timestamp> {
        None
    }

    fn push(&mut self, value: Value) -> bool {
        let differs = self.value != value;
        self.value = value;
        differs
    }
}

/// Why a source gives no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Not `ede:<name>`, or no source of that name.
    #[error("no source {0}, the shell has {1}, bind one of those")]
    Unknown(String, String),
    /// The source is not for the one who asks.
    #[error("{0} is for the shell's own documents, bind it in a panel or desktop document instead")]
    Refused(String),
}

/// Every source there is.
pub struct Sources {
    list: Vec<Box<dyn Source>>,
}

impl Sources {
    /// The shell's sources. `proc` is the folder `ede:system` reads (`/proc`, or a copy of a few of its files in tests).
    pub fn new(proc: &Path) -> Sources {
        Sources {
            list: vec![
                Box::new(clock::Clock),
                Box::new(system::System::new(proc)),
                Box::new(outputs::source()),
            ],
        }
    }

    /// Adds a source of the platform's; one of the same name is replaced.
    pub fn add(&mut self, source: Box<dyn Source>) {
        self.list.retain(|other| other.name() != source.name());
        self.list.push(source);
    }

    /// Hands `value` to the source `name`; true when bindings to it must be read again.
    pub fn push(&mut self, name: &str, value: Value) -> bool {
        self.list
            .iter_mut()
            .find(|source| source.name() == name)
            .is_some_and(|source| source.push(value))
    }

    /// The value of `uri` (`ede:clock?month=2026-10`) for `asker`.
    pub fn value(
        &mut self,
        uri: &str,
        asker: Audience,
        cx: &SourceCx,
    ) -> Result<Value, SourceError> {
        let (index, params) = self.find(uri, asker)?;
        Ok(self.list[index].value(&params, cx))
    }

    /// The same for one who knows an earlier answer.
    pub fn change(
        &mut self,
        uri: &str,
        last: Option<&Value>,
        asker: Audience,
        cx: &SourceCx,
    ) -> Result<Answer, SourceError> {
        let (index, params) = self.find(uri, asker)?;
        let source = &mut self.list[index];
        Ok(match last {
            Some(last) => source.change(last, &params, cx),
            None => Answer::Whole(source.value(&params, cx)),
        })
    }

    /// The earliest instant after `cx.now` at which one of the bound `uris` changes. Sources that are not known count as
    /// never changing.
    pub fn next_change<'a>(
        &self,
        uris: impl IntoIterator<Item = &'a str>,
        cx: &SourceCx,
    ) -> Option<Timestamp> {
        uris.into_iter()
            .filter_map(|uri| {
                let (index, params) = self.find(uri, Audience::Shell).ok()?;
                self.list[index].next_change(&params, cx)
            })
            .min()
    }

    fn find(&self, uri: &str, asker: Audience) -> Result<(usize, Params), SourceError> {
        let unknown = || {
            let names: Vec<String> = self
                .list
                .iter()
                .map(|s| format!("{SCHEME}:{}", s.name()))
                .collect();
            SourceError::Unknown(uri.to_owned(), names.join(", "))
        };
        let ParsedSource {
            scheme,
            name,
            params,
            ..
        } = parse_source(uri).ok_or_else(unknown)?;
        let index = self
            .list
            .iter()
            .position(|source| source.name() == name)
            .filter(|_| scheme == SCHEME)
            .ok_or_else(unknown)?;
        if asker < self.list[index].audience() {
            return Err(SourceError::Refused(format!("{SCHEME}:{name}")));
        }
        Ok((index, params))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use serde_json::json;

    fn cx<'a>(zone: &'a TimeZone, locale: &'a Locale) -> SourceCx<'a> {
        SourceCx {
            now: "2026-11-30T08:41:20Z".parse().unwrap(),
            zone,
            locale,
        }
    }

    #[test]
    fn an_idle_desktop_with_a_clock_wakes_on_the_minute_and_one_with_pushed_values_never() {
        let (zone, locale) = (TimeZone::UTC, Locale::new("en-GB"));
        let sources = Sources::new(Path::new("/nonexistent"));
        let cx = cx(&zone, &locale);
        assert_eq!(sources.next_change(["ede:outputs"], &cx), None);
        assert_eq!(
            sources
                .next_change(["ede:outputs", "ede:clock"], &cx)
                .unwrap()
                .to_string(),
            "2026-11-30T08:42:00Z"
        );
        assert_eq!(
            sources
                .next_change(["ede:clock", "ede:clock?seconds=1"], &cx)
                .unwrap()
                .to_string(),
            "2026-11-30T08:41:21Z"
        );
    }

    #[test]
    fn a_source_for_the_shell_refuses_packages_and_answers_documents() {
        let (zone, locale) = (TimeZone::UTC, Locale::new("en-GB"));
        let mut sources = Sources::new(Path::new("/nonexistent"));
        sources.add(Box::new(Pushed::new("windows", Audience::Shell, json!([]))));
        let cx = cx(&zone, &locale);
        assert_eq!(
            sources.value("ede:windows", Audience::Packages, &cx),
            Err(SourceError::Refused("ede:windows".into()))
        );
        assert!(sources.push("windows", json!([{"title": "Files"}])));
        assert!(!sources.push("windows", json!([{"title": "Files"}])));
        assert_eq!(
            sources.value("ede:windows", Audience::Shell, &cx).unwrap(),
            json!([{"title": "Files"}])
        );
    }

    #[test]
    fn an_unknown_source_is_named_with_those_that_exist() {
        let (zone, locale) = (TimeZone::UTC, Locale::new("en-GB"));
        let mut sources = Sources::new(Path::new("/nonexistent"));
        for uri in ["ede:weather", "exp:clock", "clock"] {
            let error = sources
                .value(uri, Audience::Shell, &cx(&zone, &locale))
                .unwrap_err();
            assert!(error.to_string().contains(uri), "{error}");
            assert!(
                error.to_string().contains("ede:clock, ede:system"),
                "{error}"
            );
        }
    }
}
