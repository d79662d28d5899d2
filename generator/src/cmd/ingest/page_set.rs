//! Files made from the same inputs: made anew, or kept from an earlier run if no input has changed.

use crate::failure::Result;
use crate::fs::{Digests, Site};
use crate::render::Pages;
use std::collections::BTreeMap;

/// The site as an earlier run left it, and the digests of the data now.
#[derive(Clone, Copy, Debug)]
pub(in crate::cmd) struct Earlier<'a> {
    pub(in crate::cmd) site: &'a Site,
    pub(in crate::cmd) digests: &'a Digests,
}

/// The files of a report or a scenario.
#[derive(Default)]
pub(super) struct PageSet {
    /// The digest of their inputs; empty if no earlier run is considered.
    pub(super) key: String,
    /// Files kept from an earlier run: digests by path in the site.
    pub(super) kept: BTreeMap<String, String>,
    /// New files, by path below the section.
    pub(super) pages: Pages,
}

impl PageSet {
    /// Keeps what an `earlier` run made from the same inputs if that includes `page`, else calls
    /// `make`.
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
