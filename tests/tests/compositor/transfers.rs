//! Clipboard, primary selection, drag and drop.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use ede_tests::client::{Client, Plain};
use ede_tests::compositor::{Compositor, FaultKind, LEFT, Request, SurfaceId, Transfer};
use wayland_client::protocol::wl_data_device::{self, WlDataDevice};
use wayland_client::protocol::wl_data_device_manager::{DndAction, WlDataDeviceManager};
use wayland_client::protocol::wl_data_offer::WlDataOffer;
use wayland_client::protocol::wl_data_source::{self, WlDataSource};
use wayland_client::protocol::wl_pointer::WlPointer;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_protocols::wp::primary_selection::zv1::client::zwp_primary_selection_device_manager_v1::ZwpPrimarySelectionDeviceManagerV1;
use wayland_protocols::wp::primary_selection::zv1::client::zwp_primary_selection_device_v1;
use wayland_protocols::wp::primary_selection::zv1::client::zwp_primary_selection_source_v1;

use crate::{assert_fault, desk};

const TEXT: &str = "text/plain;charset=utf-8";

/// A focused window that is pressed, with a data device.
struct Desk {
    compositor: Compositor,
    client: Client,
    window: ede_tests::client::Window,
    id: SurfaceId,
    manager: WlDataDeviceManager,
    device: WlDataDevice,
    pointer: WlPointer,
    press: u32,
}

fn pressed() -> Desk {
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    let pointer = seat.get_pointer(&client.handle(), Plain);
    let manager: WlDataDeviceManager = client.bind(3);
    let device = manager.get_data_device(&seat, &client.handle(), Plain);
    let window = client.show_toplevel("Window", "app", (300, 200));
    let id = compositor.scene().toplevel("app").unwrap().id;
    compositor.pointer().motion(id, 20.0, 20.0).press(LEFT);
    client.roundtrip();
    let press = crate::input::last_press(client.take(&pointer)).unwrap();
    client.take(&device);
    Desk {
        compositor,
        client,
        window,
        id,
        manager,
        device,
        pointer,
        press,
    }
}

impl Desk {
    fn source(&self, mimes: &[&str]) -> WlDataSource {
        let source = self
            .manager
            .create_data_source(&self.client.handle(), Plain);
        mimes
            .iter()
            .for_each(|mime| source.offer((*mime).to_owned()));
        source
    }

    /// Answer the compositor's wish for data, then read what arrived there.
    fn answer(&mut self, source: &WlDataSource, content: &[u8], transfer: &Transfer) -> Vec<u8> {
        self.client.roundtrip();
        for event in self.client.take(source) {
            if let wl_data_source::Event::Send { fd, .. } = event {
                File::from(fd).write_all(content).unwrap();
            }
        }
        transfer.wait(Duration::from_secs(20)).unwrap()
    }

    /// Read a type from an offer.
    fn read(&self, offer: &WlDataOffer, mime: &str) -> String {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let writer = OwnedFd::from(writer);
        offer.receive(mime.into(), writer.as_fd());
        self.client.flush();
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        text
    }
}

#[test]
fn what_the_client_copies_can_be_pasted_elsewhere() {
    let mut desk = pressed();
    let source = desk.source(&[TEXT, "text/plain"]);
    desk.device.set_selection(Some(&source), desk.press);
    desk.client.roundtrip();
    assert_eq!(
        desk.compositor.scene().clipboard,
        Some(vec![TEXT.to_owned(), "text/plain".to_owned()])
    );
    let transfer = desk.compositor.paste(TEXT).unwrap();
    assert_eq!(desk.answer(&source, b"copied", &transfer), b"copied");
    desk.compositor.copy(&[(TEXT, b"another program")]);
    desk.client.roundtrip();
    assert!(matches!(
        desk.client.take(&source)[..],
        [wl_data_source::Event::Cancelled]
    ));
}

#[test]
fn what_another_program_copied_is_offered_to_the_focus() {
    let mut desk = pressed();
    let long = "0123456789".repeat(20_000);
    desk.compositor.copy(&[(TEXT, long.as_bytes())]);
    desk.client.roundtrip();
    let events = desk.client.take(&desk.device);
    let [
        wl_data_device::Event::DataOffer { id: offer },
        wl_data_device::Event::Selection { id: Some(selected) },
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(offer, selected);
    assert!(
        desk.read(offer, TEXT) == long,
        "more than a pipe holds arrives whole"
    );
}

#[test]
fn a_selection_without_an_input_event_is_refused_and_noted() {
    let mut desk = pressed();
    let source = desk.source(&[TEXT]);
    desk.device.set_selection(Some(&source), 0);
    assert_fault(&desk.compositor, &mut desk.client, FaultKind::StaleSerial);
    assert_eq!(desk.compositor.scene().clipboard, None);
}

#[test]
fn the_primary_selection_goes_both_ways() {
    let mut desk = pressed();
    let manager: ZwpPrimarySelectionDeviceManagerV1 = desk.client.bind(1);
    let device = manager.get_device(&desk.client.bind(5), &desk.client.handle(), Plain);
    let source = manager.create_source(&desk.client.handle(), Plain);
    source.offer(TEXT.into());
    device.set_selection(Some(&source), desk.press);
    desk.client.roundtrip();
    let transfer = desk.compositor.paste_primary(TEXT).unwrap();
    desk.client.roundtrip();
    for event in desk.client.take(&source) {
        if let zwp_primary_selection_source_v1::Event::Send { fd, .. } = event {
            File::from(fd).write_all(b"selected").unwrap();
        }
    }
    desk.client.take(&device);
    desk.compositor.select(&[(TEXT, b"elsewhere")]);
    desk.client.roundtrip();
    let events = desk.client.take(&device);
    assert!(matches!(
        events[..],
        [
            zwp_primary_selection_device_v1::Event::DataOffer { .. },
            zwp_primary_selection_device_v1::Event::Selection { id: Some(_) }
        ]
    ));
    assert_eq!(
        desk.compositor.take_requests(),
        [Request::SetPrimarySelection(Some(vec![TEXT.into()]))]
    );
    assert_eq!(transfer.wait(Duration::from_secs(20)).unwrap(), b"selected");
}

#[test]
fn a_file_dragged_in_is_accepted_and_dropped() {
    use wl_data_device::Event as E;
    let mut desk = pressed();
    desk.compositor.pointer().release(LEFT);
    desk.compositor
        .drag(&[("text/uri-list", b"file:///tmp/a%20b\r\n")]);
    desk.compositor
        .pointer()
        .motion(desk.id, 50.0, 60.0)
        .motion(desk.id, 51.0, 60.0);
    desk.client.roundtrip();
    let events = desk.client.take(&desk.device);
    let [
        E::DataOffer { id: offer },
        E::Enter {
            serial, x: 50.0, ..
        },
        E::Motion { x: 51.0, .. },
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    offer.accept(*serial, Some("text/uri-list".into()));
    offer.set_actions(DndAction::Copy, DndAction::Copy);
    desk.client.roundtrip();
    desk.compositor.pointer().release(LEFT);
    desk.client.roundtrip();
    assert!(matches!(
        desk.client.take(&desk.device)[..],
        [E::Drop, E::Leave]
    ));
    assert_eq!(desk.read(offer, "text/uri-list"), "file:///tmp/a%20b\r\n");
    offer.finish();
    desk.client.roundtrip();
    assert_eq!(
        desk.compositor.take_requests(),
        [
            Request::DragAccept(Some("text/uri-list".into())),
            Request::DragFinished
        ]
    );
    assert!(!desk.compositor.scene().dragging);
}

#[test]
fn a_drag_nobody_accepts_only_leaves() {
    use wl_data_device::Event as E;
    let mut desk = pressed();
    desk.compositor.pointer().release(LEFT);
    desk.compositor.drag(&[("text/uri-list", b"")]);
    desk.compositor
        .pointer()
        .motion(desk.id, 50.0, 60.0)
        .release(LEFT);
    desk.client.roundtrip();
    assert!(matches!(
        desk.client.take(&desk.device)[..],
        [E::DataOffer { .. }, E::Enter { .. }, E::Leave]
    ));
}

#[test]
fn a_drag_out_of_the_client_is_taken_by_another_program() {
    use wl_data_source::Event as E;
    let mut desk = pressed();
    let source = desk.source(&[TEXT]);
    source.set_actions(DndAction::Copy);
    let icon = desk.client.surface();
    desk.device
        .start_drag(Some(&source), &desk.window.surface, Some(&icon), desk.press);
    desk.client.roundtrip();
    assert_eq!(
        desk.compositor.take_requests(),
        [Request::StartDrag(desk.id, vec![TEXT.into()])]
    );
    assert!(desk.compositor.scene().dragging);
    let transfer = desk.compositor.drop_outside(TEXT).unwrap();
    desk.client.roundtrip();
    let mut names = Vec::new();
    for event in desk.client.take(&source) {
        names.push(match event {
            E::Target { .. } => "target",
            E::Action { .. } => "action",
            E::DndDropPerformed => "performed",
            E::Send { fd, .. } => {
                File::from(fd).write_all(b"dragged").unwrap();
                "send"
            }
            E::DndFinished => "finished",
            _ => "unexpected",
        });
    }
    assert_eq!(names, ["target", "action", "performed", "send", "finished"]);
    assert_eq!(transfer.wait(Duration::from_secs(20)).unwrap(), b"dragged");
}

#[test]
fn a_drag_needs_a_press_and_can_be_given_up() {
    let mut desk = pressed();
    let source = desk.source(&[TEXT]);
    desk.device
        .start_drag(Some(&source), &desk.window.surface, None, 0);
    assert_fault(&desk.compositor, &mut desk.client, FaultKind::StaleSerial);
    desk.device
        .start_drag(Some(&source), &desk.window.surface, None, desk.press);
    desk.client.roundtrip();
    let left = desk.client.take(&desk.pointer);
    assert!(left.iter().any(|event| matches!(
        event,
        wayland_client::protocol::wl_pointer::Event::Leave { .. }
    )));
    desk.compositor.cancel_drag();
    desk.client.roundtrip();
    assert!(matches!(
        desk.client.take(&source)[..],
        [wl_data_source::Event::Cancelled]
    ));
}
