//! `openssl s_time`: new sessions, then resumed ones, or either alone.
//!
//! ```text
//! 1932 connections in 0.58s; 3331.03 connections/user sec, bytes read 0
//! 1932 connections in 3 real seconds, 0 bytes read per connection
//! Now timing with session id reuse.
//! ```
//!
//! Real seconds are whole and count the start, so the figure is that of the client's CPU time.

use super::prelude::*;

static LINES: Lines<3> = Lines {
    pattern: Pattern::new(
        r"^\d+ connections in [\d.]+s; ([\d.]+) connections/user sec, bytes read (\d+)$",
    ),
    marks: &["connections/user"],
    expected: "`N connections in Ts; R connections/user sec, bytes read N`",
};

const START: &str = "Collecting connection statistics";

pub(super) fn recognise(head: &str) -> bool {
    head.starts_with(START) || LINES.recognise(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut workload = Workload::FullHandshake;
    LINES.parse(text, collector, |line, collector| {
        match line {
            Line::Figures([_, rate, read]) => {
                let scenario = Scenario::new(workload.clone()).on(Side::Client);
                let row = collector.repeated(scenario, Unit::HandshakeRate, number(rate)?);
                let reads = match read {
                    "0" => "",
                    _ => ", which also reads a page",
                };
                row.caveat = Some(format!("per second of the client's user CPU time{reads}"));
            }
            Line::Other(line) if line.starts_with(START) => workload = Workload::FullHandshake,
            Line::Other(line) if line.starts_with("Now timing with session id reuse.") => {
                workload = Workload::ResumedHandshake;
            }
            Line::Other(_) => {}
        }
        Ok(())
    });
}
