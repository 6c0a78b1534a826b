//! What reaches the shell from outside Wayland: files that changed, records that were written, values that arrived, commands of
//! `ede open` and `ede focus`. All of it comes over one channel and is taken in before the next layout.

use std::path::PathBuf;

use ede_engine::app_id::AppId;
use ede_engine::binding::BindingSet;
use ede_engine::bridge::NativeAnswer;
use ede_engine::records::{AutomationRuns, Decisions, MOST_RECORDS, StoreError, StoreEvent};
use ede_engine::upstreams::{Outcome, ServerName};
use serde_json::Value;

use super::calls::{Called, Reply, tools};
use super::commits::{Done, Undone};
use super::interactions::Learnt;
use super::uploads::Upload;
use super::{DocRef, Shell};
use crate::capabilities::files::Pick;
use crate::capabilities::files::folder::Listing;
use crate::capabilities::{self, notifications};
use crate::desktop::desk::Scheme;
use crate::desktop::doc_view::Widget;
use crate::desktop::feed::{self, Arrived};
use crate::desktop::native;
use crate::desktop::reads::Read;
use crate::sources::outputs;
use crate::wayland::{OutputInfo, Platform};

/// One thing that happened.
pub enum News {
    /// Files below the watched folders changed.
    Files,
    Records(StoreEvent),
    Arrived(Arrived),
    /// A server of the person's has answered a binding, or not.
    Read(Read),
    /// One has answered a call, or not.
    Called(u64, ServerName, Outcome),
    /// A tool that an agent called goes on.
    Tool(tools::Next),
    /// An action of an app has been written, or was refused.
    Done(Done),
    /// An action has been taken back, or could not be.
    Undone(Undone),
    /// What the person decided about the apps' scopes.
    Decisions(Decisions),
    /// What the person decided about an app could not be kept.
    NotKept(AppId, StoreError),
    /// A provider that took its time has answered a call.
    Native(u64, NativeAnswer),
    /// What apps do by themselves has been done.
    Automations(AutomationRuns),
    /// Of the apps' notifications.
    Notices(notifications::Event),
    /// Of what agents ask the person.
    Interactions(Learnt),
    /// Calls have been prepared or finished.
    Steps,
    /// An app asks for files, and no portal does.
    Pick(Pick),
    /// Of files for an app's own.
    Upload(Upload),
    /// What is in a folder; `None` where it cannot be read.
    Folder(PathBuf, Option<Listing>),
    /// Fonts or pictures came in.
    Resources,
    /// The desktop's colour scheme, contrast or motion, as the portal says.
    Scheme(Scheme),
}

/// What another process asks of the running shell.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Open {
        app: AppId,
        screen: Option<String>,
        params: Value,
        token: Option<String>,
    },
    FocusPanel,
    Call(Called),
    /// One of the tools by which agents ask the person or hand something over, called for the shell's own agent.
    Interact {
        family: String,
        tool: String,
        arguments: Value,
    },
}

fn of_platform(info: &OutputInfo) -> outputs::Output {
    let unsigned = |n: i32| u32::try_from(n).unwrap_or(0);
    outputs::Output {
        name: info.name.clone(),
        make: info.make.clone(),
        model: info.model.clone(),
        width: unsigned(info.rect.width),
        height: unsigned(info.rect.height),
        scale: info.scale.as_f64(),
        refresh_millihertz: info.refresh_millihertz,
    }
}

impl Shell {
    /// Do what another process asks. It may have given up when the answer comes.
    pub fn asked(&mut self, platform: &mut Platform, command: Command, answer: Reply) {
        let done = match command {
            Command::Open {
                app,
                screen,
                params,
                token,
            } => self.open_app(platform, &app, screen.as_deref(), params, token),
            Command::FocusPanel => self.focus_panel(platform),
            Command::Call(call) => return self.called(platform, call, answer),
            Command::Interact {
                family,
                tool,
                arguments,
            } => return self.interact_here(&family, &tool, arguments, answer),
        };
        let _ = answer.send(done.map(|()| Value::Null));
    }

    /// Take in one thing.
    pub fn news(&mut self, platform: &mut Platform, news: News) {
        match news {
            News::Arrived(a) => self.arrived(a),
            News::Read(read) => self.read(read),
            News::Called(ticket, server, outcome) => {
                self.errand_answered(ticket, &server, outcome);
            }
            News::Tool(next) => self.tool_goes_on(platform, next),
            News::Records(event) => match event {
                StoreEvent::Changed(changes) => {
                    self.stale(|set| set.records_changed(&changes));
                    self.written(&changes);
                }
                StoreEvent::Replaced => {
                    self.stale(BindingSet::records_replaced);
                    self.ask_due();
                    self.ask_waiting();
                    self.run_automations();
                }
                StoreEvent::Decided => self.ask_decisions(),
                StoreEvent::Moving(moving) => {
                    let (app, left) = (&moving.app, moving.left);
                    tracing::info!(%app, left, "records move to their app's new version");
                }
                StoreEvent::Filling(app, records) => {
                    let most = MOST_RECORDS;
                    self.say(
                        &app,
                        &format!("It keeps {records} records now, of {most} at most"),
                    );
                }
                StoreEvent::NotMoved(app, why) => {
                    tracing::error!("records: {why}");
                    self.say(&app, &why.to_string());
                }
                StoreEvent::Trouble(trouble) => tracing::error!("records: {trouble}"),
                StoreEvent::Mended => {
                    tracing::info!("records can be read and written again");
                    self.ask_decisions();
                    self.ask_waiting();
                    self.stale(BindingSet::records_replaced);
                    self.run_automations();
                }
            },
            News::Decisions(decisions) => self.decisions_known(platform, decisions),
            News::NotKept(app, error) => {
                tracing::error!("a decision of the person's was not kept: {error}");
                self.say(
                    &app,
                    &format!("Your answer could not be kept: {error}. It is asked for again"),
                );
            }
            News::Native(ticket, answer) => self.native_answered(platform, ticket, answer),
            News::Steps => self.steps_taken(platform),
            News::Automations(runs) => self.automations_ran(platform, runs),
            News::Pick(pick) => self.pick(platform, pick),
            News::Upload(upload) => self.uploaded(platform, upload),
            News::Folder(folder, listing) => self.folder_read(&folder, listing),
            News::Notices(event) => self.noticed(platform, event),
            News::Interactions(learnt) => self.learnt(platform, learnt),
            News::Done(done) => self.done(platform, done),
            News::Undone(undone) => self.undone(undone),
            News::Resources => self.repaint_all(),
            other => self.waiting.push(other),
        }
    }

    /// An answer of the store's, to the surface that asked.
    fn arrived(&mut self, a: Arrived) {
        for at in self.docs() {
            let Some(doc) = self.doc_mut(at) else {
                continue;
            };
            if let Some((bound, view)) = doc.bounds_mut().find(|(b, _)| b.id == a.feed) {
                a.land(bound, view);
                return;
            }
        }
    }

    /// Mark bindings stale in every surface; they are asked in the next turn.
    pub(super) fn stale(&mut self, mut mark: impl FnMut(&mut BindingSet) -> bool) {
        for at in self.docs() {
            let Some(doc) = self.doc_mut(at) else {
                continue;
            };
            for (bound, _) in doc.bounds_mut() {
                mark(&mut bound.set);
            }
        }
    }

    /// The windows and workspaces of the session, for documents that list them.
    pub(super) fn windows_now(&mut self, platform: &Platform) {
        let windows = platform.windows();
        let feed = &mut self.desk.feed;
        let mut news = feed.push("windows", native::windows_value(&windows));
        news |= feed.push(feed::APP_WINDOWS, capabilities::windows_value(&windows));
        if news {
            self.stale(|set| set.source_ticked("windows"));
        }
    }

    pub(super) fn workspaces_now(&mut self, platform: &Platform) {
        if self.desk.feed.push(
            "workspaces",
            native::workspaces_value(&platform.workspaces()),
        ) {
            self.stale(|set| set.source_ticked("workspaces"));
        }
    }

    /// The screens there are, for whoever binds them.
    pub(super) fn outputs_now(&mut self, platform: &Platform) {
        let outputs: Vec<outputs::Output> = platform.outputs().iter().map(of_platform).collect();
        if self.desk.feed.push(outputs::NAME, outputs::value(&outputs)) {
            self.stale(|set| set.source_ticked(outputs::NAME));
        }
    }

    /// The installed apps, for documents that list them.
    pub(super) fn apps_now(&mut self) {
        if self.desk.feed.push("apps", self.desk.shelf.menu()) {
            self.stale(|set| set.source_ticked("apps"));
        }
    }

    /// Time has passed, or the clock or the zone was set.
    pub(super) fn clock_moved(&mut self) {
        let zone = self.desk.feed.zone.refresh();
        // The clock may have been set: what ticks by it is told.
        let wall = self.wall_offset();
        for at in self.docs() {
            if let Some(doc) = self.doc_mut(at) {
                doc.set_wall_clock(wall);
            }
        }
        for name in ["clock", "system"] {
            self.stale(|set| set.source_ticked(name));
        }
        let day = self.desk.feed.day_changed();
        if let Some(store) = self.desk.feed.store().filter(|_| day) {
            store.tidy();
        }
        if day || zone {
            self.stale(BindingSet::day_changed);
            self.desk.today();
            self.redress();
        }
    }

    /// Changes of files and of the look, taken in together once per turn.
    pub(super) fn apply_news(&mut self, platform: &mut Platform) {
        for news in std::mem::take(&mut self.waiting) {
            match news {
                News::Files => self.files_changed(platform),
                News::Scheme(scheme) if self.desk.set_scheme(scheme) => self.restyle(platform),
                _ => {}
            }
        }
    }

    /// Files changed: read what they hold now. What does not check changes nothing on screen but is said.
    fn files_changed(&mut self, platform: &mut Platform) {
        for w in self.windows.values_mut() {
            w.window.reload();
        }
        if self.solo {
            return;
        }
        let mut changed = self.library.look(&mut self.desk.docs, &mut self.desk.shelf);
        let restyled = self.desk.read_session();
        changed.mistakes |= self.library.theme_read(self.desk.theme_mistake());
        changed.mistakes |= self.look_at_servers();
        if restyled {
            self.restyle(platform);
        } else if changed.documents || changed.mistakes {
            self.refurnish(platform);
        }
        if changed.documents {
            self.reopen_documents(platform);
        }
        self.tell_untold();
        self.apps_now();
        self.allow_pictures();
        if !changed.apps.is_empty() {
            self.drop_questions_of(platform, &changed.apps);
            self.ask_due();
            self.run_automations();
            self.reopen_widgets(platform, |w| {
                w.tile || w.content.app().is_some_and(|a| changed.apps.contains(a))
            });
        }
    }

    /// Open these widgets afresh, wherever they stand. What is typed in them is committed first.
    fn reopen_widgets(&mut self, platform: &mut Platform, which: impl Fn(&Widget) -> bool) {
        let mut old = Vec::new();
        for at in self.docs() {
            let widgets = self.doc(at).into_iter().flat_map(|d| d.widgets());
            old.extend(
                widgets
                    .filter(|(_, w)| which(w))
                    .map(|(id, _)| (at, id.to_string())),
            );
        }
        self.blur_views(platform, |doc, widget| {
            old.iter()
                .any(|(d, w)| *d == doc && Some(w.as_str()) == widget)
        });
        for at in self.docs() {
            if let Some(doc) = self.doc_mut(at) {
                doc.close_widgets(&which);
            }
        }
    }

    /// The theme, the mode or the locale is another one: everything is shown in it.
    fn restyle(&mut self, platform: &mut Platform) {
        let style = self.desk.style.clone();
        for w in self.windows.values_mut() {
            w.window.doc.restyle(&style);
        }
        if let Some(p) = &mut self.popup {
            p.restyle(&style);
        }
        if let Some(t) = &mut self.toast {
            t.restyle(&style);
        }
        if let Some(c) = &mut self.interactions.card {
            c.restyle(&style);
        }
        if let Some(s) = &mut self.sheet {
            s.restyle(&style);
        }
        for on in self.outputs.values_mut() {
            on.restyled = true;
        }
        self.refurnish(platform);
    }

    /// Every output is furnished from the documents again.
    fn refurnish(&mut self, platform: &mut Platform) {
        for on in self.outputs.values_mut() {
            on.stale = true;
        }
        self.sync_outputs(platform);
    }

    /// Another day: calendars mark it.
    pub(super) fn redress(&mut self) {
        let style = self.desk.style.clone();
        for at in self.docs() {
            let Some(doc) = self.doc_mut(at) else {
                continue;
            };
            style.dress(doc.view.surface_mut());
            for (_, w) in doc.widgets_mut() {
                style.dress(w.content.view.surface_mut());
            }
        }
    }

    /// What apps may load from elsewhere goes by what the person decided about them.
    pub(super) fn allow_pictures(&mut self) {
        if self.desk.gate.knows() && self.desk.allow_pictures() {
            self.repaint_all();
        }
    }

    fn repaint_all(&mut self) {
        self.redraw_wallpapers();
        for at in self.docs() {
            if let Some(doc) = self.doc_mut(at) {
                doc.refresh();
            }
        }
    }

    /// Give the keyboard to the first panel, until Escape.
    fn focus_panel(&mut self, platform: &mut Platform) -> Result<(), String> {
        if self.sheet.is_some() {
            return Err("a question waits for an answer first".into());
        }
        let panel = self.outputs.iter().find_map(|(key, on)| {
            Some((
                *key,
                on.panels
                    .iter()
                    .enumerate()
                    .find_map(|(n, p)| Some((n, p.surface?)))?,
            ))
        });
        let Some((key, (n, surface))) = panel else {
            if self
                .outputs
                .get(&None)
                .is_none_or(|on| on.panels.is_empty())
            {
                return Err("there is no panel to focus".into());
            }
            // It stands in the one window, which has the keys or gets them from the compositor.
            self.stand_in.keys = Some(DocRef::Panel(None, 0));
            self.enter_panel(platform, None, 0);
            return Ok(());
        };
        self.focused_panel = Some(surface);
        self.enter_panel(platform, key, n);
        Ok(())
    }

    /// Give the keyboard back to the windows: nothing in a panel has the focus.
    pub(super) fn release_panel(&mut self, platform: &mut Platform) {
        self.focused_panel = None;
        // Not every compositor says that the keys are gone: the ring goes now.
        self.blur_docs(platform, |doc| matches!(doc, DocRef::Panel(..)));
        self.focus
            .retain(|doc, _| !matches!(doc, DocRef::Panel(..)));
    }
}
