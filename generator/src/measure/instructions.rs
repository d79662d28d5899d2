//! Counts the instructions of a scenario with valgrind.

use super::callgrind::{self, SECTIONS, Sections};
use super::measurement::Measurement;
use super::process::{self, Stop};
use super::program::Program;
use crate::base::slug::slug;
use crate::files;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{KeyType, Scenario, Side, counts};
use crate::model::unit::Unit;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the installed version of valgrind, `valgrind-3.19.0`, or why it cannot be used.
pub(crate) fn valgrind() -> Result<String, String> {
    match process::text(Command::new("valgrind").arg("--version")) {
        Ok(version) => Ok(version.trim().to_owned()),
        Err(stop) => Err(stop.fatal("valgrind: ").to_string()),
    }
}

/// Why instructions of a signing server are not counted: ML-DSA signs by rejection sampling.
const RANDOM_COST: &str = "an ML-DSA signature takes a random number of attempts";

impl Measurement {
    /// Returns a row of instructions for each side of a scenario that has a row of calls in `rows`,
    /// which did some work.
    pub(super) fn instructions(
        &self,
        program: &Program,
        scenario: &Scenario,
        rows: &[Observation],
    ) -> Result<Vec<Observation>, Stop> {
        let calls = rows.iter().filter(|row| row.unit == Unit::Count("calls"));
        let calls: Vec<&Observation> = calls.collect();
        let Some(valgrind) = self.valgrind.as_ref().filter(|_| !calls.is_empty()) else {
            return Ok(Vec::new());
        };
        let dumps = self.callgrind(program, scenario)?;
        let rows = calls.into_iter().map(|of| row(valgrind, of, &dumps));
        Ok(rows.collect::<Result<_, _>>()?)
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
            .arg(&self.certificates)
            .args(["--instructions", "1", &scenario.label()])
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let failed = |why| Stop::Failed(format!("valgrind: {why}"));
        let ended = match process::run(&mut command, self.timeout) {
            Err(Stop::Failed(why)) => return Err(failed(why)),
            ended => ended?,
        };
        if !ended.status.success() {
            return Err(failed(ended.describe()));
        }
        let dump = |number: &str| -> Result<Sections, Stop> {
            let bytes = files::read_optional(&out.with_extension(number))?;
            let bytes = bytes.ok_or_else(|| failed("it wrote no counts".to_owned()))?;
            Ok(callgrind::parse(&String::from_utf8_lossy(&bytes))?)
        };
        Ok([dump("1")?, dump("2")?])
    }
}

/// Returns the row of instructions beside a row `of` calls.
fn row(
    valgrind: &str,
    of: &Observation,
    [few, many]: &[Sections; 2],
) -> Result<Observation, String> {
    let scenario = &of.scenario;
    // The harness function in which a side does its work.
    let section = match scenario.side {
        Some(Side::Server | Side::Sending) => "server",
        Some(Side::Client | Side::Receiving) | None => "client",
    };
    let of_section = |dump: &Sections| {
        let cost = dump.get(section).copied();
        cost.ok_or_else(|| format!("{valgrind} counted no instructions of the {section}"))
    };
    let [few_operations, many_operations] = counts::sizes(scenario, 1.0);
    let operations = (many_operations - few_operations) as f64;
    let difference = of_section(many)?.saturating_sub(of_section(few)?) as f64;
    let is_random = section == "server" && scenario.key.is_some_and(KeyType::is_ml_dsa);
    let caveat = format!("counted by {valgrind}, whose processor has no AVX-512");
    let caveats = of.caveat.iter().cloned().chain([caveat]);
    Ok(Observation {
        unit: Unit::INSTRUCTIONS,
        value: match is_random {
            true => Value::Unsupported(RANDOM_COST.to_owned()),
            false => Value::Number(difference / operations),
        },
        caveat: (!is_random).then(|| caveats.collect::<Vec<_>>().join("; ")),
        ..of.clone()
    })
}
