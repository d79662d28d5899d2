//! Sources that the user names, and git: clones of repositories, their commits and files.

use crate::base::failure::{Failure, Result};
use crate::files::{self, hex_digest};
use crate::measure::process::{if_succeeded, text};
use anyhow::{Context, anyhow};
use jiff::civil::Date;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where unreleased sources are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// `path:DIR`: the files in their current state.
    Path(PathBuf),
    /// `git:REPOSITORY#REVISION`: a branch, tag or commit of a local repository; without one, `HEAD`.
    Git {
        repository: PathBuf,
        revision: String,
    },
}

/// The state of the sources in a folder.
#[derive(Clone, Debug, Default)]
pub(in crate::measure) struct State {
    /// The full hash; `None` outside of a repository.
    pub(in crate::measure) commit: Option<String>,
    /// The day of the commit, if the files match it.
    pub(in crate::measure) day: Option<Date>,
    /// Whether the files differ from those of the commit.
    pub(in crate::measure) is_dirty: bool,
}

/// Digits of a shown commit.
const SHORT: usize = 7;

impl Location {
    /// Parses a word of the command line; `None` if it names no sources.
    pub(in crate::measure) fn parse(text: &str) -> Option<Self> {
        if let Some(path) = text.strip_prefix("path:") {
            return Some(Self::Path(path.into()));
        }
        let text = text.strip_prefix("git:")?;
        let (repository, revision) = text.rsplit_once('#').unwrap_or((text, ""));
        let revision = if revision.is_empty() {
            "HEAD"
        } else {
            revision
        };
        Some(Self::Git {
            repository: repository.into(),
            revision: revision.to_owned(),
        })
    }

    /// A name for it: that of the folder, or the revision, of which a whole hash is shortened.
    pub(in crate::measure) fn name(&self) -> String {
        match self {
            Self::Path(path) => files::folder_name(path),
            Self::Git { revision, .. } => {
                let is_hash =
                    revision.len() == 40 && revision.bytes().all(|b| b.is_ascii_hexdigit());
                let length = if is_hash { SHORT } else { revision.len() };
                revision.chars().take(length).collect()
            }
        }
    }

    /// Finds the folder, or clones the revision into a folder of `work`, unless that exists. All
    /// names have the same length, which can change a program's memory layout.
    pub(in crate::measure) fn open(&self, work: &Path) -> Result<(PathBuf, State)> {
        let (Self::Path(path)
        | Self::Git {
            repository: path, ..
        }) = self;
        if !files::is_folder(path)? {
            let remedy = match self {
                Self::Path(_) => "",
                Self::Git { .. } => ": of a remote repository, `git clone` it, and name the clone",
            };
            let path = path.display();
            return Err(Failure::Usage(format!("there is no folder {path}{remedy}")));
        }
        let folder = path.canonicalize();
        let folder = folder.with_context(|| files::cannot_read(path))?;
        let Self::Git { revision, .. } = self else {
            let state = State::read(&folder)?;
            return Ok((folder, state));
        };
        if revision.starts_with('-') {
            return Err(Failure::Usage(format!("`{revision}` is not a revision")));
        }
        let wanted = format!("{revision}^{{commit}}");
        let commit = try_to_run(&folder, &["rev-parse", "-q", "--verify", &wanted])?;
        let commit = commit.ok_or_else(|| {
            let path = path.display();
            Failure::Usage(format!("{path} has no branch, tag or commit `{revision}`"))
        })?;
        let commit = commit.trim();
        let clone = work.join(commit);
        if !files::is_folder(&clone)? {
            check_out(&folder, commit, &clone)?;
        }
        Ok((clone, State::of_commit(&folder, commit)?))
    }
}

/// Clones a repository at a commit. It shares the objects of the repository, in which nothing is
/// written. A build or a benchmark may ask git for its version.
fn check_out(repository: &Path, commit: &str, folder: &Path) -> Result<()> {
    let new = folder.with_extension("new");
    files::remove(&new)?;
    files::create_private(&new)?;
    let [from, to] = [repository, &new].map(|path| path.to_string_lossy());
    let clone = ["clone", "-q", "--shared", "--no-checkout", "--", &from, &to];
    output(&new, &clone)?;
    output(&new, &["checkout", "-q", "--detach", commit])?;
    Ok(files::rename(&new, folder)?)
}

/// Whether a folder has committed files of a repository.
fn is_tracked(folder: &Path) -> Result<bool> {
    let files = try_to_run(folder, &["ls-tree", "--name-only", "HEAD"])?;
    Ok(files.is_some_and(|files| !files.is_empty()))
}

/// Lists the files in a folder of the user, sorted, without those that git ignores; none outside of a
/// repository. A repository in the folder is one of them.
pub(in crate::measure) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
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
pub(in crate::measure) fn digest(folder: &Path, out: &Path) -> Result<Option<String>> {
    if !is_tracked(folder)? {
        return Ok(None);
    }
    Ok(Some(digest_of(folder, &files(folder)?, out)?))
}

/// Returns a digest of these files in a folder, without those below `out`.
pub(in crate::measure) fn digest_of(
    folder: &Path,
    files: &[PathBuf],
    out: &Path,
) -> Result<String> {
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
    let changes = text(status.env("GIT_CONFIG_COUNT", count.to_string()));
    let changes = changes.map_err(|stop| stop.fatal("git status fails: "))?;
    Ok(!changes.is_empty())
}

impl State {
    /// The state of the sources in a folder.
    fn read(folder: &Path) -> Result<Self> {
        if !is_tracked(folder)? {
            return Ok(Self::default());
        }
        let mut state = Self::of_commit(folder, "HEAD")?;
        state.is_dirty = is_changed(folder)?;
        state.day = state.day.filter(|_| !state.is_dirty);
        Ok(state)
    }

    /// The state of the files of a commit.
    fn of_commit(folder: &Path, commit: &str) -> Result<Self> {
        let printed = output(folder, &["log", "-1", "--format=%H %cs", commit, "--"])?;
        let (commit, day) = printed.trim().split_once(' ').unwrap_or((&printed, ""));
        let day = day.parse();
        let day = day.with_context(|| format!("git printed `{printed}` instead of a day"))?;
        Ok(Self {
            commit: Some(commit.to_owned()),
            day: Some(day),
            is_dirty: false,
        })
    }

    /// `6868ee8`, `6868ee8.dirty`
    pub(in crate::measure) fn revision(&self) -> Option<String> {
        let short = self.commit.as_ref()?.get(..SHORT)?;
        let dirty = if self.is_dirty { ".dirty" } else { "" };
        Some(format!("{short}{dirty}"))
    }

    /// Description of the sources, for display.
    pub(in crate::measure) fn describe(&self) -> String {
        match (&self.commit, self.is_dirty) {
            (None, _) => "a local folder".to_owned(),
            (Some(commit), false) => format!("commit {commit}"),
            (Some(commit), true) => format!("commit {commit} with uncommitted changes"),
        }
    }
}

/// Runs git in a folder, where it must succeed. Returns its standard output.
fn output(folder: &Path, arguments: &[&str]) -> Result<String> {
    let printed = text(&mut git(folder, arguments));
    printed.map_err(|stop| stop.fatal(format!("git {} fails: ", arguments.join(" "))))
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
