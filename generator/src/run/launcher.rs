//! Starts measured programs, without address-space randomisation where that is permitted.

use super::process::text;
use std::path::Path;
use std::process::Command;

/// Turns randomisation off, as in the published reports.
const FIXED_ADDRESSES: [&str; 2] = ["setarch", "-R"];

/// Settings with which programs are started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Launcher {
    /// Whether address-space randomisation is off.
    pub(crate) fixed_addresses: bool,
}

impl Launcher {
    /// Tests what is permitted: containers often forbid fixed addresses.
    pub(crate) fn probe() -> Self {
        let [setarch, option] = FIXED_ADDRESSES;
        Self {
            fixed_addresses: text(Command::new(setarch).args([option, "true"])).is_ok(),
        }
    }

    /// Returns a command that runs `program`.
    pub(crate) fn command(&self, program: &Path) -> Command {
        if !self.fixed_addresses {
            return Command::new(program);
        }
        let [setarch, option] = FIXED_ADDRESSES;
        let mut command = Command::new(setarch);
        command.arg(option).arg(program);
        command
    }
}
