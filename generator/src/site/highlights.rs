//! Sentences about changes, the most important first.

use crate::model::unit::Kind;
use crate::report::{ComparedRow, Report, p_equation};
use crate::stats::{Comparison, Verdict};
use serde::Serialize;

/// Items in the list at the start of a page; its tables have all changes.
const MAX_ITEMS: usize = 5;

/// Smallest factor between single figures that is listed: the 5 % from which rustls' benchmark
/// service reports a change in wall-clock time if it has no history.
const UNTESTED_FLOOR: f64 = 1.05;

/// The changes of a report, summed up.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Highlights {
    /// How many scenarios changed; empty if nothing was compared.
    pub lead: String,
    /// Introduces the list; empty for fewer than two items.
    pub order: &'static str,
    pub items: Vec<Highlight>,
    /// Sentences on the largest changes, for feeds.
    #[serde(skip)]
    sentences: Vec<String>,
}

/// A compared row, changed or not.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Highlight {
    /// Anchor of its row in the table of changes.
    pub id: String,
    label: String,
    /// `1.62x slower`
    change: String,
    class: &'static str,
    /// `rustls 0.23.31 against 0.23.27, p < 0.001, n = 30`
    detail: String,
    /// `rustls 0.23.31 in transfer, 1.3: 1.62x slower than 0.23.27 (p < 0.001, n = 30)`
    #[serde(skip)]
    sentence: String,
    #[serde(skip)]
    comparison: Comparison,
}

impl Highlight {
    /// Describes a row with the names of its two sides, the old one as beside the new one; `None`
    /// without a comparison.
    pub(super) fn of(row: &ComparedRow, id: &str, [old, new]: [&str; 2]) -> Option<Self> {
        let comparison = row.comparison?;
        let (label, change) = (row.scenario.label(), comparison.change);
        let label = match change.kind {
            Kind::Count | Kind::Size => format!("{} of {label}", row.unit),
            _ => label,
        };
        let evidence = match (comparison.verdict, comparison.adjusted_p) {
            (Verdict::Untested, _) => "single figures, untested".to_owned(),
            (_, Some(p)) => format!("{}, {}", p_equation(p), row.n_equation()),
            (_, None) => row.n_equation(),
        };
        // The lead already says that single figures are not tested.
        let in_brackets = match comparison.verdict {
            Verdict::Untested => String::new(),
            _ => format!(" ({evidence})"),
        };
        Some(Self {
            id: id.to_owned(),
            change: change.to_string(),
            class: change.word().word(),
            detail: format!("{new} against {old}, {evidence}"),
            sentence: format!("{new} in {label}: {change} than {old}{in_brackets}"),
            label,
            comparison,
        })
    }

    fn is_count(&self) -> bool {
        self.comparison.change.kind.is_count()
    }

    fn is_untested(&self) -> bool {
        self.comparison.verdict == Verdict::Untested
    }

    fn stands_out(&self, only_untested: bool) -> bool {
        stands_out(Some(&self.comparison), only_untested)
    }

    fn size(&self) -> f64 {
        self.comparison.change.size()
    }
}

/// Removes counts unless there is nothing else: there are so many that they would fill the list.
fn without_counts(all: &mut Vec<Highlight>) {
    if !all.iter().all(Highlight::is_count) {
        all.retain(|h| !h.is_count());
    }
}

/// Whether a row is listed: for a change or, if nothing is tested, a large difference.
pub(super) fn stands_out(comparison: Option<&Comparison>, only_untested: bool) -> bool {
    let is_large =
        |c: &Comparison| c.verdict == Verdict::Untested && c.change.size() >= UNTESTED_FLOOR;
    comparison.is_some_and(|c| c.verdict.is_change() || only_untested && is_large(c))
}

impl Highlights {
    /// Sums up all compared rows; `noun` names one of them, `scenario` or `step`.
    pub(super) fn of(mut all: Vec<Highlight>, noun: &str) -> Self {
        without_counts(&mut all);
        let compared = all.len();
        let untested = all.iter().filter(|h| h.is_untested()).count();
        let is_unsteady = |h: &&Highlight| h.comparison.verdict == Verdict::Unsteady;
        let unsteady = all.iter().filter(is_unsteady).count();
        let only_untested = untested == compared;
        let mut items = all;
        items.retain(|h| h.stands_out(only_untested));
        items.sort_by(|a, b| b.size().total_cmp(&a.size()));
        let found = items.len();
        let order = match found {
            0 | 1 => "",
            2..=MAX_ITEMS => "The largest first:",
            _ => "The largest:",
        };
        let sentences = items.iter().take(MAX_IN_FEED).map(|i| i.sentence.clone());
        let sentences = sentences.collect();
        items.truncate(MAX_ITEMS);
        let number = match found {
            0 if only_untested => "none".to_owned(),
            0 => "None".to_owned(),
            _ => found.to_string(),
        };
        let lead = if compared == 0 {
            String::new()
        } else if only_untested {
            let differ = if found < 2 { "differs" } else { "differ" };
            format!(
                "Single figures, so no change is tested: {number} of {compared} {differ} by 5% or more."
            )
        } else {
            let rest = match untested {
                0 => String::new(),
                1 => " 1 pair of single figures is not tested.".to_owned(),
                n => format!(" {n} pairs of single figures are not tested."),
            };
            let noisy = match unsteady {
                0 => String::new(),
                n => format!(" {n} are too noisy to say."),
            };
            let tested = compared - untested - unsteady;
            format!("{number} of {tested} {noun}s changed significantly.{rest}{noisy}")
        };
        Self {
            lead,
            order,
            items,
            sentences,
        }
    }
}

impl Highlights {
    /// Returns a sentence on the largest step from release to release.
    pub(crate) fn largest(&self) -> Option<String> {
        let largest = self.items.first()?;
        Some(format!(
            "The largest step between releases: {}.",
            largest.sentence
        ))
    }
}

/// Changes that a feed entry lists.
const MAX_IN_FEED: usize = 10;

/// Summarizes the changes since `previous` for a feed entry.
pub(crate) fn feed_summary(
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

    fn highlight(verdict: Verdict, size: f64) -> Highlight {
        let change = Change::new(1.0, size, Better::Lower, Kind::Rate);
        Highlight {
            id: String::new(),
            label: size.to_string(),
            change: String::new(),
            class: "",
            detail: String::new(),
            sentence: String::new(),
            comparison: Comparison {
                change: change.expect("sound"),
                interval: None,
                test: None,
                adjusted_p: Some(0.0001),
                verdict,
            },
        }
    }

    fn summary(all: &[(Verdict, f64)]) -> (String, Vec<String>) {
        let found = Highlights::of(
            all.iter().map(|(v, s)| highlight(*v, *s)).collect(),
            "scenario",
        );
        (
            format!("{} {}", found.lead, found.order),
            found.items.into_iter().map(|i| i.label).collect(),
        )
    }

    #[test]
    fn the_largest_significant_change_first() {
        let all = [
            (Verdict::Slower, 1.02),
            (Verdict::None, 1.5),
            (Verdict::Faster, 1.3),
            (Verdict::Untested, 2.0),
        ];
        let (lead, items) = summary(&all);
        assert_eq!(
            lead,
            "2 of 3 scenarios changed significantly. 1 pair of single figures is not tested. The largest first:"
        );
        assert_eq!(items, ["1.3", "1.02"]);
    }

    #[test]
    fn single_figures_are_worded_as_untested() {
        let (lead, items) = summary(&[(Verdict::Untested, 1.04), (Verdict::Untested, 1.62)]);
        assert!(lead.contains("1 of 2 differs by 5% or more."), "{lead}");
        assert_eq!(items, ["1.62"]);
        assert!(
            summary(&[(Verdict::Untested, 1.04)])
                .0
                .contains("none of 1")
        );
        assert_eq!(summary(&[]), (" ".to_owned(), vec![]));
    }
}
