//! Footprint of a library: the bytes, crates and build tools that it adds to a program, and its
//! build time.

use crate::base::failure::Result;
use crate::files;
use crate::measure::build::libraries;
use crate::measure::build::program::Program;
use crate::measure::cargo::Package;
use crate::measure::process::output;
use crate::measure::turns::figures::row;
use crate::measure::turns::measurement::Measurement;
use crate::model::observation::{Observation, Value};
use crate::model::scenario::{Scenario, Workload};
use crate::model::unit::Unit;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Shared libraries that come with the compiler, such as those of C++, and not with the library.
const RUNTIMES: [&str; 3] = ["libstdc++.so", "libgcc_s.so", "libm.so"];

/// Measures the time of a build, or the size of a program and its shared libraries, less that of a
/// program without the library; and counts crates and tools.
pub(super) fn rows(
    measurement: &Measurement,
    program: &Program,
    scenario: &Scenario,
) -> Result<Vec<Observation>> {
    let (cache, scratch) = (&measurement.cache, &measurement.scratch());
    if scenario.workload == Workload::Build {
        let seconds = cache.build_from_nothing(&program.target)?.as_secs_f64();
        let seconds = Value::Number(seconds);
        return Ok(vec![row(scenario.clone(), Unit::Time, seconds, Vec::new())]);
    }
    let target = &program.target;
    if target.library.is_go() {
        let why = "the library is part of Go, which each program has".to_owned();
        let why = Value::Unsupported(why);
        return Ok(vec![row(scenario.clone(), Unit::SIZE, why, Vec::new())]);
    }
    let (with, without) = (cache.compile(target)?, cache.compile(&target.alone())?);
    let (linked, linked_alone) = (libraries(&with)?, libraries(&without)?);
    let is_runtime = |name: &str| RUNTIMES.iter().any(|runtime| name.starts_with(runtime));
    let (mut bytes, mut names) = (size(&with, scratch)?, Vec::new());
    for library in linked.difference(&linked_alone) {
        let name = files::file_name(library);
        if !is_runtime(&name) {
            names.push(name);
            bytes += size(library, scratch)?;
        }
    }
    let bytes = bytes.saturating_sub(size(&without, scratch)?);
    let caveat = (!names.is_empty()).then(|| format!("with all of {}", names.join(" and ")));
    let alone = cache.packages(&target.alone(), "normal,build")?;
    let is_added = |p: &&Package| {
        let is_library = !p.name.starts_with("runner-");
        is_library && alone.iter().all(|other| other.name != p.name)
    };
    let crates = cache
        .packages(target, "normal,build")?
        .iter()
        .filter(is_added)
        .count();
    // The tools and libraries that a build needs installed.
    let mut tools: BTreeSet<&str> = target.needs.iter().map(String::as_str).collect();
    tools.insert("cargo");
    let row = |unit, count: usize, caveat: Option<String>| {
        let (value, caveats) = (Value::Number(count as f64), Vec::from_iter(caveat));
        row(scenario.clone(), unit, value, caveats)
    };
    let names = Vec::from_iter(tools.iter().copied()).join(", ");
    Ok(vec![
        row(Unit::SIZE, bytes as usize, caveat),
        row(Unit::Count("crates"), crates, None),
        row(Unit::Count("tools"), tools.len(), Some(names)),
    ])
}

/// Measures a program or library after stripping its symbols.
fn size(path: &Path, scratch: &Path) -> Result<u64> {
    let stripped = scratch.join("stripped");
    let mut strip = Command::new("strip");
    let strip = strip.arg("--strip-all").arg("-o").arg(&stripped).arg(path);
    output(strip, "strip of binutils measures the sizes of programs: ")?;
    Ok(files::size(&stripped)?)
}
