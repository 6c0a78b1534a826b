//! `make soak`: the whole shell under hundreds of random events of every kind. It must stay alive, without a fault, and
//! neither its memory nor its open files may grow. A failure names the seed that brings it back: `PROPTEST_RNG_SEED`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use ede_tests::compositor::{
    Compositor, Globals, LEFT, MIDDLE, OutputId, OutputSpec, RIGHT, Transform, Window, WindowId,
    Workspace,
};
use ede_tests::program::{Ede, Shell};

const STEPS: u32 = 1500;

/// Marsaglia's xorshift: enough to choose by, and the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

struct Storm {
    dice: Dice,
    compositor: Compositor,
    ede: Ede,
    outputs: Vec<OutputId>,
    windows: Vec<WindowId>,
}

impl Storm {
    fn step(&mut self) -> &'static str {
        let compositor = &self.compositor;
        match self.dice.below(14) {
            0 if self.outputs.len() < 3 => {
                let scale = self.dice.pick(&[1.0, 1.25, 1.5, 2.0]);
                let spec =
                    OutputSpec::new(&format!("DP-{}", self.dice.below(4)), 1280, 800).scaled(scale);
                self.outputs
                    .push(compositor.add_output(spec.at(self.dice.below(3) as i32 * 1280, 0)));
                "an output came"
            }
            1 if !self.outputs.is_empty() => {
                let gone = self
                    .outputs
                    .swap_remove(self.dice.below(self.outputs.len()));
                compositor.remove_output(gone);
                "an output went"
            }
            2 if !self.outputs.is_empty() => {
                let output = self.dice.pick(&self.outputs);
                let (scale, transform) = (
                    self.dice.pick(&[1.0, 1.5, 2.0]),
                    self.dice.pick(&[Transform::Normal, Transform::_90]),
                );
                let mode = self.dice.pick(&[(1280, 800), (2560, 1440), (640, 480)]);
                compositor.change_output(output, |spec| {
                    (spec.scale, spec.transform, spec.mode) = (scale, transform, mode)
                });
                "an output changed"
            }
            3 if !self.outputs.is_empty() => {
                let on = self.dice.below(2) == 0;
                compositor.set_power(self.dice.pick(&self.outputs), on);
                "an output was switched"
            }
            4 if self.windows.len() < 30 => {
                let title = self.dice.pick(&["Inbox", "<b>", "שלום", "👩‍👩‍👧", "", "a\nb"]);
                self.windows
                    .push(compositor.open_window(Window::new(title, "mail")));
                "a window came"
            }
            5 if !self.windows.is_empty() => {
                compositor.close_window(
                    self.windows
                        .swap_remove(self.dice.below(self.windows.len())),
                );
                "a window went"
            }
            6 if !self.windows.is_empty() => {
                let title = "a longer title ".repeat(self.dice.below(20));
                compositor
                    .change_window(self.dice.pick(&self.windows), |window| window.title = title);
                "a title changed"
            }
            7 => {
                let names = ["1", "2", "3", "mail", "web"];
                let many = self.dice.below(names.len() + 1);
                compositor.set_workspaces(
                    names[..many]
                        .iter()
                        .map(|name| Workspace::new(name))
                        .collect(),
                );
                "workspaces changed"
            }
            8 | 9 => {
                let button = self.dice.pick(&[LEFT, LEFT, LEFT, RIGHT, MIDDLE]);
                let (x, y) = (
                    self.dice.below(1280) as f64,
                    self.dice.pick(&[28.0, 28.0, 120.0, 300.0, 500.0, 700.0]),
                );
                compositor.pointer().motion_to(x, y).click(button);
                "a click"
            }
            10 => {
                let notches = self.dice.below(7) as i32 - 3;
                compositor.pointer().wheel(notches);
                "the wheel"
            }
            11 => {
                compositor.keyboard().tap(self.dice.pick(&[
                    "Escape",
                    "Tab",
                    "Return",
                    "a",
                    "Left",
                    "ctrl+a",
                    "shift+Tab",
                ]));
                "a key"
            }
            12 => {
                let thickness = 32 + self.dice.below(32);
                self.ede.write_document("panel-extra", &format!(
                    r#"{{"formatVersion": 1, "id": "panel-extra", "kind": "panel",
                        "place": {{"outputs": ["*"], "edge": "bottom", "thickness": {thickness}, "layer": "top", "reserve": true}},
                        "components": [{{"id": "root", "component": "Text", "text": "Extra"}}]}}"#
                ));
                "a document changed"
            }
            _ => {
                let file = self.ede.config().join("ui/panel-extra.ede-ui.json");
                let _ = if self.dice.below(2) == 0 {
                    std::fs::remove_file(file)
                } else {
                    std::fs::write(file, "{\"formatVersion\": 1,")
                };
                "a document broke"
            }
        }
    }

    /// One output, no windows, no popups, a panel: where every round must be able to return to.
    fn calm(&mut self) {
        for output in self.outputs.drain(..) {
            self.compositor.remove_output(output);
        }
        for window in self.windows.drain(..) {
            self.compositor.close_window(window);
        }
        for surface in self.compositor.scene().toplevels() {
            self.compositor.close_toplevel(surface.id);
        }
        for surface in self.compositor.scene().popups() {
            self.compositor.dismiss_popup(surface.id);
        }
        self.compositor.wait_for("its own windows closed", |scene| {
            let open = scene.toplevels().chain(scene.popups()).count();
            (open == 0).then_some(())
        });
        let _ = std::fs::remove_file(self.ede.config().join("ui/panel-extra.ede-ui.json"));
        let output = self
            .compositor
            .add_output(OutputSpec::new("DP-1", 1280, 800));
        self.outputs.push(output);
        self.compositor
            .wait_for("the panel after the storm", |scene| {
                let mut panels = scene
                    .layers()
                    .filter(|surface| surface.namespace() == Some("ede-panel"));
                panels
                    .find(|panel| panel.outputs == [output] && panel.is_sharp())
                    .map(drop)
            });
    }
}

#[test]
#[ignore = "minutes long: make soak"]
fn a_storm_of_everything_leaves_the_shell_as_it_was() {
    let seed = std::env::var("PROPTEST_RNG_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0x5eed);
    println!("seed {seed}");
    let (compositor, ede) = (Compositor::start(Globals::all()), Ede::new());
    let mut shell = ede.run_on(&compositor);
    let mut storm = Storm {
        dice: Dice(seed),
        compositor,
        ede,
        outputs: Vec::new(),
        windows: Vec::new(),
    };
    storm.calm();
    // The first round fills every cache there is; the others must not add to them.
    round(&mut storm, &mut shell);
    let (memory, files) = (shell.memory().unwrap(), shell.open_files());
    round(&mut storm, &mut shell);
    round(&mut storm, &mut shell);
    let (memory_after, files_after) = (shell.memory().unwrap(), shell.open_files());
    println!("memory {memory} KiB → {memory_after} KiB, open files {files} → {files_after}");
    assert!(
        memory_after < memory + memory / 4 + 2048,
        "memory grew from {memory} to {memory_after} KiB"
    );
    assert!(
        files_after <= files + 4,
        "open files grew from {files} to {files_after}"
    );
}

fn round(storm: &mut Storm, shell: &mut Shell) {
    let mut last = Vec::new();
    for number in 0..STEPS {
        last.push(storm.step());
        // Some events come at once, others find the shell at rest.
        if storm.dice.below(4) == 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        if number % 50 == 0 || storm.compositor.scene().surfaces.is_empty() && !shell.runs() {
            let recent = &last[last.len().saturating_sub(20)..];
            assert!(
                shell.runs(),
                "the shell ended at step {number}, after {recent:?}"
            );
            let faults = storm.compositor.scene().faults;
            assert!(
                faults.is_empty(),
                "at step {number}: {faults:?}, after {recent:?}"
            );
        }
    }
    storm.calm();
    storm.compositor.take_commits();
    storm.compositor.take_requests();
}
