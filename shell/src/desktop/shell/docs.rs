//! The documents on screen by reference: which there are, what a surface shows of them, and where each is found.

use std::collections::BTreeMap;

use super::interactions::Interactions;
use super::outputs::OnOutput;
use super::popups::OpenPopup;
use super::sheets::OpenSheet;
use super::toasts::OpenToast;
use super::windows::OpenWindow;
use crate::desktop::doc_view::DocView;
use crate::wayland::{OutputId, SurfaceId};

/// A screen the desktop stands on: an output, or the one window that stands in for one where there is no layer-shell.
pub(crate) type Where = Option<OutputId>;

/// Which document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DocRef {
    Panel(Where, usize),
    Board(Where),
    Window(SurfaceId),
    Popup(SurfaceId),
    /// The message in the corner.
    Toast,
    /// What an agent asks.
    Card,
    /// The sheet that asks the person.
    Sheet,
}

/// What a surface shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    Wallpaper(Where),
    Panel(Where, usize),
    /// A desktop widget, by its id in the document.
    Widget(Where, String),
    Window,
    Popup,
    /// A message in the corner.
    Toast,
    /// What an agent asks.
    Card,
    /// The sheet that asks the person.
    Sheet,
    /// The whole desktop in one ordinary window.
    StandIn,
    /// An open overlay of a document or of a widget in it, on a surface of its own.
    Layer(DocRef, Option<String>, u32),
}

/// A document among those on screen, apart from the rest of the shell so that the desk can be lent beside it.
pub(super) fn doc_in<'a>(
    outputs: &'a mut BTreeMap<Where, OnOutput>,
    windows: &'a mut BTreeMap<SurfaceId, OpenWindow>,
    popup: &'a mut Option<OpenPopup>,
    toast: &'a mut Option<OpenToast>,
    interactions: &'a mut Interactions,
    sheet: &'a mut Option<OpenSheet>,
    at: DocRef,
) -> Option<&'a mut DocView> {
    match at {
        DocRef::Panel(o, n) => outputs
            .get_mut(&o)?
            .panels
            .get_mut(n)
            .map(|p| &mut p.panel.doc),
        DocRef::Board(o) => outputs.get_mut(&o)?.board.as_mut().map(|b| &mut b.doc),
        DocRef::Window(id) => windows.get_mut(&id).map(|w| &mut w.window.doc),
        DocRef::Popup(id) => popup
            .as_mut()
            .filter(|p| p.surface == id)
            .map(|p| &mut p.popup.doc),
        DocRef::Toast => toast.as_mut().map(|t| &mut t.popup.doc),
        DocRef::Card => interactions.card.as_mut().map(|c| &mut c.popup.doc),
        DocRef::Sheet => sheet.as_mut().map(|s| &mut s.popup.doc),
    }
}
