//! The functions that account for changes of instructions, where programs were profiled.

use super::releases::Folded;
use super::{Head, Part, Table, TableCell, TableRow};
use crate::implementation::Implementation;
use crate::profile::{Profiles, Why};
use crate::report::{ComparedRow, ReleaseSeries, Report, judge, newest_pairs};
use crate::stats::Rules;
use crate::unit::{Unit, group_thousands};

/// Tables of one pair of implementations, and of a page: the largest changes have one.
const MAX_OF_PAIR: usize = 3;
const MAX: usize = 12;

/// Tables of what changed since another report, and from release to release.
pub(crate) fn whys(
    report: &Report,
    previous: Option<&Report>,
    releases: &[ReleaseSeries<'_>],
) -> Vec<Folded> {
    let mut all = Vec::new();
    if let Some(previous) = previous {
        all.extend(since(report, previous));
    }
    for series in releases {
        let steps = series.steps().into_iter().enumerate();
        for (index, [from, to]) in steps.filter(|(_, [from, to])| to - from == 1) {
            let sides = [from, to].map(|place| (&report.profiles, series.implementation(place)));
            let rows = series.rows.iter().filter_map(|r| r.steps[index].as_ref());
            all.extend(of_pair(sides, rows.collect()));
        }
    }
    all.truncate(MAX);
    all
}

fn since(report: &Report, previous: &Report) -> Vec<Folded> {
    let old_rows = previous.data.by_key();
    let part = Part::of(report).with(|row| row.unit == Unit::INSTRUCTIONS);
    let pairs = newest_pairs(&previous.data, &report.data).into_iter();
    let of = |(old, new): (usize, usize)| {
        let both = part.rows.iter().filter_map(|row| {
            let was = old_rows.get(&(&row.scenario, &row.unit))?.cell(old)?;
            Some((*row, [Some(was), Some(row.cell(new)?)]))
        });
        let judged = judge(both, part.estimator, &Rules::default());
        let sides = [
            (&previous.profiles, &previous.data.implementations[old]),
            (&report.profiles, &report.data.implementations[new]),
        ];
        of_pair(sides, judged.iter().collect())
    };
    pairs.flat_map(of).collect()
}

fn of_pair(
    sides: [(&Profiles, &Implementation); 2],
    mut rows: Vec<&ComparedRow<'_>>,
) -> Vec<Folded> {
    rows.retain(|row| *row.unit == Unit::INSTRUCTIONS && row.is_change());
    let size = |row: &ComparedRow<'_>| row.comparison.map_or(0.0, |c| c.change.size());
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let known = rows.into_iter().filter_map(|row| {
        let why = Profiles::why(sides, row.scenario)?;
        let change = row.comparison?.change;
        let [old, new] = sides.map(|(_, one)| one.to_string());
        let label = row.scenario.label();
        Some(Folded {
            summary: format!("{label}: {change} instructions from {old} to {new}"),
            table: table(
                &why,
                format!("{label}, instructions by function: {old} ➡️ {new}"),
            ),
        })
    });
    known.take(MAX_OF_PAIR).collect()
}

fn table(why: &Why, caption: String) -> Table {
    let whole = |n: f64| TableCell::text(group_thousands(&format!("{n:.0}")));
    let row = |(name, [old, new]): (String, [f64; 2])| {
        TableRow::new(name, vec![whole(old), whole(new - old), whole(new)])
    };
    Table {
        class: "changes",
        about: "../method/#counts",
        caption,
        corner: "function",
        head: ["old", "difference", "new"].map(Head::from).to_vec(),
        rows: why.rows().into_iter().map(row).collect(),
        ..Table::default()
    }
}
