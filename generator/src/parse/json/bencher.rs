//! Bencher's metric format: benchmarks by name, and of each its measures.
//!
//! ```text
//! {"tests::seal": {"latency": {"value": 3247.0, "lower_value": 1044.0}}}
//! ```
//!
//! `latency` is in nanoseconds, `throughput` in operations a second, as Bencher defines them; another
//! measure is its own unit.

use super::prelude::*;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Metric {
    value: f64,
}

static START: Pattern =
    Pattern::new(r#"^\{"[^"]+":\{"[^"]+":\{"(?:value|lower_value|upper_value)":"#);

pub(super) fn recognise(start: &str) -> bool {
    START.captures(start).is_some()
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    super::document(text, out, read);
}

fn read(
    all: BTreeMap<String, BTreeMap<String, Metric>>,
    out: &mut Collector,
) -> Result<(), String> {
    for (name, measures) in all {
        for (measure, metric) in measures {
            let (unit, factor) = match measure.as_str() {
                "latency" => (Unit::Time, 1e-9),
                "throughput" => (Unit::Rate, 1.0),
                "instructions" => (Unit::INSTRUCTIONS, 1.0),
                measure => (Unit::other(measure), 1.0),
            };
            let base = finite_or_zero(metric.value, &name)? * factor;
            out.benchmark(&name, unit, base)?;
        }
    }
    Ok(())
}
