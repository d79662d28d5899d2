//! Git operations on sources: mirrors of repositories, their commits and files.

use super::process::text;
use crate::failure::{Failure, Result};
use crate::fs::{self, hex_digest};
use anyhow::{Context, anyhow};
use jiff::civil::Date;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A bare mirror of a repository.
#[derive(Debug)]
pub(crate) struct Mirror {
    /// A URL or a folder.
    repository: String,
    folder: PathBuf,
}

impl Mirror {
    /// Uses `folder`, which is created on the first fetch.
    pub(crate) fn new(repository: &str, folder: PathBuf) -> Self {
        Self {
            repository: repository.to_owned(),
            folder,
        }
    }

    /// Resolves a revision to a commit, after a fetch unless it is a known hash.
    pub(crate) fn resolve(&self, revision: &str) -> Result<String> {
        let repository = &self.repository;
        if revision.starts_with('-') {
            return Err(Failure::Usage(format!("`{revision}` is not a revision")));
        }
        let wanted = format!("{revision}^{{commit}}");
        let known = || self.git(&["rev-parse", "-q", "--verify", &wanted]);
        let is_hash = revision.len() == 40 && revision.bytes().all(|b| b.is_ascii_hexdigit());
        if is_hash
            && fs::is_folder(&self.folder)?
            && let Ok(commit) = known()?
        {
            return Ok(commit.trim().to_owned());
        }
        let fetched = self.fetch()?;
        match (known()?, fetched) {
            (Ok(commit), _) => Ok(commit.trim().to_owned()),
            (Err(_), Ok(())) => Err(Failure::Usage(format!(
                "{repository} has no branch, tag or commit `{revision}`"
            ))),
            (Err(_), Err(stderr)) => Err(anyhow!("git cannot fetch {repository}: {stderr}").into()),
        }
    }

    /// Returns the day of a commit.
    pub(crate) fn day(&self, commit: &str) -> Result<Date> {
        day(&self.folder, &[BARE], commit)
    }

    /// Checks out a commit into a folder, unless that exists.
    pub(crate) fn check_out(&self, commit: &str, folder: &Path) -> Result<()> {
        if fs::is_folder(folder)? {
            return Ok(());
        }
        let new = folder.with_extension("new");
        fs::remove(&new)?;
        fs::create_folder(&new)?;
        let index = new.with_extension("index");
        let mut checkout = Command::new("git");
        checkout
            .arg("--git-dir")
            .arg(&self.folder)
            .arg("--work-tree")
            .arg(&new)
            .args(["checkout", "-q", "-f", commit, "--", "."])
            .env("GIT_INDEX_FILE", &index);
        let written = text(&mut checkout)?;
        fs::remove(&index)?;
        written.map_err(|stderr| anyhow!("git cannot check out {commit}: {stderr}"))?;
        fs::rename(&new, folder)?;
        Ok(())
    }

    /// Fetches all branches and tags, and all other refs of a local repository.
    fn fetch(&self) -> Result<Result<(), String>> {
        let repository = self.repository.as_str();
        if !fs::is_folder(&self.folder)? {
            let new = self.folder.with_extension("new");
            fs::remove(&new)?;
            fs::create_folder(&new)?;
            let made = run(&new, &["init", "-q", "--bare", "."])?;
            made.map_err(|stderr| anyhow!("git init fails: {stderr}"))?;
            // HEAD is no branch here, so that every branch can be fetched into.
            fs::write(&new.join("HEAD"), b"ref: refs/checked-out/HEAD\n")?;
            fs::rename(&new, &self.folder)?;
        }
        let local = Path::new(repository).canonicalize();
        let (from, names): (_, &[&str]) = match &local {
            Ok(folder) => (folder.to_string_lossy(), &["+refs/*:refs/*"]),
            Err(_) => {
                let published = &["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
                (repository.into(), published)
            }
        };
        let fetch = [
            "fetch",
            "-q",
            "--no-tags",
            "--",
            &from,
            "+HEAD:refs/checked-out/HEAD",
        ];
        Ok(self.git(&[&fetch[..], names].concat())?.map(drop))
    }

    fn git(&self, arguments: &[&str]) -> Result<Result<String, String>> {
        run(&self.folder, &[&[BARE], arguments].concat())
    }
}

/// Option for git in a mirror, so that it never uses a repository in a parent folder.
const BARE: &str = "--git-dir=.";

/// Returns the day of a commit in the repository of a folder.
pub(crate) fn day(folder: &Path, options: &[&str], commit: &str) -> Result<Date> {
    let printed = run(
        folder,
        &[options, &["log", "-1", "--format=%cs", commit]].concat(),
    )?;
    let printed = printed.map_err(|stderr| anyhow!("git cannot show {commit}: {stderr}"))?;
    let day = printed.trim().parse();
    Ok(day.with_context(|| format!("git printed `{printed}` instead of a day"))?)
}

/// Makes a folder name of a URL or path: its last part and a short digest of the whole.
pub(crate) fn name(address: &str) -> String {
    let local = Path::new(address).canonicalize();
    let whole = local.map_or(address.to_owned(), |path| {
        path.to_string_lossy().into_owned()
    });
    let last = whole
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let safe: String = last
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .collect();
    format!("{safe}-{}", &hex_digest(whole.as_bytes())[..8])
}

/// Runs git in a folder. Returns its standard output, or standard error if it fails.
///
/// `GIT_OPTIONAL_LOCKS` keeps it from writing into a user's repository, as even `git status` does.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Result<Result<String, String>> {
    let mut command = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    command
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0");
    text(&mut command)
}
