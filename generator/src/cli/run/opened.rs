//! The machine that measures, and the folder that it measures into.

use crate::base::escape;
use crate::base::failure::Result;
use crate::cli::arguments::Run;
use crate::measure::machine::Machine;
use crate::measure::noise;
use crate::measure::record::{self, Record};
use jiff::Timestamp;
use std::env;
use std::path::Path;

/// The machine, and what the report's folder holds.
pub(super) struct Opened {
    pub(super) machine: Machine,
    /// The folder's record, or a new one.
    pub(super) record: Record,
    pub(super) is_continued: bool,
}

impl Opened {
    /// Looks at the machine and the folder. Fails if results would not be comparable with those in it.
    pub(super) fn of(arguments: &Run, out: &Path) -> Result<Self> {
        record::check_folder(out)?;
        let machine = Machine::look()?;
        let (facts, multiplier, seed) = (machine.facts(), arguments.multiplier, arguments.seed);
        let before = Record::read(out)?;
        if let Some(before) = &before {
            machine.knows(&before.machine)?;
            before.check(&facts, multiplier, seed, out)?;
            before.check_command(arguments.command.as_deref(), out)?;
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
            machine,
            record,
            is_continued,
        })
    }
}

/// Warns of what makes figures noisy on this machine.
pub(super) fn warn(machine: &Machine) {
    for noise in noise::found(machine) {
        crate::inform!("warning: {}: {}", noise.what, noise.remedy);
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
