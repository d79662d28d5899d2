//! Estimates the time of an operation from the slices of a run. What disturbs the machine falls on
//! whole blocks, so programs are compared within blocks, and share one level.

use super::turns::{Block, Timing};
use crate::stats::quantile;

/// A program with fewer clean slices is estimated from all of its slices.
const MIN_CLEAN: usize = 5;

/// The level of a run, as a quantile of its blocks' levels: disturbances make blocks slower, and last for
/// most of a run where a neighbour shares the core. The table in docs/measurements.md compares quantiles.
const LEVEL: f64 = 0.05;

/// The effects change by less than 0.01 % after some steps.
const MAX_STEPS: usize = 50;
const ENOUGH: f64 = 1e-6;

/// Returns the time of an operation on a side (0 or 1) in nanoseconds; `None` for a program
/// without slices.
///
/// Logarithms of times are fitted by a block's level and a program's effect with a median polish
/// (Tukey, Exploratory Data Analysis, 1977).
pub(crate) fn per_operation(blocks: &[Block], side: usize) -> Vec<Option<f64>> {
    let logs = logs(blocks, side);
    let programs = blocks.first().map_or(0, Vec::len);
    let is_there = |program: usize| logs.iter().any(|block| block[program].is_some());
    let there = (0..programs).filter(|program| is_there(*program)).count();
    // A block with one slice says nothing about the difference of programs, and its residual of 0
    // would draw that program's effect towards those before.
    let full = |block: &&Vec<_>| there == 1 || block.iter().flatten().count() > 1;
    let full: Vec<&Vec<Option<f64>>> = logs.iter().filter(full).collect();
    let mut effects = vec![0.0; programs];
    for _ in 0..MAX_STEPS {
        let levels: Vec<f64> = full.iter().map(|block| level(block, &effects)).collect();
        let mut change: f64 = 0.0;
        for (program, effect) in effects.iter_mut().enumerate() {
            let rest = full.iter().zip(&levels);
            let rest = rest.filter_map(|(block, level)| Some(block[program]? - level));
            if let Some(now) = quantile(rest.collect(), 0.5) {
                change = change.max((now - *effect).abs());
                *effect = now;
            }
        }
        if change < ENOUGH {
            break;
        }
    }
    let levels = logs
        .iter()
        .filter(|block| block.iter().any(Option::is_some));
    let levels = levels.map(|block| level(block, &effects));
    let level = quantile(levels.collect(), LEVEL);
    let figure = |program: usize| Some((level? + effects[program]).exp());
    (0..programs)
        .map(|program| figure(program).filter(|_| is_there(program)))
        .collect()
}

/// Returns a number in proportion to the standard error of the times, on the side where it is larger: by
/// how much a slice differs from the one in the block before, over the root of the number of blocks.
pub(crate) fn relative_error(blocks: &[Block]) -> f64 {
    let step = |side: usize| {
        let logs = logs(blocks, side);
        let pairs = logs.windows(2).flat_map(|two| two[0].iter().zip(&two[1]));
        let steps = pairs.filter_map(|(before, after)| Some(((*after)? - (*before)?).abs()));
        // A scenario with one side has times of 0 on the other.
        quantile(steps.filter(|step| step.is_finite()).collect(), 0.5)
    };
    let steps = [0, 1].into_iter().filter_map(step);
    steps.fold(0.0, f64::max) / (blocks.len() as f64).sqrt()
}

/// Returns the logarithms of the slices that count: those that were not preempted, where a program
/// has enough of them beside those of others.
fn logs(blocks: &[Block], side: usize) -> Vec<Vec<Option<f64>>> {
    let programs = blocks.first().map_or(0, Vec::len);
    let is_clean = |slice: &Option<Timing>| slice.is_some_and(|slice| slice.is_clean);
    let mut clean = vec![0; programs];
    for block in blocks {
        let is_alone = block.iter().flatten().count() == 1;
        if !is_alone && block.iter().filter(|slice| is_clean(slice)).count() < 2 {
            continue;
        }
        for (count, slice) in clean.iter_mut().zip(block) {
            *count += usize::from(is_clean(slice));
        }
    }
    let mut logs = Vec::new();
    for block in blocks {
        let counts = block.iter().zip(&clean).map(|(slice, clean)| {
            let slice = slice.filter(|slice| slice.is_clean || *clean < MIN_CLEAN);
            slice.map(|slice| slice.sides[side].ln())
        });
        logs.push(counts.collect());
    }
    logs
}

/// Returns the median of a block, less the effects of its programs; NaN without slices.
fn level(block: &[Option<f64>], effects: &[f64]) -> f64 {
    let rest = block.iter().zip(effects);
    let rest = rest.filter_map(|(log, effect)| Some((*log)? - effect));
    quantile(rest.collect(), 0.5).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of slices with these times; a negative one was preempted, 0 is missing.
    fn block(times: &[f64]) -> Block {
        let timing = |time: &f64| Timing {
            sides: [time.abs(), 2.0 * time.abs()],
            is_clean: *time > 0.0,
        };
        let timing = |time: &f64| (*time != 0.0).then(|| timing(time));
        times.iter().map(timing).collect()
    }

    fn rounded(blocks: &[Block], side: usize) -> Vec<Option<f64>> {
        let found = per_operation(blocks, side).into_iter();
        found
            .map(|time| time.map(|t| (t * 1e6).round() / 1e6))
            .collect()
    }

    /// 1 to 21, mixed.
    fn slowed() -> impl Iterator<Item = f64> {
        (0..21).map(|n| f64::from(n * 8 % 21 + 1))
    }

    #[test]
    fn programs_share_the_level_of_the_quiet_blocks() {
        // The second takes 1.5 times as long as the first, and blocks are 1 to 21 times slower. The
        // 5th percentile of 21 is the second.
        let blocks = slowed().map(|slow| block(&[10.0 * slow, 15.0 * slow]));
        let blocks: Vec<Block> = blocks.collect();
        assert_eq!(rounded(&blocks, 0), [Some(20.0), Some(30.0)]);
        assert_eq!(rounded(&blocks, 1), [Some(40.0), Some(60.0)]);
    }

    #[test]
    fn a_disturbed_slice_moves_nothing() {
        let mut blocks = vec![block(&[10.0, 20.0, 30.0]); 9];
        blocks[4] = block(&[10.0, 90.0, 30.0]);
        blocks[5] = block(&[70.0, 20.0, 30.0]);
        assert_eq!(rounded(&blocks, 0), [Some(10.0), Some(20.0), Some(30.0)]);
    }

    #[test]
    fn preempted_slices_count_only_where_there_are_no_others() {
        let clean = block(&[10.0, 20.0]);
        let preempted = block(&[10.0, -50.0]);
        let few = [vec![clean.clone(); 5], vec![preempted.clone(); 20]].concat();
        assert_eq!(rounded(&few, 0), [Some(10.0), Some(20.0)]);
        let none = vec![preempted; 7];
        assert_eq!(rounded(&none, 0), [Some(10.0), Some(50.0)]);
    }

    /// Were they used, the effect of the second would be drawn to that of the first.
    #[test]
    fn blocks_with_one_clean_slice_say_nothing_of_differences() {
        let both = vec![block(&[10.0, 20.0]); 5];
        let one = vec![block(&[10.0, -500.0]); 50];
        let found = rounded(&[both, one].concat(), 0);
        assert_eq!(found, [Some(10.0), Some(20.0)]);
    }

    /// There are enough of each, but never two in a block, so that nothing is known of differences.
    #[test]
    fn clean_slices_beside_preempted_ones_do_not_suffice() {
        let blocks = [[10.0, -20.0], [-10.0, 20.0]].map(|times| vec![block(&times); 20]);
        assert_eq!(rounded(&blocks.concat(), 0), [Some(10.0), Some(20.0)]);
    }

    #[test]
    fn lost_programs_have_no_figure() {
        let blocks = vec![block(&[10.0, 0.0, 30.0]); 5];
        assert_eq!(rounded(&blocks, 0), [Some(10.0), None, Some(30.0)]);
        let alone: Vec<Block> = slowed().map(|slow| block(&[0.0, slow])).collect();
        assert_eq!(rounded(&alone, 0), [None, Some(2.0)]);
        assert_eq!(per_operation(&[], 0), []);
    }
}
