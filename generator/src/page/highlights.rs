//! What changed, in sentences, the most important first.

use crate::report::{ComparedRow, Report, p_equation};
use crate::stats::Verdict;
use serde::Serialize;

/// How many sentences a page begins with; its tables have all.
const MAX_ITEMS: usize = 5;

/// Differences of single figures that are worth a sentence: the 5 % from which rustls' benchmark
/// service speaks of a change of wall-clock time that it has no history of.
const UNTESTED_FLOOR: f64 = 1.05;

/// The changes of a report, summed up.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Highlights {
    /// How many changed; empty where nothing was compared.
    pub lead: String,
    /// What leads to the list; empty where that has one item at most.
    pub order: &'static str,
    /// The largest changes.
    pub items: Vec<Highlight>,
}

/// One change.
#[derive(Clone, Debug, Serialize)]
pub struct Highlight {
    /// Its row in the table of changes.
    pub id: String,
    /// The scenario.
    pub label: String,
    /// `1.62x slower`
    pub words: String,
    /// The word alone, a class.
    pub change: &'static str,
    /// `rustls 0.23.31 against 0.23.27, p <0.001, n = 30`
    pub detail: String,
    #[serde(skip)]
    old: String,
    #[serde(skip)]
    new: String,
    #[serde(skip)]
    evidence: String,
    #[serde(skip)]
    verdict: Verdict,
    #[serde(skip)]
    size: f64,
}

impl Highlight {
    /// A row that was compared, whether it changed or not. The names are those of both sides.
    pub(super) fn of(row: &ComparedRow, id: &str, (old, new): (&str, &str)) -> Option<Self> {
        let known = row.comparison?;
        let evidence = match known.adjusted_p {
            _ if known.verdict == Verdict::Untested => "single figures, untested".to_owned(),
            Some(p) => format!("{}, n\u{a0}=\u{a0}{}", p_equation(p), row.runs_text()),
            None => format!("n\u{a0}=\u{a0}{}", row.runs_text()),
        };
        Some(Self {
            id: id.to_owned(),
            label: row.scenario.label(),
            words: known.change.to_string(),
            change: known.change.word().word(),
            detail: format!("{new} against {}, {evidence}", shortened(old, new)),
            old: shortened(old, new).to_owned(),
            new: new.to_owned(),
            evidence,
            verdict: known.verdict,
            size: known.change.size(),
        })
    }
}

/// `0.23.27` for `rustls 0.23.27` beside `rustls 0.23.31`.
fn shortened<'a>(old: &'a str, new: &str) -> &'a str {
    let name = |text: &'a str| text.split_once(' ');
    match (name(old), new.split_once(' ')) {
        (Some((ours, version)), Some((theirs, _))) if ours == theirs => version,
        _ => old,
    }
}

impl Highlights {
    pub(super) fn of(all: Vec<Highlight>) -> Self {
        let compared = all.len();
        let untested = all
            .iter()
            .filter(|n| n.verdict == Verdict::Untested)
            .count();
        let only_untested = untested == compared;
        let counts =
            |n: &Highlight| n.verdict.is_change() || (only_untested && n.size >= UNTESTED_FLOOR);
        let mut items: Vec<Highlight> = all.into_iter().filter(counts).collect();
        items.sort_by(|a, b| b.size.total_cmp(&a.size));
        let found = items.len();
        items.truncate(MAX_ITEMS);
        let order = match (found, items.len()) {
            (0 | 1, _) => "",
            (found, shown) if found > shown => "The largest:",
            _ => "The largest first:",
        };
        let lead = match (compared, found) {
            (0, _) => String::new(),
            (_, 0) if only_untested => format!(
                "Single figures, so that no change is tested: none of {compared} differs by 5% or more."
            ),
            (_, _) if only_untested => format!(
                "Single figures, so that no change is tested: {found} of {compared} differ by 5% or more."
            ),
            (_, found) => {
                let tested = compared - untested;
                let rest = match untested {
                    0 => String::new(),
                    n => format!(" Single figures, {n} of them, are not tested."),
                };
                let changed = if found == 0 {
                    "None".to_owned()
                } else {
                    found.to_string()
                };
                format!("{changed} of {tested} scenarios changed significantly.{rest}")
            }
        };
        Self { lead, order, items }
    }
}

/// How many changes a feed names: its readers skim.
const MAX_IN_FEED: usize = 3;

/// What changed since `previous`, in sentences for those who read no tables.
pub fn changes_in_words(previous: &Report, same_machine: bool, highlights: &Highlights) -> String {
    let since = match previous.day {
        Some(day) => format!("that of {day}"),
        None => previous.name.clone(),
    };
    if !same_machine {
        return format!(
            "This report is compared with {since}, which was on another machine: factors between the two compare machines as well as releases."
        );
    }
    if highlights.lead.is_empty() {
        return format!("This report has no scenario in common with {since}, on the same machine.");
    }
    let item = |n: &Highlight| {
        // The lead says already of single figures that they are no test.
        let evidence = match n.verdict {
            Verdict::Untested => String::new(),
            _ => format!(" ({})", n.evidence),
        };
        let (new, old, words, label) = (&n.new, &n.old, &n.words, &n.label);
        format!("{new} in {label}: {words} than {old}{evidence}")
    };
    let items: Vec<String> = highlights
        .items
        .iter()
        .take(MAX_IN_FEED)
        .map(item)
        .collect();
    let largest = match items.len() {
        0 => String::new(),
        1 => format!(" It is {}.", items[0]),
        _ => format!(" The largest: {}.", items.join("; ")),
    };
    format!(
        "This report is compared with {since}, on the same machine. {}{largest}",
        highlights.lead
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn highlight(verdict: Verdict, size: f64) -> Highlight {
        Highlight {
            id: String::new(),
            label: size.to_string(),
            words: String::new(),
            change: "slower",
            detail: String::new(),
            old: "0.23.27".to_owned(),
            new: "rustls 0.23.31".to_owned(),
            evidence: "p <0.001".to_owned(),
            verdict,
            size,
        }
    }

    fn summary(all: &[(Verdict, f64)]) -> (String, Vec<String>) {
        let found = Highlights::of(all.iter().map(|(v, s)| highlight(*v, *s)).collect());
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
            "2 of 3 scenarios changed significantly. Single figures, 1 of them, are not tested. The largest first:"
        );
        assert_eq!(items, ["1.3", "1.02"]);
    }

    #[test]
    fn single_figures_are_worded_as_untested() {
        let (lead, items) = summary(&[(Verdict::Untested, 1.04), (Verdict::Untested, 1.62)]);
        assert!(lead.contains("1 of 2 differ by 5% or more."), "{lead}");
        assert_eq!(items, ["1.62"]);
        assert!(
            summary(&[(Verdict::Untested, 1.04)])
                .0
                .contains("none of 1")
        );
        assert_eq!(summary(&[]), (" ".to_owned(), vec![]));
    }

    #[test]
    fn names_are_not_repeated() {
        assert_eq!(shortened("rustls 0.23.27", "rustls 0.23.31"), "0.23.27");
        assert_eq!(
            shortened("OpenSSL 3.5.1", "rustls 0.23.31"),
            "OpenSSL 3.5.1"
        );
        assert_eq!(shortened("rustls", "rustls 0.23.31"), "rustls");
    }
}
