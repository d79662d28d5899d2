//! The measurement: one step after another, each in its own process.

use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::base::words::count;
use crate::measure::measurement::Measurement;
use crate::measure::plan::Step;
use crate::measure::process::Stop;
use crate::measure::program::Program;
use crate::measure::progress::StepProgress;
use crate::measure::suite::Suite;
use anyhow::anyhow;
use std::collections::HashMap;
use std::path::Path;

/// After this many failures in a row, the other steps of a program in a suite are not tried.
const MAX_FAILURES: u32 = 3;

/// Measures all steps. Returns how many files of results are missing.
pub(super) fn measure(
    measurement: &Measurement,
    programs: &[Program],
    steps: &[Step],
) -> Result<usize> {
    measurement.clean()?;
    let mut progress = StepProgress::new(steps.len());
    let mut failed: HashMap<(usize, Suite), u32> = HashMap::new();
    let mut missing = 0;
    for (index, step) in steps.iter().enumerate() {
        let program = &programs[step.program];
        let what = format!("{}, {}", program.identity, step.suite.word());
        let failures = failed.entry((step.program, step.suite)).or_default();
        if *failures >= MAX_FAILURES {
            missing += 1;
            continue;
        }
        progress.show(index, &format!("{what}, run {}", step.run));
        match measurement.step(program, step) {
            Ok(()) => *failures = 0,
            Err(Stop::Failed(why)) => {
                missing += 1;
                *failures += 1;
                progress.say(&format!("failed: {what}, run {}: {why}", step.run));
                if *failures == MAX_FAILURES {
                    progress.say(&format!(
                        "{what}: not tried again, after {failures} failures"
                    ));
                }
            }
            Err(Stop::Fatal(failure)) => {
                let (all, out) = (steps.len(), measurement.out.display());
                return Err(failure.interrupted(|message| {
                    format!(
                        "{message}: {index} of {all} files of results were measured into {out}; the same command continues"
                    )
                }));
            }
        }
    }
    Ok(missing)
}

pub(super) fn announce(out: &Path, steps: &[Step]) {
    let out = out.display();
    if steps.is_empty() {
        crate::inform!("{out} has all of these results already");
        return;
    }
    let files = count(steps.len(), "file");
    crate::inform!(
        "{files} of results to measure into {out}; interrupt at any time, the same command continues"
    );
}

/// Fails if files are missing, else says what to do next.
pub(super) fn finish(out: &Path, missing: usize) -> Result<()> {
    let what = match missing {
        0 => {
            let (next, out) = (ingest_command(out), out.display());
            crate::inform!("measured: {out}; next: {next}");
            return Ok(());
        }
        1 => "1 file of results is missing; the same command tries it again".to_owned(),
        n => format!("{n} files of results are missing; the same command tries them again"),
    };
    Err(Failure::Io(anyhow!(what)))
}

/// Returns the command that ingests a report together with its neighbours, which the pages across all
/// reports show too.
fn ingest_command(report: &Path) -> String {
    let all = report.parent().filter(|parent| *parent != Path::new(""));
    let all = all.unwrap_or(report).to_string_lossy();
    format!("generator ingest {}", escape::shell(&all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_the_folder_to_ingest() {
        let command = |report: &str| ingest_command(Path::new(report));
        assert_eq!(command("my data/2026-11-30"), "generator ingest 'my data'");
        assert_eq!(command("2026-11-30"), "generator ingest 2026-11-30");
    }
}
