//! What a measurement needs: built programs, their place in the report, and settings of its steps.

use super::plan::RunPlan;
use crate::failure::{Failure, Result};
use crate::fs::{create_folder, lock};
use crate::run::build::BuildCache;
use crate::run::instructions;
use crate::run::interrupt;
use crate::run::manifest;
use crate::run::measure::Measurement;
use crate::run::noise;
use crate::run::program::Program;
use crate::run::progress::duration;
use crate::run::suite::Suite;
use crate::run::target::Target;
use crate::run::times::Times;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A measurement into a report's folder, the only one on this machine.
pub(super) struct Session<'a> {
    pub(super) plan: RunPlan<'a>,
    pub(super) times: Times,
    cache: BuildCache,
    _lock: File,
}

impl<'a> Session<'a> {
    /// Begins a session. Fails at once if another one holds the lock on the folder of all builds.
    pub(super) fn begin(
        plan: RunPlan<'a>,
        cache: BuildCache,
        times: Times,
        work: &Path,
    ) -> Result<Self> {
        create_folder(work)?;
        // Two measurements at once would disturb each other.
        let busy = "another measurement is running, and two would disturb each other";
        let _lock = lock(work, busy)?;
        interrupt::watch()?;
        Ok(Self {
            plan,
            times,
            cache,
            _lock,
        })
    }

    /// Builds programs. Fails if two of them are the same.
    pub(super) fn build_all(&mut self, targets: &[Target]) -> Result<Vec<Program>> {
        self.cache.check(targets)?;
        let mut programs: Vec<Program> = Vec::new();
        for target in targets {
            let program = self.build(target)?;
            if programs.iter().any(|p| p.id == program.id) {
                return Err(Failure::Usage(format!(
                    "two of the implementations are {}: measure one of them, or give them different folders with --out",
                    program.identity
                )));
            }
            programs.push(program);
        }
        Ok(programs)
    }

    /// Builds a program, unless it is in the cache.
    fn build(&mut self, target: &Target) -> Result<Program> {
        let is_new = self.announce(target)?;
        let start = Instant::now();
        let program = self
            .cache
            .build(target)
            .map_err(|f| build_failure(f, target))?;
        if is_new {
            self.times.took_to_build(target, start.elapsed())?;
            let identity = &program.identity;
            crate::inform!("built {identity} in {}", duration(start.elapsed()));
        }
        Ok(program)
    }

    /// Adds programs to the record and to `report.toml`.
    pub(super) fn add(&mut self, programs: &[Program]) -> Result<()> {
        let suites = Suite::each(&self.plan.arguments.suite);
        let kinds: BTreeSet<bool> = suites.into_iter().map(Suite::is_counted).collect();
        let RunPlan {
            out,
            record,
            machine,
            ..
        } = &mut self.plan;
        for program in programs {
            // Counts first: their error asks the user to remove fewer files.
            for is_counted in kinds.iter().rev() {
                record.add(program, *is_counted, out)?;
            }
        }
        create_folder(out)?;
        record.write(out)?;
        manifest::write(out, machine, record, programs)
    }

    /// Warns of what makes figures noisy on this machine.
    pub(super) fn warn(&self) {
        for noise in noise::found(&self.plan.machine) {
            crate::inform!("warning: {}: {}", noise.what, noise.remedy);
        }
    }

    /// Prepares to measure steps. Certificates are made the first time.
    pub(super) fn measurement(&self) -> Result<Measurement> {
        let keys = self.plan.keys();
        let maker = Target::certificates(&keys);
        let certificates = match keys.is_empty() {
            true => Ok(PathBuf::new()),
            false => {
                self.announce(&maker)?;
                self.cache.certificates(&maker, &keys)
            }
        };
        let is_counting = Suite::each(&self.plan.arguments.suite).contains(&Suite::Counts);
        let valgrind = instructions::valgrind().filter(|_| is_counting);
        if is_counting && valgrind.is_none() {
            crate::say!("note: {}", instructions::MISSING);
        }
        Ok(Measurement {
            out: self.plan.out.to_owned(),
            cache: self.cache.clone(),
            certificates: certificates.map_err(|failure| build_failure(failure, &maker))?,
            multiplier: self.plan.arguments.multiplier,
            timeout: Duration::from_secs_f64(self.plan.arguments.timeout),
            launcher: self.plan.machine.launcher.clone(),
            valgrind,
        })
    }

    /// Announces a build, and returns whether one is needed.
    fn announce(&self, target: &Target) -> Result<bool> {
        let is_new = !self.cache.has(target)?;
        if is_new {
            crate::inform!("building {} …", target.name());
        }
        Ok(is_new)
    }
}

fn build_failure(failure: Failure, target: &Target) -> Failure {
    let name = target.name();
    failure.interrupted(|message| {
        format!("{message} while {name} was built; the same command continues")
    })
}
