//! Bytes in transit from one end to the other, and the plaintext that comes out of them.

use std::hint::black_box;
use std::io::{self, IoSlice};
use std::mem;

/// Bytes that one end has sent and the other has not read yet. It keeps its capacity when it is
/// empty, so that a loop over one wire allocates once.
#[derive(Debug, Default)]
pub struct Wire {
    bytes: Vec<u8>,
    read: usize,
}

impl Wire {
    /// Whether nothing is left to read.
    pub fn is_empty(&self) -> bool {
        self.read == self.bytes.len()
    }

    /// The unread bytes.
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.read..]
    }

    /// Takes note that the first `count` unread bytes were read.
    pub fn consume(&mut self, count: usize) {
        self.read += count;
        if self.is_empty() {
            self.clear();
        }
    }

    /// The buffer to append sent bytes to, after all unread ones.
    pub fn sent(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Releases unused capacity.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// Discards all unread bytes.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.read = 0;
    }
}

impl io::Read for Wire {
    /// Returns `WouldBlock` if there are no bytes, like a nonblocking socket.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let unread = self.unread();
        if unread.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let count = unread.len().min(into.len());
        into[..count].copy_from_slice(&unread[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl io::Write for Wire {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(data);
        Ok(data.len())
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        let size = parts.iter().map(|part| part.len()).sum();
        self.bytes.reserve(size);
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        Ok(size)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts the TLS records of whole flights, by their headers.
pub(crate) fn records(mut bytes: &[u8]) -> u64 {
    let mut count = 0;
    // Type, version, and the length of the body.
    while let [_, _, _, high, low, body @ ..] = bytes {
        let size = usize::from(u16::from_be_bytes([*high, *low]));
        bytes = &body[size.min(body.len())..];
        count += 1;
    }
    count
}

/// Maximum plaintext of a record, in bytes.
const MAX_RECORD: usize = 16 * 1024;

/// Where an end receives plaintext: piece by piece, into the same buffer.
pub struct Plaintext {
    piece: Box<[u8]>,
    bytes: usize,
    pieces: u64,
}

impl Default for Plaintext {
    fn default() -> Self {
        Self {
            piece: vec![0; MAX_RECORD].into(),
            bytes: 0,
            pieces: 0,
        }
    }
}

impl Plaintext {
    /// The buffer for the next piece, as large as a record's plaintext.
    pub fn piece(&mut self) -> &mut [u8] {
        &mut self.piece
    }

    /// Takes note that the buffer's first `count` bytes are a piece.
    pub fn received(&mut self, count: usize) {
        // The data is used, as far as the optimiser knows.
        black_box(&self.piece[..count]);
        self.bytes += count;
        self.pieces += 1;
    }

    /// Fails unless `size` bytes were received since the last call. Returns the number of pieces.
    pub(crate) fn complete(&mut self, size: usize) -> Result<u64, &'static str> {
        let (bytes, pieces) = (mem::take(&mut self.bytes), mem::take(&mut self.pieces));
        match bytes == size {
            true => Ok(pieces),
            false => Err("data was lost in transit"),
        }
    }

    /// Fails unless `data`, which is one piece, was received since the last call.
    pub(crate) fn complete_with(&mut self, data: &[u8]) -> Result<(), &'static str> {
        self.complete(data.len())?;
        match self.piece.starts_with(data) {
            true => Ok(()),
            false => Err("the data received is not the data sent"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_bodies_of_any_size() {
        let flight = [
            &[22, 3, 3, 0, 2, 7, 7, 20, 3, 3, 0, 0, 23, 3, 3, 1, 0][..],
            &[9; 256],
        ];
        assert_eq!(records(&flight.concat()), 3);
    }
}
