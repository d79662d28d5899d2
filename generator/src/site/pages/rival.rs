//! The subject of a report against its rival, as a dot plot.

use crate::report::{ComparedRow, Report};
use crate::site::graphs::dots::{DotPlot, DotRow, with_three_digits};

/// Returns the plot of the subject against its rival.
pub(in crate::site) fn rival_plot(report: &Report) -> Option<DotPlot> {
    let (ours, rival) = report.subject_and_rival()?;
    let sides = [rival?, ours];
    let mut rows = Vec::new();
    for row in report.key_rows() {
        if let Some(known) = report.verdict(row, sides) {
            let cells = sides.map(|column| row.cell(column));
            let compared = ComparedRow::new(row, cells, report.manifest.estimator);
            rows.push(DotRow {
                href: Some(format!("#{}", row.id)),
                ..DotRow::of(
                    &compared,
                    &known,
                    &with_three_digits(&compared, &row.scale()),
                )
            });
        }
    }
    let [baseline, candidate] = sides.map(|column| report.data.name(column).full());
    (!rows.is_empty()).then(|| DotPlot {
        caption: format!("{candidate} against {baseline}"),
        sides: [candidate, baseline],
        is_grouped: true,
        rows,
        ..DotPlot::default()
    })
}
