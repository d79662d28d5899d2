//! Who is ahead: the subject in the rows that say most, against the newest release of each rival.

use super::changes::{change_cell, comparison_of};
use super::html::{HtmlCell, HtmlRow, HtmlTable};
use super::results::head;
use crate::report::{Report, Table, titles};
use crate::site::pages::topics::MAX_ROWS;
use crate::stats::Verdict;
use std::collections::BTreeSet;

/// Rivals of a table.
const MAX_RIVALS: usize = 8;

/// Returns the newest build of each other library, or else the other newest builds of the subject's, or
/// the release before.
fn rivals(report: &Report, subject: usize) -> Vec<usize> {
    let build = |column: usize| &report.data.implementations[column];
    let rival = report.subject_and_rival().and_then(|(_, rival)| rival);
    let mut ordered = report.data.newest_columns(&report.data.rows);
    ordered.retain(|column| {
        let is_other = *column != subject && Some(*column) != rival;
        is_other && !build(*column).version.is_pre_release()
    });
    // The rival is the first of its library that has as many rows.
    if let Some(rival) = rival {
        ordered.insert(0, rival);
    }
    let mut seen = BTreeSet::from([&*build(subject).name]);
    let mut rivals = ordered.clone();
    rivals.retain(|column| seen.insert(&build(*column).name));
    if rivals.is_empty() {
        rivals = ordered;
    }
    rivals.truncate(MAX_RIVALS);
    rivals
}

/// The question that [`ahead`] answers.
pub(in crate::site) fn question(report: &Report) -> &'static str {
    match report.revisions() {
        Some(_) => "What changed",
        None if report.is_of_one_library() => "Against other builds",
        None => "Who is ahead",
    }
}

/// Returns a row for each scenario that says most, a column for each rival; `None` without any, and for
/// the commits of a branch, of which a single one cannot tell.
pub(in crate::site) fn ahead(report: &Report, has_compare: bool) -> Option<HtmlTable> {
    let table = Table::of(report);
    let (subject, _) = report.subject_and_rival()?;
    if report.data.implementations[subject].version.is_on_branch() {
        return None;
    }
    let rivals = rivals(report, subject);
    let mut shown = report.key_rows();
    shown.retain(|row| {
        let known = |rival: &usize| report.verdict(row, [*rival, subject]).is_some();
        row.estimate(subject).is_some() && rivals.iter().any(known)
    });
    shown.truncate(MAX_ROWS);
    let (shared, own) = titles::shared(&shown);
    let mut is_untested = false;
    let mut rows = Vec::new();
    for (row, title) in shown.iter().zip(own) {
        let scale = row.scale();
        let figure = row.cell(subject).map(|cell| HtmlCell::figure(cell, &scale));
        let mut figure = figure.unwrap_or_else(HtmlCell::missing);
        figure.detail = Some(scale.symbol);
        let mut cells = vec![figure];
        for rival in &rivals {
            cells.push(match report.verdict(row, [*rival, subject]) {
                None => HtmlCell::missing(),
                Some(known) => {
                    is_untested |= known.verdict == Verdict::Untested;
                    let href = has_compare.then(|| comparison_of(report, [*rival, subject]));
                    HtmlCell {
                        href,
                        ..change_cell(&known, None)
                    }
                }
            });
        }
        rows.push(HtmlRow::new(title, cells).of_scenario(row.scenario.label()));
    }
    let mut heads = vec![head(&table, subject)];
    for rival in &rivals {
        let mut against = head(&table, *rival);
        against.text = format!("against {}", against.text);
        heads.push(against);
    }
    let signs =
        "▲ is faster or less, ▼ slower or more, = a difference below 1%, ~ none that is shown";
    let untested = if is_untested { ", * not tested" } else { "" };
    let leads = if has_compare {
        " A cell leads to its comparison."
    } else {
        ""
    };
    let of_all = match shared.is_empty() || shown.len() < 2 {
        true => String::new(),
        false => format!("{}. ", shared.join(", ")),
    };
    let against = match rivals.as_slice() {
        [one] => table.name(*one),
        _ if report.is_of_one_library() => "other builds".to_owned(),
        _ => "the newest release of each".to_owned(),
    };
    (!rows.is_empty() && !rivals.is_empty()).then(|| HtmlTable {
        class: "fit ahead",
        name: format!("{} against {against}", table.name(subject)),
        caption: format!("{of_all}{signs}{untested}.{leads}"),
        corner: "scenario",
        head: heads,
        rows,
        ..HtmlTable::default()
    })
}
