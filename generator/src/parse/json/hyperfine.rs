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
    memory_usage_byte: Vec<f64>,
    #[serde(default)]
    exit_codes: Vec<Option<i32>>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    prepare: Option<String>,
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    let commands: Vec<Located<Command>> = super::list(text, out);
    let mut alike: HashMap<String, usize> = HashMap::new();
    for command in &commands {
        *alike.entry(command.value.command.clone()).or_default() += 1;
    }
    super::each(commands, out, |command, out| {
        read(&command, alike[&command.command] > 1, out)
    });
}

fn read(command: &Command, ambiguous: bool, out: &mut Collector) -> Result<(), String> {
    let quoted = quote(&command.command);
    let times = match command.times.as_slice() {
        [] => command.median.as_slice(),
        times => times,
    };
    if times.is_empty() {
        return Err(format!("{quoted} has neither times nor a median"));
    }
    let first = out.parsed.observations.len();
    let mut figures = Vec::new();
    for &seconds in times {
        figures.push(finite_or_zero(seconds, &quoted)?);
    }
    // Every time of a command that is faster than the shell is 0 at some time.
    if figures.contains(&0.0) {
        let zeros = figures.iter().filter(|time| **time == 0.0).count();
        out.note(format!("{zeros} of {} times of {quoted} are 0, faster than the shell that started it, and left out: measure with `-N`", figures.len()));
        figures.retain(|time| *time > 0.0);
    }
    let label = command.label(ambiguous);
    out.runs(&label, Unit::Time, figures)?;
    let mut bytes = Vec::new();
    for &peak in &command.memory_usage_byte {
        bytes.push(finite_or_zero(peak, &quoted)?);
    }
    // It is 0 where the system does not say it.
    if bytes.iter().any(|peak| *peak > 0.0) {
        out.runs(&label, Unit::Memory, bytes)?;
    }
    let codes = &command.exit_codes;
    let failed = codes.iter().filter(|code| **code != Some(0)).count();
    if failed > 0 {
        for row in &mut out.parsed.observations[first..] {
            row.caveat = Some(format!("{failed} of {} executions failed", codes.len()));
        }
    }
    Ok(())
}

/// Characters of a command's first line that make its name.
const NAME: usize = 80;

impl Command {
    /// The first line. Commands with the same text are distinguished by their parameters and by what
    /// prepares them.
    fn label(&self, ambiguous: bool) -> String {
        let mut lines = self.command.trim().lines();
        let first = lines.next().unwrap_or_default().trim_end();
        let mut name: String = first.to_owned();
        if lines.next().is_some() {
            name = name.chars().take(NAME).collect::<String>() + " …";
        }
        if !ambiguous {
            return name;
        }
        let parameters = self.parameters.iter();
        let parameters: Vec<String> = parameters.map(|(name, v)| format!("{name}={v}")).collect();
        let mut details = vec![parameters.join(" ")];
        details.retain(|parameters| !parameters.is_empty());
        details.extend(self.prepare.as_ref().map(|line| format!("after {line}")));
        name::with_details(&name, details)
    }
}
