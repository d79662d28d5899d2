//! What changed, in sentences, the most important first.

use crate::report::{Judged, equation};
use crate::stats::Verdict;
use serde::Serialize;

/// How many sentences a page begins with; its tables have all.
const MOST: usize = 5;

/// Differences of single figures that are worth a sentence: the 5 % from which rustls' benchmark
/// service speaks of a change of wall-clock time that it has no history of.
const UNTESTED_FLOOR: f64 = 1.05;

/// The changes of a report, summed up.
#[derive(Clone, Debug, Default, Serialize)]
pub struct News {
    /// How many changed; empty where nothing was compared.
    pub lead: String,
    /// The largest changes.
    pub items: Vec<Novelty>,
}

/// One change.
#[derive(Clone, Debug, Serialize)]
pub struct Novelty {
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
    verdict: Verdict,
    #[serde(skip)]
    size: f64,
}

impl Novelty {
    /// A row that was compared, whether it changed or not. The names are those of both sides.
    pub(super) fn of(row: &Judged, id: &str, (old, new): (&str, &str)) -> Option<Self> {
        let known = row.comparison?;
        let evidence = match known.adjusted_p {
            _ if known.verdict == Verdict::Untested => "single figures, untested".to_owned(),
            Some(p) => format!("{}, n\u{a0}=\u{a0}{}", equation("p", p), row.runs_text()),
            None => format!("n\u{a0}=\u{a0}{}", row.runs_text()),
        };
        Some(Self {
            id: id.to_owned(),
            label: row.scenario.label(),
            words: known.change.to_string(),
            change: known.change.word().word(),
            detail: format!("{new} against {}, {evidence}", shortened(old, new)),
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

impl News {
    pub(super) fn of(all: Vec<Novelty>) -> Self {
        let compared = all.len();
        let untested = all
            .iter()
            .filter(|n| n.verdict == Verdict::Untested)
            .count();
        let only_untested = untested == compared;
        let counts =
            |n: &Novelty| n.verdict.is_change() || (only_untested && n.size >= UNTESTED_FLOOR);
        let mut items: Vec<Novelty> = all.into_iter().filter(counts).collect();
        items.sort_by(|a, b| b.size.total_cmp(&a.size));
        let found = items.len();
        items.truncate(MOST);
        let largest = match (found, items.len()) {
            (0 | 1, _) => "",
            (found, shown) if found > shown => " The largest:",
            _ => " The largest first:",
        };
        let lead = match (compared, found) {
            (0, _) => String::new(),
            (_, 0) if only_untested => format!(
                "Single figures, so that no change is tested: none of {compared} differs by 5% or more."
            ),
            (_, _) if only_untested => format!(
                "Single figures, so that no change is tested: {found} of {compared} differ by 5% or more.{largest}"
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
                format!("{changed} of {tested} scenarios changed significantly.{rest}{largest}")
            }
        };
        Self { lead, items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn novelty(verdict: Verdict, size: f64) -> Novelty {
        Novelty {
            id: String::new(),
            label: size.to_string(),
            words: String::new(),
            change: "slower",
            detail: String::new(),
            verdict,
            size,
        }
    }

    fn news(all: &[(Verdict, f64)]) -> (String, Vec<String>) {
        let news = News::of(all.iter().map(|(v, s)| novelty(*v, *s)).collect());
        (news.lead, news.items.into_iter().map(|i| i.label).collect())
    }

    #[test]
    fn the_largest_significant_change_first() {
        let all = [
            (Verdict::Slower, 1.02),
            (Verdict::None, 1.5),
            (Verdict::Faster, 1.3),
            (Verdict::Untested, 2.0),
        ];
        let (lead, items) = news(&all);
        assert_eq!(
            lead,
            "2 of 3 scenarios changed significantly. Single figures, 1 of them, are not tested. The largest first:"
        );
        assert_eq!(items, ["1.3", "1.02"]);
    }

    #[test]
    fn single_figures_are_worded_as_untested() {
        let (lead, items) = news(&[(Verdict::Untested, 1.04), (Verdict::Untested, 1.62)]);
        assert!(lead.contains("1 of 2 differ by 5% or more."), "{lead}");
        assert_eq!(items, ["1.62"]);
        assert!(news(&[(Verdict::Untested, 1.04)]).0.contains("none of 1"));
        assert_eq!(news(&[]), (String::new(), vec![]));
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
