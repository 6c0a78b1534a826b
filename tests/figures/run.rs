//! The programs on the fake compositor, from their start to their end.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use ede_tests::compositor::{Compositor, Globals, OutputSpec, Rect, Scene};
use tempfile::TempDir;

use crate::kernel::{self, Spent};
use crate::program::{Program, Scenario};

/// How often a start is measured; the middle one counts.
const STARTS: usize = 9;

/// How long a program may take to show something.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long programs get to settle before they are watched or weighed.
const SETTLE: Duration = Duration::from_secs(3);

/// What was measured of one program in one scenario.
#[derive(Clone, Debug)]
pub struct Figures {
    /// From exec to the first buffer of a panel.
    pub start: Duration,
    /// Proportional set size of the process, in KiB.
    pub memory: u64,
    /// None when it was not watched.
    pub watched: Option<Watched>,
}

#[derive(Clone, Debug)]
pub struct Watched {
    pub cpu: Duration,
    pub voluntary: u64,
    /// The repainted share of the panel in each frame, in percent.
    pub repainted: f64,
}

/// A program on a compositor of its own, killed when this goes.
struct Running {
    child: Child,
    compositor: Compositor,
    start: Duration,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Start every program that can show the scenario, in turn and several times; then watch the last ones side by side.
pub fn measure(
    programs: &[Program],
    scenario: Scenario,
    watch: Duration,
) -> Vec<(&'static str, Result<Figures, String>)> {
    let mut shown: Vec<_> = programs
        .iter()
        .filter(|program| program.shows(scenario))
        .map(|program| (program, home(), Vec::new(), Ok(None)))
        .collect();
    let rounds = if scenario.watched() { 1 } else { STARTS };
    for _ in 0..rounds {
        for (program, home, starts, running) in &mut shown {
            // The one before ends first: it holds the socket and the database of its home.
            *running = Ok(None);
            *running = home.as_ref().map_err(Clone::clone).and_then(|home| {
                let running = start(program, scenario, home.path())?;
                starts.push(running.start);
                Ok(Some(running))
            });
        }
    }
    std::thread::sleep(SETTLE);
    let before: Vec<_> = shown
        .iter()
        .map(|(_, _, _, running)| running.as_ref().ok().and_then(Option::as_ref).map(begin))
        .collect();
    if scenario.watched() {
        std::thread::sleep(watch);
    }
    shown
        .into_iter()
        .zip(before)
        .map(|((program, _home, mut starts, running), before)| {
            let figures = running.and_then(|running| {
                let (running, before) = running.zip(before).ok_or("it was not started")?;
                let watched = scenario
                    .watched()
                    .then(|| end(&running, before?))
                    .transpose()?;
                for fault in running.compositor.take_faults() {
                    println!("{}: fault: {fault}", program.name);
                }
                starts.sort();
                Ok(Figures {
                    start: starts[starts.len() / 2],
                    memory: kernel::memory(running.child.id())?,
                    watched,
                })
            });
            (program.name, figures)
        })
        .collect()
}

fn home() -> Result<TempDir, String> {
    tempfile::tempdir().map_err(|error| error.to_string())
}

/// Start it and wait for its first panel with a buffer.
fn start(program: &Program, scenario: Scenario, home: &Path) -> Result<Running, String> {
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(OutputSpec::new("FAKE-1", 1280, 800));
    let mut command = program
        .command(scenario, &home.join("config"))
        .map_err(|error| error.to_string())?;
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
        .env("WAYLAND_DISPLAY", compositor.display())
        .env("HOME", home)
        .env("XDG_RUNTIME_DIR", home.join("run"))
        .env_remove("DBUS_SESSION_BUS_ADDRESS");
    std::fs::create_dir_all(home.join("run")).map_err(|error| error.to_string())?;
    for (name, folder) in [
        ("CONFIG", "config"),
        ("DATA", "data"),
        ("CACHE", "cache"),
        ("STATE", "state"),
    ] {
        command.env(format!("XDG_{name}_HOME"), home.join(folder));
    }
    let begun = Instant::now();
    let child = command.spawn().map_err(|error| error.to_string())?;
    let mut running = Running {
        child,
        compositor,
        start: Duration::ZERO,
    };
    loop {
        let seen = running
            .compositor
            .look_for(Duration::from_millis(200), |scene| {
                has_panel(scene).then_some(())
            });
        if seen.is_some() {
            running.start = begun.elapsed();
            return Ok(running);
        }
        if let Ok(Some(ended)) = running.child.try_wait() {
            return Err(format!("it ended with {ended}"));
        }
        if begun.elapsed() > PATIENCE {
            return Err("it showed no panel".into());
        }
    }
}

/// A panel is a layer surface that keeps space for itself.
fn has_panel(scene: &Scene) -> bool {
    scene.layers().any(|surface| {
        surface
            .layer()
            .is_some_and(|layer| layer.place.exclusive_zone > 0)
    })
}

/// From here on it is watched, without disturbing it.
fn begin(running: &Running) -> Result<Spent, String> {
    running.compositor.take_commits();
    Spent::of(running.child.id())
}

fn end(running: &Running, before: Spent) -> Result<Watched, String> {
    let spent = Spent::of(running.child.id())?.since(before);
    let commits = running.compositor.take_commits();
    let shares: Vec<f64> = commits
        .iter()
        .filter_map(|commit| Some(share(&commit.damage, commit.buffer?)))
        .collect();
    let frames = shares.len().max(1) as f64;
    Ok(Watched {
        cpu: spent.cpu,
        voluntary: spent.voluntary,
        repainted: shares.iter().sum::<f64>() / frames,
    })
}

/// How much of a buffer rectangles cover, in percent; what they share counts once.
fn share(damage: &[Rect], (width, height): (i32, i32)) -> f64 {
    let covered = |y: i32| {
        (0..width)
            .filter(|x| damage.iter().any(|rect| rect.contains(*x, y)))
            .count()
    };
    let covered: usize = (0..height).map(covered).sum();
    covered as f64 * 100.0 / f64::from(width * height)
}
