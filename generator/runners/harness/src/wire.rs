//! Bytes in transit from one end to the other.

use std::io::{self, IoSlice};

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

    /// The unread bytes. Mutable, because some libraries decrypt in place.
    pub fn unread(&mut self) -> &mut [u8] {
        &mut self.bytes[self.read..]
    }

    /// Marks `count` bytes as read.
    ///
    /// # Panics
    /// If fewer are unread.
    pub fn consume(&mut self, count: usize) {
        self.read += count;
        assert!(self.read <= self.bytes.len(), "read past the end");
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

#[cfg(test)]
mod tests {
    use super::*;
    use io::{Read, Write};

    #[test]
    fn bytes_come_out_in_order() {
        let mut wire = Wire::default();
        let parts = [IoSlice::new(b"a"), IoSlice::new(b"bc")];
        assert_eq!(wire.write_vectored(&parts).expect("memory"), 3);
        let mut two = [0; 2];
        assert_eq!(wire.read(&mut two).expect("two bytes"), 2);
        wire.sent().extend_from_slice(b"de");
        assert_eq!((&two, &*wire.unread()), (b"ab", &b"cde"[..]));
        wire.consume(3);
        assert!(wire.is_empty());
        let blocked = wire.read(&mut two).expect_err("nothing is there");
        assert_eq!(blocked.kind(), io::ErrorKind::WouldBlock);
    }
}
