//! Peak memory: the echo of `… time -f %M … memory SUITE N`, then a line with the peak resident set
//! in KiB.

use super::collector::cite;
use super::echo::{Context, Echo};
use super::{Collector, number::measured};
use crate::model::scenario::Workload;
use crate::model::unit::Unit;

pub(super) fn recognise(head: &str) -> bool {
    let mut echoes = head.lines().filter_map(Echo::parse);
    echoes.any(|e| e.scenario.workload == Workload::Memory)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut context = Context::default();
    collector.lines(text, |line, collector| {
        if context.command(line, collector) || row(line, context.echo.as_ref(), collector)? {
            return Ok(());
        }
        let message = "expected a command or the peak memory in KiB, got";
        Err(cite(message, line))
    });
}

/// Processes the line of a peak after a memory command; false for all other lines.
pub(super) fn row(
    line: &str,
    echo: Option<&Echo>,
    collector: &mut Collector,
) -> Result<bool, String> {
    let is_peak = |e: &&Echo| e.scenario.workload == Workload::Memory && !line.contains('\t');
    let Some(echo) = echo.filter(is_peak) else {
        return Ok(false);
    };
    let base = measured(line.trim(), 1024.0)?;
    if echo.suite.is_none() || echo.scenario.sessions.is_none() {
        return Err("the command above names no cipher suite or no number of sessions".to_owned());
    }
    collector.measured(echo.scenario.clone(), Unit::Memory, base);
    Ok(true)
}
