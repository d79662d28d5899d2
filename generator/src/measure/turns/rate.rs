//! The figure of a run: operations over time, of all slices that nothing disturbed.

use crate::measure::turns::turn::{Slice, Turn};
use crate::model::scenario::Scenario;

/// CPU time below this share of the elapsed time means that something else had the processor.
/// Context switches do not: most of them are to the program before, which has yet to wait for its
/// next slice.
const CPU_SHARE: f64 = 0.97;

/// A slice is disturbed if its probes took longer than in the quietest slices by more than this
/// factor: on a quiet core they differ by less.
const QUIET: f64 = 1.01;

/// The standard is the last of this share of the quietest slices.
const QUIETEST: f64 = 0.05;

/// First line of a table of turns.
pub(crate) const HEADING: &str = "run,scenario,operations,first,second,wall,cpu,probe,quiet operations,quiet first,quiet second,quiet wall,quiet cpu,quiet probe\n";

/// What a program took in a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rate {
    /// Of each turn, the sums of its slices: of all, and of those that count.
    pub(crate) turns: Vec<[Slice; 2]>,
}

impl Rate {
    /// Returns what a program took; `None` without slices.
    ///
    /// A slice is left out because of its probes, never of its own time: what a library does in
    /// every 32nd operation, or until it succeeds, is as frequent in those that count as in all.
    pub(crate) fn of(turns: &[Turn]) -> Option<Self> {
        let limit = limit(turns)?;
        let sums = |turn: &Turn| {
            let quiet = turn.iter().filter(|slice| noise(slice) <= limit);
            [sum(turn), sum(quiet)]
        };
        let turns = turns.iter().map(sums).collect();
        Some(Self { turns })
    }

    /// The nanoseconds of an operation on a side.
    pub(crate) fn time(&self, side: usize) -> f64 {
        let quiet = sum(self.turns.iter().map(|[_, quiet]| quiet));
        quiet.sides[side] as f64 / quiet.operations as f64
    }

    /// Returns the turns as lines of a table, each with its run and scenario first.
    pub(super) fn lines(&self, run: u32, scenario: &Scenario) -> String {
        let mut lines = String::new();
        for turn in &self.turns {
            lines += &format!("{run},\"{scenario}\"");
            for slice in turn {
                let [first, second] = slice.sides;
                let sums = [first, second, slice.wall, slice.cpu, slice.probe];
                lines += &format!(",{}", slice.operations);
                lines.extend(sums.map(|sum| format!(",{sum}")));
            }
            lines.push('\n');
        }
        lines
    }
}

/// Returns how much a slice was disturbed: the time of its probes, and more than any of these if it
/// did not have its processors.
fn noise(slice: &Slice) -> (bool, u64) {
    let is_preempted = (slice.cpu as f64) < CPU_SHARE * slice.wall as f64;
    (is_preempted, slice.probe)
}

/// Returns the noise up to which slices count; `None` without slices.
fn limit(turns: &[Turn]) -> Option<(bool, u64)> {
    let mut all: Vec<(bool, u64)> = turns.iter().flatten().map(noise).collect();
    all.sort_unstable();
    let (is_preempted, probe) = *all.get((all.len() as f64 * QUIETEST) as usize)?;
    Some((is_preempted, (probe as f64 * QUIET) as u64))
}

fn sum<'a>(slices: impl IntoIterator<Item = &'a Slice>) -> Slice {
    let (mut sum, mut count) = (Slice::default(), 0);
    for slice in slices {
        sum.operations += slice.operations;
        sum.sides = [0, 1].map(|side| sum.sides[side] + slice.sides[side]);
        sum.wall += slice.wall;
        sum.cpu += slice.cpu;
        sum.probe += slice.probe;
        count += 1;
    }
    sum.probe /= count.max(1);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    const NANOS: f64 = 1e6;

    fn slice(time: f64, probe: u64, cpu: f64) -> Slice {
        Slice {
            operations: 1,
            sides: [(time * NANOS) as u64, (2.0 * time * NANOS) as u64],
            wall: (3.0 * time * NANOS) as u64,
            cpu: (3.0 * time * NANOS * cpu) as u64,
            probe,
        }
    }

    /// The mean figure of `runs` runs of so many turns, each of 32 slices of two operations that
    /// take `cost`, 1 in the mean.
    fn figure(runs: u64, turns: usize, mut cost: impl FnMut(&mut Random) -> f64) -> f64 {
        let mut sum = 0.0;
        for run in 0..runs {
            let mut random = Random::new(run);
            let mut slices = |_| {
                let time = cost(&mut random) + cost(&mut random);
                Slice {
                    operations: 2,
                    ..slice(time, 2000 + random.below(4) as u64, 1.0)
                }
            };
            let mut turn = |_| (0..32).map(&mut slices).collect();
            let turns: Vec<Turn> = (0..turns).map(&mut turn).collect();
            let rate = Rate::of(&turns).expect("slices");
            sum += rate.time(0) / NANOS;
            assert!((rate.time(1) / rate.time(0) - 2.0).abs() < 1e-5);
        }
        sum / runs as f64
    }

    fn assert_within(percent: f64, found: f64, what: &str) {
        assert!((found - 1.0).abs() * 100.0 < percent, "{what}: {found}");
    }

    #[test]
    fn what_happens_in_every_32nd_operation_counts() {
        for turns in [3, 100] {
            let mut operation = 0;
            let periodic = figure(1, turns, |_| {
                operation += 1;
                if operation % 32 == 5 { 2.0 } else { 1.0 }
            });
            assert_within(0.2, periodic * 32.0 / 33.0, &format!("{turns} turns"));
        }
    }

    /// An operation tries until it succeeds, with a probability of 1 in 4, as ML-DSA signs.
    #[test]
    fn where_costs_vary_the_figure_is_the_mean() {
        for (runs, turns) in [(8000, 3), (400, 100)] {
            let tries = figure(runs, turns, |random| {
                let mut tries = 1.0;
                while random.below(4) > 0 {
                    tries += 1.0;
                }
                tries / 4.0
            });
            assert_within(0.2, tries, &format!("{turns} turns"));
        }
    }

    /// Of 4 % a slice, as the sum of three uniform draws, whose standard deviation is 0.5.
    #[test]
    fn noise_does_not_matter_however_long_a_run_is() {
        for (runs, turns) in [(400, 4), (40, 100)] {
            let noisy = figure(runs, turns, |random| {
                let sum: usize = (0..3).map(|_| random.below(10_000)).sum();
                1.0 + 0.08 * 2_f64.sqrt() * (sum as f64 / 1e4 - 1.5)
            });
            assert_within(0.1, noisy, &format!("{turns} turns"));
        }
    }

    /// Bursts of 0.1 to 2 s, in which everything takes 40 % longer, between turns of 32 ms that are
    /// 0.6 s apart. Probes show a tenth of it.
    #[test]
    fn disturbed_slices_do_not_count() {
        for percent in [10, 30, 60] {
            let mut random = Random::new(percent);
            let (mut now, mut until, mut is_burst) = (0.0, 0.0, false);
            let mut sum = 0.0;
            for _ in 0..100 {
                let mut turns = Vec::new();
                for _ in 0..16 {
                    let mut turn = Vec::new();
                    for _ in 0..32 {
                        while now >= until {
                            is_burst = !is_burst;
                            let length = 100.0 + random.below(1900) as f64;
                            let share = percent as f64 / 100.0;
                            until += if is_burst {
                                length
                            } else {
                                length / share - length
                            };
                        }
                        let (factor, probe) = if is_burst { (1.4, 2080) } else { (1.0, 2000) };
                        turn.push(slice(factor, probe + random.below(8) as u64, 1.0));
                        now += factor;
                    }
                    now += 600.0;
                    turns.push(turn);
                }
                sum += Rate::of(&turns).expect("slices").time(0) / NANOS;
            }
            assert_within(0.1, sum / 100.0, &format!("{percent} %"));
        }
    }

    #[test]
    fn probes_and_missing_cpu_time_tell_what_was_disturbed() {
        let quiet = vec![slice(10.0, 2000, 1.0); 30];
        let slowed = vec![slice(14.0, 2300, 1.0); 50];
        let preempted = vec![slice(50.0, 2000, 0.5); 20];
        let rate = Rate::of(&[quiet, slowed, preempted]).expect("slices");
        assert_eq!(
            [0, 1].map(|side| rate.time(side)),
            [10.0 * NANOS, 20.0 * NANOS]
        );
        let counts = rate.turns.iter().map(|turn| turn.map(|sum| sum.operations));
        assert_eq!(Vec::from_iter(counts), [[30, 30], [50, 0], [20, 0]]);
    }

    #[test]
    fn where_nothing_is_quiet_the_quietest_slices_count() {
        let slices: Vec<Slice> = (0..100)
            .map(|n| slice(10.0 + f64::from(n), 2000 + 50 * n as u64, 1.0))
            .collect();
        // Six, of 10 to 15.
        let figure = |slices: Turn| Rate::of(&[slices]).expect("slices").time(0) / NANOS;
        assert_eq!(figure(slices.clone()), 12.5);
        let half = |s: &Slice| Slice {
            cpu: s.wall / 2,
            ..*s
        };
        assert_eq!(figure(slices.iter().map(half).collect()), 12.5);
        assert_eq!(Rate::of(&[]), None);
    }

    #[test]
    fn without_probes_all_slices_with_a_processor_count() {
        let turn = vec![
            slice(10.0, 0, 1.0),
            slice(15.0, 0, 1.0),
            slice(40.0, 0, 0.9),
        ];
        assert_eq!(Rate::of(&[turn]).expect("slices").time(0), 12.5 * NANOS);
    }
}
