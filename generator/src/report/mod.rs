//! Reports: the samples of a data folder, grouped into cells, with its `report.toml`.

pub(crate) mod history;
mod address;
mod alike;
mod assemble;
mod branch;
mod compared;
mod control;
mod costs;
mod dataset;
mod earlier;
mod grouping;
mod headline;
mod identify;
mod kinds;
mod machine;
mod names;
mod places;
mod releases;
mod steady;
mod table;
pub(crate) mod titles;
mod verdicts;
pub(crate) mod words;

pub(crate) use address::distinct;
pub(crate) use assemble::{Figures, Report, below, group};
pub(crate) use branch::{MAX_COMMITS, NewLevel, Shift, shifts};
pub(crate) use compared::{COUNTS_RULE, ComparedRow, ComparedTable, Known, Mean, judge, of_judged};
pub(crate) use control::control_note;
pub(crate) use costs::{Costs, LOAD, memory_fit};
pub(crate) use dataset::{Cell, Dataset, Figure, Key, Row, common_scale, run_counts};
pub(crate) use earlier::{Before, MAX_EARLIER, Since};
pub(crate) use headline::newest_steady;
pub(crate) use kinds::one_of_each_kind;
pub(crate) use machine::{BuildPair, ComparedMachine, ShownRow, compared_machines};
#[cfg(test)]
pub(crate) use releases::tests as release_tests;
pub(crate) use releases::{ReleaseRow, ReleaseSeries};
pub(crate) use steady::unsteady;
pub(crate) use table::Table;
pub(crate) use verdicts::{Leaders, leaves_key_exchange_open};

use crate::model::implementation::Implementation;

/// The folders of the pages over all reports, in the order of menus. No report may be named like one.
pub(crate) const OVERVIEWS: [&str; 5] =
    ["home", "compare", "implementations", "scenarios", "method"];

/// Pairs the implementations of an old and a new report, without older releases of each, and without
/// pre-releases where there is a release of the same variant.
pub(crate) fn newest_pairs(old: &Dataset, new: &Dataset) -> Vec<(usize, usize)> {
    let newest = |data: &Dataset| -> (Vec<usize>, Vec<Implementation>) {
        let all = data.implementations.iter();
        let is_wanted = |(column, one): &(usize, &Implementation)| {
            let is_release = |other: &Implementation| {
                let is_same = other.name == one.name && other.variant == one.variant;
                is_same && !other.version.is_pre_release()
            };
            let is_instead = one.version.is_pre_release() && all.clone().any(is_release);
            !data.is_older(*column) && !is_instead
        };
        let found = all.clone().enumerate().filter(is_wanted);
        found.map(|(column, one)| (column, one.clone())).unzip()
    };
    let [(old_columns, old), (new_columns, new)] = [old, new].map(newest);
    let found = pairs(&old, &new).into_iter();
    found
        .map(|(a, b)| (old_columns[a], new_columns[b]))
        .collect()
}

/// Pairs the implementations of two lists, as indices: by name and variant, else by a name that
/// occurs once in each list.
pub(crate) fn pairs(old: &[Implementation], new: &[Implementation]) -> Vec<(usize, usize)> {
    let positions = |list: &[Implementation], fits: &dyn Fn(&Implementation) -> bool| {
        let fitting = (0..list.len()).filter(|i| fits(&list[*i]));
        fitting.collect::<Vec<usize>>()
    };
    let pair = |(candidate, one): (usize, &Implementation)| {
        let named = |i: &Implementation| i.name == one.name;
        let same = positions(old, &|i| named(i) && i.variant == one.variant);
        match (&*same, &*positions(old, &named), &*positions(new, &named)) {
            ([baseline], ..) | (_, [baseline], [_]) => Some((*baseline, candidate)),
            _ => None,
        }
    };
    new.iter().enumerate().filter_map(pair).collect()
}
