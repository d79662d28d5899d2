//! `bench:` lines of libtest and of the bencher crate, printed by `cargo bench`:
//!
//! ```text
//! test encode ... bench:       1,234.56 ns/iter (+/- 7.89) = 829 MB/s
//! ```
//!
//! MB/s are decimal. Where cargo names the target, the name starts with it: `codec::encode`.

use super::prelude::*;

static LINES: Lines<5> = Lines {
    pattern: Pattern::new(
        r"^test (\S.*?)\s+\.\.\. bench:\s+([\d,.]+) ([a-z]+)/iter \(\+/- [\d,.]+\)(?: = (\d+) MB/s)?$",
    ),
    marks: &[" bench:", "/iter (+/-"],
    expected: "`test NAME ... bench: N ns/iter (+/- D)`",
};

#[derive(Default)]
pub(super) struct Libtest;

impl Tool for Libtest {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let [_, name, value, unit, rate] = match LINES.find(line) {
            Ok(parts) => parts,
            Err(Foreign) => return other(line, out),
            Err(damaged) => return Err(damaged),
        };
        let target = out.target.as_ref().map(|target| format!("{target}::"));
        let name = target.unwrap_or_default() + name;
        let value = if amount(value) == Ok(0.0) {
            0.0
        } else {
            grouped(value)?
        };
        match seconds(unit) {
            Ok(factor) => out.benchmark(&name, Unit::Time, value * factor)?,
            // Of a crate that counts something else, such as cycles.
            Err(_) => out.benchmark(&name, Unit::directed(unit, Better::Lower).0, value)?,
        }
        if !matches!(rate, "" | "0") {
            out.benchmark(&name, Unit::Throughput, measured(rate, 1e6)?)?;
        }
        Ok(())
    }
}

fn other(line: &str, out: &mut Collector) -> Taken {
    let is_test = line.starts_with("test ") && line.contains(" ... ");
    if is_test && line.trim_end().ends_with("FAILED") {
        out.note(cite("a failed benchmark has no figure:", line));
    }
    match is_test || (line.starts_with("running ") && line.trim_end().ends_with(['t', 's'])) {
        true => Ok(()),
        false => Err(Foreign),
    }
}
