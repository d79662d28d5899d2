//! `generator compare`: two sets of output, scenario by scenario.

use super::{dataset, print};
use crate::cli::Compare;
use crate::failure::{self, Failure, Outcome};
use crate::grid::{self, Column, Field};
use crate::implementation::Implementation;
use crate::report::{Cell, Dataset, Row};
use crate::stats::{Change, Estimator};
use crate::unit::{Scale, Unit};
use std::path::Path;

const COLUMNS: &[Column] = &[
    Column {
        name: "scenario",
        heading: "scenario",
        right: false,
    },
    Column {
        name: "unit",
        heading: "unit",
        right: false,
    },
    Column {
        name: "baseline",
        heading: "baseline",
        right: true,
    },
    Column {
        name: "candidate",
        heading: "candidate",
        right: true,
    },
    Column {
        name: "ratio",
        heading: "ratio",
        right: true,
    },
    Column {
        name: "change",
        heading: "change",
        right: false,
    },
    Column {
        name: "baseline_low",
        heading: "",
        right: true,
    },
    Column {
        name: "baseline_high",
        heading: "",
        right: true,
    },
    Column {
        name: "baseline_n",
        heading: "n",
        right: true,
    },
    Column {
        name: "candidate_low",
        heading: "",
        right: true,
    },
    Column {
        name: "candidate_high",
        heading: "",
        right: true,
    },
    Column {
        name: "candidate_n",
        heading: "n",
        right: true,
    },
    Column {
        name: "baseline_implementation",
        heading: "",
        right: false,
    },
    Column {
        name: "candidate_implementation",
        heading: "implementation",
        right: false,
    },
    Column {
        name: "remark",
        heading: "remark",
        right: false,
    },
];

/// Runs the command.
///
/// # Errors
/// Bad input, files that cannot be read, or sides that cannot be paired.
pub fn compare(arguments: &Compare, quiet: bool) -> Outcome<()> {
    if arguments.old.as_os_str() == "-" && arguments.new.as_os_str() == "-" {
        return Err(Failure::Usage(
            "only one side can be standard input".to_owned(),
        ));
    }
    let sides = [&arguments.old, &arguments.new].map(std::slice::from_ref);
    let sides = failure::all(sides.map(|path| dataset(path, quiet)))?;
    let (old, new) = (&sides[0], &sides[1]);
    let pairs = pairs(old, new, &arguments.old, &arguments.new)?;
    let mut rows = Vec::new();
    for (baseline, candidate) in &pairs {
        let wanted = |row: &&Row| arguments.output.wants(&row.scenario.label());
        let new_rows = new.by_key();
        for row in old.rows.iter().filter(wanted) {
            let other = new_rows
                .get(&(&row.scenario, &row.unit))
                .and_then(|r| r.cell(*candidate));
            let sides = Sides {
                old: row.cell(*baseline),
                new: other,
                of: (
                    &old.implementations[*baseline],
                    &new.implementations[*candidate],
                ),
                one_of_many: pairs.len() > 1,
            };
            rows.extend(sides.fields(row, arguments.output.estimator));
        }
        let old_rows = old.by_key();
        for row in new.rows.iter().filter(wanted) {
            let missing = old_rows
                .get(&(&row.scenario, &row.unit))
                .is_none_or(|r| r.cell(*baseline).is_none());
            let sides = Sides {
                old: None,
                new: row.cell(*candidate),
                of: (
                    &old.implementations[*baseline],
                    &new.implementations[*candidate],
                ),
                one_of_many: pairs.len() > 1,
            };
            rows.extend(
                sides
                    .fields(row, arguments.output.estimator)
                    .filter(|_| missing),
            );
        }
        if !quiet && arguments.output.format == crate::cli::Format::Text {
            anstream::eprintln!(
                "{} ➡️ {}",
                old.implementations[*baseline],
                new.implementations[*candidate]
            );
        }
    }
    print(&grid::print(arguments.output.format, COLUMNS, &rows))?;
    if !quiet {
        old.notes
            .iter()
            .chain(&new.notes)
            .for_each(|note| anstream::eprintln!("note: {note}"));
    }
    Ok(())
}

/// Which implementation of each side goes with which: the only ones, else those of one name
/// and variant, else those of one name.
fn pairs(
    old: &Dataset,
    new: &Dataset,
    old_path: &Path,
    new_path: &Path,
) -> Outcome<Vec<(usize, usize)>> {
    if old.implementations.len() == 1 && new.implementations.len() == 1 {
        return Ok(vec![(0, 0)]);
    }
    let found: Vec<(usize, usize)> =
        crate::report::pairs(&old.implementations, &new.implementations);
    if found.is_empty() {
        let list = |d: &Dataset| {
            d.implementations
                .iter()
                .map(Implementation::to_string)
                .collect::<Vec<_>>()
                .join("; ")
        };
        return Err(Failure::Usage(format!(
            "nothing to pair: {} holds {}, and {} holds {}; name one folder or file of each",
            old_path.display(),
            list(old),
            new_path.display(),
            list(new)
        )));
    }
    Ok(found)
}

/// One scenario on both sides.
struct Sides<'a> {
    old: Option<&'a Cell>,
    new: Option<&'a Cell>,
    of: (&'a Implementation, &'a Implementation),
    /// Other implementations have rows too, so people must be told whose each is.
    one_of_many: bool,
}

impl Sides<'_> {
    fn fields(&self, row: &Row, estimator: Estimator) -> impl Iterator<Item = Vec<Field>> + use<> {
        let old = self.old.and_then(|c| c.estimate(estimator));
        let new = self.new.and_then(|c| c.estimate(estimator));
        let told = old.is_some()
            || new.is_some()
            || [self.old, self.new]
                .iter()
                .flatten()
                .any(|c| c.unsupported.is_some());
        let scale = Scale::of(&row.unit, old.into_iter().chain(new));
        let figure = |value: Option<f64>| {
            value.map_or_else(Field::default, |v| {
                Field::new(row.unit.print(v), scale.show(v))
            })
        };
        let change = old
            .zip(new)
            .and_then(|(o, n)| Change::new(o, n, row.unit.better(), row.unit == Unit::Memory));
        let low_high = |cell: Option<&Cell>| {
            let interval = cell.and_then(Cell::interval);
            [
                figure(interval.map(|i| i.low)),
                figure(interval.map(|i| i.high)),
                Field::same(cell.map_or(0, |c| c.values.len()).to_string()),
            ]
        };
        let mut fields = vec![
            Field::same(row.scenario.label()),
            Field::new(row.unit.symbol(), scale.symbol.as_str()),
            figure(old),
            figure(new),
            change.map_or_else(Field::default, |c| {
                Field::new(format!("{}", c.ratio), c.ratio_text())
            }),
            Field::same(change.map_or_else(String::new, |c| c.to_string())),
        ];
        fields.extend(low_high(self.old));
        fields.extend(low_high(self.new));
        fields.extend([
            Field::same(self.of.0.to_string()),
            Field::new(
                self.of.1.to_string(),
                if self.one_of_many {
                    self.of.1.to_string()
                } else {
                    String::new()
                },
            ),
            Field::same(self.remark()),
        ]);
        told.then_some(fields).into_iter()
    }

    fn remark(&self) -> String {
        let side = |name: &str, cell: Option<&Cell>| match cell {
            None => vec![format!("not in the {name}")],
            Some(cell) => cell
                .unsupported
                .iter()
                .map(|r| format!("{name} unsupported: {r}"))
                .chain(cell.caveats.iter().map(|c| format!("{name}: {c}")))
                .collect(),
        };
        [side("baseline", self.old), side("candidate", self.new)]
            .concat()
            .join("; ")
    }
}
