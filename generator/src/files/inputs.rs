//! The inputs of a report's page: the digests of its files, and an archive of all of them, from
//! which anybody can regenerate the page.

use crate::files::{self, file_name};
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};
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
    /// hold them all. `packed` is the archive that the site has, which is kept if it is current.
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
        let mut archive = Some(tar::Builder::new(Vec::new()));
        let mut total = 0;
        let mut files = Vec::new();
        for source in sources {
            let path = source.path.as_path();
            let below = path.strip_prefix(report).map_or(path, |below| below);
            let is_whole = below.as_os_str().is_empty();
            let size = files::size(path)?;
            total += size;
            archive = archive.filter(|_| total <= MAX_OFFERED);
            let digest = match (&mut archive, &source.digest) {
                (None, Some(known)) => known.clone(),
                (archive, _) => {
                    let bytes = files::read_whole(path)?;
                    let name = match is_whole {
                        true => root.clone(),
                        false => root.join(below),
                    };
                    if let Some(archive) = archive {
                        add(archive, &name, &bytes)
                            .with_context(|| format!("cannot pack {}", path.display()))?;
                    }
                    files::hex_digest(&bytes)
                }
            };
            source.check(&digest)?;
            let name = match is_whole {
                true => file_name(path),
                false => below.to_string_lossy().into_owned(),
            };
            files.push(Input { name, size, digest });
        }
        let archive = archive.map(|archive| compressed(&archive.into_inner()?, packed));
        let archive = archive.transpose().context("cannot pack inputs")?;
        Ok(Self { files, archive })
    }
}

/// Compresses an archive, unless `packed` unpacks to it, which takes a fifth of the time to see.
fn compressed(archive: &[u8], packed: Option<Vec<u8>>) -> io::Result<Vec<u8>> {
    if let Some(packed) = packed {
        let (mut rest, mut unpacked) = (&packed[..], Vec::new());
        let mut unpacker = GzDecoder::new(&mut rest).take(archive.len() as u64 + 1);
        // What cannot be unpacked is replaced.
        let is_whole = unpacker.read_to_end(&mut unpacked).is_ok() && rest.is_empty();
        if is_whole && unpacked == archive {
            return Ok(packed);
        }
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(archive)?;
    packer.finish()
}

/// Adds a file without owner and time, so that archives are reproducible.
fn add<W: Write>(archive: &mut tar::Builder<W>, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_current_archive_is_kept() {
        let ours = compressed(b"archive", None).expect("in memory");
        let mut best = GzEncoder::new(Vec::new(), Compression::best());
        best.write_all(b"archive").expect("in memory");
        let best = best.finish().expect("in memory");
        let other = compressed(b"archives", None).expect("in memory");
        for (packed, expected) in [
            (best.clone(), &best),
            (other, &ours),
            ([&best[..], b"more"].concat(), &ours),
            (best[..best.len() - 1].to_vec(), &ours),
            (Vec::new(), &ours),
        ] {
            let kept = compressed(b"archive", Some(packed)).expect("in memory");
            assert_eq!(&kept, expected);
        }
    }
}
