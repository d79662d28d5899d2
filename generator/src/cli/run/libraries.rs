//! `generator run` of TLS libraries: builds their programs, which take turns.

use super::{Work, print};
use crate::base::failure::{Failure, Result};
use crate::base::words::count;
use crate::cli::arguments::{Control, Run};
use crate::measure::build::BuildCache;
use crate::measure::build::program::Program;
use crate::measure::libraries::catalog::Catalog;
use crate::measure::libraries::target::Target;
use crate::measure::manifest;
use crate::measure::records::machine::Machine;
use crate::measure::records::record::{Record, control_id};
use crate::measure::records::results::Results;
use crate::measure::suite::{self, Suite};
use crate::measure::turns::instructions;
use crate::measure::turns::measurement::Measurement;
use crate::measure::turns::plan::{self, SuiteRun};
use crate::measure::{process, system};
use crate::model::scenario::Scenario;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// With fewer runs, the difference between two measurements of one program is only chance.
const MIN_CONTROLLED_RUNS: u32 = 6;

/// Measures into `out` unless that is a dry run.
pub(super) fn run(arguments: &Run, catalog: &Catalog, cache: BuildCache, out: &Path) -> Result<()> {
    let targets = targets(arguments, catalog)?;
    let machine = Machine::look()?;
    let suites = suites(arguments, &machine)?;
    let _locks = match arguments.dry_run {
        true => None,
        false => {
            cache.check(&targets)?;
            Some(super::lock(&cache.work, out)?)
        }
    };
    // Another measurement may have written it until now.
    let (multiplier, seed) = (arguments.multiplier, arguments.seed);
    let mut plan = Plan {
        arguments,
        record: Record::open(out, &machine.facts, None, multiplier, seed)?,
        suites,
    };
    if arguments.dry_run {
        return plan.print(&targets, out);
    }
    process::watch_signals()?;
    let programs = plan.programs(&targets, &cache)?;
    let measurement = Measurement {
        out: out.to_owned(),
        cache,
        multiplier: arguments.multiplier,
        timeout: Duration::from_secs_f64(arguments.timeout),
        valgrind: match arguments.suite.contains(&Suite::Counts) {
            true => instructions::valgrind()?,
            false => None,
        },
        processors: system::processors()?,
    };
    measurement.clean()?;

    for program in &programs {
        program.add_to(&mut plan.record, out)?;
    }
    plan.record.write(out)?;
    let entries = programs.iter().map(|p| manifest::program(p, out));
    let entries: Vec<_> = entries.collect::<Result<_>>()?;
    manifest::write(out, &machine, &plan.record, &entries)?;

    let ids: Vec<String> = programs.iter().map(|p| p.id.clone()).collect();
    let mut libraries = Libraries {
        plan,
        results: Results::read(out, &ids)?,
        ids,
        programs,
        measurement,
    };
    let missing = super::measure(arguments, out, &machine, &mut libraries)?;
    super::finish(out, missing)
}

/// Looks up all implementations named. A release in two ranges is returned once.
fn targets(arguments: &Run, catalog: &Catalog) -> Result<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for text in &arguments.implementations {
        let found = catalog.find(text, arguments.newest)?;
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

/// The suites with their scenarios, each scenario in the first suite that has it. Fails if there are
/// none.
fn suites(arguments: &Run, machine: &Machine) -> Result<Vec<(Suite, Vec<Scenario>)>> {
    let (mut seen, mut suites) = (HashSet::new(), Vec::new());
    for suite in Suite::each(&arguments.suite) {
        let mut scenarios = suite.scenarios(machine.processors);
        scenarios.retain(|s| suite::wanted(s, |label| arguments.filter.wants(label)));
        scenarios.retain(|s| seen.insert((suite.is_counted(), s.clone())));
        if !scenarios.is_empty() {
            suites.push((suite, scenarios));
        }
    }
    if suites.is_empty() {
        let why = "no scenario is left to measure: --filter and --filter-not exclude all";
        return Err(Failure::Usage(why.to_owned()));
    }
    Ok(suites)
}

/// What to measure, from the command line and what the report's folder holds.
struct Plan<'a> {
    arguments: &'a Run,
    record: Record,
    suites: Vec<(Suite, Vec<Scenario>)>,
}

impl Plan<'_> {
    /// Returns the runs of the suite with the most.
    fn runs(&self) -> u32 {
        let suites = Suite::each(&self.arguments.suite).into_iter();
        let runs = suites.map(|suite| self.arguments.runs_of(Some(suite)));
        runs.fold(0, u32::max)
    }

    fn left(&self, ids: &[String], done: &Results) -> Vec<SuiteRun> {
        let runs = |suite| self.arguments.runs_of(Some(suite));
        plan::left(ids, &self.suites, runs, self.record.seed, done)
    }

    /// Returns the index of the program to measure twice, if any: the one that has a control already,
    /// else the first. With `auto` there is none if a program outside of `ids` has a control.
    fn controlled(&self, ids: &[String]) -> Option<usize> {
        let known = &self.record.programs;
        let has_control = |id: &String| known.contains_key(&control_id(id));
        let named = ids.iter().position(has_control);
        let any = known.keys().any(|id| self.record.is_control(id));
        let is_wanted = match self.arguments.control {
            Control::Always => true,
            Control::Never => false,
            Control::Auto => self.runs() >= MIN_CONTROLLED_RUNS && (named.is_some() || !any),
        };
        is_wanted.then_some(named.unwrap_or(0))
    }

    /// Prints the targets with their release days, and what is to be measured.
    fn print(&self, targets: &[Target], out: &Path) -> Result<()> {
        let mut text = String::new();
        let widths = targets.iter().map(|target| target.name().chars().count());
        let width = widths.fold(0, usize::max);
        for target in targets {
            let day = target
                .released
                .map_or("-".to_owned(), |day| day.to_string());
            text += &format!("{:<width$}  {day}\n", target.name());
        }
        // A library that says its own version is in another folder.
        let mut ids = Vec::from_iter(targets.iter().map(|target| target.id.clone()));
        if let Some(index) = self.controlled(&ids) {
            text += &format!("\ncontrol: {} a second time\n", ids[index]);
            ids.push(control_id(&ids[index]));
        }
        for (suite, scenarios) in &self.suites {
            text += &format!("\n{}:\n", suite.word());
            text.extend(scenarios.iter().map(|scenario| format!("  {scenario}\n")));
        }
        let left = self.left(&ids, &Results::read(out, &ids)?);
        let processes: usize = left.iter().map(SuiteRun::processes).sum();
        let runs = count(self.runs() as usize, "run");
        text += &format!("\n{runs} in random order; {processes} processes to go\n");
        print(&text)
    }

    /// Builds programs, of which one may be there a second time as the control. Fails if two of them
    /// are the same.
    fn programs(&self, targets: &[Target], cache: &BuildCache) -> Result<Vec<Program>> {
        let mut programs: Vec<Program> = Vec::new();
        for target in targets {
            let program = cache.build(target)?;
            if programs.iter().any(|p| p.id == program.id) {
                return Err(Failure::Usage(format!(
                    "two of the implementations are {}: measure one of them, or give them different folders with --out",
                    program.identity()
                )));
            }
            programs.push(program);
        }
        let ids: Vec<String> = programs.iter().map(|p| p.id.clone()).collect();
        let control = self.controlled(&ids).map(|index| programs[index].control());
        programs.extend(control);
        Ok(programs)
    }
}

/// Programs that take turns, and what they measured.
struct Libraries<'a> {
    plan: Plan<'a>,
    programs: Vec<Program>,
    /// Their results folders.
    ids: Vec<String>,
    measurement: Measurement,
    results: Results,
}

impl Work for Libraries<'_> {
    type Step = SuiteRun;

    fn count(results: usize) -> String {
        count(results, "run") + " of a suite"
    }

    fn left(&self) -> Vec<SuiteRun> {
        self.plan.left(&self.ids, &self.results)
    }

    fn prepare(&mut self, _: &[SuiteRun]) -> Result<()> {
        Ok(())
    }

    fn describe(&self, run: &SuiteRun) -> (String, usize) {
        (run.name(), run.programs())
    }

    fn measure(&mut self, run: &SuiteRun) -> Result<Vec<String>> {
        let (measured, failures) = self.measurement.run(&self.programs, run)?;
        for (index, (rows, turns)) in measured {
            let identity = self.programs[index].identity();
            self.results
                .write(index, run.part(), identity, rows, &turns)?;
        }
        Ok(failures)
    }

    fn results(&self) -> &Results {
        &self.results
    }
}
