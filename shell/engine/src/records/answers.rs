//! The answers given lately, while nothing they are made of changes. The store's thread keeps and drops them; whoever asks the same
//! again may find one here without waiting for that thread ([`super::Store::known`]). Bounded; the least recently used goes first.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::model::Change;
use super::open::{FileId, identity};
use super::query::{RecordsRequest, Viewer};
use crate::package::expression::Lasts;

/// How many answers are kept.
const MOST: usize = 32;

#[derive(Debug)]
struct Answered {
    request: RecordsRequest,
    me: String,
    day: Date,
    zone: TimeZone,
    value: Arc<Value>,
}

#[derive(Debug, Default)]
struct Kept {
    /// The file they were read from, where its writers are waited for.
    file: Option<FileId>,
    /// The one used last at the end.
    answers: Vec<Answered>,
}

/// Answers to questions, of one database.
#[derive(Debug)]
pub(super) struct Answers {
    database: PathBuf,
    kept: Mutex<Kept>,
}

impl Answers {
    pub fn of(database: impl Into<PathBuf>) -> Answers {
        Answers {
            database: database.into(),
            kept: Mutex::default(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer given to the same question.
    pub fn find(&self, request: &RecordsRequest, viewer: &Viewer) -> Option<Arc<Value>> {
        let same = |kept: &Answered| {
            kept.request.query == request.query
                && kept.me == viewer.me
                && kept.day == viewer.now.date()
                && kept.zone == *viewer.now.time_zone()
                && kept.request == *request
        };
        let answers = &mut self.kept().answers;
        let at = answers.iter().position(same)?;
        let kept = answers.remove(at);
        let value = kept.value.clone();
        answers.push(kept);
        Some(value)
    }

    /// [`Answers::find`], where the database's file is still the one that was read: the store's thread sees to that by itself.
    pub fn find_from_outside(
        &self,
        request: &RecordsRequest,
        viewer: &Viewer,
    ) -> Option<Arc<Value>> {
        let file = self.kept().file?;
        (identity(&self.database) == Some(file))
            .then(|| self.find(request, viewer))
            .flatten()
    }

    /// Keep an answer read from `file`, for the store's thread alone where that is `None`; unless it is another one in the next moment.
    pub fn keep(
        &self,
        file: Option<FileId>,
        request: &RecordsRequest,
        viewer: &Viewer,
        value: &Arc<Value>,
    ) {
        if request.lasts() == Lasts::Moment {
            return;
        }
        let mut kept = self.kept();
        kept.file = file;
        if kept.answers.len() >= MOST {
            kept.answers.remove(0);
        }
        kept.answers.push(Answered {
            request: request.clone(),
            me: viewer.me.clone(),
            day: viewer.now.date(),
            zone: viewer.now.time_zone().clone(),
            value: value.clone(),
        });
    }

    /// Records of a kind were written.
    pub fn changed(&self, of: &Change) {
        let concerns = |kept: &Answered| kept.request.reads().any(|read| read == of);
        self.kept().answers.retain(|kept| !concerns(kept));
    }

    /// Everything is stale.
    pub fn clear(&self) {
        *self.kept() = Kept::default();
    }
}
