//! The subject of a report against its rival, as a dot plot.

use super::compared::compared;
use super::headline::at_a_glance;
use super::matrix::anchor;
use super::{DotPlot, DotRow, Part, subject_of};
use crate::report::{Report, Row};

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
    let rows = part.rows.iter();
    let both = rows.map(|row| (*row, [row.cell(rival), row.cell(ours)]));
    let compared = compared(both, part.estimator, report.data.is_paired)?;
    let dot = |shown: &Row| {
        let mut known = compared.known();
        let key = (&shown.scenario, &shown.unit);
        let (row, known) = known.find(|(row, _)| (row.scenario, row.unit) == key)?;
        Some(DotRow {
            href: Some(format!("#{}", anchor(row.scenario, row.unit))),
            ..DotRow::of(row, &known, &compared.glance_scale(row))
        })
    };
    let rows: Vec<DotRow> = at_a_glance(report).into_iter().filter_map(dot).collect();
    let [candidate, baseline] = [ours, rival].map(|column| part.name(column));
    (!rows.is_empty()).then(|| DotPlot {
        caption: format!("{candidate} against {baseline}"),
        sides: [candidate, baseline],
        is_grouped: true,
        rows,
        ..DotPlot::default()
    })
}
