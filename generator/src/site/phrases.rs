//! Phrases that several pages use.

use super::Part;
use crate::report::{Figure, Report, run_counts};
use crate::stats::Estimator;

/// `±0.3%`; `None` if all runs gave the same value or are too few for an interval.
pub(super) fn plus_minus(figure: &Figure) -> Option<String> {
    let wide = figure.interval.filter(|i| i.low < i.high)?;
    Some(format!("±{}", wide.half_width_text(figure.estimate)))
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

/// Returns the words of a label that some of `all` lack: `sending`.
pub(super) fn own_words(label: &str, all: &[String]) -> String {
    let has = |of: &String, word: &str| of.split(", ").any(|own| own == word);
    let words = label
        .split(", ")
        .filter(|word| !all.iter().all(|of| has(of, word)));
    words.collect::<Vec<_>>().join(", ")
}

/// `Single figures`, `15 runs`, `13 to 15 runs`
pub(super) fn runs_in_words(min: usize, max: usize) -> String {
    match max {
        1 => "Single figures".to_owned(),
        _ if min == max => format!("{max} runs"),
        _ => format!("{min} to {max} runs"),
    }
}

/// `20 runs of each`, `differences of 1% and more show`: how much a report measured, and how precisely.
pub(super) fn precision(report: &Report) -> impl Iterator<Item = String> + use<> {
    let runs = report.data.run_counts().map(|(min, max)| match (min, max) {
        (_, 1) => "single figures".to_owned(),
        (min, max) if min == max => format!("{max} runs of each"),
        _ => format!("up to {max} runs of each"),
    });
    let shown = report.data.smallest_shown().map(|share| {
        let percent = format!("{:.1}", share * 100.0);
        let percent = percent.trim_end_matches(".0");
        format!("differences of {percent}% and more show")
    });
    runs.into_iter().chain(shown)
}

/// Returns the sentences that explain the figures and names of all tables.
pub(super) fn legend(part: &Part<'_>) -> String {
    let Some((min, max)) = run_counts(part.rows.iter().copied()) else {
        return String::new();
    };
    let estimator = estimator_words(part.estimator).to_lowercase();
    let unless = if min == max {
        ""
    } else {
        " unless a caption says otherwise"
    };
    let figures = match max {
        1 => "Figures are single ones: they have no interval, and differences are not tested."
            .to_owned(),
        2..6 => {
            format!("Figures are the {estimator} of {max} runs{unless}, too few for intervals.")
        }
        _ => format!(
            "Figures are the {estimator} of {max} runs{unless}, ± half of its 95% interval."
        ),
    };
    figures + &part.usual_variants()
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
