//! Which program runs what, and when: in each run all programs in a new random order, so that
//! drift of the machine falls on all alike.

use super::results::{self, FileName};
use super::suite::Suite;
use crate::failure::{Failure, Result};
use crate::random::Random;
use crate::scenario::Scenario;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::Path;

/// What is measured by every program in every run: suites, with the scenarios of each.
pub(crate) type Suites = [(Suite, Vec<Scenario>)];

/// One file to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Index of the program.
    pub(crate) program: usize,
    /// From 1.
    pub(crate) run: u32,
    /// Whose scenarios they are.
    pub(crate) suite: Suite,
    /// What is still to be measured of the suite.
    pub(crate) scenarios: Vec<Scenario>,
}

/// Scenarios that are measured already, with their folder of results and run, and whether they
/// were counted: what was timed is still to be counted.
#[derive(Debug, Default)]
pub(crate) struct Done(HashSet<(String, u32, bool, Scenario)>);

impl Done {
    /// Reads the results below `out` of the programs with these ids.
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

/// The scenario that was asked for, of one that a row has: without side and percentile.
pub(crate) fn whole(row: &Scenario) -> Scenario {
    Scenario {
        side: None,
        percentile: None,
        ..row.clone()
    }
}

/// The plan of these runs in its order, without what is done. `ids` are the programs' folders. The
/// order of a run depends on the seed, the run and the programs alone, so a plan that is continued
/// goes on as it began.
pub(crate) fn steps(
    ids: &[&str],
    suites: &Suites,
    runs: RangeInclusive<u32>,
    seed: u32,
    done: &Done,
) -> Result<Vec<Step>> {
    if suites.is_empty() {
        return Err(Failure::Usage(
            "no scenario is left to measure: --filter and --filter-not leave none".to_owned(),
        ));
    }
    let mut steps = Vec::new();
    for run in runs {
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
        steps(&["a", "b", "c"], &suites, 1..=runs, seed, done).expect("a plan")
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
    fn every_program_is_early_and_late_alike() {
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
    fn the_seed_alone_decides() {
        let none = Done::default();
        assert_eq!(plan(3, 5, &none), plan(3, 5, &none));
        assert_ne!(plan(3, 5, &none), plan(3, 6, &none));
        assert_eq!(plan(3, 5, &none), plan(9, 5, &none)[..18]);
    }

    #[test]
    fn what_is_done_is_left_out_and_the_rest_stays_in_order() {
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
