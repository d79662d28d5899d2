//! Interval logs of HdrHistogram (`.hlog`) with values in nanoseconds, in which `generator run`
//! stores latencies.
//!
//! ```text
//! #[Histogram log format version 1.3]
//! #[Implementation: rustls 0.23.43, aws-lc-rs]
//! #[Caveat: the library's own choice of group]
//! "StartTimestamp","Interval_Length","Interval_Max","Interval_CompressedHistogram"
//! Tag=latency_of_full_handshakes/1.3/rsa/client,0.000,1.204,0.918273,HISTFAAA…
//! ```
//!
//! A tag is a scenario's label with `/` for commas and `_` for blanks; without a tag the file name
//! gives the scenario, like that of a [latency capture](super::latency). Intervals of the same
//! scenario are merged. The third figure is the maximum in milliseconds.

use super::check_lines;
use super::prelude::*;
use crate::base::limits::FILE;
use crate::model::distribution::Distribution;
use crate::model::distribution::codec::Budget;

/// Scenarios of a file, whose histograms take 112 to 264 KiB each: a run has 8.
const HISTOGRAMS: usize = 200;

const LEGEND: &str = "\"StartTimestamp\"";
const IMPLEMENTATION: &str = "#[Implementation: ";
const CAVEAT: &str = "#[Caveat: ";
const NANOS_PER_MILLI: f64 = 1e6;

pub(super) fn recognise(head: &str) -> bool {
    let is_comment = |line: &&str| line.is_empty() || line.starts_with("# ");
    let first = head
        .lines()
        .find(|line| !is_comment(line))
        .unwrap_or_default();
    first.starts_with("#[Histogram log format version") || first.starts_with(LEGEND)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let path = collector.path.clone();
    let mut caveats = Vec::new();
    let mut budget = Budget::default();
    if !check_lines(text, FILE, collector) {
        return;
    }
    collector.each(text.lines().zip(1..), |line, collector| {
        if let Some(caveat) = line.strip_prefix(CAVEAT) {
            caveats.push(caveat.trim_end_matches(']').to_owned());
        } else if let Some(heading) = line.strip_prefix(IMPLEMENTATION) {
            collector.of(Implementation::from_heading(heading.trim_end_matches(']')));
        } else if !line.trim().is_empty() && !line.starts_with('#') && !line.starts_with(LEGEND) {
            let (scenario, distribution) = interval(&path, line, &mut budget)?;
            let caveats = std::mem::take(&mut caveats);
            let found = &mut collector.parsed.observations;
            let is_full = found.len() == HISTOGRAMS;
            let earlier = found.iter_mut().find(|row| row.scenario == scenario);
            match earlier.map(|row| &mut row.value) {
                Some(Value::Distribution(earlier)) => earlier.merge(&distribution),
                _ if is_full => return Err(exceeded(HISTOGRAMS, "scenarios with a histogram")),
                _ => {
                    let value = Value::Distribution(Box::new(distribution));
                    collector.push(scenario, Unit::Time, value).caveats = caveats.into();
                }
            }
        }
        Ok(())
    });
}

fn interval(
    path: &Path,
    line: &str,
    budget: &mut Budget,
) -> Result<(Arc<Scenario>, Distribution), String> {
    let tagged = line
        .strip_prefix("Tag=")
        .and_then(|tag| tag.split_once(','));
    let cells: Vec<&str> = tagged.map_or(line, |(_, rest)| rest).split(',').collect();
    let [_, _, max_cell, histogram] = cells.as_slice() else {
        let message = "an interval has four figures (start, length, maximum, histogram), unlike";
        return Err(cite(message, line));
    };
    let max = match max_cell.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => number,
        _ => return Err(cite("not a figure of an interval:", max_cell)),
    };
    let scenario = match tagged {
        Some((tag, _)) => scenario(&tag.replace('/', ", ").replace('_', " "))?,
        None => super::latency::scenario(path)?,
    };
    let mut distribution = Distribution::decode(histogram.trim(), budget)?;
    // Ignored if it is not in the last bin: other writers use fewer digits.
    distribution.sharpen_max((max * NANOS_PER_MILLI).round() as u64);
    let found = distribution.max_nanos() as f64 / NANOS_PER_MILLI;
    // Writers print three decimals.
    if max > 0.0 && (max - found).abs() > 0.0005 + 0.01 * max {
        let found = distribution.max_nanos();
        return Err(format!(
            "the histogram's values are not nanoseconds: their maximum is {found}, which is {max} milliseconds"
        ));
    }
    Ok((scenario, distribution))
}

/// The tag of a scenario in an interval log.
pub fn tag(scenario: &Scenario) -> String {
    scenario.label().replace(", ", "/").replace(' ', "_")
}

/// Parses the label of a scenario of latency.
pub(crate) fn scenario(label: &str) -> Result<Arc<Scenario>, String> {
    let scenario = name::scenario(label)?;
    match scenario.workload {
        Workload::FullLatency | Workload::ResumedLatency if scenario.percentile.is_none() => {
            Ok(scenario)
        }
        _ => Err(cite("not a scenario of latency:", label)),
    }
}

/// Writes an interval log of one implementation's distributions, with the caveats of each.
pub fn write<'a>(
    implementation: &Implementation,
    all: impl IntoIterator<Item = (&'a Scenario, &'a Distribution, &'a [String])>,
) -> String {
    let mut log = format!(
        "#[Histogram log format version 1.3]\n\
         #[Values are nanoseconds; the greatest of each interval is in milliseconds]\n\
         {LEGEND},\"Interval_Length\",\"Interval_Max\",\"Interval_CompressedHistogram\"\n\
         {IMPLEMENTATION}{implementation}]\n"
    );
    for (scenario, distribution, caveats) in all {
        for caveat in caveats {
            let one_line: String = caveat.chars().filter(|c| !c.is_control()).collect();
            log += &format!("{CAVEAT}{one_line}]\n");
        }
        // The start is always 0, and the length the sum of the values.
        let length = distribution.mean() * distribution.count() as f64;
        let max = distribution.max_nanos() as f64 / NANOS_PER_MILLI;
        let (tag, histogram) = (tag(scenario), distribution.encode());
        log += &format!("Tag={tag},0.000,{length:.3},{max:.6},{histogram}\n");
    }
    log
}

#[cfg(test)]
mod tests;
