//! `ede call`: one capability or function call in an app's name, through the broker. A running shell makes capability calls itself, and
//! asks the person by its sheet; without one, what needs a session is unavailable, and `--yes` or `--no` answers for this once.
//!
//! Functions that need no surface are carried out here: `records.*`, and an action's writes. What an action does to a surface, and
//! functions that do nothing else, have none here.

mod functions;

use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use clap::Args;
use ede_engine::app_id::AppId;
use ede_engine::blobs::Blobs;
use ede_engine::bridge::mime::MimeTypes;
use ede_engine::bridge::result::CallResult;
use ede_engine::bridge::{Ended, NativeAnswer};
use ede_engine::broker::audit::{self, ArgsHash, AuditRow, AuditSink, Status};
use ede_engine::broker::call::{Closed, Consent, Decided, Prepared, Request, Running};
use ede_engine::broker::catalog::catalog;
use ede_engine::broker::decide::Standing;
use ede_engine::broker::grants::Grant;
use ede_engine::exposes;
use ede_engine::package::Package;
use ede_engine::records::{Store, ToolRan, Wish};
use ede_engine::upstreams::errand::may_call;
use ede_engine::upstreams::rule::Relation;
use ede_engine::upstreams::{Errand, Outcome, Refusal, ServerTool, Unread};
use serde_json::{Value, json};

use functions::{Undone, carried_out};

use super::context::{OpenRecords, app_id, installed, json_input};
use super::interaction::{self, Family};
use super::{Exit, Failure, Output};
use crate::capabilities::host::{Chance, client};
use crate::capabilities::{self, Later, Providers, Ran, Stop};
use crate::desktop::shell::{Called, Command};
use crate::ipc;
use crate::paths::Paths;
use crate::upstreams::Upstreams;
use crate::upstreams::file::List;

/// How long a provider may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// One capability or function call in an app's name, through the broker; or what an agent asks the person.
///
/// Prints {verdict, answer}; there is no answer when the person would have to be asked. `--yes` and `--no` answer for them, once.
///
/// `ede call interaction notice|choice|confirm|input ARGS.json --agent` asks the person by the running shell, for its own agent, and answers
/// {state: "pending", retryAfter, id}; `get` and `dismiss` with {"id": …} ask what has become of it and take it back. `ede call interaction
/// tools --agent` prints what each takes. For example, from standard input:
///
/// echo '{"title": "Which report?", "actions": [{"id": "day", "label": "Today"}, {"id": "week", "label": "This week"}]}' | ede call interaction
/// choice - --agent
///
/// `ede call artifact keep ARGS.json --agent` hands a file over by the running shell, which offers it to the person where its bytes are what was
/// said; `artifact tools` and `get` as above.
#[derive(Debug, Args)]
pub struct Call {
    /// The app that calls; or `interaction`, or `artifact`
    #[arg(value_parser = whom)]
    app: Whom,
    /// The function as the app's surface spells it (windows.list, records.upsert, actions.log, upstream.SERVER.TOOL), or with --agent as an
    /// agent does: a capability (windows__list), or a tool that the app offers (acme.hours__log_hours; `ede apps list` names them)
    name: String,
    /// The arguments, a JSON object; - reads standard input
    #[arg(value_name = "ARGS.json")]
    arguments: Option<PathBuf>,
    /// Call as an agent does
    #[arg(long)]
    agent: bool,
    /// Call as an app does that nobody looks at
    #[arg(long)]
    background: bool,
    /// Allow it this once, should the person be asked; not while a shell runs
    #[arg(long, conflicts_with = "no")]
    yes: bool,
    /// Deny it this once, should the person be asked; not while a shell runs
    #[arg(long)]
    no: bool,
}

/// In whose name.
#[derive(Debug, Clone)]
enum Whom {
    App(AppId),
    /// An agent's, to the person.
    Agent(Family),
}

fn whom(text: &str) -> Result<Whom, String> {
    // Reserved: no app has this id.
    if let Some(family) = Family::parse(text) {
        return Ok(Whom::Agent(family));
    }
    app_id(text).map(Whom::App)
}

impl Call {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let arguments = match &self.arguments {
            Some(file) => json_input(file)?,
            None => Value::Null,
        };
        match self.app {
            Whom::Agent(family) => {
                let answers = self.yes || self.no || self.background;
                let agent = self.agent && !answers;
                interaction::run(family, (&self.name, arguments), agent, paths, out)
            }
            Whom::App(app) => AppCall {
                app,
                name: self.name,
                agent: self.agent,
                background: self.background,
                yes: self.yes,
                no: self.no,
            }
            .run(arguments, paths, out),
        }
    }
}

/// One in an app's name.
struct AppCall {
    app: AppId,
    name: String,
    agent: bool,
    background: bool,
    yes: bool,
    no: bool,
}

impl AppCall {
    fn run(self, arguments: Value, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let shell = paths.runtime().ok().filter(|r| ipc::answers(r));
        if shell.is_some() && (self.yes || self.no) {
            let what = if self.yes { "--yes" } else { "--no" };
            return Err(Failure::new(
                format_args!("{what} is the person's to say while a shell runs"),
                &self.app,
                "leave it out and answer the sheet",
            ));
        }
        let package = installed(paths, &self.app)?.package;
        let tool = ServerTool::of_function(package.value(), &self.name).filter(|_| !self.agent);
        let offered = self
            .agent
            .then(|| exposes::Call::open(&package, client(self.agent), &self.name, &arguments));
        let function = !self.agent && !catalog().is_capability_call(&self.name);
        let said = if function && tool.is_none() {
            self.function(paths, &package, &arguments, out)?
        } else if let Some(runtime) = shell {
            let called = Called {
                app: self.app.clone(),
                name: self.name.clone(),
                arguments,
                agent: self.agent,
                foreground: !self.background,
            };
            let answer = ipc::ask(runtime, &Command::Call(called));
            answer.map_err(|error| {
                let error = error.unwrap_or_else(|| "the shell has just ended".into());
                Failure::new(error, &self.app, "try again")
            })?
        } else if let Some(to) = tool {
            self.errand(paths, &package, to, &arguments, out)?
        } else if let Some(opened) = offered.flatten() {
            self.offered(paths, opened, out)?
        } else {
            self.capability(paths, &package, arguments, out)?
        };
        out.json(&said)?;
        Ok(Exit::Done)
    }

    /// A capability, without a shell.
    fn capability(
        &self,
        paths: &Paths,
        package: &Package,
        arguments: Value,
        out: &mut Output,
    ) -> Result<Value, Failure> {
        let records = OpenRecords::open(paths)?;
        let decisions = records.store().decisions().wait()?;
        let mut providers = Providers::new();
        let request = Request {
            app: self.app.clone(),
            client: client(self.agent),
            name: self.name.clone(),
            arguments,
        };
        let decided = request.decide(&Standing {
            manifest: package.capabilities(),
            grants: &decisions.of(package),
            provided: &providers.provided(None),
            // An agent's call alone puts no app in the foreground.
            foreground: !self.background && !self.agent,
        });
        let said = match decided {
            Decided::Ask(question) if !self.yes && !self.no => {
                let verdict = json!({"verdict": question.verdict()});
                // Nobody is here to be asked, which is what the audit says of it.
                finish(
                    question.resume(Consent::Dismissed),
                    package,
                    &mut providers,
                    records.store(),
                );
                verdict
            }
            Decided::Ask(question) => {
                let consent = if self.yes {
                    Consent::Granted
                } else {
                    Consent::Denied
                };
                finish(
                    question.resume(consent),
                    package,
                    &mut providers,
                    records.store(),
                )
            }
            decided => finish(decided, package, &mut providers, records.store()),
        };
        records.finish(out);
        Ok(said)
    }

    /// A tool of a server of the person's, without a shell.
    fn errand(
        &self,
        paths: &Paths,
        package: &Package,
        to: ServerTool,
        arguments: &Value,
        out: &mut Output,
    ) -> Result<Value, Failure> {
        let errand = Errand::new(to, arguments).ok_or_else(|| {
            let remedy = "give the tool's arguments by their names";
            Failure::new("the arguments are no JSON object", &self.name, remedy)
        })?;
        let records = OpenRecords::open(paths)?;
        let (outcome, asks) = self.sent(paths, package, &errand, records.store())?;
        let row = outcome.errand_row(&self.app, client(self.agent), &errand);
        if let Some(row) = row {
            records.store().clone().write(row);
        }
        records.finish(out);
        // Nobody is here to be asked, which is what the audit says of it.
        Ok(match asks {
            true => json!({"verdict": errand.verdict("ask", None)}),
            false => outcome.said(&errand),
        })
    }

    /// What a server says, where the person allows that it is asked; and whether they would have to be asked.
    fn sent(
        &self,
        paths: &Paths,
        package: &Package,
        errand: &Errand,
        store: &Store,
    ) -> Result<(Outcome, bool), Failure> {
        let servers = List::open(paths.upstreams())?.servers;
        let decided = match servers.get(&errand.to.server) {
            None => Relation::NoServer,
            Some(server) => {
                let decisions = store.decisions().wait()?;
                let decided = decisions.about(package, &Wish::tool(&errand.to, server));
                Relation::Decided(decided.or(self.once()))
            }
        };
        let allowed = may_call(package, &errand.to, decided);
        let asks = allowed == Err(Refusal::Undecided);
        let outcome = match allowed {
            Ok(()) => {
                let (told, hears) = mpsc::channel();
                let mut hub = Upstreams::default();
                hub.set_servers(servers);
                hub.call(
                    errand.clone(),
                    Box::new(move |outcome| drop(told.send(outcome))),
                );
                hears.recv().unwrap_or(Outcome::Unread(Unread::Unreachable))
            }
            Err(_) if asks && self.background => {
                Outcome::Unread(Unread::Refused(Refusal::NeedsForeground))
            }
            Err(refusal) => Outcome::Unread(Unread::Refused(refusal)),
        };
        Ok((outcome, asks && !self.background))
    }

    /// A tool that the app offers to agents, without a shell.
    fn offered(
        &self,
        paths: &Paths,
        opened: Result<exposes::Call, exposes::Closed>,
        out: &mut Output,
    ) -> Result<Value, Failure> {
        let records = OpenRecords::open(paths)?;
        let mut audit = records.store().clone();
        let said = match opened {
            Ok(call) => self.run_tool(paths, call, &mut audit)?,
            Err(closed) => closed.settle(&mut audit),
        };
        records.finish(out);
        Ok(said)
    }

    fn run_tool(
        &self,
        paths: &Paths,
        call: exposes::Call,
        store: &mut Store,
    ) -> Result<Value, Failure> {
        use exposes::{Answered, Refused};
        let asks = |call: &exposes::Call| (!self.background).then(|| call.asks());
        if let Some(wish) = call.wish() {
            let decided = store.decisions().wait()?.about(call.package(), &wish);
            let (why, asks) = match decided.or(self.once()) {
                Some(Grant::Granted) => (None, None),
                Some(Grant::Denied) => (Some(Refused::ConsentDenied), None),
                // Nobody is here to be asked, which is what the audit says of it.
                None => (Some(Refused::ConsentNeeded), asks(&call)),
            };
            if let Some(why) = why {
                let said = call.close(Answered::Refused(why)).settle(store);
                return Ok(asks.unwrap_or(said));
            }
        }
        match store.run_tool(call, false).wait()? {
            ToolRan::Closed(closed, _) => Ok(closed.settle(store)),
            ToolRan::Errand(call, errand) => {
                let sent = self.sent(paths, call.package(), &errand, store);
                let (outcome, undecided) = match sent {
                    Ok(sent) => sent,
                    Err(failure) => {
                        // It was counted, so it has its row.
                        let why = "the servers cannot be read".to_owned();
                        call.close(Answered::Unavailable(why)).settle(store);
                        return Err(failure);
                    }
                };
                let said = call.close(Answered::Server(outcome)).settle(store);
                Ok(asks(&call).filter(|_| undecided).unwrap_or(said))
            }
        }
    }

    /// What the person is said to answer, this once.
    fn once(&self) -> Option<Grant> {
        match (self.yes, self.no) {
            (true, _) => Some(Grant::Granted),
            (_, true) => Some(Grant::Denied),
            _ => None,
        }
    }

    /// A function that is no capability's.
    fn function(
        &self,
        paths: &Paths,
        package: &Arc<Package>,
        arguments: &Value,
        out: &mut Output,
    ) -> Result<Value, Failure> {
        let records = OpenRecords::open(paths)?;
        let (verdict, answer, status, error) =
            match carried_out(records.store(), package, &self.name, arguments) {
                Ok(content) => ("call", CallResult::ok(content), Status::Ok, None),
                Err(Undone::Unknown) => {
                    // The broker's answer to what there is not.
                    drop(records);
                    return self.capability(paths, package, arguments.clone(), out);
                }
                Err(Undone::NotListed) => {
                    let why = "notListed";
                    ("denied", CallResult::error(why), Status::Denied, Some(why))
                }
                Err(Undone::Unavailable(words)) => {
                    let outcome = audit::Outcome::Unavailable;
                    let answer = CallResult::error(words);
                    ("unavailable", answer, outcome.status(), outcome.error())
                }
                Err(Undone::Arguments(why)) => {
                    let outcome = audit::Outcome::Bridged(Ended::InvalidParams);
                    let answer = CallResult::error(format!("invalidParams: {why}"));
                    ("call", answer, outcome.status(), outcome.error())
                }
                Err(Undone::Failed(why)) => ("call", CallResult::error(why), Status::Failed, None),
            };
        records.store().clone().write(AuditRow {
            app_id: self.app.clone(),
            client_id: client(self.agent),
            tool: self.name.clone(),
            status,
            error,
            args_hash: ArgsHash::of(arguments),
        });
        records.finish(out);
        let reason = error.filter(|_| verdict == "denied");
        let verdict = json!({"verdict": verdict, "capability": null, "tool": null, "scope": null, "reason": reason});
        Ok(json!({"verdict": verdict, "answer": answer}))
    }
}

/// Take a decided call to its end, and keep its row.
fn finish(decided: Decided, package: &Package, providers: &mut Providers, store: &Store) -> Value {
    let closed = match decided {
        Decided::Refused(closed) => closed,
        // Whoever was asked has answered.
        Decided::Ask(question) => return json!({"verdict": question.verdict()}),
        Decided::Call(allowed) => {
            let screens: Vec<_> = package.screens().iter().map(|s| s.id.clone()).collect();
            let mut files = store.blobs();
            match allowed.prepare(&screens, MimeTypes::known(), &mut files, &mut Chance) {
                Prepared::Closed(closed) => closed,
                Prepared::Native(running) => ran(running, package, providers, &mut files),
            }
        }
    };
    json!(closed.settle(&mut store.clone()))
}

/// Have the provider answer, and wait for it.
fn ran(
    mut running: Running,
    package: &Package,
    providers: &mut Providers,
    files: &mut Blobs,
) -> Closed {
    let (told, answers) = mpsc::channel();
    let tool = running.tool();
    let call = capabilities::Call {
        package,
        tool: tool.name.as_str(),
        arguments: running.take_native_arguments(),
        press: None,
        later: Later::new(move |answer| drop(told.send(answer))),
        stop: Stop::default(),
    };
    let answer = match providers.call(tool.capability.as_str(), call, None) {
        Ran::Now(answer) => answer,
        Ran::Later => answers
            .recv_timeout(PATIENCE)
            .unwrap_or(NativeAnswer::Timeout),
    };
    running.finish(answer, files)
}
