//! `ede contract FILE…`: replay contract cases with the engine itself, and say which fail.

use std::path::PathBuf;

use clap::Args;
use ede_engine::contract::{Cases, NoCases, replay};
use ede_engine::files;

use super::{Exit, Failure, Output};

/// The largest file of cases that is read (bytes).
const MOST: usize = 16 * 1024 * 1024;

/// Replay contract cases
#[derive(Debug, Args)]
pub struct Contract {
    /// Files of cases (JSON).
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Contract {
    pub fn run(self, out: &mut Output) -> Result<Exit, Failure> {
        // A file that cannot be replayed is told before anything counts as passed.
        let mut replayed: Vec<(PathBuf, Vec<Cases>)> = Vec::new();
        for path in self.files {
            let bytes = files::read_regular(&path, MOST)?;
            let cases = replay(&bytes).map_err(|error| no_cases(&path, &error))?;
            replayed.push((path, cases));
        }
        let (mut passed, mut failed) = (0_usize, 0_usize);
        for (path, all) in &replayed {
            for cases in all {
                for case in &cases.replayed {
                    if case.passed() {
                        passed += 1;
                        continue;
                    }
                    failed += 1;
                    out.line(format!("{}: {}: {}", path.display(), cases.kind, case.case))?;
                    out.line(format!("  expected {}", case.expected))?;
                    out.line(format!("  actual   {}", case.actual))?;
                }
            }
        }
        out.line(format!("{passed} passed, {failed} failed"))?;
        Ok(if failed == 0 {
            Exit::Done
        } else {
            Exit::Failed
        })
    }
}

fn no_cases(path: &std::path::Path, error: &NoCases) -> Failure {
    Failure::new(
        "this is no file of contract cases",
        path.display(),
        format!("{error}: correct the file or leave it out"),
    )
}
