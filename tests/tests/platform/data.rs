use crate::desk::*;
use ede::wayland::*;
use ede_tests::compositor::{
    Capability, Global, Globals, LEFT, OutputSpec, Request, SurfaceView, Transfer,
};

/// A window with pointer and keys on it and one press behind it.
fn pressed() -> (Desk, SurfaceId, SurfaceView, Serial) {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(window_spec());
    desk.compositor.keyboard().focus(Some(view.id));
    desk.compositor
        .pointer()
        .motion(view.id, 10.0, 10.0)
        .press(LEFT);
    let serial = desk.told("a press", |told| match told {
        Told::Input(_, InputEvent::Pointer(PointerEvent::Press { serial, .. })) => Some(*serial),
        _ => None,
    });
    (desk, id, view, serial)
}

fn arrive(desk: &mut Desk, transfer: &Transfer) -> Vec<u8> {
    desk.until("the bytes elsewhere", |_| transfer.arrived())
}

fn read(desk: &mut Desk, id: TransferId) -> Result<Vec<u8>, TransferError> {
    desk.told("the bytes here", |told| match told {
        Told::Transferred(transfer, result) if *transfer == id => Some(result.clone()),
        _ => None,
    })
}

#[test]
fn what_is_copied_here_is_pasted_elsewhere_whole() {
    let (mut desk, _, _, _) = pressed();
    // More than a pipe holds.
    let long = "ä€".repeat(100_000);
    assert!(desk.with(|_, platform| platform.set_clipboard(Payload::text(&long))));
    desk.until("the selection", |scene| scene.clipboard.clone());
    let transfer = desk.compositor.paste("text/plain;charset=utf-8").unwrap();
    assert!(arrive(&mut desk, &transfer) == long.as_bytes());
    let unknown = desk.compositor.paste("image/png").unwrap();
    assert_eq!(arrive(&mut desk, &unknown), b"");
}

#[test]
fn what_is_copied_elsewhere_is_pasted_here() {
    let (mut desk, _, _, _) = pressed();
    assert_eq!(desk.with(|_, platform| platform.read_clipboard(&[])), None);
    let long = vec![b'x'; 300_000];
    desk.compositor
        .copy(&[("text/html", b"<b>"), ("text/plain", &long)]);
    desk.settle();
    assert_eq!(
        desk.with(|_, platform| platform.clipboard_mimes()),
        ["text/html", "text/plain"]
    );
    let id = desk
        .with(|_, platform| platform.read_clipboard(&[]))
        .unwrap();
    assert!(read(&mut desk, id) == Ok(long));
    let id = desk
        .with(|_, platform| platform.read_clipboard(&["image/png", "text/html"]))
        .unwrap();
    assert_eq!(read(&mut desk, id), Ok(b"<b>".to_vec()));
}

#[test]
fn pasting_what_was_copied_here_does_not_block() {
    let (mut desk, _, _, _) = pressed();
    let long = "z".repeat(500_000);
    desk.with(|_, platform| platform.set_clipboard(Payload::text(&long)));
    desk.settle();
    let id = desk
        .with(|_, platform| platform.read_clipboard(&[]))
        .unwrap();
    assert!(read(&mut desk, id) == Ok(long.into_bytes()));
}

#[test]
fn the_primary_selection_works_both_ways() {
    let (mut desk, _, _, _) = pressed();
    assert!(desk.with(|_, platform| platform.set_primary(Payload::text("marked"))));
    desk.until("the selection", |scene| scene.primary.clone());
    let transfer = desk.compositor.paste_primary("UTF8_STRING").unwrap();
    assert_eq!(arrive(&mut desk, &transfer), b"marked");
    desk.compositor.select(&[("text/plain", b"theirs")]);
    desk.settle();
    let id = desk.with(|_, platform| platform.read_primary(&[])).unwrap();
    assert_eq!(read(&mut desk, id), Ok(b"theirs".to_vec()));
}

#[test]
fn nothing_is_copied_before_anybody_has_pressed_anything() {
    let mut desk = Desk::empty();
    desk.window(window_spec());
    assert!(!desk.with(|_, platform| platform.set_clipboard(Payload::text("x"))));
    let mut bare = Desk::new(
        Globals::all().without(ede_tests::compositor::Global::DataDevice),
        &[OutputSpec::new("A-1", 800, 600)],
        Probe::default(),
    );
    assert!(!bare.with(|_, platform| platform.set_clipboard(Payload::text("x"))));
    assert!(!bare.with(|_, platform| platform.capabilities().clipboard));
}

#[test]
fn a_seat_that_goes_takes_the_clipboard_with_it_quietly() {
    let (mut desk, _, _, _) = pressed();
    desk.with(|_, platform| platform.set_clipboard(Payload::text("x")));
    desk.compositor.set_capabilities(Capability::empty());
    desk.settle();
    desk.compositor
        .set_capabilities(Capability::Pointer | Capability::Keyboard | Capability::Touch);
    desk.settle();
}

#[test]
fn a_drag_from_here_is_taken_elsewhere() {
    let (mut desk, id, _, serial) = pressed();
    let payload = Payload::text("dragged").with("text/uri-list", b"file:///a\r\n");
    let icon = desk
        .with(|_, platform| {
            platform.start_drag(
                id,
                payload,
                DragActions::COPY,
                serial,
                Some(Size::new(64, 32)),
            )
        })
        .unwrap();
    assert!(icon.is_some());
    desk.until("the icon", |scene| {
        scene
            .surfaces
            .iter()
            .find(|view| view.buffer_size == (64, 32))
            .map(|_| ())
    });
    desk.until("the drag", |scene| scene.dragging.then_some(()));
    let transfer = desk.compositor.drop_outside("text/uri-list").unwrap();
    assert_eq!(arrive(&mut desk, &transfer), b"file:///a\r\n");
    desk.told("the end", |told| {
        (*told == Told::DragEnded(true)).then_some(())
    });
    assert!(
        desk.with(|_, platform| platform.size(icon.unwrap()))
            .is_none()
    );
}

#[test]
fn a_drag_nobody_tells_the_end_of_is_over_when_the_pointer_is_back() {
    let globals = Globals::all().at(Global::DataDevice, 2);
    let mut desk = Desk::new(
        globals,
        &[OutputSpec::new("A-1", 800, 600)],
        Probe::default(),
    );
    let (id, view) = desk.window(window_spec());
    desk.compositor
        .pointer()
        .motion(view.id, 20.0, 10.0)
        .press(LEFT);
    let serial = desk.told("a press", |told| match told {
        Told::Input(_, InputEvent::Pointer(PointerEvent::Press { serial, .. })) => Some(*serial),
        _ => None,
    });
    let icon = desk
        .with(|_, platform| {
            let size = Some(Size::new(64, 32));
            platform.start_drag(id, Payload::text("x"), DragActions::COPY, serial, size)
        })
        .unwrap()
        .unwrap();
    desk.until("the drag", |scene| scene.dragging.then_some(()));
    desk.compositor.drop_outside("text/plain");
    desk.compositor
        .pointer()
        .leave()
        .motion(view.id, 30.0, 10.0);
    desk.told("the end", |told| {
        (*told == Told::DragEnded(false)).then_some(())
    });
    assert_eq!(desk.with(|_, platform| platform.size(icon)), None);
}

#[test]
fn a_drag_that_is_given_up_ends_too() {
    let (mut desk, id, _, serial) = pressed();
    desk.with(|_, platform| {
        platform.start_drag(id, Payload::text("x"), DragActions::COPY, serial, None)
    })
    .unwrap();
    desk.until("the drag", |scene| scene.dragging.then_some(()));
    desk.compositor.cancel_drag();
    desk.told("the end", |told| {
        (*told == Told::DragEnded(false)).then_some(())
    });
}

#[test]
fn what_is_dropped_here_can_be_read() {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(window_spec());
    desk.compositor
        .drag(&[("text/uri-list", b"file:///b\r\n"), ("text/plain", b"b")]);
    desk.compositor.pointer().motion(view.id, 30.0, 40.0);
    let mut mimes = desk.told("the drag", |told| match told {
        Told::Input(on, InputEvent::Drag(DragEvent::Enter { mimes, .. })) if *on == id => {
            Some(mimes.clone())
        }
        _ => None,
    });
    mimes.sort();
    assert_eq!(mimes, ["text/plain", "text/uri-list"]);
    desk.with(|_, platform| platform.accept_drop(Some("text/uri-list"), DragActions::COPY));
    desk.until("the answer", |scene| {
        scene
            .requests
            .contains(&Request::DragAccept(Some("text/uri-list".into())))
            .then_some(())
    });
    desk.settle();
    desk.with(|probe, _| probe.read_drops = true);
    desk.compositor
        .pointer()
        .motion(view.id, 31.0, 40.0)
        .release(LEFT);
    let bytes = desk.told("the bytes", |told| match told {
        Told::Transferred(_, result) => Some(result.clone()),
        _ => None,
    });
    assert_eq!(bytes, Ok(b"file:///b\r\n".to_vec()));
    desk.until("the finish", |scene| {
        scene
            .requests
            .contains(&Request::DragFinished)
            .then_some(())
    });
}

#[test]
fn a_drop_nobody_reads_is_refused() {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(window_spec());
    for accept in [true, false] {
        desk.take_told();
        desk.compositor.drag(&[("text/plain", b"b")]);
        desk.compositor.pointer().motion(view.id, 30.0, 40.0);
        desk.told("the drag", |told| {
            matches!(told, Told::Input(on, InputEvent::Drag(DragEvent::Enter { .. })) if *on == id)
                .then_some(())
        });
        if accept {
            desk.with(|_, platform| platform.accept_drop(Some("text/plain"), DragActions::COPY));
        }
        desk.settle();
        desk.compositor.pointer().release(LEFT);
        desk.settle();
        desk.until("no drag", |scene| (!scene.dragging).then_some(()));
        assert!(
            !desk
                .take_told()
                .iter()
                .any(|told| matches!(told, Told::Transferred(..)))
        );
        desk.compositor.pointer().leave();
    }
}
