use crate::desk::*;
use ede::wayland::*;
use ede_tests::compositor::{
    Decoration, Edges as CompositorEdges, Frames, Globals, LEFT, OutputSpec,
    Rect as CompositorRect, Request, ToplevelConfigure, WindowState,
};

fn configure(width: i32, height: i32, states: &[WindowState]) -> ToplevelConfigure {
    ToplevelConfigure {
        size: (width, height),
        states: states.to_vec(),
        bounds: None,
    }
}

fn press(desk: &mut Desk, view: &ede_tests::compositor::SurfaceView) -> Serial {
    desk.compositor
        .pointer()
        .motion(view.id, 20.0, 10.0)
        .press(LEFT);
    desk.told("a press", |told| match told {
        Told::Input(_, InputEvent::Pointer(PointerEvent::Press { serial, .. })) => Some(*serial),
        _ => None,
    })
}

#[test]
fn a_window_has_its_own_size_unless_the_compositor_has_another() {
    let mut desk = Desk::empty();
    let (_, view) = desk.window(window_spec());
    assert_eq!(view.size, (300, 200));
    assert_eq!(
        (view.title(), view.app_id()),
        (Some("Window"), Some("probe"))
    );
    desk.compositor
        .configure_toplevel(view.id, configure(640, 400, &[WindowState::Activated]));
    desk.until("the new size", |scene| {
        scene
            .surface(view.id)
            .filter(|v| v.size == (640, 400))
            .map(|_| ())
    });
    // Zero again: it keeps what it had.
    desk.compositor
        .configure_toplevel(view.id, configure(0, 0, &[]));
    desk.settle();
    assert_eq!(
        desk.compositor.scene().surface(view.id).unwrap().size,
        (640, 400)
    );
}

#[test]
fn names_the_protocol_cannot_carry_break_nothing() {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(ToplevelSpec {
        title: "Notes\0of mine".into(),
        app_id: "pro\tbe".into(),
        ..window_spec()
    });
    assert_eq!(
        (view.title(), view.app_id()),
        (Some("Notes of mine"), Some("pro be"))
    );
    desk.with(|_, platform| {
        platform.set_title(id, &"long ".repeat(2000));
        platform.activate(id, "no\0token".into());
        platform.request_activation_token("a\0b", Some(id), None);
        platform.set_clipboard(Payload::default().with("text/\0plain", b"x"));
    });
    desk.until("the long title's beginning", |scene| {
        scene
            .surface(view.id)
            .and_then(|v| v.title())
            .filter(|title| title.starts_with("long long"))
            .map(|_| ())
    });
}

#[test]
fn a_maximised_window_finds_its_old_size_again() {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(window_spec());
    desk.compositor
        .configure_toplevel(view.id, configure(800, 600, &[WindowState::Maximized]));
    desk.until("all of it", |scene| {
        scene
            .surface(view.id)
            .filter(|v| v.size == (800, 600))
            .map(|_| ())
    });
    desk.compositor
        .configure_toplevel(view.id, configure(0, 0, &[]));
    desk.until("as before", |scene| {
        scene
            .surface(view.id)
            .filter(|v| v.size == (300, 200))
            .map(|_| ())
    });
    let told = desk.take_told();
    assert!(
        told.iter()
            .any(|t| matches!(t, Told::Configured(i, c) if *i == id && c.states.maximized))
    );
}

#[test]
fn a_storm_of_resizes_is_paced_and_ends_at_the_last_size() {
    let mut desk = Desk::empty();
    let (_, view) = desk.window(window_spec());
    desk.calm();
    desk.compositor.set_frames(Frames::ByHand);
    desk.compositor.take_commits();
    for n in 1..60 {
        desk.compositor.configure_toplevel(
            view.id,
            configure(300 + n, 200 + n, &[WindowState::Resizing]),
        );
        desk.session
            .dispatch(Some(std::time::Duration::ZERO))
            .unwrap();
    }
    desk.settle();
    let painted = desk
        .compositor
        .commits()
        .iter()
        .filter(|commit| commit.buffer.is_some())
        .count();
    assert!(painted <= 2, "{painted} frames without a callback");
    desk.compositor.frame();
    desk.until("the last size", |scene| {
        desk_frame(scene, view.id, (359, 259))
    });
    assert!(
        desk.compositor
            .commits()
            .iter()
            .all(|commit| !commit.unpaced)
    );
}

fn desk_frame(
    scene: &ede_tests::compositor::Scene,
    id: ede_tests::compositor::SurfaceId,
    size: (i32, i32),
) -> Option<()> {
    scene
        .surface(id)
        .filter(|view| view.size == size)
        .map(|_| ())
}

#[test]
fn impossible_sizes_are_clamped() {
    let mut desk = Desk::empty();
    let (_, view) = desk.window(window_spec());
    desk.compositor
        .configure_toplevel(view.id, configure(-5, i32::MIN, &[]));
    desk.settle();
    let now = desk.compositor.scene().surface(view.id).unwrap().clone();
    assert_eq!(now.size, (300, 200));
}

#[test]
fn limits_and_bounds_hold_where_the_choice_is_ours() {
    let mut desk = Desk::empty();
    let spec = ToplevelSpec {
        size: Size::new(900, 100),
        min_size: Size::new(200, 150),
        max_size: Size::new(700, 100),
        ..window_spec()
    };
    let (id, view) = desk.window(spec);
    let window = view.toplevel().unwrap();
    assert_eq!((window.min_size, window.max_size), ((200, 150), (700, 150)));
    assert_eq!(view.size, (700, 150));
    desk.with(|_, platform| platform.set_size_limits(id, Size::new(10, 10), Size::new(0, 0)));
    desk.until("no limits", |scene| {
        scene
            .surface(view.id)?
            .toplevel()
            .filter(|t| t.max_size == (0, 0))
            .map(|_| ())
    });
}

#[test]
fn a_frame_for_the_shadow_is_outside_of_the_window() {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(ToplevelSpec {
        decorations: Decorations::Client,
        ..window_spec()
    });
    desk.with(|_, platform| {
        platform.set_frame(
            id,
            Insets {
                top: 10,
                right: 20,
                bottom: 30,
                left: 20,
            },
        )
    });
    let view = desk.until("the frame", |scene| {
        scene
            .surface(view.id)
            .filter(|view| view.size == (340, 240))
            .cloned()
    });
    assert_eq!(
        view.toplevel().unwrap().geometry,
        Some(CompositorRect {
            x: 20,
            y: 10,
            width: 300,
            height: 200
        })
    );
    // Sizes of the compositor are without it.
    desk.compositor
        .configure_toplevel(view.id, configure(500, 300, &[]));
    desk.until("framed", |scene| {
        scene
            .surface(view.id)
            .filter(|v| v.size == (540, 340))
            .map(|_| ())
    });
}

#[test]
fn the_compositor_decides_who_draws_the_title_bar() {
    for (insists, wish) in [
        (true, Decorations::Server),
        (false, Decorations::Server),
        (false, Decorations::Client),
    ] {
        let mut desk = Desk::empty();
        desk.compositor.set_server_decorations(insists);
        let (id, view) = desk.window(ToplevelSpec {
            decorations: wish,
            ..window_spec()
        });
        let server = view.toplevel().unwrap().decoration == Some(Decoration::Server);
        assert_eq!(server, insists && wish == Decorations::Server);
        let told = desk.take_told();
        assert!(told.iter().any(
            |t| matches!(t, Told::Configured(i, c) if *i == id && c.server_decorations == server)
        ));
    }
    let mut desk = Desk::new(
        Globals::gnome(),
        &[OutputSpec::new("A-1", 800, 600)],
        Probe::default(),
    );
    let (id, _) = desk.window(window_spec());
    assert!(!desk.with(|_, platform| platform.capabilities().server_decorations));
    let told = desk.take_told();
    assert!(
        told.iter()
            .any(|t| matches!(t, Told::Configured(i, c) if *i == id && !c.server_decorations))
    );
}

#[test]
fn closing_is_a_question() {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(window_spec());
    desk.compositor.close_toplevel(view.id);
    desk.told("the question", |told| {
        (*told == Told::Closed(id, CloseReason::Asked)).then_some(())
    });
    desk.settle();
    assert!(
        desk.compositor.scene().toplevel("probe").is_some(),
        "it said no"
    );
    desk.with(|_, platform| platform.destroy(id));
    desk.until("it gone", |scene| {
        scene.toplevel("probe").is_none().then_some(())
    });
}

#[test]
fn moves_resizes_and_menus_carry_the_press() {
    let mut desk = Desk::empty();
    let (id, view) = desk.window(ToplevelSpec {
        decorations: Decorations::Client,
        ..window_spec()
    });
    desk.with(|_, platform| platform.set_frame(id, Insets::all(8)));
    desk.until("the frame", |scene| {
        scene
            .surface(view.id)
            .filter(|v| v.size == (316, 216))
            .map(|_| ())
    });
    let serial = press(&mut desk, &view);
    desk.with(|_, platform| {
        platform.start_move(id, serial);
        platform.start_resize(id, serial, Edges::BOTTOM.and(Edges::RIGHT));
        platform.show_window_menu(id, serial, Point { x: 30.0, y: 20.0 });
        platform.set_maximized(id, true);
        platform.set_fullscreen(id, true, None);
        platform.minimize(id);
    });
    desk.settle();
    let requests = desk.compositor.take_requests();
    let corner = CompositorEdges {
        bottom: true,
        right: true,
        ..CompositorEdges::default()
    };
    for expected in [
        Request::Move(view.id),
        Request::Resize(view.id, corner),
        Request::ShowWindowMenu(view.id, 22, 12),
        Request::SetMaximized(view.id),
        Request::SetMinimized(view.id),
    ] {
        assert!(
            requests.contains(&expected),
            "{expected:?} missing in {requests:?}"
        );
    }
}

#[test]
fn a_window_opened_and_closed_again_and_again_leaves_nothing_behind() {
    // In a process of its own: other tests open files too.
    let run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "toplevels::open_files_do_not_grow", "--ignored"])
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stdout)
    );
}

#[test]
#[ignore = "run by the test above, alone in its process"]
fn open_files_do_not_grow() {
    let mut desk = Desk::panel();
    let panel_view = desk.panel_shown();
    let panel = desk.panel_id();
    let count = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let mut before = 0;
    for round in 0..30 {
        let serial = press(&mut desk, &panel_view);
        let (window, view) = desk.window(window_spec());
        let place = PopupPlace {
            anchor_rect: Rect::new(20, 0, 10, 40),
            anchor: Edges::BOTTOM,
            gravity: Edges::BOTTOM,
            offset: (0, 0),
            size: Size::new(100, 100),
            constraint: Constraint::default(),
        };
        let spec = PopupSpec {
            parent: panel,
            place,
            frame: Insets::default(),
            grab: Some(serial),
        };
        let popup = desk
            .with(|_, platform| platform.create_popup(spec))
            .unwrap();
        desk.until("the popup", |scene| scene.popup().map(|_| ()));
        desk.compositor.pointer().release(LEFT);
        desk.with(|_, platform| {
            platform.destroy(popup);
            platform.destroy(window);
        });
        desk.until("both gone", |scene| {
            (scene.popup().is_none() && scene.surface(view.id).is_none()).then_some(())
        });
        desk.settle();
        desk.take_told();
        if round == 4 {
            before = count();
        }
    }
    assert_eq!(count(), before);
    assert_eq!(desk.with(|_, platform| platform.surfaces()), [panel]);
}

#[test]
fn a_token_of_a_launcher_brings_the_window_forward() {
    let mut desk = Desk::empty();
    let token = desk.compositor.activation_token();
    let (id, view) = desk.window(ToplevelSpec {
        activation_token: Some(token.clone()),
        ..window_spec()
    });
    desk.settle();
    let expected = Request::Activate {
        token,
        surface: view.id,
        known: true,
    };
    assert!(desk.compositor.take_requests().contains(&expected));
    let serial = press(&mut desk, &view);
    let request =
        desk.with(|_, platform| platform.request_activation_token("probe", Some(id), Some(serial)));
    let token = desk.told("a token", |told| match told {
        Told::Token(answer, token) if *answer == request => Some(token.clone()),
        _ => None,
    });
    assert!(token.is_some_and(|token| !token.is_empty()));
}
