//! The figures of the shell, beside those of its peers: `make bench`.
//!
//! Whole processes run on the fake compositor, which sees the moment of the first buffer and every repainted pixel; the
//! kernel tells the rest: proportional memory, processor time, context switches. Peers run at the same time as ede, so that
//! a busy machine is busy for all of them. Single steps (a layout, a scroll step, a raster) call the painter directly.
//!
//! `figures [SECONDS] [process|surface|broker|packages|records|ede]`: how long a running program is watched (60), and only a part of the table.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod broker;
mod kernel;
mod packages;
mod program;
mod records;
mod run;
mod surfaces;
mod table;

use std::collections::BTreeMap;
use std::time::Duration;

use program::{Program, Scenario};
use run::Figures;
use table::{Row, Table};

/// The allocator of `ede`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long a running program is watched.
const WATCH: Duration = Duration::from_secs(60);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds = arguments.iter().find_map(|a| a.parse().ok());
    let watch = seconds.map_or(WATCH, Duration::from_secs);
    let wants = |part: &str| {
        let named = |a: &String| {
            ["process", "surface", "broker", "packages", "records", "ede"].contains(&a.as_str())
        };
        !arguments.iter().any(named) || arguments.iter().any(|a| a == part)
    };
    let mut table = Table::default();
    if wants("process") || wants("ede") {
        let programs = if wants("process") {
            Program::installed()
        } else {
            vec![Program::ede()]
        };
        for peer in Program::missing(&programs) {
            println!("{peer} is not installed: its column stays empty");
        }
        processes(&programs, watch, &mut table);
    }
    if wants("surface") {
        surfaces::measure(&mut table);
    }
    if wants("broker") {
        broker::measure(&mut table);
    }
    if wants("packages") {
        packages::measure(&mut table);
    }
    if wants("records") {
        records::measure(&mut table);
    }
    println!("{table}");
}

/// What every program did in one scenario, by its name.
type Measured = BTreeMap<&'static str, Figures>;

fn processes(programs: &[Program], watch: Duration, table: &mut Table) {
    let measured = |scenario| -> Measured {
        let mut all = Measured::new();
        for (name, figures) in run::measure(programs, scenario, watch) {
            match figures {
                Ok(figures) => drop(all.insert(name, figures)),
                Err(why) => println!("{name}, {}: not measured, {why}", scenario.name()),
            }
        }
        all
    };
    let seconds = watch.as_secs();

    let default = measured(Scenario::Default);
    let start = |f: &Figures| Some(f.start.as_secs_f64() * 1000.0);
    table.push(
        Row::of(
            "exec to the first buffer of the default panel",
            "ms",
            &default,
            start,
        )
        .within(0.25),
    );
    let memory = |f: &Figures| Some(f.memory as f64 / 1024.0);
    table.push(
        Row::of(
            "memory of the process with it (PSS)",
            "MiB",
            &default,
            memory,
        )
        .within(0.8),
    );

    let idle = measured(Scenario::Idle);
    let cpu = |f: &Figures| Some(f.watched.as_ref()?.cpu.as_secs_f64() * 1000.0);
    let wakes = |f: &Figures| Some(f.watched.as_ref()?.voluntary as f64);
    let share = |f: &Figures| Some(f.watched.as_ref()?.repainted);
    let title = |what: &str| format!("{what}, {seconds} s");
    // One frame of the minute that passes meanwhile; a tick of the kernel is 10 ms.
    table.push(
        Row::of(
            title("idle with a clock of minutes: processor"),
            "ms",
            &idle,
            cpu,
        )
        .below(10.0),
    );
    let minutes = seconds.div_ceil(60) as f64;
    table.push(
        Row::of(
            title("idle with a clock of minutes: wake-ups"),
            "",
            &idle,
            wakes,
        )
        .below(minutes),
    );
    table.push(Row::of(
        "memory with that clock alone (PSS)",
        "MiB",
        &idle,
        memory,
    ));

    let ticking = measured(Scenario::Ticking);
    table.push(
        Row::of(
            "clock of seconds: repainted pixels of the panel",
            "%",
            &ticking,
            share,
        )
        .below(3.0),
    );
    table.push(Row::of(title("clock of seconds: processor"), "ms", &ticking, cpu).within(1.0));
    table.push(Row::of(
        title("clock of seconds: wake-ups"),
        "",
        &ticking,
        wakes,
    ));

    let system = measured(Scenario::System);
    table.push(Row::of(
        title("ede:system at 2 s: processor"),
        "ms",
        &system,
        cpu,
    ));
    table.push(Row::of(
        title("ede:system at 2 s: wake-ups"),
        "",
        &system,
        wakes,
    ));
}
