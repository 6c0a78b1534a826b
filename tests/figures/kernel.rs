//! What the kernel knows of a running process: its memory, its processor time, how often it went to sleep.

use std::time::Duration;

/// One tick of `/proc/PID/stat`.
const TICK: Duration = Duration::from_millis(10);

/// Processor time and sleeps of all threads so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    pub cpu: Duration,
    /// Voluntary context switches: each is one sleep, and so one wake-up.
    pub voluntary: u64,
}

impl Spent {
    /// As of now.
    ///
    /// # Errors
    /// In words, when the process has ended.
    pub fn of(process: u32) -> Result<Spent, String> {
        let threads = std::fs::read_dir(format!("/proc/{process}/task")).map_err(|_| ended())?;
        let mut spent = Spent::default();
        let mut exact = true;
        for thread in threads.flatten() {
            let text = |name: &str| std::fs::read_to_string(thread.path().join(name));
            // The first number is the time on a processor, in ns. Some kernels do not count it.
            let ran = text("schedstat").ok().and_then(|t| first_number(&t));
            exact &= ran.is_some();
            spent.cpu += Duration::from_nanos(ran.unwrap_or_default());
            let status = text("status").unwrap_or_default();
            spent.voluntary += field(&status, "voluntary_ctxt_switches:").unwrap_or_default();
        }
        if !exact {
            spent.cpu = TICK * ticks(process)?;
        }
        Ok(spent)
    }

    /// What was spent since `before`.
    pub fn since(self, before: Spent) -> Spent {
        Spent {
            cpu: self.cpu.saturating_sub(before.cpu),
            voluntary: self.voluntary.saturating_sub(before.voluntary),
        }
    }
}

/// Proportional set size in KiB: pages shared with others count by their share.
///
/// # Errors
/// In words, when the process has ended or the kernel does not say.
pub fn memory(process: u32) -> Result<u64, String> {
    let rollup = read(format!("/proc/{process}/smaps_rollup"))?;
    field(&rollup, "Pss:").ok_or_else(|| "the kernel tells no proportional memory".into())
}

fn ticks(process: u32) -> Result<u32, String> {
    let stat = read(format!("/proc/{process}/stat"))?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|f| f.parse::<u32>().ok());
    Ok(number(11).unwrap_or_default() + number(12).unwrap_or_default())
}

/// The number behind a name at the beginning of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    first_number(text.lines().find_map(|line| line.strip_prefix(name))?)
}

fn first_number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

fn read(path: String) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|_| ended())
}

fn ended() -> String {
    "it ended while it was watched".into()
}
