//! Parses the output of valgrind's callgrind: instructions by the harness's sections, in its text
//! format without name compression.
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
//! of the called function, so that a function with callees has the sum of its lines.

use std::collections::BTreeMap;

/// Path of the harness's functions in which each side does its work, and of `end`, after which
/// callgrind dumps and resets its counts.
pub(super) const SECTIONS: &str = "counts::section::";

/// Instructions counted between two dumps, by section, including callees.
pub(super) type Sections = BTreeMap<String, u64>;

/// Parses a dump file.
///
/// # Errors
/// Names the first line of another form.
pub(super) fn parse(text: &str) -> Result<Sections, String> {
    let mut sections = Sections::new();
    let mut function = "";
    for (line, number) in text.lines().zip(1..) {
        let wrong = || format!("line {number} of callgrind's output: `{line}`");
        if line.starts_with("events:") && line != "events: Ir" {
            return Err(wrong());
        } else if let Some(name) = line.strip_prefix("fn=") {
            function = name;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            let (_, cost) = line.split_once(' ').ok_or_else(wrong)?;
            let cost: u64 = cost.parse().map_err(|_| wrong())?;
            if let Some((_, section)) = function.split_once(SECTIONS) {
                *sections.entry(section.to_owned()).or_default() += cost;
            }
        }
    }
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of callgrind 3.19.0 for a handshake of the harness's toy.
    const TOY: &str = include_str!("../../tests/fixtures/callgrind.out");

    #[test]
    fn sections_include_their_callees() {
        let sections = parse(TOY).expect("a dump");
        let sections: Vec<(&str, u64)> = sections
            .iter()
            .map(|(name, cost)| (name.as_str(), *cost))
            .collect();
        // Computed by hand: 47 + 106 + 44, and 34 + 106 + 32.
        assert_eq!(sections, [("client", 197), ("end", 3), ("server", 172)]);
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
