//! Folders that are neither input nor site.

use super::exists;
use anyhow::{Context, Result};
use std::env;
use std::path::{Component, Path, PathBuf};

/// The folder of the generator's sources, if this program stands where cargo puts it there:
/// `generator/target/release/generator`.
pub(crate) fn own_crate() -> Result<Option<PathBuf>> {
    let program = env::current_exe().context("cannot find this program")?;
    let target = program.ancestors().nth(2);
    let target = target.filter(|folder| folder.ends_with("generator/target"));
    Ok(target.map(|target| target.with_file_name("")))
}

/// Where this program may keep what it can make again, by the rules of XDG.
pub(crate) fn cache_folder() -> Result<PathBuf> {
    let named = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".cache"));
    let cache = named.filter(|path| path.is_absolute()).or_else(home);
    let cache = cache.filter(|path| path.is_absolute());
    let cache =
        cache.context("no folder for builds: set HOME or XDG_CACHE_HOME to an absolute path")?;
    Ok(cache.join("generator"))
}

/// Whether a path, joined to a folder, can lead nowhere but below it.
pub(crate) fn stays_below(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
}

/// The root of the git repository that a folder is in, and the folder's path from there. Without a
/// repository it is the folder itself.
pub(crate) fn repository(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    let cannot = || format!("cannot find {}", folder.display());
    let real = folder.canonicalize().with_context(cannot)?;
    let mut root = real.as_path();
    for folder in real.ancestors() {
        if exists(&folder.join(".git"))? {
            root = folder;
            break;
        }
    }
    let path = real.strip_prefix(root).with_context(cannot)?;
    Ok((root.to_owned(), path.to_owned()))
}
