//! The cache that a run leaves, so that the next one makes only what a change affects.

use super::list::List;
use crate::fs::{hex_digest, read_whole};
use crate::stats::LevelChange;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Not to be committed, and deletable at any time.
pub(super) const NAME: &str = ".generator-cache";

/// Change points by the digest of history and threshold.
pub type Searched = BTreeMap<String, Vec<LevelChange>>;

/// What earlier runs made from which inputs. An outdated cache does no harm: it lacks keys, and a
/// file is used only while its bytes have the digest recorded here.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Cache {
    /// What the last run read and wrote, see `Site::record`.
    pub(super) record: String,
    /// Pages that are made together, by the digest of their inputs.
    pub(super) sets: BTreeMap<String, List>,
    /// The change points of each history, by its digest.
    pub(super) searched: Searched,
}

impl Cache {
    /// Reads the cache of a site; empty if there is none, or if it is damaged.
    pub(super) fn read(root: &Path) -> Self {
        let read = || -> Result<Self> {
            let bytes = read_whole(&root.join(NAME))?;
            let (digest, rest) = bytes.split_at_checked(64).context("too short")?;
            ensure!(digest == hex_digest(rest).as_bytes(), "damaged");
            Ok(serde_json::from_slice(rest)?)
        };
        read().unwrap_or_else(|_| Self::default())
    }

    /// Returns JSON, with its digest before it.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        let rest = serde_json::to_vec(self)?;
        Ok([hex_digest(&rest).as_bytes(), &rest].concat())
    }
}
