//! Compresses downloads, unless the site has them: to see that takes a fifth of the time.

use anyhow::Result;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};

/// What the site has of a download, and what that unpacks to.
pub(super) type Packed = (Vec<u8>, Vec<u8>);

/// Compresses bytes; keeps what is `packed` if it unpacks to them.
pub(crate) fn compressed(bytes: &[u8], packed: Option<Vec<u8>>) -> Result<Vec<u8>> {
    compress(
        bytes,
        packed.and_then(|packed| unpacked(packed, bytes.len())),
    )
}

/// Compresses bytes; keeps what is current.
pub(super) fn compress(bytes: &[u8], site: Option<Packed>) -> Result<Vec<u8>> {
    if let Some((packed, known)) = site
        && known == bytes
    {
        return Ok(packed);
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes)?;
    Ok(packer.finish()?)
}

/// Unpacks what the site has; `None` if that is damaged, or if it has more than `most` bytes.
pub(super) fn unpacked(packed: Vec<u8>, most: usize) -> Option<Packed> {
    let (mut rest, mut bytes) = (&packed[..], Vec::with_capacity(most + 1));
    let mut read = GzDecoder::new(&mut rest).take(most as u64 + 1);
    let is_whole = read.read_to_end(&mut bytes).is_ok() && rest.is_empty();
    (is_whole && bytes.len() <= most).then_some((packed, bytes))
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
