//! How the shell begins and ends.

use ede_tests::compositor::{Compositor, Globals, OutputSpec};
use ede_tests::program::Ede;

use crate::desk;

#[test]
fn a_compositor_that_goes_ends_the_shell_with_code_one_and_one_line() {
    let mut desk = desk(Globals::all(), 1.0);
    desk.shown();
    desk.compositor.kill();
    let (status, said) = desk.shell.wait();
    assert_eq!(
        (status.code(), said.lines().count()),
        (Some(1), 1),
        "{said}"
    );
    assert!(said.starts_with("error: "), "{said}");
}

#[test]
fn without_a_compositor_run_says_so_in_one_line() {
    let ede = Ede::new();
    let ended = ede.command(&["run"]).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(
        (ended.status.code(), said.lines().count()),
        (Some(1), 1),
        "{said}"
    );
}

#[test]
fn without_layer_shell_the_desktop_is_in_one_window() {
    let compositor = Compositor::start(Globals::gnome());
    compositor.add_output(OutputSpec::new("DP-1", 1280, 800));
    let ede = Ede::new();
    let _shell = ede.run_on(&compositor);
    let window = compositor.wait_for("the desktop's window", |scene| {
        scene.toplevels().next().cloned()
    });
    assert!(window.title().is_some_and(|title| !title.is_empty()));
    assert_eq!(compositor.scene().layers().count(), 0);
}
