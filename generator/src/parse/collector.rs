//! Collects the observations, notes and problems of a parser.

use super::Parsed;
use super::prelude::*;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The accepted range of figures, in base units. No benchmark comes near its ends, and sums,
/// products and quotients of figures within it are finite.
const RANGE: RangeInclusive<f64> = 1e-30..=1e30;

/// Maximum number of problems, and of notes, to report for a file.
pub(crate) const MAX_PROBLEMS: usize = 100;

/// Bytes of a unit, which is shown in column headings.
pub(super) const UNIT: usize = 64;

type RowKey = (Arc<Scenario>, Unit, u32, Option<Arc<Implementation>>);

/// What the next figures of a tool belong to.
#[derive(Clone, Copy, Default)]
pub(super) struct Scope {
    pub(super) run: u32,
    /// The line where the execution started, if the tool says so.
    pub(super) start: u32,
    /// The line of the first figure of the run.
    pub(super) first: u32,
}

/// The runs of some figures of one name.
#[derive(Clone, Copy)]
pub(super) enum Runs {
    /// Later figures of the name are those of another benchmark, which is called `NAME (2)`, unless
    /// something tells them apart.
    OfName,
    /// Each figure of the name is of the next run.
    Repeated,
    /// They have numbers, of which this is the first.
    From(u32),
}

#[derive(Default)]
pub(crate) struct Collector {
    /// For messages, and for the formats whose content does not name the benchmark.
    pub(super) path: PathBuf,
    pub(super) parsed: Parsed,
    pub(super) problems: Vec<Diagnostic>,
    /// How many lines have figures and are of no format; the first of them, and its number.
    pub(super) unread: Option<(usize, u32, String)>,
    /// The maximum number of figures.
    pub(super) most: usize,
    /// Line of the next observation, note or problem; 0 means the whole file.
    pub(super) line: u32,
    pub(super) scope: Scope,
    implementation: Option<Arc<Implementation>>,
    /// Whether the last line may be cut.
    pub(super) is_cut: bool,
    /// The target whose output cargo shows.
    pub(super) target: Option<String>,
    /// The number of rows so far, and the line of the first. Scenarios are sooner compared than hashed.
    seen: BTreeMap<RowKey, (u32, u32)>,
    /// Whether a figure has the name of an earlier one.
    has_doubles: bool,
    implementations: HashSet<Arc<Implementation>>,
}

impl Collector {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            most: FIGURES,
            ..Self::default()
        }
    }

    /// Calls `read` for each item with its line, until the collector is full; an error becomes a problem
    /// of the line.
    pub(super) fn each<T>(
        &mut self,
        items: impl IntoIterator<Item = (T, u32)>,
        mut read: impl FnMut(T, &mut Self) -> Result<(), String>,
    ) {
        for (item, line) in items {
            if self.is_full() {
                break;
            }
            self.line = line;
            let outcome = read(item, self);
            self.check(outcome);
        }
    }

    /// Whether the limit of figures or problems is exceeded, so that parsing can stop.
    pub(super) fn is_full(&self) -> bool {
        self.parsed.observations.len() > self.most || self.problems.len() > MAX_PROBLEMS
    }

    /// Sets the implementation of the next figures.
    pub(super) fn of(&mut self, implementation: impl Into<Option<Implementation>>) {
        let implementation = implementation.into();
        // Mostly that of the row before.
        if implementation.as_ref() == self.implementation.as_deref() {
            return;
        }
        self.implementation = implementation.map(|one| match self.implementations.get(&one) {
            Some(known) => Arc::clone(known),
            None => {
                self.check(name::scenario(&one.to_string()));
                let new = Arc::new(one);
                self.implementations.insert(Arc::clone(&new));
                new
            }
        });
    }

    /// Adds an observation of any kind, and returns it for changes.
    pub(super) fn push(
        &mut self,
        scenario: impl Into<Arc<Scenario>>,
        unit: Unit,
        value: Value,
    ) -> &mut Observation {
        if let Value::Number(base) = &value
            && !RANGE.contains(base)
            && !(unit.may_be_zero() && *base == 0.0)
        {
            let printed = unit.printed(*base);
            self.problem(format!("a figure is out of range: {printed:e} {unit}"));
        }
        let symbol = unit.symbol();
        if matches!(unit, Unit::Other(_))
            && (symbol.is_empty() || symbol.len() > UNIT || symbol.contains(char::is_control))
        {
            let message = format!("a unit has 1 to {UNIT} bytes of text, unlike");
            self.problem(cite(&message, symbol));
        }
        if self.is_full() {
            self.parsed.observations.pop();
        }
        let line = self.line;
        let rows = &mut self.parsed.observations;
        rows.push(Observation {
            implementation: self.implementation.clone(),
            run: self.scope.run,
            scenario: scenario.into(),
            unit,
            value,
            line,
            caveats: Box::default(),
        });
        rows.last_mut().expect("it was just added")
    }

    /// Adds a figure by a benchmark's name.
    pub(super) fn benchmark(&mut self, name: &str, unit: Unit, base: f64) {
        self.add(name, unit, vec![Value::Number(base)], Runs::OfName);
    }

    /// Adds the values of a benchmark, each of a run.
    pub(super) fn add(&mut self, name: &str, unit: Unit, values: Vec<Value>, runs: Runs) {
        let Some(mut scenario) = self.check(name::scenario(name)) else {
            return;
        };
        let mut first = self.scope.run;
        match runs {
            Runs::From(run) => first = run,
            Runs::Repeated => first += self.count(&scenario, &unit, 0),
            Runs::OfName => {
                let earlier = self.count(&scenario, &unit, first);
                if earlier > 0 && matches!(scenario.workload, Workload::Other(_)) {
                    let name = format!("{name} ({})", earlier + 1);
                    let Some(another) = self.check(name::scenario(&name)) else {
                        return;
                    };
                    scenario = another;
                    if !std::mem::replace(&mut self.has_doubles, true) {
                        let message = "nothing tells some figures from earlier ones of their names: the first is called";
                        self.note(cite(message, &name));
                    }
                }
            }
        }
        for (run, value) in (first..).zip(values) {
            if self.is_full() {
                break;
            } else if value == Value::Number(0.0) && !unit.may_be_zero() {
                let message = "0 is below what the tool can resolve, and is left out:";
                self.note(cite(message, &format!("0 {unit} of {name}")));
            } else {
                self.push(scenario.clone(), unit.clone(), value).run = run;
            }
        }
    }

    /// The number of rows so far of a scenario, which each call counts.
    pub(super) fn count(&mut self, scenario: &Arc<Scenario>, unit: &Unit, run: u32) -> u32 {
        let key = self.key(Arc::clone(scenario), unit, run);
        let (count, _) = self.seen.entry(key).or_insert((0, self.line));
        *count += 1;
        *count - 1
    }

    /// The line of the run's first figure of this name.
    pub(super) fn line_of(&self, name: &str, unit: &Unit) -> Option<u32> {
        let scenario = name::scenario(name).into_iter().next()?;
        let (_, line) = self.seen.get(&self.key(scenario, unit, self.scope.run))?;
        Some(*line)
    }

    fn key(&self, scenario: Arc<Scenario>, unit: &Unit, run: u32) -> RowKey {
        (scenario, unit.clone(), run, self.implementation.clone())
    }

    /// A text that all figures may have in their names.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match name {
            "file" => Some(self.path.file_stem()?.to_string_lossy().into_owned()),
            "target" => self.target.clone(),
            _ => None,
        }
    }

    /// Counts a line with figures that no format takes.
    pub(super) fn unread(&mut self, text: &str) {
        let first = || (0, self.line, text.trim().to_owned());
        self.unread.get_or_insert_with(first).0 += 1;
    }

    pub(super) fn note(&mut self, message: impl Into<String>) {
        let note = Diagnostic::at(&self.path, self.line, message);
        let more = "further notes on the file are left out";
        tell(&mut self.parsed.notes, note, more);
    }

    /// Reports a problem, because of which the file will be rejected.
    pub(super) fn problem(&mut self, message: impl Into<String>) {
        let problem = Diagnostic::at(&self.path, self.line, message);
        let more = "the rest of the file is not read";
        tell(&mut self.problems, problem, more);
    }

    /// Returns the value, or reports the error as a problem.
    pub(super) fn check<T>(&mut self, result: Result<T, String>) -> Option<T> {
        if let Err(message) = &result {
            self.problem(message);
        }
        result.into_iter().next()
    }

    pub(super) fn finish(mut self) -> Result<Parsed, Vec<Diagnostic>> {
        if self.parsed.observations.len() > self.most {
            self.problem(exceeded(self.most, "figures"));
        }
        self.parsed.unread = self.unread.map(|(count, line, first)| {
            let first = quote(&first);
            let message =
                format!("lines with figures that no format takes: {count}, the first is {first}");
            Diagnostic::at(&self.path, line, message)
        });
        if self.problems.is_empty() {
            self.parsed.observations.shrink_to_fit();
            return Ok(self.parsed);
        }
        self.problems.sort();
        Err(self.problems)
    }
}

/// Adds what is told of a file, up to [`MAX_PROBLEMS`] and that there is `more`.
fn tell(all: &mut Vec<Diagnostic>, mut one: Diagnostic, more: &str) {
    if all.len() <= MAX_PROBLEMS {
        if all.len() == MAX_PROBLEMS {
            more.clone_into(&mut one.message);
        }
        all.push(one);
    }
}

#[cfg(test)]
#[path = "tests/collector.rs"]
mod tests;
