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

use super::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A line of `-json`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    package: Option<String>,
    test: Option<String>,
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
    field.len() <= 64 && field.parse::<f64>().is_err()
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let lines = match text.lines().any(is_event) {
        true => events(text, collector),
        false => plain(text),
    };
    let printed = lines.iter().map(|line| &line.value);
    let packages = printed.filter(|line| line.text.starts_with("pkg: "));
    let packages: BTreeSet<&str> = packages.map(|line| &*line.package).collect();
    let mut rows = Rows {
        several_packages: packages.len() > 1,
        ..Rows::default()
    };
    collector.each(lines, |line, collector| rows.line(&line, collector));
    for (reason, figures) in rows.left_out {
        let ((line, first), others) = (&figures[0], figures.len() - 1);
        collector.line = *line;
        collector.note(format!("{reason}: {first}, and {others} more"));
    }
}

/// A line that a package's test printed.
struct Printed {
    package: String,
    text: String,
}

fn plain(text: &str) -> Vec<At<Printed>> {
    let mut package = "";
    let lines = text.lines().zip(1..).map(|(text, line)| {
        package = text.strip_prefix("pkg: ").map_or(package, str::trim);
        let (package, text) = (package.to_owned(), text.to_owned());
        let value = Printed { package, text };
        At { line, value }
    });
    lines.collect()
}

/// Joins the output of each package to lines, each in the place of its end: a name is printed before
/// its benchmark runs.
fn events(text: &str, collector: &mut Collector) -> Vec<At<Printed>> {
    let mut lines = Vec::new();
    let mut begun: HashMap<String, String> = HashMap::new();
    let mut running = BTreeSet::new();
    collector.lines(text, |line, collector| {
        if !line.starts_with('{') {
            collector.note(cite("not an event of a test, left out:", line));
        } else if let Some(event) = json::read::<Event>(line, collector)
            && let Some(package) = event.package
        {
            match (&*event.action, event.output, event.test) {
                ("start", ..) => drop(running.insert(package)),
                ("pass" | "fail" | "skip", _, None) => drop(running.remove(&package)),
                ("output", Some(output), _) => {
                    let so_far = begun.entry(package.clone()).or_default();
                    *so_far += &output;
                    if so_far.ends_with('\n') {
                        let text = std::mem::take(so_far);
                        let value = Printed { package, text };
                        let line = collector.line;
                        lines.push(At { line, value });
                    }
                }
                _ => {}
            }
        }
        Ok(())
    });
    if let Some(package) = running.first() {
        collector.problem(cite("the log ends before the end of package", package));
    }
    if let Some(rest) = begun.values().find(|rest| rest.starts_with("Benchmark")) {
        collector.problem(cite("the output ends within a line:", rest));
    }
    lines
}

#[derive(Default)]
struct Rows {
    several_packages: bool,
    /// Figures left out by reason, with their lines.
    left_out: BTreeMap<&'static str, Vec<(u32, String)>>,
    /// Number of rows so far: all figures of a row are of one run.
    seen: HashMap<String, u32>,
}

impl Rows {
    fn line(&mut self, line: &Printed, collector: &mut Collector) -> Result<(), String> {
        let text = line.text.as_str();
        let fields: Vec<&str> = text.split_whitespace().collect();
        let is_row = text.starts_with("Benchmark");
        match fields[..] {
            [.., "---", outcome @ ("FAIL:" | "SKIP:"), name] if name.starts_with("Benchmark") => {
                let outcome = match outcome {
                    "FAIL:" => "failed",
                    _ => "skipped",
                };
                collector.note(cite(&format!("a {outcome} benchmark has no figure:"), name));
            }
            // With `-v`, the name alone is printed before the benchmark starts.
            [_] if is_row => {}
            [name, iterations] if is_row && is_integer(iterations) => {
                collector.note(cite("a benchmark without a figure:", name));
            }
            [name, iterations, ref pairs @ ..] if is_row => {
                let are_pairs =
                    |pairs: &[&str]| pairs.chunks(2).all(|p| p.len() == 2 && is_unit(p[1]));
                if !is_integer(iterations) || !are_pairs(pairs) {
                    let message = "expected a name, iterations, figures with units; got";
                    return Err(cite(message, text));
                }
                match self.several_packages {
                    true => self.row(&format!("{}.{name}", line.package), pairs, collector)?,
                    false => self.row(name, pairs, collector)?,
                }
            }
            // Logs may say `12 ns/op` too.
            _ if fields
                .windows(3)
                .any(|f| is_integer(f[0]) && f[2] == "ns/op") =>
            {
                return Err(cite("figures without a benchmark's name:", text));
            }
            _ => {}
        }
        Ok(())
    }

    fn row(&mut self, name: &str, pairs: &[&str], collector: &mut Collector) -> Result<(), String> {
        let scenario = name::scenario(name)?;
        let seen = self.seen.entry(name.to_owned()).or_default();
        let run = std::mem::replace(seen, *seen + 1);
        let mut units = HashSet::new();
        for pair in pairs.chunks(2) {
            let (unit, factor) = Unit::parse_or_other(pair[1]);
            let figure = pair.join(" ");
            if !units.insert(unit.clone()) {
                let message = "a second figure in the same unit is left out:";
                collector.note(format!("{message} {figure}"));
            } else if let Some(reason) = why_left_out(pair[0]).filter(|_| pair[1] != "ns/op") {
                let figure = quote(&format!("{figure} of {scenario}"));
                let figures = self.left_out.entry(reason).or_default();
                figures.push((collector.line, figure));
            } else if let Some(base) = collector.check(measured(pair[0], factor)) {
                collector.measured(scenario.clone(), unit, base).run = run;
            }
        }
        Ok(())
    }
}

/// Allocations, custom metrics, and rates that are rounded can be 0, and metrics any number.
fn why_left_out(figure: &str) -> Option<&'static str> {
    match figure.parse::<f64>() {
        Ok(0.0) => Some("figures of 0 have no ratio to others and are left out"),
        Ok(number) if number.is_sign_negative() || !number.is_finite() => {
            Some("figures that are negative, infinite or no number are left out")
        }
        _ => None,
    }
}
