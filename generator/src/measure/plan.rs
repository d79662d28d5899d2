//! The order of measuring: each run takes the suites, and each suite its scenarios, in a new random
//! order. The programs of a scenario take turns.

use super::results::FileName;
use super::suite::Suite;
use crate::base::failure::{Failure, Result};
use crate::base::random::Random;
use crate::model::scenario::Scenario;
use std::collections::HashSet;

/// Suites that every program runs in every run, with their scenarios.
pub(crate) type Suites = [(Suite, Vec<Scenario>)];

/// One suite in one run. Each program's results go into one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: FileName,
    /// Scenarios with the indices of the programs that have not measured them yet.
    pub(crate) scenarios: Vec<(Scenario, Vec<usize>)>,
    /// Of the random order within it.
    pub(crate) seed: u64,
}

impl Step {
    /// Number of files of results: one of each program.
    pub(crate) fn files(&self) -> usize {
        let programs = self.scenarios.iter().flat_map(|(_, programs)| programs);
        programs.collect::<HashSet<_>>().len()
    }

    /// Number of processes: one of each program and scenario.
    pub(crate) fn processes(&self) -> usize {
        self.scenarios
            .iter()
            .map(|(_, programs)| programs.len())
            .sum()
    }
}

/// Scenarios measured already, by results folder, run and whether they were counted or timed: a
/// timed scenario may still have to be counted.
#[derive(Debug, Default)]
pub(crate) struct Done(HashSet<(String, u32, bool, Scenario)>);

impl Done {
    /// Adds the scenario of a row, as it was requested: without side and percentile.
    pub(crate) fn add(&mut self, id: &str, name: FileName, row: &Scenario) {
        let requested = Scenario {
            side: None,
            percentile: None,
            ..row.clone()
        };
        self.0.insert(key(id, name, requested));
    }
}

fn key(id: &str, name: FileName, scenario: Scenario) -> (String, u32, bool, Scenario) {
    (id.to_owned(), name.run, name.suite.is_counted(), scenario)
}

/// Returns the steps of so many runs in random order, without what is done. `ids` are the programs'
/// results folders, and `is_wanted` says whether a program takes part in a step. The order depends on
/// the seed and the run only, so a continued measurement keeps its order.
pub(crate) fn steps(
    ids: &[&str],
    suites: &Suites,
    runs: u32,
    seed: u32,
    done: &Done,
    is_wanted: impl Fn(&str, FileName) -> bool,
) -> Result<Vec<Step>> {
    if suites.is_empty() {
        return Err(Failure::Usage(
            "no scenario is left to measure: --filter and --filter-not exclude all".to_owned(),
        ));
    }
    let mut steps = Vec::new();
    for run in 1..=runs {
        let seed = (u64::from(seed) << 32) | u64::from(run);
        let mut random = Random::new(seed);
        for suite in random.order(suites.len()) {
            let (suite, scenarios) = &suites[suite];
            let name = FileName { run, suite: *suite };
            let mut open = Vec::new();
            for scenario in random.order(scenarios.len()) {
                let scenario = &scenarios[scenario];
                let is_open = |program: &usize| {
                    let id = ids[*program];
                    is_wanted(id, name) && !done.0.contains(&key(id, name, scenario.clone()))
                };
                let programs: Vec<usize> = (0..ids.len()).filter(is_open).collect();
                if !programs.is_empty() {
                    open.push((scenario.clone(), programs));
                }
            }
            if !open.is_empty() {
                steps.push(Step {
                    name,
                    scenarios: open,
                    seed,
                });
            }
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 3] = ["a", "b", "c"];

    fn plan(runs: u32, seed: u32, done: &Done) -> Vec<Step> {
        let suites = [Suite::Measure, Suite::Memory].map(|suite| (suite, suite.scenarios(2)));
        steps(&IDS, &suites, runs, seed, done, |_, _| true).expect("a plan")
    }

    #[test]
    fn every_program_has_every_scenario_once_in_each_run() {
        let steps = plan(30, 1, &Done::default());
        assert_eq!(steps.len(), 30 * 2);
        for (pair, run) in steps.chunks(2).zip(1..) {
            assert!(pair.iter().all(|step| step.name.run == run));
            let scenarios = pair.iter().flat_map(|step| &step.scenarios);
            let all: HashSet<&Scenario> = scenarios.clone().map(|(s, _)| s).collect();
            assert_eq!(all.len(), 12 + 8);
            assert!(
                scenarios
                    .clone()
                    .all(|(_, programs)| *programs == [0, 1, 2])
            );
        }
    }

    #[test]
    fn every_scenario_takes_each_place_equally_often() {
        let of = |suite| Suite::scenarios(suite, 2).swap_remove(0);
        let first = plan(2400, 7, &Done::default());
        let measure = first
            .iter()
            .filter(|step| step.name.suite == Suite::Measure);
        for place in 0..12 {
            let at = measure.clone().map(|step| &step.scenarios[place].0);
            let count = at.filter(|s| **s == of(Suite::Measure)).count();
            // A twelfth of 2400; five standard deviations are 68.
            assert!((132..268).contains(&count), "{count} times at {place}");
        }
    }

    #[test]
    fn the_order_depends_on_the_seed_only() {
        let none = Done::default();
        assert_eq!(plan(3, 5, &none), plan(3, 5, &none));
        assert_ne!(plan(3, 5, &none), plan(3, 6, &none));
        assert_eq!(plan(3, 5, &none), plan(9, 5, &none)[..6]);
    }

    #[test]
    fn what_is_done_is_left_out_and_the_rest_stays_in_order() {
        let all = plan(3, 5, &Done::default());
        let mut done = Done::default();
        let (first, second) = (&all[0], &all[1]);
        for (scenario, _) in &first.scenarios {
            IDS.iter().for_each(|id| done.add(id, first.name, scenario));
        }
        let measured = second.scenarios[0]
            .0
            .on(crate::model::scenario::Side::Client);
        done.add("b", second.name, &measured);
        let rest = plan(3, 5, &done);
        assert_eq!(rest.len(), all.len() - 1);
        assert_eq!(rest[0].scenarios[0].1, [0, 2]);
        assert_eq!(rest[0].scenarios[1..], second.scenarios[1..]);
        assert_eq!(rest[1..], all[2..]);
    }

    #[test]
    fn a_program_may_be_left_out_of_a_step() {
        let suites = [(Suite::Footprint, Suite::Footprint.scenarios(2))];
        let wanted = |id: &str, name: FileName| id != "b" && name.run < 2;
        let steps = steps(&IDS, &suites, 3, 1, &Done::default(), wanted).expect("a plan");
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].scenarios[0].1, [0, 2]);
    }
}
