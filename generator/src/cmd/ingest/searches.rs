//! Searches for change points, only in histories that have changed since an earlier run.

use super::page_set::Earlier;
use crate::fs::Searched;
use crate::stats::{LevelChange, change_points};
use std::sync::Mutex;

/// The searches of one run.
pub(super) struct Searches<'a> {
    earlier: Option<Earlier<'a>>,
    searched: Mutex<Searched>,
}

impl<'a> Searches<'a> {
    pub(super) fn new(earlier: Option<Earlier<'a>>) -> Self {
        let searched = Mutex::default();
        Self { earlier, searched }
    }

    /// Returns what [`change_points`] finds, or found in an earlier run.
    pub(super) fn search(&self, history: &[f64], threshold: f64) -> Vec<LevelChange> {
        let Some(Earlier { site, digests }) = self.earlier else {
            return change_points(history, threshold);
        };
        let key = digests.of_value(&(history, threshold));
        let known = site.searched(&key).map(<[_]>::to_vec);
        let found = known.unwrap_or_else(|| change_points(history, threshold));
        let mut searched = self.searched.lock().expect("no search panics");
        searched.insert(key, found.clone());
        found
    }

    /// Returns the results of all searches.
    pub(super) fn into_searched(self) -> Searched {
        self.searched.into_inner().expect("no search panics")
    }
}
