//! The result file of asv, a commit's. A benchmark has a value for each combination of its parameters.
//!
//! ```text
//! {"commit_hash": "9685d05c…", "results": {"b.T.time_sum": [[3.1e-06, 2.7e-06], [["10"], ["'a'", "'b'"]], …]}}
//! ```
//!
//! The name says what is measured: `time_` seconds, `mem_` and `peakmem_` bytes, `track_` anything.

use super::prelude::*;

pub(super) fn parse(document: &Json, out: &mut Collector) {
    for (name, result) in document["results"].as_object().into_iter().flatten() {
        // A benchmark that failed has `null`.
        let (Some(values), Some(parameters)) = (result[0].as_array(), result[1].as_array()) else {
            out.unread(name);
            continue;
        };
        let function = name.rsplit('.').next().unwrap_or_default();
        let unit = match function.split('_').next() {
            Some("time" | "timeraw") => Unit::Time,
            Some("mem" | "peakmem") => Unit::Memory,
            _ => Unit::custom("unitless", Better::Unknown),
        };
        for (index, value) in values.iter().enumerate() {
            // Of a combination, the last parameter changes first.
            let (mut words, mut rest) = (Vec::new(), index);
            for values in parameters.iter().rev().filter_map(Json::as_array) {
                let count = values.len().max(1);
                words.extend(values.get(rest % count).and_then(Json::as_str));
                rest /= count;
            }
            words.reverse();
            let name = match words.is_empty() {
                true => name.clone(),
                false => format!("{name}({})", words.join(", ")),
            };
            match value.as_f64().filter(|value| *value >= 0.0) {
                Some(value) => out.benchmark(&name, unit.clone(), value),
                None => out.note(cite("a benchmark without a figure:", &name)),
            }
        }
    }
    out.line = 0;
}
