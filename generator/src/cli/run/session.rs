//! A measurement from the command line and what its folder holds: its plan, its programs, and the
//! settings of its steps.

use super::opened::Opened;
use super::print;
use super::steps::Collected;
use crate::base::failure::{Failure, Result};
use crate::base::words::count;
use crate::cli::arguments::{Control, Run};
use crate::measure::build::BuildCache;
use crate::measure::catalog::Catalog;
use crate::measure::measurement::Measurement;
use crate::measure::plan::{Done, Step};
use crate::measure::program::{Program, control_id};
use crate::measure::record::CONTROL;
use crate::measure::results::FileName;
use crate::measure::spec::Spec;
use crate::measure::suite::{self, Suite};
use crate::measure::system::processors;
use crate::measure::target::Target;
use crate::measure::{instructions, manifest, plan};
use crate::model::scenario::{KeyType, Scenario};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// With fewer runs, the difference between two measurements of one program is only chance.
const MIN_CONTROLLED_RUNS: u32 = 6;

/// A measurement to make or to continue, into a report's folder.
pub(super) struct Session<'a> {
    arguments: &'a Run,
    out: &'a Path,
    opened: Opened,
    cache: BuildCache,
}

impl<'a> Session<'a> {
    pub(super) fn new(arguments: &'a Run, out: &'a Path, cache: BuildCache) -> Result<Self> {
        Ok(Self {
            opened: Opened::of(arguments, out)?,
            arguments,
            out,
            cache,
        })
    }

    /// Returns the suites with their scenarios, each scenario in the first suite that has it.
    fn suites(&self) -> Vec<(Suite, Vec<Scenario>)> {
        let mut seen = HashSet::new();
        let suites = Suite::each(&self.arguments.suite).into_iter().map(|suite| {
            let mut scenarios = suite.scenarios(self.opened.machine.processors);
            scenarios.retain(|s| suite::wanted(s, |label| self.arguments.filter.wants(label)));
            scenarios.retain(|s| seen.insert((suite.is_counted(), s.clone())));
            (suite, scenarios)
        });
        suites
            .filter(|(_, scenarios)| !scenarios.is_empty())
            .collect()
    }

    /// Returns the key types that need certificates.
    fn keys(&self) -> BTreeSet<KeyType> {
        let suites = self.suites().into_iter();
        let scenarios = suites.flat_map(|(_, scenarios)| scenarios);
        let connecting = scenarios.filter(|s| !s.workload.is_of_build());
        connecting.map(|s| s.key_or_default()).collect()
    }

    /// Returns the index of the program to measure twice, if any: the one that has a control already,
    /// else the first. With `auto` there is none if a program outside of `ids` has a control.
    fn controlled(&self, ids: &[String]) -> Option<usize> {
        let known = &self.opened.record.programs;
        let has_control = |id: &String| known.contains_key(&control_id(id));
        let named = ids.iter().position(has_control);
        let any = known.keys().any(|id| id.ends_with(CONTROL));
        let is_wanted = match self.arguments.control {
            Control::Always => true,
            Control::Never => false,
            Control::Auto => self.first_runs() >= MIN_CONTROLLED_RUNS && (named.is_some() || !any),
        };
        is_wanted.then_some(named.unwrap_or(0))
    }

    /// Returns the runs of the suite with the most, before `--until` adds any.
    fn first_runs(&self) -> u32 {
        let first = self.arguments.first_runs();
        let suites = Suite::each(&self.arguments.suite).into_iter();
        let runs = suites.map(|suite| self.arguments.runs_of(suite, first));
        runs.fold(0, u32::max)
    }

    pub(super) fn steps(&self, ids: &[String], runs: u32, done: &Done) -> Result<Vec<Step>> {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let is_wanted = |id: &str, name: FileName| {
            // A control is the same program, with the same footprint.
            let is_again = name.suite == Suite::Footprint && id.ends_with(CONTROL);
            name.run <= self.arguments.runs_of(name.suite, runs) && !is_again
        };
        plan::steps(
            &ids,
            &self.suites(),
            runs,
            self.opened.record.seed,
            done,
            is_wanted,
        )
    }

    /// Prints the plan: the targets with their release days and whether they are built, and what is
    /// to be measured.
    pub(super) fn print(&self, targets: &[Target]) -> Result<()> {
        let (mut text, mut ids) = (String::new(), Vec::new());
        let widths = targets.iter().map(|target| target.name().chars().count());
        let width = widths.fold(0, usize::max);
        for target in targets {
            ids.push(self.cache.results(target)?);
            let day = target.released.map(|day| day.to_string());
            let day = day.as_deref().unwrap_or("-");
            let state = match self.cache.has(target)? {
                true => "built",
                false => "to be built",
            };
            text += &format!("{:<width$}  {day:<10}  {state}\n", target.name());
        }
        if let Some(index) = self.controlled(&ids) {
            text += &format!("\ncontrol: {} a second time\n", ids[index]);
            ids.push(control_id(&ids[index]));
        }
        for (suite, scenarios) in self.suites() {
            text += &format!("\n{}:\n", suite.word());
            text.extend(scenarios.iter().map(|scenario| format!("  {scenario}\n")));
        }
        let runs = self.first_runs();
        let steps = self.steps(&ids, runs, &Collected::read(self.out, &ids)?.done)?;
        let processes: usize = steps.iter().map(Step::processes).sum();
        let runs = count(runs as usize, "run");
        text += &format!("\n{runs} in random order; {processes} processes to go\n");
        print(&text)
    }

    /// Builds programs, of which one may be there a second time as the control. Fails if two of them
    /// are the same.
    pub(super) fn programs(&self, targets: &[Target]) -> Result<Vec<Program>> {
        self.cache.check(targets)?;
        let mut programs: Vec<Program> = Vec::new();
        for target in targets {
            let program = self.building(target, || self.cache.build(target))?;
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

    /// Builds something of `target`, which is announced unless it is in the cache.
    fn building<T>(&self, target: &Target, build: impl FnOnce() -> Result<T>) -> Result<T> {
        let name = target.name();
        if !self.cache.has(target)? {
            crate::inform!("building {name} …");
        }
        build().map_err(|failure| {
            failure.interrupted(|message| {
                format!("{message} while {name} was built; the same command continues")
            })
        })
    }

    /// Adds programs to the record and to `report.toml`.
    pub(super) fn add(&mut self, programs: &[Program]) -> Result<()> {
        let suites = Suite::each(&self.arguments.suite);
        let kinds: BTreeSet<bool> = suites.into_iter().map(Suite::is_counted).collect();
        for program in programs {
            // Counts first: their error asks the user to remove fewer files.
            for is_counted in kinds.iter().rev() {
                self.opened.record.add(program, *is_counted, self.out)?;
            }
        }
        self.opened.record.write(self.out)?;
        manifest::write(
            self.out,
            &self.opened.machine,
            &self.opened.record,
            programs,
        )
    }

    /// Says what is measured, and warns of what makes figures noisy on this machine.
    pub(super) fn announce(&self, steps: &[Step]) {
        let files = count(steps.iter().map(Step::files).sum(), "file");
        let open = format!("{files} of results");
        self.opened.announce(self.out, &open, steps.is_empty());
    }

    /// Prepares to measure steps. Certificates are made the first time.
    pub(super) fn measurement(&self) -> Result<Measurement> {
        let keys = self.keys();
        let maker = Target::certificates(&keys);
        let certificates = match keys.is_empty() {
            true => PathBuf::new(),
            false => self.building(&maker, || self.cache.certificates(&maker, &keys))?,
        };
        let is_counting = Suite::each(&self.arguments.suite).contains(&Suite::Counts);
        let valgrind = is_counting.then(instructions::valgrind).transpose();
        let valgrind = valgrind.unwrap_or_else(|why| {
            crate::say!(
                "note: instructions are not counted, but all else is: {why}; to count them too, apt-get install valgrind and give another --out"
            );
            None
        });
        Ok(Measurement {
            out: self.out.to_owned(),
            cache: self.cache.clone(),
            certificates,
            multiplier: self.arguments.multiplier,
            timeout: Duration::from_secs_f64(self.arguments.timeout),
            fixed_addresses: self.opened.machine.fixed_addresses,
            valgrind,
            processors: processors()?,
            slow_control: self.arguments.slow_control,
        })
    }
}

/// Looks up all implementations named. A release in two ranges is returned once.
pub(super) fn targets(arguments: &Run, catalog: &Catalog) -> Result<Vec<Target>> {
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
