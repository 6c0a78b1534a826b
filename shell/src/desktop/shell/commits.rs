//! What apps write: a batch goes to the store's thread, what was to follow waits until it has landed, and the message that tells of it
//! can take it back.

use std::sync::Arc;

use ede_engine::actions::Effect;
use ede_engine::app_id::AppId;
use ede_engine::binding::DataWrite;
use ede_engine::package::Package;
use ede_engine::records::{ActionId, Batch, LOCAL, Write};

use super::effects::At;
use super::toasts::Offer;
use super::{News, Shell};
use crate::desktop::feed::write_data;
use crate::wayland::Platform;

/// What the store says of a batch, and what was to follow it.
pub struct Done {
    at: At,
    package: Arc<Package>,
    sets: Vec<DataWrite>,
    calls: Vec<Effect>,
    /// It took records away.
    deletes: bool,
    /// The action it is in the history as, or what was against it.
    outcome: Result<Option<ActionId>, String>,
}

/// What the store says of an undo.
pub struct Undone {
    app: AppId,
    error: Option<String>,
}

impl Shell {
    /// Write a batch; what follows it waits until it has landed.
    pub(super) fn commit(
        &mut self,
        package: &Arc<Package>,
        at: At,
        batch: Batch,
        sets: Vec<DataWrite>,
        calls: Vec<Effect>,
    ) {
        let Some(store) = self.desk.feed.store() else {
            return;
        };
        let (tell, package) = (self.tell.clone(), package.clone());
        let deletes = batch
            .writes
            .iter()
            .any(|w| matches!(w, Write::Delete { .. }));
        store.commit(batch).then(move |outcome| {
            tell(News::Done(Done {
                at,
                package,
                sets,
                calls,
                deletes,
                outcome: outcome.map(|r| r.action).map_err(|e| e.to_string()),
            }))
        });
    }

    /// A batch has landed, or was refused whole. What is said of one that has can be taken back from there.
    pub(super) fn done(&mut self, platform: &mut Platform, done: Done) {
        let action = match done.outcome {
            Ok(action) => action,
            Err(error) => return self.say(done.package.id(), &error),
        };
        let before = self.message.take();
        self.follow_up(platform, &done.at, &done.package, done.sets, done.calls);
        if self.message.is_none() && done.deletes && action.is_some() {
            self.say(done.package.id(), "Deleted");
        }
        match &mut self.message {
            Some(message) => {
                let app = done.package.id().clone();
                message.offer = action.map(|action| Offer::Undo(app, action));
            }
            None => self.message = before,
        }
    }

    /// Take an action back, which the message in the corner has told of.
    pub(super) fn undo(&mut self, app: AppId, action: ActionId) {
        let Some(store) = self.desk.feed.store() else {
            return;
        };
        let (tell, package) = (self.tell.clone(), self.desk.shelf.get(&app).cloned());
        store
            .undo(app.clone(), action, LOCAL.into(), package)
            .then(move |outcome| {
                let error = outcome.err().map(|e| e.to_string());
                tell(News::Undone(Undone { app, error }));
            });
    }

    /// What was to be taken back is, which the surfaces hear of by the records themselves, or it is not.
    pub(super) fn undone(&mut self, undone: Undone) {
        if let Some(error) = undone.error {
            self.say(&undone.app, &error);
        }
    }

    pub(super) fn follow_up(
        &mut self,
        platform: &mut Platform,
        at: &At,
        package: &Arc<Package>,
        sets: Vec<DataWrite>,
        calls: Vec<Effect>,
    ) {
        self.with_view(at.doc, Some(&at.widget), |view, _| {
            sets.into_iter().for_each(|write| write_data(view, write))
        });
        for call in calls {
            self.effect(platform, at.clone(), package, call);
        }
    }
}
