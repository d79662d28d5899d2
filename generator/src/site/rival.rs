//! The subject of a report against its rival, as a dot plot.

use super::dots::at_a_glance;
use super::matrix::row_scale;
use super::{DotPlot, DotRow, Part};
use crate::report::{ComparedRow, Report, Row};

/// Returns the plot of the subject against its rival.
pub(super) fn rival_plot(report: &Report) -> Option<DotPlot> {
    let (ours, rival) = report.subject_and_rival()?;
    let (part, rival) = (Part::without_rows(report), rival?);
    let dot = |row: &Row| {
        let known = report.verdict(row, [rival, ours])?;
        let compared = ComparedRow::new(row, [rival, ours].map(|c| row.cell(c)), part.estimator);
        Some(DotRow {
            href: Some(format!("#{}", row.id)),
            ..DotRow::of(&compared, &known, &at_a_glance(&compared, &row_scale(row)))
        })
    };
    let rows: Vec<DotRow> = report.at_a_glance().into_iter().filter_map(dot).collect();
    let [candidate, baseline] = [ours, rival].map(|column| part.name(column));
    (!rows.is_empty()).then(|| DotPlot {
        caption: format!("{candidate} against {baseline}"),
        sides: [candidate, baseline],
        is_grouped: true,
        rows,
        ..DotPlot::default()
    })
}
