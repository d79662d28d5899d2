//! Reports: a folder of data as grouped samples, with what its `report.toml` says of them.

mod assemble;
mod compared;
mod dataset;
mod grouping;
mod identify;
mod manifest;
mod reader;
mod releases;
mod selection;

pub(crate) use assemble::{DataFile, Report};
pub(crate) use assemble::{Figures, group};
pub(crate) use compared::{ComparedRow, ComparedTable, judge, p_equation, p_text};
pub(crate) use dataset::{Cell, Dataset, Row, run_counts};
pub(crate) use manifest::{Manifest, PreparedComparison};
pub(crate) use reader::At;
pub(crate) use releases::{ReleaseRow, ReleaseSeries};

use crate::implementation::Implementation;

/// Which implementation of an old list goes with which of a new one, by their indices: the
/// same name and variant, else the same name where both sides have it once.
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
