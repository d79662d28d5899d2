//! The order of measuring: each run takes all programs in a new random order, so that drift of the
//! machine affects all of them alike.

use super::results::{self, FileName};
use super::suite::Suite;
use crate::base::failure::{Failure, Result};
use crate::base::random::Random;
use crate::model::scenario::Scenario;
use std::collections::HashSet;
use std::path::Path;

/// Suites that every program runs in every run, with their scenarios.
pub(crate) type Suites = [(Suite, Vec<Scenario>)];

/// One suite of one program in one run. Its results go into one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Index of the program.
    pub(crate) program: usize,
    /// From 1.
    pub(crate) run: u32,
    pub(crate) suite: Suite,
    /// The scenarios of the suite that are not measured yet.
    pub(crate) scenarios: Vec<Scenario>,
}

/// Scenarios measured already, by results folder, run and whether they were counted or timed: a
/// timed scenario may still have to be counted.
#[derive(Debug, Default)]
pub(crate) struct Done(HashSet<(String, u32, bool, Scenario)>);

impl Done {
    /// Reads the results below `out` of the programs with these IDs.
    pub(crate) fn read(out: &Path, ids: &[&str]) -> Result<Self> {
        let mut done = Self::default();
        for id in ids {
            for (FileName { run, suite }, file) in results::read(&out.join(id))? {
                let rows = file.parsed.observations.iter();
                let scenarios = rows.map(|row| whole(&row.scenario));
                let keys = scenarios.map(|s| ((*id).to_owned(), run, suite.is_counted(), s));
                done.0.extend(keys);
            }
        }
        Ok(done)
    }

    fn has(&self, id: &str, run: u32, suite: Suite, scenario: &Scenario) -> bool {
        let key = (id.to_owned(), run, suite.is_counted(), scenario.clone());
        self.0.contains(&key)
    }
}

/// Returns the requested scenario of a row's: without side and percentile.
pub(crate) fn whole(row: &Scenario) -> Scenario {
    Scenario {
        side: None,
        percentile: None,
        ..row.clone()
    }
}

/// Returns the steps of so many runs in random order, without those done. `ids` are the programs'
/// results folders. The order depends on the seed, the run and the programs only, so a continued
/// measurement keeps its order.
pub(crate) fn steps(
    ids: &[&str],
    suites: &Suites,
    runs: u32,
    seed: u32,
    done: &Done,
) -> Result<Vec<Step>> {
    if suites.is_empty() {
        return Err(Failure::Usage(
            "no scenario is left to measure: --filter and --filter-not exclude all".to_owned(),
        ));
    }
    let mut steps = Vec::new();
    for run in 1..=runs {
        let mut turns: Vec<Step> = Vec::new();
        for (program, id) in ids.iter().enumerate() {
            turns.extend(suites.iter().map(|(suite, scenarios)| {
                let open = scenarios.iter().filter(|s| !done.has(id, run, *suite, s));
                Step {
                    program,
                    run,
                    suite: *suite,
                    scenarios: open.cloned().collect(),
                }
            }));
        }
        Random::new((u64::from(seed) << 32) | u64::from(run)).shuffle(&mut turns);
        steps.extend(turns.into_iter().filter(|step| !step.scenarios.is_empty()));
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(runs: u32, seed: u32, done: &Done) -> Vec<Step> {
        let suites = [Suite::Measure, Suite::Memory].map(|suite| (suite, suite.scenarios(2)));
        steps(&["a", "b", "c"], &suites, runs, seed, done).expect("a plan")
    }

    #[test]
    fn every_program_has_every_suite_once_in_each_run() {
        let steps = plan(30, 1, &Done::default());
        assert_eq!(steps.len(), 30 * 3 * 2);
        for (run, turns) in steps.chunks(6).enumerate() {
            let all: HashSet<(usize, String)> =
                turns.iter().map(|s| (s.program, s.suite.word())).collect();
            assert_eq!(all.len(), 6);
            assert!(turns.iter().all(|s| s.run as usize == run + 1));
        }
    }

    #[test]
    fn every_program_takes_each_place_equally_often() {
        let steps = plan(3000, 7, &Done::default());
        for place in 0..6 {
            let first = steps
                .iter()
                .skip(place)
                .step_by(6)
                .filter(|s| s.program == 0);
            // A third of 3000; five standard deviations are 129.
            let count = first.count();
            assert!((870..1130).contains(&count), "{count} times at {place}");
        }
    }

    #[test]
    fn the_order_depends_on_the_seed_only() {
        let none = Done::default();
        assert_eq!(plan(3, 5, &none), plan(3, 5, &none));
        assert_ne!(plan(3, 5, &none), plan(3, 6, &none));
        assert_eq!(plan(3, 5, &none), plan(9, 5, &none)[..18]);
    }

    #[test]
    fn done_steps_are_left_out_and_the_rest_stays_in_order() {
        let all = plan(3, 5, &Done::default());
        let mut done = Done::default();
        let first = &all[0];
        let ids = ["a", "b", "c"];
        let second = &all[1];
        for (step, skipped) in [(first, 1), (second, 0)] {
            let measured = step.scenarios.iter().skip(skipped).cloned();
            let id = ids[step.program].to_owned();
            done.0
                .extend(measured.map(|scenario| (id.clone(), 1, false, scenario)));
        }
        let rest = plan(3, 5, &done);
        assert_eq!(rest.len(), all.len() - 1);
        assert_eq!(rest[0].scenarios, first.scenarios[..1]);
        assert_eq!(rest[1..], all[2..]);
    }
}
