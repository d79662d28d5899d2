//! Google Benchmark, as JSON or as printed on the console:
//!
//! ```text
//! Benchmark                   Time             CPU   Iterations UserCounters...
//! Sha256/1024              1441 ns          784 ns        97767 bytes_per_second=1.21699G/s
//! {"name": "Sha256/1024", "run_name": "Sha256/1024", "run_type": "iteration", "real_time": 1441.1,
//!  "time_unit": "ns", "bytes_per_second": 1306729820.1}
//! ```
//!
//! Times are wall-clock times. A repetition is a run; where only aggregates are printed, the median
//! is read. On the console a byte's `k`, `M` and `G` are powers of 1024, others of 1000. Other
//! counters of a benchmark are left out.

use super::json::{self, is_json, starts_with};
use super::lines::{Line, Lines, Pattern, group, prefixed};
use super::number::{finite, number};
use super::reader::At;
use super::{Collector, collector::cite, name};
use crate::model::unit::Unit;
use regex_lite::Captures;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet, HashSet};

static LINES: Lines = Lines {
    pattern: Pattern::new(
        r"^(\S.*?) +([\d.e+]+) (ns|us|ms|s|%) +([\d.e+]+) (?:ns|us|ms|s|%) +(\d+)((?: +\S+)*)$",
    ),
    marks: &[" ns ", " us ", " ms ", " s ", " % "],
    expected: "a name, the time, the CPU time, iterations and counters",
};

/// What stands in the place of figures.
const FAILURES: [&str; 2] = [" ERROR OCCURRED: ", " SKIPPED: "];

#[derive(Deserialize)]
struct Export<'a> {
    #[serde(borrow)]
    benchmarks: Vec<&'a RawValue>,
}

/// One run of a benchmark, or an aggregate of several.
#[derive(Deserialize)]
struct Run {
    run_name: String,
    run_type: String,
    aggregate_name: Option<String>,
    error_message: Option<String>,
    skip_message: Option<String>,
    #[serde(default)]
    real_time: f64,
    time_unit: Option<String>,
    bytes_per_second: Option<f64>,
    items_per_second: Option<f64>,
    #[serde(flatten)]
    others: BTreeMap<String, IgnoredAny>,
}

/// Keys of a run that are neither read nor counters.
const KEYS: &str = " name family_index per_family_instance_index repetitions repetition_index threads \
    iterations cpu_time aggregate_unit error_occurred skipped label cpu_coefficient real_coefficient \
    big_o rms allocs_per_iter max_bytes_used total_allocated_bytes net_heap_growth ";

pub(super) fn recognise(head: &str) -> bool {
    let is_heading = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        words == ["Benchmark", "Time", "CPU", "Iterations"]
    };
    starts_with(head, r#"{"context":{"date":"#)
        || (head.lines().any(is_heading) && LINES.recognise(head))
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let runs = match is_json(text) {
        true => {
            let export: Option<Export> = json::document(text, collector);
            let benchmarks = export.map_or_else(Vec::new, |export| export.benchmarks);
            json::items(&benchmarks, text, collector)
        }
        false => console(text, collector),
    };
    let single = runs.iter().filter(|run| run.value.run_type == "iteration");
    let single: HashSet<String> = single.map(|run| run.value.run_name.clone()).collect();
    let mut counters = BTreeSet::new();
    for At { line, value: run } in runs {
        let is_read = match &run.aggregate_name {
            Some(aggregate) => aggregate == "median" && !single.contains(&run.run_name),
            None => true,
        };
        if is_read {
            // In JSON a figure is in some line of its object.
            collector.line = if is_json(text) { 0 } else { line };
            let read = run.read(collector);
            collector.line = line;
            collector.check(read);
            counters.extend(run.counters());
        }
    }
    if !counters.is_empty() {
        collector.line = 0;
        let names: Vec<String> = counters.into_iter().collect();
        collector.note(cite(
            "a benchmark's own counters are left out:",
            &names.join(", "),
        ));
    }
}

impl Run {
    fn read(&self, collector: &mut Collector) -> Result<(), String> {
        if let Some(message) = self.error_message.as_ref().or(self.skip_message.as_ref()) {
            let failed = format!("{} has no figure:", self.run_name);
            collector.note(cite(&failed, message));
            return Ok(());
        }
        let scenario = name::scenario(&self.run_name)?;
        let symbol = self.time_unit.as_deref().unwrap_or_default();
        let unit = Unit::parse(symbol).filter(|(unit, _)| *unit == Unit::Time);
        let (_, factor) = unit.ok_or_else(|| cite("unknown unit of time", symbol))?;
        let figures = [
            (Some(self.real_time * factor), Unit::Time),
            (self.bytes_per_second, Unit::Throughput),
            (self.items_per_second, Unit::Rate),
        ];
        for (figure, unit) in figures {
            if let Some(figure) = figure {
                let base = finite(figure, &self.run_name)?;
                collector.repeated(None, scenario.clone(), unit, base);
            }
        }
        Ok(())
    }
}

fn console(text: &str, collector: &mut Collector) -> Vec<At<Run>> {
    let mut runs = Vec::new();
    LINES.parse(text, collector, |line, collector| {
        match line {
            Line::Figures(parts) => {
                let value = Run::of_line(&parts)?;
                runs.push(At {
                    line: collector.line,
                    value,
                });
            }
            Line::Other(line) if FAILURES.iter().any(|word| line.contains(word)) => {
                collector.note(cite("a benchmark without a figure:", line));
            }
            Line::Other(_) => {}
        }
        Ok(())
    });
    runs
}

impl Run {
    /// The names of a benchmark's own counters.
    fn counters(&self) -> impl Iterator<Item = String> {
        let keys = self.others.keys();
        let others = keys.filter(|key| !KEYS.contains(&format!(" {key} ")));
        others.cloned()
    }

    fn of_line(parts: &Captures<'_>) -> Result<Self, String> {
        let aggregate = ["_mean", "_median", "_stddev", "_cv"];
        let aggregate = aggregate
            .iter()
            .find_map(|a| Some((parts[1].strip_suffix(a)?, &a[1..])));
        let mut run = Self {
            run_name: aggregate.map_or(&parts[1], |(name, _)| name).to_owned(),
            run_type: if aggregate.is_some() {
                "aggregate"
            } else {
                "iteration"
            }
            .to_owned(),
            aggregate_name: aggregate.map(|(_, word)| word.to_owned()),
            error_message: None,
            skip_message: None,
            real_time: number(&parts[2])?,
            time_unit: Some(parts[3].to_owned()),
            bytes_per_second: None,
            items_per_second: None,
            others: BTreeMap::new(),
        };
        for counter in group(parts, 6).split_whitespace() {
            let rate = counter.strip_suffix("/s");
            match rate.and_then(|r| r.split_once('=')) {
                Some(("bytes_per_second", figure)) => {
                    run.bytes_per_second = Some(prefixed(figure, 1024.0)?);
                }
                Some(("items_per_second", figure)) => {
                    run.items_per_second = Some(prefixed(figure, 1000.0)?);
                }
                _ if !counter.contains('%') => {
                    let name = counter.split('=').next().unwrap_or_default();
                    run.others.insert(name.to_owned(), IgnoredAny);
                }
                _ => {}
            }
        }
        Ok(run)
    }
}
