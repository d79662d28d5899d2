//! Compresses downloads, unless the site has them: to see that takes a fifth of the time.

use anyhow::Result;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};

/// Compresses bytes; keeps what is `packed` if it unpacks to them.
pub(crate) fn compressed(bytes: &[u8], packed: Option<Vec<u8>>) -> Result<Vec<u8>> {
    if let Some(packed) = packed
        && unpacks_to(&packed, bytes)
    {
        return Ok(packed);
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes)?;
    Ok(packer.finish()?)
}

/// Whether `packed` can be unpacked to these bytes, and holds nothing else.
fn unpacks_to(mut packed: &[u8], expected: &[u8]) -> bool {
    let most = expected.len() as u64 + 1;
    let mut unpacked = Vec::with_capacity(expected.len() + 1);
    let read = GzDecoder::new(&mut packed)
        .take(most)
        .read_to_end(&mut unpacked);
    read.is_ok() && unpacked == expected && packed.is_empty()
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
