//! Counts the instructions and allocations of each side of a scenario with valgrind's callgrind, whose
//! text format without name compression it parses. Only what the harness's functions for the side call
//! is collected: the cost of each instruction, after its address and line.
//!
//! ```text
//! fn=malloc
//! 0x4a1c50 0 12
//! 0x4a1c55 0 12
//! cfn=_int_malloc
//! calls=3 0x4a1000 0
//! 0x4a1c5a 0 7928365
//! totals: 7928389
//! ```
//!
//! The number of calls counts what is not collected too. So a function was called as often as its
//! first instruction was executed.

use crate::base::failure::{Failure, Result};
use crate::base::slug::slug;
use crate::files;
use crate::measure::build::program::Program;
use crate::measure::process::{self, Stop, success};
use crate::measure::turns::figures::{self, OF_CALLGRIND};
use crate::measure::turns::measurement::Measurement;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{KeyType, Scenario, Side, counts};
use crate::model::unit::Unit;
use anyhow::Context;
use std::collections::BTreeMap;
use std::process::Command;

/// Returns the installed version of valgrind, `valgrind-3.19.0`; `None`, with a note, if there is
/// none.
pub(crate) fn valgrind() -> Result<Option<String>> {
    match process::text(Command::new("valgrind").arg("--version")) {
        Ok(version) => Ok(Some(version.trim().to_owned())),
        Err(Stop::Fatal(failure @ Failure::Interrupted { .. })) => Err(failure),
        Err(stop) => {
            let why = stop.fatal("");
            crate::say!(
                "note: instructions and allocations are not counted, but all else is: {why}; to count them too, apt-get install valgrind and give another --out"
            );
            Ok(None)
        }
    }
}

/// Why a signing server is not counted: ML-DSA signs by rejection sampling.
const RANDOM_COST: &str = "an ML-DSA signature takes a random number of attempts";

impl Measurement {
    /// Returns rows of instructions and allocations for each side of a scenario that has a row of calls in
    /// `rows`, which did some work.
    pub(crate) fn instructions(
        &self,
        program: &Program,
        scenario: &Scenario,
        rows: &[Observation],
    ) -> Result<Vec<Observation>, Stop> {
        let mut counted = Vec::new();
        let Some(valgrind) = &self.valgrind else {
            return Ok(counted);
        };
        for row in rows.iter().filter(|row| row.unit == Unit::Count("calls")) {
            let how = format!("counted by {valgrind}, whose processor has no AVX-512");
            let (values, caveats) = match self.callgrind(program, scenario, row) {
                // The processor of valgrind lacks what the library needs.
                Err(Stop::Unsupported(why)) => (
                    [(); 2].map(|()| Value::Unsupported(why.clone().into())),
                    Vec::new(),
                ),
                counts => (
                    counts?.map(Value::Number),
                    [&row.caveats[..], &[how]].concat(),
                ),
            };
            for (unit, value) in OF_CALLGRIND.into_iter().zip(values) {
                let of = Scenario::clone(&row.scenario);
                counted.push(figures::row(of, unit, value, caveats.clone()));
            }
        }
        Ok(counted)
    }

    /// Runs a scenario with a small and a large amount of work, and returns the counts of one side in an
    /// operation.
    fn callgrind(
        &self,
        program: &Program,
        scenario: &Scenario,
        row: &Observation,
    ) -> Result<[f64; 2], Stop> {
        // The harness's function in which the side does its work.
        let section = match row.scenario.side {
            Some(Side::Server | Side::Sending) => "server",
            Some(Side::Client | Side::Receiving) | None => "client",
        };
        if section == "server" && scenario.key.is_some_and(KeyType::is_ml_dsa) {
            return Err(Stop::Unsupported(RANDOM_COST.to_owned()));
        }
        let name = format!("{}-{}", program.id, slug(&row.scenario.label()));
        let out = self.scratch().join(name.replace('.', "-"));
        // It gives all processes of a program the same addresses, so that counts repeat.
        let mut command = Command::new("valgrind");
        command
            .args(["-q", "--tool=callgrind", "--compress-strings=no"])
            .args(["--compress-pos=no", "--dump-instr=yes"])
            .arg(format!("--toggle-collect=*{SECTIONS}{section}*"))
            .arg(format!("--dump-after=*{SECTIONS}end*"))
            .arg(format!("--callgrind-out-file={}", out.display()))
            .arg(&program.path)
            .arg("--certificates")
            .arg(self.cache.certificates())
            .args(["--instructions", &scenario.label()]);
        let failed = |why: &str| Stop::Failed(format!("valgrind: {why}"));
        let ended = process::run(&mut command, self.timeout);
        let printed = ended.and_then(success).map_err(|stop| match stop {
            Stop::Failed(why) => failed(&why),
            stop => stop,
        })?;
        if let Some(why) = printed.strip_prefix("unsupported ") {
            let why = why.trim_end();
            return Err(Stop::Unsupported(format!("{why}, on valgrind's processor")));
        }
        let dump = |number: &str| -> Result<Counts, Stop> {
            let bytes = files::read_optional(&out.with_extension(number))?.unwrap_or_default();
            let counts = parse(&String::from_utf8_lossy(&bytes));
            counts.map_err(|error| failed(&format!("its counts: {error:#}")))
        };
        let (less, more) = (dump("1")?, dump("2")?);
        if less[0] == 0 {
            return Err(failed("it counted no instructions"));
        }
        let [few, many] = counts::sizes(scenario);
        let each = |at: usize| more[at].saturating_sub(less[at]) as f64 / (many - few) as f64;
        Ok([0, 1].map(each))
    }
}

/// Path of the harness's functions in which each side does its work, and of `end`, after which
/// callgrind dumps and resets its counts.
const SECTIONS: &str = "counts::section::";

/// Instructions, and calls of allocating functions.
type Counts = [u64; 2];

/// The functions of C that allocate, and those of jemalloc alone.
const ALLOCATING: &str =
    "malloc calloc realloc memalign aligned_alloc posix_memalign valloc mallocx rallocx";

/// What the names of jemalloc's functions start with.
const PREFIX: &str = "_rjem_";

/// Parses a dump file. Where jemalloc's functions are called, others only lead to them.
fn parse(text: &str) -> anyhow::Result<Counts> {
    let mut total = None;
    // How often each instruction of each allocating function was executed, by address.
    let mut executed: BTreeMap<&str, BTreeMap<u64, u64>> = BTreeMap::new();
    let (mut function, mut is_call) = ("", false);
    for line in text.lines() {
        let is_allocating = ALLOCATING
            .split(' ')
            .any(|name| name == function.trim_start_matches(PREFIX));
        if let Some(name) = line.strip_prefix("fn=") {
            function = name;
        } else if let Some(cost) = line.strip_prefix("totals: ") {
            total = Some(cost.parse()?);
        } else if let Some(rest) = line.strip_prefix("0x")
            && is_allocating
            && !is_call
        {
            let mut numbers = rest.split(' ');
            let address = u64::from_str_radix(numbers.next().unwrap_or(""), 16)?;
            let cost: u64 = numbers.nth(1).unwrap_or("").parse()?;
            let of_function = executed.entry(function).or_default();
            *of_function.entry(address).or_default() += cost;
        }
        is_call = line.starts_with("calls=");
    }
    let has_jemalloc = executed.keys().any(|name| name.starts_with(PREFIX));
    executed.retain(|name, _| name.starts_with(PREFIX) == has_jemalloc);
    let allocations = executed.values().flat_map(|costs| costs.values().next());
    let allocations = allocations.sum();
    Ok([total.context("it has no total")?, allocations])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of callgrind 3.19.0, without most functions and instructions.
    const PRINTED: &str = "\
events: Ir

fn=SSL_new
0x40 0 8
cfn=malloc
calls=99 0x50 0
0x44 0 155

fn=malloc
0x50 0 8
0x55 0 7
cfn=_int_malloc
calls=9 0x10 0
0x4a 0 50

totals: 910
";

    #[test]
    fn a_call_executes_the_first_instruction() {
        assert_eq!(parse(PRINTED).expect("counts"), [910, 8]);
        let jemalloc = "fn=_rjem_malloc\n0x70 0 6\n0x60 0 5\ntotals: 910\n";
        let both = PRINTED.replace("totals: 910\n", jemalloc);
        assert_eq!(parse(&both).expect("counts"), [910, 5]);
        for wrong in ["fn=malloc\n0x12\n", "totals: x\n", "fn=f\n"] {
            parse(wrong).expect_err("no counts");
        }
    }
}
