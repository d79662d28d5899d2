//! One implementation of the baseline against one of a candidate: judged rows, and their means.

use super::side::{self, Side};
use crate::cli::{Compare, Sort};
use crate::failure::{Failure, Result};
use crate::implementation::Implementation;
use crate::report::{self, ComparedRow, Row};
use crate::stats::{Change, GeometricMean, Rules};
use crate::unit::Unit;
use std::cmp::Ordering;

/// One comparison.
#[derive(Debug)]
pub(super) struct Table<'a> {
    pub(super) old: Party<'a>,
    pub(super) new: Party<'a>,
    /// All rows, in the order that is asked for.
    pub(super) rows: Vec<ComparedRow<'a>>,
    /// What makes the whole comparison doubtful.
    pub(super) doubts: Vec<String>,
}

/// Who is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Party<'a> {
    pub(super) label: &'a str,
    pub(super) implementation: &'a Implementation,
}

/// The mean of the ratios of one unit. Means over units that improve in different directions
/// would say nothing.
#[derive(Debug)]
pub(super) struct Mean<'a> {
    pub(super) unit: &'a Unit,
    pub(super) n: usize,
    pub(super) change: Change,
}

/// One table for each pair of implementations of the baseline and each candidate.
///
/// # Errors
/// Sides that cannot be paired.
pub(super) fn tables<'a>(sides: &'a [Side], arguments: &Compare) -> Result<Vec<Table<'a>>> {
    let Some((baseline, candidates)) = sides.split_first() else {
        return Ok(Vec::new());
    };
    let mut tables = Vec::new();
    for candidate in candidates {
        for (old, new) in pairs(baseline, candidate)? {
            tables.push(Table::of((baseline, old), (candidate, new), arguments));
        }
    }
    Ok(tables)
}

/// Which implementation of each side goes with which: the only ones, else those of one name
/// and variant, else those of one name.
fn pairs(old: &Side, new: &Side) -> Result<Vec<(usize, usize)>> {
    if old.data.implementations.len() == 1 && new.data.implementations.len() == 1 {
        return Ok(vec![(0, 0)]);
    }
    let found = report::pairs(&old.data.implementations, &new.data.implementations);
    if found.is_empty() {
        return Err(Failure::Usage(format!(
            "nothing to pair: {} holds {}, and {} holds {}; name one folder or file of each, or one implementation as PATH:NAME",
            old.label,
            side::list(&old.data),
            new.label,
            side::list(&new.data)
        )));
    }
    Ok(found)
}

/// The rules that the command line asks for.
pub(super) fn rules(arguments: &Compare) -> Rules {
    Rules {
        alpha: arguments.alpha,
        threshold: arguments.threshold / 100.0,
    }
}

impl<'a> Table<'a> {
    fn of(old: (&'a Side, usize), new: (&'a Side, usize), arguments: &Compare) -> Self {
        let ((old, old_column), (new, new_column)) = (old, new);
        let (old_rows, new_rows) = (old.data.by_key(), new.data.by_key());
        let key = |row: &'a Row| (&row.scenario, &row.unit);
        let common = old.data.rows.iter().map(|row| {
            let other = new_rows.get(&key(row)).and_then(|r| r.cell(new_column));
            (row, row.cell(old_column), other)
        });
        let more = new
            .data
            .rows
            .iter()
            .filter(|row| !old_rows.contains_key(&key(row)));
        let more = more.map(|row| (row, None, row.cell(new_column)));
        let wanted = |(row, ..): &(&Row, _, _)| arguments.output.wants(&row.scenario.label());
        let rows = common.chain(more).filter(wanted);
        let mut rows = report::judge(rows, arguments.output.estimator, &rules(arguments));
        if let Some(by) = arguments.sort {
            sort(&mut rows, by);
        }
        Self {
            doubts: doubts(old, new),
            old: Party::of(old, old_column),
            new: Party::of(new, new_column),
            rows,
        }
    }

    /// A mean for each unit with two common scenarios or more.
    pub(super) fn means(&self) -> Vec<Mean<'a>> {
        let mut units: Vec<&Unit> = self.rows.iter().map(|r| r.unit).collect();
        units.sort();
        units.dedup();
        let mean = |unit: &'a Unit| {
            let of_unit = self.rows.iter().filter(|r| r.unit == unit);
            let changes: Vec<Change> = of_unit.filter_map(|r| Some(r.comparison?.change)).collect();
            let ratios: Vec<f64> = changes.iter().map(|c| c.ratio).collect();
            let mean = GeometricMean::of(&ratios).filter(|m| m.n > 1)?;
            let change = Change {
                ratio: mean.ratio,
                ..changes[0]
            };
            Some(Mean {
                unit,
                n: mean.n,
                change,
            })
        };
        units.into_iter().filter_map(mean).collect()
    }

    /// How many rows were tested, so that their p were adjusted together.
    pub(super) fn tested(&self) -> usize {
        let tested = |r: &&ComparedRow| r.comparison.is_some_and(|c| c.adjusted_p.is_some());
        self.rows.iter().filter(tested).count()
    }
}

impl<'a> Party<'a> {
    fn of(side: &'a Side, column: usize) -> Self {
        Self {
            label: &side.label,
            implementation: &side.data.implementations[column],
        }
    }
}

/// What is unknown comes last; equal rows keep their order.
fn sort(rows: &mut [ComparedRow], by: Sort) {
    let size = |row: &ComparedRow| row.comparison.map_or(0.0, |c| c.change.size());
    let p = |row: &ComparedRow| row.comparison.and_then(|c| c.adjusted_p).unwrap_or(2.0);
    match by {
        Sort::Name => rows.sort_by_cached_key(|row| row.scenario.label()),
        Sort::Change => rows.sort_by(|a, b| size(b).total_cmp(&size(a))),
        Sort::P => rows.sort_by(|a, b| match p(a).total_cmp(&p(b)) {
            Ordering::Equal => size(b).total_cmp(&size(a)),
            order => order,
        }),
    }
}

fn doubts(old: &Side, new: &Side) -> Vec<String> {
    let mut doubts = Vec::new();
    for side in [old, new] {
        if side.machines.len() > 1 {
            doubts.push(format!(
                "{} holds runs of different machines, {}",
                side.label,
                side.machines.join(" and ")
            ));
        }
    }
    if let ([old], [new]) = (old.machines.as_slice(), new.machines.as_slice())
        && old != new
    {
        doubts.push(format!(
            "different machines, {old} and {new}, so the ratios compare machines as well as implementations"
        ));
    }
    doubts
}
