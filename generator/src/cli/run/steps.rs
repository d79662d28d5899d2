//! The measurement: one step after another, with its results in memory.

use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::base::words::count;
use crate::cli::read;
use crate::measure::measurement::{Measurement, Outcome};
use crate::measure::plan::{Done, Step};
use crate::measure::program::Program;
use crate::measure::progress::StepProgress;
use crate::measure::results::{self, FileName};
use crate::model::scenario::Scenario;
use crate::parse::load::Loaded;
use crate::report::Dataset;
use crate::stats::Estimator;
use anyhow::anyhow;
use std::collections::HashMap;
use std::path::Path;

/// After this many failures, a program is not tried again in a scenario.
pub(super) const MAX_FAILURES: u32 = 3;

/// Everything that was measured into a report so far.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) done: Done,
    files: Vec<Loaded>,
    /// Failures by program and scenario.
    failures: HashMap<(usize, Scenario), u32>,
}

impl Collected {
    /// Reads the results of the programs with these IDs.
    pub(super) fn read(out: &Path, ids: &[&str]) -> Result<Self> {
        let mut collected = Self::default();
        for id in ids {
            for file in results::read(&out.join(id))? {
                collected.add(id, file);
            }
        }
        Ok(collected)
    }

    fn add(&mut self, id: &str, file: Loaded) {
        if let Some(name) = FileName::of(&file.path) {
            for row in &file.parsed.observations {
                self.done.add(id, name, &row.scenario);
            }
        }
        self.files.push(file);
    }

    pub(super) fn dataset(&self) -> Result<Dataset> {
        read::grouped(&self.files, Estimator::default(), None)
    }

    /// Measures all steps. Returns how many results are missing: scenarios of a program in a run.
    pub(super) fn measure(
        &mut self,
        measurement: &Measurement,
        programs: &[Program],
        steps: &[Step],
    ) -> Result<usize> {
        measurement.clean()?;
        let all = steps.iter().map(Step::files).sum();
        let mut progress = StepProgress::new(all);
        let (mut done, mut missing) = (0, 0);
        for step in steps {
            let (run, suite) = (step.name.run, step.name.suite.word());
            progress.show(done, &format!("{suite}, run {run}"));
            let mut step = step.clone();
            missing += self.give_up(&mut step);
            let outcome = measurement.step(programs, &step).map_err(|failure| {
                let out = measurement.out.display();
                failure.interrupted(|message| {
                    format!(
                        "{message}: {done} of {all} files of results were measured into {out}; the same command continues"
                    )
                })
            })?;
            done += step.files();
            missing += outcome.lost.len();
            self.take(outcome, |program, scenario, why| {
                let what = format!("{}, {suite}", programs[program].identity);
                progress.say(&format!("failed: {what}, run {run}: `{scenario}`: {why}"));
            });
        }
        Ok(missing)
    }

    /// Leaves out what failed too often. Returns how many results are missing for it.
    fn give_up(&self, step: &mut Step) -> usize {
        let failures = |program: &usize, scenario: &Scenario| {
            self.failures.get(&(*program, scenario.clone())).copied()
        };
        let mut missing = 0;
        for (scenario, programs) in &mut step.scenarios {
            let before = programs.len();
            programs.retain(|program| failures(program, scenario) < Some(MAX_FAILURES));
            missing += before - programs.len();
        }
        missing
    }

    /// Adds the results of a step, and counts failures, which are described by `say`.
    fn take(&mut self, outcome: Outcome, say: impl Fn(usize, &Scenario, &str)) {
        for (id, file) in outcome.results {
            self.add(&id, file);
        }
        for (program, scenario, why) in outcome.lost {
            let failures = self
                .failures
                .entry((program, scenario.clone()))
                .or_default();
            *failures += 1;
            let end = match *failures {
                MAX_FAILURES => format!("\n  not tried again, after {MAX_FAILURES} failures"),
                _ => String::new(),
            };
            say(program, &scenario, &(why + &end));
        }
    }
}

pub(super) fn announce(out: &Path, steps: &[Step]) {
    let out = out.display();
    if steps.is_empty() {
        crate::inform!("{out} has all of these results already");
        return;
    }
    let files = count(steps.iter().map(Step::files).sum(), "file");
    crate::inform!(
        "{files} of results to measure into {out}; interrupt at any time, the same command continues"
    );
}

/// Fails if results are missing, else says what to do next.
pub(super) fn finish(out: &Path, missing: usize) -> Result<()> {
    let what = match missing {
        0 => {
            let (next, out) = (ingest_command(out), out.display());
            crate::inform!("measured: {out}; next: {next}");
            return Ok(());
        }
        1 => "1 result is missing; the same command tries it again".to_owned(),
        n => format!("{n} results are missing; the same command tries them again"),
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
