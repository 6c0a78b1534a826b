//! What apps read of the person's servers: answers into the surfaces that asked, the next reading when it is time, and one quiet word to
//! the person where a server gives none.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ede_engine::app_id::AppId;
use ede_engine::plain::without_links;
use ede_engine::upstreams::ServerName;
use ede_engine::upstreams::rule::Allowed;

use super::Shell;
use crate::desktop::reads::Read;

/// The longest name of a server that is shown (characters).
const NAME: usize = 80;

impl Shell {
    /// Read the person's list of servers, now and whenever its file changes; what apps read of them is decided again. True when the
    /// file has another mistake than before, or none any more.
    pub(super) fn look_at_servers(&mut self) -> bool {
        let Some(reads) = &mut self.desk.feed.reads else {
            return false;
        };
        let looked = reads.look();
        let mistakes = self.library.servers_read(looked.as_ref().err());
        if looked != Ok(true) {
            return mistakes;
        }
        self.desk.gate.set_servers(reads.servers().clone());
        for at in self.docs() {
            for (_, w) in self.doc_mut(at).into_iter().flat_map(|d| d.widgets_mut()) {
                w.content.rebind();
            }
        }
        mistakes
    }

    /// A server has answered, or not.
    pub(super) fn read(&mut self, read: Read) {
        self.desk
            .gate
            .keep(&read.outcome, &read.app, &read.allowed.reading);
        if let Some(reads) = &mut self.desk.feed.reads {
            reads.arrived(&read, Instant::now());
        }
        for at in self.docs() {
            let widgets = self.doc_mut(at).into_iter().flat_map(|d| d.widgets_mut());
            let mut contents = widgets.map(|(_, w)| &mut w.content);
            let asked = contents.find(|c| c.bound.as_ref().is_some_and(|b| b.id == read.feed));
            if let Some(content) = asked {
                return content.take_read(read);
            }
        }
    }

    /// Everything that is read on screen.
    fn readings(&self) -> impl Iterator<Item = &Allowed> {
        let docs = self.docs().into_iter().filter_map(|at| self.doc(at));
        docs.flat_map(|d| d.bounds())
            .flat_map(|b| b.set.upstreams())
    }

    /// When anything on screen is to be read again (ms of the shell's clock).
    pub(super) fn next_reading(&self) -> Option<f64> {
        let next = self.desk.feed.reads.as_ref()?.next(self.readings())?;
        Some(next.saturating_duration_since(self.started).as_secs_f64() * 1000.0)
    }

    /// Time has passed: what is old is read again.
    pub(super) fn read_again(&mut self) {
        // A timer may be a little early.
        let now = Instant::now() + Duration::from_millis(1);
        let reads = self.desk.feed.reads.as_ref();
        let next = reads.and_then(|reads| reads.next(self.readings()));
        if next.is_none_or(|next| next > now) {
            return;
        }
        let bound: BTreeSet<_> = self.readings().map(|a| a.key.clone()).collect();
        let Some(mut reads) = self.desk.feed.reads.take() else {
            return;
        };
        reads.prune(&bound);
        self.stale(|set| set.read_again(|allowed| reads.is_due(allowed, now)));
        self.desk.feed.reads = Some(reads);
    }

    /// The person pressed an app that reads from a server they have not set up.
    pub(super) fn tell_of_no_server(&mut self, app: &AppId, server: &ServerName) {
        let reads = self.desk.feed.reads.as_mut();
        if reads.is_some_and(|reads| reads.tell(app, server)) {
            let name = without_links(server.as_str(), NAME);
            self.say(
                app,
                &format!(
                    "It reads from {name}, which is not set up here. `ede upstreams add` sets it up"
                ),
            );
        }
    }

    /// The person pressed an app that reads from this server: is there something to say?
    pub(super) fn tell_of_trouble(&mut self, app: &AppId, server: &ServerName) {
        let reads = self.desk.feed.reads.as_mut();
        if let Some(says) = reads.and_then(|reads| reads.trouble(app, server)) {
            let name = without_links(server.as_str(), NAME);
            self.say(app, &format!("{name} {says}: what you see may be old"));
        }
    }
}
