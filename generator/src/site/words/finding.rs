//! The key finding of a report.

use super::ranking::ranking;
use super::sections::{against, leaders};
use crate::base::words::{count, join};
use crate::report::{Report, Series, Shift, Table, shifts, titles, words};
use crate::site::tables::releases::tally;

/// Figures that stand for a finding where nothing can be compared.
const MAX_FIGURES: usize = 3;

/// Returns the key finding in a sentence or two: the report's own summary, or who leads in how many scenarios,
/// or what the last release changed, or the subject against its rival, or else the figures.
pub(in crate::site) fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    let main = Table::of_rows(report, report.main_rows());
    let led = match report.is_of_one_library() || report.revisions().is_some() {
        true => None,
        false => leaders(&main),
    };
    led.or_else(|| match report.revisions() {
        Some(_) => None,
        None => report.series().iter().find_map(last_release),
    })
    .or_else(|| last_level(report))
    .or_else(|| against(&main, &main))
    .map_or_else(|| figures(report), |found| found.trim_end().to_owned())
}

/// `parse: parser 1.2 with 35.2 ns. …`
fn figures(report: &Report) -> String {
    let rows = report.key_rows().into_iter().take(MAX_FIGURES);
    let said = rows.map(|row| {
        let title = titles::title(&row.scenario);
        format!("{title}: {}", ranking(report, row))
    });
    said.collect::<Vec<_>>().join(" ")
}

/// `rustls 0.23.46 is faster than 0.23.44 in 1 of 61 scenarios. The largest change: 1.02x faster in …`, or
/// `rustls 0.23.46: no change from 0.23.44 is shown in 41 scenarios. Last change: 0.23.42, …`
pub(in crate::site) fn last_release(series: &Series<'_>) -> Option<String> {
    let report = series.report;
    let mut steps = series.steps();
    steps.retain(|step| report.builds[step.new].is_final);
    let mut newest_first = steps.iter().rev();
    let last = newest_first.next()?;
    let all = tally(last);
    if all.tested() == 0 {
        return None;
    }
    let newest = report.full_name(last.new);
    let before = &report.build(last.old).version;
    let scenarios = count(all.tested(), "scenario");
    let Some(largest) = words::largest(&all) else {
        let earlier = newest_first.find_map(|step| {
            let largest = words::largest(&tally(step))?;
            let version = &report.build(step.new).version;
            Some(format!(" Last change: {version}, {largest}."))
        });
        let earlier = earlier.unwrap_or_default();
        return Some(format!(
            "{newest}: no change from {before} is shown in {scenarios}.{earlier}"
        ));
    };
    let changes = match (all.better, all.worse) {
        (better, 0) => format!("faster than {before} in {better}"),
        (0, worse) => format!("slower than {before} in {worse}"),
        (better, worse) => format!("faster than {before} in {better} and slower in {worse}"),
    };
    Some(format!(
        "{newest} is {changes} of {scenarios}. The largest change: {largest}."
    ))
}

/// `The last new level is since 2024-01-22.0433+b2580df: 5 of 50 scenarios, the largest 1.50x slower in seal.`
/// `None` unless the report is about a branch.
pub(in crate::site) fn last_level(report: &Report) -> Option<String> {
    let rows = count(report.rows.len(), "scenario");
    report
        .is_of_branch()
        .then(|| match shifts(&report.rows).first() {
            None => format!(
                "No new level in {rows} over {}.",
                count(report.commits, "commit")
            ),
            Some(Shift { commit, levels }) => {
                let (row, largest) = levels[0];
                format!(
                    "The last new level is since {}: {} of {rows}, the largest {} in {}.",
                    commit.version,
                    levels.len(),
                    largest.change,
                    titles::title(&row.scenario)
                )
            }
        })
}

/// The names of builds for a sentence, at most a few.
pub(in crate::site) fn named(report: &Report, builds: &[usize], most: usize) -> String {
    let mut names = report.full_names(&builds[..builds.len().min(most)]);
    if builds.len() > most {
        names.push(count(builds.len() - most, "other"));
    }
    join(&names)
}
