//! `bench:` lines of libtest and of the bencher crate, printed by `cargo bench`:
//!
//! ```text
//! test encode ... bench:       1,234.56 ns/iter (+/- 7.89) = 829 MB/s
//! ```
//!
//! With `--format json`, each line is an event:
//!
//! ```text
//! { "type": "bench", "name": "encode", "median": 1234.56, "deviation": 7.89, "mib_per_second": 829 }
//! ```
//!
//! MB/s are decimal, also where they are called MiB. Where cargo names the target, the name starts
//! with it: `codec::encode`.

use super::json;
use super::prelude::*;

static LINES: Lines<5> = Lines {
    pattern: Pattern::new(
        r"^test (\S.*?)\s+\.\.\. bench:\s+([\d,.]+) ([a-z]+)/iter \(\+/- [\d,.]+\)(?: = (\d+) MB/s)?$",
    ),
    marks: &[" bench:", "/iter (+/-"],
    expected: "`test NAME ... bench: N ns/iter (+/- D)`",
};

/// A line of `--format json`.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    event: Option<String>,
    median: Option<f64>,
    mib_per_second: Option<f64>,
}

#[derive(Default)]
pub(super) struct Libtest;

impl Tool for Libtest {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if line.starts_with("{ \"type\": ") {
            return Ok(event(line, out)?);
        }
        let [_, name, value, unit, rate] = match LINES.find(line) {
            Ok(parts) => parts,
            Err(Foreign) => return other(line, out),
            Err(damaged) => return Err(damaged),
        };
        let name = full_name(name, out);
        let value = match amount(value) {
            Ok(0.0) => 0.0,
            _ => grouped(value)?,
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

fn full_name(name: &str, out: &Collector) -> String {
    match &out.target {
        Some(target) => format!("{target}::{name}"),
        None => name.to_owned(),
    }
}

fn event(line: &str, out: &mut Collector) -> Result<(), String> {
    let Some(event) = json::read::<Event>(line, out) else {
        return Ok(());
    };
    let name = full_name(&event.name, out);
    if event.kind == "test" && event.event.as_deref() == Some("failed") {
        out.note(cite("a failed benchmark has no figure:", &name));
    } else if event.kind == "bench" {
        let nanos = event.median.ok_or_else(|| cite("no median of", &name))?;
        out.benchmark(&name, Unit::Time, finite_or_zero(nanos, &name)? * 1e-9)?;
        // It is 0 where it is less.
        if let Some(rate) = event.mib_per_second.filter(|rate| *rate != 0.0) {
            out.benchmark(&name, Unit::Throughput, finite(rate, &name)? * 1e6)?;
        }
    }
    Ok(())
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
