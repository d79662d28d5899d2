//! The usual table of results: one row per scenario, one column per implementation.

use super::caveats::Caveats;
use super::phrases::{plus_minus, runs_in_words};
use super::{Head, Part, Table, TableCell, TableRow, common_scale, count, joined};
use crate::model::unit::{Scale, Unit};
use crate::report::{Cell, Row, run_counts};

/// Marks a figure that is not ranked.
const UNSTEADY: &str = "unsteady: too noisy to be ranked";

/// A count that is shown as the names of what it counts.
const TOOLS: Unit = Unit::Count("tools");

impl Part<'_> {
    /// Returns one scale for all figures, which share one unit.
    pub(super) fn scale(&self) -> Option<Scale> {
        let cells = self.rows.iter().flat_map(|r| r.cells.iter().flatten());
        let figures = cells.filter_map(|c| c.figure.as_ref());
        Some(common_scale(&self.rows.first()?.unit, figures))
    }

    /// Whether the times of the rows are too unlike for one scale. Each row then has its own, whose
    /// unit stands beside the figures.
    pub(super) fn is_per_row(&self) -> bool {
        let cells = self.rows.iter().flat_map(|r| r.cells.iter().flatten());
        let unit = self.rows.first().map(|row| &row.unit);
        unit.is_some_and(|unit| Scale::is_per_row(unit, cells.filter_map(Cell::estimate)))
    }

    pub(super) fn head(&self, column: usize) -> Head {
        let one = self.build(column);
        let detail = joined([one.version.words(), self.distinction(column)]);
        Head::from(&*one.name).with_detail(detail)
    }

    /// Returns the tables of all rows, which share one unit: first the main builds, then the
    /// others, folded. Empty without rows.
    pub(super) fn matrix(&self, what: &str) -> Vec<Table> {
        let (columns, others) = self.split_columns();
        let main = self.matrix_of(&columns, what);
        main.into_iter()
            .chain(self.other_builds(&others, what))
            .collect()
    }

    /// Returns the folded table of other builds than those of the main tables.
    pub(super) fn other_builds(&self, others: &[usize], what: &str) -> Option<Table> {
        let others = Some(others).filter(|others| !others.is_empty())?;
        let mut table = self.matrix_of(others, what)?;
        table.summary = Some(count(others.len(), "more build"));
        for row in &mut table.rows {
            row.id = None;
            // The best of all is in the main table.
            let best = row
                .cells
                .iter_mut()
                .filter(|cell| cell.class == Some("best"));
            best.for_each(|cell| cell.class = None);
        }
        Some(table)
    }

    /// Returns the table of these columns; `None` without rows.
    pub(super) fn matrix_of(&self, columns: &[usize], what: &str) -> Option<Table> {
        let scale = self.scale()?;
        let is_per_row = self.is_per_row();
        let mut table = self.rows_by_builds(columns, |row, column, caveats| {
            let Some(cell) = row.cell(column) else {
                return TableCell::missing();
            };
            let own = is_per_row.then(|| row_scale(row));
            let mut shown = self.cell(cell, own.as_ref().unwrap_or(&scale), caveats);
            if let Some(own) = own.filter(|_| cell.figure.is_some()) {
                shown.text += &format!("\u{a0}{}", own.symbol);
            }
            shown
        });
        for (row, shown) in self.rows.iter().zip(&mut table.rows) {
            shown.label = label_below(row, what);
            let best = self.best(row, columns);
            for (column, cell) in columns.iter().zip(&mut shown.cells) {
                if best.contains(column) {
                    cell.class = Some("best");
                }
            }
        }
        table.caption = self.caption(what, &scale);
        Some(table)
    }

    /// Returns a table with a row for each row of this part and a column for each build.
    pub(super) fn rows_by_builds(
        &self,
        columns: &[usize],
        mut cell: impl FnMut(&Row, usize, &mut Caveats) -> TableCell,
    ) -> Table {
        let mut caveats = Caveats::of(self);
        let mut rows = Vec::new();
        for row in &self.rows {
            let cells = columns
                .iter()
                .map(|column| cell(row, *column, &mut caveats));
            rows.push(TableRow::anchored(
                row.id.clone(),
                row.scenario.label(),
                cells.collect(),
            ));
        }
        Table {
            class: "results",
            corner: "scenario",
            head: columns.iter().map(|column| self.head(*column)).collect(),
            rows,
            note: caveats.note(),
            footnotes: caveats.footnotes,
            ..Table::default()
        }
    }

    /// Returns a table with a row for each build and a column for each row of this part, in its own scale.
    pub(super) fn builds_by_rows(
        &self,
        builds: &[usize],
        head: impl Fn(&Row, Scale) -> Head,
    ) -> Table {
        let mut caveats = Caveats::of(self);
        let mut rows = Vec::new();
        for build in builds {
            let cell = |row: &&Row| match row.cell(*build) {
                None => TableCell::missing(),
                Some(cell) if row.unit == TOOLS => TableCell::words(cell.caveats.join("; ")),
                Some(cell) => self.cell(cell, &row_scale(row), &mut caveats),
            };
            let cells = self.rows.iter().map(cell).collect();
            rows.push(TableRow::new(self.name(*build), cells));
        }
        let head = self.rows.iter().map(|row| head(row, row_scale(row)));
        Table {
            class: "results",
            corner: "build",
            head: head.collect(),
            rows,
            note: caveats.note(),
            footnotes: caveats.footnotes,
            ..Table::default()
        }
    }

    /// `Transfer in MiB/s, higher is better.`, with the number of runs if it is not the largest of the
    /// report, which the page states once.
    pub(super) fn caption(&self, what: &str, scale: &Scale) -> String {
        let better = self.rows[0].unit.better().suffix();
        let [own, all] = [
            run_counts(self.rows.iter().copied()),
            self.data.run_counts(),
        ];
        let usual = all.map(|(_, most)| (most, most));
        let runs = match own.filter(|_| own != usual) {
            None => String::new(),
            Some((min, max)) => format!(" {}.", runs_in_words(min, max)),
        };
        let unit = match self.is_per_row() {
            true => String::new(),
            false => format!(" in {}", scale.symbol),
        };
        format!("{what}{unit}{better}.{runs}")
    }

    /// Returns those of the columns that lead: several if no difference between them is shown. Empty
    /// unless the best is tested and better than another.
    pub(super) fn best(&self, row: &Row, columns: &[usize]) -> Vec<usize> {
        let leaders = self.report.leaders_of(row, columns);
        let leaders = leaders.filter(|found| !found.behind.is_empty());
        leaders.map_or_else(Vec::new, |found| found.first)
    }

    /// Returns a figure with half the width of its interval.
    pub(super) fn cell(&self, cell: &Cell, scale: &Scale, caveats: &mut Caveats) -> TableCell {
        let mut numbers = caveats.numbers(cell);
        let Some(figure) = &cell.figure else {
            let Some(reason) = &cell.unsupported else {
                return TableCell::missing();
            };
            numbers.push(caveats.footnotes.number(reason));
            return TableCell {
                class: Some("unsupported"),
                footnotes: numbers,
                ..TableCell::text("unsupported")
            };
        };
        if cell.is_unsteady {
            numbers.push(caveats.footnotes.number(UNSTEADY));
            numbers.sort_unstable();
        }
        TableCell {
            class: cell.is_unsteady.then_some("unsteady"),
            detail: plus_minus(figure),
            footnotes: numbers,
            ..TableCell::text(scale.show(figure.estimate))
        }
    }
}

/// Returns the scale of a row's figures alone.
pub(super) fn row_scale(row: &Row) -> Scale {
    let cells = row.cells.iter().flatten();
    common_scale(&row.unit, cells.filter_map(|cell| cell.figure.as_ref()))
}

/// Returns the label of a row below a title, without the kind of work if that is the title.
pub(super) fn label_below(row: &Row, title: &str) -> String {
    let is_said = row.scenario.workload.word().eq_ignore_ascii_case(title);
    match row.scenario.details() {
        details if is_said && !details.is_empty() => details,
        _ => row.scenario.label(),
    }
}

#[cfg(test)]
mod tests {
    use crate::base::random::Random;
    use crate::model::unit::Unit;
    use crate::report::release_tests::{SENDING, cells, report};
    use crate::site::Part;

    const RECEIVING: &str = "transfer, 1.3, aes-256-gcm, receiving";

    #[test]
    fn unlike_times_have_a_unit_each() {
        let labels = ["open", "parse"];
        let random = &mut Random::new(2);
        let levels = [1.5, 35e-9].map(|level| cells(random, 20, &[level]));
        let rows: Vec<_> = labels.into_iter().zip(levels).collect();
        let mut report = report(&["version = \"0.1\""], &rows);
        for row in &mut report.data.rows {
            row.unit = Unit::Time;
        }
        let table = &Part::of(&report).matrix("Benchmarks")[0];
        assert!(table.caption.starts_with("Benchmarks, lower is better."));
        let shown = table
            .rows
            .iter()
            .map(|row| row.cells[0].text.split('\u{a0}').nth(1));
        assert_eq!(shown.collect::<Vec<_>>(), [Some("s"), Some("ns")]);
    }

    #[test]
    fn charts_and_tables_agree_on_the_best_of_the_shown_builds() {
        let builds = (0..9).map(|build| format!("version = \"0.2\"\nvariant = [\"{build}\"]"));
        let builds: Vec<String> = builds.collect();
        let older = "version = \"0.1\"\nvariant = [\"0\"]";
        let keys: Vec<&str> = builds.iter().map(String::as_str).chain([older]).collect();
        // The tables have the older build beside the first, and fold those from the seventh.
        for (best, shown) in [(1, 1), (2, 2)] {
            let mut levels = [100.0; 10];
            levels[best] = 200.0;
            levels[8] = 300.0;
            let random = &mut Random::new(1);
            let rows = [RECEIVING, SENDING].map(|label| (label, cells(random, 20, &levels)));
            let report = report(&keys, &rows);
            let part = Part::of(&report);
            let marked = part.matrix("Handshakes").into_iter().map(|table| {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.filter(|cell| cell.class == Some("best")).count()
            });
            assert_eq!(marked.collect::<Vec<_>>(), [2, 0]);
            let graph = part.bars("handshakes", "Handshakes").expect("a chart");
            let bars = graph.drawing.svg.matches("class=\"mark\"").count();
            assert_eq!(bars, 2 * 7, "build {best}");
            let leads = format!("{} leads in 2 of 2 scenarios.", part.name(shown));
            assert!(graph.alt.ends_with(&leads), "{}", graph.alt);
        }
    }
}
