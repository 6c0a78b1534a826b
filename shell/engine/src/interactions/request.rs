//! What is asked, in words that are plain already. Read from a tool's arguments, once they keep to its schema ([`super::call`]); written
//! back as arguments that read the same, which is how it is kept.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use super::agent::{AppSessionId, AppSessions, Caller, NotItsSession};
use crate::artifacts::{Artifact, ArtifactId};
use crate::bridge::validate::Violation;
use crate::plain::{ends, lines_without_links, without_links};

/// How long a question waits for its answer where it does not say.
const WAITS: SignedDuration = SignedDuration::from_mins(15);

/// The longest title (characters).
const MOST_TITLE: usize = 120;

/// The longest name of a file in a title (characters).
const MOST_NAME: usize = 60;

/// What one of the actions of a choice is answered by: 1 to 64 of `[A-Za-z0-9._-]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActionId(pub(super) String);

impl ActionId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One of the actions of a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub id: ActionId,
    pub label: String,
    pub description: Option<String>,
}

/// What the person is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matter {
    /// Something is told.
    Notice { message: String },
    /// One of the actions, or as many as the person likes.
    Choice {
        prompt: Option<String>,
        actions: Vec<Action>,
        several: bool,
    },
    /// Yes or no.
    Confirm { prompt: Option<String> },
    /// A line of text.
    Input {
        prompt: Option<String>,
        label: String,
        placeholder: Option<String>,
    },
    /// Whether to save a file that was handed over: no agent asks so, [`Request::to_save`] does.
    Save {
        artifact: ArtifactId,
        /// In bytes.
        size: u64,
    },
}

/// A request: its title, what it is about, and how long it waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub title: String,
    pub matter: Matter,
    /// `None` for a notice, which waits to be shown however long that takes.
    expires_in: Option<SignedDuration>,
}

impl Request {
    /// When it is over, asked `now`.
    pub fn expires_at(&self, now: Timestamp) -> Option<Timestamp> {
        // Within a day of now; no clock that anybody reads is at the end of time.
        self.expires_in.and_then(|wait| now.checked_add(wait).ok())
    }

    /// The request of this kind that checked arguments spell.
    ///
    /// # Errors
    /// What the schema has no keyword for: a text of which nothing is left once it is plain (`minLength`) or that is longer
    /// then (`maxLength`), actions that are the same to
    /// whoever answers or to whoever reads (`unique`).
    pub(super) fn read(
        kind: RequestKind,
        given: &Map<String, Value>,
    ) -> Result<Request, Violation> {
        let title = needed(given, "title", "/title", MOST_TITLE, without_links)?;
        let prompt = || folded(given, "prompt", "/prompt", 500, lines_without_links);
        let matter = match kind {
            RequestKind::Save => return Err(wrong("", "enum")),
            RequestKind::Notice => Matter::Notice {
                message: needed(given, "message", "/message", 300, lines_without_links)?,
            },
            RequestKind::Choice => Matter::Choice {
                prompt: prompt()?,
                actions: actions(given)?,
                several: given.get("several") == Some(&Value::Bool(true)),
            },
            RequestKind::Confirm => Matter::Confirm { prompt: prompt()? },
            RequestKind::Input => {
                let none = Map::new();
                let field = given.get("field").and_then(Value::as_object);
                let field = field.unwrap_or(&none);
                let at = "/field/placeholder";
                Matter::Input {
                    prompt: prompt()?,
                    label: needed(field, "label", "/field/label", 60, without_links)?,
                    placeholder: folded(field, "placeholder", at, 60, without_links)?,
                }
            }
        };
        let expires_in = match kind {
            RequestKind::Notice => None,
            _ => Some(seconds(given).unwrap_or(WAITS)),
        };
        Ok(Request {
            title,
            matter,
            expires_in,
        })
    }

    /// The offer of a file that was handed over and is whole. Its title names the file, with its end whatever its length: that says what it
    /// is. What the agent says of its type is not said again.
    pub fn to_save(artifact: &Artifact) -> Request {
        Request {
            title: format!("Save “{}”?", ends(&artifact.offer.name, MOST_NAME)),
            matter: Matter::Save {
                artifact: artifact.id.clone(),
                size: artifact.offer.size,
            },
            expires_in: Some(WAITS),
        }
    }

    /// [`Request::to_save`] as it was kept.
    pub(super) fn kept_to_save(kept: &Value) -> Option<Request> {
        let text = |key: &str| kept[key].as_str().map(str::to_owned);
        Some(Request {
            title: text("title")?,
            matter: Matter::Save {
                artifact: ArtifactId::new(text("artifact")?),
                size: kept["size"].as_u64()?,
            },
            expires_in: Some(SignedDuration::from_secs(kept["expiresIn"].as_i64()?)),
        })
    }

    pub fn kind(&self) -> RequestKind {
        match self.matter {
            Matter::Notice { .. } => RequestKind::Notice,
            Matter::Choice { .. } => RequestKind::Choice,
            Matter::Confirm { .. } => RequestKind::Confirm,
            Matter::Input { .. } => RequestKind::Input,
            Matter::Save { .. } => RequestKind::Save,
        }
    }

    /// As the arguments that ask the same.
    pub fn to_json(&self) -> Value {
        let mut all = json!({"title": self.title});
        match &self.matter {
            Matter::Notice { message } => all["message"] = json!(message),
            Matter::Choice {
                prompt,
                actions,
                several,
            } => {
                give(&mut all, "prompt", prompt.as_ref());
                all["actions"] = actions.iter().map(Action::to_json).collect();
                all["several"] = json!(several);
            }
            Matter::Confirm { prompt } => give(&mut all, "prompt", prompt.as_ref()),
            Matter::Input {
                prompt,
                label,
                placeholder,
            } => {
                give(&mut all, "prompt", prompt.as_ref());
                all["field"] = json!({"label": label});
                give(&mut all["field"], "placeholder", placeholder.as_ref());
            }
            Matter::Save { artifact, size } => {
                all["artifact"] = json!(artifact.as_str());
                all["size"] = json!(size);
            }
        }
        give(&mut all, "expiresIn", self.expires_in.map(|s| s.as_secs()));
        all
    }
}

impl Action {
    fn to_json(&self) -> Value {
        let mut all = json!({"id": self.id.as_str(), "label": self.label});
        give(&mut all, "description", self.description.as_ref());
        all
    }
}

/// The kinds of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestKind {
    Notice,
    Choice,
    Confirm,
    Input,
    /// The shell's own, for a file of an agent's.
    Save,
}

impl RequestKind {
    pub const ALL: [RequestKind; 5] = [
        RequestKind::Notice,
        RequestKind::Choice,
        RequestKind::Confirm,
        RequestKind::Input,
        RequestKind::Save,
    ];

    /// The kind called `name`.
    pub fn parse(name: &str) -> Option<RequestKind> {
        RequestKind::ALL.into_iter().find(|k| k.as_str() == name)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            RequestKind::Notice => "notice",
            RequestKind::Choice => "choice",
            RequestKind::Confirm => "confirm",
            RequestKind::Input => "input",
            RequestKind::Save => "save",
        }
    }
}

/// A request of somebody's that may be put to the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    caller: Caller,
    session: Option<AppSessionId>,
    request: Request,
}

impl Wanted {
    /// A request that names no session.
    pub fn of(caller: Caller, request: Request) -> Wanted {
        let session = None;
        Wanted {
            caller,
            session,
            request,
        }
    }

    /// # Errors
    /// The session it names is not the caller's.
    pub fn new(
        caller: Caller,
        request: Request,
        session: Option<AppSessionId>,
        sessions: &dyn AppSessions,
    ) -> Result<Wanted, NotItsSession> {
        let strange = |session: &AppSessionId| !sessions.is_of(session, &caller);
        if session.as_ref().is_some_and(strange) {
            return Err(NotItsSession);
        }
        Ok(Wanted {
            session,
            ..Wanted::of(caller, request)
        })
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    pub(super) fn into_parts(self) -> (Caller, Option<AppSessionId>, Request) {
        (self.caller, self.session, self.request)
    }
}

fn give<T: serde::Serialize>(all: &mut Value, key: &str, value: Option<T>) {
    if let Some(value) = value {
        all[key] = json!(value);
    }
}

fn text<'a>(given: &'a Map<String, Value>, key: &str) -> &'a str {
    given.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A text made plain, which is longer than what was said where links are named; `None` where nothing is left of it.
fn folded(
    given: &Map<String, Value>,
    key: &str,
    at: &str,
    most: usize,
    plain: fn(&str, usize) -> String,
) -> Result<Option<String>, Violation> {
    let words = plain(text(given, key), usize::MAX);
    if words.chars().count() > most {
        return Err(wrong(at, "maxLength"));
    }
    Ok(Some(words).filter(|words| !words.is_empty()))
}

fn needed(
    given: &Map<String, Value>,
    key: &str,
    at: &str,
    most: usize,
    plain: fn(&str, usize) -> String,
) -> Result<String, Violation> {
    folded(given, key, at, most, plain)?.ok_or_else(|| wrong(at, "minLength"))
}

fn actions(given: &Map<String, Value>) -> Result<Vec<Action>, Violation> {
    let listed = given.get("actions").and_then(Value::as_array);
    let listed = listed.into_iter().flatten().filter_map(Value::as_object);
    let mut actions: Vec<Action> = Vec::new();
    for (n, given) in listed.enumerate() {
        let at = |key: &str| format!("/actions/{n}/{key}");
        let action = Action {
            id: ActionId(text(given, "id").into()),
            label: needed(given, "label", &at("label"), 60, without_links)?,
            description: folded(given, "description", &at("description"), 120, without_links)?,
        };
        if actions.iter().any(|other| other.id == action.id) {
            return Err(wrong(&at("id"), "unique"));
        }
        if actions.iter().any(|other| other.label == action.label) {
            return Err(wrong(&at("label"), "unique"));
        }
        actions.push(action);
    }
    Ok(actions)
}

/// `60.0` is an integer of JSON too.
fn seconds(given: &Map<String, Value>) -> Option<SignedDuration> {
    let seconds = given.get("expiresIn")?.as_f64()?;
    Some(SignedDuration::from_secs(seconds as i64))
}

fn wrong(at: &str, keyword: &'static str) -> Violation {
    Violation {
        pointer: at.into(),
        keyword,
    }
}
