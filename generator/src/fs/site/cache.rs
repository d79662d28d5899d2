//! What a run leaves for the next one, so that this makes only what a change reaches.

use super::list::List;
use crate::fs::{hex_digest, read_whole};
use crate::stats::LevelChange;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Not to be committed, and deletable at any time.
pub(super) const NAME: &str = ".generator-cache";

/// Change points by the digest of all that they follow from.
pub type Searched = BTreeMap<String, Vec<LevelChange>>;

/// What earlier runs made of what. One that is old misses keys, and a file counts only while its
/// bytes have the digest that stands here.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Cache {
    /// What the last run read, and wrote.
    pub(super) record: String,
    /// Pages that are made together, by the digest of all that they are made of.
    pub(super) sets: BTreeMap<String, List>,
    /// The change points of each history, by its digest.
    pub(super) searched: Searched,
}

impl Cache {
    /// The one of a site; empty if there is none as it was written.
    pub(super) fn read(root: &Path) -> Self {
        let read = || -> Result<Self> {
            let bytes = read_whole(&root.join(NAME))?;
            let (digest, rest) = bytes.split_at_checked(64).context("too short")?;
            ensure!(digest == hex_digest(rest).as_bytes(), "damaged");
            Ok(serde_json::from_slice(rest)?)
        };
        read().unwrap_or_else(|_| Self::default())
    }

    /// The digest of the rest, and the rest in JSON.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        let rest = serde_json::to_vec(self)?;
        Ok([hex_digest(&rest).as_bytes(), &rest].concat())
    }
}
