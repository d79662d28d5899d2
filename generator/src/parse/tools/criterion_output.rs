//! What `cargo bench` prints with criterion: the middle of three figures is the estimate.
//!
//! ```text
//! sum/1024                time:   [528.48 ns 560.73 ns 586.24 ns]
//!                         thrpt:  [1.6268 GiB/s 1.7008 GiB/s 1.8046 GiB/s]
//!                  change:
//!                         time:   [-1.5413% +0.1821% +1.9217%] (p = 0.84 > 0.05)
//! ```
//!
//! A long name has a line of its own.

use super::prelude::*;

static LINES: Lines<4> = Lines {
    pattern: Pattern::new(
        r"^(\S.*?)? *(?:change: +)?(?:time|thrpt): +\[(?:[\d.]+ \S+ ([\d.]+) (\S+) [\d.]+ \S+|[^\]]*%)\](?: \(p = .*\))?$",
    ),
    marks: &["time:   [", "thrpt:  [", "time: [", "thrpt: ["],
    expected: "`NAME time: [T ns T ns T ns]` or `thrpt: [R MiB/s R MiB/s R MiB/s]`",
};

/// Starts of other lines, some of which have figures.
const OTHER: [&str; 9] = [
    "Benchmarking ",
    "Warning: ",
    "Found ",
    "Gnuplot not found",
    "change:",
    "No change in",
    "Performance has",
    "Change within",
    "Unable to complete",
];

#[derive(Default)]
pub(super) struct Criterion {
    /// The line above, which may be a name.
    above: String,
    /// The benchmark whose time was last printed.
    timed: String,
}

impl Tool for Criterion {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let [line, own, value, symbol] = match LINES.find(line) {
            Ok(parts) => parts,
            Err(Foreign) if starts_with_any(line.trim_start(), &OTHER) => return Ok(()),
            Err(taken) => {
                self.above = line.trim().to_owned();
                return Err(taken);
            }
        };
        let above = std::mem::take(&mut self.above);
        if value.is_empty() {
            // A change.
            return Ok(());
        }
        let (unit, base) = figure(value, symbol)?;
        let is_rate = matches!(unit, Unit::Rate | Unit::Throughput);
        if !is_rate {
            self.timed = match own {
                "" => above,
                own => own.to_owned(),
            };
        }
        if self.timed.is_empty() {
            let message = if is_rate {
                "no time above"
            } else {
                "no name before the time:"
            };
            return wrong(message, line);
        }
        Ok(out.benchmark(&self.timed, unit, base)?)
    }
}
