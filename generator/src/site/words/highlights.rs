//! What changed since the report before, in sentences.

use crate::base::words::count;
use crate::model::unit::Kind;
use crate::report::{Compared, Report, Side, Tally, titles};
use crate::site::tables::changes::Changes;
use crate::stats::Verdict;

/// Smallest factor between single figures that is listed: the 5 % from which rustls' benchmark
/// service reports a change in wall-clock time if it has no history.
const UNTESTED_FLOOR: f64 = 1.05;

/// A row of a build with its baseline.
type Since<'a> = (Compared<'a>, Side<'a>);

/// Returns the rows to list, the largest change first: those that changed or, if nothing is tested, those that
/// differ much.
pub(in crate::site) fn outstanding<'a>(rows: &[Since<'a>]) -> Vec<Since<'a>> {
    let only_untested = rows
        .iter()
        .all(|(one, _)| one.verdict() == Verdict::Untested);
    let mut found = rows.to_vec();
    found.retain(|(one, _)| {
        let is_large = only_untested && one.known.change.size() >= UNTESTED_FLOOR;
        one.is_change() || is_large
    });
    found.sort_by(|(a, _), (b, _)| b.known.change.size().total_cmp(&a.known.change.size()));
    found
}

/// How many scenarios changed; empty if nothing was compared.
pub(in crate::site) fn lead(rows: &[Since<'_>]) -> String {
    let tally: Tally<'_> = rows.iter().map(|(one, _)| *one).collect();
    if tally.compared() == 0 {
        return String::new();
    }
    if tally.tested() == 0 {
        let found = outstanding(rows).len();
        let differ = if found < 2 { "differs" } else { "differ" };
        let number = if found == 0 {
            "none".to_owned()
        } else {
            found.to_string()
        };
        return format!(
            "Single figures, so no change is tested: {number} of {} {differ} by 5% or more.",
            tally.compared()
        );
    }
    let changed = match tally.changed() {
        0 => "None".to_owned(),
        n => n.to_string(),
    };
    let pairs = count(tally.tested(), "figure");
    let mut lead = format!("{changed} of {pairs} changed significantly.");
    if tally.untested > 0 {
        let are = if tally.untested == 1 { "is" } else { "are" };
        let pairs = count(tally.untested, "pair");
        lead += &format!(" {pairs} of single figures {are} not tested.");
    }
    lead
}

/// Summarizes for a feed entry what changed in final releases since `previous`, and the largest change.
pub(in crate::site) fn feed_summary(
    report: &Report,
    previous: &Report,
    changes: &[Changes<'_>],
) -> String {
    let since = format!("the report of {}", previous.day_or_name());
    if !report.shares_machine(previous) {
        return format!(
            "Factors are relative to {since}, which is from another machine: they compare machines as well as releases."
        );
    }
    let mut all: Vec<Since<'_>> = Vec::new();
    let mut largest: Option<(f64, String)> = None;
    for Changes { new, rows, .. } in changes {
        let mut rows = rows.clone();
        rows.retain(|(_, (before, old))| before.builds[*old].is_final);
        if !report.builds[*new].is_final {
            continue;
        }
        if let Some((one, (before, old))) = outstanding(&rows).first() {
            let change = one.known.change;
            let title = titles::title(&one.row.scenario);
            let title = match change.kind {
                Kind::Count | Kind::Size => format!("{} of {title}", one.row.unit),
                _ => title,
            };
            let name = &report.builds[*new].name;
            let than = match before.build(*old) == report.build(*new) {
                true => String::new(),
                false => format!(" than {}", before.builds[*old].name.beside(name)),
            };
            if largest
                .as_ref()
                .is_none_or(|(size, _)| change.size() > *size)
            {
                let said = format!("{} in {title}: {change}{than}", name.full());
                largest = Some((change.size(), said));
            }
        }
        all.extend(rows);
    }
    let lead = lead(&all);
    if lead.is_empty() {
        return format!(
            "This report compares no release with one of {since}, which is of the same machine."
        );
    }
    let largest = largest.map_or_else(String::new, |(_, said)| format!(" The largest: {said}."));
    format!("Changes are relative to {since}, on the same machine. {lead}{largest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::since;
    use crate::site::tables::changes::changes;

    /// Two reports with so many runs of rows at the factor of time of the newer one.
    fn reports(rows: &[(usize, f64)]) -> [Report; 2] {
        ["2026-01-01", "2026-02-01"].map(|name| {
            let mut table = "scenario,unit,implementation,run,value\n".to_owned();
            for (row, (runs, factor)) in rows.iter().enumerate() {
                let factor = if name < "2026-02" { 1.0 } else { *factor };
                for run in 1..=*runs {
                    let value = factor * (100.0 + 0.1 * (run % 5) as f64);
                    table += &format!("s{row},ns,a,{run},{value}\n");
                }
            }
            Report::example(name, "machine = \"m\"\n", &table)
        })
    }

    #[test]
    fn a_build_is_not_compared_by_its_own_name() {
        let [old, new] = reports(&[(20, 1.3)]);
        let changes = changes(&new, &[&old], |_| true);
        let shown = feed_summary(&new, &old, &changes);
        assert!(shown.contains("a in s0: 1.30x slower."), "{shown}");
    }

    fn found(rows: &[(usize, f64)]) -> (String, Vec<String>) {
        let [old, new] = reports(rows);
        let rows = since(&new, &[&old], 0);
        let labels = outstanding(&rows).into_iter();
        let labels = labels.map(|(one, _)| one.row.scenario.label());
        (lead(&rows), labels.collect())
    }

    #[test]
    fn the_largest_significant_change_first() {
        let (lead, labels) = found(&[(20, 1.02), (20, 1.008), (20, 0.7), (1, 2.0)]);
        assert_eq!(
            lead,
            "2 of 3 figures changed significantly. 1 pair of single figures is not tested."
        );
        assert_eq!(labels, ["s2", "s0"]);
    }

    #[test]
    fn single_figures_are_worded_as_untested() {
        let (lead, labels) = found(&[(1, 1.04), (1, 1.62)]);
        assert!(lead.contains("1 of 2 differs by 5% or more."), "{lead}");
        assert_eq!(labels, ["s1"]);
        let (lead, _) = found(&[(1, 1.04)]);
        assert!(lead.contains("none of 1"), "{lead}");
        assert_eq!(super::lead(&[]), "");
    }
}
