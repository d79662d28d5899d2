//! Footprint of a library: the bytes, crates and build tools that it adds to a program, and its
//! build time.

use crate::base::failure::Result;
use crate::files;
use crate::measure::build::program::Program;
use crate::measure::build::{BuildCache, Dependency, libraries};
use crate::measure::process::{QUICK, printed};
use crate::measure::turns::figures::row;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{Scenario, Workload};
use crate::model::unit::Unit;
use anyhow::{Context, ensure};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Shared libraries that come with the compiler, such as those of C++, and not with the library.
const RUNTIMES: [&str; 3] = ["libstdc++.so", "libgcc_s.so", "libm.so"];

/// The reported sections, each with its subsections, such as `.data.rel.ro`.
const SECTIONS: [&str; 3] = [".text", ".rodata", ".data"];

/// Units of the sizes of a file: that of all of it, then that of each section.
const UNITS: [&str; 4] = [
    "stripped bytes",
    "bytes of .text",
    "bytes of .rodata",
    "bytes of .data",
];

/// Measures these workloads of a program.
pub(in crate::measure) fn rows(
    cache: &BuildCache,
    program: &Program,
    workloads: &[&Workload],
    scratch: &Path,
) -> Result<Vec<Observation>> {
    let mut rows = Vec::new();
    if workloads.contains(&&Workload::Footprint) {
        rows = counts(cache, program, scratch)?;
    }
    if workloads.contains(&&Workload::Build) {
        let took = cache.build_from_nothing(&program.target)?;
        let (of, seconds) = (Scenario::new(Workload::Build), took.as_secs_f64());
        rows.push(row(of, Unit::Time, Value::Number(seconds), Vec::new()));
    }
    Ok(rows)
}

/// Measures the size of a program and its shared libraries, less that of a program without the
/// library; and counts crates and tools.
fn counts(cache: &BuildCache, program: &Program, scratch: &Path) -> Result<Vec<Observation>> {
    let target = &program.target;
    let (with, without) = (cache.compile(target)?, cache.compile(&target.alone())?);
    let (linked, linked_alone) = (libraries(&with.program)?, libraries(&without.program)?);
    let is_runtime = |name: &str| RUNTIMES.iter().any(|runtime| name.starts_with(runtime));
    let (mut all, mut names) = (sizes(&with.program, scratch)?, Vec::new());
    for library in linked.difference(&linked_alone) {
        let name = files::file_name(library);
        if !is_runtime(&name) {
            names.push(name);
            for (sum, more) in all.iter_mut().zip(sizes(library, scratch)?) {
                *sum += more;
            }
        }
    }
    let caveat = (!names.is_empty()).then(|| format!("with all of {}", names.join(" and ")));
    let caveats = Vec::from_iter(caveat);
    let mut rows = Vec::new();
    let mut add = |unit, value, caveats| {
        let of = Scenario::new(Workload::Footprint);
        rows.push(row(of, Unit::Count(unit), value, caveats));
    };
    let alone = sizes(&without.program, scratch)?;
    for (unit, (all, alone)) in UNITS.into_iter().zip(all.into_iter().zip(alone)) {
        let added = Value::Number(all.saturating_sub(alone) as f64);
        add(unit, added, caveats.clone());
    }
    let alone = &without.packages;
    let is_added = |p: &&Dependency| alone.iter().all(|other| other.name != p.name);
    let crates = match target.library.is_go() {
        true => Value::Unsupported("the library is part of Go, which has no crates".to_owned()),
        false => Value::Number(with.packages.iter().filter(is_added).count() as f64),
    };
    add("crates", crates, Vec::new());
    // The tools and libraries that a build needs installed, including cargo or go.
    let mut tools: BTreeSet<&str> = target.needs.iter().map(String::as_str).collect();
    if !target.library.is_go() {
        tools.insert("cargo");
    }
    let count = Value::Number(tools.len() as f64);
    add("tools", count, vec![Vec::from_iter(tools).join(", ")]);
    Ok(rows)
}

/// Measures a program or library after stripping its symbols, in [`UNITS`].
fn sizes(path: &Path, scratch: &Path) -> Result<[u64; UNITS.len()]> {
    let stripped = scratch.join("stripped");
    let mut strip = Command::new("strip");
    tool(strip.arg("--strip-all").arg("-o").arg(&stripped).arg(path))?;
    let printed = tool(Command::new("size").args(["-A", "-d"]).arg(&stripped))?;
    let file = std::fs::metadata(&stripped);
    let file = file.with_context(|| format!("cannot read {}", stripped.display()))?;
    let [text, rodata, data] = sections(&printed)?;
    Ok([file.len(), text, rodata, data])
}

/// Parses the output of `size -A -d`: a line per section, with its size and address.
fn sections(printed: &str) -> anyhow::Result<[u64; SECTIONS.len()]> {
    let mut sums = [0; SECTIONS.len()];
    for line in printed.lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(size)) = (words.next(), words.next()) else {
            continue;
        };
        let is_below = |section: &str| {
            let rest = name.strip_prefix(section);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if let Some(at) = SECTIONS.iter().position(|section| is_below(section)) {
            let size: u64 = size.parse().with_context(|| format!("size: `{line}`"))?;
            sums[at] += size;
        }
    }
    ensure!(sums[0] > 0, "size found no .text");
    Ok(sums)
}

/// Runs a tool of binutils. Returns its standard output.
fn tool(command: &mut Command) -> Result<String> {
    let needed = "binutils measure the sizes of programs: apt-get install binutils";
    let name = command.get_program().to_string_lossy().into_owned();
    let printed = printed(command, QUICK).map_err(|stop| stop.context(needed));
    printed.map_err(|stop| stop.fatal(format!("{name}: ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of binutils 2.40, with other sections removed.
    const PRINTED: &str = "\
stripped  :
section               size      addr
.interp                 28       680
.text              1083170     70528
.rodata             269376   1155072
.eh_frame           107724   1451512
.data.rel.ro         99440   1597728
.data                 3288   1700000
.database                7   1800000
.bss                   416   1703288
Total              3000000


";

    #[test]
    fn sections_include_their_subsections() {
        let found = sections(PRINTED).expect("sections");
        assert_eq!(found, [1_083_170, 269_376, 99_440 + 3288]);
        assert!(sections("nothing").is_err());
    }
}
