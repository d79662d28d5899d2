//! The commands that reproduce a measurement, derived from its results folder.

use super::program::{CONTROL, control_id};
use super::record::Record;
use super::results::FileName;
use crate::failure::Result;
use crate::fs::file_name;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns one command per set of programs with the same suites and number of runs. None for
/// folders not measured by `generator run`, and for unreleased sources. `files` are relative to
/// `folder`.
pub(crate) fn commands<'a>(
    folder: &Path,
    files: impl Iterator<Item = &'a str>,
) -> Result<Vec<String>> {
    let Some(record) = Record::read(folder)?.filter(|record| record.sources.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut runs: BTreeMap<(String, &str), u32> = BTreeMap::new();
    for file in files {
        let (program, _) = file.rsplit_once('/').unwrap_or_default();
        let Some(FileName { run, suite }) = FileName::of(Path::new(file)) else {
            continue;
        };
        if record.programs.contains_key(program) && !program.ends_with(CONTROL) {
            let last = runs.entry((suite.word(), program)).or_default();
            *last = run.max(*last);
        }
    }
    let mut programs: BTreeMap<(String, u32), BTreeSet<&str>> = BTreeMap::new();
    for ((suite, program), runs) in runs {
        programs.entry((suite, runs)).or_default().insert(program);
    }
    let mut suites: BTreeMap<(BTreeSet<&str>, u32), Vec<String>> = BTreeMap::new();
    for ((suite, runs), programs) in programs {
        suites.entry((programs, runs)).or_default().push(suite);
    }
    let command = |((programs, runs), suites): ((BTreeSet<&str>, u32), Vec<String>)| {
        // The first program is the one that is also measured as the control.
        let is_controlled = |p: &&str| record.programs.contains_key(&control_id(p));
        let mut programs = Vec::from_iter(programs);
        programs.sort_by_key(|program| !is_controlled(program));
        let targets: Vec<String> = programs.into_iter().map(target).collect();
        format!(
            "generator run {} --suite {} --runs {runs} --multiplier {} --seed {} --out data/{}",
            targets.join(" "),
            suites.join(","),
            record.multiplier,
            record.seed,
            file_name(folder)
        )
    };
    Ok(suites.into_iter().map(command).collect())
}

/// Converts a results folder to a specification: `rustls_0.23.43_ring` to `rustls@0.23.43+ring`.
/// Without a release number the word alone is enough, as there is only one release.
fn target(program: &str) -> String {
    let mut parts = program.split('_');
    let word = parts.next().unwrap_or_default();
    let is_number = |version: &&str| version.starts_with(|c: char| c.is_ascii_digit());
    let version = parts.next().filter(is_number);
    let version = version.map_or_else(String::new, |version| format!("@{version}"));
    let variant: String = parts.map(|part| format!("+{part}")).collect();
    format!("{word}{version}{variant}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_of_the_same_programs_share_a_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("2026-11-21-x");
        std::fs::create_dir_all(&folder).expect("a folder");
        let files = [
            "openssl_4.0.3/run-001-measure.csv",
            "openssl_4.0.3/run-002-measure.csv",
            "openssl_4.0.3/run-002-pq.csv",
            "openssl_4.0.3/run-002-pq-2.csv",
            "rustls_0.23.43_ring/run-002-measure.csv",
            "rustls_0.23.43_ring_control/run-002-measure.csv",
            "rustls_0.23.43_ring/run-002-latency.hlog",
            "boringssl_boring-5.4.0/run-002-latency.hlog",
            "elsewhere/run-009-measure.csv",
            "notes.csv",
        ];
        let commands = || commands(&folder, files.into_iter()).expect("a record");
        assert!(commands().is_empty());
        let programs =
            "boringssl_boring-5.4.0 openssl_4.0.3 rustls_0.23.43_ring rustls_0.23.43_ring_control";
        let programs = programs.split(' ').map(|p| (p.to_owned(), String::new()));
        let record = Record {
            seed: 7,
            multiplier: 0.5,
            programs: programs.collect(),
            ..Record::default()
        };
        record.write(&folder).expect("written");
        let end = "--runs 2 --multiplier 0.5 --seed 7 --out data/2026-11-21-x";
        assert_eq!(
            commands(),
            [
                format!("generator run rustls@0.23.43+ring boringssl --suite latency {end}"),
                format!("generator run openssl@4.0.3 --suite pq {end}"),
                format!("generator run rustls@0.23.43+ring openssl@4.0.3 --suite measure {end}"),
            ]
        );
    }
}
