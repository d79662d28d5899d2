//! The subject of a report against its rival, as a dot plot.

use super::dots::at_a_glance;
use super::headline;
use super::matrix::{anchor, row_scale};
use super::{DotPlot, DotRow, Part, subject_of};
use crate::report::{ComparedRow, Report, Row};

/// Returns the column of the subject's newest release, and that of its rival: the first other library of
/// the report with at least half as many scenarios in common as any, or else the release before.
pub(super) fn subject_and_rival(report: &Report) -> Option<(usize, Option<usize>)> {
    let part = Part::of(report);
    let build = |column: usize| &report.data.implementations[column];
    let subject = subject_of(report);
    let columns = part.columns().into_iter();
    let (ours, others): (Vec<usize>, Vec<usize>) = columns
        .filter(|column| !build(*column).version.is_pre_release())
        .partition(|column| build(*column).name == subject);
    let ours = *ours.first()?;
    let in_common = |column: usize| {
        let both = |row: &&&Row| row.cell(ours).is_some() && row.cell(column).is_some();
        part.rows.iter().filter(both).count()
    };
    let most = others.iter().map(|column| in_common(*column)).max();
    let has_half = |column: &&usize| Some(2 * in_common(**column)) >= most.map(|most| most.max(1));
    let rival = others.iter().find(has_half).copied();
    Some((ours, rival.or_else(|| part.release_before(ours))))
}

/// Returns the plot of the subject against its rival.
pub(super) fn rival_plot(report: &Report) -> Option<DotPlot> {
    let (ours, rival) = subject_and_rival(report)?;
    let (part, rival) = (Part::of(report), rival?);
    let dot = |row: &Row| {
        let known = report.verdict(row, [rival, ours])?;
        let compared = ComparedRow::new(row, [rival, ours].map(|c| row.cell(c)), part.estimator);
        Some(DotRow {
            href: Some(format!("#{}", anchor(&row.scenario, &row.unit))),
            ..DotRow::of(&compared, &known, &at_a_glance(&compared, &row_scale(row)))
        })
    };
    let rows: Vec<DotRow> = headline::at_a_glance(report)
        .into_iter()
        .filter_map(dot)
        .collect();
    let [candidate, baseline] = [ours, rival].map(|column| part.name(column));
    (!rows.is_empty()).then(|| DotPlot {
        caption: format!("{candidate} against {baseline}"),
        sides: [candidate, baseline],
        is_grouped: true,
        rows,
        ..DotPlot::default()
    })
}
