//! Finds the first step with a change by bisection: chooses the next step to measure, and judges
//! the result.
//!
//! Measures both ends until they differ. Then interleaves the middle step with both ends, until it
//! differs significantly from one and is closer to the other. Each question is tested several
//! times while runs are added, and a search asks several questions. [`ALPHA`] is divided among all
//! these looks, so that the error rate of a whole search stays below it (Bonferroni's inequality).
//! The extra looks at steps that stay undecided are not corrected for.

use crate::failure::Result;
use crate::stats::{Comparison, Estimator, Pair, Rules, Sample};
use crate::unit::{Better, Kind};
use anyhow::Context;
use std::ops::RangeInclusive;

/// Error rate of a whole search.
pub(crate) const ALPHA: f64 = 0.05;

/// Runs before the first look at a question; the number doubles for each further look. With 10 a
/// ratio has an interval, and the exact test of 10 against 10 values reaches p = 0.00001, which is
/// below the alpha of one look in the longest searches.
const FIRST_LOOK: u32 = 10;

/// Measures steps.
pub(crate) trait Measure {
    /// Prepares a step for measuring. Returns false if it cannot be measured and must be skipped.
    fn prepare(&mut self, step: usize) -> Result<bool>;

    /// Measures these steps in these runs, interleaved within each run. Returns a sample per step,
    /// or `None` if a step fails.
    fn measure(
        &mut self,
        steps: &[usize],
        runs: RangeInclusive<u32>,
    ) -> Result<Option<Vec<Sample>>>;

    /// Called once a step is decided: whether it has the change, or `None` if it stays undecided.
    fn report(&mut self, step: usize, has_change: Option<bool>);
}

/// The figure to test, and the limits of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) better: Better,
    pub(crate) kind: Kind,
    /// Smallest change between the ends that counts, as a fraction.
    pub(crate) threshold: f64,
    /// Runs of a step after which a question stays undecided.
    pub(crate) max_runs: u32,
}

/// The comparison of two steps that were measured interleaved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evidence {
    pub(crate) comparison: Comparison,
    /// Runs of each step.
    pub(crate) runs: u32,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The first and the last step do not differ significantly.
    NoChange(Evidence),
    /// The change came with `first`, or with one of the `open` steps.
    Found {
        last_without: usize,
        /// Steps in between that could not be measured or stayed undecided.
        open: Vec<usize>,
        first: usize,
        /// From `last_without` to `first`.
        evidence: Evidence,
        /// From the first step to the last.
        ends: Evidence,
    },
}

/// A search in progress.
pub(crate) struct Search<'a, M> {
    pub(crate) measure: &'a mut M,
    pub(crate) question: Question,
    last: usize,
    next_run: u32,
}

impl<'a, M: Measure> Search<'a, M> {
    /// Searches steps 0 to `last`; both must be prepared already.
    pub(crate) fn new(measure: &'a mut M, question: Question, last: usize) -> Self {
        Self {
            measure,
            question,
            last,
            next_run: 1,
        }
    }

    /// Runs the search to its end.
    pub(crate) fn run(mut self) -> Result<Outcome> {
        let (mut low, mut high) = (0, self.last);
        let ends = self.compare(low, high)?;
        if !ends.comparison.verdict.is_change() {
            return Ok(Outcome::NoChange(ends));
        }
        let mut open = Vec::new();
        while let Some(step) = middle(low, high, &open) {
            if !self.measure.prepare(step)? {
                open.push(step);
                continue;
            }
            let has_change = self.decide(step)?;
            match has_change {
                Some(true) => high = step,
                Some(false) => low = step,
                None => open.push(step),
            }
            self.measure.report(step, has_change);
        }
        open.retain(|step| (low..high).contains(step));
        open.sort_unstable();
        let evidence = match (low, high) == (0, self.last) {
            true => ends,
            false => self.compare(low, high)?,
        };
        Ok(Outcome::Found {
            last_without: low,
            open,
            first: high,
            evidence,
            ends,
        })
    }

    /// Measures two steps interleaved until they differ.
    fn compare(&mut self, old: usize, new: usize) -> Result<Evidence> {
        let mut latest = None;
        let (question, threshold) = (self.question, self.question.threshold);
        self.look(&[old, new], threshold, |rules, samples| {
            let comparison = question.judge(rules, &samples[0], &samples[1])?;
            let runs = samples[0].len() as u32;
            latest = Some(Evidence { comparison, runs });
            comparison.verdict.is_change().then_some(())
        })?;
        let latest =
            latest.context("the two ends of a step cannot be compared: one of them fails")?;
        Ok(latest)
    }

    /// Measures a step with both ends until it differs from the farther one. It has the change if
    /// that is the first step. Returns `None` if it stays undecided.
    fn decide(&mut self, step: usize) -> Result<Option<bool>> {
        let question = self.question;
        self.look(&[0, step, self.last], 0.0, |rules, samples| {
            let from = |end: usize| question.judge(rules, &samples[end], &samples[1]);
            let (from_first, from_last) = (from(0)?, from(2)?);
            let has_change = from_first.change.size() > from_last.change.size();
            let farther = if has_change { from_first } else { from_last };
            farther.verdict.is_change().then_some(has_change)
        })
    }

    /// Measures steps interleaved, and tests them after 10 runs, 20 and so on up to the limit.
    fn look<T>(
        &mut self,
        steps: &[usize],
        threshold: f64,
        mut test: impl FnMut(&Rules, &[Sample]) -> Option<T>,
    ) -> Result<Option<T>> {
        let alpha = self.alpha();
        let start = self.next_run;
        for runs in self.question.looks() {
            self.next_run = start + runs;
            let Some(samples) = self.measure.measure(steps, start..=start + runs - 1)? else {
                return Ok(None);
            };
            if let Some(found) = test(&Rules { alpha, threshold }, &samples) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Alpha of one test. A look at a step makes two tests, a look at the ends or at the two
    /// neighbours one.
    pub(crate) fn alpha(&self) -> f64 {
        let halvings = (self.last as f64).log2().ceil();
        ALPHA / ((2.0 + 2.0 * halvings) * self.question.looks().len() as f64)
    }
}

impl Question {
    /// Numbers of runs after which a question is tested.
    pub(crate) fn looks(&self) -> Vec<u32> {
        let doubled = std::iter::successors(Some(FIRST_LOOK), |n| n.checked_mul(2));
        let before = doubled.take_while(|n| *n < self.max_runs);
        before.chain([self.max_runs]).collect()
    }

    fn judge(&self, rules: &Rules, old: &Sample, new: &Sample) -> Option<Comparison> {
        let pair = Pair::new(old, new, Estimator::Median, self.better, self.kind)?;
        rules.judge(&[pair]).into_iter().next()
    }
}

/// Returns the step nearest to the middle between two that is not open.
fn middle(low: usize, high: usize, open: &[usize]) -> Option<usize> {
    let steps = (low + 1..high).filter(|step| !open.contains(step));
    steps.min_by_key(|step| (step * 2).abs_diff(low + high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Steps with a fixed level each, and up to 2 % of noise.
    struct Toy {
        levels: Vec<f64>,
        broken: Vec<usize>,
        random: Random,
        measured: Vec<usize>,
    }

    impl Measure for Toy {
        fn prepare(&mut self, step: usize) -> Result<bool> {
            Ok(!self.broken.contains(&step))
        }

        fn measure(
            &mut self,
            steps: &[usize],
            runs: RangeInclusive<u32>,
        ) -> Result<Option<Vec<Sample>>> {
            self.measured.extend(steps);
            let values = |step: &usize| {
                let value = |_| self.levels[*step] * (1.0 + self.random.below(2000) as f64 / 1e5);
                Sample::new(runs.clone().map(value).collect())
            };
            Ok(steps.iter().map(values).collect())
        }

        fn report(&mut self, _: usize, _: Option<bool>) {}
    }

    fn search(levels: &[f64], broken: &[usize], seed: u64) -> (Outcome, Toy) {
        let mut toy = Toy {
            levels: levels.to_vec(),
            broken: broken.to_vec(),
            random: Random::new(seed),
            measured: Vec::new(),
        };
        let question = Question {
            better: Better::Higher,
            kind: Kind::Rate,
            threshold: 0.01,
            max_runs: 40,
        };
        let last = levels.len() - 1;
        let outcome = Search::new(&mut toy, question, last).run();
        (outcome.expect("an outcome"), toy)
    }

    fn with_change_at(step: usize, of: usize) -> Vec<f64> {
        (0..of)
            .map(|i| if i < step { 100.0 } else { 93.0 })
            .collect()
    }

    #[test]
    fn a_change_is_found_at_every_step() {
        for of in [2, 3, 4, 9, 16, 17] {
            for step in 1..of {
                let (outcome, toy) = search(&with_change_at(step, of), &[], 7);
                let Outcome::Found {
                    last_without,
                    open,
                    first,
                    evidence,
                    ends,
                } = outcome
                else {
                    panic!("{step} of {of} was not found");
                };
                assert_eq!((last_without, first), (step - 1, step), "of {of}");
                assert!(open.is_empty());
                assert!(evidence.comparison.verdict.is_regression(Better::Higher));
                assert!(ends.comparison.verdict.is_regression(Better::Higher));
                // Ends, neighbours, and at most the logarithm of the other steps.
                let mut others = toy.measured;
                others.sort_unstable();
                others.dedup();
                assert!(
                    others.len() as f64 <= 2.0 + (of as f64).log2().ceil() + 1.0,
                    "{others:?}"
                );
            }
        }
    }

    #[test]
    fn false_changes_are_rare() {
        // An uncorrected test at 5 % gives three of 60 on average.
        let wrong = (0..60).filter(|seed| {
            let (outcome, toy) = search(&[100.0; 12], &[], *seed);
            assert!(toy.measured.iter().all(|step| [0, 11].contains(step)));
            matches!(outcome, Outcome::Found { .. })
        });
        assert!(wrong.count() <= 3);
    }

    #[test]
    fn a_change_below_the_threshold_is_ignored() {
        let (outcome, _) = search(&[100.0, 100.0, 99.8], &[], 1);
        assert!(matches!(outcome, Outcome::NoChange(evidence) if evidence.runs == 40));
    }

    #[test]
    fn steps_that_cannot_be_built_are_skipped() {
        for (step, broken, expected) in [
            (5, &[4][..], (3, vec![4], 5)),
            (5, &[5, 6], (4, vec![5, 6], 7)),
            (5, &[8, 1], (4, vec![], 5)),
            (
                1,
                &[1, 2, 3, 4, 5, 6, 7, 8],
                (0, vec![1, 2, 3, 4, 5, 6, 7, 8], 9),
            ),
        ] {
            let (outcome, _) = search(&with_change_at(step, 10), broken, 3);
            let Outcome::Found {
                last_without,
                open,
                first,
                ..
            } = outcome
            else {
                panic!("{step} was not found");
            };
            assert_eq!((last_without, open, first), expected);
        }
    }

    /// Steps after the larger change are closer to the last one.
    #[test]
    fn the_larger_of_two_changes_is_found() {
        let levels = [100.0, 100.0, 98.0, 98.0, 98.0, 90.0, 90.0, 90.0];
        let (outcome, _) = search(&levels, &[], 5);
        assert!(matches!(
            outcome,
            Outcome::Found {
                first: 5,
                last_without: 4,
                ..
            }
        ));
    }

    #[test]
    fn looks_double_up_to_the_limit() {
        let question = |max_runs| Question {
            better: Better::Higher,
            kind: Kind::Rate,
            threshold: 0.01,
            max_runs,
        };
        assert_eq!(question(10).looks(), [10]);
        assert_eq!(question(40).looks(), [10, 20, 40]);
        assert_eq!(question(50).looks(), [10, 20, 40, 50]);
    }
}
