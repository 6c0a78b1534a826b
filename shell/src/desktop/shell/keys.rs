//! Which of our layer surfaces asks for the keyboard. It belongs to the windows, but while a popup or an overlay is open, the person has
//! called a panel, or a field on a panel or a desktop widget is typed into, or a card was pressed.

use super::routes::Target;
use super::{DocRef, Shell, Show};
use crate::wayland::{KeyboardMode, Platform, SurfaceId};

impl Shell {
    /// Ask for the keys where they are wanted, and give them back everywhere else.
    pub(super) fn sync_keys(&mut self, platform: &mut Platform) {
        let wanted: Vec<(SurfaceId, KeyboardMode)> = (self.panes.iter())
            .filter_map(|(id, (show, _))| Some((*id, self.wanted_keys(*id, show)?)))
            .collect();
        for (id, mode) in wanted {
            self.ask_keys(platform, id, mode);
        }
    }

    /// Tell the compositor how a surface wants the keyboard, unless it knows.
    pub(super) fn ask_keys(&mut self, platform: &mut Platform, id: SurfaceId, mode: KeyboardMode) {
        if self.asked_keys(id) != mode {
            self.keys.insert(id, mode);
            platform.set_keyboard(id, mode);
        }
    }

    fn asked_keys(&self, id: SurfaceId) -> KeyboardMode {
        self.keys.get(&id).copied().unwrap_or_default()
    }

    /// `None` for surfaces that never have keys, and for windows and popups, which the compositor gives them by itself.
    fn wanted_keys(&self, id: SurfaceId, show: &Show) -> Option<KeyboardMode> {
        let widget = match show {
            Show::Card => return Some(self.wanted_by_card(id)),
            Show::Panel(..) => None,
            Show::Widget(_, widget) => Some(widget.as_str()),
            _ => return None,
        };
        let popup = self.popup.as_ref().filter(|p| p.parent == id);
        let bases = [Some(id), popup.map(|p| p.surface)];
        let overlay = (self.layers.iter()).any(|l| l.grabs && bases.contains(&Some(l.base)));
        let doc = self.doc_of(id)?;
        Some(
            if popup.is_some() || overlay || self.focused_panel == Some(id) {
                KeyboardMode::Exclusive
            } else if self.is_typed_into(doc, widget) {
                match self.asked_keys(id) {
                    // It has the keys: asking another way may lose them.
                    mode @ (KeyboardMode::OnDemand | KeyboardMode::Exclusive)
                        if self.keyboard == Some(id) =>
                    {
                        mode
                    }
                    _ => KeyboardMode::Exclusive,
                }
            } else if self.is_over_fields(doc, widget) {
                // A press gives the keys only to what wants them by then, and a press on a window takes them back.
                KeyboardMode::OnDemand
            } else {
                KeyboardMode::None
            },
        )
    }

    /// A press on the card gives it the keys, a press elsewhere takes them back. A finger has no pointer that says where it comes down: once
    /// it has given a field the caret, the keys are asked for.
    fn wanted_by_card(&self, id: SurfaceId) -> KeyboardMode {
        let pointed = (self.hover.as_ref()).is_some_and(|t| t.doc == DocRef::Card);
        if self.keyboard == Some(id) {
            self.asked_keys(id)
        } else if pointed {
            KeyboardMode::OnDemand
        } else if self.is_typed_into(DocRef::Card, None) {
            KeyboardMode::Exclusive
        } else {
            KeyboardMode::None
        }
    }

    /// Has a field the caret: of this widget, or of anything in a panel?
    pub(super) fn is_typed_into(&self, doc: DocRef, widget: Option<&str>) -> bool {
        let Some(doc) = self.doc(doc) else {
            return false;
        };
        match widget {
            Some(id) => (doc.widget(id)).is_some_and(|w| w.content.view.is_editing()),
            None => {
                doc.view.is_editing() || doc.widgets().any(|(_, w)| w.content.view.is_editing())
            }
        }
    }

    /// Is the pointer over something that has fields: this widget, or anything in a panel?
    fn is_over_fields(&self, doc: DocRef, widget: Option<&str>) -> bool {
        let on_it =
            |t: &&Target| t.doc == doc && (widget.is_none() || t.widget.as_deref() == widget);
        let (Some(over), Some(doc)) = (self.hover.as_ref().filter(on_it), self.doc(doc)) else {
            return false;
        };
        let view = match over.widget.as_deref() {
            Some(id) => doc.widget(id).map(|w| &w.content.view),
            None => Some(&doc.view),
        };
        view.is_some_and(|v| v.has_field(&self.desk.res))
    }
}
