//! Where parsers put what they find.

use super::{Parsed, Problem};
use crate::implementation::Implementation;
use crate::observation::{Observation, Value};
use crate::scenario::Scenario;
use crate::unit::Unit;
use std::collections::HashMap;

/// Collects the rows, notes and problems of one file.
#[derive(Default)]
pub struct Collector {
    parsed: Parsed,
    problems: Vec<Problem>,
    run: u32,
    /// How often each row of [`Collector::repeated`] was seen.
    seen: HashMap<(Option<Implementation>, Scenario, Unit), u32>,
}

impl Collector {
    /// What follows belongs to another execution of the suite.
    pub fn next_run(&mut self) {
        self.run += 1;
    }

    /// A figure in base units.
    pub fn measured(
        &mut self,
        line: u32,
        scenario: Scenario,
        unit: Unit,
        base: f64,
    ) -> &mut Observation {
        self.push(line, scenario, unit, Value::Number(base))
    }

    /// A row of any kind, to which more can be added.
    pub fn push(
        &mut self,
        line: u32,
        scenario: Scenario,
        unit: Unit,
        value: Value,
    ) -> &mut Observation {
        self.parsed.observations.push(Observation {
            implementation: None,
            run: self.run,
            scenario: scenario.canonical(),
            unit,
            value,
            line,
            caveat: None,
        });
        let last = self.parsed.observations.len() - 1;
        &mut self.parsed.observations[last]
    }

    /// A row of an implementation that the file names.
    pub fn push_for(
        &mut self,
        implementation: &Implementation,
        line: u32,
        scenario: Scenario,
        unit: Unit,
        value: Value,
    ) -> &mut Observation {
        let row = self.push(line, scenario, unit, value);
        row.implementation = Some(implementation.clone());
        row
    }

    /// A figure of a format that prints the same name again for each further run: the number of
    /// earlier rows of this scenario and unit is the run.
    pub fn repeated(
        &mut self,
        implementation: Option<&Implementation>,
        line: u32,
        scenario: Scenario,
        unit: Unit,
        base: f64,
    ) -> &mut Observation {
        let key = (implementation.cloned(), scenario.clone(), unit.clone());
        let seen = self.seen.entry(key).or_insert(0);
        let run = *seen;
        *seen += 1;
        let row = self.push(line, scenario, unit, Value::Number(base));
        row.implementation = implementation.cloned();
        row.run = run;
        row
    }

    /// Something that the report should say.
    pub fn note(&mut self, line: u32, message: impl Into<String>) {
        self.parsed.notes.push(Problem {
            line,
            message: message.into(),
        });
    }

    /// A line that is not of the tool's making, such as a compiler's: left out, and said.
    pub fn stray(&mut self, line: u32, text: &str) {
        self.note(
            line,
            format!("not output of the benchmark, left out: {}", quote(text)),
        );
    }

    /// Something wrong: the file will be refused.
    pub fn problem(&mut self, line: u32, message: impl Into<String>) {
        self.problems.push(Problem {
            line,
            message: message.into(),
        });
    }

    /// The value, or `None` after its error became a problem of this line.
    pub fn check<T>(&mut self, line: u32, result: Result<T, String>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(message) => {
                self.problem(line, message);
                None
            }
        }
    }

    /// # Errors
    /// All problems, if there was any.
    pub(super) fn finish(mut self) -> Result<Parsed, Vec<Problem>> {
        if self.problems.is_empty() {
            return Ok(self.parsed);
        }
        self.problems.sort();
        Err(self.problems)
    }
}

/// Text from a file, for a message: on one line, cut at 80 characters, nothing invisible.
pub(crate) fn quote(text: &str) -> String {
    let shown: String = text
        .trim_end()
        .chars()
        .take(80)
        .flat_map(char::escape_debug)
        .collect();
    let more = if text.trim_end().chars().count() > 80 {
        "…"
    } else {
        ""
    };
    format!("`{shown}{more}`")
}
