//! The end of the compositor.

use ede_tests::compositor::LEFT;

use super::harness::{CLOCK, Desktop, beside, one};

#[test]
fn when_the_compositor_goes_the_shell_ends_with_one_line() {
    for round in 0..4 {
        let (mut d, ids) = Desktop::start(&[one(), beside()]);
        d.settle(2);
        if round > 0 {
            d.press(LEFT, CLOCK);
            d.popup(None);
        }
        if round > 1 {
            // A window with a field, a key held in it.
            d.ok(&["open", "ede.tasks"]);
            let window = d.window();
            d.compositor.keyboard().focus(Some(window.id)).press("a");
        }
        if round > 2 {
            d.compositor.remove_output(ids[1]);
        }
        d.compositor.kill();
        let (status, said) = d.shell.wait();
        assert_eq!(
            (status.code(), said.lines().count()),
            (Some(1), 1),
            "{said}"
        );
        assert!(said.starts_with("error: "), "{said}");
    }
}
