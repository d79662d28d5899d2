//! One implementation of the baseline against one of a candidate: judged rows.

use super::side::{self, Side};
use crate::cli::{Compare, Sort};
use crate::failure::{Failure, Result};
use crate::implementation::Implementation;
use crate::report::{self, ComparedRow, ComparedTable, Row};
use crate::stats::Rules;
use std::cmp::Ordering;

/// One comparison.
#[derive(Debug)]
pub(super) struct Table<'a> {
    /// The baseline and the candidate.
    pub(super) sides: [Named<'a>; 2],
    /// All rows, in the order that is asked for.
    pub(super) compared: ComparedTable<'a>,
    /// What makes the whole comparison doubtful.
    pub(super) warnings: Vec<String>,
}

/// One implementation of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a>(pub(super) &'a Side, pub(super) &'a Implementation);

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
            (row, [row.cell(old_column), other])
        });
        let more = new.data.rows.iter();
        let more = more.filter(|row| !old_rows.contains_key(&key(row)));
        let more = more.map(|row| (row, [None, row.cell(new_column)]));
        let wanted = |(row, _): &(&Row, _)| arguments.output.wants(&row.scenario.label());
        let rows = common.chain(more).filter(wanted);
        let mut rows = report::judge(rows, arguments.output.estimator, &rules(arguments));
        if let Some(by) = arguments.sort {
            sort(&mut rows, by);
        }
        Self {
            warnings: warnings(old, new),
            sides: [
                Named(old, &old.data.implementations[old_column]),
                Named(new, &new.data.implementations[new_column]),
            ],
            compared: ComparedTable::new(rows),
        }
    }

    /// The rows that are asked for.
    pub(super) fn shown(&self, arguments: &Compare) -> impl Iterator<Item = &ComparedRow<'a>> {
        let all = !arguments.only_changed;
        let rows = self.compared.rows.iter();
        rows.filter(move |r| all || r.is_change())
    }

    /// The implementations, with their labels where only these tell the sides apart.
    pub(super) fn names(&self) -> [String; 2] {
        let [Named(old, one), Named(new, other)] = self.sides;
        let labelled = one == other && old.label != new.label;
        self.sides
            .map(|Named(side, implementation)| match labelled {
                true => format!("{implementation} ({})", side.label),
                false => implementation.to_string(),
            })
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

fn warnings(old: &Side, new: &Side) -> Vec<String> {
    let mut warnings = Vec::new();
    for side in [old, new] {
        if side.machines.len() > 1 {
            warnings.push(format!(
                "{} holds runs of different machines, {}",
                side.label,
                side.machines.join(" and ")
            ));
        }
    }
    if let ([old], [new]) = (old.machines.as_slice(), new.machines.as_slice())
        && old != new
    {
        warnings.push(format!(
            "different machines, {old} and {new}, so the ratios compare machines as well as implementations"
        ));
    }
    warnings
}
