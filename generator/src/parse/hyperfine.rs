//! `hyperfine --export-json`: each time is a run; if there are no times, the median is used. Times
//! are in seconds.

use super::prelude::*;
use std::collections::{BTreeMap, HashMap};

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
    starts_with(head, r#"{"results":[{"command":"#)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let commands: Vec<At<Command>> = json::list(text, collector);
    let mut alike: HashMap<String, usize> = HashMap::new();
    for command in &commands {
        *alike.entry(command.value.command.clone()).or_default() += 1;
    }
    json::each(commands, collector, |command, collector| {
        read(&command, alike[&command.command] > 1, collector)
    });
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
        let seconds = finite(seconds, &quoted)?;
        let row = collector.repeated(scenario.clone(), Unit::Time, seconds);
        let caveat = || format!("{failed} of {} executions failed", codes.len());
        row.caveat = (failed > 0).then(caveat);
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
        name::with_details(&self.command, &[parameters.join(" ")])
    }
}
