//! What `cargo bench` prints with criterion: the middle of three figures is the estimate.
//!
//! ```text
//! sum/1024                time:   [528.48 ns 560.73 ns 586.24 ns]
//!                         thrpt:  [1.6268 GiB/s 1.7008 GiB/s 1.8046 GiB/s]
//!                  change:
//!                         time:   [-1.5413% +0.1821% +1.9217%] (p = 0.84 > 0.05)
//! ```
//!
//! A long name has a line of its own. A repeated name is another run.

use super::lines::{Line, Lines, Pattern, figure, group, prefixed};
use super::{Collector, collector::cite, name};
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;

static LINES: Lines = Lines {
    pattern: Pattern::new(
        r"^(\S.*?)? *(?:change: +)?(?:time|thrpt): +\[(?:[\d.]+ \S+ ([\d.]+) (\S+) [\d.]+ \S+|[^\]]*%)\](?: \(p = .*\))?$",
    ),
    marks: &["time:   [", "thrpt:  [", "time: [", "thrpt: ["],
    expected: "`NAME time: [T ns T ns T ns]` or `thrpt: [R MiB/s R MiB/s R MiB/s]`",
};

pub(super) fn recognise(head: &str) -> bool {
    LINES.recognise(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut above: Option<&str> = None;
    let mut timed: Option<Scenario> = None;
    LINES.parse(text, collector, |line, collector| {
        let parts = match line {
            Line::Figures(parts) => parts,
            Line::Other(line) => {
                above = Some(line.trim());
                return Ok(());
            }
        };
        let (value, symbol) = (group(&parts, 2), group(&parts, 3));
        let own = Some(group(&parts, 1)).filter(|name| !name.is_empty());
        let above = above
            .take()
            .filter(|line| !line.starts_with("Benchmarking "));
        if value.is_empty() {
            // A change.
            return Ok(());
        }
        let element = symbol.strip_suffix("elem/s");
        let (unit, base) = match element {
            Some(prefix) => (Unit::Rate, prefixed(&format!("{value}{prefix}"), 1000.0)?),
            None => figure(value, symbol)?,
        };
        let scenario = match unit {
            Unit::Time => {
                let name = own.or(above).ok_or("no name before the time")?;
                timed.insert(name::scenario(name)?).clone()
            }
            _ => timed
                .take()
                .ok_or_else(|| cite("no time above", &parts[0]))?,
        };
        collector.repeated(None, scenario, unit, base);
        Ok(())
    });
}
