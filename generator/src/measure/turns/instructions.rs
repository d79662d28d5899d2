//! Counts the instructions of a scenario with valgrind's callgrind, by the harness's sections:
//! parses its text format without name compression.
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

use crate::base::failure::{Failure, Result, io_kind};
use crate::base::slug::slug;
use crate::files;
use crate::measure::build::program::Program;
use crate::measure::process::{self, Stop};
use crate::measure::turns::measurement::Measurement;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{KeyType, Scenario, Side, counts};
use crate::model::unit::Unit;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// Returns the installed version of valgrind, `valgrind-3.19.0`; `None`, with a note, if there is
/// none.
pub(crate) fn valgrind() -> Result<Option<String>> {
    let why = match process::text(Command::new("valgrind").arg("--version")) {
        Ok(version) => return Ok(Some(version.trim().to_owned())),
        Err(Stop::Fatal(Failure::Io(error))) if io_kind(&error) == Some(ErrorKind::NotFound) => {
            format!("{error:#}")
        }
        Err(Stop::Fatal(failure)) => return Err(failure),
        Err(Stop::Failed(why) | Stop::Unsupported(why)) => format!("valgrind: {why}"),
    };
    crate::say!(
        "note: instructions are not counted, but all else is: {why}; to count them too, apt-get install valgrind and give another --out"
    );
    Ok(None)
}

/// Why instructions of a signing server are not counted: ML-DSA signs by rejection sampling.
const RANDOM_COST: &str = "an ML-DSA signature takes a random number of attempts";

impl Measurement {
    /// Returns a row of instructions for each side of a scenario that has a row of calls in `rows`,
    /// which did some work.
    pub(in crate::measure) fn instructions(
        &self,
        program: &Program,
        scenario: &Scenario,
        rows: &[Observation],
    ) -> Result<Vec<Observation>, Stop> {
        let mut rows = rows.to_vec();
        rows.retain(|row| row.unit == Unit::Count("calls"));
        let Some(valgrind) = self.valgrind.as_ref().filter(|_| !rows.is_empty()) else {
            return Ok(Vec::new());
        };
        let dumps = match self.callgrind(program, scenario) {
            // The processor of valgrind lacks what the library needs.
            Err(Stop::Unsupported(why)) => Err(why),
            dumps => Ok(dumps?),
        };
        for row in &mut rows {
            row.unit = Unit::INSTRUCTIONS;
            match &dumps {
                Ok(dumps) => count(row, valgrind, dumps)?,
                Err(why) => unsupported(row, why),
            }
        }
        Ok(rows)
    }

    /// Runs a scenario with a small and a large amount of work, and returns the counts of both.
    fn callgrind(&self, program: &Program, scenario: &Scenario) -> Result<[Sections; 2], Stop> {
        let name = format!("{}-{}", program.id, slug(&scenario.label()));
        let out = self.scratch().join(name.replace('.', "-"));
        let mut command = self.counting(Path::new("valgrind"));
        command
            .args(["-q", "--tool=callgrind"])
            .args(["--compress-strings=no", "--compress-pos=no"])
            .arg(format!("--toggle-collect=*{SECTIONS}*"))
            .arg(format!("--dump-after=*{SECTIONS}end*"))
            .arg(format!("--callgrind-out-file={}", out.display()))
            .arg(&program.path)
            .arg("--certificates")
            .arg(self.cache.certificates())
            .args(["--instructions", &scenario.label()]);
        let failed = |why| Stop::Failed(format!("valgrind: {why}"));
        let printed = match process::printed(&mut command, self.timeout) {
            Err(Stop::Failed(why)) => return Err(failed(why)),
            printed => printed?,
        };
        if let Some(why) = printed.strip_prefix("unsupported ") {
            return Err(Stop::Unsupported(format!(
                "{}, on valgrind's processor",
                why.trim_end()
            )));
        }
        let dump = |number: &str| -> Result<Sections, Stop> {
            let bytes = files::read_optional(&out.with_extension(number))?;
            let bytes = bytes.ok_or_else(|| failed("it wrote no counts".to_owned()))?;
            Ok(parse(&String::from_utf8_lossy(&bytes))?)
        };
        Ok([dump("1")?, dump("2")?])
    }
}

/// Sets a row to the instructions of an operation of its side.
fn count(row: &mut Observation, valgrind: &str, [few, many]: &[Sections; 2]) -> Result<(), String> {
    let scenario = &row.scenario;
    // The harness function in which a side does its work.
    let section = match scenario.side {
        Some(Side::Server | Side::Sending) => "server",
        Some(Side::Client | Side::Receiving) | None => "client",
    };
    if section == "server" && scenario.key.is_some_and(KeyType::is_ml_dsa) {
        unsupported(row, RANDOM_COST);
        return Ok(());
    }
    let of_section = |dump: &Sections| {
        let cost = dump.get(section).copied();
        cost.ok_or_else(|| format!("{valgrind} counted no instructions of the {section}"))
    };
    let [few_operations, many_operations] = counts::sizes(scenario);
    let operations = (many_operations - few_operations) as f64;
    let difference = of_section(many)?.saturating_sub(of_section(few)?) as f64;
    row.value = Value::Number(difference / operations);
    let how = format!("counted by {valgrind}, whose processor has no AVX-512");
    row.caveats.push(how);
    Ok(())
}

fn unsupported(row: &mut Observation, why: &str) {
    row.value = Value::Unsupported(why.to_owned());
    row.caveats.clear();
}

/// Path of the harness's functions in which each side does its work, and of `end`, after which
/// callgrind dumps and resets its counts.
const SECTIONS: &str = "counts::section::";

/// Instructions counted between two dumps, by section, including callees.
type Sections = BTreeMap<String, u64>;

/// Parses a dump file.
///
/// # Errors
/// Names the first line of another form.
fn parse(text: &str) -> Result<Sections, String> {
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
    const TOY: &str = include_str!("../../../tests/fixtures/callgrind.out");

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
