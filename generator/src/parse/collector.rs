//! Collects the observations, notes and problems of a parser.

use super::{At, Parsed, name};
use crate::base::failure::Diagnostic;
use crate::base::limits::{FIGURES, exceeded};
use crate::model::implementation::Implementation;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{Cipher, Scenario};
use crate::model::unit::Unit;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The accepted range of figures, in base units. No benchmark comes near its ends, and sums,
/// products and quotients of figures within it are finite.
const RANGE: RangeInclusive<f64> = 1e-30..=1e30;

/// Maximum number of problems to report for a file.
pub(crate) const MAX_PROBLEMS: usize = 100;

/// Maximum number of notes to print on a file.
const MAX_NOTES: usize = 100;

type RowKey = (Option<Arc<Implementation>>, Arc<Scenario>, Unit);

#[derive(Default)]
pub(crate) struct Collector {
    /// For messages, and for the formats whose content does not name the benchmark.
    pub(super) path: PathBuf,
    pub(super) parsed: Parsed,
    pub(super) problems: Vec<Diagnostic>,
    /// Line of the next observation, note or problem; 0 means the whole file.
    pub(super) line: u32,
    /// What the next figures belong to.
    implementation: Option<Arc<Implementation>>,
    run: u32,
    /// Number of rows so far, by key of [`Collector::repeated`].
    seen: HashMap<RowKey, u32>,
    implementations: HashSet<Arc<Implementation>>,
    scenarios: HashSet<Arc<Scenario>>,
}

impl Collector {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::default()
        }
    }

    /// Calls `read` for each line that is not blank.
    pub(super) fn lines<'a>(
        &mut self,
        text: &'a str,
        read: impl FnMut(&'a str, &mut Self) -> Result<(), String>,
    ) {
        let lines = text.lines().zip(1..);
        let lines = lines.filter(|(line, _)| !line.trim().is_empty());
        self.each(lines.map(|(value, line)| At { line, value }), read);
    }

    /// Calls `read` for each item, until the collector is full; an error becomes a problem of its
    /// line.
    pub(super) fn each<T>(
        &mut self,
        items: impl IntoIterator<Item = At<T>>,
        mut read: impl FnMut(T, &mut Self) -> Result<(), String>,
    ) {
        for At { line, value } in items {
            if self.is_full() {
                break;
            }
            self.line = line;
            let outcome = read(value, self);
            self.check(outcome);
        }
    }

    /// Whether the limit of figures or problems is exceeded, so that parsing can stop.
    pub(super) fn is_full(&self) -> bool {
        self.parsed.observations.len() > FIGURES || self.problems.len() > MAX_PROBLEMS
    }

    /// Sets the implementation of the next figures.
    pub(super) fn of(&mut self, implementation: impl Into<Option<Implementation>>) {
        let all = &mut self.implementations;
        let known = all.len();
        let one = implementation.into().map(|one| shared(all, one));
        if let Some(new) = one.as_ref().filter(|_| all.len() > known) {
            self.check(name::scenario(&new.to_string()));
        }
        self.implementation = one;
    }

    /// Starts a new run of the suite.
    pub(super) fn next_run(&mut self) {
        self.run += 1;
    }

    /// Adds an observation of any kind, and returns it for changes.
    pub(super) fn push(
        &mut self,
        scenario: Scenario,
        unit: Unit,
        value: Value,
    ) -> &mut Observation {
        let may_be_none = unit.kind().is_count();
        if let Value::Number(base) = &value
            && !RANGE.contains(base)
            && !(may_be_none && *base == 0.0)
        {
            let printed = unit.printed(*base);
            self.problem(format!("a figure is out of range: {printed:e} {unit}"));
        }
        // Names may be combined from several lines, and `[50, 0] * 69` is expanded in them.
        if matches!(scenario.cipher, Some(Cipher::Other(_))) || scenario.buffers.is_some() {
            self.check(name::scenario(&scenario.label()));
        }
        if self.is_full() {
            self.parsed.observations.pop();
        }
        let rows = &mut self.parsed.observations;
        rows.push(Observation {
            implementation: self.implementation.clone(),
            run: self.run,
            scenario: shared(&mut self.scenarios, scenario.canonical()),
            unit,
            value,
            line: self.line,
            caveat: None,
        });
        let last = rows.len() - 1;
        &mut rows[last]
    }

    pub(super) fn measured(
        &mut self,
        scenario: Scenario,
        unit: Unit,
        base: f64,
    ) -> &mut Observation {
        self.push(scenario, unit, Value::Number(base))
    }

    /// Adds a figure of a format that repeats a name for each run: its run is the number of earlier
    /// rows with the same implementation, scenario and unit.
    pub(super) fn repeated(
        &mut self,
        scenario: Scenario,
        unit: Unit,
        base: f64,
    ) -> &mut Observation {
        self.measured(scenario, unit, base);
        let rows = &mut self.parsed.observations;
        let last = rows.len() - 1;
        let row = &mut rows[last];
        let implementation = row.implementation.clone();
        let key = (implementation, Arc::clone(&row.scenario), row.unit.clone());
        let seen = self.seen.entry(key).or_insert(0);
        row.run = *seen;
        *seen += 1;
        row
    }

    /// Like [`Self::repeated`], by a benchmark's name.
    pub(super) fn benchmark(&mut self, name: &str, unit: Unit, base: f64) -> Result<(), String> {
        let scenario = name::scenario(name)?;
        self.repeated(scenario, unit, base);
        Ok(())
    }

    pub(super) fn note(&mut self, message: impl Into<String>) {
        let message = match self.parsed.notes.len() {
            0..MAX_NOTES => message.into(),
            MAX_NOTES => "further notes on the file are left out".to_owned(),
            _ => return,
        };
        let note = Diagnostic::at(&self.path, self.line, message);
        self.parsed.notes.push(note);
    }

    /// Reports a problem, because of which the file will be rejected.
    pub(super) fn problem(&mut self, message: impl Into<String>) {
        if self.problems.len() > MAX_PROBLEMS {
            return;
        }
        let message = match self.problems.len() {
            MAX_PROBLEMS => "the rest of the file is not read".to_owned(),
            _ => message.into(),
        };
        let problem = Diagnostic::at(&self.path, self.line, message);
        self.problems.push(problem);
    }

    /// Returns the value, or reports the error as a problem.
    pub(super) fn check<T>(&mut self, result: Result<T, String>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(message) => {
                self.problem(message);
                None
            }
        }
    }

    pub(super) fn finish(mut self) -> Result<Parsed, Vec<Diagnostic>> {
        if self.parsed.observations.len() > FIGURES {
            self.problem(exceeded(FIGURES, "figures"));
        }
        if self.problems.is_empty() {
            self.parsed.observations.shrink_to_fit();
            return Ok(self.parsed);
        }
        self.problems.sort();
        Err(self.problems)
    }
}

fn shared<T: Eq + Hash>(all: &mut HashSet<Arc<T>>, one: T) -> Arc<T> {
    match all.get(&one) {
        Some(there) => Arc::clone(there),
        None => {
            let one = Arc::new(one);
            all.insert(Arc::clone(&one));
            one
        }
    }
}

/// Appends quoted text of the file to a message such as `expected a number, got`.
pub(crate) fn cite(message: &str, text: &str) -> String {
    format!("{message} {}", quote(text))
}

/// Quotes text of a file for a message: escaped, on one line, truncated to 80 characters.
pub(super) fn quote(text: &str) -> String {
    let text = text.trim_end();
    let show = |c: char| match c {
        '"' | '\'' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    let shown: String = text.chars().take(80).map(show).collect();
    let more = text.chars().nth(80).map_or("", |_| "…");
    format!("`{shown}{more}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scenario::Workload;

    #[test]
    fn figures_out_of_range_are_problems() {
        let problems = |base: f64| {
            let mut collector = Collector::default();
            collector.measured(Scenario::new(Workload::Transfer), Unit::Throughput, base);
            collector.problems
        };
        assert_eq!(problems(1e30), []);
        for base in [1e31, 1e-31, f64::INFINITY, f64::NAN, 0.0, -1.0] {
            let problems = problems(base);
            assert!(problems[0].to_string().contains("out of range"), "{base}");
        }
    }
}
