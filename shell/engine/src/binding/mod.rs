//! The bindings of one surface: which parts of its data follow which sources, which of them are stale, and what to write when an
//! answer lands.
//!
//! A [`BindingSet`] evaluates nothing and waits for nothing. It hands out [`Ask`]s for what is stale, the shell answers them in
//! its own time (records from the store's thread, `ede:` sources from where they live, `upstream:` ones from the person's servers), and
//! an answer becomes a [`DataWrite`] only when it differs from the last. A binding is a call: what a package may follow is decided here,
//! when it is bound.

use std::collections::BTreeMap;
use std::sync::Arc;

use eui_core::host::{RECORDS_SCHEME, parse_source};
use serde_json::Value;

use crate::app_id::AppId;
use crate::package::{Access, Binding as Declared, EDE_SOURCES, Package};
use crate::records::{Change, QueryError, RecordsRequest};
use crate::upstreams::rule::{self, Allowed, May};
use crate::upstreams::{Reading, Refusal, Relation, reading};

/// The scheme of the shell's own sources.
pub const EDE_SCHEME: &str = "ede";

/// Why a path may not follow a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// It is no `scheme:name`.
    #[error("{0:?} is no source: write scheme:name, like records:task or ede:clock")]
    Malformed(String),
    /// The package does not list it under `sources`.
    #[error("the source {0} is not among the package's sources")]
    NotListed(String),
    /// Apps may not follow it.
    #[error("the source {0} is for the shell's own documents")]
    ShellOnly(String),
    /// It shows what the person does, and the person has not allowed the app to see that.
    #[error("the source {0} needs {1}, which the person has not allowed")]
    NotAllowed(String, &'static str),
    /// This shell has no such source.
    #[error("this shell has no source {0}")]
    Unknown(String),
    /// A document keeps no records, and reads from no server.
    #[error("a document follows the shell's own sources: {0} belongs in an app")]
    AppsOnly(String),
    /// The app does not read from this server.
    #[error("{}", .1.says(.0))]
    Unread(Box<Reading>, Refusal),
    /// The records query cannot be asked.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// A source of the shell: `ede:<name>?<params>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShellSource {
    /// The source as written.
    pub uri: String,
    /// `clock`, `windows`, …
    pub name: String,
    pub params: BTreeMap<String, String>,
}

/// What a binding follows.
#[derive(Debug, Clone, PartialEq)]
pub enum SourceRef {
    Records(Box<RecordsRequest>),
    Shell(ShellSource),
    Upstream(Box<Allowed>),
}

/// What a binding is decided by, beside its own package.
pub trait Host {
    /// Another installed app's package, for `records:…?app=`.
    fn package(&self, app: &AppId) -> Option<Arc<Package>>;

    /// May `package` follow what `scope` reveals? A binding is a call: the broker decides, as for any other.
    fn may(&self, package: &Package, scope: &'static str) -> bool;

    /// May `package` read so from a server of the person's?
    fn may_read(&self, package: &Package, reading: &Reading) -> Result<May, Refusal>;
}

/// A host that knows packages, and nobody who could have allowed anything.
impl<F: Fn(&AppId) -> Option<Arc<Package>>> Host for F {
    fn package(&self, app: &AppId) -> Option<Arc<Package>> {
        self(app)
    }

    fn may(&self, _: &Package, _: &'static str) -> bool {
        false
    }

    fn may_read(&self, package: &Package, reading: &Reading) -> Result<May, Refusal> {
        rule::may_read(package, reading, Relation::NoServer)
    }
}

/// Answers sources that are known right now.
pub trait Sources {
    /// The value of `source`, or `None` while it is not known (then the data stays as it is and the binding stale).
    fn value(&mut self, source: &SourceRef) -> Option<Value>;
}

/// What a source says.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Whole(Value),
    /// Members of the object it answered last; all others are as they were. A clock says which second it is, not the month again.
    Fields(Vec<(&'static str, Value)>),
}

/// Whose surface it is.
#[derive(Debug, Clone)]
pub enum Owner {
    /// A template of an installed app.
    App(Arc<Package>),
    /// One of the shell's own documents.
    Shell,
}

/// A value for a place in the surface's data.
#[derive(Debug, Clone, PartialEq)]
pub struct DataWrite {
    /// A JSON pointer, `""` for the whole data model.
    pub path: String,
    pub value: Value,
}

/// A binding that cannot be followed; the template's own data stays at its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub path: String,
    pub source: String,
    pub error: BindError,
}

/// A question whose answer a binding waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    pub ticket: Ticket,
    pub source: SourceRef,
}

/// Which binding an answer is for. One that has been bound anew since takes no answers to older questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket(u64);

#[derive(Debug)]
struct Binding {
    ticket: Ticket,
    path: String,
    source: SourceRef,
    stale: bool,
    /// The last question had no answer.
    missed: bool,
    last: Option<Value>,
}

/// The bindings of one surface.
#[derive(Debug)]
pub struct BindingSet {
    owner: Owner,
    bindings: Vec<Binding>,
    tickets: u64,
}

impl BindingSet {
    /// A surface of `owner` that follows nothing yet.
    pub fn new(owner: Owner) -> BindingSet {
        BindingSet {
            owner,
            bindings: Vec::new(),
            tickets: 0,
        }
    }

    /// A surface of `owner` with the bindings its template or document declares ([`Package::bindings`], parameters filled in).
    /// What cannot be followed is answered, and the rest works.
    pub fn of(owner: Owner, declared: &[Declared], host: &dyn Host) -> (BindingSet, Vec<Refused>) {
        let mut set = BindingSet::new(owner);
        let mut refused = Vec::new();
        for Declared { path, source } in declared {
            if let Err(error) = set.bind(path, source, host) {
                refused.push(Refused {
                    path: path.clone(),
                    source: source.clone(),
                    error,
                });
            }
        }
        (set, refused)
    }

    /// Make `path` (a JSON pointer) follow `source` from now on, instead of what it followed. On an error it follows what it did.
    pub fn bind(&mut self, path: &str, source: &str, host: &dyn Host) -> Result<(), BindError> {
        let source = resolve(&self.owner, source, host)?;
        let path = eui_core::host::normalize_path(Some(path));
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        match self
            .bindings
            .iter_mut()
            .find(|binding| binding.path == path)
        {
            // The last value stays: data that the new source answers the same needs no write.
            Some(binding) => {
                binding.ticket = ticket;
                binding.source = source;
                binding.stale = true;
                binding.missed = false;
            }
            None => self.bindings.push(Binding {
                ticket,
                path,
                source,
                stale: true,
                missed: false,
                last: None,
            }),
        }
        Ok(())
    }

    /// The app it belongs to; `None` for the shell's own.
    pub fn app(&self) -> Option<&AppId> {
        match &self.owner {
            Owner::App(package) => Some(package.id()),
            Owner::Shell => None,
        }
    }

    /// The shell's sources that must run while this surface is on screen.
    pub fn shell_sources(&self) -> impl Iterator<Item = &ShellSource> {
        self.bindings
            .iter()
            .filter_map(|binding| match &binding.source {
                SourceRef::Shell(source) => Some(source),
                SourceRef::Records(_) | SourceRef::Upstream(_) => None,
            })
    }

    /// What of the person's servers it reads.
    pub fn upstreams(&self) -> impl Iterator<Item = &Allowed> {
        self.bindings
            .iter()
            .filter_map(|binding| match &binding.source {
                SourceRef::Upstream(allowed) => Some(&**allowed),
                SourceRef::Records(_) | SourceRef::Shell(_) => None,
            })
    }

    /// What is read of the person's servers is old. `true` when something here is stale now.
    pub fn read_again(&mut self, is_old: impl Fn(&Allowed) -> bool) -> bool {
        self.mark(
            |binding| matches!(&binding.source, SourceRef::Upstream(allowed) if is_old(allowed)),
        )
    }

    /// May an answer change at midnight although nothing was written?
    pub fn depends_on_day(&self) -> bool {
        self.bindings.iter().any(|binding| matches!(&binding.source, SourceRef::Records(request) if request.depends_on_day()))
    }

    /// Records changed. `true` when something here is stale now.
    pub fn records_changed(&mut self, changes: &[Change]) -> bool {
        self.mark_records(|request, missed| {
            missed || request.reads().any(|reads| changes.contains(reads))
        })
    }

    /// All records may be others, or can be read again.
    pub fn records_replaced(&mut self) -> bool {
        self.mark_records(|_, _| true)
    }

    /// It is another day, or the time zone is another.
    pub fn day_changed(&mut self) -> bool {
        self.mark_records(|request, missed| missed || request.depends_on_day())
    }

    /// The same answers read otherwise now (another locale): all are asked for again.
    pub fn locale_changed(&mut self) {
        self.mark(|_| true);
    }

    /// A source of the shell has a new value.
    pub fn source_ticked(&mut self, name: &str) -> bool {
        self.mark(
            |binding| matches!(&binding.source, SourceRef::Shell(shell) if shell.name == name),
        )
    }

    fn mark_records(&mut self, concerns: impl Fn(&RecordsRequest, bool) -> bool) -> bool {
        self.mark(|binding| match &binding.source {
            SourceRef::Records(request) => concerns(request, binding.missed),
            SourceRef::Shell(_) | SourceRef::Upstream(_) => false,
        })
    }

    fn mark(&mut self, concerns: impl Fn(&Binding) -> bool) -> bool {
        let mut any = false;
        for binding in &mut self.bindings {
            if concerns(binding) {
                binding.stale = true;
                binding.missed = false;
                any = true;
            }
        }
        any
    }

    /// The questions whose answers are needed. Each is asked once; a binding that turns stale before its answer lands is asked
    /// again.
    pub fn asks(&mut self) -> Vec<Ask> {
        let ask = |binding: &mut Binding| {
            std::mem::take(&mut binding.stale).then(|| Ask {
                ticket: binding.ticket,
                source: binding.source.clone(),
            })
        };
        self.bindings.iter_mut().filter_map(ask).collect()
    }

    /// An answer has come: what to write, if it says something new.
    pub fn land(&mut self, ticket: Ticket, value: Value) -> Option<DataWrite> {
        let binding = self
            .bindings
            .iter_mut()
            .find(|binding| binding.ticket == ticket)?;
        binding.land(value)
    }

    /// The last answer to this question, if it is still waited for.
    pub fn last(&self, ticket: Ticket) -> Option<&Value> {
        let binding = self.bindings.iter().find(|b| b.ticket == ticket)?;
        binding.last.as_ref()
    }

    /// As [`BindingSet::land`], for an answer that may say only what changed.
    pub fn take(&mut self, ticket: Ticket, answer: Answer) -> Vec<DataWrite> {
        let fields = match answer {
            Answer::Whole(value) => return self.land(ticket, value).into_iter().collect(),
            Answer::Fields(fields) => fields,
        };
        let binding = self.bindings.iter_mut().find(|b| b.ticket == ticket);
        let Some((path, Some(Value::Object(last)))) = binding.map(|b| (&b.path, &mut b.last))
        else {
            return Vec::new();
        };
        let mut writes = Vec::new();
        for (name, value) in fields {
            if last.get(name) != Some(&value) {
                last.insert(name.into(), value.clone());
                let path = crate::pointer::child(path, name);
                writes.push(DataWrite { path, value });
            }
        }
        writes
    }

    /// No answer came (the store has trouble): the data stays, and the question is asked again with the next news of any
    /// records, so that a trouble that lasts is not asked about in a circle.
    pub fn missed(&mut self, ticket: Ticket) {
        if let Some(binding) = self.bindings.iter_mut().find(|b| b.ticket == ticket) {
            binding.missed = true;
        }
    }

    /// The question is answered with a refusal: what was answered before is no answer any more. The path that followed it.
    pub fn refused(&mut self, ticket: Ticket) -> Option<&str> {
        let binding = self.bindings.iter_mut().find(|b| b.ticket == ticket)?;
        binding.last = None;
        Some(&binding.path)
    }

    /// Bring everything stale up to date from `sources`, which answer at once: what a picture or a preview does.
    pub fn resolve(&mut self, sources: &mut dyn Sources) -> Vec<DataWrite> {
        let mut writes = Vec::new();
        for binding in self.bindings.iter_mut().filter(|binding| binding.stale) {
            if let Some(value) = sources.value(&binding.source) {
                binding.stale = false;
                writes.extend(binding.land(value));
            }
        }
        writes
    }
}

impl Binding {
    fn land(&mut self, value: Value) -> Option<DataWrite> {
        if self.last.as_ref() == Some(&value) {
            return None;
        }
        self.last = Some(value.clone());
        Some(DataWrite {
            path: self.path.clone(),
            value,
        })
    }
}

/// What `source` means in a surface of `owner`, if it may be followed there.
fn resolve(owner: &Owner, source: &str, host: &dyn Host) -> Result<SourceRef, BindError> {
    let parsed = parse_source(source).ok_or_else(|| BindError::Malformed(source.to_owned()))?;
    let short = format!("{}:{}", parsed.scheme, parsed.name);
    if parsed.scheme == reading::SCHEME {
        // The servers' own rule covers `sources` too, so that what it refuses is in the audit.
        let Owner::App(package) = owner else {
            return Err(BindError::AppsOnly(short));
        };
        let reading = Reading::parse(source).ok_or_else(|| BindError::Malformed(source.into()))?;
        return match host.may_read(package, &reading) {
            Ok(may) => Ok(SourceRef::Upstream(Box::new(Allowed::new(reading, may)))),
            Err(refusal) => Err(BindError::Unread(Box::new(reading), refusal)),
        };
    }
    if let Owner::App(package) = owner
        && !package.may_follow(source)
    {
        return Err(BindError::NotListed(short));
    }
    match (parsed.scheme.as_str(), owner) {
        (RECORDS_SCHEME, Owner::App(package)) => {
            let request = RecordsRequest::parse(source, package, |id| host.package(id))?;
            Ok(SourceRef::Records(Box::new(request)))
        }
        (RECORDS_SCHEME, Owner::Shell) => Err(BindError::AppsOnly(short)),
        (EDE_SCHEME, owner) => {
            let access = EDE_SOURCES
                .iter()
                .find(|(name, _)| *name == parsed.name)
                .ok_or_else(|| BindError::Unknown(short.clone()))?
                .1;
            if let Owner::App(package) = owner {
                match access {
                    Access::Free => {}
                    Access::Scope(scope) if host.may(package, scope) => {}
                    Access::Scope(scope) => return Err(BindError::NotAllowed(short, scope)),
                    Access::Shell => return Err(BindError::ShellOnly(short)),
                }
            }
            Ok(SourceRef::Shell(ShellSource {
                uri: source.to_owned(),
                name: parsed.name,
                params: parsed.params,
            }))
        }
        _ => Err(BindError::Unknown(short)),
    }
}

#[cfg(test)]
mod tests;
