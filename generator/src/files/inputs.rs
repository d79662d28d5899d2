//! The inputs of a report's page: the digests of its files, and an archive of all of them, from
//! which anybody can regenerate the page.

use crate::files::{self, compressed, digest_of_file, file_name};
use anyhow::{Context, Result, bail};
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
    /// Lists the inputs of a report, which is a folder or a single file, and packs them: without owners and
    /// times, so that archives are reproducible. `packed` is the archive that the site has.
    ///
    /// # Errors
    /// The system's, or that a file is not the one that the page was made from.
    pub(crate) fn read(report: &Path, sources: &[Source], packed: Option<Vec<u8>>) -> Result<Self> {
        // The archive keeps the name of the folder, which may give the report its date, or the path
        // of a single file, which names its implementation.
        let root = match files::is_folder(report)? {
            false if files::stays_below(report) => report.to_owned(),
            false => file_name(report).into(),
            true => PathBuf::from(files::folder_name(report)),
        };
        let (mut files, mut places) = (Vec::new(), Vec::new());
        for Source { path, digest } in sources {
            let below = path.strip_prefix(report).map_or(&**path, |below| below);
            let (name, place) = match below.as_os_str().is_empty() {
                true => (file_name(path), root.clone()),
                false => (below.to_string_lossy().into_owned(), root.join(below)),
            };
            let size = files::size(path)?;
            let digest = match digest {
                Some(known) => known.clone(),
                None => digest_of_file(path)?,
            };
            files.push(Input { name, size, digest });
            places.push((path, place));
        }
        if files.iter().map(|file| file.size).sum::<u64>() > MAX_OFFERED {
            let archive = None;
            return Ok(Self { files, archive });
        }
        let mut tar = tar::Builder::new(Vec::new());
        for ((path, place), file) in places.iter().zip(&files) {
            let bytes = files::read_whole(path)?;
            if files::hex_digest(&bytes) != file.digest {
                let path = path.display();
                bail!("{path} changed while its report was read: run again");
            }
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            let added = tar.append_data(&mut header, place, &*bytes);
            added.context("cannot pack inputs")?;
        }
        let archive = Some(compressed(&tar.into_inner()?, packed)?);
        Ok(Self { files, archive })
    }
}
