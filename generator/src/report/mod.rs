//! Reports: a folder of data as grouped samples, with what its `report.toml` says of them.

mod assemble;
mod compared;
mod dataset;
mod identify;
mod manifest;
mod reader;
mod selection;

pub use assemble::{DataFile, Report};
pub(crate) use assemble::{Figures, group};
pub use compared::{ComparedRow, ComparedTable, Mean, judge, p_equation, p_text};
pub use dataset::{Cell, Dataset, Row, run_counts};
pub use manifest::{Declaration, Manifest, PreparedComparison, Source};
pub use reader::At;

use crate::implementation::Implementation;

/// Which implementation of an old list goes with which of a new one, by their indices: the
/// same name and variant, else the same name where both sides have it once.
pub fn pairs(old: &[Implementation], new: &[Implementation]) -> Vec<(usize, usize)> {
    let once =
        |list: &[Implementation], name: &str| list.iter().filter(|i| i.name == name).count() == 1;
    let mut pairs = Vec::new();
    for (candidate, implementation) in new.iter().enumerate() {
        let same = |o: &&Implementation| {
            o.name == implementation.name && o.variant == implementation.variant
        };
        let alike: Vec<usize> = (0..old.len()).filter(|i| same(&&old[*i])).collect();
        match alike.as_slice() {
            [baseline] => pairs.push((*baseline, candidate)),
            _ if once(old, &implementation.name) && once(new, &implementation.name) => {
                pairs.extend(
                    old.iter()
                        .position(|o| o.name == implementation.name)
                        .map(|b| (b, candidate)),
                );
            }
            _ => {}
        }
    }
    pairs
}
