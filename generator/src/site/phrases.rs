//! Phrases that several pages use.

use super::Part;
use crate::report::{Figure, run_counts};
use crate::stats::Estimator;

/// `± 0.3%`; `None` if all runs gave the same value or are too few for an interval.
pub(super) fn plus_minus(figure: &Figure) -> Option<String> {
    let wide = figure.interval.filter(|i| i.low < i.high)?;
    Some(format!("± {}", wide.half_width_text(figure.estimate)))
}

/// Joins those of the sentences that there are.
pub(super) fn sentences(all: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// Joins the non-empty parts with commas; `None` if all are empty.
pub(super) fn joined<const N: usize>(parts: [String; N]) -> Option<String> {
    let mut parts = parts.to_vec();
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns a sentence with the estimator, the number of runs and the meaning of `±`.
pub(super) fn runs(part: &Part<'_>) -> String {
    let Some((min, max)) = run_counts(part.rows.iter().copied()) else {
        return String::new();
    };
    let estimator = estimator_words(part.estimator);
    let n = match min == max {
        true => max.to_string(),
        false => format!("{min} to {max}"),
    };
    let is_count = part.rows.iter().all(|r| r.unit.kind().is_count());
    match max {
        2..6 if is_count => format!("{estimator} of {n} runs."),
        1 => "Single figures, so there is no spread.".to_owned(),
        2..6 => format!("{estimator} of {n} runs: too few for an interval, which needs 6."),
        _ => format!(
            "{estimator} of {n} runs; ± is half the width of the 95% confidence interval of the median."
        ),
    }
}

pub(super) fn estimator_words(estimator: Estimator) -> &'static str {
    match estimator {
        Estimator::Median => "Median",
        Estimator::MedianHigh => "Upper median",
        Estimator::Min => "Minimum",
        Estimator::Max => "Maximum",
        Estimator::Mean => "Mean",
    }
}
