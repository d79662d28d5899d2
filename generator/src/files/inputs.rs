//! The inputs of a report's page: the digests of its files, and an archive of all of them, from
//! which anybody can regenerate the page.

use super::gzip::{compress, unpacked};
use crate::files::{self, digest_of_file, file_name, hex_digest};
use anyhow::{Context, Result, bail};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

/// The download's name beside the page.
pub(crate) const ARCHIVE: &str = "inputs.tar.gz";

/// Maximum total size of a report's files for an archive, in bytes: repositories and hosts of pages
/// do not accept captures of many GiB.
const MAX_OFFERED: u64 = 32 * 1024 * 1024;

/// More bytes than an archive has for a file beside its contents, unless its name is very long.
const HEADERS: usize = 4096;

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
        let bytes: u64 = files.iter().map(|file| file.size).sum();
        if bytes > MAX_OFFERED {
            let archive = None;
            return Ok(Self { files, archive });
        }
        let room = bytes as usize + HEADERS * (files.len() + 1);
        // What the site's archive has need not be read again; a damaged one is packed anew.
        let site = packed.and_then(|packed| unpacked(packed, room));
        let known = match site.as_ref().map(|(_, tar)| entries(tar)) {
            Some(Ok(known)) => known,
            Some(Err(_)) | None => HashMap::new(),
        };
        let mut tar = tar::Builder::new(Vec::with_capacity(room));
        for ((path, place), file) in places.iter().zip(&files) {
            let bytes = match known.get(&file.digest) {
                Some(bytes) => Cow::Borrowed(*bytes),
                None => Cow::Owned(read_again(path, &file.digest)?),
            };
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            let added = tar.append_data(&mut header, place, &*bytes);
            added.context("cannot pack inputs")?;
        }
        let archive = Some(compress(&tar.into_inner()?, site)?);
        Ok(Self { files, archive })
    }
}

fn read_again(path: &Path, digest: &str) -> Result<Vec<u8>> {
    let bytes = files::read_whole(path)?;
    if hex_digest(&bytes) != digest {
        let path = path.display();
        bail!("{path} changed while its report was read: run again");
    }
    Ok(bytes)
}

/// Returns the files of an archive by their SHA-256.
fn entries(tar: &[u8]) -> io::Result<HashMap<String, &[u8]>> {
    let mut known = HashMap::new();
    for entry in tar::Archive::new(Cursor::new(tar)).entries_with_seek()? {
        let entry = entry?;
        // An archive may say what it likes of sizes.
        let rest = tar.get(entry.raw_file_position() as usize..);
        let bytes = rest.and_then(|rest| rest.get(..entry.size() as usize));
        known.extend(bytes.map(|bytes| (hex_digest(bytes), bytes)));
    }
    Ok(known)
}
