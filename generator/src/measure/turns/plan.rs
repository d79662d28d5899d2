//! The order of measuring: each run takes the suites, and each suite its scenarios, in a new random
//! order. The programs of a scenario take turns.

use crate::base::random::Random;
use crate::measure::records::record::control_id;
use crate::measure::records::results::{Part, Results};
use crate::measure::suite::Suite;
use crate::model::scenario::Scenario;
use std::collections::BTreeSet;

/// One suite in one run. Each program's results go into one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SuiteRun {
    /// From 1.
    pub(crate) run: u32,
    pub(crate) suite: Suite,
    /// Scenarios with the indices of the programs that have not measured them yet.
    pub(crate) scenarios: Vec<(Scenario, Vec<usize>)>,
    /// Of the random order within it.
    pub(crate) seed: u64,
}

impl SuiteRun {
    /// In messages.
    pub(crate) fn name(&self) -> String {
        format!("{}, run {}", self.suite.word(), self.run)
    }

    pub(crate) fn part(&self) -> Part {
        (self.run, Some(self.suite))
    }

    /// Number of programs, of which each has a result of its own.
    pub(crate) fn programs(&self) -> usize {
        let programs = self.scenarios.iter().flat_map(|(_, programs)| programs);
        programs.collect::<BTreeSet<_>>().len()
    }

    /// Number of processes: one of each program and scenario.
    pub(crate) fn processes(&self) -> usize {
        let counts = self.scenarios.iter().map(|(_, programs)| programs.len());
        counts.sum()
    }
}

/// Returns all runs of suites in random order, without what is done. Every program, whose results
/// folders are `ids`, runs these suites, each for so many runs. The order depends on the seed and the
/// run only, so a continued measurement keeps its order.
pub(crate) fn left(
    ids: &[String],
    suites: &[(Suite, Vec<Scenario>)],
    runs: impl Fn(Suite) -> u32,
    seed: u32,
    done: &Results,
) -> Vec<SuiteRun> {
    let mut steps = Vec::new();
    let all = suites.iter().map(|(suite, _)| runs(*suite)).max();
    for run in 1..=all.unwrap_or(0) {
        let seed = (u64::from(seed) << 32) | u64::from(run);
        let mut random = Random::new(seed);
        for suite in random.order(suites.len()) {
            let (suite, scenarios) = &suites[suite];
            let mut step = SuiteRun {
                run,
                suite: *suite,
                scenarios: Vec::new(),
                seed,
            };
            for scenario in random.order(scenarios.len()) {
                let scenario = &scenarios[scenario];
                let mut programs = Vec::from_iter(0..ids.len());
                // A control is the same program, with the same footprint.
                if *suite == Suite::Footprint {
                    programs.retain(|at| ids.iter().all(|of| control_id(of) != ids[*at]));
                }
                programs.retain(|program| !done.have(*program, step.part(), Some(scenario)));
                if !programs.is_empty() {
                    step.scenarios.push((scenario.clone(), programs));
                }
            }
            if run <= runs(*suite) && !step.scenarios.is_empty() {
                steps.push(step);
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn plan(runs: u32, seed: u32) -> Vec<SuiteRun> {
        let ids = ["a", "b", "a_control"].map(str::to_owned);
        let suites = [Suite::Measure, Suite::Footprint];
        let suites = suites.map(|suite| (suite, suite.scenarios(2)));
        let runs = |suite| if suite == Suite::Footprint { 1 } else { runs };
        left(&ids, &suites, runs, seed, &Results::default())
    }

    #[test]
    fn every_program_has_every_scenario_once_in_each_run() {
        let steps = plan(30, 1);
        assert_eq!(steps.len(), 30 + 1);
        let (footprint, timed): (Vec<&SuiteRun>, Vec<&SuiteRun>) =
            steps.iter().partition(|s| s.suite == Suite::Footprint);
        for (step, run) in timed.into_iter().zip(1..) {
            assert_eq!((step.run, step.programs(), step.processes()), (run, 3, 36));
            let all: HashSet<&Scenario> = step.scenarios.iter().map(|(s, _)| s).collect();
            assert_eq!(all.len(), 12);
        }
        assert_eq!(footprint[0].scenarios[0].1, [0, 1]);
    }

    #[test]
    fn every_scenario_takes_each_place_equally_often() {
        let first = Suite::Measure.scenarios(2).swap_remove(0);
        let steps = plan(2400, 7);
        let measure = steps.iter().filter(|s| s.suite == Suite::Measure);
        for place in 0..12 {
            let at = measure.clone().map(|step| &step.scenarios[place].0);
            let count = at.filter(|scenario| **scenario == first).count();
            // A twelfth of 2400; five standard deviations are 68.
            assert!((132..268).contains(&count), "{count} times at {place}");
        }
    }

    #[test]
    fn the_order_depends_on_the_seed_only() {
        assert_eq!(plan(3, 5), plan(3, 5));
        assert_ne!(plan(3, 5), plan(3, 6));
        assert_eq!(plan(3, 5), plan(9, 5)[..4]);
    }
}
