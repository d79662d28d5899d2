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

use super::prelude::*;
use std::collections::BTreeSet;

pub(super) fn recognise(head: &str) -> bool {
    head.lines().any(|line| heading(line).is_some())
}

static HEADING: Pattern =
    Pattern::new(r"^(.*\S) +fastest +│ slowest +│ median +│ mean +│ samples +│ iters$");

/// The program, and the column of characters where the figures start.
fn heading(line: &str) -> Option<(&str, usize)> {
    let [_, program] = HEADING.groups(line)?;
    let (before, _) = line.split_once("fastest ")?;
    Some((program, before.chars().count()))
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let programs: BTreeSet<_> = text.lines().filter_map(heading).collect();
    let mut table = Table::default();
    collector.lines(text, |line, collector| {
        if let Some((program, start)) = heading(line) {
            let path: Vec<String> = match programs.len() {
                1 => Vec::new(),
                _ => vec![program.to_owned()],
            };
            table = Table {
                start,
                roots: path.len(),
                path,
                timed: None,
            };
        } else if line.contains('│') && table.start > 0 {
            table.row(line, collector)?;
        }
        Ok(())
    });
}

#[derive(Default)]
struct Table {
    start: usize,
    /// Parts of the path before those of the tree.
    roots: usize,
    path: Vec<String>,
    /// The benchmark whose rate may be in the next line.
    timed: Option<String>,
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
        let median = cells[2].split_once(' ');
        let Some((branches, leaf)) = tree.split_once("─ ") else {
            let Some(name) = timed.filter(|_| !line.contains("alloc")) else {
                return Ok(());
            };
            let (value, symbol) = median.ok_or_else(|| cite("expected a rate, got", cells[2]))?;
            let (unit, base) = figure(value, symbol)?;
            return collector.benchmark(&name, unit, base);
        };
        let depth = self.roots + branches.chars().count() / 3;
        if depth > self.path.len() {
            return Err(cite("no line above is the parent of", line));
        }
        self.path.truncate(depth);
        self.path.push(leaf.trim().to_owned());
        let path = self.path.join("::");
        match median {
            Some((value, symbol)) => {
                let (unit, base) = figure(value, symbol)?;
                if unit != Unit::Time {
                    return Err(cite("unknown unit of time", symbol));
                }
                collector.benchmark(&path, unit, base)?;
                self.timed = Some(path);
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
