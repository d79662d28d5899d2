//! The machine that measures, and the folder that it measures into.

use crate::base::escape;
use crate::base::failure::Result;
use crate::cli::arguments::Run;
use crate::measure::machine::Machine;
use crate::measure::noise;
use crate::measure::record::Record;
use jiff::Timestamp;
use std::env;
use std::path::Path;

/// The machine, and what the report's folder holds.
pub(super) struct Opened {
    pub(super) machine: Machine,
    /// The folder's record, or a new one.
    pub(super) record: Record,
}

impl Opened {
    /// Looks at the machine and the folder. Fails if results would not be comparable with those in it.
    pub(super) fn of(arguments: &Run, out: &Path) -> Result<Self> {
        let machine = Machine::look()?;
        let seed = arguments.seed;
        let mut record = match Record::read(out)? {
            Some(before) => {
                machine.check(&before.machine, out)?;
                before.check(
                    arguments.command.as_deref(),
                    arguments.multiplier,
                    seed,
                    out,
                )?;
                before
            }
            None => Record {
                // The time in seconds is unique enough, and short enough to type.
                seed: seed.unwrap_or_else(|| Timestamp::now().as_second() as u32),
                multiplier: arguments.multiplier,
                machine: machine.facts(),
                ..Record::default()
            },
        };
        let command = command_line(seed.is_none().then_some(record.seed));
        if !record.commands.contains(&command) {
            record.commands.push(command);
        }
        Ok(Self { machine, record })
    }

    /// Says what there is to measure, and warns of what makes figures noisy on this machine.
    pub(super) fn announce(&self, out: &Path, open: &str, is_complete: bool) {
        let out = out.display();
        if is_complete {
            crate::inform!("{out} has all of these results already");
            return;
        }
        for noise in noise::found(&self.machine) {
            crate::inform!("warning: {}: {}", noise.what, noise.remedy);
        }
        crate::inform!(
            "{open} to measure into {out}; interrupt at any time, the same command continues"
        );
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
