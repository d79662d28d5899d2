//! How the figures of a report were obtained.

use super::phrases::estimator_words;
use crate::report::{COUNTS_RULE, Report, run_counts};
use crate::unit::Unit;

/// Returns sentences on how the figures of a report were obtained.
pub(crate) fn method(report: &Report) -> Vec<String> {
    let manifest = &report.manifest;
    let mut sentences = Vec::new();
    let estimator = estimator_words(manifest.estimator).to_lowercase();
    match run_counts(&report.data.rows) {
        Some((1, 1)) => sentences.push("Each figure is a single value: without repeated runs its spread is unknown, and changes are not tested.".to_owned()),
        Some((_, most)) => {
            sentences.push(format!("A figure is the {estimator} of its runs. A run is one execution of the whole suite, never a repetition within one process."));
            if most >= 6 {
                sentences.push("Intervals are 95% confidence intervals of the median from order statistics, which assume nothing about the distribution; they need at least 6 runs.".to_owned());
            }
        }
        None => {}
    }
    if let Some(source) = &manifest.source
        && let (Some(runs), Some(statistic)) = (source.runs, source.statistic)
    {
        sentences.push(format!(
            "The source publishes each rate as the {} of {runs} runs, not the runs themselves.",
            estimator_words(statistic).to_lowercase()
        ));
    }
    let rows = report.data.rows.iter();
    let mut cells = rows.flat_map(|r| r.cells.iter().flatten());
    if cells.any(|c| c.distribution.is_some()) {
        sentences.push("Percentiles are nearest-rank, from histograms with three significant digits over all threads of a run.".to_owned());
    }
    let is_counted = |unit: &Unit| report.data.rows.iter().any(|r| r.unit == *unit);
    if is_counted(&Unit::INSTRUCTIONS) {
        sentences.push(format!("{COUNTS_RULE} Instructions are counted by valgrind while a side does its work, without the one-time work of the first operations. Its emulated processor has no AVX-512, so libraries may choose different code there than in timed runs."));
    }
    sentences.push("Factors are ratios of the unrounded figures, at least 1, with two decimals; those that round to 1.00 are shown as no change.".to_owned());
    sentences.extend(report.data.notes.iter().cloned());
    sentences
}
