//! Footprint of a library: the bytes, crates and build tools that it adds to a program, and its
//! build time.

use crate::base::failure::Result;
use crate::files;
use crate::measure::build::libraries;
use crate::measure::build::program::Program;
use crate::measure::process::{Stop, output};
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

impl Measurement {
    /// Measures the time of a build, or the size of a program and its shared libraries, less that of a
    /// program without the library; and counts crates and tools.
    pub(super) fn footprint(
        &self,
        program: &Program,
        scenario: &Scenario,
    ) -> Result<Vec<Observation>, Stop> {
        let (cache, scratch) = (&self.cache, &self.scratch());
        if scenario.workload == Workload::Build {
            let seconds = cache.build_from_nothing(&program.target)?.as_secs_f64();
            let seconds = Value::Number(seconds);
            return Ok(vec![row(scenario.clone(), Unit::Time, seconds, Vec::new())]);
        }
        let target = &program.target;
        if target.library.is_go() {
            let why = "the library is part of Go, which each program has".to_owned();
            let why = Value::Unsupported(why.into());
            return Ok(vec![row(scenario.clone(), Unit::SIZE, why, Vec::new())]);
        }
        let alone = &target.alone();
        let (with, without) = (cache.compile(target)?, cache.compile(alone)?);
        let (mut bytes, mut names) = (size(&with, scratch)?, Vec::new());
        for library in libraries(&with)?.difference(&libraries(&without)?) {
            let name = files::file_name(library);
            if !RUNTIMES.iter().any(|runtime| name.starts_with(runtime)) {
                names.push(name);
                bytes += size(library, scratch)?;
            }
        }
        let bytes = bytes.saturating_sub(size(&without, scratch)?);
        let caveat = (!names.is_empty()).then(|| format!("with all of {}", names.join(" and ")));
        let alone = cache.packages(alone, "normal,build")?;
        let mut crates = cache.packages(target, "normal,build")?;
        crates.retain(|package| {
            let is_library = !package.name.starts_with("runner-");
            is_library && alone.iter().all(|other| other.name != package.name)
        });
        // The tools and libraries that a build needs installed.
        let tools = target.needs.iter().map(String::as_str).chain(["cargo"]);
        let tools = BTreeSet::from_iter(tools);
        let row = |unit, count: usize, caveat: Option<String>| {
            let (value, caveats) = (Value::Number(count as f64), Vec::from_iter(caveat));
            row(scenario.clone(), unit, value, caveats)
        };
        let names = Vec::from_iter(tools.clone()).join(", ");
        Ok(vec![
            row(Unit::SIZE, bytes as usize, caveat),
            row(Unit::Count("crates"), crates.len(), None),
            row(Unit::Count("tools"), tools.len(), Some(names)),
        ])
    }
}

/// Measures a program or library after stripping its symbols.
fn size(path: &Path, scratch: &Path) -> Result<u64> {
    let stripped = scratch.join("stripped");
    let mut strip = Command::new("strip");
    let strip = strip.arg("--strip-all").arg("-o").arg(&stripped).arg(path);
    output(strip, "strip of binutils measures the sizes of programs: ")?;
    Ok(files::size(&stripped)?)
}
