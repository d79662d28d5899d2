//! Writing into a Zola site: all or nothing, and only files that are ours.
//!
//! `.generated.sha256` at the root of the site lists every file that we wrote with its digest,
//! in the format of `sha256sum`. A file that is not in the list, or that was changed since, is
//! never replaced or removed. While files are being renamed into place the list holds the old
//! and the new digest of each, so that a run that is killed in the middle leaves only files
//! that the next run knows as its own.

use super::hex_digest;
use crate::failure::{self, Failure};
use anyhow::{Context, Result, anyhow};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Component, Path, PathBuf};

const LIST: &str = ".generated.sha256";
const STAGING: &str = ".generator-staging";
/// The digest of what the last run read; not to be committed.
const CACHE: &str = ".generator-cache";

/// A Zola site, locked against other generators while this value lives.
#[derive(Debug)]
pub struct Site {
    root: PathBuf,
    _lock: File,
    /// Digests by path; more than one while a run was interrupted.
    written: BTreeMap<String, BTreeSet<String>>,
}

/// What writing would do.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to write, by path relative to the site.
    pub changed: BTreeMap<String, Vec<u8>>,
    /// Files of ours that are no longer wanted.
    pub removed: Vec<String>,
    /// The new list.
    digests: BTreeMap<String, String>,
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
        let configured = ["config.toml", "zola.toml"]
            .iter()
            .any(|c| root.join(c).is_file());
        if !configured {
            return Err(Failure::Usage(format!(
                "{} is no Zola site: it has no config.toml; name the site with --site, or make one with `zola init`",
                root.display()
            )));
        }
        let lock = File::open(root).with_context(|| format!("cannot open {}", root.display()))?;
        rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive).map_err(
            |_| {
                anyhow!(
                    "another generator is writing to {}; wait for it to end",
                    root.display()
                )
            },
        )?;
        let written = read_list(root)?;
        Ok(Self {
            root: root.to_owned(),
            _lock: lock,
            written,
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

    /// Compares `wanted` with what is there; `kept` are files of ours that stay as they are.
    ///
    /// # Errors
    /// Files in the way that are not ours or were edited, all of them by name.
    pub fn plan(
        &self,
        wanted: BTreeMap<String, Vec<u8>>,
        kept: &BTreeSet<String>,
    ) -> failure::Result<Plan> {
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
            match state {
                State::Foreign => in_the_way.push(format!("{path} was not written by the generator, so it is left alone: move it away")),
                State::Edited => in_the_way.push(format!("{path} was edited since the generator wrote it: keep your change elsewhere and delete the file")),
                State::Same => {}
                State::Ours => {
                    plan.changed.insert(path.clone(), bytes);
                }
            }
            plan.digests.insert(path, digest);
        }
        for (path, digests) in &self.written {
            if kept.contains(path) {
                let digest = digests.iter().next_back().cloned().unwrap_or_default();
                plan.digests.insert(path.clone(), digest);
            } else if !plan.digests.contains_key(path) {
                match self.state(path, "")? {
                    State::Edited => in_the_way.push(format!("{path} is no longer generated, but was edited since: delete it, or move it away")),
                    _ if self.root.join(path).exists() => plan.removed.push(path.clone()),
                    _ => {}
                }
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
        let recorded = fs::read_to_string(self.root.join(CACHE)).is_ok_and(|text| text == inputs);
        recorded
            && !self.root.join(STAGING).exists()
            && !self.written.is_empty()
            && self.written.par_iter().all(|(path, digests)| {
                let there = fs::read(self.root.join(path)).map(|bytes| hex_digest(&bytes));
                digests.len() == 1 && there.is_ok_and(|digest| digests.contains(&digest))
            })
    }

    /// Records what a complete run has read.
    ///
    /// # Errors
    /// The system's.
    pub fn remember(&self, inputs: &str) -> Result<()> {
        let staging = self.root.join(STAGING);
        create_dir(&staging)?;
        // Renamed into place like all else: a link there is replaced and not followed.
        write_file(&staging.join("cache"), inputs.as_bytes())?;
        rename(&staging.join("cache"), &self.root.join(CACHE))?;
        remove_tree(&staging)
    }

    fn state(&self, path: &str, wanted: &str) -> Result<State> {
        let full = self.root.join(path);
        refuse_links(&self.root, Path::new(path))?;
        let there = match fs::read(&full) {
            Ok(bytes) => hex_digest(&bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(State::Ours),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", full.display()));
            }
        };
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
        remove_tree(&staging)?;
        let in_list = plan
            .digests
            .iter()
            .map(|(p, d)| (p.clone(), BTreeSet::from([d.clone()])))
            .collect();
        if plan.is_empty() && self.written == in_list {
            return Ok(());
        }
        create_dir(&staging)?;
        let changed: Vec<(usize, &String, &Vec<u8>)> = plan
            .changed
            .iter()
            .enumerate()
            .map(|(i, (p, b))| (i, p, b))
            .collect();
        // One after another: threads that make files in one folder only wait for each other.
        for (index, _, bytes) in &changed {
            write_file(&staging.join(index.to_string()), bytes)?;
        }
        // One flush for all files instead of one each; only then may old ones go.
        rustix::fs::syncfs(File::open(&staging)?).context("cannot flush the staged files")?;
        let mut both: BTreeMap<String, BTreeSet<String>> = in_list;
        for (path, digests) in &self.written {
            both.entry(path.clone())
                .or_default()
                .extend(digests.iter().cloned());
        }
        self.put_list(&staging, &both)?;
        for (index, path, _) in &changed {
            let target = self.root.join(path);
            create_dir(target.parent().unwrap_or(&self.root))?;
            rename(&staging.join(index.to_string()), &target)?;
        }
        for path in &plan.removed {
            remove_file(&self.root, path)?;
        }
        self.written = plan
            .digests
            .into_iter()
            .map(|(p, d)| (p, BTreeSet::from([d])))
            .collect();
        self.put_list(&staging, &self.written)?;
        remove_tree(&staging)
    }

    fn put_list(&self, staging: &Path, list: &BTreeMap<String, BTreeSet<String>>) -> Result<()> {
        let lines = list
            .iter()
            .flat_map(|(path, digests)| digests.iter().map(move |d| format!("{d}  {path}\n")));
        let temporary = staging.join("list");
        write_file(&temporary, lines.collect::<String>().as_bytes())?;
        File::open(&temporary)?
            .sync_all()
            .context("cannot flush the list of generated files")?;
        rename(&temporary, &self.root.join(LIST))
    }
}

/// Makes a folder that must not be there yet, with one file in it.
///
/// # Errors
/// The folder is there, or cannot be made.
pub fn create_in_new_folder(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf> {
    if let Some(parent) = folder.parent().filter(|p| !p.as_os_str().is_empty()) {
        create_dir(parent)?;
    }
    fs::create_dir(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let file = folder.join(name);
    write_file(&file, bytes)?;
    Ok(file)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// As wanted already.
    Same,
    /// Ours to replace, or not there.
    Ours,
    /// Ours once, changed by somebody since.
    Edited,
    /// Never ours.
    Foreign,
}

fn read_list(root: &Path) -> failure::Result<BTreeMap<String, BTreeSet<String>>> {
    let path = root.join(LIST);
    let Some(bytes) = super::read_optional(&path)? else {
        return Ok(BTreeMap::new());
    };
    let mut list: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let text = String::from_utf8(bytes).map_err(|_| Failure::bad_file(&path, "not UTF-8"))?;
    for (index, line) in text.lines().enumerate() {
        let entry = line.split_once("  ").filter(|(digest, path)| {
            digest.len() == 64
                && digest.bytes().all(|b| b.is_ascii_hexdigit())
                && is_inside(Path::new(path))
        });
        let Some((digest, file)) = entry else {
            let line_number = index as u32 + 1;
            let message = format!(
                "expected a SHA-256 and a path inside the site, got `{line}`; delete this file to start anew"
            );
            return Err(Failure::BadInput(vec![failure::Diagnostic {
                path,
                line: line_number,
                message,
            }]));
        };
        list.entry(file.to_owned())
            .or_default()
            .insert(digest.to_owned());
    }
    Ok(list)
}

fn is_inside(path: &Path) -> bool {
    path.components().all(|c| matches!(c, Component::Normal(_)))
}

/// A link below the site could lead our writes anywhere.
pub(super) fn refuse_links(root: &Path, path: &Path) -> Result<()> {
    let mut at = root.to_owned();
    for part in path.components() {
        at.push(part);
        if fs::symlink_metadata(&at).is_ok_and(|m| m.file_type().is_symlink()) {
            return Err(anyhow!(
                "{} is a symbolic link: the generator writes through none; replace it by a folder or file",
                at.display()
            ));
        }
    }
    Ok(())
}

pub(super) fn create_dir(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).with_context(|| format!("cannot put {} into place", to.display()))
}

fn remove_tree(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Removes a file, and the folders that it leaves empty.
fn remove_file(root: &Path, path: &str) -> Result<()> {
    let full = root.join(path);
    fs::remove_file(&full).with_context(|| format!("cannot remove {}", full.display()))?;
    let mut folder = full.parent();
    while let Some(at) = folder.filter(|f| *f != root) {
        if fs::remove_dir(at).is_err() {
            break;
        }
        folder = at.parent();
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
        let plan = site.plan(wanted(files), &BTreeSet::new())?;
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
        fs::write(folder.path().join(LIST), list).expect("a list");
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
