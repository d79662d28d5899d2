//! Sentences about changes, the most important first.

use crate::base::words::count;
use crate::model::unit::Kind;
use crate::report::words::{self, p_equation};
use crate::report::{ComparedRow, Report, titles};
use crate::stats::{Comparison, Verdict};

/// Smallest factor between single figures that is listed: the 5 % from which rustls' benchmark
/// service reports a change in wall-clock time if it has no history.
const UNTESTED_FLOOR: f64 = 1.05;

/// Changes that a feed entry lists.
const MAX_IN_FEED: usize = 10;

/// The changes of a report, summed up.
#[derive(Debug, Default)]
pub(in crate::site) struct Highlights {
    /// How many scenarios changed; empty if nothing was compared.
    pub(in crate::site) lead: String,
    /// Sentences on the largest changes.
    sentences: Vec<String>,
}

/// A compared row, changed or not, with a sentence about it.
pub(in crate::site) type Highlight = (String, Comparison);

/// Describes a row with the names of its two sides, the old one as beside the new one:
/// `rustls 0.23.31 in transfer, 1.3: 1.62x slower than 0.23.27 (p < 0.001, n = 30)`.
pub(in crate::site) fn sentence(
    row: &ComparedRow<'_>,
    known: &Comparison,
    [old, new]: [&str; 2],
) -> String {
    let (label, change) = (titles::title(&row.row.scenario), known.change);
    let label = match change.kind {
        Kind::Count | Kind::Size => format!("{} of {label}", row.row.unit),
        _ => label,
    };
    let n = words::n_equation(row);
    let evidence = match (known.verdict, known.adjusted_p) {
        // The lead already says that single figures are not tested.
        (Verdict::Untested, _) => String::new(),
        (_, Some(p)) => format!(" ({}, {n})", p_equation(p)),
        (_, None) => format!(" ({n})"),
    };
    format!("{new} in {label}: {change} than {old}{evidence}")
}

/// Whether a row is listed: for a change or, if nothing is tested, a large difference.
pub(in crate::site) fn stands_out(comparison: Option<&Comparison>, only_untested: bool) -> bool {
    let is_large =
        |c: &Comparison| c.verdict == Verdict::Untested && c.change.size() >= UNTESTED_FLOOR;
    comparison.is_some_and(|c| c.verdict.is_change() || only_untested && is_large(c))
}

impl Highlights {
    /// Sums up all compared rows.
    pub(in crate::site) fn of(mut all: Vec<Highlight>) -> Self {
        // There are so many counts that they would fill the list.
        let is_count = |(_, known): &Highlight| known.change.kind.is_count();
        if !all.iter().all(is_count) {
            all.retain(|one| !is_count(one));
        }
        let compared = all.len();
        let having = |of| all.iter().filter(|one| one.1.verdict == of).count();
        let untested = having(Verdict::Untested);
        let only_untested = untested == compared;
        all.retain(|(_, known)| stands_out(Some(known), only_untested));
        all.sort_by(|a, b| b.1.change.size().total_cmp(&a.1.change.size()));
        let found = match all.len() {
            0 if only_untested => "none".to_owned(),
            0 => "None".to_owned(),
            found => found.to_string(),
        };
        let lead = match (compared, compared - untested) {
            (0, _) => String::new(),
            _ if only_untested => {
                let differ = if all.len() < 2 { "differs" } else { "differ" };
                format!(
                    "Single figures, so no change is tested: {found} of {compared} {differ} by 5% or more."
                )
            }
            (_, tested) => {
                let mut lead = format!("{found} of {tested} scenarios changed significantly.");
                if untested > 0 {
                    let are = if untested == 1 { "is" } else { "are" };
                    let pairs = count(untested, "pair");
                    lead += &format!(" {pairs} of single figures {are} not tested.");
                }
                lead
            }
        };
        let sentences = all.into_iter().take(MAX_IN_FEED).map(|one| one.0);
        Self {
            lead,
            sentences: sentences.collect(),
        }
    }
}

/// Summarizes the changes since `previous` for a feed entry.
pub(in crate::site) fn feed_summary(
    previous: &Report,
    same_machine: bool,
    highlights: &Highlights,
) -> String {
    let since = match previous.day {
        Some(day) => format!("the report of {day}"),
        None => format!("the report {}", previous.name),
    };
    if !same_machine {
        return format!(
            "Factors are relative to {since}, which is from another machine: they compare machines as well as releases."
        );
    }
    if highlights.lead.is_empty() {
        return format!(
            "This report compares no release with one of {since}, which is of the same machine."
        );
    }
    let largest = match highlights.sentences.as_slice() {
        [] => String::new(),
        [one] => format!(" It is {one}."),
        several => format!(" The largest: {}.", several.join("; ")),
    };
    format!(
        "Changes are relative to {since}, on the same machine. {}{largest}",
        highlights.lead
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::unit::{Better, Kind};
    use crate::stats::Change;

    fn summary(all: &[(Verdict, f64)]) -> (String, Vec<String>) {
        let highlight = |(verdict, size): &(Verdict, f64)| {
            let known = Comparison {
                change: Change::new(1.0, *size, Better::Lower, Kind::Time).expect("sound"),
                interval: None,
                test: None,
                adjusted_p: Some(0.0001),
                verdict: *verdict,
            };
            (size.to_string(), known)
        };
        let found = Highlights::of(all.iter().map(highlight).collect());
        (found.lead, found.sentences)
    }

    #[test]
    fn the_largest_significant_change_first() {
        let (lead, sentences) = summary(&[
            (Verdict::Worse, 1.02),
            (Verdict::NotShown, 1.5),
            (Verdict::Better, 1.3),
            (Verdict::Untested, 2.0),
        ]);
        assert_eq!(
            lead,
            "2 of 3 scenarios changed significantly. 1 pair of single figures is not tested."
        );
        assert_eq!(sentences, ["1.3", "1.02"]);
    }

    #[test]
    fn single_figures_are_worded_as_untested() {
        let (lead, sentences) = summary(&[(Verdict::Untested, 1.04), (Verdict::Untested, 1.62)]);
        assert!(lead.contains("1 of 2 differs by 5% or more."), "{lead}");
        assert_eq!(sentences, ["1.62"]);
        let (lead, _) = summary(&[(Verdict::Untested, 1.04)]);
        assert!(lead.contains("none of 1"), "{lead}");
        assert_eq!(summary(&[]), (String::new(), vec![]));
    }
}
