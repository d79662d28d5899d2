//! `cargo criterion --message-format=json`: a message for each benchmark, of which the median is read.
//!
//! ```text
//! {"reason": "benchmark-complete", "id": "sum/1024", "median": {"estimate": 560.7, "unit": "ns"},
//!  "throughput": [{"per_iteration": 1024, "unit": "bytes"}]}
//! ```

use super::prelude::*;

#[derive(Deserialize)]
struct Message {
    reason: String,
    id: Option<String>,
    median: Option<Estimate>,
    typical: Option<Estimate>,
    #[serde(default)]
    throughput: Vec<Throughput>,
}

#[derive(Deserialize)]
struct Estimate {
    estimate: f64,
    unit: String,
}

#[derive(Deserialize)]
struct Throughput {
    per_iteration: f64,
    unit: String,
}

pub(super) fn parse(text: &str, out: &mut Collector) {
    super::document(text, out, read);
}

fn read(message: Message, out: &mut Collector) -> Result<(), String> {
    if message.reason != "benchmark-complete" {
        return Ok(());
    }
    let name = message.id.ok_or("a benchmark without its id")?;
    let estimate = message
        .median
        .or(message.typical)
        .ok_or_else(|| cite("no median of", &name))?;
    let (unit, factor) = Unit::parse_or_other(&estimate.unit);
    let base = finite(estimate.estimate, &name)? * factor;
    let is_time = unit == Unit::Time;
    out.benchmark(&name, unit, base)?;
    for throughput in message.throughput.iter().filter(|_| is_time) {
        let (unit, factor) = match throughput.unit.as_str() {
            "bytes" => (Unit::Throughput, 1.0),
            "bits" => (Unit::Throughput, 0.125),
            _ => (Unit::Rate, 1.0),
        };
        let rate = finite(throughput.per_iteration * factor / base, &name)?;
        out.benchmark(&name, unit, rate)?;
    }
    Ok(())
}
