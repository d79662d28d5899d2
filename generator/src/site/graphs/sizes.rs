//! Figures over sizes, or their ratios to the subject, both axes logarithmic: of the writes of a transfer, or
//! of what a benchmark's name says.

use super::{Graph, MAX_LINES, point, series_of, short_series};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Point, Tick, XAxis};
use crate::model::scenario::{Scenario, Workload};
use crate::model::unit::Better;
use crate::report::{Report, Row, Table, titles, words};
use std::cmp::Reverse;

/// The size of a write that no label names.
pub(in crate::site) const USUAL: u64 = 1 << 20;

/// Sizes that make a line: bars show fewer writes as well. More than these number something else.
const MIN_WRITES: usize = 4;
const MIN_SIZES: usize = 3;
const MAX_SIZES: usize = 64;

/// Graphs of one section.
const MAX_GRAPHS: usize = 4;

/// The end of the axis of ratios; what is further stands there.
const BEYOND: f64 = 4.0;

/// Digits of a size in a name.
const MAX_DIGITS: usize = 9;

/// Draws each work that was measured with several sizes: transfers with writes of a size, and benchmarks
/// whose names end with one. A graph has a line for each library's newest build. Returns the rows of other
/// work too.
pub(in crate::site) fn by_size<'a>(table: &Table<'a>) -> (Vec<Graph>, Table<'a>) {
    let mut groups = table.by(|row| (size_of(row).map(|(base, ..)| base), row.unit.clone()));
    groups.retain(|((base, _), own)| {
        let least = match base.as_ref().map(|base| &base.workload) {
            None => return false,
            Some(Workload::Transfer) => MIN_WRITES,
            Some(_) => MIN_SIZES,
        };
        (least..=MAX_SIZES).contains(&own.rows.len()) && has_lines(own)
    });
    // Of a rate and the time that it is made of, the rate.
    groups.dedup_by(|((base, _), _), ((before, _), _)| base == before);
    groups.sort_by_key(|(_, own)| Reverse(own.rows.len()));
    groups.truncate(MAX_GRAPHS);
    let mut graphs = Vec::new();
    let mut drawn = Vec::new();
    for ((base, _), own) in groups {
        graphs.extend(base.as_ref().map(|base| graph(&own, base)));
        drawn.extend(base);
    }
    let is_drawn = |row: &Row| size_of(row).is_some_and(|(base, ..)| drawn.contains(&base));
    (graphs, table.with(|row| !is_drawn(row)))
}

/// Whether two builds, or the only one, have sizes enough.
fn has_lines(table: &Table<'_>) -> bool {
    let builds = table.newest();
    let sizes = |build: usize| table.with(|row| row.figure(build).is_some()).rows.len();
    let lines = builds.iter().filter(|build| sizes(**build) >= MIN_SIZES);
    lines.count() >= builds.len().clamp(1, 2)
}

/// Returns a scenario without its size, the size and how to call it.
fn size_of(row: &Row) -> Option<(Scenario, u64, String)> {
    let without = |workload| Scenario {
        workload,
        write_size: None,
        ..row.scenario.clone()
    };
    match &row.scenario.workload {
        Workload::Transfer => {
            let size = row.scenario.write_size.unwrap_or(USUAL);
            Some((without(Workload::Transfer), size, titles::bytes(size)))
        }
        Workload::Other(name) => {
            let (base, size, shown) = size_in(name)?;
            Some((
                without(Workload::Other(base.into())),
                size,
                shown.to_owned(),
            ))
        }
        _ => None,
    }
}

/// Returns what is before a size at the end of a benchmark's name, the size and its text: `seal`, 16384 and
/// `16KB` of `seal/16KB`. A number without a unit is one only behind a slash, as tools write parameters.
fn size_in(name: &str) -> Option<(&str, u64, &str)> {
    let number = name.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &name[number.len()..];
    let number = number.trim_end_matches(' ');
    let before = number.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &number[before.len()..];
    let base = before.trim_end_matches(['/', ',', ':', '_', '-', ' ']);
    let factor = match &*unit.to_ascii_lowercase() {
        "" if before.ends_with('/') => 1,
        "b" | "byte" | "bytes" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return None,
    };
    let is_apart = !base.is_empty() && base.len() < before.len();
    if !is_apart || digits.is_empty() || digits.len() > MAX_DIGITS {
        return None;
    }
    let digits = digits.bytes().map(|digit| u64::from(digit - b'0'));
    let size = factor * digits.fold(0, |number, digit| 10 * number + digit);
    (size > 0).then(|| (base, size, &name[before.len()..]))
}

/// A row with its size, and how to call that.
type Sized<'a> = (u64, String, &'a Row);

fn graph(table: &Table<'_>, base: &Scenario) -> Graph {
    let mut rows: Vec<Sized<'_>> = Vec::new();
    for row in &table.rows {
        rows.extend(size_of(row).map(|(_, size, shown)| (size, shown, *row)));
    }
    rows.sort_by_key(|(size, ..)| *size);
    let file = format!("sizes-{}", rows[rows.len() - 1].2.id);
    let what = match base.workload {
        Workload::Transfer => " of each write",
        _ => "",
    };
    let title = format!("{}, by size{what}", titles::title(base));
    let mut builds = table.newest();
    builds.truncate(MAX_LINES);
    let subject = table.report.roles().subject;
    match subject.filter(|subject| builds.contains(subject)) {
        Some(subject) if builds.len() > 2 => {
            ratios(table.report, &rows, subject, &builds, &file, title)
        }
        _ => figures(table, &rows, &builds, &file, title),
    }
}

/// Draws the figures, a line for each build.
fn figures(
    table: &Table<'_>,
    rows: &[Sized<'_>],
    builds: &[usize],
    file: &str,
    title: String,
) -> Graph {
    let report = table.report;
    let first = rows[0].2;
    let mut lines = Vec::new();
    for (build, series) in builds.iter().zip(short_series(report, builds)) {
        let mut points = Vec::new();
        for (size, shown, row) in rows {
            let name = format!("{}, {shown}", series.label);
            if let Some(mut point) = point(report, row, *build, *size as f64, &name) {
                // Rows of times may have units of their own.
                let factor = row.scale.factor / first.scale.factor;
                point.y *= factor;
                let interval = point.interval;
                point.interval = interval.map(|(low, high)| (low * factor, high * factor));
                points.push(point);
            }
        }
        lines.push(Line {
            series,
            points,
            ..Line::default()
        });
    }
    lines.retain(|line| !line.points.is_empty());
    // Counts may be zero.
    let mut points = lines.iter().flat_map(|line: &Line| &line.points);
    let is_log = points.all(|point| point.y > 0.0);
    let symbol = &first.scale.symbol;
    let alt = format!(
        "Line chart: {title}, in {symbol}, for {}.",
        join(&table.names(builds))
    );
    let chart = Lines {
        x: sizes(rows),
        y: Axis {
            unit: symbol.clone(),
            better: first.unit.better(),
            is_log,
        },
        lines,
        ..Lines::default()
    };
    Graph::new(file, title, alt, |title, alt| chart.render(title, alt))
}

fn sizes(rows: &[Sized<'_>]) -> XAxis {
    let ticks = rows
        .iter()
        .map(|(size, shown, _)| Tick::new(*size as f64, shown));
    XAxis {
        ticks: ticks.collect(),
        is_log: true,
        ..XAxis::default()
    }
}

/// Draws how many times as good as the subject each other build is: a chart for each, with the others in grey.
/// The largest difference that is shown is named.
fn ratios(
    report: &Report,
    rows: &[Sized<'_>],
    subject: usize,
    builds: &[usize],
    file: &str,
    title: String,
) -> Graph {
    let mut lines = Vec::new();
    let mut largest = Vec::new();
    for build in builds.iter().copied().filter(|build| *build != subject) {
        let mut points = Vec::new();
        let mut most: Option<(f64, usize, String)> = None;
        for (size, shown, row) in rows {
            let Some(known) = report.verdict(row, [subject, build]) else {
                continue;
            };
            let interval = words::interval(&known);
            let interval = interval.map_or_else(String::new, |interval| format!(", {interval}"));
            let words = words::verdict_in_words(&known);
            let change = known.change;
            let is_most = most
                .as_ref()
                .is_none_or(|(before, ..)| change.size() > *before);
            if known.verdict.is_change() && is_most {
                most = Some((change.size(), points.len(), format!("{change} at {shown}")));
            }
            let times_better = match change.better {
                Better::Lower => 1.0 / change.ratio,
                Better::Higher | Better::Unknown => change.ratio,
            };
            points.push(Point {
                x: *size as f64,
                y: times_better.clamp(1.0 / BEYOND, BEYOND),
                tooltip: format!("{}, {shown}: {words}{interval}", report.full_name(build)),
                ..Point::default()
            });
        }
        let name = report.full_name(build);
        if let Some((_, place, words)) = most {
            points[place].is_marked = true;
            largest.push(format!("{name} {words}"));
            points[place].name = words;
        }
        lines.push(Line {
            series: series_of(report, build),
            points,
            is_faint: true,
        });
    }
    lines.retain(|line| line.points.len() > 1);
    let mut charts = Vec::new();
    for own in 0..lines.len() {
        let mut lines = lines.clone();
        let mut line = lines.remove(own);
        line.is_faint = false;
        let heading = line.series.label.clone();
        lines.push(line);
        charts.push(Lines {
            x: sizes(rows),
            y: Axis {
                is_log: true,
                ..Axis::default()
            },
            lines,
            of: String::new(),
            heading,
        });
    }
    let than = report.full_name(subject);
    let title = format!("{title}: each against {than}, above the line is better");
    let alt = format!("Line charts: {title}. The largest: {}.", largest.join("; "));
    Graph::new(file, title, alt, |title, alt| {
        Lines::render_small(&charts, title, alt)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_names() {
        for (name, expected) in [
            ("seal/16KB", Some(("seal", 16 << 10, "16KB"))),
            ("seal/1024", Some(("seal", 1024, "1024"))),
            (
                "aes-256-gcm, 31 bytes",
                Some(("aes-256-gcm", 31, "31 bytes")),
            ),
            ("copy 2 MiB", Some(("copy", 2 << 20, "2 MiB"))),
            ("encode_64k", Some(("encode", 64 << 10, "64k"))),
            ("x/999999999g", Some(("x", 999_999_999 << 30, "999999999g"))),
            // Names, fractions, other units and nothing.
            ("aes-256", None),
            ("sha256", None),
            ("x/1.5MB", None),
            ("wait/10ms", None),
            ("x/0", None),
            ("x/1234567890", None),
            ("/16KB", None),
            ("16KB", None),
            ("é/é", None),
        ] {
            assert_eq!(size_in(name), expected, "{name}");
        }
    }
}
