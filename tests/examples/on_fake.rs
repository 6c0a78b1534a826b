//! Run a program on the fake compositor: `cargo run -p ede-tests --example on_fake -- SECONDS PNG COMMAND…`.
//!
//! Says which surfaces it showed and what it did wrong, and keeps a screenshot.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Command;
use std::time::Duration;

use ede_tests::compositor::{Compositor, Globals, OutputSpec};

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [seconds, png, program, rest @ ..] = &arguments[..] else {
        eprintln!("usage: on_fake SECONDS PNG COMMAND…");
        std::process::exit(2);
    };
    let compositor = Compositor::start(Globals::all());
    let output = compositor.add_output(OutputSpec::new("FAKE-1", 1280, 800));
    let mut child = Command::new(program)
        .args(rest)
        .env("WAYLAND_DISPLAY", compositor.display())
        .env_remove("DISPLAY")
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_secs_f64(seconds.parse().expect("seconds")));
    let scene = compositor.scene();
    for surface in scene.surfaces.iter().filter(|surface| surface.mapped) {
        println!(
            "{:?} {:?} at {:?}, {} commits: {:?}",
            surface.id, surface.size, surface.origin, surface.commits, surface.role
        );
    }
    compositor
        .screenshot(output)
        .save(png)
        .expect("the screenshot is written");
    let _ = child.kill();
    let _ = child.wait();
    for fault in compositor.take_faults() {
        println!("fault: {fault}");
    }
}
