//! Peak memory: the echo of `… time -f %M … memory SUITE N`, then the peak resident set in KiB
//! alone on a line.

use super::Collector;
use super::collector::quote;
use super::echo::{Echo, Runs, Test};
use super::number::measured;
use crate::scenario::Scenario;
use crate::unit::Unit;

pub(super) fn recognise(head: &str) -> bool {
    head.lines()
        .filter_map(Echo::parse)
        .any(|e| e.test == Test::Memory)
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    let mut runs = Runs::default();
    let mut echo = None;
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        if let Some(command) = Echo::parse(line) {
            runs.echo(line, collector);
            echo = Some(command);
        } else if !line.trim().is_empty() && !row(number, line, echo.as_ref(), collector) {
            collector.problem(
                number,
                format!(
                    "expected a command or the peak memory in KiB, got {}",
                    quote(line)
                ),
            );
        }
    }
}

/// Takes a line that is a peak behind a memory command; false for all other lines.
pub(super) fn row(number: u32, line: &str, echo: Option<&Echo>, collector: &mut Collector) -> bool {
    let Some(echo) = echo.filter(|e| e.test == Test::Memory) else {
        return false;
    };
    if line.contains('\t') {
        return false;
    }
    let Some(base) = collector.check(number, measured(line.trim(), 1024.0)) else {
        return true;
    };
    let sessions = echo.amount.filter(|n| *n <= u64::from(u32::MAX));
    let sessions = sessions.map(|n| n as u32);
    if echo.suite.is_none() || sessions.is_none() {
        collector.problem(
            number,
            "the command above tells no cipher suite or no number of sessions",
        );
        return true;
    }
    collector.measured(
        number,
        Scenario {
            sessions,
            ..echo.scenario()
        },
        Unit::Memory,
        base,
    );
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks() {
        let text = "env /usr/bin/time -f %M ./bench memory ECDHE-RSA-AES256-GCM-SHA384 100\n15001\n\
                    /usr/bin/env time -f %M target/release/rustls-bench memory TLS13_AES_256_GCM_SHA384 10000\n130001\n";
        assert!(recognise(text));
        let parsed = crate::parse::parse("memory.txt", text.as_bytes()).expect("memory");
        let rows: Vec<_> = parsed
            .observations
            .iter()
            .map(|o| o.scenario.label())
            .collect();
        assert_eq!(
            rows,
            ["memory, 1.2, 100 sessions", "memory, 1.3, 10000 sessions"]
        );
    }

    #[test]
    fn a_cut_number_is_seen() {
        let text = "./bench memory ECDHE-RSA-AES256-GCM-SHA384 100\n150";
        let problems = crate::parse::parse("memory.txt", text.as_bytes()).expect_err("cut");
        assert_eq!(problems[0].line, 2);
    }
}
