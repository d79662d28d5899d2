//! Parses the output of valgrind's callgrind: instructions by function, in its text format without
//! name compression.
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
//! A line of numbers is a position and a cost: that of the function itself, or after `calls=` that
//! of the called function.

use std::collections::BTreeMap;

/// Path of the harness's functions in which each side does its work, and of `end`, after which
/// callgrind dumps and resets its counts.
pub(super) const SECTIONS: &str = "counts::section::";

/// Instructions counted between two dumps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dump {
    /// By section, including callees.
    pub(super) sections: BTreeMap<String, u64>,
    /// By function, without callees.
    pub(super) functions: BTreeMap<String, u64>,
}

/// Parses a dump file.
///
/// # Errors
/// Names the first line of another form.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of callgrind 3.19.0 for a handshake of the harness's toy.
    const TOY: &str = include_str!("../../tests/fixtures/callgrind.out");

    #[test]
    fn sides_and_functions() {
        let dump = parse(TOY).expect("a dump");
        let sections = dump
            .sections
            .iter()
            .map(|(name, cost)| (name.as_str(), *cost));
        let sections: Vec<(&str, u64)> = sections.collect();
        // Computed by hand: 47 + 106 + 44, and 34 + 106 + 32.
        assert_eq!(sections, [("client", 197), ("end", 3), ("server", 172)]);
        assert_eq!(dump.functions["malloc"], 76);
        // 30 of its own before the call, 20 after it.
        assert_eq!(dump.functions["<alloc::raw_vec::RawVec<u8>>::grow_one"], 50);
        let all: u64 = dump.functions.values().sum();
        assert_eq!(all, 372, "callgrind's own total");
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            (
                "events: Ir Dr\n",
                "line 1 of callgrind's output: `events: Ir Dr`",
            ),
            ("fn=f\n12\n", "line 2 of callgrind's output: `12`"),
            ("fn=f\n12 x\n", "line 2 of callgrind's output: `12 x`"),
        ] {
            assert_eq!(parse(text), Err(line.to_owned()));
        }
    }
}
