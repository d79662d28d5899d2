//! Google Benchmark, as JSON or as printed on the console:
//!
//! ```text
//! Benchmark                   Time             CPU   Iterations UserCounters...
//! Sha256/1024              1441 ns          784 ns        97767 bytes_per_second=1.21699G/s
//! {"run_name": "Sha256/1024", "real_time": 1441.1, "time_unit": "ns",
//!  "bytes_per_second": 1306729820.1}
//! ```
//!
//! Times are wall-clock times. A repetition is a run; where only aggregates are printed, the median
//! is read. On the console a byte's `k`, `M` and `G` are powers of 1024, others of 1000. Other
//! counters of a benchmark are left out.

use super::prelude::*;
use std::collections::HashSet;

static LINES: Lines<5> = Lines {
    pattern: Pattern::new(
        r"^(\S.*?) +([\d.e+-]+) (ns|us|ms|s) +[\d.e+-]+ (?:ns|us|ms|s) +\d+((?: +\S+)*)$",
    ),
    marks: &[" ns ", " us ", " ms ", " s "],
    expected: "a name, the time, the CPU time, iterations and counters",
};

/// With `--benchmark_counters_tabular`, counters have columns.
static HEADING: Pattern = Pattern::new(r"^\s*Benchmark\s+Time\s+CPU\s+Iterations\b(.*)$");

/// What stands in the place of figures.
static FAILURE: Pattern = Pattern::new(" (?:ERROR OCCURRED|SKIPPED): ");

/// One run of a benchmark, or an aggregate of several.
#[derive(Default, Deserialize)]
struct Run {
    run_name: String,
    #[serde(default)]
    run_type: String,
    aggregate_name: Option<String>,
    #[serde(alias = "skip_message")]
    error_message: Option<String>,
    real_time: Option<f64>,
    #[serde(default)]
    time_unit: String,
    bytes_per_second: Option<f64>,
    items_per_second: Option<f64>,
    /// In JSON a figure is in some line of its object.
    #[serde(skip)]
    line: u32,
}

pub(super) fn recognise(head: &str) -> bool {
    let has_heading = || head.lines().any(|line| HEADING.captures(line).is_some());
    starts_with(head, r#"{"context":{"date":"#) || (LINES.recognise(head) && has_heading())
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let runs: Vec<At<Run>> = match is_json(text) {
        // The tool prints them, though they are not JSON.
        true => {
            let words = ["NaN", "-NaN", "Infinity", "-Infinity"].into_iter();
            let text = words.fold(text.to_owned(), |text, word| {
                text.replace(&format!("\": {word}"), "\": null")
            });
            json::list(&text, collector)
        }
        false => console(text, collector),
    };
    let single = runs.iter().filter(|run| run.value.aggregate_name.is_none());
    let single: HashSet<String> = single.map(|run| run.value.run_name.clone()).collect();
    json::each(runs, collector, |run, collector| {
        match &run.aggregate_name {
            Some(aggregate) if aggregate != "median" || single.contains(&run.run_name) => Ok(()),
            _ => run.read(collector),
        }
    });
}

fn console(text: &str, collector: &mut Collector) -> Vec<At<Run>> {
    let mut runs = Vec::new();
    let mut columns: Vec<&str> = Vec::new();
    LINES.parse(text, collector, |line, collector| {
        match line {
            Line::Figures([_, name, time, unit, counters]) => {
                let counters: Vec<&str> = counters.split_whitespace().collect();
                let counter = |name: &str, kilo| {
                    let mut named = counters.iter().filter_map(|c| c.strip_prefix(name));
                    let named = named.find_map(|figure| figure.strip_prefix('='));
                    let in_column =
                        || Some(*counters.get(columns.iter().position(|c| *c == name)?)?);
                    let figure = named.or_else(in_column).and_then(|f| f.strip_suffix("/s"));
                    figure.map(|figure| prefixed(figure, kilo)).transpose()
                };
                let line = collector.line;
                let value = Run {
                    run_name: name.to_owned(),
                    real_time: match time.strip_prefix("0.").map(|rest| rest.trim_matches('0')) {
                        Some("") => None,
                        _ => Some(number(time)?),
                    },
                    time_unit: unit.to_owned(),
                    bytes_per_second: counter("bytes_per_second", 1024.0)?,
                    items_per_second: counter("items_per_second", 1000.0)?,
                    line,
                    ..Run::default()
                };
                runs.push(At { line, value });
            }
            Line::Other(line) => {
                if let Some([_, counters]) = HEADING.groups(line) {
                    columns = counters.split_whitespace().collect();
                } else if FAILURE.captures(line).is_some() {
                    collector.note(cite("a benchmark without a figure:", line));
                }
            }
        }
        Ok(())
    });
    let names: HashSet<String> = runs.iter().map(|run| run.value.run_name.clone()).collect();
    for At { value: run, .. } in &mut runs {
        // Any aggregates include these, beside those of the benchmark's own, such as the maximum.
        let has_usual = |name: &str| {
            let mut usual = ["mean", "median"].iter();
            usual.all(|word| names.contains(&format!("{name}_{word}")))
        };
        let aggregate = run.run_name.rsplit_once('_');
        let aggregate = aggregate.filter(|(name, _)| has_usual(name));
        let aggregate = aggregate.map(|(name, word)| (name.to_owned(), Some(word.to_owned())));
        if let Some(aggregate) = aggregate {
            (run.run_name, run.aggregate_name) = aggregate;
        }
    }
    runs
}

impl Run {
    fn read(&self, collector: &mut Collector) -> Result<(), String> {
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
        let time = self.real_time.ok_or_else(|| cite("no time of", name))?;
        let time = time * seconds(&self.time_unit)?;
        for (figure, unit) in [
            (Some(time), Unit::Time),
            (self.bytes_per_second, Unit::Throughput),
            (self.items_per_second, Unit::Rate),
        ] {
            if let Some(figure) = figure {
                collector.benchmark(name, unit, finite(figure, name)?)?;
            }
        }
        Ok(())
    }
}
