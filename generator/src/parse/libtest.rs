//! `bench:` lines of libtest and of the bencher crate, printed by `cargo bench`:
//!
//! ```text
//! test encode ... bench:       1,234.56 ns/iter (+/- 7.89) = 829 MB/s
//! ```
//!
//! A repeated name is another run. MB/s are decimal.

use super::number::{grouped, measured};
use super::{Collector, collector::cite, markdown, name};
use crate::model::unit::Unit;
use regex_lite::Regex;
use std::sync::LazyLock;

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"^test (\S.*?)\s+\.\.\. bench:\s+([\d,.]+) ns/iter \(\+/- [\d,.]+\)(?: = (\d+) MB/s)?$";
    Regex::new(pattern).expect("a constant pattern")
});

pub(super) fn recognise(head: &str) -> bool {
    let is_figure = |l: &str| l.starts_with("test ") && LINE.is_match(l.trim_end());
    head.lines().any(is_figure) && !markdown::is_prose(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    collector.lines(text, |line, collector| {
        if line.contains(" bench:") || line.contains("ns/iter") {
            read(line.trim_end(), collector)?;
        } else if line.starts_with("test ") && line.trim_end().ends_with("FAILED") {
            collector.note(cite("a failed benchmark has no figure:", line));
        }
        Ok(())
    });
}

fn read(line: &str, collector: &mut Collector) -> Result<(), String> {
    let expected = "expected `test NAME ... bench: N ns/iter (+/- D)`, got";
    let parts = LINE.captures(line).ok_or_else(|| cite(expected, line))?;
    let scenario = name::scenario(&parts[1])?;
    if &parts[2] == "0" {
        // libtest printed whole nanoseconds until 2024.
        collector.note(cite("a time of less than 1 ns is left out:", line));
        return Ok(());
    }
    let time = grouped(&parts[2])? * 1e-9;
    collector.repeated(None, scenario.clone(), Unit::Time, time);
    if let Some(rate) = parts.get(3).filter(|rate| rate.as_str() != "0") {
        let base = measured(rate.as_str(), 1e6)?;
        collector.repeated(None, scenario, Unit::Throughput, base);
    }
    Ok(())
}
