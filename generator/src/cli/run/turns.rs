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

/// Maximum number of missing files to list.
const MAX_SHOWN: usize = 20;

/// Measures all steps. Returns the implementation, suite and run of each missing file.
pub(super) fn measure(
    measurement: &Measurement,
    programs: &[Program],
    steps: &[Step],
) -> Result<Vec<String>> {
    measurement.clean()?;
    let out = measurement.out.display();
    let progress = StepProgress::new(steps.len());
    let mut failed: HashMap<(usize, Suite), u32> = HashMap::new();
    let mut missing = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let program = &programs[step.program];
        let (identity, suite) = (&program.identity, step.suite.word());
        let what = format!("{identity}, {suite}, run {}", step.run);
        let failures = failed.entry((step.program, step.suite)).or_default();
        if *failures >= MAX_FAILURES {
            missing.push(format!("{what}: not tried, after {MAX_FAILURES} failures"));
            progress.end();
            continue;
        }
        let tick = || progress.tick(&what);
        tick();
        match measurement.step(program, step, &tick) {
            Ok(()) => *failures = 0,
            Err(Stop::Failed(why)) => {
                *failures += 1;
                progress.say(&format!("failed: {what}: {why}"));
                missing.push(what);
            }
            Err(Stop::Fatal(failure)) => {
                let all = steps.len();
                return Err(failure.interrupted(|message| {
                    format!(
                        "{message}: {index} of {all} files of results were measured into {out}; the same command continues"
                    )
                }));
            }
        }
        progress.end();
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
pub(super) fn finish(out: &Path, missing: &[String]) -> Result<()> {
    if missing.is_empty() {
        let (next, out) = (ingest_command(out), out.display());
        crate::inform!("measured: {out}; next: {next}");
        return Ok(());
    }
    let shown = &missing[..missing.len().min(MAX_SHOWN)];
    let more = match missing.len() - shown.len() {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let count = match missing.len() {
        1 => "1 file of results is missing; the same command tries it again".to_owned(),
        n => format!("{n} files of results are missing; the same command tries them again"),
    };
    Err(Failure::Io(anyhow!(
        "{count}:\n  {}{more}",
        shown.join("\n  ")
    )))
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
