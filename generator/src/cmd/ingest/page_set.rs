//! Files that are made of the same: anew, or kept from an earlier run where all that they are made of
//! is what it was.

use crate::failure::Result;
use crate::fs::{Digests, Site};
use crate::render::Pages;
use std::collections::BTreeMap;

/// What an earlier run has made for its site, and the digests of the data now.
#[derive(Clone, Copy, Debug)]
pub(in crate::cmd) struct Earlier<'a> {
    pub(in crate::cmd) site: &'a Site,
    pub(in crate::cmd) digests: &'a Digests,
}

/// The files of a report or a scenario.
#[derive(Default)]
pub(super) struct PageSet {
    /// The digest of all that they are made of, where an earlier run may have made them.
    pub(super) key: String,
    /// Those that are there already, by their path in the site, with their digests.
    pub(super) kept: BTreeMap<String, String>,
    /// By their path below the section.
    pub(super) pages: Pages,
}

impl PageSet {
    /// What an `earlier` run has made of the same, with the `page` that the set is about, or else
    /// what `make` makes.
    pub(super) fn of(
        earlier: Option<Earlier<'_>>,
        page: &str,
        key: impl FnOnce(&Digests) -> String,
        make: impl FnOnce() -> Result<Pages>,
    ) -> Result<Self> {
        let mut set = Self::default();
        if let Some(Earlier { site, digests }) = earlier {
            set.key = key(digests);
            let kept = site.cached(&set.key);
            if let Some(kept) = kept.filter(|kept| kept.contains_key(page)) {
                set.kept = kept;
                return Ok(set);
            }
        }
        set.pages = make()?;
        Ok(set)
    }
}
