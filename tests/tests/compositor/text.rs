//! Text input: the client's half of an input method.

use ede_tests::client::Plain;
use ede_tests::compositor::{Rect, TextInputState};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_protocols::wp::text_input::zv3::client::zwp_text_input_manager_v3::ZwpTextInputManagerV3;
use wayland_protocols::wp::text_input::zv3::client::zwp_text_input_v3::{
    self, ContentHint, ContentPurpose,
};

use crate::desk;

#[test]
fn a_field_tells_its_text_and_gets_what_was_composed() {
    use zwp_text_input_v3::Event as E;
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    let manager: ZwpTextInputManagerV3 = client.bind(1);
    let field = manager.get_text_input(&seat, &client.handle(), Plain);
    client.show_toplevel("Window", "app", (300, 200));
    assert!(matches!(client.take(&field)[..], [E::Enter { .. }]));
    compositor.input_method().commit("nobody listens");
    field.enable();
    field.set_surrounding_text("caf".into(), 3, 3);
    field.set_content_type(ContentHint::Multiline, ContentPurpose::Normal);
    field.set_cursor_rectangle(10, 20, 2, 16);
    field.commit();
    client.roundtrip();
    assert_eq!(
        compositor.scene().text_input,
        Some(TextInputState {
            enabled: true,
            surrounding: Some(("caf".into(), 3, 3)),
            content: (0x200, 0),
            cursor: Some(Rect::new(10, 20, 2, 16)),
            commits: 1,
        })
    );
    compositor
        .input_method()
        .preedit("é", 2)
        .clear_preedit()
        .replace(1, 0, "fé");
    client.roundtrip();
    let events = client.take(&field);
    assert!(
        matches!(&events[..2], [E::PreeditString { text: Some(text), cursor_begin: 2, .. }, E::Done { serial: 1 }] if text == "é")
    );
    assert!(matches!(
        &events[2..4],
        [E::PreeditString { text: None, .. }, E::Done { .. }]
    ));
    assert!(matches!(
        &events[4..],
        [E::DeleteSurroundingText { before_length: 1, after_length: 0 }, E::CommitString { text: Some(text) }, E::Done { .. }] if text == "fé"
    ));
    field.disable();
    field.commit();
    client.roundtrip();
    assert_eq!(compositor.scene().text_input, None);
    compositor.keyboard().focus(None);
    client.roundtrip();
    assert!(matches!(client.take(&field)[..], [E::Leave { .. }]));
}
