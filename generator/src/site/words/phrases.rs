//! Phrases that several pages use.

use crate::report::{Report, Table, run_counts};
use crate::stats::Estimator;

/// Joins those of the sentences that there are.
pub(in crate::site) fn sentences(all: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// Joins the non-empty parts with commas; `None` if all are empty.
pub(in crate::site) fn joined<const N: usize>(parts: [String; N]) -> Option<String> {
    let mut parts = parts.to_vec();
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns the words of a label that some of `all` lack: `sending`.
pub(in crate::site) fn own_words(label: &str, all: &[String]) -> String {
    let has = |of: &String, word: &str| of.split(", ").any(|own| own == word);
    let words = label
        .split(", ")
        .filter(|word| !all.iter().all(|of| has(of, word)));
    words.collect::<Vec<_>>().join(", ")
}

/// `published medians of 30 runs, no interval`
fn published_figures(report: &Report) -> String {
    let words = published(report).unwrap_or_default();
    let words = words.replace("median of", "medians of");
    format!("{words}, no interval")
}

/// What the source says of its single figures: `published median of 30 runs`.
pub(in crate::site) fn published(report: &Report) -> Option<String> {
    let source = report.manifest.source.as_ref()?;
    let estimator = source.statistic.unwrap_or(report.manifest.estimator);
    let estimator = estimator_words(estimator).to_lowercase();
    Some(format!("published {estimator} of {} runs", source.runs?))
}

/// `20 runs of each`, `differences of 1% and more show`: how much a report measured, and how precisely.
pub(in crate::site) fn precision(report: &Report) -> impl Iterator<Item = String> + use<> {
    let shown = report.data.smallest_shown().map(|share| {
        let percent = format!("{:.1}", share * 100.0);
        let percent = percent.trim_end_matches(".0");
        let (controlled, all) = report.data.controlled();
        let of = match controlled {
            0 => String::new(),
            n if n == all => String::new(),
            n => format!(" in {n} of {all} scenarios"),
        };
        format!("differences of {percent}% and more show{of}")
    });
    runs_of(report).into_iter().chain(shown)
}

/// `20 runs of each`, `published medians of 30 runs, no interval`
pub(in crate::site) fn runs_of(report: &Report) -> Option<String> {
    report.data.run_counts().map(|(min, max)| match (min, max) {
        (_, 1) => match published(report) {
            Some(_) => published_figures(report),
            None => "single figures".to_owned(),
        },
        (min, max) if min == max => format!("{max} runs of each"),
        _ => format!("up to {max} runs of each"),
    })
}

/// Returns the sentences that explain the figures and names of all tables.
pub(in crate::site) fn legend(table: &Table<'_>) -> String {
    let Some((min, max)) = run_counts(table.rows.iter().copied()) else {
        return String::new();
    };
    let estimator = estimator_words(table.report.manifest.estimator).to_lowercase();
    let unless = if min == max {
        ""
    } else {
        " unless a caption says otherwise"
    };
    let figures = match max {
        1 => match published(table.report) {
            Some(_) => format!(
                "Figures are {}; differences are not tested.",
                published_figures(table.report)
            ),
            None => {
                "Figures are single ones: they have no interval, and differences are not tested."
                    .to_owned()
            }
        },
        2..6 => {
            format!("Figures are the {estimator} of {max} runs{unless}, too few for intervals.")
        }
        _ => format!(
            "Figures are the {estimator} of {max} runs{unless}, ± half of its 95% interval."
        ),
    };
    match table.data.usual_variants() {
        none if none.is_empty() => figures,
        variants => format!("{figures} {variants}"),
    }
}

pub(in crate::site) fn estimator_words(estimator: Estimator) -> &'static str {
    match estimator {
        Estimator::Median => "Median",
        Estimator::MedianHigh => "Upper median",
        Estimator::Min => "Minimum",
        Estimator::Max => "Maximum",
        Estimator::Mean => "Mean",
    }
}
