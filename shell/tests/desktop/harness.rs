//! A whole shell on a compositor of its own, and what a test asks of the two.

use std::time::{Duration, Instant, SystemTime};

use ede_tests::compositor::{
    Compositor, Globals, OutputId, OutputSpec, Scene, SurfaceId, SurfaceView,
};
use ede_tests::picture::{self, Picture};
use ede_tests::program::{Ede, Shell};

/// Wallpaper, panel and desktop widgets of the default session on one output.
pub const SURFACES: usize = 1 + 1 + 4;
/// The middle of the default panel's clock, on an output 1280 wide.
pub const CLOCK: (f64, f64) = (640.0, 28.0);
/// A point of its system widget, near the panel's right end.
pub const SYSTEM: (f64, f64) = (1210.0, 28.0);

/// A shell in folders of its own on a compositor of its own. The fields go in this order: the compositor fails the test for what the
/// shell did wrong.
pub struct Desktop {
    pub shell: Shell,
    pub compositor: Compositor,
    pub ede: Ede,
}

impl Desktop {
    /// The default session.
    pub fn start(outputs: &[OutputSpec]) -> (Desktop, Vec<OutputId>) {
        Desktop::start_with(outputs, Ede::new())
    }

    pub fn start_with(outputs: &[OutputSpec], ede: Ede) -> (Desktop, Vec<OutputId>) {
        let compositor = Compositor::start(Globals::all());
        let ids = outputs
            .iter()
            .map(|o| compositor.add_output(o.clone()))
            .collect();
        (
            Desktop {
                shell: ede.run_on(&compositor),
                compositor,
                ede,
            },
            ids,
        )
    }

    /// A session whose only document is a panel along the top with these members.
    pub fn with_panel(members: &str) -> Desktop {
        Desktop::with_panel_at(r#"{"edge": "top"}"#, members)
    }

    /// A session whose only document is a panel with this place and these members.
    pub fn with_panel_at(place: &str, members: &str) -> Desktop {
        let ede = Ede::new();
        ede.write_document("panel-top", &panel(place, members));
        // With it, nothing on the desktop: the default one has the system's figures, which move.
        ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": []}]}"#);
        Desktop::start_with(&[one()], ede).0
    }

    /// The command line beside the shell; it must succeed.
    pub fn ok(&self, arguments: &[&str]) {
        let ran = self.ede.command(arguments).output().unwrap();
        assert!(
            ran.status.success(),
            "ede {arguments:?}: {}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }

    /// Wait for the default session on so many outputs.
    pub fn settle(&self, outputs: usize) {
        self.compositor
            .wait_for("panels and widgets everywhere", |s| {
                (s.layers().count() == SURFACES * outputs && panels(s).iter().all(painted))
                    .then_some(())
            });
    }

    pub fn panel(&self) -> SurfaceView {
        self.compositor.wait_for("a panel", |s| {
            s.layer("ede-panel").filter(|p| painted(p)).cloned()
        })
    }

    pub fn press(&self, button: u32, (x, y): (f64, f64)) {
        self.compositor.pointer().motion_to(x, y).click(button);
    }

    /// The popup that opens next, or in place of `before`.
    pub fn popup(&self, before: Option<SurfaceId>) -> SurfaceId {
        self.compositor.wait_for("a popup", |s| {
            s.popup().map(|p| p.id).filter(|p| Some(*p) != before)
        })
    }

    pub fn no_popup(&self) {
        self.compositor
            .wait_for("no popup", |s| s.popup().is_none().then_some(()));
    }

    pub fn window(&self) -> SurfaceView {
        self.compositor
            .wait_for("a window", |s| s.toplevels().last().cloned())
    }

    /// How often the shell's threads went to sleep by themselves so far: once for every time they woke up.
    pub fn sleeps(&self) -> u64 {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.shell.id())).unwrap();
        let of = |status: String| {
            status.lines().find_map(|l| {
                l.strip_prefix("voluntary_ctxt_switches:")?
                    .trim()
                    .parse::<u64>()
                    .ok()
            })
        };
        threads
            .map(|t| {
                of(std::fs::read_to_string(t.unwrap().path().join("status")).unwrap_or_default())
                    .unwrap_or_default()
            })
            .sum()
    }
}

/// The document of a panel.
pub fn panel(place: &str, members: &str) -> String {
    format!(
        r#"{{"formatVersion": 1, "id": "panel-top", "kind": "panel", "place": {place}, {members}}}"#
    )
}

pub fn one() -> OutputSpec {
    OutputSpec::new("DP-1", 1280, 800)
}

pub fn beside() -> OutputSpec {
    OutputSpec::new("DP-2", 1280, 800).at(1280, 0)
}

pub fn panels(scene: &Scene) -> Vec<SurfaceView> {
    scene
        .layers()
        .filter(|s| s.namespace() == Some("ede-panel"))
        .cloned()
        .collect()
}

/// More than a plain surface: text is on it.
pub fn painted(surface: &SurfaceView) -> bool {
    picture::colours(&surface.picture()) > 20
}

pub fn part(of: &SurfaceView, x: u32, width: u32) -> Picture {
    picture::crop(&of.picture(), x, 0, width, of.picture().height())
}

pub fn minute() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_secs()
        / 60
}

/// Ask until there is an answer, for a minute at most.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
