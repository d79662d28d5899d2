//! pytest-benchmark's table. The unit stands above the names; the median is read, of rounds in one
//! process.
//!
//! ```text
//! --------------------------- benchmark: 2 tests ---------------------------
//! Name (time in us)         Min            Max           Mean  …    Median  …
//! test_seal              22.0670 (1.0)  312.6000 (1.0)  24.0887 (1.0)  …  22.3000 (1.0)
//! ```

use super::prelude::*;

static HEADING: Pattern = Pattern::marked("Name (", r"^Name \(time in (\S+?)\) +(.*\bMin\b.*)$");

#[derive(Default)]
pub(super) struct Pytest {
    /// Seconds of the unit, the column of the median, and how many columns there are.
    table: Option<(f64, usize, usize)>,
}

impl Tool for Pytest {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if let Some([_, unit, columns]) = HEADING.groups(line) {
            // `OPS (Kops/s)` is one.
            let columns: Vec<&str> = columns
                .split_whitespace()
                .filter(|word| !word.starts_with('('))
                .collect();
            let median = columns.iter().position(|column| *column == "Median");
            let median = median.ok_or_else(|| cite("no column `Median` in", line))?;
            self.table = Some((seconds(unit)?, median, columns.len()));
            return Ok(());
        }
        let Some((factor, median, columns)) = self.table else {
            return Err(Foreign);
        };
        if starts_with_any(line, &["---", "===", "Legend:"]) {
            return Ok(());
        } else if line.starts_with(' ') {
            return Err(Foreign);
        }
        // A figure's ratio to the best is in parentheses.
        let is_ratio = |word: &&str| word.starts_with('(') && word.ends_with(')');
        let words: Vec<&str> = line
            .split_whitespace()
            .filter(|word| !is_ratio(word))
            .collect();
        let is_figure = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        let figures = words
            .iter()
            .rev()
            .take_while(|word| is_figure(word))
            .count();
        if figures == 0 {
            return Err(Foreign);
        } else if figures != columns || words.len() == columns {
            return Err(Wrong(format!(
                "expected a name and {columns} figures, got {}",
                quote(line)
            )));
        }
        let (name, figures) = words.split_at(words.len() - columns);
        let base = amount(&figures[median].replace(',', ""))? * factor;
        Ok(out.benchmark(&name.join(" "), Unit::Time, base)?)
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.table = None;
    }
}
