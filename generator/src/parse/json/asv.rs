//! The result file of asv, a commit's. A benchmark has a value for each combination of its parameters.
//!
//! ```text
//! {"commit_hash": "9685d05c…", "results": {"b.T.time_sum": [[3.1e-06, 2.7e-06], [["10"], ["'a'", "'b'"]], …]}}
//! ```
//!
//! The name says what is measured: `time_` seconds, `mem_` and `peakmem_` bytes, `track_` anything.

use super::prelude::*;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Results<'a> {
    #[serde(borrow)]
    results: BTreeMap<String, &'a RawValue>,
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    out.line = 1;
    let Some(all) = super::read::<Results>(text, out) else {
        return;
    };
    for (name, result) in all.results {
        // A benchmark that failed has `null`.
        let parts = serde_json::from_str::<Vec<&RawValue>>(result.get());
        let Ok([values, parameters, ..]) = parts.as_deref() else {
            out.unread(&name);
            continue;
        };
        let values = serde_json::from_str::<Vec<Option<f64>>>(values.get());
        let parameters = serde_json::from_str::<Vec<Vec<String>>>(parameters.get());
        let (Ok(values), Ok(parameters)) = (values, parameters) else {
            out.unread(&name);
            continue;
        };
        let unit = match name
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .split('_')
            .next()
        {
            Some("time" | "timeraw") => Ok(Unit::Time),
            Some("mem" | "peakmem") => Ok(Unit::Memory),
            _ => Err(Unit::other("unitless")),
        };
        let unit = unit.unwrap_or_else(|other| other);
        for (index, value) in values.into_iter().enumerate() {
            let name = match combination(&parameters, index) {
                words if words.is_empty() => name.clone(),
                words => format!("{name}({})", words.join(", ")),
            };
            match value.filter(|value| *value >= 0.0) {
                Some(value) => out.benchmark(&name, unit.clone(), value),
                None => out.note(cite("a benchmark without a figure:", &name)),
            }
        }
    }
    out.line = 0;
}

/// The words of a combination, of which the last parameter changes first.
fn combination(parameters: &[Vec<String>], index: usize) -> Vec<&str> {
    let mut rest = index;
    let mut words = Vec::new();
    for values in parameters.iter().rev() {
        let count = values.len().max(1);
        words.extend(values.get(rest % count).map(String::as_str));
        rest /= count;
    }
    words.reverse();
    words
}
