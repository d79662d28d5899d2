//! divan's tree of benchmarks: the median time and, in the line below it, the median rate.
//!
//! ```text
//! div           fastest       │ slowest       │ median        │ mean          │ samples │ iters
//! ├─ record                   │               │               │               │         │
//! │  ├─ 1024    450.2 ns      │ 455.5 ns      │ 453 ns        │ 452.8 ns      │ 100     │ 400
//! │  │          2.274 GB/s    │ 2.247 GB/s    │ 2.26 GB/s     │ 2.261 GB/s    │         │
//! ```
//!
//! A benchmark's name is its path, from its program: `div::record::1024`. Numbers of allocations
//! are left out.

use super::prelude::*;

static HEADING: LazyLock<Expression> = LazyLock::new(|| {
    Expression::new(r"^(.*\S) +fastest +│ slowest +│ median +│ mean +│ samples +│ iters$")
});

#[derive(Default)]
pub(super) struct Divan {
    /// The column of characters where the figures start; 0 outside a table.
    start: usize,
    /// The program, then the parts of the tree.
    path: Vec<String>,
    /// The benchmark whose rate may be in the next line.
    timed: Option<String>,
    programs: Vec<String>,
}

impl Tool for Divan {
    fn line(&mut self, line: &str, out: &mut Collector) -> Line {
        if line.starts_with("Timer precision: ") {
            return Line::Known;
        } else if !line.contains('│') && !line.contains("─ ") {
            return Line::Foreign;
        }
        let Some([_, program]) = HEADING.groups(line) else {
            return match self.row(line, out) {
                Some(()) => Line::Known,
                None => Line::Odd,
            };
        };
        let before = line.split("fastest ").next().unwrap_or_default();
        self.start = before.chars().count();
        self.path = vec![program.to_owned()];
        self.timed = None;
        if self.programs.contains(&self.path[0]) {
            self.programs.clear();
            out.scope.run += 1;
        }
        self.programs.push(program.to_owned());
        Line::Known
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.start = 0;
    }
}

impl Divan {
    /// Reads a row; `None` if it is none.
    fn row(&mut self, line: &str, out: &mut Collector) -> Option<()> {
        let tree: String = line.chars().take(self.start).collect();
        let cells: String = line.chars().skip(self.start).collect();
        let cells: Vec<&str> = cells.split('│').map(str::trim).collect();
        let timed = self.timed.take();
        if cells.len() != 6 || self.start == 0 {
            return None;
        }
        let median = cells[2]
            .split_once(' ')
            .map(|(value, unit)| figure(value, unit));
        let Some((branches, leaf)) = tree.split_once("─ ") else {
            if let Some(name) = timed.filter(|_| !line.contains("alloc")) {
                let (unit, base) = median??;
                out.benchmark(&name, unit, base);
            }
            return Some(());
        };
        let depth = 1 + branches.chars().count() / 3;
        if depth > self.path.len() {
            return None;
        }
        self.path.truncate(depth);
        self.path.push(leaf.trim().to_owned());
        let path = self.path.join("::");
        match median {
            Some(figure) => {
                let (unit, base) = figure.filter(|(unit, _)| *unit == Unit::Time)?;
                out.benchmark(&path, unit, base);
                self.timed = Some(path);
            }
            None if cells[0] == "(ignored)" => {
                out.note(format!("a benchmark without a figure: {path} was ignored"));
            }
            None if cells.iter().all(|cell| cell.is_empty()) => {}
            None => return None,
        }
        Some(())
    }
}

/// A figure and its unit, `1.64` and `GB/s` or `1.5` and `Mitem/s`, in the base unit.
fn figure(value: &str, symbol: &str) -> Option<(Unit, f64)> {
    let (unit, factor) = crate::parse::figure::known(symbol)?;
    let amount = amount(value).into_iter().next()?;
    Some((unit, amount * factor))
}
