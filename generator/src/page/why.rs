//! The functions that account for changes in instruction counts, from profiles.

use super::{Head, Table, TableCell, TableRow};
use crate::implementation::Implementation;
use crate::profile::{Profiles, Why};
use crate::report::{self, ComparedRow, ReleaseSeries};
use crate::unit::group_thousands;

/// Tables per pair of implementations, for the largest changes.
const MAX_PER_PAIR: usize = 3;
/// Tables per page.
const MAX_TABLES: usize = 12;

/// Appends the tables of steps from release to release to those of changes `since` another report.
pub(crate) fn whys(since: Vec<Table>, releases: &[ReleaseSeries<'_>]) -> Vec<Table> {
    let mut all = since;
    for series in releases {
        let steps = series.steps().into_iter().enumerate();
        for (index, [from, to]) in steps.filter(|(_, [from, to])| to - from == 1) {
            let profiles = &series.report.profiles;
            let sides = [from, to].map(|place| (profiles, series.implementation(place)));
            let rows = series.rows.iter().filter_map(|r| r.steps[index].as_ref());
            all.extend(pair_tables(sides, rows));
        }
    }
    all.truncate(MAX_TABLES);
    all
}

/// Returns the tables of the largest changes between two implementations.
pub(super) fn pair_tables<'r, 'a: 'r>(
    sides: [(&Profiles, &Implementation); 2],
    rows: impl Iterator<Item = &'r ComparedRow<'a>>,
) -> Vec<Table> {
    let [old, new] = sides.map(|(_, one)| one.to_string());
    let of_row = |(row, why): (&ComparedRow<'_>, Why)| {
        let label = row.scenario.label();
        let caption = format!("{label}, instructions by function: {old} ➡️ {new}");
        let change = row.comparison?.change;
        Some(Table {
            summary: Some(format!(
                "{label}, instructions: {change} from {old} to {new}"
            )),
            ..table(why, caption)
        })
    };
    let found = report::whys(sides, rows, MAX_PER_PAIR);
    found.into_iter().filter_map(of_row).collect()
}

fn table(why: Why, caption: String) -> Table {
    let whole = |n: f64| TableCell::text(group_thousands(&format!("{n:.0}")));
    let row = |(name, [old, new]): (String, [f64; 2])| {
        TableRow::new(name, vec![whole(old), whole(new - old), whole(new)])
    };
    Table {
        class: "changes",
        about: Some("../method/#counts"),
        caption,
        corner: "function",
        head: ["old", "difference", "new"].map(Head::from).to_vec(),
        rows: why.into_iter().map(row).collect(),
        ..Table::default()
    }
}
