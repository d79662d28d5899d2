//! JMH's table. A score is the mean of all forks.
//!
//! ```text
//! Benchmark                       (size)   Mode  Cnt    Score    Error  Units
//! Records.seal                      1024  thrpt    5  123.456 ±  1.234  ops/s
//! Records.seal:gc.alloc.rate.norm   1024  thrpt    5   96.000 ±  0.001   B/op
//! ```

use super::json::jmh::{label, table_note};
use super::prelude::*;

static HEADING: Pattern = Pattern::marked(
    "Benchmark ",
    r"^Benchmark +((?:\([^)]*\) +)*)Mode +(?:Cnt|Samples) +Score +(?:Error|Score error) +Units$",
);

static LINES: Lines<6> = Lines {
    pattern: Pattern::new(
        r"^(\S+)((?: +\S+)*?) +(thrpt|avgt|sample|ss)(?: +\d+)? +(≈ ?\S+|[\d.,]+)(?: +±\(?[\d.%)]* +[\d.,]+| +± +NaN)? +([^\d\s]\S*)$",
    ),
    marks: &["  thrpt  ", "  avgt  ", "  sample  ", "  ss  "],
    expected: "a name, parameters, the mode, a score and its unit",
};

#[derive(Default)]
pub(super) struct Jmh {
    parameters: Option<Vec<String>>,
    has_note: bool,
}

impl Tool for Jmh {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if let Some([_, parameters]) = HEADING.groups(line) {
            let words = parameters
                .split_whitespace()
                .map(|word| word.trim_matches(['(', ')']).to_owned());
            self.parameters = Some(words.collect());
            return Ok(());
        }
        let Some(parameters) = &self.parameters else {
            return Err(Foreign);
        };
        let [_, name, values, mode, score, symbol] = LINES.find(line)?;
        let values: Vec<&str> = values.split_whitespace().collect();
        if values.len() != parameters.len() {
            return wrong("not as many parameters as in the heading:", line);
        }
        let with_value = parameters
            .iter()
            .zip(values)
            .filter(|(_, value)| *value != "N/A");
        let details = with_value.map(|(name, value)| format!("{name}={value}"));
        let label = label(name, details.collect(), mode, 1);
        if score.starts_with('≈') {
            out.note(cite("a score without digits is left out:", line));
            return Ok(());
        }
        let (unit, factor) = Unit::parse_or_other(symbol);
        out.benchmark(&label, unit, amount(&score.replace(',', ""))? * factor)?;
        if !std::mem::replace(&mut self.has_note, true) {
            out.note(table_note());
        }
        Ok(())
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.parameters = None;
    }
}
