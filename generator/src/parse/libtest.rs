//! `bench:` lines of libtest and of the bencher crate, printed by `cargo bench`:
//!
//! ```text
//! test encode ... bench:       1,234.56 ns/iter (+/- 7.89) = 829 MB/s
//! ```
//!
//! A repeated name is another run. MB/s are decimal.

use super::lines::{Line, Lines, Pattern, group};
use super::number::{grouped, measured};
use super::{Collector, collector::cite, name};
use crate::model::unit::Unit;

static LINES: Lines = Lines {
    pattern: Pattern::new(
        r"^test (\S.*?)\s+\.\.\. bench:\s+([\d,.]+) ns/iter \(\+/- [\d,.]+\)(?: = (\d+) MB/s)?$",
    ),
    marks: &[" bench:", "ns/iter"],
    expected: "`test NAME ... bench: N ns/iter (+/- D)`",
};

pub(super) fn recognise(head: &str) -> bool {
    LINES.recognise(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    LINES.parse(text, collector, |line, collector| {
        let parts = match line {
            Line::Figures(parts) => parts,
            Line::Other(line) => {
                if line.starts_with("test ") && line.trim_end().ends_with("FAILED") {
                    collector.note(cite("a failed benchmark has no figure:", line));
                }
                return Ok(());
            }
        };
        let scenario = name::scenario(&parts[1])?;
        if &parts[2] == "0" {
            // libtest printed whole nanoseconds until 2024.
            collector.note(cite("a time of less than 1 ns is left out:", &parts[0]));
            return Ok(());
        }
        let time = grouped(&parts[2])? * 1e-9;
        collector.repeated(None, scenario.clone(), Unit::Time, time);
        if !matches!(group(&parts, 3), "" | "0") {
            let rate = measured(&parts[3], 1e6)?;
            collector.repeated(None, scenario, Unit::Throughput, rate);
        }
        Ok(())
    });
}
