use crate::desk::*;
use ede::wayland::*;
use ede_tests::compositor::{Global, Globals, LEFT, OutputSpec, Request, SurfaceView};

fn place(x: i32) -> PopupPlace {
    PopupPlace {
        anchor_rect: Rect::new(x, 0, 60, 40),
        anchor: Edges::BOTTOM,
        gravity: Edges::BOTTOM,
        offset: (0, 4),
        size: Size::new(160, 100),
        constraint: Constraint::default(),
    }
}

fn press(desk: &mut Desk, view: &SurfaceView, x: f64) -> Serial {
    desk.take_told();
    desk.compositor
        .pointer()
        .motion(view.id, x, 20.0)
        .click(LEFT);
    desk.told("a press", |told| match told {
        Told::Input(_, InputEvent::Pointer(PointerEvent::Press { serial, .. })) => Some(*serial),
        _ => None,
    })
}

fn open(desk: &mut Desk, parent: SurfaceId, x: i32, serial: Option<Serial>) -> SurfaceId {
    let spec = PopupSpec {
        parent,
        place: place(x),
        frame: Insets::default(),
        grab: serial,
    };
    desk.with(|_, platform| platform.create_popup(spec))
        .unwrap()
}

fn popup_count(desk: &mut Desk, count: usize) -> Vec<SurfaceView> {
    desk.until("so many popups", |scene| {
        (scene.popups().count() == count).then(|| scene.popups().cloned().collect())
    })
}

#[test]
fn popups_a_b_a_open_without_an_error() {
    for globals in [Globals::all(), Globals::sway_1_7()] {
        let probe = Probe::with_panels();
        let mut desk = Desk::new(globals, &[OutputSpec::new("A-1", 800, 600)], probe);
        let panel_view = desk.panel_shown();
        let panel = desk.panel_id();
        for x in [100, 400, 100, 400, 100] {
            let serial = press(&mut desk, &panel_view, f64::from(x));
            let popup = open(&mut desk, panel, x, Some(serial));
            let views = popup_count(&mut desk, 1);
            assert!(views[0].popup().unwrap().grabs);
            // Pressing on means: the press itself dismisses it, before the next one opens.
            assert!(desk.with(|_, platform| platform.size(popup)).is_some());
        }
    }
}

#[test]
fn opening_a_second_popup_without_closing_the_first_is_in_order_too() {
    let mut desk = Desk::panel();
    let panel_view = desk.panel_shown();
    let panel = desk.panel_id();
    let serial = press(&mut desk, &panel_view, 100.0);
    let first = open(&mut desk, panel, 100, Some(serial));
    popup_count(&mut desk, 1);
    let second = open(&mut desk, panel, 400, Some(serial));
    desk.told("the first gone", |told| {
        (*told == Told::Closed(first, CloseReason::Dismissed)).then_some(())
    });
    popup_count(&mut desk, 1);
    let third = open(&mut desk, second, 10, Some(serial));
    popup_count(&mut desk, 2);
    // The parent goes: the child first.
    desk.take_told();
    desk.with(|_, platform| platform.destroy(second));
    popup_count(&mut desk, 0);
    assert!(
        desk.take_told()
            .contains(&Told::Closed(third, CloseReason::Parent))
    );
}

#[test]
fn a_press_on_our_own_surface_dismisses_and_says_so() {
    let mut desk = Desk::panel();
    let panel_view = desk.panel_shown();
    let panel = desk.panel_id();
    let serial = press(&mut desk, &panel_view, 100.0);
    let popup = open(&mut desk, panel, 100, Some(serial));
    popup_count(&mut desk, 1);
    desk.take_told();
    desk.compositor
        .pointer()
        .motion(panel_view.id, 100.0, 20.0)
        .press(LEFT);
    desk.told("the press", |told| match told {
        Told::Input(
            id,
            InputEvent::Pointer(PointerEvent::Press {
                dismissed: true, ..
            }),
        ) if *id == panel => Some(()),
        _ => None,
    });
    let told = desk.take_told();
    let closed = told
        .iter()
        .position(|t| *t == Told::Closed(popup, CloseReason::Dismissed));
    let pressed = told.iter().position(|t| {
        matches!(
            t,
            Told::Input(_, InputEvent::Pointer(PointerEvent::Press { .. }))
        )
    });
    assert!(closed.is_some() && closed < pressed);
    popup_count(&mut desk, 0);
}

#[test]
fn a_press_inside_keeps_a_popup_and_a_touch_outside_does_not() {
    let mut desk = Desk::panel();
    let panel_view = desk.panel_shown();
    let panel = desk.panel_id();
    let serial = press(&mut desk, &panel_view, 100.0);
    open(&mut desk, panel, 100, Some(serial));
    let popup_view = popup_count(&mut desk, 1).remove(0);
    press(&mut desk, &popup_view, 10.0);
    desk.settle();
    popup_count(&mut desk, 1);
    desk.compositor
        .touch()
        .down(1, panel_view.id, 300.0, 10.0)
        .up(1);
    popup_count(&mut desk, 0);
}

#[test]
fn the_compositor_may_end_a_popup() {
    let mut desk = Desk::panel();
    let panel_view = desk.panel_shown();
    let panel = desk.panel_id();
    let serial = press(&mut desk, &panel_view, 100.0);
    let popup = open(&mut desk, panel, 100, Some(serial));
    let view = popup_count(&mut desk, 1).remove(0);
    desk.compositor.dismiss_popup(view.id);
    desk.told("the end", |told| {
        (*told == Told::Closed(popup, CloseReason::Dismissed)).then_some(())
    });
    desk.settle();
}

#[test]
fn a_popup_moves_and_grows_while_it_is_open() {
    for globals in [Globals::all(), Globals::all().at(Global::XdgShell, 2)] {
        let probe = Probe::with_panels();
        let mut desk = Desk::new(globals, &[OutputSpec::new("A-1", 800, 600)], probe);
        let panel_view = desk.panel_shown();
        let panel = desk.panel_id();
        let serial = press(&mut desk, &panel_view, 100.0);
        let popup = open(&mut desk, panel, 100, Some(serial));
        let before = popup_count(&mut desk, 1).remove(0);
        let next = PopupPlace {
            size: Size::new(220, 300),
            ..place(400)
        };
        assert!(desk.with(|_, platform| platform.reposition(popup, next)));
        let after = desk.until("the new place", |scene| {
            scene
                .popup()
                .filter(|view| view.size == (220, 300))
                .cloned()
        });
        assert!(after.popup().unwrap().place.x > before.popup().unwrap().place.x);
        assert_eq!(
            desk.with(|_, platform| platform.size(popup)),
            Some(Size::new(220, 300))
        );
        assert_eq!(desk.compositor.scene().popups().count(), 1);
    }
}

#[test]
fn a_tooltip_takes_no_grab_and_gives_way_to_a_menu() {
    let mut desk = Desk::panel();
    let panel_view = desk.panel_shown();
    let panel = desk.panel_id();
    let tooltip = open(&mut desk, panel, 300, None);
    popup_count(&mut desk, 1);
    assert!(
        !desk
            .compositor
            .take_requests()
            .iter()
            .any(|r| matches!(r, Request::PopupGrab(_)))
    );
    let serial = press(&mut desk, &panel_view, 100.0);
    popup_count(&mut desk, 0);
    assert!(desk.with(|_, platform| platform.size(tooltip)).is_none());
    open(&mut desk, panel, 100, Some(serial));
    let views = popup_count(&mut desk, 1);
    assert!(views[0].popup().unwrap().grabs);
}

#[test]
fn a_popup_stands_on_a_framed_window_where_it_was_asked_to() {
    let mut desk = Desk::empty();
    let (window, view) = desk.window(ToplevelSpec {
        decorations: Decorations::Client,
        ..window_spec()
    });
    desk.with(|_, platform| platform.set_frame(window, Insets::all(20)));
    let view = desk.until("the frame", |scene| {
        scene
            .surface(view.id)
            .filter(|v| v.size == (340, 240))
            .cloned()
    });
    let serial = press(&mut desk, &view, 60.0);
    let spec = PopupSpec {
        parent: window,
        place: PopupPlace {
            anchor_rect: Rect::new(50, 60, 10, 10),
            anchor: Edges::TOP.and(Edges::LEFT),
            gravity: Edges::BOTTOM.and(Edges::RIGHT),
            offset: (0, 0),
            ..place(0)
        },
        frame: Insets::all(5),
        grab: Some(serial),
    };
    desk.with(|_, platform| platform.create_popup(spec))
        .unwrap();
    let popup = popup_count(&mut desk, 1).remove(0);
    // In the window's own coordinates, without its frame.
    assert_eq!(
        (
            popup.popup().unwrap().place.x,
            popup.popup().unwrap().place.y
        ),
        (30, 40)
    );
    assert_eq!(popup.size, (170, 110));
}

#[test]
fn a_popup_may_be_anchored_outside_of_its_parent() {
    let mut desk = Desk::panel();
    let panel_view = desk.panel_shown();
    let panel = desk.panel_id();
    let serial = press(&mut desk, &panel_view, 100.0);
    let corner = Edges::TOP.and(Edges::LEFT);
    let below = PopupPlace {
        anchor_rect: Rect::new(120, 300, 1, 1),
        anchor: corner,
        gravity: Edges::BOTTOM.and(Edges::RIGHT),
        offset: (0, 0),
        ..place(0)
    };
    let spec = PopupSpec {
        parent: panel,
        place: below,
        frame: Insets::default(),
        grab: Some(serial),
    };
    desk.with(|_, platform| platform.create_popup(spec))
        .unwrap();
    let view = popup_count(&mut desk, 1).remove(0);
    let popup = view.popup().unwrap();
    assert_eq!((popup.place.x, popup.place.y), (120, 300));
}
