//! Input methods, by `zwp_text_input_v3`.
//!
//! The shell says which field has the caret; whichever seat's keyboard is on that surface then talks to its input
//! method. State is sent once a turn, after the client has reacted to everything at hand.

use super::event::{InputEvent, Preedit, SeatId, TextEdit};
use super::geometry::Rect;
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::spec::SurfaceId;
use super::surface::surface_id;
use super::words;
use smithay_client_toolkit::dispatch2::Dispatch2;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::{Connection, QueueHandle};
use wayland_protocols::wp::text_input::zv3::client::zwp_text_input_manager_v3::ZwpTextInputManagerV3;
use wayland_protocols::wp::text_input::zv3::client::zwp_text_input_v3::{
    self, ChangeCause, ContentHint, ContentPurpose, ZwpTextInputV3,
};

/// The protocol takes no more text around the caret than this.
const MAX_SURROUNDING: usize = 4000;

/// What a field is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextPurpose {
    #[default]
    Normal,
    Digits,
    Number,
    Phone,
    Url,
    Email,
    Name,
    /// Nothing of it is shown, learned or remembered.
    Password,
    Date,
    Time,
    DateTime,
    Terminal,
}

/// How a field behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextHints {
    pub multiline: bool,
    pub spellcheck: bool,
}

/// The focused text field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextField {
    /// Tells one field from another on the same surface.
    pub field: u64,
    /// The caret, logical, on the surface: where candidates are shown.
    pub caret: Rect,
    pub purpose: TextPurpose,
    pub hints: TextHints,
    /// The text around the caret without the preedit; leave empty for a password.
    pub text: String,
    /// Bytes of `text`: where the caret is, and where the selection began (the same without one).
    pub cursor: usize,
    pub anchor: usize,
    /// The last change came from the input method itself.
    pub by_input_method: bool,
}

/// What the client wants, and whether it was sent.
#[derive(Default)]
pub(super) struct TextInputs {
    wanted: Option<(SurfaceId, TextField)>,
    changed: bool,
}

impl TextInputs {
    pub fn forget(&mut self, id: SurfaceId) {
        if self.wanted.as_ref().is_some_and(|(on, _)| *on == id) {
            self.wanted = None;
            self.changed = true;
        }
    }
}

/// One seat's talk with its input method.
pub(super) struct TextInput {
    wl: ZwpTextInputV3,
    /// The surface the compositor lets us type on.
    entered: Option<SurfaceId>,
    /// The field that is enabled.
    enabled: Option<(SurfaceId, u64)>,
    pending: TextEdit,
}

impl TextInput {
    pub fn new(
        manager: &ZwpTextInputManagerV3,
        seat: &WlSeat,
        id: SeatId,
        qh: &QueueHandle<Runtime>,
    ) -> Self {
        TextInput {
            wl: manager.get_text_input(seat, qh, OfSeat(id)),
            entered: None,
            enabled: None,
            pending: TextEdit::default(),
        }
    }

    fn sync(&mut self, wanted: Option<&(SurfaceId, TextField)>, changed: bool) {
        let wanted = wanted.filter(|(surface, _)| self.entered == Some(*surface));
        let Some((surface, field)) = wanted else {
            if self.enabled.take().is_some() {
                self.wl.disable();
                self.wl.commit();
            }
            return;
        };
        let fresh = self.enabled != Some((*surface, field.field));
        if !fresh && !changed {
            return;
        }
        if fresh {
            // Enabling again makes the input method forget what it was composing for the field before.
            if self.enabled.is_some() {
                self.wl.disable();
                self.wl.commit();
            }
            self.wl.enable();
            self.enabled = Some((*surface, field.field));
        }
        let (text, cursor, anchor) = surrounding(&field.text, field.cursor, field.anchor);
        let int = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        self.wl
            .set_surrounding_text(words::text(text).into_owned(), int(cursor), int(anchor));
        let cause = if field.by_input_method {
            ChangeCause::InputMethod
        } else {
            ChangeCause::Other
        };
        self.wl.set_text_change_cause(cause);
        self.wl
            .set_content_type(hints(field), purpose(field.purpose));
        self.wl.set_cursor_rectangle(
            field.caret.x,
            field.caret.y,
            field.caret.width,
            field.caret.height,
        );
        self.wl.commit();
    }
}

impl Drop for TextInput {
    fn drop(&mut self) {
        self.wl.destroy();
    }
}

fn hints(field: &TextField) -> ContentHint {
    let mut hints = ContentHint::None;
    hints.set(ContentHint::Multiline, field.hints.multiline);
    hints.set(ContentHint::Spellcheck, field.hints.spellcheck);
    if field.purpose == TextPurpose::Password {
        hints |= ContentHint::HiddenText | ContentHint::SensitiveData;
    }
    hints
}

fn purpose(purpose: TextPurpose) -> ContentPurpose {
    match purpose {
        TextPurpose::Normal => ContentPurpose::Normal,
        TextPurpose::Digits => ContentPurpose::Digits,
        TextPurpose::Number => ContentPurpose::Number,
        TextPurpose::Phone => ContentPurpose::Phone,
        TextPurpose::Url => ContentPurpose::Url,
        TextPurpose::Email => ContentPurpose::Email,
        TextPurpose::Name => ContentPurpose::Name,
        TextPurpose::Password => ContentPurpose::Password,
        TextPurpose::Date => ContentPurpose::Date,
        TextPurpose::Time => ContentPurpose::Time,
        TextPurpose::DateTime => ContentPurpose::Datetime,
        TextPurpose::Terminal => ContentPurpose::Terminal,
    }
}

/// The part of the text around the caret that fits the protocol, with positions in it, all on character boundaries.
fn surrounding(text: &str, cursor: usize, anchor: usize) -> (&str, usize, usize) {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (cursor, anchor) = (floor(cursor), floor(anchor));
    if text.len() <= MAX_SURROUNDING {
        return (text, cursor, anchor);
    }
    let mut start = cursor.saturating_sub(MAX_SURROUNDING / 2);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let end = floor(start + MAX_SURROUNDING);
    (
        &text[start..end],
        cursor - start,
        anchor.clamp(start, end) - start,
    )
}

impl Platform {
    /// The field that has the caret on `id`, now or changed; `None`: no field has it.
    pub fn set_text_input(&mut self, id: SurfaceId, field: Option<TextField>) {
        let wanted = match field {
            Some(field) => Some((id, field)),
            None if self
                .text_inputs
                .wanted
                .as_ref()
                .is_some_and(|(on, _)| *on == id) =>
            {
                None
            }
            None => return,
        };
        if self.text_inputs.wanted != wanted {
            self.text_inputs.wanted = wanted;
            self.text_inputs.changed = true;
        }
    }

    /// Send what changed to the input methods.
    pub(super) fn sync_text_input(&mut self) {
        let changed = std::mem::take(&mut self.text_inputs.changed);
        for seat in self.seats.iter_mut() {
            if let Some(input) = &mut seat.text_input {
                input.sync(self.text_inputs.wanted.as_ref(), changed);
            }
        }
    }
}

struct OfSeat(SeatId);

impl Dispatch2<ZwpTextInputV3, Runtime> for OfSeat {
    fn event(
        &self,
        runtime: &mut Runtime,
        _: &ZwpTextInputV3,
        event: zwp_text_input_v3::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        use zwp_text_input_v3::Event;
        let platform = &mut runtime.platform;
        let Some(input) = platform
            .seats
            .find(|seat| seat.id == self.0)
            .and_then(|seat| seat.text_input.as_mut())
        else {
            return;
        };
        match event {
            Event::Enter { surface } => input.entered = surface_id(&surface),
            Event::Leave { .. } => {
                // The compositor has disabled it already; a preedit on screen is void.
                let enabled = input.enabled.take();
                input.entered = None;
                input.pending = TextEdit::default();
                if let Some((id, _)) = enabled {
                    platform
                        .notices
                        .push(Notice::Input(id, InputEvent::Text(TextEdit::default())));
                }
            }
            Event::PreeditString {
                text,
                cursor_begin,
                cursor_end,
            } => {
                input.pending.preedit = text
                    .filter(|text| !text.is_empty())
                    .map(|text| preedit(text, cursor_begin, cursor_end));
            }
            Event::CommitString { text } => {
                input.pending.commit = text.filter(|text| !text.is_empty())
            }
            Event::DeleteSurroundingText {
                before_length,
                after_length,
            } => {
                input.pending.delete = (before_length, after_length);
            }
            Event::Done { .. } => {
                let edit = std::mem::take(&mut input.pending);
                if let Some((id, _)) = input.enabled {
                    platform
                        .notices
                        .push(Notice::Input(id, InputEvent::Text(edit)));
                }
            }
            _ => {}
        }
    }
}

fn preedit(text: String, begin: i32, end: i32) -> Preedit {
    let at = |n: i32| {
        usize::try_from(n)
            .ok()
            .filter(|n| text.is_char_boundary(*n))
    };
    let cursor = at(begin).zip(at(end)).map(|(a, b)| (a.min(b), a.max(b)));
    Preedit { text, cursor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_around_the_caret_on_characters() {
        let text = "ä".repeat(5000);
        let (part, cursor, anchor) = surrounding(&text, 6000, 0);
        assert!(part.len() <= MAX_SURROUNDING && part.chars().all(|c| c == 'ä'));
        assert_eq!((cursor, anchor), (2000, 0));
        let (part, cursor, _) = surrounding(&text, text.len(), text.len());
        assert_eq!(cursor, part.len());
    }

    #[test]
    fn positions_inside_a_character_do_not_panic() {
        assert_eq!(surrounding("aäb", 2, 99), ("aäb", 1, 4));
        assert_eq!(preedit("ä".into(), 1, 2).cursor, None);
        assert_eq!(preedit("ab".into(), 2, 0).cursor, Some((0, 2)));
        assert_eq!(preedit("ab".into(), -1, -1).cursor, None);
    }

    #[test]
    fn a_password_is_marked_as_one() {
        let field = TextField {
            purpose: TextPurpose::Password,
            ..TextField::default()
        };
        assert!(hints(&field).contains(ContentHint::SensitiveData));
    }
}
