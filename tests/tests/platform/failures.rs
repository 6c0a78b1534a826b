use crate::desk::*;
use ede::wayland::*;
use ede_tests::compositor::{Compositor, FaultKind, Global, Globals, OutputSpec};
use std::time::{Duration, Instant};
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, QueueHandle, delegate_noop};

#[test]
fn a_compositor_that_dies_ends_the_session_with_one_sentence() {
    for moment in 0..3 {
        let mut desk = Desk::panel();
        if moment > 0 {
            desk.panel_shown();
        }
        desk.compositor.kill();
        if moment == 2 {
            let panel = desk.panel_id();
            desk.with(|probe, platform| probe.step(platform, panel, 1));
        }
        let error = desk.session.run().unwrap_err();
        assert!(matches!(error, PlatformError::Disconnected), "{error:?}");
        assert!(!error.to_string().contains('\n'));
    }
}

#[test]
fn a_missing_foundation_is_named() {
    for (global, name) in [
        (Global::Compositor, "wl_compositor"),
        (Global::Shm, "wl_shm"),
        (Global::XdgShell, "xdg_wm_base"),
    ] {
        let compositor = Compositor::start(Globals::all().without(global));
        let connection = Connection::from_socket(compositor.socket()).unwrap();
        let error = Session::open(connection, Options::default(), Probe::default())
            .err()
            .unwrap();
        assert!(
            matches!(error, PlatformError::MissingGlobal(missing) if missing == name),
            "{error:?}"
        );
    }
}

#[test]
fn a_desktop_without_layer_shell_says_so_and_has_windows() {
    let mut desk = Desk::new(
        Globals::gnome(),
        &[OutputSpec::new("A-1", 800, 600)],
        Probe::default(),
    );
    assert!(!desk.with(|_, platform| platform.capabilities().layer_shell));
    let output = desk.with(|_, platform| platform.outputs()[0].id);
    assert_eq!(
        desk.with(|_, platform| platform.create_layer(Probe::panel_spec(output))),
        None
    );
    desk.window(window_spec());
}

#[test]
fn every_optional_protocol_may_be_missing() {
    for global in [
        Global::XdgOutput,
        Global::Seat,
        Global::DataDevice,
        Global::PrimarySelection,
        Global::XdgDecoration,
        Global::Viewporter,
        Global::FractionalScale,
        Global::CursorShape,
        Global::WlrForeignToplevel,
        Global::ExtForeignToplevel,
        Global::ExtWorkspace,
        Global::TextInput,
        Global::Activation,
        Global::Subcompositor,
    ] {
        let probe = Probe::with_panels();
        let mut desk = Desk::new(
            Globals::all().without(global),
            &[OutputSpec::new("A-1", 800, 600)],
            probe,
        );
        desk.panel_shown();
        let (id, view) = desk.window(window_spec());
        desk.compositor.pointer().motion(view.id, 5.0, 5.0);
        desk.with(|_, platform| {
            platform.set_cursor(id, CursorShape::Text);
            platform.set_text_input(id, Some(TextField::default()));
            platform.set_clipboard(Payload::text("x"));
            platform.request_activation_token("x", Some(id), None);
        });
        desk.settle();
    }
}

#[test]
fn old_versions_of_everything_do() {
    let globals = Globals::all()
        .at(Global::Compositor, 1)
        .at(Global::Output, 2)
        .at(Global::Seat, 1)
        .at(Global::XdgShell, 1)
        .at(Global::LayerShell, 1)
        .at(Global::XdgOutput, 1)
        .at(Global::DataDevice, 1)
        .at(Global::WlrForeignToplevel, 1)
        .without(Global::FractionalScale);
    let probe = Probe::with_panels();
    let mut desk = Desk::new(globals, &[OutputSpec::new("A-1", 800, 600)], probe);
    desk.panel_shown();
    let (_, view) = desk.window(window_spec());
    desk.compositor.pointer().motion(view.id, 5.0, 5.0);
    desk.settle();
}

#[test]
fn a_refused_request_ends_the_session_and_is_told_from_a_death() {
    let compositor = Compositor::start(Globals::all());
    let connection = Connection::from_socket(compositor.socket()).unwrap();
    let session = Session::open(connection.clone(), Options::default(), Probe::default()).unwrap();
    // A request the platform layer itself never makes, on its connection: a buffer scale of zero.
    let (globals, queue) = registry_queue_init::<Mute>(&connection).unwrap();
    let compositor_global: WlCompositor = globals.bind(&queue.handle(), 4..=4, ()).unwrap();
    compositor_global
        .create_surface(&queue.handle(), ())
        .set_buffer_scale(0);
    connection.flush().unwrap();
    let error = session.run().unwrap_err();
    assert!(matches!(error, PlatformError::Refused { .. }), "{error:?}");
    let faults = compositor.take_faults();
    assert!(
        matches!(faults[0].kind, FaultKind::Protocol { .. }),
        "{faults:?}"
    );
}

struct Mute;
delegate_noop!(Mute: ignore WlCompositor);
delegate_noop!(Mute: ignore WlSurface);

impl Dispatch<WlRegistry, GlobalListContents> for Mute {
    fn event(
        _: &mut Mute,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Mute>,
    ) {
    }
}

#[test]
fn a_timer_wakes_once_and_can_be_taken_back() {
    let mut desk = Desk::empty();
    desk.with(|_, platform| platform.wake_at(Some(Instant::now() + Duration::from_secs(3600))));
    desk.with(|_, platform| platform.wake_at(Some(Instant::now())));
    desk.told("the timer", |told| {
        (*told == Told::Woke(Wake::Timer)).then_some(())
    });
    desk.take_told();
    desk.with(|_, platform| {
        platform.wake_at(Some(Instant::now()));
        platform.wake_at(None);
    });
    desk.settle();
    assert_eq!(desk.take_told(), []);
}

#[test]
fn a_panic_in_the_start_or_in_news_ends_nothing_else() {
    let outputs = [OutputSpec::new("A-1", 800, 600)];
    let mut desk = Desk::new(Globals::all(), &outputs, Probe::failing_to_start());
    desk.session
        .with(|_: &mut Probe, _| panic!("broken news, as the test wants it"));
    desk.window(window_spec());
}

#[test]
fn work_that_makes_more_work_waits_for_nothing_from_outside() {
    let mut desk = Desk::new(
        Globals::all().without(Global::Activation),
        &[OutputSpec::new("A-1", 800, 600)],
        Probe::default(),
    );
    desk.settle();
    desk.take_told();
    // The timer ends the wait of a loop that sleeps on it, and is then told of before the last answer.
    desk.with(|probe, platform| {
        probe.chatter = 40;
        platform.wake_at(Some(Instant::now() + Duration::from_secs(5)));
    });
    desk.session.dispatch(Some(Duration::ZERO)).unwrap();
    while desk.with(|probe, _| probe.chatter) > 0 {
        desk.session.dispatch(None).unwrap();
    }
    let told = desk.take_told();
    assert!(!told.contains(&Told::Woke(Wake::Timer)), "{told:?}");
}

#[test]
fn the_wall_clock_wakes_once() {
    let mut desk = Desk::empty();
    desk.with(|_, platform| platform.wake_at_wall(Some(std::time::SystemTime::now())));
    desk.told("the hour", |told| {
        (*told == Told::Woke(Wake::Wall { jumped: false })).then_some(())
    });
    desk.take_told();
    desk.settle();
    assert_eq!(desk.take_told(), []);
}

#[test]
fn a_channel_of_the_shell_reaches_the_client() {
    let mut desk = Desk::empty();
    let (sender, receiver) = calloop::channel::channel::<u32>();
    let handle = desk.with(|_, platform| platform.handle());
    handle
        .insert_source(receiver, |event, (), runtime: &mut Runtime| {
            if let calloop::channel::Event::Msg(paints) = event {
                runtime.with(|probe: &mut Probe, _| probe.paints = paints);
            }
        })
        .unwrap();
    std::thread::spawn(move || sender.send(42).unwrap());
    desk.until("the message", |_| Some(()));
    while desk.with(|probe, _| probe.paints) != 42 {
        desk.session
            .dispatch(Some(Duration::from_millis(2)))
            .unwrap();
    }
}

#[test]
fn quitting_ends_the_loop_in_order() {
    let mut desk = Desk::panel();
    desk.panel_shown();
    desk.with(|_, platform| platform.quit());
    assert!(desk.session.run().is_ok());
}
