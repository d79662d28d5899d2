//! `go test -bench`, as text or with `-json`: a name, the number of iterations, then figures with
//! units.
//!
//! ```text
//! pkg: example.com/codec
//! BenchmarkEncode/1024-8   37192   639.7 ns/op   1600.80 MB/s   64 B/op   1 allocs/op
//! {"Action":"output","Package":"example.com/codec","Output":"BenchmarkEncode/1024-8   "}
//! ```
//!
//! A repeated name (`-count`) is another run. MB/s are decimal. If there are several packages,
//! names are prefixed with their package.

use super::collector::{cite, quote};
use super::number::{is_integer, measured, number};
use super::{Collector, json, markdown, name};
use crate::model::unit::Unit;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};

/// A line of `-json`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    package: Option<String>,
    output: Option<String>,
}

pub(super) fn recognise(head: &str) -> bool {
    let is_figure = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        matches!(fields[..], [_, iterations, value, unit, ..]
            if is_integer(iterations) && number(value).is_ok() && is_unit(unit))
    };
    let mut figures = head.lines().filter(|l| l.starts_with("Benchmark"));
    head.lines().any(is_event) || (figures.any(is_figure) && !markdown::is_prose(head))
}

fn is_event(line: &str) -> bool {
    line.starts_with("{\"") && line.contains(r#""Action":"output""#)
}

fn is_unit(field: &str) -> bool {
    field.len() <= 64 && field.starts_with(|c: char| c.is_alphabetic() || c == '%')
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let lines = match text.lines().any(is_event) {
        true => printed(text, collector),
        false => plain(text, collector),
    };
    let packages = lines.iter().filter_map(|l| l.text.strip_prefix("pkg: "));
    let mut state = State {
        several_packages: packages.collect::<BTreeSet<_>>().len() > 1,
        ..State::default()
    };
    for line in &lines {
        if collector.is_full() {
            break;
        }
        collector.line = line.number;
        let read = state.line(line, collector);
        collector.check(read);
    }
    if let Some((line, first)) = state.zeros.first() {
        collector.line = *line;
        let others = state.zeros.len() - 1;
        let zeros = "figures of 0 have no ratio to others and are left out";
        collector.note(format!("{zeros}: {first}, and {others} more"));
    }
}

/// A line that a package's test printed, with the line of its end in the file.
struct PrintedLine {
    number: u32,
    package: String,
    text: String,
}

fn plain(text: &str, collector: &mut Collector) -> Vec<PrintedLine> {
    let mut package = "";
    let lines = text.lines().zip(1..).map(|(line, number)| {
        package = line.strip_prefix("pkg: ").map_or(package, str::trim);
        PrintedLine {
            number,
            package: package.to_owned(),
            text: line.to_owned(),
        }
    });
    let lines: Vec<PrintedLine> = lines.collect();
    let last = lines.last().filter(|_| !text.ends_with('\n'));
    if let Some(last) = last.filter(|last| last.text.starts_with("Benchmark")) {
        let message = "the file ends without a newline, so it may be truncated:";
        collector.line = last.number;
        collector.problem(cite(message, &last.text));
    }
    lines
}

/// Joins the output of each package to lines: a name is printed before its benchmark runs.
fn printed(text: &str, collector: &mut Collector) -> Vec<PrintedLine> {
    let mut lines = Vec::new();
    let mut begun: HashMap<String, String> = HashMap::new();
    collector.lines(text, |line, collector| {
        if !line.starts_with('{') {
            collector.note(cite("not an event of a test, left out:", line));
        } else if let Some(event) = json::read::<Event>(line, collector)
            && let ("output", Some(package), Some(output)) =
                (&*event.action, event.package, event.output)
        {
            let so_far = begun.entry(package.clone()).or_default();
            *so_far += &output;
            if let Some(text) = so_far.strip_suffix('\n').map(str::to_owned) {
                so_far.clear();
                lines.push(PrintedLine {
                    number: collector.line,
                    package,
                    text,
                });
            }
        }
        Ok(())
    });
    if let Some(rest) = begun.values().find(|rest| rest.starts_with("Benchmark")) {
        collector.problem(cite("the output ends within a line:", rest));
    }
    lines
}

#[derive(Default)]
struct State {
    several_packages: bool,
    /// Figures of 0, with their lines.
    zeros: Vec<(u32, String)>,
    /// Number of lines so far: all figures of a line are of one run.
    seen: HashMap<String, u32>,
}

impl State {
    fn line(&mut self, line: &PrintedLine, collector: &mut Collector) -> Result<(), String> {
        let text = line.text.as_str();
        let fields: Vec<&str> = text.split_whitespace().collect();
        match fields[..] {
            // With `-v`, the name alone is printed before the benchmark starts.
            [_] if text.starts_with("Benchmark") => {}
            [name, iterations, ref pairs @ ..] if text.starts_with("Benchmark") => {
                if !is_integer(iterations) || !are_pairs(pairs) {
                    let message = "expected a name, iterations, figures with units; got";
                    return Err(cite(message, text));
                }
                match self.several_packages {
                    true => self.result(&format!("{}.{name}", line.package), pairs, collector)?,
                    false => self.result(name, pairs, collector)?,
                }
            }
            ["---", "FAIL:", ..] => {
                let failed = text.trim_start().trim_start_matches("--- FAIL: ");
                collector.note(cite("a failed benchmark has no figure:", failed));
            }
            _ if fields.contains(&"ns/op") => {
                return Err(cite("figures without a benchmark's name:", text));
            }
            _ => {}
        }
        Ok(())
    }

    fn result(
        &mut self,
        name: &str,
        pairs: &[&str],
        collector: &mut Collector,
    ) -> Result<(), String> {
        let scenario = name::scenario(name)?;
        let seen = self.seen.entry(name.to_owned()).or_default();
        let run = *seen;
        *seen += 1;
        let mut units = Vec::new();
        for pair in pairs.chunks(2) {
            let (unit, factor) = Unit::parse_or_other(pair[1]);
            // Allocations and custom metrics can be 0, but not the time of an operation.
            let may_be_zero = !matches!(unit, Unit::Time | Unit::Throughput);
            let figure = pair.join(" ");
            if units.contains(&unit) {
                let message = "a second figure in the same unit is left out:";
                collector.note(format!("{message} {figure}"));
            } else if may_be_zero && pair[0].bytes().all(|b| b == b'0') {
                let zero = quote(&format!("{figure} of {scenario}"));
                self.zeros.push((collector.line, zero));
            } else if let Some(base) = collector.check(measured(pair[0], factor)) {
                collector.measured(scenario.clone(), unit.clone(), base).run = run;
            }
            units.push(unit);
        }
        Ok(())
    }
}

fn are_pairs(fields: &[&str]) -> bool {
    let is_pair = |pair: &[&str]| pair.len() == 2 && is_unit(pair[1]);
    !fields.is_empty() && fields.chunks(2).all(is_pair)
}
