//! Figures over sizes, both axes logarithmic: of the writes of a transfer, or of what a benchmark's name
//! says.

use super::{Graph, MAX_LINES, point, short_series};
use crate::base::words::join;
use crate::chart::{Axis, Line, Lines, Tick, XAxis};
use crate::model::scenario::{Scenario, Workload};
use crate::report::{Row, Table, titles};
use std::cmp::Reverse;

/// The size of a write that no label names.
const USUAL: u64 = 1 << 20;

/// Sizes that make a line: bars show fewer writes as well. More than these number something else.
const MIN_WRITES: usize = 4;
const MIN_SIZES: usize = 3;
const MAX_SIZES: usize = 64;

/// Graphs of one section.
const MAX_GRAPHS: usize = 4;

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

fn graph(table: &Table<'_>, base: &Scenario) -> Graph {
    let report = table.report;
    let mut rows: Vec<(u64, String, &Row)> = Vec::new();
    for row in &table.rows {
        rows.extend(size_of(row).map(|(_, size, shown)| (size, shown, *row)));
    }
    rows.sort_by_key(|(size, ..)| *size);
    let (first, last) = (rows[0].2, rows[rows.len() - 1].2);
    let mut builds = table.newest();
    builds.truncate(MAX_LINES);
    let mut lines = Vec::new();
    for (build, series) in builds.iter().zip(short_series(report, &builds)) {
        let mut points = Vec::new();
        for (size, shown, row) in &rows {
            let name = format!("{}, {shown}", series.label);
            points.extend(
                point(report, row, *build, *size as f64, &name).map(|mut point| {
                    // Rows of times may have units of their own.
                    point.y *= row.scale.factor / first.scale.factor;
                    point.interval = point.interval.map(|(low, high)| {
                        let factor = row.scale.factor / first.scale.factor;
                        (low * factor, high * factor)
                    });
                    point
                }),
            );
        }
        lines.push(Line { series, points });
    }
    lines.retain(|line| !line.points.is_empty());
    // Counts may be zero.
    let mut points = lines.iter().flat_map(|line: &Line| &line.points);
    let is_log = points.all(|point| point.y > 0.0);
    let ticks = rows
        .iter()
        .map(|(size, shown, _)| Tick::new(*size as f64, shown));
    let what = match base.workload {
        Workload::Transfer => " of each write",
        _ => "",
    };
    let title = format!("{}, by size{what}", titles::title(base));
    let symbol = &first.scale.symbol;
    let alt = format!(
        "Line chart: {title}, in {symbol}, for {}.",
        join(&table.names(&builds))
    );
    let chart = Lines {
        x: XAxis {
            ticks: ticks.collect(),
            is_log: true,
            ..XAxis::default()
        },
        y: Axis {
            unit: symbol.clone(),
            better: first.unit.better(),
            is_log,
        },
        lines,
        of: base.label(),
    };
    let file = format!("sizes-{}", last.id);
    Graph::new(&file, title, alt, |title, alt| chart.render(title, alt))
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
