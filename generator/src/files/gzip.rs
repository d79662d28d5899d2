//! Compresses downloads, unless the site has them: to see that takes a fifth of the time.

use anyhow::Result;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};

/// Compresses bytes; keeps what is `packed` if it unpacks to them.
pub(crate) fn compressed(bytes: &[u8], packed: Option<Vec<u8>>) -> Result<Vec<u8>> {
    match packed {
        Some(packed) if unpacks_to(&packed, |unpacked| holds(unpacked, bytes)) => Ok(packed),
        _ => compress(bytes),
    }
}

pub(super) fn compress(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes)?;
    Ok(packer.finish()?)
}

/// Whether `packed` can be unpacked to what `is_expected` reads, and to nothing more.
pub(super) fn unpacks_to(
    mut packed: &[u8],
    is_expected: impl FnOnce(&mut GzDecoder<&mut &[u8]>) -> io::Result<bool>,
) -> bool {
    let mut unpacked = GzDecoder::new(&mut packed);
    // What cannot be unpacked is replaced.
    let is_it =
        matches!(is_expected(&mut unpacked), Ok(true)) && matches!(unpacked.read(&mut [0]), Ok(0));
    is_it && packed.is_empty()
}

/// Whether the next bytes are these.
pub(super) fn holds(unpacked: &mut impl Read, expected: &[u8]) -> io::Result<bool> {
    let mut bytes = Vec::with_capacity(expected.len());
    unpacked
        .take(expected.len() as u64)
        .read_to_end(&mut bytes)?;
    Ok(bytes == expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_current_is_kept() {
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
