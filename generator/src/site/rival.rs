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
    let mut dots: Vec<DotRow> = Vec::new();
    let mut last = None;
    for shown in at_a_glance(report) {
        let mut known = compared.known();
        let found =
            known.find(|(row, _)| (row.scenario, row.unit) == (&shown.scenario, &shown.unit));
        let workload = Some(&shown.scenario.workload);
        dots.extend(found.map(|(row, known)| DotRow {
            href: Some(format!("#{}", anchor(row.scenario, row.unit))),
            starts_group: last.is_some() && last != workload,
            ..DotRow::of(&compared, row, known)
        }));
        last = workload;
    }
    say_untested_once(&mut dots);
    let [candidate, baseline] = [ours, rival].map(|column| part.name(column));
    (!dots.is_empty()).then(|| DotPlot {
        caption: format!("{candidate} against {baseline}"),
        sides: [candidate, baseline],
        rows: dots,
        ..DotPlot::default()
    })
}

/// Removes the word from each row if it is in all of them: the page says so above.
pub(super) fn say_untested_once(rows: &mut [DotRow]) {
    const UNTESTED: &str = ", untested";
    if rows.iter().all(|row| row.words.ends_with(UNTESTED)) {
        for row in rows {
            row.words.truncate(row.words.len() - UNTESTED.len());
        }
    }
}
