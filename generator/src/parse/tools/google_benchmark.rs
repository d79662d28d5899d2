//! Google Benchmark as printed on the console, or as CSV:
//!
//! ```text
//! Benchmark                   Time             CPU   Iterations UserCounters...
//! Sha256/1024              1441 ns          784 ns        97767 bytes_per_second=1.21699G/s
//! name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,…
//! "Sha256/1024",97767,1441.1,784.2,ns,1.30673e+09,,,,
//! ```
//!
//! On the console a byte's `k`, `M` and `G` are powers of 1024, others of 1000.

use super::json::google_benchmark::{Run, read};
use super::prelude::*;
use std::collections::{BTreeMap, HashSet};

static LINES: Lines<5> = Lines {
    pattern: Pattern::new(
        r"^(\S.*?) +([\d.e+-]+) (ns|us|ms|s) +[\d.e+-]+ (?:ns|us|ms|s) +\d+((?: +\S+)*)$",
    ),
    marks: &[" ns ", " us ", " ms ", " s "],
    expected: "a name, the time, the CPU time, iterations and counters",
};

/// With `--benchmark_counters_tabular`, counters have columns.
static HEADING: Pattern = Pattern::marked(
    "Iterations",
    r"^\s*Benchmark\s+Time\s+CPU\s+Iterations\b(.*)$",
);

/// Figures stand to the right of a column of names.
static CUT: Pattern = Pattern::marked("  ", r"^\S+(?: \S+)* {2,}[\d.]+(?: [num]?s?)?$");

/// What stands in the place of figures.
static FAILURE: Pattern = Pattern::new(" (?:ERROR OCCURRED|SKIPPED): ");

const CSV: &str = "name,iterations,real_time,cpu_time,time_unit";

#[derive(Default)]
pub(super) struct Console {
    is_open: bool,
    /// Counters with columns.
    columns: Vec<String>,
    /// The heading of CSV.
    csv: Vec<String>,
    last: String,
    runs: Vec<Located<Run>>,
}

impl Tool for Console {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if let Some([_, counters]) = HEADING.groups(line) {
            self.columns = counters
                .replace("UserCounters...", "")
                .split_whitespace()
                .map(str::to_owned)
                .collect();
            self.is_open = true;
            return Ok(());
        } else if line.starts_with(CSV) {
            self.csv = line
                .trim_end()
                .split(',')
                .map(|cell| cell.trim_matches('"').to_owned())
                .collect();
            return Ok(());
        } else if !self.csv.is_empty() && line.starts_with('"') {
            return Ok(self.record(line, out)?);
        } else if !self.is_open {
            return Err(Foreign);
        } else if FAILURE.captures(line).is_some() {
            out.note(cite("a benchmark without a figure:", line));
            return Ok(());
        } else if line.trim_start_matches('-').is_empty() {
            return Ok(());
        } else if CUT.captures(line).is_some() {
            return damaged("a row that ends in its time:", line);
        }
        let [_, name, time, unit, counters] = LINES.find(line)?;
        if self.last == line {
            let message = "this line stands twice in a row, and counts twice:";
            out.note(cite(message, line));
        }
        line.clone_into(&mut self.last);
        let words: Vec<&str> = counters.split_whitespace().collect();
        let mut counters = BTreeMap::new();
        for (index, word) in words.iter().enumerate() {
            let (counter, figure) = match (word.split_once('='), self.columns.get(index)) {
                (Some((name, figure)), None) => (name.to_owned(), figure),
                // A label may follow. With fewer figures than columns, nothing says whose they are.
                (None, Some(column)) if words.len() >= self.columns.len() => {
                    (column.clone(), *word)
                }
                _ => continue,
            };
            let kilo = match counter.as_str() {
                "bytes_per_second" => 1024.0,
                _ => 1000.0,
            };
            if counter.ends_with("_per_second") && !figure.ends_with("/s") {
                return wrong("a rate must end in `/s`:", line);
            }
            counters.insert(counter, prefixed(figure.trim_end_matches("/s"), kilo)?);
        }
        self.add(name, amount(time)?, unit, counters, out.line);
        Ok(())
    }

    fn command(&mut self, _: &str, out: &mut Collector) {
        self.end(out);
        *self = Self::default();
    }

    fn end(&mut self, out: &mut Collector) {
        let runs = &mut self.runs;
        let names: HashSet<String> = runs.iter().map(|run| run.value.run_name.clone()).collect();
        for Located { value: run, .. } in runs.iter_mut() {
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
        read(std::mem::take(runs), out);
    }
}

impl Console {
    fn add(
        &mut self,
        name: &str,
        time: f64,
        unit: &str,
        mut counters: BTreeMap<String, f64>,
        line: u32,
    ) {
        let value = Run {
            run_name: name.to_owned(),
            real_time: Some(time),
            time_unit: unit.to_owned(),
            bytes_per_second: counters.remove("bytes_per_second"),
            items_per_second: counters.remove("items_per_second"),
            others: counters
                .into_iter()
                .map(|(name, figure)| (name, figure.into()))
                .collect(),
            line,
            ..Run::default()
        };
        self.runs.push(Located { line, value });
    }

    fn record(&mut self, line: &str, out: &mut Collector) -> Result<(), String> {
        let mut record = csv::StringRecord::new();
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(line.as_bytes());
        reader
            .read_record(&mut record)
            .map_err(|error| error.to_string())?;
        if record.len() != self.csv.len() {
            return Err(cite("not as many cells as in the heading:", line));
        }
        let cells = || self.csv.iter().map(String::as_str).zip(&record);
        let cell = |name: &str| {
            cells()
                .find(|(column, _)| *column == name)
                .map_or("", |(_, cell)| cell)
        };
        if cell("error_occurred") == "true" {
            out.note(cite("a benchmark without a figure:", line));
            return Ok(());
        }
        let mut counters = BTreeMap::new();
        for (column, figure) in cells().skip(5) {
            if !["", "true", "false"].contains(&figure)
                && !["label", "error_occurred", "error_message"].contains(&column)
            {
                counters.insert(column.to_owned(), amount(figure)?);
            }
        }
        let [name, unit] = ["name", "time_unit"].map(|column| cell(column).to_owned());
        let time = amount(cell("real_time"))?;
        self.add(&name, time, &unit, counters, out.line);
        Ok(())
    }
}
