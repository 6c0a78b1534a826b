//! One program on the fake compositor, from its start to its end.

use std::fmt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use ede_tests::compositor::{Compositor, Globals, OutputSpec, Rect, Scene};

use crate::program::{Program, Scenario};

/// How often a start is measured; the middle one counts.
const STARTS: usize = 5;

/// How long a program may take to show something.
const PATIENCE: Duration = Duration::from_secs(15);

/// How long a program gets to settle before it is watched or weighed.
const SETTLE: Duration = Duration::from_secs(2);

/// What was measured of one program in one scenario.
#[derive(Clone, Debug)]
pub struct Figures {
    /// From exec to the first buffer of a panel.
    start: Duration,
    /// Proportional set size of the process, in KiB.
    memory: u64,
    /// None when it was not watched.
    watched: Option<Watched>,
}

#[derive(Clone, Debug)]
struct Watched {
    /// Processor time, in ticks of 10 ms.
    ticks: u64,
    /// Context switches, of both kinds and all threads: how often it woke up or was made to wait.
    switches: u64,
    frames: usize,
    /// The repainted share of the panel in each frame, in percent.
    repainted: f64,
}

impl Figures {
    pub const HEADER: &str = "   start   memory  ticks  switches  frames  repainted";

    /// This over another's, where both have a figure.
    pub fn ratio(&self, other: &Self) -> String {
        let over = |a: f64, b: f64| {
            if b > 0.0 {
                format!("{:.2}", a / b)
            } else {
                "–".to_owned()
            }
        };
        let start = over(self.start.as_secs_f64(), other.start.as_secs_f64());
        let memory = over(self.memory as f64, other.memory as f64);
        let watched = self.watched.as_ref().zip(other.watched.as_ref());
        let (ticks, switches) = watched.map_or((String::new(), String::new()), |(this, that)| {
            (
                over(this.ticks as f64, that.ticks as f64),
                over(this.switches as f64, that.switches as f64),
            )
        });
        format!("{start:>8} {memory:>8} {ticks:>6} {switches:>9}")
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, memory) = (
            self.start.as_secs_f64() * 1000.0,
            self.memory as f64 / 1024.0,
        );
        write!(f, "{start:>5.0} ms {memory:>5.1} MB")?;
        if let Some(Watched {
            ticks,
            switches,
            frames,
            repainted,
        }) = &self.watched
        {
            write!(
                f,
                " {ticks:>6} {switches:>9} {frames:>7} {repainted:>8.2} %"
            )?;
        }
        Ok(())
    }
}

/// A program that is killed when this goes.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn measure(program: &Program, scenario: Scenario, watch: Duration) -> Result<Figures, String> {
    let home = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut starts = Vec::new();
    loop {
        let compositor = Compositor::start(Globals::all());
        compositor.add_output(OutputSpec::new("FAKE-1", 1280, 800));
        let (running, start) = start(program, scenario, home.path(), &compositor)?;
        starts.push(start);
        if starts.len() < STARTS {
            drop(running);
            compositor.take_faults();
            continue;
        }
        starts.sort();
        std::thread::sleep(SETTLE);
        let watched = scenario
            .watched()
            .then(|| observe(&running, &compositor, watch))
            .transpose()?;
        let memory = memory(running.0.id())?;
        drop(running);
        for fault in compositor.take_faults() {
            println!("{:<12} fault: {fault}", program.name);
        }
        return Ok(Figures {
            start: starts[STARTS / 2],
            memory,
            watched,
        });
    }
}

/// Start it and wait for its first panel with a buffer.
fn start(
    program: &Program,
    scenario: Scenario,
    home: &Path,
    compositor: &Compositor,
) -> Result<(Running, Duration), String> {
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
        .env_remove("DBUS_SESSION_BUS_ADDRESS");
    for (name, folder) in [
        ("CONFIG", "config"),
        ("DATA", "data"),
        ("CACHE", "cache"),
        ("STATE", "state"),
    ] {
        command.env(format!("XDG_{name}_HOME"), home.join(folder));
    }
    let begun = Instant::now();
    let mut running = Running(command.spawn().map_err(|error| error.to_string())?);
    loop {
        if compositor
            .look_for(Duration::from_millis(200), |scene| {
                has_panel(scene).then_some(())
            })
            .is_some()
        {
            return Ok((running, begun.elapsed()));
        }
        if let Ok(Some(ended)) = running.0.try_wait() {
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

/// Watch a running program without disturbing it.
fn observe(running: &Running, compositor: &Compositor, watch: Duration) -> Result<Watched, String> {
    let process = running.0.id();
    let before = (ticks(process)?, switches(process)?);
    compositor.take_commits();
    std::thread::sleep(watch);
    let after = (ticks(process)?, switches(process)?);
    let commits = compositor.take_commits();
    let shares: Vec<f64> = commits
        .iter()
        .filter_map(|commit| Some(share(&commit.damage, commit.buffer?)))
        .collect();
    let repainted = if shares.is_empty() {
        0.0
    } else {
        shares.iter().sum::<f64>() / shares.len() as f64
    };
    Ok(Watched {
        ticks: after.0 - before.0,
        switches: after.1.saturating_sub(before.1),
        frames: shares.len(),
        repainted,
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

/// Processor time of the process and its threads, in the kernel's ticks.
fn ticks(process: u32) -> Result<u64, String> {
    let stat = read(format!("/proc/{process}/stat"))?;
    let fields: Vec<_> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let number = |at: usize| {
        fields
            .get(at)
            .and_then(|field| field.parse::<u64>().ok())
            .unwrap_or_default()
    };
    Ok(number(11) + number(12))
}

fn switches(process: u32) -> Result<u64, String> {
    let threads =
        std::fs::read_dir(format!("/proc/{process}/task")).map_err(|error| error.to_string())?;
    let mut sum = 0;
    for thread in threads.flatten() {
        let status = std::fs::read_to_string(thread.path().join("status")).unwrap_or_default();
        let counts = status
            .lines()
            .filter(|line| line.contains("ctxt_switches"))
            .filter_map(|line| line.rsplit(':').next());
        sum += counts
            .filter_map(|count| count.trim().parse::<u64>().ok())
            .sum::<u64>();
    }
    Ok(sum)
}

/// Proportional set size in KiB: shared pages count by their share.
fn memory(process: u32) -> Result<u64, String> {
    let rollup = read(format!("/proc/{process}/smaps_rollup"))?;
    let line = rollup
        .lines()
        .find(|line| line.starts_with("Pss:"))
        .ok_or("no memory figures")?;
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse().ok())
        .ok_or_else(|| "no memory figures".into())
}

fn read(path: String) -> Result<String, String> {
    std::fs::read_to_string(&path).map_err(|_| "it ended while it was watched".to_owned())
}
