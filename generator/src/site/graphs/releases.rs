//! The graph of a scenario over the releases of a report: the figures themselves, so that level and steps
//! are one picture.

use super::{Graph, MAX_LINES, over, point};
use crate::chart::{Line, Tick};
use crate::report::history::OPEN_EXCHANGE;
use crate::report::{Report, Row, Series, leaves_key_exchange_open, titles};
use crate::stats::quantile;
use std::collections::HashMap;

/// A change of at least this factor is named beside its circle.
const LARGE: f64 = 1.1;

/// Draws a row over releases, a line for each series with two figures or more. `series` are of one report;
/// `None` if none has.
pub(in crate::site) fn graph(series: &[Series<'_>], row: &Row) -> Option<Graph> {
    let mut drawn: Vec<&Series<'_>> = series.iter().filter(|one| one.has(row)).collect();
    drawn.truncate(MAX_LINES);
    let first = *drawn.first()?;
    let report = first.report;
    let mut builds: Vec<usize> = drawn.iter().flat_map(|one| &one.builds).copied().collect();
    builds.retain(|build| row.figure(*build).is_some());
    let places = places(report, &builds);
    let lines = drawn.iter().map(|one| line(one, row, &places)).collect();
    let mut title = titles::title(&row.scenario);
    if leaves_key_exchange_open(&row.scenario) {
        title += &format!(", {OPEN_EXCHANGE}");
    }
    let what = match first.is_of_branch() {
        true => "the commits in their order",
        false => "the releases in their order",
    };
    // The days of the first and the last commit of a branch. The versions of releases stand beside them.
    let ends = [0, builds.len() - 1];
    let ticks = builds.iter().enumerate().map(|(at, build)| {
        let day = report.build(*build).version.branch_day();
        let day = day.filter(|_| ends.contains(&at));
        Tick::new(places[build], day.unwrap_or_default())
    });
    let file = format!("releases-{}", row.id);
    Some(over(&file, (title, what), row, ticks.collect(), lines))
}

/// Where builds stand on the axis: in the order of versions, one step apart, the newest of each library at the right
/// end.
fn places(report: &Report, builds: &[usize]) -> HashMap<usize, f64> {
    let mut newest_first = builds.to_vec();
    newest_first.sort_by(|a, b| {
        let [a, b] = [*a, *b].map(|build| report.build(build));
        (a.name.cmp(&b.name)).then(b.version.cmp_release(&a.version))
    });
    let (mut places, mut newer, mut place) = (HashMap::new(), None, 0.0);
    for build in newest_first {
        let own = report.build(build);
        place = match newer.replace(own) {
            Some(newer) if newer.name != own.name => 0.0,
            Some(newer) if newer.version.cmp_release(&own.version).is_gt() => place - 1.0,
            _ => place,
        };
        places.insert(build, place);
    }
    places
}

/// Returns the line of a series. A circle is around each release whose step from the one before is shown, or
/// each commit with a new level.
fn line(series: &Series<'_>, row: &Row, places: &HashMap<usize, f64>) -> Line {
    let report = series.report;
    let mut points = Vec::new();
    let mut before = None;
    for build in series.builds.iter().copied() {
        let version = report.build(build).version.words();
        let called = report.full_name(build);
        let place = places.get(&build).copied();
        let of = |x| point(report, row, build, x, row.scale.factor, &called);
        let Some(mut point) = place.and_then(of) else {
            continue;
        };
        let mut levels = row.levels.iter();
        let level = levels.find(|level| level.since == build);
        let step = before.and_then(|before| report.verdict(row, [before, build]));
        let step = step.filter(|known| known.verdict.is_change());
        let change = match series.is_of_branch() {
            true => level.map(|level| level.change),
            false => step.map(|known| known.change),
        };
        point.is_marked = change.is_some();
        point.name = match change {
            Some(change) if change.size() >= LARGE => format!("{version}: {change}"),
            _ => version,
        };
        points.push(point);
        before = Some(build);
    }
    if series.is_of_branch() {
        for level in points.chunk_by_mut(|_, next| !next.is_marked) {
            let median = quantile(level.iter().map(|point| point.y).collect(), 0.5);
            level.iter_mut().for_each(|point| point.level = median);
        }
    }
    super::line(report, &series.newest().name, series.name(), points)
}

/// Whether a step of at least this factor is shown, or of a branch a new level.
pub(in crate::site) fn has_step(series: &[Series<'_>], row: &Row) -> bool {
    /// Smaller steps are flat in a graph.
    const STEP: f64 = 1.03;
    let is_step = |one: &Series<'_>| match one.is_of_branch() {
        true => !row.levels.is_empty(),
        false => one.builds.windows(2).any(|pair| {
            let known = one.report.verdict(row, [pair[0], pair[1]]);
            known.is_some_and(|known| known.verdict.is_change() && known.change.size() >= STEP)
        }),
    };
    series.iter().any(is_step)
}
