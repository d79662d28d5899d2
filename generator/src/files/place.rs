//! Folders other than inputs and the site.

use super::resolved;
use anyhow::{Context, Result};
use std::env;
use std::path::{Component, Path, PathBuf};

/// Returns the folder of the generator's sources, if this program is where cargo puts it:
/// `generator/target/release/generator`.
pub(crate) fn own_crate() -> Result<Option<PathBuf>> {
    let program = env::current_exe().context("cannot find this program")?;
    let target = program.ancestors().nth(2);
    let target = target.filter(|folder| folder.ends_with("generator/target"));
    Ok(target.map(|target| target.with_file_name("")))
}

/// Returns the cache folder, by the XDG base directory specification.
pub(crate) fn cache_folder() -> Result<PathBuf> {
    let named = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".cache"));
    let cache = named.filter(|path| path.is_absolute()).or_else(home);
    let cache = cache.filter(|path| path.is_absolute());
    let cache =
        cache.context("no folder for builds: set HOME or XDG_CACHE_HOME to an absolute path")?;
    let folder = cache.join("generator");
    let cannot = || format!("cannot find the folder for builds, {}", folder.display());
    resolved(folder.clone()).with_context(cannot)
}

/// Whether a path, joined to a folder, always stays below it.
pub(crate) fn stays_below(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
}

/// Returns a path as it stands in pages and lists, which are the same on all systems.
pub(crate) fn with_slashes(path: &Path) -> PathBuf {
    match cfg!(windows) {
        true => path.to_string_lossy().replace('\\', "/").into(),
        false => path.to_owned(),
    }
}
