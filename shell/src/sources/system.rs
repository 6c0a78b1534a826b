//! `ede:system`: how busy the processor is, how much memory is in use and the load, from a few files of `/proc`. Reads
//! `stat`, `meminfo`, `loadavg` and `uptime` in the folder it is given, and nothing else.
//!
//! It samples at most every two seconds, and only while somebody binds it. The history holds the last [`SAMPLES`] values,
//! oldest first, and is always that long: what was not measured yet repeats the first value that was, so a sparkline does not
//! stretch while it fills. After a pause (nobody looked, the machine slept) it starts again.
//!
//! The processor's share is what it did between two samples. At the start and after a pause there is one sample only: the share is
//! then not known (`percent` and `peak` null, `label` a dash, the history all zeros), and half a second later it is.
//!
//! The value: `{cpu: {percent, label, peak, history}, memory: {percent, used, total, usedLabel, totalLabel, history}, load: {one,
//! five, fifteen}, cores, uptime}`, `peak` being the highest of the history. Percents are whole, memory is in bytes, its labels in
//! GB (10⁹), uptime in seconds. A file that cannot be read leaves its part at zero.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{Params, Source, SourceCx};

/// How many samples a history holds: a minute.
pub const SAMPLES: usize = 30;
/// Between two samples.
const PERIOD: SignedDuration = SignedDuration::from_secs(2);
/// Between the first sample and the second, which is the first to tell a share.
const SOON: SignedDuration = SignedDuration::from_millis(500);
/// A longer pause than this starts the history again.
const PAUSE: SignedDuration = SignedDuration::from_secs(10);

/// The source, with what it measured.
#[derive(Debug)]
pub struct System {
    proc: PathBuf,
    last: Option<Sample>,
    cpu: VecDeque<u8>,
    memory: VecDeque<u8>,
}

#[derive(Debug, Clone)]
struct Sample {
    at: Timestamp,
    ticks: Ticks,
    /// The processor's share since the sample before; `None` for the first.
    percent: Option<u8>,
    memory: Memory,
    load: [f64; 3],
    cores: usize,
    uptime: u64,
}

/// Clock ticks since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Ticks {
    busy: u64,
    all: u64,
}

/// Bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Memory {
    used: u64,
    total: u64,
}

impl Sample {
    /// How long it stands.
    fn period(&self) -> SignedDuration {
        if self.percent.is_some() { PERIOD } else { SOON }
    }
}

impl System {
    /// The source over the files in `proc`.
    pub fn new(proc: &Path) -> System {
        System {
            proc: proc.to_owned(),
            last: None,
            cpu: VecDeque::new(),
            memory: VecDeque::new(),
        }
    }

    fn sample(&mut self, now: Timestamp) -> Sample {
        if let Some(last) = &self.last {
            let since = now.duration_since(last.at);
            // A clock set back asks again at once: the last sample then lies ahead of now.
            if since >= SignedDuration::ZERO && since < last.period() {
                return last.clone();
            }
            if since < SignedDuration::ZERO || since > PAUSE {
                self.cpu.clear();
                self.memory.clear();
                self.last = None;
            }
        }
        let read = |name: &str| std::fs::read_to_string(self.proc.join(name)).unwrap_or_default();
        let (ticks, cores) = ticks(&read("stat"));
        let memory = memory(&read("meminfo"));
        let before = self.last.as_ref().map(|last| last.ticks);
        let sample = Sample {
            at: now,
            ticks,
            percent: before.map(|before| {
                ratio(
                    ticks.busy.saturating_sub(before.busy),
                    ticks.all.saturating_sub(before.all),
                )
            }),
            memory,
            load: load(&read("loadavg")),
            cores,
            uptime: uptime(&read("uptime")),
        };
        if let Some(percent) = sample.percent {
            remember(&mut self.cpu, percent);
        }
        remember(&mut self.memory, ratio(memory.used, memory.total));
        self.last = Some(sample.clone());
        sample
    }
}

impl Source for System {
    fn name(&self) -> &'static str {
        "system"
    }

    fn value(&mut self, _params: &Params, cx: &SourceCx) -> Value {
        let sample = self.sample(cx.now);
        let gigabytes = |bytes: u64| {
            let tenths = (bytes + 50_000_000) / 100_000_000;
            cx.locale.decimal(tenths / 10, tenths % 10) + " GB"
        };
        let flat = || VecDeque::from([0; SAMPLES]);
        let history = Some(&self.cpu).filter(|h| !h.is_empty());
        json!({
            "cpu": {
                "percent": sample.percent,
                "label": sample.percent.map_or_else(|| "–".into(), |p| format!("{p} %")),
                "peak": self.cpu.iter().max(),
                "history": history.cloned().unwrap_or_else(flat),
            },
            "memory": {
                "percent": ratio(sample.memory.used, sample.memory.total),
                "used": sample.memory.used,
                "total": sample.memory.total,
                "usedLabel": gigabytes(sample.memory.used),
                "totalLabel": gigabytes(sample.memory.total),
                "history": self.memory,
            },
            "load": { "one": sample.load[0], "five": sample.load[1], "fifteen": sample.load[2] },
            "cores": sample.cores,
            "uptime": sample.uptime,
        })
    }

    fn next_change(&self, _params: &Params, cx: &SourceCx) -> Option<Timestamp> {
        let due = match &self.last {
            Some(last) => last.at.checked_add(last.period()).ok()?,
            None => return cx.now.checked_add(SOON).ok(),
        };
        // Late or turned back: not in the past, and never a full day ahead because a clock was set.
        let latest = cx.now.checked_add(PERIOD).ok()?;
        Some(if due <= cx.now || due > latest {
            latest
        } else {
            due
        })
    }
}

fn remember(history: &mut VecDeque<u8>, value: u8) {
    if history.is_empty() {
        history.extend(std::iter::repeat_n(value, SAMPLES - 1));
    }
    history.push_back(value);
    while history.len() > SAMPLES {
        history.pop_front();
    }
}

/// Whole percents of `all`, 0 where there is nothing.
fn ratio(part: u64, all: u64) -> u8 {
    if all == 0 {
        return 0;
    }
    let percent = (u128::from(part) * 100 + u128::from(all) / 2) / u128::from(all);
    u8::try_from(percent.min(100)).unwrap_or(100)
}

/// The ticks of all processors together, and how many processors there are.
fn ticks(stat: &str) -> (Ticks, usize) {
    let mut all = Ticks::default();
    let mut cores = 0;
    for line in stat.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("cpu") => {
                // user nice system idle iowait irq softirq steal; guest time is in user already.
                let fields: Vec<u64> = words.take(8).map_while(|w| w.parse().ok()).collect();
                let sum: u64 = fields.iter().fold(0, |sum, f| sum.saturating_add(*f));
                let idle: u64 = fields.iter().skip(3).take(2).sum();
                all = Ticks {
                    busy: sum.saturating_sub(idle),
                    all: sum,
                };
            }
            Some(word) if word.starts_with("cpu") => cores += 1,
            _ => break,
        }
    }
    (all, cores)
}

fn memory(meminfo: &str) -> Memory {
    let kibibytes = |key: &str| {
        meminfo
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
            .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok())
            .map(|kib| kib.saturating_mul(1024))
    };
    let total = kibibytes("MemTotal").unwrap_or(0);
    let free = kibibytes("MemAvailable")
        .or_else(|| kibibytes("MemFree"))
        .unwrap_or(0);
    Memory {
        used: total.saturating_sub(free),
        total,
    }
}

fn load(loadavg: &str) -> [f64; 3] {
    let mut out = [0.0; 3];
    for (slot, word) in out.iter_mut().zip(loadavg.split_whitespace()) {
        *slot = word
            .parse::<f64>()
            .ok()
            .filter(|v| v.is_finite())
            .unwrap_or(0.0);
    }
    out
}

fn uptime(uptime: &str) -> u64 {
    uptime
        .split(['.', ' '])
        .next()
        .and_then(|seconds| seconds.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use crate::formatter::Locale;
    use jiff::tz::TimeZone;

    struct Machine {
        dir: tempfile::TempDir,
        source: System,
    }

    impl Machine {
        fn new() -> Machine {
            let dir = tempfile::tempdir().unwrap();
            let source = System::new(dir.path());
            let machine = Machine { dir, source };
            machine.write(
                "meminfo",
                "MemTotal:       16000000 kB\nMemFree: 100 kB\nMemAvailable:    6625000 kB\n",
            );
            machine.write("loadavg", "0.52 0.40 0.31 2/900 4242\n");
            machine.write("uptime", "3661.25 12000.00\n");
            machine
        }

        fn write(&self, name: &str, text: &str) {
            std::fs::write(self.dir.path().join(name), text).unwrap();
        }

        fn busy(&self, busy: u64, idle: u64) {
            self.write(
                "stat",
                &format!(
                    "cpu  {busy} 0 0 {idle} 0 0 0 0 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 0\n"
                ),
            );
        }

        fn at(&mut self, second: i64) -> Value {
            let locale = Locale::new("en-GB");
            let cx = SourceCx {
                now: Timestamp::from_second(second).unwrap(),
                zone: &TimeZone::UTC,
                locale: &locale,
            };
            self.source.value(&Params::new(), &cx)
        }

        fn next(&self, second: i64) -> i64 {
            let locale = Locale::new("en-GB");
            let cx = SourceCx {
                now: Timestamp::from_second(second).unwrap(),
                zone: &TimeZone::UTC,
                locale: &locale,
            };
            self.source
                .next_change(&Params::new(), &cx)
                .unwrap()
                .as_second()
        }
    }

    #[test]
    fn the_processors_share_since_the_last_sample_is_told() {
        let mut machine = Machine::new();
        machine.busy(500, 500);
        let first = machine.at(100);
        assert_eq!(
            (&first["cores"], &first["uptime"]),
            (&json!(2), &json!(3661))
        );
        machine.busy(512, 588);
        assert_eq!(machine.at(101)["cpu"]["percent"], 12);
        machine.busy(612, 588);
        // Asked again too soon, the sample stands.
        assert_eq!(machine.at(102)["cpu"]["percent"], 12);
        let then = machine.at(103)["cpu"].clone();
        assert_eq!(
            (&then["percent"], &then["label"]),
            (&json!(100), &json!("100 %"))
        );
    }

    #[test]
    fn what_the_processor_did_since_it_started_is_never_taken_for_what_it_does_now() {
        let mut machine = Machine::new();
        machine.busy(500, 500);
        let flat = [0; SAMPLES];
        let unknown = json!({"percent": null, "label": "–", "peak": null, "history": flat});
        assert_eq!(machine.at(100)["cpu"], unknown);
        assert_eq!(machine.next(100), 100, "half a second later it is known");
        machine.busy(500, 600);
        assert_eq!(machine.at(101)["cpu"]["percent"], 0);
        assert_eq!(machine.at(1000)["cpu"], unknown, "nor the time of a pause");
    }

    #[test]
    fn memory_that_can_be_had_is_not_in_use() {
        let mut machine = Machine::new();
        machine.busy(1, 1);
        let memory = machine.at(100)["memory"].clone();
        assert_eq!(memory["used"], 9_375_000u64 * 1024);
        assert_eq!(memory["usedLabel"], "9.6 GB");
        assert_eq!(memory["percent"], 59);
    }

    #[test]
    fn a_history_is_full_from_the_first_sample_and_slides() {
        let mut machine = Machine::new();
        for i in 0..40 {
            machine.busy(50 + i * i, 50 + i * 100);
            let value = machine.at(100 + 2 * i as i64);
            if i == 0 {
                continue;
            }
            assert_eq!(value["cpu"]["history"].as_array().unwrap().len(), SAMPLES);
            assert_eq!(
                value["cpu"]["history"][SAMPLES - 1],
                value["cpu"]["percent"]
            );
        }
    }

    #[test]
    fn after_a_pause_or_a_clock_set_back_the_history_starts_again() {
        let mut machine = Machine::new();
        machine.busy(0, 100);
        machine.at(98);
        machine.busy(0, 200);
        machine.at(100);
        machine.busy(100, 200);
        let busy = machine.at(102)["cpu"].clone();
        assert_eq!(
            (&busy["history"][0], &busy["peak"]),
            (&json!(0), &json!(100))
        );
        machine.busy(200, 200);
        machine.at(1000);
        machine.busy(300, 200);
        assert_eq!(machine.at(1002)["cpu"]["history"][0], 100);
        machine.busy(300, 300);
        machine.at(8);
        machine.busy(300, 400);
        assert_eq!(machine.at(10)["cpu"]["history"][0], 0);
        assert_eq!(machine.next(10), 12);
        assert_eq!(machine.next(5), 7);
        assert_eq!(machine.next(11), 12);
        assert_eq!(machine.next(300), 302);
    }

    #[test]
    fn files_that_are_missing_or_nonsense_leave_zeros() {
        let mut machine = Machine::new();
        machine.write("meminfo", "MemTotal: lots\nMemAvailable");
        machine.write("loadavg", "NaN inf");
        machine.write("uptime", "");
        machine.write("stat", "cpu  x\n");
        let value = machine.at(100);
        assert_eq!(value["cpu"]["percent"], json!(null));
        assert_eq!(machine.at(102)["cpu"]["percent"], 0);
        assert_eq!(value["memory"]["percent"], 0);
        assert_eq!(
            value["load"],
            json!({"one": 0.0, "five": 0.0, "fifteen": 0.0})
        );
        assert_eq!(
            System::new(Path::new("/nonexistent"))
                .next_change(
                    &Params::new(),
                    &SourceCx {
                        now: Timestamp::UNIX_EPOCH,
                        zone: &TimeZone::UTC,
                        locale: &Locale::new("en")
                    }
                )
                .unwrap()
                .as_millisecond(),
            500
        );
    }
}
