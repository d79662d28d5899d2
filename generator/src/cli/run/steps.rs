//! The measurement: one step after another, with its results in memory.

use crate::base::failure::Result;
use crate::measure::measurement::Measurement;
use crate::measure::plan::{Done, Step};
use crate::measure::program::Program;
use crate::measure::progress::StepProgress;
use crate::measure::results::{self, FileName};
use crate::model::scenario::Scenario;
use crate::parse::load::Loaded;
use std::collections::HashMap;
use std::path::Path;

/// After this many failures, a program is not tried again in a scenario.
const MAX_FAILURES: u32 = 3;

/// Everything that was measured into a report so far.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) done: Done,
    pub(super) files: Vec<Loaded>,
    /// Failures by program and scenario.
    failures: HashMap<(usize, Scenario), u32>,
}

impl Collected {
    /// Reads the results of the programs with these IDs.
    pub(super) fn read(out: &Path, ids: &[String]) -> Result<Self> {
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
            let kept = self.without_failing(step);
            let outcome = measurement.step(programs, &kept).map_err(|failure| {
                let out = measurement.out.display();
                failure.interrupted(|message| {
                    format!(
                        "{message}: {done} of {all} files of results were measured into {out}; the same command continues"
                    )
                })
            })?;
            done += step.files();
            missing += step.processes() - kept.processes() + outcome.lost.len();
            for (id, file) in outcome.results {
                self.add(&id, file);
            }
            for (program, scenario, why) in outcome.lost {
                let failures = self.failures.entry((program, scenario.clone()));
                let failures = failures.and_modify(|n| *n += 1).or_insert(1);
                let end = match *failures {
                    MAX_FAILURES => format!("\n  not tried again, after {MAX_FAILURES} failures"),
                    _ => String::new(),
                };
                let program = &programs[program].identity;
                progress.say(&format!(
                    "failed: {program}, {suite}, run {run}: `{scenario}`: {why}{end}"
                ));
            }
        }
        Ok(missing)
    }

    /// Leaves out what failed too often.
    fn without_failing(&self, step: &Step) -> Step {
        let mut step = step.clone();
        for (scenario, programs) in &mut step.scenarios {
            programs.retain(|program| {
                let failures = self.failures.get(&(*program, scenario.clone()));
                failures < Some(&MAX_FAILURES)
            });
        }
        step
    }
}
