//! The percentile distribution of an HdrHistogram (`.hgrm`). It does not say the unit of its
//! values.
//!
//! ```text
//!        Value     Percentile TotalCount 1/(1-Percentile)
//!        0.921     0.000000000000            1           1.00
//! #[Mean    =        9.747, StdDeviation   =        0.518]
//! ```

use super::prelude::*;

static HEADING: Pattern = Pattern::marked(
    " Percentile ",
    r"^ *Value +Percentile +TotalCount +1/\(1-Percentile\)$",
);
static ROW: Pattern = Pattern::new(r"^ *(\d[\d.]*) +([01]\.\d+) +(\d+)(?: +(?:[\d.]+|inf))?$");

/// The percentiles to read: the first row that reaches each.
const POINTS: [(f64, &str); 5] = [
    (0.5, "P50"),
    (0.9, "P90"),
    (0.99, "P99"),
    (0.999, "P99.9"),
    (1.0, "max"),
];

#[derive(Default)]
pub(super) struct Hgrm {
    is_open: bool,
    next: usize,
    last: (f64, u64),
}

impl Tool for Hgrm {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if line.contains(" Percentile ") && HEADING.captures(line).is_some() {
            *self = Self {
                is_open: true,
                ..Self::default()
            };
            return Ok(());
        } else if !self.is_open {
            return Err(Foreign);
        } else if line.starts_with("#[") {
            return Ok(());
        }
        let Some([_, value, share, count]) = ROW.groups(line) else {
            return damaged("expected a value, its percentile and counts, got", line);
        };
        let (value, share) = (amount(value)?, amount(share)?);
        let count = integer(count).unwrap_or(0);
        if value < self.last.0 || count < self.last.1 {
            return wrong("values and counts must rise, unlike in", line);
        }
        self.last = (value, count);
        while let Some((_, name)) = POINTS.get(self.next).filter(|(point, _)| share >= *point) {
            self.next += 1;
            let (unit, _) = Unit::directed("unknown unit", Better::Lower);
            out.benchmark(&format!("latency, {name}"), unit, value)?;
        }
        Ok(())
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.is_open = false;
    }

    fn end(&mut self, out: &mut Collector) {
        if self.is_open && self.next < POINTS.len() && out.problems.is_empty() {
            out.problem("the distribution ends before its maximum");
        }
    }
}
