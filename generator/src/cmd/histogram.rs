//! `generator histogram`: prints a latency capture as one line of an interval log.

use super::print;
use super::read::STDIN;
use crate::cli::Histogram;
use crate::failure::{Failure, Result};
use crate::fs::cannot_read;
use crate::parse::{histogram, latency};
use anyhow::Context;
use std::fs::File;
use std::io;
use std::path::Path;

/// Runs the command. Fails if the scenario is not one of latencies, and for bad input.
pub(super) fn histogram(arguments: &Histogram) -> Result<()> {
    let scenario = arguments.scenario.as_deref().map(histogram::scenario);
    let scenario = scenario.transpose().map_err(Failure::Usage)?;
    let read = match &*arguments.capture {
        path if path.as_os_str() == "-" => latency::distribution(Path::new(STDIN), io::stdin()),
        path => {
            let file = File::open(path).with_context(|| cannot_read(path))?;
            latency::distribution(path, file)
        }
    };
    let (distribution, note) = read.map_err(Failure::BadInput)?;
    if let Some(note) = note {
        crate::inform!("{note}");
    }
    print(&histogram::line(scenario.as_ref(), &distribution))
}
