//! What a measurement consists of, by the command line and by what the folder holds.

use super::{print, seconds};
use crate::cli::Run;
use crate::failure::{Failure, Result};
use crate::run::build::{Built, Workshop};
use crate::run::catalog::{Catalog, Target};
use crate::run::folder;
use crate::run::machine::Machine;
use crate::run::meter;
use crate::run::plan::{self, Batch, Done, Step};
use crate::run::process::Launcher;
use crate::run::record::Record;
use crate::run::spec::Spec;
use crate::run::suite::{self, Suite};
use crate::run::times::Times;
use std::fmt::Write;
use std::path::Path;

/// What was asked for, looked up.
pub(super) struct Job<'a> {
    arguments: &'a Run,
    out: &'a Path,
    pub(super) targets: Vec<Target>,
    pub(super) machine: Machine,
    pub(super) launcher: Launcher,
    before: Option<Record>,
}

impl<'a> Job<'a> {
    pub(super) fn new(arguments: &'a Run, catalog: &Catalog, out: &'a Path) -> Result<Self> {
        let mut targets: Vec<Target> = Vec::new();
        for text in &arguments.implementations {
            let target = catalog.find(&Spec::parse(text)?)?;
            if targets.iter().any(|t| t.id == target.id) {
                return Err(Failure::Usage(format!(
                    "`{text}` is named twice: it is {}",
                    target.name()
                )));
            }
            targets.push(target);
        }
        folder::check(out)?;
        let machine = Machine::look();
        let before = Record::read(out)?;
        if let Some(before) = &before {
            before.agree(&machine.facts(), arguments.multiplier, out)?;
            if let Some(seed) = arguments.seed.filter(|s| *s != before.seed) {
                return Err(Failure::Usage(format!(
                    "{} was begun with --seed {}, not {seed}: leave it out to continue",
                    out.display(),
                    before.seed
                )));
            }
        }
        Ok(Self {
            arguments,
            out,
            targets,
            machine,
            launcher: Launcher::probe(),
            before,
        })
    }

    fn seed(&self) -> u32 {
        let before = self.before.as_ref().map(|b| b.seed);
        // Seconds tell measurements apart, and are short enough to type.
        before
            .or(self.arguments.seed)
            .unwrap_or_else(|| seconds() as u32)
    }

    pub(super) fn record(&self, programs: &[Built]) -> Result<Record> {
        let mut record = self.before.clone().unwrap_or_else(|| Record {
            seed: self.seed(),
            multiplier: self.arguments.multiplier,
            machine: self.machine.facts(),
            programs: Default::default(),
        });
        for built in programs {
            record.add(built, self.out)?;
        }
        Ok(record)
    }

    fn batches(&self) -> Vec<Batch> {
        let arguments = self.arguments;
        let wanted = |label: &String| {
            suite::wanted(
                label,
                arguments.filter.as_ref(),
                arguments.filter_not.as_ref(),
            )
        };
        let batch = |suite: Suite| Batch {
            suite,
            labels: suite
                .labels(self.machine.processors)
                .into_iter()
                .filter(wanted)
                .collect(),
        };
        let batches = Suite::each(&arguments.suite).into_iter().map(batch);
        batches.filter(|b| !b.labels.is_empty()).collect()
    }

    pub(super) fn steps(&self, ids: &[&str], seed: u32) -> Result<Vec<Step>> {
        let done = Done::read(self.out, ids.iter().copied())?;
        plan::steps(ids, &self.batches(), self.arguments.runs, seed, &done)
    }

    pub(super) fn print_plan(&self, workshop: &Workshop) -> Result<()> {
        let ids: Vec<String> = self.targets.iter().map(|t| workshop.results(t)).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let steps = self.steps(&ids, self.seed())?;
        let mut text = String::new();
        for target in &self.targets {
            let state = if workshop.has(target) {
                "built"
            } else {
                "to be built"
            };
            let _ = writeln!(text, "{:<32} {state}", target.name());
        }
        for batch in self.batches() {
            let _ = writeln!(text, "\n{}:", batch.suite.word());
            batch.labels.iter().for_each(|label| {
                let _ = writeln!(text, "  {label}");
            });
        }
        let processes: usize = steps.iter().map(|s| s.labels.len()).sum();
        let seed = match (&self.before, self.arguments.seed) {
            (None, None) => "a new seed".to_owned(),
            _ => format!("seed {}", self.seed()),
        };
        let times = Times::read(&workshop.work);
        let all = steps.iter().map(|step| (ids[step.program], step));
        let time = times.of_all(all, self.arguments.multiplier);
        let time = time.map_or("not known yet".to_owned(), |t| {
            format!("about {}", meter::duration(t))
        });
        let _ = writeln!(
            text,
            "\n{} runs in random order ({seed}); {processes} processes to go; time: {time}",
            self.arguments.runs
        );
        print(&text)
    }
}
