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
use crate::model::scenario::Scenario;
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
    let is_figure = |l: &str| l.starts_with("Benchmark") && is_result(l);
    head.lines().any(is_event) || (head.lines().any(is_figure) && !markdown::is_prose(head))
}

fn is_event(line: &str) -> bool {
    line.starts_with("{\"") && line.contains(r#""Action":"output""#)
}

fn is_result(line: &str) -> bool {
    let fields: Vec<&str> = line.split_whitespace().collect();
    matches!(fields[..], [_, iterations, value, unit, ..]
        if is_integer(iterations) && number(value).is_ok() && is_unit(unit))
}

fn is_unit(field: &str) -> bool {
    field.len() <= 64 && field.starts_with(|c: char| c.is_alphabetic() || c == '%')
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut state = State::default();
    if text.lines().any(is_event) {
        let lines = printed(text, collector);
        state.several_packages = has_several_packages(lines.iter().map(|line| &*line.text));
        for PrintedLine {
            number,
            package,
            text,
        } in &lines
        {
            collector.line = *number;
            state.package.clone_from(package);
            let read = state.line(text, collector);
            collector.check(read);
        }
    } else {
        state.several_packages = has_several_packages(text.lines());
        collector.lines(text, |line, collector| state.line(line, collector));
        let last = text.split('\n').next_back().unwrap_or_default();
        if last.starts_with("Benchmark") {
            let message = "the file ends without a newline, so it may be truncated:";
            collector.problem(cite(message, last));
        }
    }
    if let Some((line, first)) = state.zeros.first() {
        collector.line = *line;
        let others = state.zeros.len() - 1;
        collector.note(format!(
            "figures of 0 have no ratio to others and are left out: {first}, and {others} more"
        ));
    }
}

fn has_several_packages<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let packages = lines.filter_map(|l| l.strip_prefix("pkg: ")).map(str::trim);
    packages.collect::<BTreeSet<_>>().len() > 1
}

/// A line that a package's test printed, with the line of its end in the file.
struct PrintedLine {
    number: u32,
    package: String,
    text: String,
}

/// Joins the output of each package to lines: a name is printed before its benchmark runs.
fn printed(text: &str, collector: &mut Collector) -> Vec<PrintedLine> {
    let mut lines = Vec::new();
    let mut begun: HashMap<String, String> = HashMap::new();
    collector.lines(text, |line, collector| {
        if !line.starts_with('{') {
            collector.note(cite("not an event of a test, left out:", line));
            return Ok(());
        }
        let event: Option<Event> = json::read(line, collector);
        let Some((package, output)) = event
            .filter(|e| e.action == "output")
            .and_then(|event| Some((event.package?, event.output?)))
        else {
            return Ok(());
        };
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
    package: String,
    /// Figures of 0, with their lines.
    zeros: Vec<(u32, String)>,
    seen: HashMap<Scenario, u32>,
}

impl State {
    fn line(&mut self, line: &str, collector: &mut Collector) -> Result<(), String> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if let Some(package) = line.strip_prefix("pkg: ") {
            package.trim().clone_into(&mut self.package);
        } else if line.starts_with("Benchmark") {
            // With `-v`, the name alone is printed before the benchmark starts.
            if fields.len() > 1 {
                self.result(line, &fields, collector)?;
            }
        } else if let Some(failed) = line.trim_start().strip_prefix("--- FAIL: ") {
            collector.note(cite("a failed benchmark has no figure:", failed));
        } else if fields.contains(&"ns/op") {
            return Err(cite("figures without a benchmark's name:", line));
        }
        Ok(())
    }

    fn result(
        &mut self,
        line: &str,
        fields: &[&str],
        collector: &mut Collector,
    ) -> Result<(), String> {
        let pairs = fields.get(2..).unwrap_or_default().chunks(2);
        let is_pair = |pair: &[&str]| pair.len() == 2 && is_unit(pair[1]);
        if !is_integer(fields[1]) || pairs.len() == 0 || !pairs.clone().all(is_pair) {
            let message = "expected a name, iterations, figures with units; got";
            return Err(cite(message, line));
        }
        let scenario = match self.several_packages {
            true => name::scenario(&format!("{}.{}", self.package, fields[0]))?,
            false => name::scenario(fields[0])?,
        };
        let seen = self.seen.entry(scenario.clone()).or_insert(0);
        let run = *seen;
        *seen += 1;
        let mut units = Vec::new();
        for pair in pairs {
            let (unit, factor) = Unit::parse_or_other(pair[1]);
            // Allocations and custom metrics can be 0, but not the time of an operation.
            let may_be_zero = !matches!(unit, Unit::Time | Unit::Throughput);
            let figure = pair.join(" ");
            if units.contains(&unit) {
                let message = "a second figure in the same unit is left out:";
                collector.note(format!("{message} {figure}"));
                continue;
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
