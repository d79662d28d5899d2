//! Sources that are no release: a folder as it is, or a revision of a Git repository. All is copied
//! before it is built, so that nobody's tree is touched.

use crate::failure::{Failure, Result};
use crate::fs::{self, hex_digest};
use anyhow::{Context, anyhow};
use jiff::civil::Date;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use walkdir::WalkDir;

/// Where sources are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// `path:DIR`: the files that are there now.
    Path(PathBuf),
    /// `git:REPOSITORY#REVISION`: a branch, tag or commit; what is checked out there without one.
    Git {
        /// An address or a folder.
        repository: String,
        revision: String,
    },
}

/// Sources of one state, in a folder that is ours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checkout {
    pub(crate) folder: PathBuf,
    /// The whole hash; none of files that no repository knows.
    pub(crate) commit: Option<String>,
    /// Whether the files differ from those of the commit.
    pub(crate) is_dirty: bool,
    /// The day of the commit, if the files are those.
    pub(crate) day: Option<Date>,
    /// Of the commit or of all files.
    pub(crate) digest: String,
}

/// Copies and checkouts, which stay for another time.
#[derive(Debug)]
pub(crate) struct Checkouts {
    cache: PathBuf,
}

impl Source {
    /// Reads what follows the `@`; `None` if it names no source.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(path) = text.strip_prefix("path:") {
            return Some(Self::Path(path.into()));
        }
        let (repository, revision) = match text.strip_prefix("git:")?.rsplit_once('#') {
            Some((repository, revision)) if !revision.is_empty() => (repository, revision),
            Some((repository, _)) => (repository, "HEAD"),
            None => (text.strip_prefix("git:")?, "HEAD"),
        };
        Some(Self::Git {
            repository: repository.to_owned(),
            revision: revision.to_owned(),
        })
    }
}

impl Checkout {
    /// What a version has behind its `+`: `6868ee8`, `6868ee8.dirty`, `local`.
    pub(crate) fn revision(&self) -> String {
        let short = self.commit.as_deref().and_then(|commit| commit.get(..7));
        let dirty = if self.is_dirty { ".dirty" } else { "" };
        format!("{}{dirty}", short.unwrap_or("local"))
    }
}

impl Checkouts {
    pub(crate) fn new(work: &Path) -> Self {
        Self {
            cache: work.join("sources"),
        }
    }

    /// A copy of the sources as they are now.
    pub(crate) fn prepare(&self, source: &Source) -> Result<Checkout> {
        match source {
            Source::Path(path) => self.copy(path),
            Source::Git {
                repository,
                revision,
            } => self.check_out(repository, revision),
        }
    }

    /// The commits of `A..B` by their first parents, A first, and what each is called:
    /// `6868ee8 Resume with a ticket`.
    pub(crate) fn commits(
        &self,
        repository: &str,
        from: &str,
        to: &str,
    ) -> Result<Vec<(String, String)>> {
        let mirror = self.mirror(repository);
        let (from, to) = (
            self.resolve(repository, from)?,
            self.resolve(repository, to)?,
        );
        let all = [
            "log",
            "--first-parent",
            "--reverse",
            "--format=%H%x09%h %s",
            "--abbrev=7",
        ];
        let listed = bare(&mirror, &[&all[..], &[&to]].concat())?;
        let listed = listed.map_err(|said| anyhow!("git cannot list {to}: {said}"))?;
        let commits = listed.lines().filter_map(|line| {
            let (hash, title) = line.split_once('\t')?;
            Some((hash.to_owned(), title.to_owned()))
        });
        let commits: Vec<(String, String)> =
            commits.skip_while(|(hash, _)| *hash != from).collect();
        match commits.len() {
            0 | 1 => Err(Failure::Usage(format!(
                "{from} is not before {to} by first parents: name two commits of one branch, the older one first"
            ))),
            _ => Ok(commits),
        }
    }

    fn copy(&self, path: &Path) -> Result<Checkout> {
        let folder = path.canonicalize().map_err(|error| {
            Failure::Usage(format!("there is no folder {}: {error}", path.display()))
        })?;
        let tracked = git(&folder, &["ls-files", "-z", "-co", "--exclude-standard"])?;
        let mut files = match &tracked {
            Ok(list) => list.split('\0').map(PathBuf::from).collect(),
            Err(_) => Vec::new(),
        };
        files.retain(|file| folder.join(file).is_file());
        let mut checkout = Checkout {
            folder: self.cache.join(name(&folder.to_string_lossy())),
            ..Checkout::default()
        };
        if files.is_empty() {
            files = all_files(&folder)?;
        } else if let Ok(commit) = git(&folder, &["rev-parse", "HEAD"])? {
            let changes = git(&folder, &["status", "--porcelain", "--", "."])?;
            let changes = changes.map_err(|said| anyhow!("git status fails: {said}"))?;
            checkout.is_dirty = !changes.is_empty();
            checkout.day = day(git(&folder, &[&DAY[..], &[commit.trim()]].concat())?)?
                .filter(|_| !checkout.is_dirty);
            checkout.commit = Some(commit.trim().to_owned());
        }
        if files.is_empty() {
            return Err(Failure::Usage(format!("{} is empty", folder.display())));
        }
        files.sort();
        checkout.digest = copy_files(&folder, &files, &checkout.folder)?;
        Ok(checkout)
    }

    fn check_out(&self, repository: &str, revision: &str) -> Result<Checkout> {
        let commit = self.resolve(repository, revision)?;
        let mirror = self.mirror(repository);
        let short = commit.get(..12).unwrap_or(&commit);
        let folder = self.cache.join(format!("{}-{short}", name(repository)));
        if !folder.is_dir() {
            let new = folder.with_extension("new");
            fs::remove(&new)?;
            fs::create_folder(&new)?;
            let index = new.with_extension("index");
            let written = Command::new("git")
                .arg("--git-dir")
                .arg(&mirror)
                .arg("--work-tree")
                .arg(&new)
                .args(["checkout", "-q", "-f", &commit, "--", "."])
                .env("GIT_INDEX_FILE", &index)
                .stdin(Stdio::null())
                .output();
            let written = written.context("cannot run git")?;
            fs::remove(&index)?;
            if !written.status.success() {
                let said = String::from_utf8_lossy(&written.stderr).into_owned();
                return Err(anyhow!("git cannot check out {commit}: {}", said.trim()).into());
            }
            rename(&new, &folder)?;
        }
        Ok(Checkout {
            folder,
            is_dirty: false,
            day: day(bare(&mirror, &[&DAY[..], &[&commit]].concat())?)?,
            digest: commit.clone(),
            commit: Some(commit),
        })
    }

    /// The commit that a revision is now.
    fn resolve(&self, repository: &str, revision: &str) -> Result<String> {
        let mirror = self.mirror(repository);
        if revision.starts_with('-') {
            return Err(Failure::Usage(format!("`{revision}` is no revision")));
        }
        let wanted = format!("{revision}^{{commit}}");
        let known = || bare(&mirror, &["rev-parse", "-q", "--verify", &wanted]);
        let is_hash = revision.len() == 40 && revision.bytes().all(|b| b.is_ascii_hexdigit());
        if is_hash
            && mirror.is_dir()
            && let Ok(commit) = known()?
        {
            return Ok(commit.trim().to_owned());
        }
        let fetched = self.fetch(repository)?;
        match (known()?, fetched) {
            (Ok(commit), _) => Ok(commit.trim().to_owned()),
            (Err(_), Ok(())) => Err(Failure::Usage(format!(
                "{repository} has no branch, tag or commit `{revision}`"
            ))),
            (Err(_), Err(said)) => Err(anyhow!("git cannot fetch {repository}: {said}").into()),
        }
    }

    /// Brings all branches and tags, and of a local repository whatever it calls by a name.
    fn fetch(&self, repository: &str) -> Result<Result<(), String>> {
        let mirror = self.mirror(repository);
        if !mirror.is_dir() {
            let new = mirror.with_extension("new");
            fs::remove(&new)?;
            fs::create_folder(&new)?;
            let made = git(&new, &["init", "-q", "--bare", "."])?;
            made.map_err(|said| anyhow!("git init fails: {said}"))?;
            // No branch is checked out here, so all can be fetched into.
            fs::write(&new.join("HEAD"), b"ref: refs/checked-out/HEAD\n")?;
            rename(&new, &mirror)?;
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
        Ok(bare(&mirror, &[&fetch[..], names].concat())?.map(drop))
    }

    fn mirror(&self, repository: &str) -> PathBuf {
        self.cache.join(format!("{}.git", name(repository)))
    }
}

/// The last part of an address, and enough of a digest to tell it from others.
fn name(address: &str) -> String {
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

/// What makes git print the day of a commit.
const DAY: [&str; 3] = ["log", "-1", "--format=%cs"];

fn day(said: Result<String, String>) -> Result<Option<Date>> {
    let said = said.map_err(|said| anyhow!("git cannot show a commit: {said}"))?;
    let day = said.trim().parse();
    Ok(Some(
        day.with_context(|| format!("git says `{said}` for a day"))?,
    ))
}

/// What git prints, or says when it fails. It writes nothing into a repository of the user's: even
/// `git status` does without this variable.
fn git(folder: &Path, arguments: &[&str]) -> anyhow::Result<Result<String, String>> {
    let mut command = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .output()
        .context("cannot run git")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stderr).trim().to_owned()),
    })
}

/// The same in a mirror. Were that no repository, git would take one that is around it.
fn bare(mirror: &Path, arguments: &[&str]) -> anyhow::Result<Result<String, String>> {
    git(mirror, &[&["--git-dir=."], arguments].concat())
}

fn rename(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::rename(from, to).with_context(|| format!("cannot rename {}", from.display()))
}

/// All files of a folder that is in no repository, but what is hidden and what cargo built.
pub(crate) fn all_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let walker = WalkDir::new(folder).min_depth(1).into_iter();
    let walker = walker.filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        !name.starts_with('.') && name != "target"
    });
    let mut files = Vec::new();
    for entry in walker {
        let entry = entry.with_context(|| fs::cannot_read(folder))?;
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(folder);
            files.push(below.context("a file is not below its folder")?.to_owned());
        }
    }
    Ok(files)
}

/// Makes `to` hold these files of `from` and no others, and returns the digest of all. What is the
/// same already keeps its time, by which builds tell what is new.
pub(crate) fn copy_files(from: &Path, files: &[PathBuf], to: &Path) -> Result<String> {
    fs::create_folder(to)?;
    for there in all_files(to)? {
        if files.binary_search(&there).is_err() {
            fs::remove(&to.join(there))?;
        }
    }
    let mut digests = String::new();
    for file in files {
        let (source, copy) = (from.join(file), to.join(file));
        let bytes = fs::read_whole(&source)?;
        digests += &format!("{} {}\n", hex_digest(&bytes), file.display());
        if fs::read_optional(&copy)?.as_deref() != Some(&bytes) {
            fs::create_folder(copy.parent().unwrap_or(to))?;
            std::fs::copy(&source, &copy)
                .with_context(|| format!("cannot write {}", copy.display()))?;
        }
    }
    Ok(hex_digest(digests.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources() {
        let git = |repository: &str, revision: &str| Source::Git {
            repository: repository.to_owned(),
            revision: revision.to_owned(),
        };
        for (text, expected) in [
            ("path:../rustls", Some(Source::Path("../rustls".into()))),
            ("git:../rustls#main", Some(git("../rustls", "main"))),
            ("git:../rustls", Some(git("../rustls", "HEAD"))),
            (
                "git:https://example.org/r.git#v/0.23.1",
                Some(git("https://example.org/r.git", "v/0.23.1")),
            ),
            ("git:r#a..b", Some(git("r", "a..b"))),
            ("0.23.1", None),
        ] {
            assert_eq!(Source::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn what_a_version_has_behind_its_plus() {
        let mut checkout = Checkout::default();
        assert_eq!(checkout.revision(), "local");
        checkout.commit = Some("6868ee8d0123".to_owned());
        assert_eq!(checkout.revision(), "6868ee8");
        checkout.is_dirty = true;
        assert_eq!(checkout.revision(), "6868ee8.dirty");
    }
}
