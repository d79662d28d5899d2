//! Client of ssl-writev-benchmark: percentiles of the time of a write in nanoseconds, as
//! `results.csv` or as the printed Markdown table.
//!
//! ```text
//! Value;min;50_pct;90_pct;99_pct;999_pct
//! SSL_writev() [50] * 20;1581;1768;2111;9241;17366
//! ```
//!
//! The output does not name the library.

use super::prelude::*;
use super::records;

pub(in crate::parse) fn recognise(head: &str) -> bool {
    let first = head.trim_start().lines().next().unwrap_or_default();
    first.starts_with("Value;") && first.contains("_pct")
}

pub(in crate::parse) fn parse(text: &str, collector: &mut Collector) {
    let Some(table) = records::table(text, collector) else {
        return;
    };
    if percentiles(&table.heading).is_some() {
        return table.read(collector);
    }
    collector.line = table.line;
    let heading = table.heading.join(";");
    collector.problem(cite("expected `Value` and percentiles, got", &heading));
}

/// Parses the percentiles of a heading; `None` if it is not one of this tool.
pub(in crate::parse) fn percentiles(heading: &[String]) -> Option<Vec<Percentile>> {
    let percentile = |word: &String| match word.as_str() {
        "50_pct" => Some(Percentile::P50),
        "90_pct" => Some(Percentile::P90),
        "99_pct" => Some(Percentile::P99),
        "999_pct" => Some(Percentile::P999),
        "min" | "max" => Percentile::from_word(word),
        _ => None,
    };
    let words = heading.strip_prefix(&["Value".to_owned()])?;
    let points: Vec<Percentile> = words.iter().map(percentile).collect::<Option<_>>()?;
    (!points.is_empty()).then_some(points)
}
