//! `hyperfine --export-json`: each time is a run; if there are no times, the median is used. Times
//! are in seconds.

use super::{Collector, collector::quote, criterion, name};
use crate::model::unit::Unit;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

#[derive(Deserialize)]
struct Export {
    results: Vec<Command>,
}

#[derive(Deserialize)]
struct Command {
    command: String,
    median: Option<f64>,
    #[serde(default)]
    times: Vec<f64>,
    #[serde(default)]
    exit_codes: Vec<Option<i32>>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

pub(super) fn recognise(head: &str) -> bool {
    criterion::starts_with(head, r#"{"results":[{"command":"#)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let export = criterion::json(text, collector);
    let Some(Export { results }) = collector.check(export) else {
        return;
    };
    let mut alike: HashMap<&str, usize> = HashMap::new();
    for Command { command, .. } in &results {
        *alike.entry(command).or_default() += 1;
    }
    for command in &results {
        let read = read(command, alike[&*command.command] > 1, collector);
        collector.check(read);
    }
}

fn read(command: &Command, ambiguous: bool, collector: &mut Collector) -> Result<(), String> {
    let scenario = name::scenario(&command.label(ambiguous))?;
    let quoted = quote(&command.command);
    let times = match command.times.as_slice() {
        [] => command.median.as_slice(),
        times => times,
    };
    if times.is_empty() {
        return Err(format!("{quoted} has neither times nor a median"));
    }
    let codes = &command.exit_codes;
    let failed = codes.iter().filter(|code| **code != Some(0)).count();
    for &seconds in times {
        if collector.is_full() {
            break;
        }
        let checked = criterion::positive(seconds, &quoted, &seconds.to_string());
        if let Some(seconds) = collector.check(checked) {
            let row = collector.repeated(None, scenario.clone(), Unit::Time, seconds);
            let caveat = || format!("{failed} of {} executions failed", codes.len());
            row.caveat = (failed > 0).then(caveat);
        }
    }
    Ok(())
}

impl Command {
    /// Commands with the same text are distinguished by their parameters.
    fn label(&self, ambiguous: bool) -> String {
        if !ambiguous || self.parameters.is_empty() {
            return self.command.clone();
        }
        let parameters = self.parameters.iter();
        let parameters: Vec<String> = parameters.map(|(name, v)| format!("{name}={v}")).collect();
        format!("{} ({})", self.command, parameters.join(" "))
    }
}
