//! The inputs of a report's page: the digests of its files, and an archive of all of them, from
//! which anybody can regenerate the page.

use crate::files::{self, file_name};
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The download's name beside the page.
pub(crate) const ARCHIVE: &str = "inputs.tar.gz";

/// Maximum total size of a report's files for an archive, in bytes: repositories and hosts of pages
/// do not accept captures of many GiB.
const MAX_OFFERED: u64 = 32 * 1024 * 1024;

/// All files below a report's folder.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) files: Vec<Input>,
    /// The archive of all files; `None` if they are too large.
    pub(crate) archive: Option<Vec<u8>>,
}

/// A file that was found in a report's folder.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// SHA-256 of what was read for the page, in hexadecimal; `None` if nothing of it was.
    pub(crate) digest: Option<String>,
}

impl Source {
    /// Fails if what was read now is not what was read for the page.
    pub(crate) fn check(&self, digest: &str) -> Result<()> {
        match &self.digest {
            Some(before) if before != digest => bail!(
                "{} changed while its report was read: run again",
                self.path.display()
            ),
            _ => Ok(()),
        }
    }
}

/// One file.
#[derive(Debug)]
pub(crate) struct Input {
    /// Path below the report's folder.
    pub(crate) name: String,
    /// Size in bytes.
    pub(crate) size: u64,
    /// SHA-256 in hexadecimal.
    pub(crate) digest: String,
}

impl Inputs {
    /// Reads the inputs of a report, which is a folder or a single file, again: memory does not
    /// hold them all.
    ///
    /// # Errors
    /// The system's, or that a file is not the one that the page was made from.
    pub(crate) fn read(report: &Path, sources: &[Source]) -> Result<Self> {
        let sizes = sources.iter().map(|source| files::size(&source.path));
        let sizes: Vec<u64> = sizes.collect::<Result<_>>()?;
        let is_offered = sizes.iter().sum::<u64>() <= MAX_OFFERED;
        let gzip = || GzEncoder::new(Vec::new(), Compression::default());
        let mut archive = is_offered.then(|| tar::Builder::new(gzip()));
        let mut files = Vec::new();
        for (source, size) in sources.iter().zip(sizes) {
            let path = source.path.as_path();
            let below = path.strip_prefix(report).map_or(path, |below| below);
            let digest = match (&mut archive, &source.digest) {
                (None, Some(known)) => known.clone(),
                (archive, _) => {
                    let bytes = files::read_whole(path)?;
                    if let Some(archive) = archive {
                        add(archive, &archive_path(report, below), &bytes)
                            .with_context(|| format!("cannot pack {}", path.display()))?;
                    }
                    files::hex_digest(&bytes)
                }
            };
            source.check(&digest)?;
            let name = match below.as_os_str().is_empty() {
                true => file_name(path),
                false => below.to_string_lossy().into_owned(),
            };
            files.push(Input { name, size, digest });
        }
        let packed = archive.map(|archive| archive.into_inner()?.finish());
        let archive = packed.transpose().context("cannot pack inputs")?;
        Ok(Self { files, archive })
    }
}

/// Returns the path of a file in the archive. It keeps the name of the folder, which may give the
/// report its date, or the path of a single file, which names its implementation.
fn archive_path(report: &Path, below: &Path) -> PathBuf {
    if !below.as_os_str().is_empty() {
        Path::new(&files::folder_name(report)).join(below)
    } else if files::stays_below(report) {
        report.to_owned()
    } else {
        file_name(report).into()
    }
}

/// Adds a file without owner and time, so that archives are reproducible.
fn add<W: Write>(archive: &mut tar::Builder<W>, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, path, bytes)
}
