//! Counts the instructions of a step's scenarios with valgrind.

use super::callgrind::{self, SECTIONS, Sections};
use super::measurement::{Attempt, ERROR_LINES};
use super::plan::whole;
use super::process::{self, Stop};
use super::results::Results;
use super::tail;
use crate::files;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{KeyType, Scenario, Side, Workload, counts};
use crate::model::unit::Unit;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::{Command, Stdio};

/// Note where valgrind is missing.
pub(crate) const MISSING: &str = "valgrind is not installed, so instructions are not counted, but all else is; to count them too, apt-get install valgrind and give another --out";

/// Returns the installed version of valgrind: `valgrind-3.19.0`.
pub(crate) fn valgrind() -> Option<String> {
    match process::text(Command::new("valgrind").arg("--version")) {
        Ok(version) => Some(version.trim().to_owned()),
        Err(_) => None,
    }
}

/// Why instructions of a signing server are not counted: ML-DSA signs by rejection sampling.
const RANDOM_COST: &str = "an ML-DSA signature takes a random number of attempts";

impl Attempt<'_> {
    /// Adds a row of instructions for each side whose other counts the program printed. Processes
    /// run in parallel, which does not disturb counts.
    pub(super) fn count_instructions(&self, results: &mut Results) -> Result<(), Stop> {
        let Some(valgrind) = &self.measurement.valgrind else {
            return Ok(());
        };
        // One row for each side that did any work.
        let calls = results.rows.iter().filter(|row| {
            row.unit == Unit::Count("calls") && matches!(row.value, Value::Number(_))
        });
        let calls: Vec<Observation> = calls.cloned().collect();
        let groups = groups(&calls).into_par_iter().enumerate();
        let counted = groups.map(|(index, group)| self.callgrind(group, index));
        let counted: Vec<_> = counted.collect::<Result<_, Stop>>()?;
        let dumps: HashMap<Scenario, [Sections; 2]> = counted.into_iter().flatten().collect();
        for of in &calls {
            results
                .rows
                .push(row(valgrind, of, &dumps[&whole(&of.scenario)])?);
        }
        Ok(())
    }

    /// Runs scenarios in one process, each with a small and a large amount of work. Returns both
    /// dumps of each.
    fn callgrind(
        &self,
        scenarios: Vec<Scenario>,
        index: usize,
    ) -> Result<Vec<(Scenario, [Sections; 2])>, Stop> {
        let out = self.scratch.join(format!("callgrind-{index}"));
        let mut command = self.measurement.command(Path::new("valgrind"));
        command
            .args([
                "-q",
                "--tool=callgrind",
                "--compress-strings=no",
                "--compress-pos=no",
            ])
            .arg(format!("--toggle-collect=*{SECTIONS}*"))
            .arg(format!("--dump-after=*{SECTIONS}end*"))
            .arg(format!("--callgrind-out-file={}", out.display()))
            .arg(&self.program.path)
            .arg("--certificates")
            .arg(&self.measurement.certificates)
            .arg("--instructions")
            .args(scenarios.iter().map(Scenario::label))
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let ended = process::run(&mut command, self.measurement.timeout);
        let ended = ended.map_err(|stop| match stop {
            Stop::Failed(why) => Stop::Failed(format!("valgrind: {why}")),
            fatal => fatal,
        })?;
        if !ended.status.success() {
            let stderr = tail(&String::from_utf8_lossy(&ended.errors), ERROR_LINES);
            return Err(format!("valgrind: {}: {stderr}", ended.status).into());
        }
        let dump = |number: usize| -> Result<Sections, Stop> {
            let bytes = files::read_optional(&out.with_extension(number.to_string()))?;
            let bytes = bytes.ok_or("valgrind wrote no counts of a scenario".to_owned())?;
            Ok(callgrind::parse(&String::from_utf8_lossy(&bytes))?)
        };
        let mut dumps = Vec::new();
        for (scenario, number) in scenarios.into_iter().zip((1..).step_by(2)) {
            dumps.push((scenario, [dump(number)?, dump(number + 1)?]));
        }
        Ok(dumps)
    }
}

/// Splits the scenarios among two processes that take about equally long. More processes would
/// not pay: most of the time is the start of program and library.
fn groups(calls: &[Observation]) -> Vec<Vec<Scenario>> {
    let mut groups: BTreeMap<bool, Vec<Scenario>> = BTreeMap::new();
    for row in calls {
        let is_full = row.scenario.workload == Workload::FullHandshake;
        let group = groups.entry(is_full).or_default();
        let scenario = whole(&row.scenario);
        if !group.contains(&scenario) {
            group.push(scenario);
        }
    }
    groups.into_values().collect()
}

fn row(
    valgrind: &str,
    of: &Observation,
    [few, many]: &[Sections; 2],
) -> Result<Observation, String> {
    let scenario = &of.scenario;
    let section = section_of(scenario);
    let of_section = |dump: &Sections| {
        let cost = dump.get(section).copied();
        cost.ok_or_else(|| format!("{valgrind} counted no instructions of the {section}"))
    };
    let difference = of_section(many)?.saturating_sub(of_section(few)?) as f64;
    let is_random = section == "server" && scenario.key.is_some_and(KeyType::is_ml_dsa);
    let caveat = format!("counted by {valgrind}, whose processor has no AVX-512");
    let caveats = of.caveat.iter().cloned().chain([caveat]);
    Ok(Observation {
        unit: Unit::INSTRUCTIONS,
        value: match is_random {
            true => Value::Unsupported(RANDOM_COST.to_owned()),
            false => Value::Number(difference / operations(scenario)),
        },
        caveat: (!is_random).then(|| caveats.collect::<Vec<_>>().join("; ")),
        ..of.clone()
    })
}

/// Number of operations by which the two amounts of work differ.
fn operations(scenario: &Scenario) -> f64 {
    let [few, many] = counts::sizes(scenario, 1.0);
    (many - few) as f64
}

/// Returns the harness function in which a scenario's side does its work.
fn section_of(scenario: &Scenario) -> &'static str {
    match scenario.side {
        Some(Side::Server | Side::Sending) => "server",
        Some(Side::Client | Side::Receiving) | None => "client",
    }
}
