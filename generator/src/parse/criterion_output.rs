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

use super::prelude::*;

static LINES: Lines<4> = Lines {
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
    let (mut above, mut timed) = ("", "");
    LINES.parse(text, collector, |line, collector| {
        let [line, own, value, symbol] = match line {
            Line::Figures(parts) => parts,
            Line::Other(line) => {
                above = line.trim();
                return Ok(());
            }
        };
        let above = std::mem::take(&mut above);
        if value.is_empty() {
            // A change.
            return Ok(());
        }
        let (unit, base) = figure(value, symbol)?;
        let name = match unit {
            Unit::Time if own.is_empty() => above,
            Unit::Time => own,
            _ => std::mem::take(&mut timed),
        };
        if name.is_empty() || name.starts_with("Benchmarking ") {
            let message = match unit {
                Unit::Time => "no name before the time:",
                _ => "no time above",
            };
            return Err(cite(message, line));
        }
        if unit == Unit::Time {
            timed = name;
        }
        collector.benchmark(name, unit, base)
    });
}
