//! divan's tree of benchmarks: the median time and, in the line below it, the median rate.
//!
//! ```text
//! div           fastest       │ slowest       │ median        │ mean          │ samples │ iters
//! ├─ record                   │               │               │               │         │
//! │  ├─ 1024    450.2 ns      │ 455.5 ns      │ 453 ns        │ 452.8 ns      │ 100     │ 400
//! │  │          2.274 GB/s    │ 2.247 GB/s    │ 2.26 GB/s     │ 2.261 GB/s    │         │
//! ```
//!
//! A benchmark's name is its path: `record::1024`, after that of its program if a file has several.
//! Numbers of allocations are left out.

use super::lines::{figure, prefixed};
use super::number::measured;
use super::{Collector, collector::cite, name};
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;
use std::collections::BTreeSet;

pub(super) fn recognise(head: &str) -> bool {
    head.lines().any(|line| heading(line).is_some())
}

/// The program, and the column of characters where the figures start.
fn heading(line: &str) -> Option<(&str, usize)> {
    let (program, columns) = line.split_once("fastest ")?;
    let names: Vec<&str> = columns.split('│').map(str::trim).collect();
    let is_heading = names == ["", "slowest", "median", "mean", "samples", "iters"];
    is_heading.then_some((program.trim(), program.chars().count()))
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let programs: BTreeSet<_> = text.lines().filter_map(heading).collect();
    let mut table = Table::default();
    collector.lines(text, |line, collector| {
        if let Some((program, start)) = heading(line) {
            let path = [program.to_owned()]
                .into_iter()
                .filter(|_| programs.len() > 1);
            table = Table {
                start,
                path: path.collect(),
                ..Table::default()
            };
            table.roots = table.path.len();
            Ok(())
        } else if line.contains('│') && table.start > 0 {
            table.row(line, collector)
        } else {
            Ok(())
        }
    });
}

#[derive(Default)]
struct Table {
    start: usize,
    /// Parts of the path before those of the tree.
    roots: usize,
    path: Vec<String>,
    /// The benchmark whose rate may be in the next line.
    timed: Option<Scenario>,
}

impl Table {
    fn row(&mut self, line: &str, collector: &mut Collector) -> Result<(), String> {
        let tree: String = line.chars().take(self.start).collect();
        let cells: String = line.chars().skip(self.start).collect();
        let cells: Vec<&str> = cells.split('│').map(str::trim).collect();
        let timed = self.timed.take();
        if cells.len() != 6 {
            return Err(cite("expected six columns, got", line));
        }
        let Some((branches, leaf)) = tree.split_once("─ ") else {
            return match timed {
                Some(scenario) if !line.contains("alloc") => rate(scenario, cells[2], collector),
                _ => Ok(()),
            };
        };
        let depth = self.roots + branches.chars().count() / 3;
        if depth > self.path.len() {
            return Err(cite("no line above is the parent of", line));
        }
        self.path.truncate(depth);
        self.path.push(leaf.trim().to_owned());
        let path = self.path.join("::");
        match cells[2].split_once(' ') {
            Some((value, symbol)) => {
                let time = Unit::parse(symbol).filter(|(unit, _)| *unit == Unit::Time);
                let (_, factor) = time.ok_or_else(|| cite("unknown unit of time", symbol))?;
                let scenario = name::scenario(&path)?;
                let base = measured(value, factor)?;
                collector.repeated(None, scenario.clone(), Unit::Time, base);
                self.timed = Some(scenario);
            }
            None if cells.iter().all(|cell| cell.is_empty()) => {}
            None if cells[0] == "(ignored)" => {
                collector.note(format!("a benchmark without a figure: {path} was ignored"));
            }
            None => return Err(cite("expected a time as median, got", line)),
        }
        Ok(())
    }
}

/// `2.26 GB/s`, `1.5 Mitem/s`
fn rate(scenario: Scenario, cell: &str, collector: &mut Collector) -> Result<(), String> {
    let rate = cell.split_once(' ');
    let (value, symbol) = rate.ok_or_else(|| cite("expected a rate, got", cell))?;
    let counted = ["item/s", "char/s", "Hz"];
    let prefix = counted.iter().find_map(|unit| symbol.strip_suffix(unit));
    let (unit, base) = match prefix {
        Some(prefix) => (Unit::Rate, prefixed(&format!("{value}{prefix}"), 1000.0)?),
        None => figure(value, symbol)?,
    };
    collector.repeated(None, scenario, unit, base);
    Ok(())
}
