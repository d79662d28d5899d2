//! Writing into a Zola site: all or nothing, and only files that are ours.
//!
//! `.generated.sha256` at the root of the site lists every file that we wrote with its digest.
//! A file that is not in the list, or that was changed since, is never replaced or removed.
//! While files are being renamed into place the list holds the old and the new digest of each,
//! so that a run that is killed in the middle leaves only files that the next run knows as its
//! own.

use super::list::{self, List};
use super::read::cannot_read;
use super::write::{create_folder, persist, remove, stage, write_via};
use super::{hex_digest, is_file, read_optional};
use crate::failure::{self, Failure};
use anyhow::{Context, Result, anyhow, bail};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const STAGING: &str = ".generator-staging";
/// The digest of what the last run read; not to be committed.
const CACHE: &str = ".generator-cache";

/// A Zola site, locked against other generators while this value lives.
#[derive(Debug)]
pub struct Site {
    root: PathBuf,
    _lock: File,
    written: List,
}

/// What writing would do.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to write, by path relative to the site.
    pub changed: BTreeMap<String, Vec<u8>>,
    /// Files of ours that are no longer wanted.
    pub removed: Vec<String>,
    list: List,
}

impl Plan {
    /// Nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }
}

impl Site {
    /// Opens and locks the site at `root`.
    ///
    /// # Errors
    /// `root` is no folder with a `config.toml`, or another generator works on it.
    pub fn open(root: &Path) -> failure::Result<Self> {
        if !(is_file(&root.join("config.toml"))? || is_file(&root.join("zola.toml"))?) {
            return Err(Failure::Usage(format!(
                "{} is no Zola site: it has no config.toml; name the site with --site, or make one with `zola init`",
                root.display()
            )));
        }
        Ok(Self {
            root: root.to_owned(),
            _lock: lock(root)?,
            written: list::read(root)?,
        })
    }

    /// The folder of the site.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Files that we wrote earlier, relative to the site.
    pub fn written(&self) -> impl Iterator<Item = &str> {
        self.written.keys().map(String::as_str)
    }

    /// A file of ours; `None` if there is none, or if it was changed since we wrote it.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        let Some(digests) = self.written.get(path) else {
            return Ok(None);
        };
        let bytes = read_optional(&self.root.join(path))?;
        Ok(bytes.filter(|bytes| digests.contains(&hex_digest(bytes))))
    }

    /// Compares `wanted` with what is there.
    ///
    /// # Errors
    /// Files in the way that are not ours or were edited, all of them by name.
    pub fn plan(&self, wanted: BTreeMap<String, Vec<u8>>) -> failure::Result<Plan> {
        let states: Vec<(String, Vec<u8>, String, State)> = wanted
            .into_par_iter()
            .map(|(path, bytes)| {
                let digest = hex_digest(&bytes);
                let state = self.state(&path, &digest)?;
                Ok((path, bytes, digest, state))
            })
            .collect::<Result<_>>()?;
        let mut plan = Plan::default();
        let mut in_the_way = Vec::new();
        for (path, bytes, digest, state) in states {
            plan.list.insert(path.clone(), BTreeSet::from([digest]));
            match state {
                State::Foreign => in_the_way.push(format!("{path} was not written by the generator, so it is left alone: move it away")),
                State::Edited => in_the_way.push(format!("{path} was edited since the generator wrote it: keep your change elsewhere and delete the file")),
                State::Same => {}
                State::Ours | State::Missing => drop(plan.changed.insert(path, bytes)),
            }
        }
        for path in self
            .written
            .keys()
            .filter(|path| !plan.list.contains_key(*path))
        {
            match self.state(path, "")? {
                State::Edited => in_the_way.push(format!("{path} is no longer generated, but was edited since: delete it, or move it away")),
                State::Missing => {}
                _ => plan.removed.push(path.clone()),
            }
        }
        if in_the_way.is_empty() {
            Ok(plan)
        } else {
            Err(Failure::Io(anyhow!(in_the_way.join("\n"))))
        }
    }

    /// True if the last complete run read what `inputs` is the digest of, and each file that it
    /// left is still as it left it.
    pub fn is_current(&self, inputs: &str) -> bool {
        // Files that cannot be read only cost the time of a complete run, which has the error.
        let recorded = fs::read_to_string(self.root.join(CACHE));
        let current = self.record(inputs);
        matches!((recorded, current), (Ok(recorded), Ok(current)) if recorded == current)
            && !self.root.join(STAGING).exists()
            && !self.written.is_empty()
            && self.written.par_iter().all(|(path, digests)| {
                let there = fs::read(self.root.join(path)).map(|bytes| hex_digest(&bytes));
                digests.len() == 1 && there.is_ok_and(|digest| digests.contains(&digest))
            })
    }

    /// Records what a complete run has read.
    pub fn remember(&self, inputs: &str) -> Result<()> {
        let staging = self.root.join(STAGING);
        create_folder(&staging)?;
        let record = self.record(inputs)?;
        write_via(&staging, &self.root.join(CACHE), record.as_bytes())?;
        remove(&staging)
    }

    /// Inputs and the list of what was made of them: a checkout of older pages comes with an older
    /// list.
    fn record(&self, inputs: &str) -> Result<String> {
        let list = read_optional(&self.root.join(list::NAME))?;
        let digest = list.map(|list| hex_digest(&list));
        Ok(format!(
            "{inputs} {}",
            digest.as_deref().unwrap_or_default()
        ))
    }

    fn state(&self, path: &str, wanted: &str) -> Result<State> {
        let full = self.root.join(path);
        refuse_links(&self.root, Path::new(path))?;
        let Some(bytes) = read_optional(&full)? else {
            return Ok(State::Missing);
        };
        let there = hex_digest(&bytes);
        Ok(match self.written.get(path) {
            _ if there == wanted => State::Same,
            None => State::Foreign,
            Some(digests) if digests.contains(&there) => State::Ours,
            Some(_) => State::Edited,
        })
    }

    /// Carries out a plan. A kill at any moment leaves each file old or new.
    ///
    /// # Errors
    /// The system's, with the path. Nothing is in place if it happens before the last file
    /// was staged.
    pub fn write(&mut self, plan: Plan) -> Result<()> {
        let staging = self.root.join(STAGING);
        remove(&staging)?;
        if plan.is_empty() && self.written == plan.list {
            return Ok(());
        }
        create_folder(&staging)?;
        // One after another: threads that make files in one folder only wait for each other.
        let stage_one = |(path, bytes): (&String, &Vec<u8>)| {
            let target = self.root.join(path);
            Ok((stage(&staging, &target, bytes)?, target))
        };
        let staged: Vec<_> = plan.changed.iter().map(stage_one).collect::<Result<_>>()?;
        // One flush for all files instead of one each; only then may old ones go.
        let flush = || -> Result<()> {
            rustix::fs::syncfs(File::open(&staging)?).context("cannot flush the written files")
        };
        flush()?;
        let mut both = plan.list.clone();
        for (path, digests) in &self.written {
            both.entry(path.clone())
                .or_default()
                .extend(digests.clone());
        }
        self.put_list(&staging, &both)?;
        for (file, target) in staged {
            create_folder(target.parent().unwrap_or(&self.root))?;
            persist(file, &target)?;
        }
        for path in &plan.removed {
            remove_with_empty_folders(&self.root, path)?;
        }
        flush()?;
        self.written = plan.list;
        self.put_list(&staging, &self.written)?;
        remove(&staging)
    }

    fn put_list(&self, staging: &Path, list: &List) -> Result<()> {
        let path = self.root.join(list::NAME);
        write_via(staging, &path, list::text(list).as_bytes())
    }
}

fn lock(root: &Path) -> Result<File> {
    let context = || format!("cannot lock {}", root.display());
    let file = File::open(root).with_context(context)?;
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => {
            bail!(
                "another generator is writing to {}; wait for it to end",
                root.display()
            )
        }
        locked => locked.with_context(context)?,
    }
    Ok(file)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Same,
    Missing,
    /// Ours to replace.
    Ours,
    /// Ours once, changed by somebody since.
    Edited,
    Foreign,
}

/// A link below the site could lead our writes anywhere.
fn refuse_links(root: &Path, path: &Path) -> Result<()> {
    let mut at = root.to_owned();
    for part in path.components() {
        at.push(part);
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_symlink() => bail!(
                "{} is a symbolic link: the generator writes through none; replace it by a folder or file",
                at.display()
            ),
            Err(error) if error.kind() == ErrorKind::NotFound => break,
            other => other.with_context(|| cannot_read(&at))?,
        };
    }
    Ok(())
}

/// Removes a file, and the folders that it leaves empty.
fn remove_with_empty_folders(root: &Path, path: &str) -> Result<()> {
    let full = root.join(path);
    remove(&full)?;
    let folders = full.ancestors().skip(1);
    for folder in folders.take_while(|folder| *folder != root) {
        match fs::remove_dir(folder) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => break,
            removed => removed.with_context(|| format!("cannot remove {}", folder.display()))?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("config.toml"), "base_url = \"/\"").expect("a file");
        folder
    }

    fn wanted(files: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        files
            .iter()
            .map(|(p, b)| ((*p).to_owned(), b.as_bytes().to_vec()))
            .collect()
    }

    fn ingest(root: &Path, files: &[(&str, &str)]) -> failure::Result<()> {
        let mut site = Site::open(root)?;
        let plan = site.plan(wanted(files))?;
        Ok(site.write(plan)?)
    }

    #[test]
    fn writes_replaces_and_removes_its_own() {
        let folder = site();
        ingest(
            folder.path(),
            &[
                ("content/perf/a/index.md", "1"),
                ("content/perf/b/index.md", "1"),
            ],
        )
        .expect("first");
        ingest(folder.path(), &[("content/perf/a/index.md", "2")]).expect("second");
        assert_eq!(
            fs::read_to_string(folder.path().join("content/perf/a/index.md")).expect("a"),
            "2"
        );
        assert!(!folder.path().join("content/perf/b").exists());
        assert!(!folder.path().join(STAGING).exists());
    }

    #[test]
    fn leaves_what_others_wrote() {
        let folder = site();
        fs::create_dir_all(folder.path().join("content")).expect("a folder");
        fs::write(folder.path().join("content/mine.md"), "mine").expect("a file");
        let error = ingest(
            folder.path(),
            &[("content/mine.md", "theirs"), ("content/new.md", "new")],
        )
        .expect_err("in the way");
        assert!(
            error
                .to_string()
                .contains("content/mine.md was not written by the generator"),
            "{error}"
        );
        assert!(
            !folder.path().join("content/new.md").exists(),
            "nothing is written then"
        );

        ingest(folder.path(), &[("content/page.md", "1")]).expect("a page");
        fs::write(folder.path().join("content/page.md"), "edited").expect("an edit");
        let error = ingest(folder.path(), &[("content/page.md", "2")]).expect_err("edited");
        assert!(
            error.to_string().contains("content/page.md was edited"),
            "{error}"
        );
        let error = ingest(folder.path(), &[]).expect_err("edited");
        assert!(
            error
                .to_string()
                .contains("content/page.md is no longer generated"),
            "{error}"
        );
    }

    #[test]
    fn follows_no_links() {
        let folder = site();
        let outside = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(outside.path(), folder.path().join("content")).expect("a link");
        let error = ingest(folder.path(), &[("content/a.md", "1")]).expect_err("a link");
        assert!(error.to_string().contains("symbolic link"), "{error}");
        assert_eq!(fs::read_dir(outside.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_second_writer_waits_outside() {
        let folder = site();
        let _first = Site::open(folder.path()).expect("the first");
        assert_eq!(
            Site::open(folder.path())
                .expect_err("the second")
                .exit_code(),
            4
        );
    }

    #[test]
    fn an_interrupted_run_is_taken_up() {
        let folder = site();
        ingest(
            folder.path(),
            &[("content/a.md", "1"), ("content/b.md", "1")],
        )
        .expect("first");
        // As if killed after the first rename of a second run: a is new, b is old, and the
        // list has both digests of each.
        let list: String = ["1", "2"]
            .iter()
            .flat_map(|v| {
                ["a", "b"].map(|f| format!("{}  content/{f}.md\n", hex_digest(v.as_bytes())))
            })
            .collect();
        fs::write(folder.path().join(list::NAME), list).expect("a list");
        fs::write(folder.path().join("content/a.md"), "2").expect("a file");
        ingest(
            folder.path(),
            &[("content/a.md", "3"), ("content/b.md", "3")],
        )
        .expect("taken up");
        assert_eq!(
            fs::read_to_string(folder.path().join("content/b.md")).expect("b"),
            "3"
        );
    }
}
