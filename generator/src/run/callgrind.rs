//! What valgrind's callgrind writes: instructions by function, in its text format with all names in
//! full.
//!
//! ```text
//! positions: line
//! events: Ir
//!
//! fn=harness::workload::counts::section::client
//! 0 12
//! cfn=SSL_do_handshake
//! calls=3 0
//! 0 7928365
//! ```
//!
//! A line of numbers is a position and a cost: of the function itself, or below `calls=` of what it
//! calls.

use std::collections::BTreeMap;

/// The functions of the harness in which the sides do their work, and the one at whose end
/// callgrind writes what it has counted and starts anew.
pub(super) const SECTIONS: &str = "counts::section::";

/// What was counted between two writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dump {
    /// By section: all that was done within.
    pub(super) sections: BTreeMap<String, u64>,
    /// By function: its own alone.
    pub(super) functions: BTreeMap<String, u64>,
}

/// Reads a file of callgrind's.
///
/// # Errors
/// A line that has another form.
pub(super) fn parse(text: &str) -> Result<Dump, String> {
    let mut dump = Dump::default();
    let mut function = "";
    let mut is_of_call = false;
    for (line, number) in text.lines().zip(1..) {
        let wrong = || format!("line {number} of callgrind's output: `{line}`");
        if line.starts_with("events:") && line != "events: Ir" {
            return Err(wrong());
        } else if let Some(name) = line.strip_prefix("fn=") {
            function = name;
        } else if line.starts_with("calls=") {
            is_of_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            let (_, cost) = line.split_once(' ').ok_or_else(wrong)?;
            let cost: u64 = cost.parse().map_err(|_| wrong())?;
            if let Some((_, section)) = function.split_once(SECTIONS) {
                *dump.sections.entry(section.to_owned()).or_default() += cost;
            }
            if !is_of_call {
                *dump.functions.entry(function.to_owned()).or_default() += cost;
            }
            is_of_call = false;
        }
    }
    Ok(dump)
}
