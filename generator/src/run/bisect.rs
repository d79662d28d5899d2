//! The search for the first of several steps that has a change: which to measure next, and what
//! that shows.
//!
//! Both ends are measured until they differ. Then the middle of what is left takes turns with both
//! ends, until it differs from one and is nearer to the other. A question is looked at several
//! times while runs are added, and a search asks several; each look has its share of [`ALPHA`], so
//! that by Bonferroni's inequality a whole search errs no more often than that. Steps that show
//! nothing add looks that are not counted.

use crate::failure::Result;
use crate::stats::{Comparison, Estimator, Pair, Rules, Sample};
use crate::unit::{Better, Kind};
use anyhow::Context;
use std::ops::RangeInclusive;

/// How often a whole search may err.
pub(crate) const ALPHA: f64 = 0.05;

/// Runs before a question is looked at first, and then at twice as many. With 10 a ratio has an
/// interval, and the exact test of 10 and 10 values reaches p = 0.00001, which is enough for a look
/// of the longest searches.
const FIRST_LOOK: u32 = 10;

/// Measures steps.
pub(crate) trait Measure {
    /// Makes a step ready. False if it cannot be measured: it is passed over.
    fn prepare(&mut self, step: usize) -> Result<bool>;

    /// The values of these steps in these runs, in each of which all of them take turns. `None` if
    /// one of them fails.
    fn measure(
        &mut self,
        steps: &[usize],
        runs: RangeInclusive<u32>,
    ) -> Result<Option<Vec<Sample>>>;

    /// Hears what a step turned out to be: with the change or without, or that nothing was shown.
    fn tell(&mut self, step: usize, has_change: Option<bool>);
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) better: Better,
    pub(crate) kind: Kind,
    /// The least change of the ends to look for.
    pub(crate) threshold: f64,
    /// After so many runs of a step a question stays open.
    pub(crate) max_runs: u32,
}

/// What two steps show that were measured in turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evidence {
    pub(crate) comparison: Comparison,
    /// Of each.
    pub(crate) runs: u32,
}

/// What a search comes to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// No change from first to last can be shown.
    NoChange(Evidence),
    /// The change came with `first`, or with one of `open`.
    Found {
        last_without: usize,
        /// Steps between which could not be measured or showed nothing.
        open: Vec<usize>,
        first: usize,
        /// From `last_without` to `first`.
        evidence: Evidence,
        /// From the first step to the last.
        ends: Evidence,
    },
}

/// A search that goes on.
pub(crate) struct Search<'a, M> {
    pub(crate) measure: &'a mut M,
    pub(crate) question: Question,
    last: usize,
    next_run: u32,
}

impl<'a, M: Measure> Search<'a, M> {
    /// Of the steps 0 to `last`, both of which are ready.
    pub(crate) fn new(measure: &'a mut M, question: Question, last: usize) -> Self {
        Self {
            measure,
            question,
            last,
            next_run: 1,
        }
    }

    /// Goes on to the end.
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
            self.measure.tell(step, has_change);
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

    /// Measures two steps in turns until they differ.
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

    /// Measures a step with both ends until it differs from one; the change is there if that is the
    /// first one. `None` if nothing is shown.
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

    /// Measures steps in turns, and looks at them after 10 runs, 20 and so on to the most.
    fn look<T>(
        &mut self,
        steps: &[usize],
        threshold: f64,
        mut see: impl FnMut(&Rules, &[Sample]) -> Option<T>,
    ) -> Result<Option<T>> {
        let alpha = self.alpha();
        let start = self.next_run;
        for runs in self.question.looks() {
            self.next_run = start + runs;
            let Some(samples) = self.measure.measure(steps, start..=start + runs - 1)? else {
                return Ok(None);
            };
            if let Some(seen) = see(&Rules { alpha, threshold }, &samples) {
                return Ok(Some(seen));
            }
        }
        Ok(None)
    }

    /// The share of one test. Of a step there are two a look, of the ends and the neighbours one.
    pub(crate) fn alpha(&self) -> f64 {
        let halvings = (self.last as f64).log2().ceil();
        ALPHA / ((2.0 + 2.0 * halvings) * self.question.looks().len() as f64)
    }
}

impl Question {
    /// After how many runs a question is looked at.
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

/// The step nearest to the middle between two that is not open.
fn middle(low: usize, high: usize, open: &[usize]) -> Option<usize> {
    let steps = (low + 1..high).filter(|step| !open.contains(step));
    steps.min_by_key(|step| (step * 2).abs_diff(low + high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Steps with a level each, and noise of a percent or so.
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

        fn tell(&mut self, _: usize, _: Option<bool>) {}
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
    fn every_place_of_a_change_is_found() {
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
                // Ends, neighbours, and no more than the logarithm of the others.
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
    fn without_a_change_there_is_none() {
        // 60 searches at 5 % give three on average, were they not so careful.
        let wrong = (0..60).filter(|seed| {
            let (outcome, toy) = search(&[100.0; 12], &[], *seed);
            assert!(toy.measured.iter().all(|step| [0, 11].contains(step)));
            matches!(outcome, Outcome::Found { .. })
        });
        assert!(wrong.count() <= 3);
    }

    #[test]
    fn a_change_below_the_threshold_is_none() {
        let (outcome, _) = search(&[100.0, 100.0, 99.8], &[], 1);
        assert!(matches!(outcome, Outcome::NoChange(evidence) if evidence.runs == 40));
    }

    #[test]
    fn what_cannot_be_built_is_passed_over() {
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

    /// Of two changes it finds the one after which a step is nearer to the last.
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
    fn looks_share_what_may_be_wrong() {
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
