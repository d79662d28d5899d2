//! Counts TLS records by their headers.

/// Bytes of a record's header: type, version, length.
const HEADER: usize = 5;

/// A counter of records in a stream of bytes, which may be split anywhere.
#[derive(Default)]
pub(crate) struct Records {
    pub(crate) count: u64,
    header: Vec<u8>,
    /// Bytes of the current record's body not seen yet.
    left: usize,
}

impl Records {
    pub(crate) fn pass(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let skipped = self.left.min(bytes.len());
            self.left -= skipped;
            bytes = &bytes[skipped..];
            let (header, rest) = bytes.split_at(bytes.len().min(HEADER - self.header.len()));
            self.header.extend(header);
            bytes = rest;
            if let [_, _, _, high, low] = self.header[..] {
                self.count += 1;
                self.left = u16::from_be_bytes([high, low]).into();
                self.header.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_counted_wherever_they_are_split() {
        let bytes = [
            &[22, 3, 3, 0, 2, 7, 7][..],
            &[20, 3, 3, 0, 0],
            &[23, 3, 3, 1, 0],
            &[9; 256],
        ];
        let bytes = bytes.concat();
        for size in [1, 3, 6, 7, 100, 1000] {
            let mut records = Records::default();
            bytes.chunks(size).for_each(|piece| records.pass(piece));
            assert_eq!((records.count, records.left), (3, 0), "in pieces of {size}");
        }
    }
}
