//! criterion: `sample.json`, of which each sample is a run, or `estimates.json`, of which the
//! median is taken. The benchmark's name is the path before `new`, for neither file holds it:
//!
//! ```text
//! target/criterion/encode/serde/1024/new/sample.json      encode/serde/1024
//! ```
//!
//! Who has both files beside each other reads `sample.json` alone.

use super::{Collector, collector::cite, name};
use crate::implementation::Implementation;
use crate::scenario::Scenario;
use crate::unit::Unit;
use serde::Deserialize;

/// Iterations and nanoseconds of each sample; `Linear` or `Flat` sampling makes no difference.
#[derive(Deserialize)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
    /// Stands among estimates of times, and not among those of changes.
    std_dev: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Estimate {
    /// Nanoseconds.
    point_estimate: f64,
}

const SAMPLES: &str = r#"{"sampling_mode":"#;
const ESTIMATES: &str = r#"{"mean":{"confidence_interval":"#;

pub(super) fn recognise(head: &str) -> bool {
    starts_with(head, SAMPLES) || starts_with(head, ESTIMATES)
}

/// Whether JSON starts like this, whitespace apart.
pub(super) fn starts_with(json: &str, start: &str) -> bool {
    let mut found = json.chars().filter(|c| !c.is_ascii_whitespace());
    start.chars().all(|c| found.next() == Some(c))
}

pub(super) fn parse(path: &str, text: &str, collector: &mut Collector) {
    let Some(scenario) = collector.check(scenario(path)) else {
        return;
    };
    let read = if starts_with(text, SAMPLES) {
        samples(text, &scenario, collector)
    } else {
        estimates(text, scenario, collector)
    };
    collector.check(read);
}

fn samples(text: &str, scenario: &Scenario, collector: &mut Collector) -> Result<(), String> {
    let Some(Samples { iters, times }) = json(text, collector) else {
        return Ok(());
    };
    if iters.len() != times.len() {
        return Err(format!("{} iters and {} times", iters.len(), times.len()));
    }
    for (index, (iterations, nanoseconds)) in iters.iter().zip(&times).enumerate() {
        let printed = format!("{nanoseconds} ns / {iterations}");
        let seconds = nanoseconds / iterations * 1e-9;
        let what = format!("sample {}", index + 1);
        if let Some(seconds) = collector.check(positive(seconds, &what, &printed)) {
            collector.repeated(None, scenario.clone(), Unit::Time, seconds);
        }
    }
    Ok(())
}

fn estimates(text: &str, scenario: Scenario, collector: &mut Collector) -> Result<(), String> {
    let Some(Estimates { median, std_dev }) = json(text, collector) else {
        return Ok(());
    };
    if std_dev.is_none() {
        let message = "relative changes, not times: they are computed here from the times of `new`";
        return Err(message.to_owned());
    }
    let nanoseconds = median.point_estimate;
    let seconds = positive(nanoseconds * 1e-9, "median", &nanoseconds.to_string())?;
    collector.measured(scenario, Unit::Time, seconds);
    Ok(())
}

/// A figure that may be used, or what is wrong with it as it was printed.
pub(super) fn positive(seconds: f64, what: &str, printed: &str) -> Result<f64, String> {
    let sound = seconds > 0.0 && seconds.is_finite();
    let message = || format!("{what}: a figure must be positive and finite, not {printed}");
    sound.then_some(seconds).ok_or_else(message)
}

/// The value of a whole file, or `None` after its error became a problem.
pub(super) fn json<'a, T: Deserialize<'a>>(text: &'a str, collector: &mut Collector) -> Option<T> {
    match serde_json::from_str(text) {
        Ok(value) => Some(value),
        Err(error) => {
            collector.line = error.line() as u32;
            collector.problem(error.to_string());
            None
        }
    }
}

/// The name is what stands in the path between the folder `criterion`, or else the last folder
/// that names an implementation, and `new`.
fn scenario(path: &str) -> Result<Scenario, String> {
    let folders = path.split(['/', '\\']).filter(|f| !matches!(*f, "" | "."));
    let folders: Vec<&str> = folders.collect();
    let end = folders.iter().rposition(|f| *f == "new").unwrap_or(0);
    let above = &folders[..end];
    let names_implementation = |f: &&str| Implementation::from_file_name(f).is_some();
    let start = above.iter().rposition(|f| *f == "criterion");
    let start = start.or_else(|| above.iter().rposition(names_implementation));
    match &above[start.map_or(0, |at| at + 1)..] {
        [] => {
            let message = "the folder does not name the benchmark, as `NAME/new/sample.json` does:";
            Err(cite(message, path))
        }
        named => name::scenario(&named.join("/")),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Format, tests::read};

    pub(in crate::parse) const PATH: &str = "target/criterion/grp/fun/64/new/sample.json";
    pub(in crate::parse) const SAMPLE: &str =
        r#"{"sampling_mode":"Flat","iters":[100.0,200.0,400.0],"times":[33900.0,29400.0,1e5]}"#;
    pub(in crate::parse) const ESTIMATES: &str = r#"{"mean":{"confidence_interval":{"confidence_level":0.95,"lower_bound":1361.5,"upper_bound":1681.0},"point_estimate":1495.1,"standard_error":83.9},
"median":{"confidence_interval":{"confidence_level":0.95,"lower_bound":1337.5,"upper_bound":1553.6},"point_estimate":1359.25,"standard_error":65.4},
"std_dev":{"confidence_interval":{"confidence_level":0.95,"lower_bound":7.0,"upper_bound":286.1},"point_estimate":56.2,"standard_error":80.5}}"#;

    #[test]
    fn figures() {
        assert_eq!(
            read(Format::Criterion, PATH, SAMPLE),
            [
                "0: grp/fun/64 = 339 ns",
                "0: grp/fun/64 = 147 ns, run 1",
                "0: grp/fun/64 = 250 ns, run 2",
            ]
        );
        assert_eq!(
            read(
                Format::Criterion,
                "data/rustls_0.23.1/plain name/new/estimates.json",
                ESTIMATES
            ),
            ["0: plain name = 1359.25 ns"]
        );
    }

    #[test]
    fn problems() {
        let changes = ESTIMATES.replace("std_dev", "other");
        assert_eq!(
            read(Format::Criterion, PATH, &changes),
            ["0! relative changes, not times: they are computed here from the times of `new`"]
        );
        for (text, problem) in [
            (
                SAMPLE.replace("200.0", "0.0").replace("33900", "-33900"),
                "0! sample 1: a figure must be positive and finite, not -33900 ns / 100",
            ),
            (SAMPLE.replace("200.0,", ""), "0! 2 iters and 3 times"),
            (
                SAMPLE.replace("]}", "]"),
                "1! EOF while parsing an object at line 1 column 81",
            ),
            (
                SAMPLE.replace("1e5", "1e500"),
                "1! number out of range at line 1 column 82",
            ),
        ] {
            assert_eq!(read(Format::Criterion, PATH, &text)[0], problem);
        }
        assert_eq!(
            read(Format::Criterion, "sample.json", SAMPLE),
            [
                "0! the folder does not name the benchmark, as `NAME/new/sample.json` does: `sample.json`"
            ]
        );
    }
}
