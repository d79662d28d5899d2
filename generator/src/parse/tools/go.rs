//! `go test -bench`, as text or with `-json`: a name, the number of iterations, then figures with
//! units.
//!
//! ```text
//! pkg: example.com/codec
//! Unit req/sec better=higher
//! BenchmarkEncode/1024-8   37192   639.7 ns/op   1600.80 MB/s   64 B/op   1 allocs/op
//! {"Action":"output","Package":"example.com/codec","Output":"BenchmarkEncode/1024-8   "}
//! ```
//!
//! A repeated name (`-count`) is another run. MB/s are decimal. A name starts with its package.

use super::json;
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

/// What a line of a benchmark starts with: its name goes on with no lower-case letter.
static NAME: Pattern = Pattern::new(r"^Benchmark(?:[^a-z\s]\S*)?$");

/// What other lines start with.
const STARTS: [&str; 12] = [
    "Benchmark",
    "Unit ",
    "---",
    "    ---",
    "PASS",
    "FAIL",
    "ok ",
    "? ",
    "goos:",
    "goarch:",
    "cpu:",
    "pkg:",
];

#[derive(Default)]
pub(super) struct Go {
    package: String,
    /// The output of each package since the last end of a line: a name is printed before its
    /// benchmark runs.
    begun: HashMap<String, String>,
    running: BTreeSet<String>,
    has_events: bool,
    directions: HashMap<String, Better>,
    /// Figures left out by reason, with their lines.
    left_out: BTreeMap<&'static str, Vec<(u32, String)>>,
    /// Number of rows so far: all figures of a row are of one run.
    seen: HashMap<String, u32>,
    units: HashSet<String>,
    /// The last unit of the last row, and its line, if no row above has it.
    last_unit: Option<(u32, String)>,
}

impl Tool for Go {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if line.starts_with("{\"") && line.contains(r#""Action":""#) {
            self.has_events = true;
            self.event(line, out)?;
            return Ok(());
        }
        if let Some(package) = line.strip_prefix("pkg: ") {
            self.package = package.trim().to_owned();
        }
        self.printed(line, out)
    }

    fn end(&mut self, out: &mut Collector) {
        if let Some(package) = self.running.first() {
            out.note(cite("the log ends before the end of package", package));
        }
        if let Some(rest) = self
            .begun
            .values()
            .find(|rest| rest.starts_with("Benchmark"))
        {
            out.note(cite("the output ends within a line:", rest));
        }
        let stated = self.directions.keys().map(String::as_str);
        let units = self.units.iter().map(String::as_str).chain(stated);
        if let Some((line, unit)) = &self.last_unit
            && out.problems.is_empty()
            && units
                .chain(["ns/op", "allocs/op"])
                .any(|known| known.starts_with(unit) && known != unit)
        {
            out.line = *line;
            out.problem(cite(
                "the last unit is the start of another, and may be cut:",
                unit,
            ));
        }
        for (reason, figures) in &self.left_out {
            let ((line, first), others) = (&figures[0], figures.len() - 1);
            out.line = *line;
            out.note(format!("{reason}: {first}, and {others} more"));
        }
    }
}

impl Go {
    /// Joins the output of each package to lines, each in the place of its end.
    fn event(&mut self, line: &str, out: &mut Collector) -> Result<(), String> {
        let Some(event) = json::read::<Event>(line, out) else {
            return Ok(());
        };
        let Some(package) = event.package else {
            return Ok(());
        };
        match (&*event.action, event.output, event.test) {
            ("start", ..) => drop(self.running.insert(package)),
            ("pass" | "fail" | "skip", _, None) => drop(self.running.remove(&package)),
            ("output", Some(output), _) => {
                let so_far = self.begun.entry(package.clone()).or_default();
                *so_far += &output;
                if so_far.ends_with('\n') {
                    let text = std::mem::take(so_far);
                    self.package = package;
                    if let Err(Damaged(message) | Wrong(message)) = self.printed(&text, out) {
                        return Err(message);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a line that the test of a package printed.
    fn printed(&mut self, text: &str, out: &mut Collector) -> Taken {
        if !starts_with_any(text, &STARTS) && !text.contains("ns/op") {
            return Err(Foreign);
        }
        let fields: Vec<&str> = text.split_whitespace().collect();
        let is_row = fields
            .first()
            .is_some_and(|name| NAME.captures(name).is_some());
        match fields[..] {
            [.., "---", outcome @ ("FAIL:" | "SKIP:"), name] if NAME.captures(name).is_some() => {
                let outcome = match outcome {
                    "FAIL:" => "failed",
                    _ => "skipped",
                };
                out.note(cite(&format!("a {outcome} benchmark has no figure:"), name));
            }
            ["Unit", unit, ref pairs @ ..] if pairs.iter().all(|pair| pair.contains('=')) => {
                for better in pairs.iter().filter_map(|pair| pair.strip_prefix("better=")) {
                    let better = match better {
                        "higher" => Better::Higher,
                        _ => Better::Lower,
                    };
                    self.directions.insert(unit.to_owned(), better);
                }
            }
            // With `-v`, the name alone is printed before the benchmark starts.
            [name] if is_row && name.len() > "Benchmark".len() => {}
            [name, iterations] if is_row && is_integer(iterations) => {
                out.note(cite("a benchmark without a figure:", name));
            }
            ["Benchmark", second, ..] if !is_integer(second) => return Err(Foreign),
            [name, iterations, ref pairs @ ..] if is_row => {
                let are_pairs = pairs.chunks(2).all(|p| p.len() == 2 && is_unit(p[1]));
                if !is_integer(iterations) || !are_pairs {
                    let message = "expected a name, iterations, figures with units; got";
                    return damaged(message, text);
                }
                let name = match self.package.as_str() {
                    "" => name.to_owned(),
                    package => format!("{package}.{name}"),
                };
                self.row(&name, pairs, out)?;
            }
            ["PASS"]
            | ["FAIL"]
            | ["ok" | "FAIL" | "?", ..]
            | ["goos:" | "goarch:" | "cpu:" | "pkg:", ..] => {}
            // Logs may say `12 ns/op` too.
            _ if fields
                .windows(3)
                .any(|f| is_integer(f[0]) && f[2] == "ns/op") =>
            {
                return damaged("figures without a benchmark's name:", text);
            }
            _ => return Err(Foreign),
        }
        Ok(())
    }

    fn row(&mut self, name: &str, pairs: &[&str], out: &mut Collector) -> Result<(), String> {
        let scenario = name::scenario(name)?;
        let seen = self.seen.entry(name.to_owned()).or_default();
        let run = std::mem::replace(seen, *seen + 1);
        let mut units = HashSet::new();
        self.last_unit = None;
        for pair in pairs.chunks(2) {
            let (unit, factor) = match self.directions.get(pair[1]) {
                Some(better) => Unit::directed(pair[1], *better),
                None => Unit::parse_or_other(pair[1]),
            };
            let is_new = self.units.insert(pair[1].to_owned());
            self.last_unit = is_new.then(|| (out.line, pair[1].to_owned()));
            let figure = pair.join(" ");
            if !units.insert(unit.clone()) {
                let message = "a second figure in the same unit is left out:";
                out.note(format!("{message} {figure}"));
            } else if let Some(reason) = why_left_out(pair[0], &unit).filter(|_| pair[1] != "ns/op")
            {
                let figure = quote(&format!("{figure} of {scenario}"));
                let figures = self.left_out.entry(reason).or_default();
                figures.push((out.line, figure));
            } else if let Some(base) = out.check(amount(pair[0])) {
                if base > 0.0 || unit.may_be_zero() {
                    out.measured(scenario.clone(), unit, base * factor).run = run;
                } else {
                    let message = "0 is below what the tool can resolve, and is left out:";
                    out.note(cite(message, &figure));
                }
            }
        }
        Ok(())
    }
}

fn is_unit(field: &str) -> bool {
    // `ns/` and `allocs/o` have been cut.
    let known = ["ns/op", "B/op", "allocs/op", "MB/s"];
    let is_cut = field.contains('/')
        && known
            .iter()
            .any(|unit| unit.starts_with(field) && *unit != field);
    field.len() <= 64 && field.parse::<f64>().is_err() && !is_cut
}

/// Rates that are rounded can be 0, and custom metrics any number.
fn why_left_out(figure: &str, unit: &Unit) -> Option<&'static str> {
    match figure.parse::<f64>() {
        Ok(0.0) if !unit.may_be_zero() => {
            Some("rates of 0 have no ratio to others and are left out")
        }
        Ok(number) if number.is_sign_negative() || !number.is_finite() => {
            Some("figures that are negative, infinite or no number are left out")
        }
        _ => None,
    }
}
