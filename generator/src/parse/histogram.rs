//! Interval logs of HdrHistogram (`.hlog`), their values in nanoseconds: what `generator run`
//! keeps of latencies.
//!
//! ```text
//! #[Histogram log format version 1.3]
//! #[Implementation: rustls 0.23.43, aws-lc-rs]
//! #[Caveat: the library's own choice of group]
//! "StartTimestamp","Interval_Length","Interval_Max","Interval_CompressedHistogram"
//! Tag=latency_of_full_handshakes/1.3/rsa/client,0.000,1.204,0.918273,HISTFAAA…
//! ```
//!
//! A tag is a scenario's label with `/` for its commas and `_` for its blanks; without a tag the
//! file's name tells the scenario as that of a [latency capture](super::latency) does. Intervals
//! of one scenario are one distribution. The third figure is the greatest value in milliseconds.

use super::Collector;
use super::collector::cite;
use crate::distribution::Distribution;
use crate::implementation::Implementation;
use crate::observation::Value;
use crate::scenario::{Scenario, Workload};
use crate::unit::Unit;

const LEGEND: &str = "\"StartTimestamp\"";
const IMPLEMENTATION: &str = "#[Implementation: ";
const CAVEAT: &str = "#[Caveat: ";
const NANOS_PER_MILLI: f64 = 1e6;

pub(super) fn recognise(head: &str) -> bool {
    let first = head.trim_start_matches('\u{feff}');
    first.starts_with("#[Histogram log format version") || first.starts_with(LEGEND)
}

struct Found {
    scenario: Scenario,
    line: u32,
    distribution: Distribution,
    caveats: Vec<String>,
}

pub(super) fn parse(name: &str, text: &str, collector: &mut Collector) {
    let mut found: Vec<Found> = Vec::new();
    let mut caveats = Vec::new();
    let mut implementation = None;
    collector.lines(text, |line, collector| {
        if let Some(caveat) = line.strip_prefix(CAVEAT) {
            caveats.push(caveat.trim_end_matches(']').to_owned());
        } else if let Some(heading) = line.strip_prefix(IMPLEMENTATION) {
            implementation = Some(Implementation::from_heading(heading.trim_end_matches(']')));
        } else if !line.starts_with('#') && !line.starts_with(LEGEND) {
            let (scenario, distribution) = interval(name, line)?;
            let caveats = std::mem::take(&mut caveats);
            let line = collector.line;
            match found.iter_mut().find(|f| f.scenario == scenario) {
                Some(earlier) => earlier.distribution.merge(&distribution),
                None => found.push(Found {
                    scenario,
                    line,
                    distribution,
                    caveats,
                }),
            }
        }
        Ok(())
    });
    if !text.ends_with('\n') {
        collector.problem("the file ends without a line end, so it may be cut");
    }
    for one in found {
        collector.line = one.line;
        let value = Value::Distribution(Box::new(one.distribution));
        let row = collector.push(one.scenario, Unit::Time, value);
        row.implementation = implementation.clone();
        row.caveat = (!one.caveats.is_empty()).then(|| one.caveats.join("; "));
    }
}

fn interval(name: &str, line: &str) -> Result<(Scenario, Distribution), String> {
    let tag = line.strip_prefix("Tag=");
    let tag = tag.map(|tagged| tagged.split_once(',').unwrap_or((tagged, "")));
    let rest = tag.map_or(line, |(_, rest)| rest);
    let cells: Vec<&str> = rest.split(',').collect();
    let [start, length, max, histogram] = cells.as_slice() else {
        let message = "an interval has four figures (start, length, greatest value, histogram), \
                       unlike";
        return Err(cite(message, line));
    };
    let figure = |cell: &str| match cell.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err(cite("no figure of an interval:", cell)),
    };
    figure(start)?;
    figure(length)?;
    let max = figure(max)?;
    let scenario = match tag {
        Some((tag, _)) => tagged(tag)?,
        None => super::latency::scenario(name)?,
    };
    let mut distribution = Distribution::decode(histogram.trim())?;
    // Other writers print fewer digits, or another unit: then the histogram's own will do.
    distribution.sharpen_max((max * NANOS_PER_MILLI).round() as u64);
    Ok((scenario, distribution))
}

/// The tag of a scenario.
pub fn tag(scenario: &Scenario) -> String {
    scenario.label().replace(", ", "/").replace(' ', "_")
}

fn tagged(tag: &str) -> Result<Scenario, String> {
    scenario(&tag.replace('/', ", ").replace('_', " "))
}

/// The scenario of a label, if latencies can be of it.
pub(crate) fn scenario(label: &str) -> Result<Scenario, String> {
    let scenario = super::name::scenario(label)?;
    match scenario.workload {
        Workload::FullLatency | Workload::ResumedLatency if scenario.percentile.is_none() => {
            Ok(scenario)
        }
        _ => Err(cite("no scenario of latency:", label)),
    }
}

/// An interval log of these distributions of one implementation, with the caveats of each.
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
        log += &line(Some(scenario), distribution);
    }
    log
}

/// One interval. Nobody needs to know when it was; its length is that of all values together.
pub(crate) fn line(scenario: Option<&Scenario>, distribution: &Distribution) -> String {
    let tag = scenario.map_or_else(String::new, |s| format!("Tag={},", tag(s)));
    let length = distribution.mean() * distribution.count() as f64;
    let max = distribution.max_nanos() as f64 / NANOS_PER_MILLI;
    let histogram = distribution.encode();
    format!("{tag}0.000,{length:.3},{max:.6},{histogram}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Format, Problem};

    /// Two scenarios; the first one in two intervals.
    fn fixture() -> String {
        let label = |text| Scenario::from_label(text).expect("a label");
        let (full, resumed) = (
            label("latency of full handshakes, 1.3, rsa, client"),
            label("latency of resumed handshakes, 1.2, session id, server"),
        );
        let of = |values: std::ops::Range<u64>| {
            let mut distribution = Distribution::default();
            values.for_each(|n| distribution.record(n * 1_001));
            distribution
        };
        let (a, b, c) = (of(1..1000), of(1000..2001), of(5..6));
        let caveat = ["its own choice of group".to_owned()];
        let identity = Implementation::new("OpenSSL", "3.5.1", &["gcc"]);
        write(
            &identity,
            [
                (&full, &a, &caveat[..]),
                (&resumed, &c, &[]),
                (&full, &b, &[]),
            ],
        )
    }

    fn read(name: &str, text: &str) -> Result<crate::parse::Parsed, Vec<Problem>> {
        assert_eq!(
            crate::parse::parser_of(text).map(|p| p.0),
            Some(Format::Histogram)
        );
        crate::parse::parse(name, text.as_bytes())
    }

    #[test]
    fn a_log_is_read_back() {
        let parsed = read("run-001-latency.hlog", &fixture()).expect("our own");
        let rows: Vec<(String, u64, Option<&str>)> = parsed
            .observations
            .iter()
            .map(|o| {
                let Value::Distribution(d) = &o.value else {
                    panic!("no distribution");
                };
                (o.scenario.label(), d.count(), o.caveat.as_deref())
            })
            .collect();
        assert_eq!(
            rows,
            [
                (
                    "latency of full handshakes, 1.3, rsa, client".to_owned(),
                    2000,
                    Some("its own choice of group")
                ),
                (
                    "latency of resumed handshakes, 1.2, session id, server".to_owned(),
                    1,
                    None
                ),
            ]
        );
        let declared = parsed.observations[0].implementation.as_ref();
        assert_eq!(
            declared.map(ToString::to_string).as_deref(),
            Some("OpenSSL 3.5.1, gcc")
        );
        let Value::Distribution(all) = &parsed.observations[0].value else {
            panic!("no distribution");
        };
        assert_eq!(all.max(), 2000.0 * 1001.0 / 1e9);
        let median = all.quantile(0.5).expect("many");
        assert!(
            (median / (1000.0 * 1001.0 / 1e9) - 1.0).abs() < 0.001,
            "{median}"
        );
    }

    /// The log in the documentation of HdrHistogram's Java implementation has such lines.
    #[test]
    fn without_tags_the_name_tells() {
        let text = fixture();
        let line = text.lines().find(|l| l.starts_with("Tag=")).expect("one");
        let untagged = line.split_once(',').expect("a tag").1;
        let log = format!("#[Histogram log format version 1.2]\n{untagged}\n");
        let parsed = read("a/latency-fullhs-tls13-server.hlog", &log).expect("a log");
        let label = parsed.observations[0].scenario.label();
        assert_eq!(label, "latency of full handshakes, 1.3, server");
        let problems = read("a/latency.hlog", &log).expect_err("a name that does not tell");
        assert!(
            problems[0].message.contains("neither `fullhs`"),
            "{problems:?}"
        );
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let good = fixture();
        for (from, to, line, part) in [
            ("/1.3/rsa", "/1.4/rsa", 6, "`1.4`"),
            (
                "Tag=latency_of_full_handshakes/1.3/rsa/client",
                "Tag=transfer/1.3",
                6,
                "no scenario of latency",
            ),
            ("0.000", "-1", 6, "no figure of an interval: `-1`"),
            (",0.000", "", 6, "four figures"),
            ("HISTFAAA", "HISTFAA%", 6, "base 64"),
        ] {
            let wrong = good.replacen(from, to, 1);
            assert_ne!(wrong, good, "{from}");
            let problems = read("x", &wrong).expect_err(part);
            assert_eq!(problems[0].line, line, "{problems:?}");
            assert!(problems[0].message.contains(part), "{problems:?}");
        }
        let problems = read("x", good.trim_end()).expect_err("cut at its last line end");
        assert!(problems[0].message.contains("may be cut"), "{problems:?}");
        let cut = &good[..good.len() - 20];
        let problems = read("x", &format!("{cut}\n")).expect_err("cut in a histogram");
        assert_eq!(problems[0].line, good.lines().count() as u32);
    }

    #[test]
    fn a_damaged_histogram_is_never_read_as_another() {
        let good = fixture();
        let start = good.find("HISTFAAA").expect("a histogram");
        let end = start + good[start..].find('\n').expect("its end");
        for at in start..end {
            let other = if good.as_bytes()[at] == b'A' {
                "B"
            } else {
                "A"
            };
            for with in [other, ""] {
                let damaged = good[..at].to_owned() + with + &good[at + 1..];
                match read("x", &damaged) {
                    Err(problems) => assert_eq!(problems[0].line, 6),
                    // The length of what is packed says nothing that the packed bytes do not.
                    Ok(parsed) => assert_eq!(parsed, read("x", &good).expect("the good one")),
                }
            }
        }
    }
}
