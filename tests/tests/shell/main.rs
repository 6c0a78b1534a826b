//! The whole shell as a process on the fake compositor: what a person would see, and what must not happen.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod documents;
mod lifetime;
mod outputs;
mod popups;
mod rest;
mod windows;

use ede_tests::compositor::{Compositor, Globals, OutputId, OutputSpec, SurfaceView};
use ede_tests::program::{Ede, Shell};

/// A compositor with one output of 1280×800 and the shell on it, with its default documents, panel and widgets shown.
struct Desk {
    // Dropped in this order: the shell first, then the compositor, which fails the test for what the shell did wrong.
    shell: Shell,
    compositor: Compositor,
    output: OutputId,
    ede: Ede,
}

fn desk(globals: Globals, scale: f64) -> Desk {
    let compositor = Compositor::start(globals);
    let (width, height) = ((1280.0 * scale) as i32, (800.0 * scale) as i32);
    let output = compositor.add_output(OutputSpec::new("DP-1", width, height).scaled(scale));
    let ede = Ede::new();
    let shell = ede.run_on(&compositor);
    Desk {
        shell,
        compositor,
        output,
        ede,
    }
}

impl Desk {
    /// Wait for the panel on an output.
    fn panel(&self, output: OutputId) -> SurfaceView {
        self.compositor.wait_for("the panel", |scene| {
            let on_output = |surface: &&SurfaceView| {
                surface.namespace() == Some("ede-panel") && surface.outputs == [output]
            };
            scene.layers().find(on_output).cloned()
        })
    }

    /// Wait for the default desktop: wallpaper, panel and widgets.
    fn shown(&self) {
        self.compositor.wait_for("the default desktop", |scene| {
            let has = |namespace| scene.layer(namespace).is_some();
            (has("ede-wallpaper") && has("ede-panel") && has("ede-widget")).then_some(())
        });
    }
}
