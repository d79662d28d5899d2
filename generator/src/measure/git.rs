//! Sources that the user names, and git: clones of repositories, their commits and files.

use crate::base::failure::{Failure, Result};
use crate::files::{self, hex_digest};
use crate::measure::process::{self, if_succeeded, text};
use crate::model::version::Version;
use anyhow::{Context, anyhow};
use jiff::civil::Date;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where unreleased sources are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) folder: PathBuf,
    /// A branch, tag or commit of the repository in the folder; `None` of its files as they are.
    pub(crate) revision: Option<String>,
}

/// Sources in one state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    pub(crate) folder: PathBuf,
    /// The full hash; `None` outside of a repository.
    commit: Option<String>,
    /// The day of the commit, if the files match it.
    pub(crate) day: Option<Date>,
    /// Whether the files differ from those of the commit.
    pub(crate) is_dirty: bool,
}

/// Digits of a shown commit.
const SHORT: usize = 7;

impl Location {
    /// Parses `path:FOLDER` or `git:FOLDER#REVISION`, by default of `HEAD`; `None` if a word of the
    /// command line names no sources.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (folder, revision) = match text.split_once(':')? {
            ("path", folder) => (folder, None),
            ("git", rest) => match rest.rsplit_once('#') {
                Some((folder, "")) => (folder, Some("HEAD")),
                Some((folder, revision)) => (folder, Some(revision)),
                None => (rest, Some("HEAD")),
            },
            _ => return None,
        };
        Some(Self {
            folder: folder.into(),
            revision: revision.map(str::to_owned),
        })
    }

    /// A name for it: that of the folder, or the revision, of which a whole hash is shortened.
    pub(crate) fn name(&self) -> String {
        let Some(revision) = &self.revision else {
            return files::folder_name(&self.folder);
        };
        let is_hash = revision.len() == 40 && revision.bytes().all(|b| b.is_ascii_hexdigit());
        let length = if is_hash { SHORT } else { revision.len() };
        revision.chars().take(length).collect()
    }

    /// Finds the folder, or clones the revision into a folder of `work`, unless that exists. All
    /// names have the same length, which can change a program's memory layout.
    pub(crate) fn open(&self, work: &Path) -> Result<Sources> {
        let shown = self.folder.display();
        if !files::is_folder(&self.folder)? {
            let remedy = match self.revision {
                None => "",
                Some(_) => ": of a remote repository, `git clone` it, and name the clone",
            };
            return Err(Failure::Usage(format!(
                "there is no folder {shown}{remedy}"
            )));
        }
        let folder = self.folder.canonicalize();
        let folder = folder.with_context(|| files::cannot_read(&self.folder))?;
        let Some(revision) = &self.revision else {
            return Sources::of_folder(folder);
        };
        if revision.starts_with('-') {
            return Err(Failure::Usage(format!("`{revision}` is not a revision")));
        }
        let wanted = format!("{revision}^{{commit}}");
        let commit = try_to_run(&folder, &["rev-parse", "-q", "--verify", &wanted])?;
        let commit = commit.ok_or_else(|| {
            Failure::Usage(format!("{shown} has no branch, tag or commit `{revision}`"))
        })?;
        let (commit, clone) = (commit.trim(), work.join(commit.trim()));
        // It shares the objects of the repository, in which nothing is written. A build or a benchmark
        // may ask git for its version.
        filled(&clone, |new| {
            let [from, to] = [&folder, new].map(|path| path.to_string_lossy());
            let clone = ["clone", "-q", "--shared", "--no-checkout", "--", &from, &to];
            output(new, &clone)?;
            output(new, &["checkout", "-q", "--detach", commit]).map(drop)
        })?;
        Sources::of_commit(clone, commit)
    }
}

/// Fills a new folder that other users cannot read, unless it exists: sources may be secret. It has its
/// name when it is complete.
pub(crate) fn filled(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    if files::is_folder(folder)? {
        return Ok(());
    }
    let new = folder.with_extension("new");
    files::remove(&new)?;
    files::create_private(&new)?;
    fill(&new)?;
    Ok(files::rename(&new, folder)?)
}

/// Whether a folder has committed files of a repository.
fn is_tracked(folder: &Path) -> Result<bool> {
    let files = try_to_run(folder, &["ls-tree", "--name-only", "HEAD"])?;
    Ok(files.is_some_and(|files| !files.is_empty()))
}

/// Lists the files in a folder of the user, sorted, without those that git ignores; none outside of a
/// repository. A repository in the folder is one of them.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = ["ls-files", "-z", "-co", "--exclude-standard"];
    let listed = try_to_run(folder, &list)?;
    let mut files = Vec::new();
    for file in listed.as_deref().unwrap_or("").split_terminator('\0') {
        let path = folder.join(file);
        // Uncommitted deletions are listed too.
        if files::is_taken(&path)? {
            files.push(PathBuf::from(file));
        } else if file.contains(char::REPLACEMENT_CHARACTER) {
            return Err(anyhow!("{} has a name that is not UTF-8", path.display()).into());
        }
    }
    files.sort();
    Ok(files)
}

/// Returns a digest of the files in a folder that git does not ignore, without those below `out`;
/// `None` outside of a repository. It is of what is on disk, whatever git knows of it.
pub(crate) fn digest(folder: &Path, out: &Path) -> Result<Option<String>> {
    if !is_tracked(folder)? {
        return Ok(None);
    }
    Ok(Some(digest_of(folder, &files(folder)?, out)?))
}

/// Returns a digest of these files in a folder, without those below `out`.
pub(crate) fn digest_of(folder: &Path, files: &[PathBuf], out: &Path) -> Result<String> {
    let mut digests = String::new();
    for file in files {
        let path = folder.join(file);
        if path.starts_with(out) {
            continue;
        }
        let digest = if let Ok(target) = path.read_link() {
            format!("{target:?}")
        } else if files::is_taken(&path.join(".git"))? {
            // A repository in it; a submodule may have no files.
            digest(&path, out)?.unwrap_or_default()
        } else if files::is_folder(&path)? {
            String::new()
        } else {
            let is_executable = files::is_executable(&path)?;
            format!("{} {is_executable}", files::digest_of_file(&path)?)
        };
        digests += &format!("{digest} {file:?}\n");
    }
    Ok(hex_digest(digests.as_bytes()))
}

/// Whether files in a folder differ from those of the commit.
fn is_changed(folder: &Path) -> Result<bool> {
    // Git would filter changed files by programs that the folder's own configuration names.
    let mut filters = git(folder, &["config", "-z", "--show-scope", "--name-only"]);
    let filters = if_succeeded(text(filters.args(["--get-regexp", "^filter[.]"])))?;
    let mut parts = filters.as_deref().unwrap_or_default().split('\0');
    let mut status = git(folder, &["status", "--porcelain", "-unormal"]);
    status.args(["--ignore-submodules=dirty", "--", "."]);
    let mut count = 0;
    while let (Some(scope), Some(name)) = (parts.next(), parts.next()) {
        if scope == "local" || scope == "worktree" {
            status.env(format!("GIT_CONFIG_KEY_{count}"), name);
            status.env(format!("GIT_CONFIG_VALUE_{count}"), "");
            count += 1;
        }
    }
    status.env("GIT_CONFIG_COUNT", count.to_string());
    let changes = process::output(&mut status, "git status fails: ")?;
    Ok(!changes.is_empty())
}

impl Sources {
    /// The files in a folder as they are.
    fn of_folder(folder: PathBuf) -> Result<Self> {
        if !is_tracked(&folder)? {
            return Ok(Self {
                folder,
                ..Self::default()
            });
        }
        let is_dirty = is_changed(&folder)?;
        let found = Self::of_commit(folder, "HEAD")?;
        Ok(Self {
            day: found.day.filter(|_| !is_dirty),
            is_dirty,
            ..found
        })
    }

    /// The files of a commit.
    fn of_commit(folder: PathBuf, commit: &str) -> Result<Self> {
        let printed = output(&folder, &["log", "-1", "--format=%H %cs", commit, "--"])?;
        let (commit, day) = printed.trim().split_once(' ').unwrap_or((&printed, ""));
        let day = day.parse();
        let day = day.with_context(|| format!("git printed `{printed}` instead of a day"))?;
        Ok(Self {
            folder,
            commit: Some(commit.to_owned()),
            day: Some(day),
            is_dirty: false,
        })
    }

    /// The version to show: the one in the sources or that a program reports, and the revision.
    pub(crate) fn shown(&self, version: &Version) -> Version {
        let revision = self.revision();
        let revision = revision.as_deref().unwrap_or("local");
        format!("{version}+{revision}").into()
    }

    /// `6868ee8`, `6868ee8.dirty`
    pub(crate) fn revision(&self) -> Option<String> {
        let short = self.commit.as_ref()?.get(..SHORT)?;
        let dirty = if self.is_dirty { ".dirty" } else { "" };
        Some(format!("{short}{dirty}"))
    }

    /// Description of the sources, for display.
    pub(crate) fn describe(&self) -> String {
        match (&self.commit, self.is_dirty) {
            (None, _) => "a local folder".to_owned(),
            (Some(commit), false) => format!("commit {commit}"),
            (Some(commit), true) => format!("commit {commit} with uncommitted changes"),
        }
    }
}

/// Runs git in a folder, where it must succeed. Returns its standard output.
fn output(folder: &Path, arguments: &[&str]) -> Result<String> {
    let what = format!("git {} fails: ", arguments.join(" "));
    process::output(&mut git(folder, arguments), what)
}

/// Runs git in a folder. Returns its standard output, if it succeeds.
fn try_to_run(folder: &Path, arguments: &[&str]) -> Result<Option<String>> {
    if_succeeded(text(&mut git(folder, arguments)))
}

/// The command of git in a folder, which nobody needs to trust.
///
/// `GIT_ALLOW_PROTOCOL` keeps it from running a program that an address names;
/// `GIT_NO_LAZY_FETCH` from one that a partial clone names; `GIT_OPTIONAL_LOCKS` from writing into a
/// user's repository, as even `git status` does.
fn git(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    command
        .arg("-C")
        .arg(folder)
        .args(["-c", "core.fsmonitor=false"])
        .args(["-c", "log.showSignature=false"])
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_ALLOW_PROTOCOL", "file")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0");
    command
}
