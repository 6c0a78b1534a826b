//! What agents have apps do, by the tools these offer ([`ede_engine::exposes`]): the person is asked where they have not said, the records or
//! a server do it, and whoever called hears what came of it.

use std::sync::Arc;

use ede_engine::actions::Effect;
use ede_engine::broker::audit::Client;
use ede_engine::broker::catalog::{self, Tool, catalog};
use ede_engine::broker::grants::Grant;
use ede_engine::exposes::{Answered, Call, Closed, Refused};
use ede_engine::package::Package;
use ede_engine::records::ToolRan;
use ede_engine::upstreams::Errand;

use super::super::{News, Shell};
use super::Caller;
use super::errands::{By, Sent};
use super::questions::Matter;
use crate::wayland::Platform;

/// What follows on a tool's call, as the records have done their part of it.
pub enum Next {
    /// The calls of its action. It is over itself.
    Calls(Arc<Package>, Client, Vec<Effect>),
    /// A server's tool, for whoever called. `foreground`: the person may be asked about it.
    Errand {
        call: Box<Call>,
        caller: OfTool,
        errand: Errand,
        foreground: bool,
    },
}

/// Who called a tool.
pub struct OfTool(Caller);

impl Shell {
    /// An agent calls a tool of an app's.
    pub(super) fn tool_called(
        &mut self,
        platform: &mut Platform,
        opened: Result<Call, Closed>,
        caller: Caller,
        foreground: bool,
    ) {
        let call = match opened {
            Ok(call) => call,
            Err(closed) => return self.tool_over(caller, closed),
        };
        let Some(wish) = call.wish() else {
            return self.run_tool(call, caller, foreground);
        };
        let why = match self.desk.gate.decided(call.package(), &wish) {
            Some(Grant::Granted) => return self.run_tool(call, caller, foreground),
            Some(Grant::Denied) => Refused::ConsentDenied,
            None if foreground && self.desk.gate.knows() => {
                let package = call.package().clone();
                let matter = Matter::Offered(Box::new(call));
                return self.put_question(platform, matter, package, caller);
            }
            None => Refused::ConsentNeeded,
        };
        self.tool_over(caller, call.close(Answered::Refused(why)));
    }

    /// The person lets agents do it, or it needs no word of theirs.
    pub(super) fn run_tool(&mut self, call: Call, caller: Caller, foreground: bool) {
        let Some(store) = self.desk.feed.store() else {
            let says = "nothing is kept here";
            let closed = call.close(Answered::Unavailable(says.into()));
            return self.tool_over(caller, closed);
        };
        let (tell, mut audit) = (self.tell.clone(), store.clone());
        let asked = call.clone();
        store.run_tool(call, true).then(move |ran| match ran {
            Ok(ToolRan::Closed(closed, calls)) => {
                answer(caller, closed.settle(&mut audit));
                if !calls.is_empty() {
                    let (package, client) = (asked.package().clone(), asked.client().clone());
                    tell(News::Tool(Next::Calls(package, client, calls)));
                }
            }
            Ok(ToolRan::Errand(call, errand)) => tell(News::Tool(Next::Errand {
                call,
                caller: OfTool(caller),
                errand,
                foreground,
            })),
            Err(stopped) => {
                let closed = asked.close(Answered::Failed(stopped.told()));
                answer(caller, closed.settle(&mut audit));
            }
        });
    }

    /// The records have done their part.
    pub(in crate::desktop::shell) fn tool_goes_on(&mut self, platform: &mut Platform, next: Next) {
        match next {
            Next::Calls(package, client, calls) => {
                for call in calls {
                    self.follow(platform, &package, client.clone(), call);
                }
            }
            Next::Errand {
                call,
                caller: OfTool(caller),
                errand,
                foreground,
            } => {
                let sent = Sent {
                    package: call.package().clone(),
                    caller,
                    by: By::Tool(call),
                    errand,
                };
                self.errand(platform, sent, foreground);
            }
        }
    }

    /// Make a call that follows on what an app did by itself, or by a tool of it: in the background. What needs a surface does nothing:
    /// nobody is looking, and to tell the person something an app notifies, where it may.
    pub(in crate::desktop::shell) fn follow(
        &mut self,
        platform: &mut Platform,
        package: &Arc<Package>,
        client: Client,
        call: Effect,
    ) {
        match call {
            Effect::Capability { function, args } => {
                // The package spells it as a surface does.
                let tool = catalog().parse(catalog::Caller::Ui, &function);
                let name = match client.caller() {
                    catalog::Caller::Agent => tool.map(Tool::qualified),
                    catalog::Caller::Ui => None,
                };
                let name = name.unwrap_or(&function);
                let decided = (self.desk.gate).decide(package, client, name, args, false);
                self.go_on(platform, package.clone(), Caller::Nobody, decided, None);
            }
            Effect::Errand(errand) => {
                let sent = Sent {
                    package: package.clone(),
                    caller: Caller::Nobody,
                    by: By::App(client),
                    errand,
                };
                self.errand(platform, sent, false);
            }
            _ => {}
        }
    }

    /// It has its row, and who called hears what came of it.
    pub(super) fn tool_over(&self, caller: Caller, closed: Closed) {
        answer(caller, self.desk.gate.settle_tool(closed));
    }
}

fn answer(caller: Caller, said: serde_json::Value) {
    if let Caller::Program(reply) = caller {
        // It may have given up.
        let _ = reply.send(Ok(said));
    }
}
