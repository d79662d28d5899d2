//! `bench:` lines of libtest and of the bencher crate, printed by `cargo bench`:
//!
//! ```text
//! test encode ... bench:       1,234.56 ns/iter (+/- 7.89) = 829 MB/s
//! ```
//!
//! A repeated name is another run. MB/s are decimal.

use super::prelude::*;

static LINES: Lines<4> = Lines {
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
        match line {
            // libtest printed whole nanoseconds until 2024.
            Line::Figures([line, _, "0", _]) => {
                collector.note(cite("a time of less than 1 ns is left out:", line));
            }
            Line::Figures([_, name, time, rate]) => {
                collector.benchmark(name, Unit::Time, grouped(time)? * 1e-9)?;
                if !matches!(rate, "" | "0") {
                    collector.benchmark(name, Unit::Throughput, measured(rate, 1e6)?)?;
                }
            }
            Line::Other(line)
                if line.starts_with("test ") && line.trim_end().ends_with("FAILED") =>
            {
                collector.note(cite("a failed benchmark has no figure:", line));
            }
            Line::Other(_) => {}
        }
        Ok(())
    });
}
