//! `generator run` of TLS libraries: builds their programs, which take turns.

use super::{Work, print};
use crate::base::failure::{Failure, Result};
use crate::base::words::count;
use crate::cli::arguments::{Control, Run};
use crate::measure::build::BuildCache;
use crate::measure::build::program::Program;
use crate::measure::libraries::catalog::Catalog;
use crate::measure::libraries::target::Target;
use crate::measure::manifest::{self, Entry};
use crate::measure::records::machine::Machine;
use crate::measure::records::record::{Record, control_id};
use crate::measure::records::results::{MAX_FAILURES, Results};
use crate::measure::suite::{self, Suite};
use crate::measure::turns::instructions;
use crate::measure::turns::measurement::Measurement;
use crate::measure::turns::plan::{self, SuiteRun};
use crate::measure::{process, system};
use crate::model::scenario::Scenario;
use crate::parse::load::Loaded;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::time::Duration;

/// With fewer runs, the difference between two measurements of one program is only chance.
const MIN_CONTROLLED_RUNS: u32 = 6;

/// Measures into `out` unless that is a dry run.
pub(super) fn run(
    arguments: &Run,
    catalog: &Catalog,
    cache: BuildCache,
    work: &Path,
    out: &Path,
) -> Result<()> {
    let targets = targets(arguments, catalog)?;
    let machine = Machine::look()?;
    let suites = suites(arguments, &machine)?;
    if arguments.dry_run {
        return Settings::new(arguments, out, machine, suites)?.print(&targets, &cache);
    }
    cache.check(&targets, catalog)?;
    let _locks = super::lock(work, out)?;
    // It reads the record, which the other measurement may have written until now.
    let mut settings = Settings::new(arguments, out, machine, suites)?;
    process::watch_signals()?;
    let programs = settings.programs(&targets, &cache)?;
    let measurement = settings.measurement(cache)?;
    measurement.clean()?;
    settings.add(&programs)?;
    let ids: Vec<String> = programs.iter().map(|p| p.id.clone()).collect();
    let mut libraries = Libraries {
        results: Results::read(out, &ids)?,
        settings,
        ids,
        programs,
        measurement,
    };
    let missing = super::measure(arguments, out, &mut libraries)?;
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

/// What to measure into a report's folder, from the command line and what the folder holds.
struct Settings<'a> {
    arguments: &'a Run,
    out: &'a Path,
    machine: Machine,
    record: Record,
    suites: Vec<(Suite, Vec<Scenario>)>,
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
    match suites.is_empty() {
        false => Ok(suites),
        true => Err(Failure::Usage(
            "no scenario is left to measure: --filter and --filter-not exclude all".to_owned(),
        )),
    }
}

impl<'a> Settings<'a> {
    fn new(
        arguments: &'a Run,
        out: &'a Path,
        machine: Machine,
        suites: Vec<(Suite, Vec<Scenario>)>,
    ) -> Result<Self> {
        let (multiplier, seed) = (arguments.multiplier, arguments.seed);
        let record = Record::open(out, &machine, None, multiplier, seed)?;
        Ok(Self {
            arguments,
            out,
            machine,
            record,
            suites,
        })
    }

    /// Returns the runs of the suite with the most, before `--until` adds any.
    fn first_runs(&self) -> u32 {
        let first = self.arguments.first_runs();
        let suites = Suite::each(&self.arguments.suite).into_iter();
        let runs = suites.map(|suite| self.arguments.runs_of(suite, first));
        runs.fold(0, u32::max)
    }

    fn steps(&self, ids: &[String], runs: u32, done: &Results) -> Vec<SuiteRun> {
        let runs = |suite| self.arguments.runs_of(suite, runs);
        plan::steps(ids, &self.suites, runs, self.record.seed, done)
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
            Control::Auto => self.first_runs() >= MIN_CONTROLLED_RUNS && (named.is_some() || !any),
        };
        is_wanted.then_some(named.unwrap_or(0))
    }

    /// Prints the targets with their release days and whether they are built, and what is to be
    /// measured.
    fn print(&self, targets: &[Target], cache: &BuildCache) -> Result<()> {
        let (mut text, mut ids) = (String::new(), Vec::new());
        let widths = targets.iter().map(|target| target.name().chars().count());
        let width = widths.fold(0, usize::max);
        for target in targets {
            // Its results are found by the version that it reports.
            let (id, day, state) = match cache.built(target)? {
                Some(program) => (program.id, program.released, "built"),
                None => (target.id.clone(), target.released, "to be built"),
            };
            ids.push(id);
            let day = day.map_or("-".to_owned(), |day| day.to_string());
            text += &format!("{:<width$}  {day:<10}  {state}\n", target.name());
        }
        if let Some(index) = self.controlled(&ids) {
            text += &format!("\ncontrol: {} a second time\n", ids[index]);
            ids.push(control_id(&ids[index]));
        }
        for (suite, scenarios) in &self.suites {
            text += &format!("\n{}:\n", suite.word());
            text.extend(scenarios.iter().map(|scenario| format!("  {scenario}\n")));
        }
        let runs = self.first_runs();
        let steps = self.steps(&ids, runs, &Results::read(self.out, &ids)?);
        let processes: usize = steps.iter().map(SuiteRun::processes).sum();
        let runs = count(runs as usize, "run");
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
                    program.identity
                )));
            }
            programs.push(program);
        }
        let ids: Vec<String> = programs.iter().map(|p| p.id.clone()).collect();
        let control = self.controlled(&ids).map(|index| programs[index].control());
        programs.extend(control);
        Ok(programs)
    }

    /// Adds programs to the record and to `report.toml`.
    fn add(&mut self, programs: &[Program]) -> Result<()> {
        let suites = Suite::each(&self.arguments.suite);
        let kinds: BTreeSet<bool> = suites.into_iter().map(Suite::is_counted).collect();
        for program in programs {
            // Counts first: their error asks the user to remove fewer files.
            for is_counted in kinds.iter().rev() {
                program.add_to(&mut self.record, *is_counted, self.out)?;
            }
        }
        self.record.write(self.out)?;
        let entries = programs.iter().map(|p| manifest::program(p, self.out));
        let entries: Vec<Entry<'_>> = entries.collect::<Result<_>>()?;
        manifest::write(self.out, &self.machine, &self.record, &entries)
    }

    /// Prepares to measure steps.
    fn measurement(&self, cache: BuildCache) -> Result<Measurement> {
        let is_counting = Suite::each(&self.arguments.suite).contains(&Suite::Counts);
        let valgrind = match is_counting {
            true => instructions::valgrind()?,
            false => None,
        };
        Ok(Measurement {
            out: self.out.to_owned(),
            cache,
            multiplier: self.arguments.multiplier,
            timeout: Duration::from_secs_f64(self.arguments.timeout),
            fixed_addresses: self.machine.fixed_addresses,
            valgrind,
            processors: system::processors()?,
            slow_control: self.arguments.slow_control,
        })
    }
}

/// Programs that take turns, and what they measured.
struct Libraries<'a> {
    settings: Settings<'a>,
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

    fn machine(&self) -> &Machine {
        &self.settings.machine
    }

    fn left(&self, runs: u32) -> Vec<SuiteRun> {
        self.settings.steps(&self.ids, runs, &self.results)
    }

    fn describe(&self, step: &SuiteRun) -> (String, usize) {
        let (run, suite) = (step.run, step.suite.word());
        (format!("{suite}, run {run}"), step.programs())
    }

    fn measure(&mut self, step: &SuiteRun) -> Result<(usize, Vec<String>)> {
        let mut tried = step.clone();
        for (scenario, programs) in &mut tried.scenarios {
            programs.retain(|program| !self.results.is_given_up(*program, scenario));
        }
        let measured = self.measurement.step(&self.programs, &tried)?;
        let mut missing = step.processes() - tried.processes();
        let (what, _) = self.describe(step);
        let (mut failures, mut done) = (Vec::new(), BTreeMap::new());
        for of in measured {
            let lines = of.lines(step.run);
            match of.rows {
                Ok(mut rows) => {
                    let (all, turns): &mut (Vec<_>, String) = done.entry(of.program).or_default();
                    all.append(&mut rows);
                    *turns += &lines;
                }
                Err(why) => {
                    missing += 1;
                    let scenario = of.scenario;
                    let end = match self.results.fail(of.program, scenario.clone()) {
                        MAX_FAILURES => {
                            format!("\n  not tried again, after {MAX_FAILURES} failures")
                        }
                        _ => String::new(),
                    };
                    let program = &self.programs[of.program].identity;
                    let what = format!("{program}, {what}: `{scenario}`: ");
                    failures.push(format!("{}{end}", why.fatal(what)));
                }
            }
        }
        for (index, (rows, turns)) in done {
            let program = &self.programs[index];
            let identity = program.identity.clone().into();
            let folder = self.settings.out.join(&program.id);
            let of = (&identity, &*folder);
            self.results.write(index, step.part(), of, rows, &turns)?;
        }
        Ok((missing, failures))
    }

    fn results(&self) -> impl Iterator<Item = &Loaded> {
        self.results.files()
    }
}
