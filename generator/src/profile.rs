//! Instruction counts by function: `run-001-counts.functions.csv`, beside the file of counts that it
//! explains.

use crate::failure::{Failure, Result};
use crate::fs;
use crate::implementation::Implementation;
use crate::limits;
use crate::scenario::Scenario;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The extension of these files.
pub(crate) const EXTENSION: &str = "functions.csv";

/// Number of functions to list; the others are summed.
const SHOWN: usize = 10;

/// Instructions of one operation, by function.
pub(crate) type Costs = BTreeMap<String, f64>;

/// One function's own instructions, without those of its callees.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct FunctionRow {
    /// The implementation as shown on pages.
    pub(crate) implementation: String,
    pub(crate) scenario: String,
    pub(crate) function: String,
    pub(crate) instructions: f64,
}

/// Costs by implementation and scenario. Of several profiles, the first counts.
#[derive(Debug, Default)]
pub(crate) struct Profiles(HashMap<(String, String), Costs>);

/// The explanation of a difference: functions with the instructions of both sides, the largest
/// difference first, and the sum of all others.
pub(crate) type Why = Vec<(String, [f64; 2])>;

/// Whether a file is one of these.
pub(crate) fn is_profile(path: &Path) -> bool {
    fs::file_name(path).ends_with(EXTENSION)
}

/// Returns the contents of a file with these rows.
pub(crate) fn text(rows: &[FunctionRow]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    let bytes = writer.into_inner().context("cannot write to memory")?;
    Ok(String::from_utf8(bytes)?)
}

impl Profiles {
    /// Reads the files below a folder, or the one beside a file of counts.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let mut files: Vec<PathBuf> = match fs::is_folder(path)? {
            true => fs::walk(path)?,
            false => vec![path.with_extension(EXTENSION)],
        };
        files.retain(|file| is_profile(file));
        let mut profiles = Self::default();
        for file in files {
            let bytes = fs::read_limited(&file, &limits::FILE)?.unwrap_or_default();
            profiles.add(&file, &bytes)?;
        }
        Ok(profiles)
    }

    pub(crate) fn add(&mut self, file: &Path, bytes: &[u8]) -> Result<()> {
        let rows = csv::Reader::from_reader(bytes).into_deserialize();
        let rows: csv::Result<Vec<FunctionRow>> = rows.collect();
        let rows = rows.map_err(|error| {
            let line = error.position().map_or(0, |p| p.line() as u32);
            Failure::at(file, line, error.to_string())
        })?;
        let mut found: HashMap<(String, String), Costs> = HashMap::new();
        for row in rows {
            let costs = found.entry((row.implementation, row.scenario)).or_default();
            *costs.entry(row.function).or_default() += row.instructions;
        }
        for (key, costs) in found {
            self.0.entry(key).or_insert(costs);
        }
        Ok(())
    }

    pub(crate) fn join(&mut self, other: Self) {
        other.0.into_iter().for_each(|(key, costs)| {
            self.0.entry(key).or_insert(costs);
        });
    }

    /// Explains the difference between two implementations in a scenario; `None` if a side was not
    /// profiled.
    pub(crate) fn why(
        [old, new]: [(&Self, &Implementation); 2],
        scenario: &Scenario,
    ) -> Option<Why> {
        let of = |(profiles, one): (&'_ Self, &Implementation)| {
            let key = (one.to_string(), scenario.label());
            profiles.0.get(&key).cloned()
        };
        Some(why([&of(old)?, &of(new)?]))
    }
}

fn why(sides: [&Costs; 2]) -> Why {
    let names: BTreeSet<&String> = sides.iter().flat_map(|costs| costs.keys()).collect();
    let both = |name: &String| sides.map(|costs| costs.get(name).copied().unwrap_or_default());
    let all = names.into_iter().map(|name| (name.clone(), both(name)));
    let mut functions: Why = all.filter(|(_, [old, new])| old != new).collect();
    let distance = |(_, [old, new]): &(String, [f64; 2])| (new - old).abs();
    functions.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
    let others = functions.split_off(SHOWN.min(functions.len()));
    if !others.is_empty() {
        let sum = |side: usize| others.iter().map(|(_, costs)| costs[side]).sum();
        functions.push((format!("{} others", others.len()), [0, 1].map(sum)));
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_differences_come_first_and_the_rest_is_summed() {
        let costs = |of: &dyn Fn(u32) -> f64| -> Costs {
            (0..14).map(|i| (format!("f{i:02}"), of(i))).collect()
        };
        let old = costs(&|_| 100.0);
        let mut new = costs(&|i| 100.0 + f64::from(i));
        new.remove("f01");
        new.insert("new".to_owned(), 7.5);
        let mut why = why([&old, &new]);
        // f02 to f05; f00 does not differ.
        assert_eq!(why.pop(), Some(("4 others".to_owned(), [400.0, 414.0])));
        let names: Vec<&str> = why.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "f01", "f13", "f12", "f11", "f10", "f09", "f08", "new", "f07", "f06"
            ]
        );
        assert_eq!(why[0].1, [100.0, 0.0]);
    }
}
