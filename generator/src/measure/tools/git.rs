//! Sources that the user names, and git: mirrors of repositories, their commits and files.

use crate::base::failure::{Failure, Result};
use crate::files::{self, hex_digest};
use crate::measure::process::{Stop, if_succeeded, text_within};
use anyhow::{Context, anyhow};
use jiff::civil::Date;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Where unreleased sources are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// `path:DIR`: the files in their current state.
    Path(PathBuf),
    /// `git:REPOSITORY#REVISION`: a branch, tag or commit; without one, `HEAD`.
    Git {
        /// A URL or a folder.
        repository: String,
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

/// Time limit of a git command. A server that stops answering must not stop a run for ever.
const LIMIT: Duration = Duration::from_secs(600);

/// Digits of a shown commit.
const SHORT: usize = 7;

/// Option for git in a mirror, so that it never uses a repository in a parent folder.
const BARE: &str = "--git-dir=.";

/// A commit and its day.
const LOG: &str = "--format=%H %cs";

impl Location {
    /// Parses a word of the command line; `None` if it names no sources.
    pub(in crate::measure) fn parse(text: &str) -> Option<Self> {
        if let Some(path) = text.strip_prefix("path:") {
            return Some(Self::Path(path.into()));
        }
        let text = text.strip_prefix("git:")?;
        let (repository, revision) = text.rsplit_once('#').unwrap_or((text, ""));
        Some(Self::Git {
            repository: repository.to_owned(),
            revision: if revision.is_empty() {
                "HEAD"
            } else {
                revision
            }
            .to_owned(),
        })
    }

    /// Finds the folder, or clones the revision into a folder of `work`, which `name` makes of the
    /// repository's name and the start of the commit.
    pub(in crate::measure) fn open(
        &self,
        work: &Path,
        name: impl FnOnce(&str, &str) -> String,
    ) -> Result<(PathBuf, State)> {
        match self {
            Self::Path(path) => {
                if !files::is_folder(path)? {
                    let path = path.display();
                    return Err(Failure::Usage(format!("there is no folder {path}")));
                }
                let folder = path.canonicalize();
                let folder = folder.with_context(|| files::cannot_read(path))?;
                let state = State::read(&folder)?;
                Ok((folder, state))
            }
            Self::Git {
                repository,
                revision,
            } => {
                let of_repository = folder_name(repository);
                let mirror = work.join(format!("{of_repository}.git"));
                let commit = resolve(&mirror, repository, revision)?;
                let folder = work.join(name(&of_repository, &commit[..12]));
                check_out(&mirror, &commit, &folder)?;
                let state = State::logged(&mirror, &[BARE, "log", "-1", LOG, &commit])?;
                Ok((folder, state))
            }
        }
    }
}

/// Resolves a revision of `repository` to a commit. Fetches into the bare `mirror` before, unless
/// the revision is a known hash.
fn resolve(mirror: &Path, repository: &str, revision: &str) -> Result<String> {
    if revision.starts_with('-') {
        return Err(Failure::Usage(format!("`{revision}` is not a revision")));
    }
    let wanted = format!("{revision}^{{commit}}");
    let known = || if_succeeded(run(mirror, &[BARE, "rev-parse", "-q", "--verify", &wanted]));
    let mut commit = None;
    if is_hash(revision) && files::is_folder(mirror)? {
        commit = known()?;
    }
    if commit.is_none() {
        let fetched = fetch(mirror, repository);
        let what = format!("git cannot fetch {repository}: ");
        commit = known()?;
        match fetched {
            Ok(_) => {}
            Err(Stop::Failed(why)) if commit.is_some() => {
                crate::inform!("warning: `{revision}` is as of the last fetch: {what}{why}");
            }
            Err(stop) => return Err(stop.fatal(what)),
        }
    }
    match commit {
        Some(commit) => Ok(commit.trim().to_owned()),
        None => Err(Failure::Usage(format!(
            "{repository} has no branch, tag or commit `{revision}`"
        ))),
    }
}

/// Whether a revision is a whole hash.
fn is_hash(revision: &str) -> bool {
    revision.len() == 40 && revision.bytes().all(|b| b.is_ascii_hexdigit())
}

/// A name for a revision: a whole hash is shortened.
pub(in crate::measure) fn short(revision: &str) -> &str {
    match is_hash(revision) {
        true => &revision[..SHORT],
        false => revision,
    }
}

/// Clones the mirror at a commit into a folder, unless that exists. It is a repository: a build or
/// a benchmark may ask git for its version.
fn check_out(mirror: &Path, commit: &str, folder: &Path) -> Result<()> {
    if files::is_folder(folder)? {
        return Ok(());
    }
    let new = folder.with_extension("new");
    files::remove(&new)?;
    files::create_private(&new)?;
    let [from, to] = [mirror, &new].map(|path| path.to_string_lossy());
    output(&new, &["clone", "-q", "--no-checkout", "--", &from, &to])?;
    output(&new, &["checkout", "-q", "--detach", commit])?;
    Ok(files::rename(&new, folder)?)
}

/// Whether a folder has committed files of a repository. Git need not be installed where there is none.
fn is_tracked(folder: &Path) -> Result<bool> {
    let (root, _) = files::repository(folder)?;
    if !files::exists(&root.join(".git"))? {
        return Ok(false);
    }
    let files = if_succeeded(run(folder, &["ls-tree", "--name-only", "HEAD"]))?;
    Ok(files.is_some_and(|files| !files.is_empty()))
}

/// Lists the files in a folder of the user, sorted, without those that git ignores; none outside of a
/// repository. A repository in the folder is one of them.
pub(in crate::measure) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = ["ls-files", "-z", "-co", "--exclude-standard"];
    let listed = if_succeeded(run(folder, &list))?;
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
    let mut digests = String::new();
    for file in files(folder)? {
        let path = folder.join(&file);
        if path.starts_with(out) {
            continue;
        }
        let digest = if let Ok(target) = path.read_link() {
            format!("{target:?}")
        } else if is_repository(&path)? {
            digest(&path, out)?.unwrap_or_default()
        } else if files::is_folder(&path)? {
            String::new()
        } else {
            let is_executable = files::is_executable(&path)?;
            format!("{} {is_executable}", files::digest_of_file(&path)?)
        };
        digests += &format!("{digest} {file:?}\n");
    }
    Ok(Some(hex_digest(digests.as_bytes())))
}

/// Whether what is among a repository's files is a repository itself, and no submodule without files.
fn is_repository(path: &Path) -> Result<bool> {
    Ok(!path.is_symlink() && files::is_taken(&path.join(".git"))?)
}

/// Whether files in a folder, or in repositories in it, differ from those of the commit.
fn is_changed(folder: &Path) -> Result<bool> {
    // Git would filter changed files by programs that the folder's own configuration names.
    let filters = "config -z --show-scope --name-only --get-regexp ^filter[.]";
    let filters = if_succeeded(run(folder, &Vec::from_iter(filters.split(' '))))?;
    let mut parts = filters.as_deref().unwrap_or_default().split('\0');
    let status = "status --porcelain -unormal --ignore-submodules=dirty -- .";
    let mut status = git(folder, &Vec::from_iter(status.split(' ')));
    let mut count = 0;
    while let (Some(scope), Some(name)) = (parts.next(), parts.next()) {
        if scope == "local" || scope == "worktree" {
            status.env(format!("GIT_CONFIG_KEY_{count}"), name);
            status.env(format!("GIT_CONFIG_VALUE_{count}"), "");
            count += 1;
        }
    }
    let changes = text_within(status.env("GIT_CONFIG_COUNT", count.to_string()), LIMIT);
    let changes = changes.map_err(|stop| stop.fatal("git status fails: "))?;
    let mut is_changed = !changes.is_empty();
    for file in files(folder)? {
        let path = folder.join(file);
        is_changed = is_changed || is_repository(&path)? && self::is_changed(&path)?;
    }
    Ok(is_changed)
}

impl State {
    /// The state of the sources in a folder.
    pub(in crate::measure) fn read(folder: &Path) -> Result<Self> {
        if !is_tracked(folder)? {
            return Ok(Self::default());
        }
        let mut state = Self::logged(folder, &["log", "-1", LOG])?;
        if is_changed(folder)? {
            state.day = None;
            state.is_dirty = true;
        }
        Ok(state)
    }

    /// The state of the files of a commit, as git prints it by [`LOG`].
    fn logged(folder: &Path, arguments: &[&str]) -> Result<Self> {
        let printed = output(folder, arguments)?;
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

/// Fetches all branches and tags, and all other refs of a local repository.
fn fetch(mirror: &Path, repository: &str) -> Result<String, Stop> {
    if !files::is_folder(mirror)? {
        let new = mirror.with_extension("new");
        files::remove(&new)?;
        files::create_private(&new)?;
        output(&new, &["init", "-q", "--bare", "."])?;
        // HEAD is no branch here, so that every branch can be fetched into.
        files::write(&new.join("HEAD"), b"ref: refs/checked-out/HEAD\n")?;
        files::rename(&new, mirror)?;
    }
    // A branch that is gone must not be measured, nor stand where another has a folder.
    let mut fetch = vec![BARE, "fetch", "-q", "--prune", "--no-tags", "--"];
    let local = Path::new(repository).canonicalize();
    let local = local.iter().find_map(|folder| folder.to_str());
    fetch.extend([local.unwrap_or(repository), "+HEAD:refs/checked-out/HEAD"]);
    match local {
        Some(_) => fetch.push("+refs/*:refs/*"),
        None => fetch.extend(["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]),
    }
    run(mirror, &fetch)
}

/// Makes a folder name of a URL or path: its last part and a short digest of the whole.
pub(in crate::measure) fn folder_name(address: &str) -> String {
    let whole = match Path::new(address).canonicalize() {
        Ok(path) => path.to_string_lossy().into_owned(),
        Err(_) => address.to_owned(),
    };
    let trimmed = whole.trim_end_matches('/');
    let (_, last) = trimmed.rsplit_once('/').unwrap_or(("", &whole));
    let safe = last.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "");
    format!("{safe}-{}", &hex_digest(whole.as_bytes())[..8])
}

/// Runs git in a folder, where it must succeed. Returns its standard output.
fn output(folder: &Path, arguments: &[&str]) -> Result<String> {
    let printed = run(folder, arguments);
    printed.map_err(|stop| stop.fatal(format!("git {} fails: ", arguments.join(" "))))
}

/// Runs git in a folder. Returns its standard output, or fails with standard error.
pub(in crate::measure) fn run(folder: &Path, arguments: &[&str]) -> Result<String, Stop> {
    text_within(&mut git(folder, arguments), LIMIT)
}

/// Settings of a repository that would make git run a program to list files or a commit.
const RUN_NOTHING: [&str; 4] = [
    "-c",
    "core.fsmonitor=false",
    "-c",
    "log.showSignature=false",
];

/// The command of git in a folder, which nobody needs to trust.
///
/// `GIT_ALLOW_PROTOCOL` keeps it from running a program that an address names, and from trusting an
/// unauthenticated server; `GIT_NO_LAZY_FETCH` from one that a partial clone names;
/// `GIT_OPTIONAL_LOCKS` from writing into a user's repository, as even `git status` does.
fn git(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    command
        .arg("-C")
        .arg(folder)
        .args(RUN_NOTHING)
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_ALLOW_PROTOCOL", "https:ssh:file")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0");
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_outside_of_repositories_is_not_tracked() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!is_tracked(folder.path()).expect("no git"));
        // Git itself says that this is none.
        fs::create_dir(folder.path().join(".git")).expect("a folder");
        assert!(!is_tracked(folder.path()).expect("git"));
    }

    #[test]
    fn deleted_branches_are_gone() {
        let place = tempfile::tempdir().expect("a folder");
        let (repository, mirror) = (place.path().join("origin"), place.path().join("mirror"));
        fs::create_dir(&repository).expect("a folder");
        let git = |arguments: &str| {
            let arguments: Vec<&str> = arguments.split(' ').collect();
            output(&repository, &arguments).expect("git")
        };
        let found = |branch| resolve(&mirror, &repository.to_string_lossy(), branch);
        git("init -q");
        git("-c user.name=a -c user.email=a@b commit -q --allow-empty -m 1");
        git("branch feature");
        let commit = git("rev-parse HEAD");
        assert_eq!(found("feature").expect("a branch"), commit.trim());
        git("branch -D feature");
        git("branch feature/one");
        assert_eq!(found("feature/one").expect("a branch"), commit.trim());
        let failure = found("feature").expect_err("no branch").to_string();
        assert!(
            failure.ends_with("has no branch, tag or commit `feature`"),
            "{failure}"
        );
    }

    #[test]
    fn only_some_transports_are_used() {
        let folder = tempfile::tempdir().expect("a folder");
        for address in [
            "fd::0",
            "ext::sh -c date",
            "http://example.org/a",
            "git://example.org/a",
        ] {
            let mirror = folder.path().join("mirror");
            let failure = resolve(&mirror, address, "HEAD").expect_err(address);
            let refusal = failure.to_string();
            assert!(refusal.contains("not allowed"), "{refusal}");
        }
    }
}
