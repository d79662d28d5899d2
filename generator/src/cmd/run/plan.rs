//! Plans a measurement from the command line and what the folder holds.

use super::print;
use crate::cli::{Control, Run};
use crate::escape;
use crate::failure::{Failure, Result};
use crate::run::build::BuildCache;
use crate::run::catalog::Catalog;
use crate::run::folder;
use crate::run::machine::Machine;
use crate::run::plan::{self, Done, Step};
use crate::run::program::{CONTROL, control_id};
use crate::run::progress::duration;
use crate::run::record::Record;
use crate::run::spec::Spec;
use crate::run::suite::{self, Suite};
use crate::run::target::Target;
use crate::run::times::Times;
use crate::scenario::{KeyType, Scenario};
use crate::site::count;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashSet};
use std::env;
use std::path::Path;

/// With fewer runs, the difference between two measurements of one program is only chance.
const MIN_CONTROLLED_RUNS: u32 = 6;

/// A measurement to make, or to continue.
pub(super) struct RunPlan<'a> {
    pub(super) arguments: &'a Run,
    pub(super) out: &'a Path,
    pub(super) machine: Machine,
    /// The folder's record, or a new one.
    pub(super) record: Record,
    is_continued: bool,
}

impl<'a> RunPlan<'a> {
    pub(super) fn new(arguments: &'a Run, out: &'a Path) -> Result<Self> {
        folder::check(out)?;
        let machine = Machine::look()?;
        let (facts, multiplier, seed) = (machine.facts(), arguments.multiplier, arguments.seed);
        let before = Record::read(out)?;
        if let Some(before) = &before {
            machine.knows(&before.machine)?;
            before.check(&facts, multiplier, seed, out)?;
        }
        let is_continued = before.is_some();
        let mut record = before.unwrap_or_else(|| Record {
            // The time in seconds is unique enough, and short enough to type.
            seed: seed.unwrap_or_else(|| Timestamp::now().as_second() as u32),
            multiplier,
            machine: facts,
            ..Record::default()
        });
        let command = command_line(seed.is_none().then_some(record.seed));
        if !record.commands.contains(&command) {
            record.commands.push(command);
        }
        Ok(Self {
            arguments,
            out,
            machine,
            record,
            is_continued,
        })
    }

    /// Returns the suites with their scenarios, each scenario in the first suite that has it.
    pub(super) fn suites(&self) -> Vec<(Suite, Vec<Scenario>)> {
        let mut seen = HashSet::new();
        let suites = Suite::each(&self.arguments.suite).into_iter().map(|suite| {
            let mut scenarios = suite.scenarios(self.machine.processors);
            scenarios.retain(|s| suite::wanted(s, |label| self.arguments.filter.wants(label)));
            scenarios.retain(|s| seen.insert((suite.is_counted(), s.clone())));
            (suite, scenarios)
        });
        suites
            .filter(|(_, scenarios)| !scenarios.is_empty())
            .collect()
    }

    /// Returns the key types that need certificates.
    pub(super) fn keys(&self) -> BTreeSet<KeyType> {
        let suites = self.suites().into_iter();
        let scenarios = suites.flat_map(|(_, scenarios)| scenarios);
        let connecting = scenarios.filter(|s| !s.workload.is_of_build());
        connecting.map(|s| s.key_or_default()).collect()
    }

    /// Returns the program to measure twice, if any: the one that has a control already, else the
    /// first. With `auto` there is none if a program outside of `ids` has a control.
    pub(super) fn controlled<'i>(&self, ids: &[&'i str]) -> Option<&'i str> {
        let has_control = |id: &&&str| self.record.programs.contains_key(&control_id(id));
        let named = ids.iter().find(has_control).or(ids.first()).copied();
        let others = self.record.programs.keys();
        let is_elsewhere = others
            .filter(|id| id.ends_with(CONTROL))
            .any(|id| ids.iter().all(|named| *id != control_id(named)));
        let is_wanted = match self.arguments.control {
            Control::Always => true,
            Control::Never => false,
            Control::Auto => self.first_runs() >= MIN_CONTROLLED_RUNS && !is_elsewhere,
        };
        named.filter(|_| is_wanted)
    }

    /// Returns the runs of the suite with the most, before `--until` adds any.
    fn first_runs(&self) -> u32 {
        let first = self.arguments.first_runs();
        let runs_of = |suite: Suite| self.arguments.runs_of(suite, first);
        let all = Suite::each(&self.arguments.suite).into_iter().map(runs_of);
        all.max().unwrap_or_default()
    }

    pub(super) fn steps(&self, ids: &[&str], runs: u32) -> Result<Vec<Step>> {
        let (done, seed) = (Done::read(self.out, ids)?, self.record.seed);
        let mut steps = plan::steps(ids, &self.suites(), runs, seed, &done)?;
        // A control is the same program, with the same footprint.
        let is_control = |step: &Step| ids[step.program].ends_with(CONTROL);
        steps.retain(|step| {
            let is_again = step.suite == Suite::Footprint && is_control(step);
            step.run <= self.arguments.runs_of(step.suite, runs) && !is_again
        });
        Ok(steps)
    }

    pub(super) fn print(
        &self,
        targets: &[Target],
        cache: &BuildCache,
        times: &Times,
    ) -> Result<()> {
        let runs = self.first_runs();
        let mut text = list(targets, cache, times)?;
        let ids = targets.iter().map(|target| cache.results(target));
        let mut ids: Vec<String> = ids.collect::<Result<_>>()?;
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        if let Some(id) = self.controlled(&names) {
            text += &format!("\ncontrol: {id} a second time\n");
            ids.push(control_id(id));
        }
        for (suite, scenarios) in self.suites() {
            text += &format!("\n{}:\n", suite.word());
            text.extend(scenarios.iter().map(|scenario| format!("  {scenario}\n")));
        }
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let steps = self.steps(&ids, runs)?;
        let processes: usize = steps.iter().map(|s| s.scenarios.len()).sum();
        let seed = match (self.is_continued, self.arguments.seed) {
            (false, None) => "a new seed".to_owned(),
            _ => format!("seed {}", self.record.seed),
        };
        let all = steps.iter().map(|step| (ids[step.program], step));
        let time = times.of(all);
        let time = time.map_or("not known yet".to_owned(), |t| {
            format!("about {}", duration(t))
        });
        let runs = count(runs as usize, "run");
        text += &format!(
            "\n{runs} in random order ({seed}); {processes} processes to go; time: {time}\n"
        );
        print(&text)
    }
}

/// Returns this program's command line, with a seed that was not given.
fn command_line(seed: Option<u32>) -> String {
    let mut command = "generator".to_owned();
    for word in env::args_os().skip(1) {
        command += &format!(" {}", escape::shell(&word.to_string_lossy()));
    }
    if let Some(seed) = seed {
        command += &format!(" --seed {seed}");
    }
    command
}

/// Lists the targets, one per line, with release day and whether they are built.
fn list(targets: &[Target], cache: &BuildCache, times: &Times) -> Result<String> {
    let mut text = String::new();
    let width = targets.iter().map(|t| t.name().chars().count()).max();
    let width = width.unwrap_or_default();
    for target in targets {
        let time = times.of_build(target).map(duration);
        let time = time.map_or("time unknown".to_owned(), |t| format!("about {t}"));
        let state = match cache.has(target)? {
            true => "built".to_owned(),
            false => format!("to be built ({time})"),
        };
        let day = target
            .released
            .map_or("-".to_owned(), |day| day.to_string());
        text += &format!("{:<width$}  {day:<10}  {state}\n", target.name());
    }
    Ok(text)
}

/// Looks up all implementations named. A release in two ranges is returned once.
pub(super) fn targets(arguments: &Run, catalog: &mut Catalog) -> Result<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for text in &arguments.implementations {
        let spec = Spec::parse(text)?;
        let found = catalog.find(&spec, arguments.newest)?;
        let is_alone = found.len() == 1;
        for target in found {
            if !targets.iter().any(|t| t.id == target.id) {
                targets.push(target);
            } else if is_alone {
                let name = target.name();
                let message = format!("`{text}` is named twice: it is {name}");
                return Err(Failure::Usage(message));
            }
        }
    }
    Ok(targets)
}
