//! First, second and third places of libraries over the rows that all of them have.

use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::base::words::count;
use crate::report::Report;
use crate::report::history::Histories;
use crate::site::words::ranking::rows_of_own_kind;

/// Returns the places in the first of these reports that has any.
pub(in crate::site) fn places(
    newest_first: &[&Report],
    histories: &Histories<'_>,
) -> Option<HtmlTable> {
    let mut reports = newest_first.iter();
    let (report, found) =
        reports.find_map(|report| Some((report, report.places(&rows_of_own_kind(report))?)))?;
    let left_out = match found.left_out {
        0 => String::new(),
        1 => "; one more is left out, because a pair is not tested".to_owned(),
        n => format!("; {n} more are left out, because a pair is not tested"),
    };
    let mut shown = Vec::new();
    for (column, numbers) in &found.libraries {
        let name = report.data.name(*column);
        let cells = numbers.map(|number| HtmlCell::text(number.to_string()));
        let address = histories.implementations.get(&*name.library);
        shown.push(HtmlRow {
            href: address.map(|address| format!("{address}/")),
            ..HtmlRow::new(name.full(), cells.to_vec())
        });
    }
    Some(HtmlTable {
        class: "fit",
        about: Some("../method/#changes"),
        name: "First, second and third places".to_owned(),
        caption: format!(
            "Over {} that all {} libraries have in the report of {}{left_out}. A place is one more than the number of libraries that are shown to be faster, so that libraries share it where no difference is shown.",
            count(found.rows, "scenario"),
            found.libraries.len(),
            report.day_or_name(),
        ),
        corner: "library",
        head: Head::of(["first", "second", "third", "lower"]),
        rows: shown,
        ..HtmlTable::default()
    })
}
