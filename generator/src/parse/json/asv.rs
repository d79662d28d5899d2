//! The result file of asv, a commit's. A benchmark has a value for each combination of its parameters.
//!
//! ```text
//! {"commit_hash": "9685d05c…", "results": {"b.T.time_sum": [[3.1e-06, 2.7e-06], [["10"], ["'a'", "'b'"]], …]}}
//! ```
//!
//! The name says what is measured: `time_` seconds, `mem_` and `peakmem_` bytes, `track_` anything.

use super::prelude::*;
use serde_json::Value as Json;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Results {
    results: BTreeMap<String, Json>,
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    let Some(all) = super::read::<Results>(text, out) else {
        return;
    };
    for (name, result) in all.results {
        // A benchmark that failed has `null`.
        let (Some(values), Some(parameters)) = (result[0].as_array(), result[1].as_array()) else {
            out.unread(&name);
            continue;
        };
        let function = name.rsplit('.').next().unwrap_or_default();
        let unit = match function.split('_').next() {
            Some("time" | "timeraw") => Unit::Time,
            Some("mem" | "peakmem") => Unit::Memory,
            _ => Unit::custom("unitless", Better::Unknown),
        };
        for (index, value) in values.iter().enumerate() {
            let name = match combination(parameters, index) {
                words if words.is_empty() => name.clone(),
                words => format!("{name}({})", words.join(", ")),
            };
            match value.as_f64().filter(|value| *value >= 0.0) {
                Some(value) => out.benchmark(&name, unit.clone(), value),
                None => out.note(cite("a benchmark without a figure:", &name)),
            }
        }
    }
    out.line = 0;
}

/// The words of a combination, of which the last parameter changes first.
fn combination(parameters: &[Json], index: usize) -> Vec<&str> {
    let mut rest = index;
    let mut words = Vec::new();
    for values in parameters.iter().rev() {
        let count = values.as_array().map_or(1, |all| all.len().max(1));
        words.extend(values[rest % count].as_str());
        rest /= count;
    }
    words.reverse();
    words
}
