use crate::desk::*;
use ede::wayland::*;
use ede_tests::compositor::{
    Capability, Global, Globals, LEFT, OutputSpec, RIGHT, Request, Scroll, SurfaceView,
};

fn keys(told: &[Told]) -> Vec<KeyEvent> {
    let key = |told: &Told| match told {
        Told::Input(_, InputEvent::Key(key)) => Some(key.clone()),
        _ => None,
    };
    told.iter().filter_map(key).collect()
}

fn typed(told: &[Told]) -> String {
    keys(told)
        .into_iter()
        .filter(|key| key.phase == KeyPhase::Pressed)
        .filter_map(|key| key.text)
        .collect()
}

/// A window with the keys.
fn focused() -> (Desk, SurfaceId, SurfaceView) {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(window_spec());
    desk.compositor.keyboard().focus(Some(view.id));
    desk.told("the focus", |told| {
        (*told == Told::Focus(id, true)).then_some(())
    });
    desk.take_told();
    (desk, id, view)
}

#[test]
fn the_pointer_comes_moves_presses_and_goes() {
    let mut desk = Desk::panel();
    let view = desk.panel_shown();
    let panel = desk.panel_id();
    desk.take_told();
    desk.compositor
        .pointer()
        .motion(view.id, 10.0, 5.0)
        .motion(view.id, 12.5, 6.0)
        .press(RIGHT)
        .release(RIGHT)
        .leave();
    desk.settle();
    let told = desk.take_told();
    let events: Vec<_> = told
        .iter()
        .filter_map(|told| match told {
            Told::Input(id, InputEvent::Pointer(event)) if *id == panel => Some(event),
            _ => None,
        })
        .collect();
    let at = Point { x: 12.5, y: 6.0 };
    assert!(
        matches!(events[0], PointerEvent::Enter { position } if *position == Point { x: 10.0, y: 5.0 }),
        "{events:?}"
    );
    assert!(
        events
            .iter()
            .any(|e| matches!(e, PointerEvent::Motion { position, .. } if *position == at))
    );
    assert!(events.iter().any(|e| matches!(e, PointerEvent::Press { button: Button::Right, position, dismissed: false, .. } if *position == at)));
    assert!(events.iter().any(|e| matches!(
        e,
        PointerEvent::Release {
            button: Button::Right,
            ..
        }
    )));
    assert_eq!(events.last(), Some(&&PointerEvent::Leave));
}

#[test]
fn a_wheel_and_two_fingers_scroll_differently() {
    let scrolls = |desk: &mut Desk| -> Vec<(ScrollAxis, ScrollAxis, ScrollSource)> {
        desk.settle();
        let told = desk.take_told();
        told.into_iter()
            .filter_map(|told| match told {
                Told::Input(
                    _,
                    InputEvent::Pointer(PointerEvent::Scroll {
                        horizontal,
                        vertical,
                        source,
                        ..
                    }),
                ) => Some((horizontal, vertical, source)),
                _ => None,
            })
            .collect()
    };
    for version in [9, 7, 5] {
        let probe = Probe::with_panels();
        let globals = Globals::all().at(Global::Seat, version);
        let mut desk = Desk::new(globals, &[OutputSpec::new("A-1", 800, 600)], probe);
        let view = desk.panel_shown();
        desk.compositor
            .pointer()
            .motion(view.id, 10.0, 5.0)
            .wheel(2);
        let wheel = scrolls(&mut desk);
        assert_eq!(wheel.len(), 1, "one frame, one scroll: {wheel:?}");
        assert_eq!(
            (wheel[0].1.steps120, wheel[0].2),
            (240, ScrollSource::Wheel),
            "seat {version}"
        );
        assert!(wheel[0].1.pixels > 0.0);
        let stroke = Scroll {
            vertical: 3.0,
            horizontal: -2.0,
            ..Scroll::default()
        };
        desk.compositor.pointer().scroll(stroke).scroll(Scroll {
            stop: true,
            ..Scroll::default()
        });
        let fingers = scrolls(&mut desk);
        assert_eq!(
            fingers[0].1,
            ScrollAxis {
                pixels: 3.0,
                steps120: 0,
                stop: false
            }
        );
        assert_eq!(fingers[0].0.pixels, -2.0);
        assert_eq!(fingers[0].2, ScrollSource::Finger);
        assert!(
            fingers.last().unwrap().1.stop,
            "inertia may begin: {fingers:?}"
        );
    }
}

#[test]
fn a_surface_has_its_cursor_from_the_moment_the_pointer_enters() {
    let mut desk = Desk::panel();
    let view = desk.panel_shown();
    let panel = desk.panel_id();
    desk.with(|_, platform| platform.set_cursor(panel, CursorShape::Text));
    desk.compositor.pointer().motion(view.id, 10.0, 5.0);
    // The numbers of the cursor-shape protocol: text 9, pointer 4.
    desk.until("the text cursor", |scene| {
        scene
            .requests
            .contains(&Request::CursorShape(9))
            .then_some(())
    });
    desk.with(|_, platform| platform.set_cursor(panel, CursorShape::Pointer));
    desk.until("the hand", |scene| {
        scene
            .requests
            .contains(&Request::CursorShape(4))
            .then_some(())
    });
}

#[test]
fn keys_come_with_meaning_text_and_modifiers() {
    let (mut desk, _, _) = focused();
    desk.compositor
        .keyboard()
        .text("aB")
        .tap("Return")
        .tap("ctrl+c");
    desk.settle();
    let told = desk.take_told();
    assert_eq!(typed(&told), "aB");
    let keys = keys(&told);
    let enter = keys
        .iter()
        .find(|key| key.keysym == Keysym::Return)
        .unwrap();
    assert_eq!(
        (enter.text.as_deref(), enter.phase),
        (None, KeyPhase::Pressed)
    );
    let copy = keys
        .iter()
        .find(|key| key.keysym == Keysym::c && key.phase == KeyPhase::Pressed)
        .unwrap();
    assert!(copy.modifiers.ctrl && copy.text.is_none() && copy.serial.is_some());
    assert!(
        keys.iter()
            .any(|key| key.phase == KeyPhase::Released && key.keysym == Keysym::a)
    );
}

#[test]
fn a_held_key_repeats_until_it_is_up_or_the_keys_go() {
    let (mut desk, id, view) = focused();
    desk.compositor.keyboard().repeat(200, 5).press("x");
    for _ in 0..3 {
        desk.told("a repeat", |told| match told {
            Told::Input(_, InputEvent::Key(key)) if key.phase == KeyPhase::Repeated => {
                assert_eq!(key.text.as_deref(), Some("x"));
                Some(())
            }
            _ => None,
        });
        desk.take_told();
    }
    desk.compositor.keyboard().release("x");
    desk.settle();
    desk.take_told();
    desk.compositor.keyboard().press("x");
    desk.told("the press", |told| {
        matches!(told, Told::Input(..)).then_some(())
    });
    desk.compositor.keyboard().focus(None);
    desk.told("the keys gone", |told| {
        (*told == Told::Focus(id, false)).then_some(())
    });
    desk.take_told();
    desk.settle();
    assert_eq!(keys(&desk.take_told()), []);
    desk.compositor.keyboard().release("x").focus(Some(view.id));
    desk.told("the keys back", |told| {
        (*told == Told::Focus(id, true)).then_some(())
    });
}

#[test]
fn a_keyboard_unplugged_with_a_key_down_ends_quietly_and_comes_back() {
    let (mut desk, id, view) = focused();
    for _ in 0..3 {
        desk.compositor.keyboard().repeat(100, 1).press("x");
        desk.told("the key", |told| {
            matches!(told, Told::Input(..)).then_some(())
        });
        desk.compositor.set_capabilities(Capability::Pointer);
        desk.told("the keys gone", |told| {
            (*told == Told::Focus(id, false)).then_some(())
        });
        desk.settle();
        desk.take_told();
        desk.compositor
            .set_capabilities(Capability::Pointer | Capability::Keyboard);
        desk.compositor.keyboard().release("x");
        desk.settle();
        desk.compositor.keyboard().focus(None).focus(Some(view.id));
        desk.told("the keys back", |told| {
            (*told == Told::Focus(id, true)).then_some(())
        });
        desk.take_told();
    }
}

#[test]
fn dead_keys_compose() {
    let (mut desk, _, _) = focused();
    desk.compositor.keyboard().layout("us", "intl");
    desk.settle();
    desk.compositor.keyboard().tap("dead_acute").tap("e");
    desk.settle();
    let told = desk.take_told();
    // Without the compose tables of the X11 locale data nothing composes: then nothing may be invented either.
    let tables = std::path::Path::new("/usr/share/X11/locale/compose.dir").exists();
    assert_eq!(
        typed(&told),
        if tables { "é" } else { "e" },
        "{:?}",
        keys(&told)
    );
}

#[test]
fn fingers_keep_their_numbers_and_a_gesture_takes_them_all() {
    let mut desk = Desk::panel();
    let view = desk.panel_shown();
    let panel = desk.panel_id();
    desk.take_told();
    desk.compositor
        .touch()
        .down(1, view.id, 10.0, 10.0)
        .down(2, view.id, 50.0, 10.0)
        .motion(2, 55.0, 12.0)
        .up(1)
        .cancel();
    desk.settle();
    let events: Vec<_> = desk
        .take_told()
        .into_iter()
        .filter_map(|told| match told {
            Told::Input(id, InputEvent::Touch(event)) if id == panel => Some(event),
            _ => None,
        })
        .collect();
    assert!(matches!(events[0], TouchEvent::Down { id: 1, .. }));
    assert!(matches!(events[1], TouchEvent::Down { id: 2, .. }));
    assert!(
        matches!(
            events[2],
            TouchEvent::Motion {
                id: 2,
                position: Point { x: 55.0, y: 12.0 },
                ..
            }
        ),
        "{events:?}"
    );
    assert!(matches!(events[3], TouchEvent::Up { id: 1, .. }));
    assert_eq!(events[4], TouchEvent::Cancel);
}

#[test]
fn an_input_method_edits_the_field_that_has_the_caret() {
    let (mut desk, id, _) = focused();
    let field = TextField {
        field: 1,
        caret: Rect::new(10, 20, 2, 16),
        text: "hello".into(),
        cursor: 5,
        anchor: 5,
        ..TextField::default()
    };
    desk.with(|_, platform| platform.set_text_input(id, Some(field.clone())));
    let state = desk.until("the field", |scene| scene.text_input.clone());
    assert_eq!(state.surrounding, Some(("hello".into(), 5, 5)));
    assert_eq!(
        state.cursor.map(|r| (r.x, r.y, r.width, r.height)),
        Some((10, 20, 2, 16))
    );
    let edit = |desk: &mut Desk| {
        let edit = desk.told("an edit", |told| match told {
            Told::Input(on, InputEvent::Text(edit)) if *on == id => Some(edit.clone()),
            _ => None,
        });
        desk.take_told();
        edit
    };
    desk.compositor.input_method().preedit("にほ", 6);
    assert_eq!(
        edit(&mut desk).preedit,
        Some(Preedit {
            text: "にほ".into(),
            cursor: Some((6, 6))
        })
    );
    desk.compositor.input_method().commit("日本");
    let committed = edit(&mut desk);
    assert_eq!(
        (committed.commit.as_deref(), committed.preedit),
        (Some("日本"), None)
    );
    desk.compositor.input_method().replace(5, 0, "hi");
    let replaced = edit(&mut desk);
    assert_eq!(
        (replaced.delete, replaced.commit.as_deref()),
        ((5, 0), Some("hi"))
    );
    desk.with(|_, platform| {
        platform.set_text_input(
            id,
            Some(TextField {
                text: "hi".into(),
                cursor: 2,
                anchor: 0,
                ..field
            }),
        )
    });
    desk.until("the new text", |scene| {
        scene
            .text_input
            .as_ref()
            .filter(|state| state.surrounding == Some(("hi".into(), 2, 0)))
            .map(|_| ())
    });
    desk.with(|_, platform| platform.set_text_input(id, None));
    desk.until("no field", |scene| scene.text_input.is_none().then_some(()));
}

#[test]
fn a_text_with_a_zero_in_it_is_told_with_its_positions() {
    let (mut desk, id, _) = focused();
    let field = TextField {
        text: "a\0b\nc".into(),
        cursor: 5,
        anchor: 2,
        ..TextField::default()
    };
    desk.with(|_, platform| platform.set_text_input(id, Some(field)));
    let state = desk.until("the field", |scene| scene.text_input.clone());
    assert_eq!(state.surrounding, Some(("a b\nc".into(), 5, 2)));
}

#[test]
fn a_field_is_announced_again_when_the_keys_come_back() {
    let (mut desk, id, view) = focused();
    desk.with(|_, platform| {
        platform.set_text_input(
            id,
            Some(TextField {
                field: 1,
                ..TextField::default()
            }),
        )
    });
    desk.until("the field", |scene| scene.text_input.clone());
    desk.compositor.keyboard().focus(None);
    desk.until("no field", |scene| scene.text_input.is_none().then_some(()));
    desk.compositor.keyboard().focus(Some(view.id));
    desk.until("the field again", |scene| scene.text_input.clone());
    desk.with(|_, platform| platform.destroy(id));
    desk.until("no field", |scene| scene.text_input.is_none().then_some(()));
}

#[test]
fn a_panel_takes_keys_only_while_it_asks() {
    use ede_tests::compositor::Interactivity;
    let mut desk = Desk::panel();
    let view = desk.panel_shown();
    let panel = desk.panel_id();
    let keyboard = |view: &SurfaceView| view.layer().map(|layer| layer.place.interactivity);
    assert_eq!(keyboard(&view), Some(Interactivity::None));
    for (mode, expected) in [
        (KeyboardMode::OnDemand, Interactivity::OnDemand),
        (KeyboardMode::Exclusive, Interactivity::Exclusive),
        (KeyboardMode::None, Interactivity::None),
    ] {
        desk.with(|_, platform| platform.set_keyboard(panel, mode));
        desk.until("the mode", |scene| {
            scene
                .surface(view.id)
                .filter(|view| keyboard(view) == Some(expected))
                .map(|_| ())
        });
    }
}

#[test]
fn input_for_a_surface_that_has_just_gone_is_nobodys() {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(window_spec());
    desk.take_told();
    desk.compositor
        .pointer()
        .motion(view.id, 5.0, 5.0)
        .press(LEFT);
    desk.compositor.keyboard().focus(Some(view.id)).press("a");
    // Destroyed before the events are read.
    desk.with(|_, platform| platform.destroy(id));
    desk.compositor.keyboard().release("a");
    desk.settle();
    assert!(
        !desk
            .take_told()
            .iter()
            .any(|told| matches!(told, Told::Input(..) | Told::Focus(..)))
    );
}
