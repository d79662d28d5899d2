//! The commits of a branch since which benchmarks have a new level.

use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::base::words::count;
use crate::report::{Shift, titles, words};

/// Returns a row for each commit, with its largest change; `None` without any.
pub(in crate::site) fn levels(shifts: &[Shift<'_>]) -> Option<HtmlTable> {
    let mut rows = Vec::new();
    for shift in shifts {
        let (row, level) = shift.levels[0];
        let cells = vec![
            HtmlCell::words(titles::title(&row.scenario)),
            HtmlCell {
                change: Some(words::change_class(&level.change)),
                ..HtmlCell::text(level.change.to_string())
            },
            HtmlCell::text(count(shift.levels.len(), "scenario")),
            HtmlCell::text(format!("{:.3}", level.p)),
        ];
        rows.push(HtmlRow::new(shift.commit.to_string(), cells));
    }
    (!rows.is_empty()).then(|| HtmlTable {
        class: "changes",
        name: "Commits with new levels, newest first, each with its largest change".to_owned(),
        corner: "since",
        head: Head::of(["scenario", "change", "changed", "p"]),
        rows,
        note: Some(
            "A level is new where the figures from a commit on differ from those before it. It may have changed a commit or two earlier or later."
                .to_owned(),
        ),
        ..HtmlTable::default()
    })
}
