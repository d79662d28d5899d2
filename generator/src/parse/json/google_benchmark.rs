//! Google Benchmark's JSON:
//!
//! ```text
//! {"run_name": "Sha256/1024", "real_time": 1441.1, "time_unit": "ns",
//!  "bytes_per_second": 1306729820.1, "misses": 3.5}
//! ```
//!
//! Times are wall-clock times. A repetition is a run; where only aggregates are printed, the median
//! is read. A counter of a benchmark has a unit of its own.

use super::prelude::*;
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashSet};

/// One run of a benchmark, or an aggregate of several.
#[derive(Default, Deserialize)]
pub(in crate::parse) struct Run {
    pub(in crate::parse) run_name: String,
    #[serde(default)]
    pub(in crate::parse) run_type: String,
    pub(in crate::parse) aggregate_name: Option<String>,
    #[serde(alias = "skip_message")]
    pub(in crate::parse) error_message: Option<String>,
    /// Of those of one name: `None` before version 1.5.
    pub(in crate::parse) repetition_index: Option<u32>,
    pub(in crate::parse) real_time: Option<f64>,
    #[serde(default)]
    pub(in crate::parse) time_unit: String,
    pub(in crate::parse) bytes_per_second: Option<f64>,
    pub(in crate::parse) items_per_second: Option<f64>,
    /// Counters, and what says how the benchmark was run.
    #[serde(flatten)]
    pub(in crate::parse) others: BTreeMap<String, Json>,
    /// In JSON a figure is in some line of its object.
    #[serde(skip)]
    pub(in crate::parse) line: u32,
}

/// What is no counter.
const FACTS: [&str; 13] = [
    "name",
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "threads",
    "iterations",
    "cpu_time",
    "aggregate_unit",
    "label",
    "error_occurred",
    "skipped",
    "big_o",
    "cpu_coefficient",
];

pub(super) fn parse(text: &str, out: &mut Collector) {
    // The tool prints them, though they are not JSON.
    let words = ["NaN", "-NaN", "Infinity", "-Infinity"].into_iter();
    let text = words.fold(text.to_owned(), |text, word| {
        text.replace(&format!("\": {word}"), "\": null")
    });
    read(super::list(&text, out), out);
}

/// Reads runs, and medians where they are alone.
pub(in crate::parse) fn read(runs: Vec<Located<Run>>, out: &mut Collector) {
    let single = runs.iter().filter(|run| run.value.aggregate_name.is_none());
    let single: HashSet<String> = single.map(|run| run.value.run_name.clone()).collect();
    let mut last = String::new();
    super::each(runs, out, |run, out| {
        match &run.aggregate_name {
            Some(aggregate) if aggregate != "median" || single.contains(&run.run_name) => {
                return Ok(());
            }
            _ => {}
        }
        // Repetitions follow each other.
        let is_repeated = match run.repetition_index {
            Some(index) => index > 0,
            None => run.run_name == last,
        };
        last.clone_from(&run.run_name);
        run.read(is_repeated, out)
    });
}

impl Run {
    fn read(&self, is_repeated: bool, collector: &mut Collector) -> Result<(), String> {
        collector.line = self.line;
        let name = &self.run_name;
        if let Some(message) = &self.error_message {
            let missing = format!("a benchmark without a figure: {name}:");
            collector.note(cite(&missing, message));
            return Ok(());
        } else if self.aggregate_name.is_none() && self.run_type == "aggregate" {
            return Err(format!("an aggregate of {name} without its name"));
        } else if self.real_time.is_none() && self.line > 0 {
            collector.note(cite("a time that is rounded to 0 is left out:", name));
            return Ok(());
        }
        let mut add = |unit: Unit, base: f64| match is_repeated {
            true => collector.repeated(name, unit, base),
            false => collector.benchmark(name, unit, base),
        };
        let time = self.real_time.ok_or_else(|| cite("no time of", name))?;
        add(
            Unit::Time,
            finite_or_zero(time, name)? * seconds(&self.time_unit)?,
        )?;
        for (figure, unit) in [
            (self.bytes_per_second, Unit::Throughput),
            (self.items_per_second, Unit::Rate),
        ] {
            if let Some(figure) = figure {
                add(unit, finite(figure, name)?)?;
            }
        }
        for (counter, value) in &self.others {
            if let Some(figure) = value
                .as_f64()
                .filter(|_| !FACTS.contains(&counter.as_str()))
            {
                match figure >= 0.0 && figure.is_finite() {
                    true => add(Unit::other(counter), figure)?,
                    false => return Err(format!("{counter} of {name}: not a figure: {figure}")),
                }
            }
        }
        Ok(())
    }
}
