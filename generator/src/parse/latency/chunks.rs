//! Splits a reader into chunks of whole lines.

use crate::base::limits::LINE;
use std::io::{self, Read};

/// The chunks of a reader, in order. Holds at most a partial line.
pub(super) struct Chunks<R> {
    reader: R,
    size: usize,
    /// The partial line after the last chunk.
    partial: Vec<u8>,
    next: u32,
    ended: bool,
}

/// The position of a chunk in the file, and its parts in the buffer.
pub(super) struct Chunk {
    /// From 0, in the order of the file.
    pub(super) index: u32,
    /// End of the complete lines.
    pub(super) lines: usize,
    /// End of a line without a line end: the last of the file, or one that is too long, after which
    /// reading stops.
    pub(super) filled: usize,
}

impl<R: Read> Chunks<R> {
    /// Chunks of about `size` bytes, more where a line is longer.
    pub(super) fn new(reader: R, size: usize) -> Self {
        Self {
            reader,
            size,
            partial: Vec::new(),
            next: 0,
            ended: false,
        }
    }

    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Reads the next chunk into a buffer, which is never shortened, to avoid zeroing it again.
    pub(super) fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<Chunk>> {
        if self.ended {
            return Ok(None);
        }
        if buffer.is_empty() {
            // Memory from the system is already zeroed.
            *buffer = vec![0; self.size];
        }
        let mut filled = self.partial.len();
        if buffer.len() < filled {
            buffer.resize(filled, 0);
        }
        buffer[..filled].copy_from_slice(&self.partial);
        self.partial.clear();
        loop {
            let from = filled;
            buffer.resize(buffer.len().max(from + self.size), 0);
            filled += self.fill(&mut buffer[from..from + self.size])?;
            let lines = memchr::memrchr(b'\n', &buffer[from..filled]).map_or(0, |at| from + at + 1);
            self.ended |= filled - lines > LINE;
            if self.ended {
                return Ok((filled > 0).then_some(self.chunk(lines, filled)));
            }
            if lines > 0 {
                self.partial.extend_from_slice(&buffer[lines..filled]);
                return Ok(Some(self.chunk(lines, lines)));
            }
        }
    }

    fn chunk(&mut self, lines: usize, filled: usize) -> Chunk {
        self.next += 1;
        Chunk {
            index: self.next - 1,
            lines,
            filled,
        }
    }

    /// Like `read_exact`, but stops at the end of the reader.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    return Err(error);
                }
            }
        }
        Ok(filled)
    }
}
