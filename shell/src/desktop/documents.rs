//! The session's documents as the screen needs them: which panels stand on an output, which desktop.

use ede_engine::documents::{
    DesktopPlace, Document, Kind, OutputName, PanelPlace, Session, WindowPlace,
};

/// A panel and its place on one output.
pub type PanelOn<'a> = (&'a Document, PanelPlace);

/// The documents of the session, all of them checked.
#[derive(Default)]
pub struct Documents {
    all: Vec<Document>,
}

impl Documents {
    /// In the order they were read; of two with one id the later one counts.
    pub fn new(all: Vec<Document>) -> Documents {
        let mut documents = Documents::default();
        for d in all {
            documents.put(d);
        }
        documents
    }

    /// A document came, or a new version of it. False when it says what it said before.
    pub fn put(&mut self, document: Document) -> bool {
        match self.all.iter_mut().find(|d| d.id() == document.id()) {
            Some(old) if *old == document => return false,
            Some(old) => *old = document,
            None => self.all.push(document),
        }
        true
    }

    /// A document's file is gone. True when it was there.
    pub fn remove(&mut self, id: &str) -> bool {
        let before = self.all.len();
        self.all.retain(|d| d.id().as_str() != id);
        self.all.len() != before
    }

    pub fn iter(&self) -> impl Iterator<Item = &Document> {
        self.all.iter()
    }

    /// The session's settings; the defaults where no document says.
    pub fn session(&self) -> Session {
        let written = self.all.iter().find_map(|d| match d.kind() {
            Kind::Session(s) => Some(s.clone()),
            _ => None,
        });
        written.unwrap_or_default()
    }

    pub fn panels_on(&self, output: OutputName<'_>) -> Vec<PanelOn<'_>> {
        let on = |d| match Document::kind(d) {
            Kind::Panel(places) => Some((d, places.on(output)?)),
            _ => None,
        };
        self.all.iter().filter_map(on).collect()
    }

    /// The window document of this id.
    pub fn window(&self, id: &str) -> Option<(&Document, &WindowPlace)> {
        self.all
            .iter()
            .find(|d| d.id().as_str() == id)
            .and_then(|d| match d.kind() {
                Kind::Window(place) => Some((d, place)),
                _ => None,
            })
    }

    pub fn board_on(&self, output: OutputName<'_>) -> Option<(&Document, DesktopPlace)> {
        self.all.iter().find_map(|d| match d.kind() {
            Kind::Desktop(places) => Some((d, places.on(output)?)),
            _ => None,
        })
    }
}
