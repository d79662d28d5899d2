//! Client of ssl-writev-benchmark: percentiles of the time of one write, in nanoseconds, as
//! `results.csv` or as the Markdown table that it prints.
//!
//! ```text
//! Value;min;50_pct;90_pct;99_pct;999_pct
//! SSL_writev() [50] * 20;1581;1768;2111;9241;17366
//! ```
//!
//! Which library wrote is not printed.

use super::{Collector, collector::quote, measured, name};
use crate::scenario::{Percentile, Workload};
use crate::unit::Unit;

pub(super) fn recognise(head: &str) -> bool {
    let first = head
        .lines()
        .find(|l| !l.trim().is_empty())
        .unwrap_or_default();
    first.starts_with("Value;") && first.contains("_pct")
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty());
    let mut rows = lines.map(|(index, l)| {
        (
            index as u32 + 1,
            l.split(';').map(str::trim).collect::<Vec<_>>(),
        )
    });
    let Some((line, heading)) = rows.next() else {
        return;
    };
    let Some(percentiles) = percentiles(&heading) else {
        return collector.problem(
            line,
            format!(
                "expected `Value` and percentiles, got {}",
                quote(&heading.join(";"))
            ),
        );
    };
    for (line, cells) in rows {
        read(line, &cells, &percentiles, collector);
    }
}

/// The points that a heading names, if it is one of this tool's.
pub(super) fn percentiles(heading: &[impl AsRef<str>]) -> Option<Vec<Percentile>> {
    let mut words = heading.iter().map(AsRef::as_ref);
    let first = words.next()?;
    let points: Vec<Percentile> = words.map(percentile).collect::<Option<_>>()?;
    (first == "Value" && !points.is_empty()).then_some(points)
}

fn percentile(word: &str) -> Option<Percentile> {
    match word {
        "min" => Some(Percentile::Min),
        "50_pct" => Some(Percentile::P50),
        "90_pct" => Some(Percentile::P90),
        "99_pct" => Some(Percentile::P99),
        "999_pct" => Some(Percentile::P999),
        "max" => Some(Percentile::Max),
        _ => None,
    }
}

/// One row: the call and its percentiles.
pub(super) fn read(
    line: u32,
    cells: &[impl AsRef<str>],
    percentiles: &[Percentile],
    collector: &mut Collector,
) {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    if cells.len() != percentiles.len() + 1 {
        let message = format!(
            "{} cells where the heading has {}: {}",
            cells.len(),
            percentiles.len() + 1,
            quote(&cells.join(";"))
        );
        return collector.problem(line, message);
    }
    let scenario = match name::scenario(cells[0]) {
        Ok(scenario) if scenario.workload == Workload::Write => scenario,
        Ok(_) => {
            return collector.problem(
                line,
                format!(
                    "expected a call of SSL_write with its buffers, got {}",
                    quote(cells[0])
                ),
            );
        }
        Err(message) => return collector.problem(line, message),
    };
    for (cell, percentile) in cells[1..].iter().zip(percentiles) {
        let value = measured(cell, 1e-9).map_err(|e| format!("{percentile}: {e}"));
        if let Some(base) = collector.check(line, value) {
            collector.measured(line, scenario.at(*percentile), Unit::Time, base);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Format, tests::read};

    pub(in crate::parse) const FIXTURE: &str = "\
Value;min;50_pct;90_pct;99_pct;999_pct
SSL_write() [50];1001;1102;1203;2304;11005
SSL_write() with memcpy [100, 50];1011;1112;1213;2314;11015
SSL_writev() [50] * 20;1021;1122;1223;2324;11025
";

    #[test]
    fn figures() {
        let rows = read(Format::Writev, "results.csv", FIXTURE);
        assert_eq!(rows.len(), 15);
        assert_eq!(rows[0], "2: writes, [50], write each, min = 1001 ns");
        assert_eq!(
            rows[9],
            "3: writes, [100, 50], copy and write, P99.9 = 11015 ns"
        );
        assert_eq!(rows[11], "4: writes, [50] * 20, vectored, P50 = 1122 ns");
    }

    #[test]
    fn problems() {
        let broken = FIXTURE
            .replace(";1203", "")
            .replace("2314", "-2314")
            .replace("writev() [50]", "writev() [x]");
        assert_eq!(
            read(Format::Writev, "results.csv", &broken),
            [
                "2! 5 cells where the heading has 6: `SSL_write() [50];1001;1102;2304;11005`",
                "3! P99: a figure must be positive and finite, not `-2314`",
                "4! expected a call of SSL_write with its buffers, got `SSL_writev() [x] * 20`",
            ]
        );
    }
}
