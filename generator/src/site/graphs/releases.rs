//! The graph of a scenario over the releases of a report.

use super::{Graph, MAX_LINES};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Point, Ring, Series, Tick, XAxis};
use crate::model::implementation::Implementation;
use crate::report::history::OPEN_EXCHANGE;
use crate::report::{ReleaseSeries, Report, Row, leaves_key_exchange_open, titles};
use jiff::ToSpan as _;
use jiff::civil::Date;
use std::collections::{BTreeSet, HashMap};

/// Ticks of a time axis.
const MAX_TICKS: i32 = 4;

/// A change of at least this factor is beside its ring.
const LARGE: f64 = 1.1;

/// Draws a row over the releases of the libraries that are `wanted`, a line for each variant with
/// several: how many times the figure of the first of them. `series` are those of one report. `None` if
/// no library has two figures.
pub(in crate::site) fn graph(
    series: &[ReleaseSeries<'_>],
    row: &Row,
    wanted: impl Fn(&str) -> bool,
) -> Option<Graph> {
    let report = series.first()?.report;
    // A ratio needs a figure above zero.
    let has_figure = |column: &usize| row.estimate(*column).is_some_and(|figure| figure > 0.0);
    let mut drawn = Vec::new();
    for one in series.iter().filter(|one| wanted(&one.newest().name)) {
        let mut columns = one.columns.clone();
        columns.retain(has_figure);
        if columns.len() > 1 {
            drawn.push((one, columns));
        }
    }
    drawn.truncate(MAX_LINES);
    let columns: Vec<usize> = drawn.iter().flat_map(|(_, own)| own.clone()).collect();
    let places = Places::of(report, &columns)?;
    let scale = row.scale();
    let (mut lines, mut summaries) = (Vec::new(), Vec::new());
    for (one, columns) in &drawn {
        lines.push(line(one, columns, row, &places));
        let ends = [columns[0], columns[columns.len() - 1]].map(|column| {
            let figure = row.estimate(column).expect("one of those with a figure");
            let version = report.data.implementations[column].version.words();
            format!("{} ({version})", scale.show(figure))
        });
        summaries.push(format!("{} from {}", one.name(), ends.join(" to ")));
    }
    let mut title = titles::title(&row.scenario);
    if leaves_key_exchange_open(&row.scenario) {
        title += &format!(", {OPEN_EXCHANGE}");
    }
    let what = match drawn[0].0.is_of_branch() {
        true => "commit",
        false => "release",
    };
    let unit = format!("times the first {what}");
    let alt = format!(
        "Line chart: {title} over the {what}s, {}, as {unit}, figures in {}. {}.",
        places.order,
        scale.symbol,
        join(&summaries)
    );
    let chart = Lines {
        x: XAxis {
            ticks: places.ticks,
            ..XAxis::default()
        },
        y: Axis {
            unit,
            better: row.unit.better(),
            decimals: 3,
            is_log: true,
            origin: 1.0,
        },
        lines,
        of: row.scenario.label(),
    };
    let file = format!("releases-{}", row.id);
    let draw = |title: &str, alt: &str| chart.render(title, alt);
    Some(Graph::new(&file, title, alt, draw))
}

/// Returns the line of a series over those of its columns that have a figure.
fn line(series: &ReleaseSeries<'_>, columns: &[usize], row: &Row, places: &Places) -> Line {
    let report = series.report;
    let scale = row.scale();
    let (first, is_branch) = (columns[0], series.is_of_branch());
    let figure = |column: usize| row.estimate(column).expect("one of those with a figure");
    let mut points = Vec::new();
    let mut all = series.columns.iter();
    for column in columns.iter().copied() {
        // Releases between this one and the one before lack the row.
        let skipped = all.by_ref().take_while(|known| **known != column).count();
        let mut point = Point {
            x: places.at[&column],
            y: 1.0,
            runs: row.cell(column).map(|cell| cell.values.len()),
            ..Point::default()
        };
        let version = report.data.implementations[column].version.words();
        let shown = scale.show(figure(column));
        point.figure = format!("{shown} {}", scale.symbol);
        point.label = Some(version.clone());
        point.runs.take_if(|runs| *runs < 2);
        if let Some((ring, names)) = ring(series, row, column) {
            (point.ring, point.names) = (Some(ring), names);
        }
        if column == first {
            point.names = vec![version];
        } else {
            // Each would be a table of its own: too much for hundreds of commits.
            let known = match is_branch {
                true => None,
                false => report.verdict(row, [first, column]),
            };
            let ratio = known.map(|known| known.change.ratio);
            point.y = ratio.unwrap_or(figure(column) / figure(first));
            let interval = known.and_then(|known| known.interval);
            point.interval = interval.map(|interval| (interval.low, interval.high));
            point.is_after_gap = skipped > 0;
        }
        points.push(point);
    }
    Line {
        series: Series {
            label: series.name(),
            look: report.data.look_of(&series.newest().name),
        },
        points,
        fit: None,
    }
}

/// Where builds stand on the axis.
struct Places {
    at: HashMap<usize, f64>,
    ticks: Vec<Tick>,
    order: &'static str,
}

impl Places {
    /// By day, if all have one and not all the same; `None` without columns.
    fn of(report: &Report, columns: &[usize]) -> Option<Self> {
        let builds = &report.data.implementations;
        let day = |column: &usize| report.manifest.released(&builds[*column]);
        let days: Option<BTreeSet<Date>> = columns.iter().map(day).collect();
        if let Some(days) = days.filter(|days| days.len() > 1) {
            let at = columns
                .iter()
                .filter_map(|column| Some((*column, day_number(day(column)?))));
            return Some(Self {
                at: at.collect(),
                ticks: ticks(&Vec::from_iter(days)),
                order: "by the day of publication",
            });
        }
        let at = ranks(builds, columns);
        let ends = [*columns.first()?, columns[columns.len() - 1]];
        let ticks = match ends.map(|column| builds[column].version.branch_day()) {
            // A year and a month, else a month and a day.
            [Some(first), Some(last)] => {
                let part = if first[..7] == last[..7] { 5..10 } else { 0..7 };
                let [first, last] = [first, last].map(|day| &day[part.clone()]);
                vec![
                    Tick::new(at[&ends[0]], first),
                    Tick::new(at[&ends[1]], last),
                ]
            }
            _ => columns
                .iter()
                .map(|column| Tick::new(at[column], ""))
                .collect(),
        };
        Some(Self {
            at,
            ticks,
            order: "in their order",
        })
    }
}

/// Returns the places of columns without days: the newest release of each library is at the right end.
fn ranks(builds: &[Implementation], columns: &[usize]) -> HashMap<usize, f64> {
    let mut newest_first = columns.to_vec();
    newest_first.sort_by(|a, b| {
        let [a, b] = [*a, *b].map(|column| &builds[column]);
        (a.name.cmp(&b.name)).then(b.version.cmp_release(&a.version))
    });
    let mut ranks = HashMap::new();
    let mut before: Option<(&Implementation, f64)> = None;
    for column in newest_first {
        let build = &builds[column];
        let rank = match before {
            Some((newer, rank)) if newer.name == build.name => {
                let is_same = newer.version.cmp_release(&build.version).is_eq();
                rank - if is_same { 0.0 } else { 1.0 }
            }
            _ => 0.0,
        };
        ranks.insert(column, rank);
        before = Some((build, rank));
    }
    ranks
}

/// Returns the mark of a release that changed from the one before it, with its names.
fn ring(series: &ReleaseSeries<'_>, row: &Row, column: usize) -> Option<(Ring, Vec<String>)> {
    if series.is_of_branch() {
        let commit = &series.report.data.implementations[column];
        let level = row.levels.iter().find(|level| level.commit == *commit)?;
        return Some((Ring::Solid, vec![level.change.to_string()]));
    }
    let place = series.columns.iter().position(|c| *c == column)?;
    let known = series.row(row)?;
    let step = known.steps[place.checked_sub(1)?].as_ref();
    let change = step.filter(|step| step.is_change())?.comparison?.change;
    let version = series.implementation(place).version.words();
    let mut names = vec![version.clone()];
    if change.size() >= LARGE {
        names.insert(0, format!("{version}: {change}"));
    }
    Some((Ring::Solid, names))
}

/// Returns ticks at the first days of years, quarters or months within `days`; if fewer than two,
/// at the first and the last of `days`.
fn ticks(days: &[Date]) -> Vec<Tick> {
    let (first, last) = (days[0], days[days.len() - 1]);
    let month = |day: &Date| i32::from(day.year()) * 12 + i32::from(day.month()) - 1;
    let steps = [1, 3, 6, 12, 24, 60, 120];
    let is_wide = |step: &i32| (month(&last) - month(&first)) / step < MAX_TICKS;
    let step = steps.into_iter().find(is_wide).unwrap_or(240);
    let months = first.first_of_month().series(1.month());
    let months = months.take_while(|day| *day <= last);
    let is_tick = |day: &Date| *day >= first && month(day) % step == 0;
    let mut found: Vec<Date> = months.filter(is_tick).collect();
    if found.len() < 2 {
        found = vec![first, last];
    }
    let label = |day: &Date| match step {
        _ if day.day() > 1 => day.to_string(),
        12.. => day.year().to_string(),
        _ => day.strftime("%b %Y").to_string(),
    };
    let tick = |day: &Date| Tick::new(day_number(*day), label(day));
    found.iter().map(tick).collect()
}

/// Returns the number of days since 1970-01-01.
fn day_number(day: Date) -> f64 {
    let since = day - Date::constant(1970, 1, 1);
    f64::from(since.get_days())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::release_tests::{FULL, SENDING, cells, report, versions};

    /// The second of four releases lacks the row.
    #[test]
    fn lines_are_ratios_to_the_first_release_with_gaps() {
        let keys = versions(&["0.1", "0.2", "0.3", "0.4"]);
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let random = &mut Random::new(1);
        let mut with_gap = cells(random, 20, &[100.0, 100.0, 150.0, 200.0]);
        with_gap[1] = None;
        let flat = cells(random, 20, &[100.0, 101.0, 99.0, 100.0]);
        let report = report(&keys, &[(SENDING, with_gap), (FULL, flat)]);
        let series = ReleaseSeries::all(&report);
        let drawn = |label: &str| {
            let mut rows = report.data.rows.iter();
            let row = rows
                .find(|row| row.scenario.label() == label)
                .expect("a row");
            let graph = graph(&series, row, |_| true).expect("a graph");
            (row, graph)
        };
        let (row, graph) = drawn(SENDING);
        let columns: Vec<usize> = (0..4).filter(|c| row.estimate(*c).is_some()).collect();
        let line = line(
            &series[0],
            &columns,
            row,
            &Places::of(&report, &columns).expect("places"),
        );
        assert_eq!(
            line.points
                .iter()
                .map(|p| p.is_after_gap)
                .collect::<Vec<_>>(),
            [false, true, false]
        );
        for (point, column) in line.points.iter().zip(&columns).skip(1) {
            let known = report
                .verdict(row, [columns[0], *column])
                .expect("a verdict");
            assert_eq!(point.y, known.change.ratio);
            assert!(
                point
                    .interval
                    .is_some_and(|(low, high)| low < point.y && point.y < high)
            );
        }
        assert_eq!(line.points[0].names, ["0.1"]);
        let svg = &graph.drawing.svg;
        assert_eq!(svg.matches("<path class=\"d\"").count(), 1, "{svg}");
        assert!(
            svg.contains(">times the first release, logarithmic, higher is better<"),
            "{svg}"
        );
        assert!(graph.alt.contains("rustls from "), "{}", graph.alt);
        // No axis magnifies noise.
        let svg = drawn(FULL).1.drawing.svg;
        for tick in ["0.95", "1.00", "1.05"] {
            assert!(svg.contains(&format!(">{tick}</text>")), "{svg}");
        }
    }
}
