//! The figures of the whole process, beside those of its peers: `make bench`.
//!
//! Every program runs on the fake compositor, which sees the moment of the first buffer and every repainted pixel. The
//! kernel tells the rest: proportional memory, processor ticks, context switches. Peers that are not installed are
//! left out. The figures are to be compared within one run; a busy machine makes all of them worse.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod program;
mod run;

use std::time::Duration;

use program::{Program, Scenario};
use run::{Figures, measure};

/// How long an idle or ticking program is watched.
const WATCH: Duration = Duration::from_secs(30);

fn main() {
    // `cargo bench` hands over flags of its own test harness; a number chooses a shorter watch.
    let seconds = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok());
    let watch = seconds.map_or(WATCH, Duration::from_secs);
    let programs = Program::installed();
    for scenario in Scenario::ALL {
        println!("\n{}", scenario.title(watch));
        println!("{:<12} {}", "", Figures::HEADER);
        let mut peer = None;
        for program in &programs {
            match measure(program, scenario, watch) {
                Ok(figures) => {
                    println!("{:<12} {figures}", program.name);
                    if program.name == "waybar" {
                        peer = Some(figures.clone());
                    }
                    if let (Some(peer), Some(wanted)) = (&peer, program.wanted(scenario)) {
                        println!("{:<12} {}", "  ÷ waybar", figures.ratio(peer));
                        println!("{:<12} {wanted}", "  wanted");
                    }
                }
                Err(why) => println!("{:<12} not measured: {why}", program.name),
            }
        }
    }
}
