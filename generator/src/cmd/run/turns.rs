//! The measurement: one step after the other, each in a process of its own.

use crate::failure::{Failure, Result};
use crate::run::build::Program;
use crate::run::measure::Measurement;
use crate::run::meter::Meter;
use crate::run::plan::Step;
use crate::run::suite::Suite;
use crate::run::times::Times;
use anyhow::anyhow;
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

/// A step that failed this often in a row is not tried again in this measurement.
const MAX_FAILURES: u32 = 3;

/// Carries out the plan. Returns why files are missing, by implementation and suite.
pub(super) fn measure(
    measurement: &Measurement,
    programs: &[Program],
    steps: &[Step],
    mut times: Times,
    quiet: bool,
) -> Result<Vec<String>> {
    measurement.clean()?;
    if !quiet {
        announce(&measurement.out, steps);
    }
    let mut meter = Meter::new(steps.len(), quiet);
    let mut failed: HashMap<(usize, Suite), u32> = HashMap::new();
    let mut missing = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let program = &programs[step.program];
        let what = format!(
            "{}, {}, run {}",
            program.identity,
            step.suite.word(),
            step.run
        );
        let failures = failed.entry((step.program, step.suite)).or_default();
        if *failures >= MAX_FAILURES {
            missing.push(format!("{what}: not tried, after {MAX_FAILURES} failures"));
            meter.end();
            continue;
        }
        let all = steps[index..].iter();
        let left = times.of_all(
            all.map(|s| (programs[s.program].id.as_str(), s)),
            measurement.multiplier,
        );
        let start = Instant::now();
        meter.begin(what.clone());
        meter.tick(left);
        let outcome = measurement.step(program, step, &mut || {
            meter.tick(left.map(|l| l.saturating_sub(start.elapsed())));
        });
        let outcome = outcome.map_err(|failure| {
            if let Err(error) = measurement.clean() {
                meter.say(&format!("warning: {error:#}"));
            }
            stopped(failure, measurement, index, steps.len())
        });
        match outcome? {
            Ok(()) => {
                *failures = 0;
                times.took(&program.id, step, measurement.multiplier, start.elapsed());
                // Nothing that is measured depends on them.
                if let Err(failure) = times.save() {
                    meter.say(&format!("warning: {failure}"));
                }
            }
            Err(why) => {
                *failures += 1;
                meter.say(&format!("failed: {what}: {why}"));
                missing.push(what);
            }
        }
        meter.end();
    }
    measurement.clean()?;
    Ok(missing)
}

/// What a signal leaves, in words.
fn stopped(failure: Failure, measurement: &Measurement, done: usize, all: usize) -> Failure {
    let out = measurement.out.display();
    match failure {
        Failure::Interrupted { signal, message } => Failure::Interrupted {
            signal,
            message: format!(
                "{message}: {done} of {all} files of results were measured into {out}; the same command continues"
            ),
        },
        other => other,
    }
}

fn announce(out: &Path, steps: &[Step]) {
    let out = out.display();
    if steps.is_empty() {
        crate::say!("all of this is measured in {out} already");
    } else {
        let files = match steps.len() {
            1 => "1 file of results".to_owned(),
            n => format!("{n} files of results"),
        };
        crate::say!(
            "{files} to measure into {out}; interrupt at any time, the same command continues"
        );
    }
}

pub(super) fn finish(out: &Path, missing: &[String], quiet: bool) -> Result<()> {
    if missing.is_empty() {
        if !quiet {
            // Pages of one report alone would take those of its neighbours away.
            let all = out.parent().filter(|parent| *parent != Path::new(""));
            let (all, out) = (all.unwrap_or(out).display(), out.display());
            crate::say!("measured: {out}; next: generator ingest {all}");
        }
        return Ok(());
    }
    let shown: Vec<&str> = missing.iter().take(20).map(String::as_str).collect();
    let more = missing.len() - shown.len();
    let more = if more > 0 {
        format!("\n  and {more} more")
    } else {
        String::new()
    };
    let count = match missing.len() {
        1 => "1 of the files of results is missing; the same command tries it again".to_owned(),
        n => format!("{n} of the files of results are missing; the same command tries them again"),
    };
    Err(Failure::Io(anyhow!(
        "{count}:\n  {}{more}",
        shown.join("\n  ")
    )))
}
