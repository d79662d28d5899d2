//! Estimates the time of an operation from the slices of a run that nothing disturbed.

use crate::measure::turns::contest::Timing;
use crate::stats::quantile;

/// CPU time below this share of the elapsed time means that something else had the processor.
/// Context switches do not: most of them are to the program before, which has yet to wait for its
/// next slice.
const CLEAN_SHARE: f64 = 0.97;

/// A factor that puts such a slice behind all others.
const LAST: f64 = 1e6;

/// A slice is undisturbed if its probes took at most so much longer than in the quietest slices: on
/// a quiet core they differ by less.
const QUIET: f64 = 1.01;

/// The standard is the last one of this share of the quietest slices. If fewer than the second
/// share are undisturbed, the quietest of them count nevertheless.
const QUIETEST: f64 = 0.05;
const AT_LEAST: f64 = 0.2;

/// Slices whose 25th percentile is above the 5th by more than this factor vary by themselves.
const VARIES: f64 = 1.03;

/// Slices before and after one that tell whether it was disturbed, if there are no probes.
const AROUND: usize = 3;

/// What a program took in a run, of each side, in nanoseconds for an operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The number of all slices, and of those that were left out.
    pub(crate) slices: u64,
    pub(crate) left_out: u64,
    /// CPU time of all slices as a share of their elapsed time.
    pub(crate) cpu: f64,
    /// The quartiles of all slices.
    pub(crate) quartiles: [[f64; 3]; 2],
    /// Of those that were not left out: the 5th and the 25th percentile, and the mean.
    pub(crate) undisturbed: [[f64; 3]; 2],
}

impl Estimate {
    /// The figure: where all operations take the same time, the 25th percentile, because
    /// disturbances that the probes missed remain, and only prolong; the mean where operations
    /// vary.
    pub(crate) fn time(&self, side: usize) -> f64 {
        let [low, quartile, mean] = self.undisturbed[side];
        if quartile > low * VARIES {
            mean
        } else {
            quartile
        }
    }
}

/// Returns what a program took; `None` without slices. A slice is left out because of its probes,
/// never of its own time, since the quickest of slices that vary are no rate.
pub(crate) fn estimate(slices: &[Timing]) -> Option<Estimate> {
    if slices.is_empty() {
        return None;
    }
    let mut by_noise: Vec<(f64, &Timing)> = noise(slices).into_iter().zip(slices).collect();
    by_noise.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let limit = by_noise[(slices.len() as f64 * QUIETEST) as usize].0 * QUIET;
    let quiet = by_noise.iter().filter(|(noise, _)| *noise <= limit);
    let at_least = (slices.len() as f64 * AT_LEAST).ceil() as usize;
    let quiet = &by_noise[..quiet.count().max(at_least)];
    let mut estimate = Estimate {
        slices: slices.len() as u64,
        left_out: (slices.len() - quiet.len()) as u64,
        cpu: slices.iter().map(|slice| slice.cpu).sum::<f64>() / slices.len() as f64,
        quartiles: [[0.0; 3]; 2],
        undisturbed: [[0.0; 3]; 2],
    };
    for side in [0, 1] {
        let all = || slices.iter().map(|slice| slice.sides[side]).collect();
        let undisturbed: Vec<f64> = quiet.iter().map(|(_, slice)| slice.sides[side]).collect();
        let mean = undisturbed.iter().sum::<f64>() / undisturbed.len() as f64;
        let [low, quartile] = [0.05, 0.25].map(|q| quantile(undisturbed.clone(), q));
        estimate.quartiles[side] = [0.25, 0.5, 0.75].map(|q| quantile(all(), q).unwrap_or(mean));
        estimate.undisturbed[side] = [low.unwrap_or(mean), quartile.unwrap_or(mean), mean];
    }
    Some(estimate)
}

/// Returns how much each slice was disturbed: the time of its probes, and much more if it did not
/// have its processors. Without probes the slices around it tell, which do not depend on it either.
fn noise(slices: &[Timing]) -> Vec<f64> {
    let time = |slice: &Timing| slice.sides.iter().sum::<f64>();
    let mut noise = Vec::new();
    for (at, slice) in slices.iter().enumerate() {
        let near = &slices[at.saturating_sub(AROUND)..slices.len().min(at + AROUND + 1)];
        let around = near.iter().map(time).sum::<f64>() - time(slice);
        let seen = match slice.probe {
            0.0 => around / (near.len().max(2) - 1) as f64,
            probe => probe,
        };
        noise.push(if slice.cpu < CLEAN_SHARE {
            seen * LAST
        } else {
            seen
        });
    }
    noise
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(time: f64, probe: f64, cpu: f64) -> Timing {
        Timing {
            sides: [time, 2.0 * time],
            cpu,
            probe,
        }
    }

    fn figure(slices: &[Timing], side: usize) -> f64 {
        estimate(slices).expect("slices").time(side)
    }

    #[test]
    fn probes_and_missing_cpu_time_tell_which_slices_were_disturbed() {
        let quiet = vec![slice(10.0, 2000.0, 1.0); 30];
        let slowed = vec![slice(14.0, 2300.0, 1.0); 50];
        let preempted = vec![slice(50.0, 2000.0, 0.5); 20];
        let all = [quiet, slowed, preempted].concat();
        let found = estimate(&all).expect("slices");
        assert_eq!((found.slices, found.left_out), (100, 70));
        assert_eq!([0, 1].map(|side| found.time(side)), [10.0, 20.0]);
        assert_eq!(found.quartiles[0], [10.0, 14.0, 14.0]);
        assert!((found.cpu - 0.9).abs() < 1e-9);
    }

    #[test]
    fn where_nothing_is_quiet_the_quietest_fifth_counts() {
        let slices: Vec<Timing> = (0..100)
            .map(|n| slice(10.0 + f64::from(n), 2000.0 + 50.0 * f64::from(n), 1.0))
            .collect();
        // 20 of 10 to 29, which differ, so the figure is their mean.
        assert_eq!(figure(&slices, 0), 19.5);
        let preempted: Vec<Timing> = slices.iter().map(|s| Timing { cpu: 0.5, ..*s }).collect();
        assert_eq!(figure(&preempted, 0), 19.5);
    }

    #[test]
    fn work_that_varies_counts_in_the_mean() {
        // Every fourth slice takes ten times as long.
        let mut slices = vec![slice(10.0, 2000.0, 1.0); 100];
        for (at, slice) in slices.iter_mut().enumerate() {
            slice.sides[0] += 5.0 * (at % 4) as f64;
        }
        assert_eq!(figure(&slices, 0), 17.5);
        assert_eq!(figure(&slices, 1), 20.0);
    }

    #[test]
    fn without_probes_the_slices_around_tell() {
        let slices: Vec<Timing> = (0..200)
            .map(|n| slice(if n % 20 < 10 { 10.0 } else { 15.0 }, 0.0, 1.0))
            .collect();
        assert_eq!(figure(&slices, 0), 10.0);
        assert_eq!(estimate(&[]), None);
        assert_eq!(figure(&slices[..1], 1), 20.0);
    }
}
