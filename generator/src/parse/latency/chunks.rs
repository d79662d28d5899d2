//! A reader, cut into chunks of whole lines.

use crate::limits::LINE;
use std::io::{self, Read};

/// Hands out a reader's bytes in order; never holds more than a chunk and a line.
pub(super) struct Chunks<R> {
    reader: R,
    size: usize,
    /// The begun line at the end of the last chunk.
    begun: Vec<u8>,
    next: u32,
    ended: bool,
}

/// Where a chunk stands in the reader and in the buffer.
pub(super) struct Chunk {
    /// From 0, in the order of the file.
    pub(super) index: u32,
    /// Up to here there are whole lines, with their ends.
    pub(super) lines: usize,
    /// Up to here there is a line without an end: the file's last one, or one that is too long,
    /// after which nothing is read.
    pub(super) filled: usize,
}

impl<R: Read> Chunks<R> {
    /// Chunks of about `size` bytes, more where a line is longer.
    pub(super) fn new(reader: R, size: usize) -> Self {
        Self {
            reader,
            size,
            begun: Vec::new(),
            next: 0,
            ended: false,
        }
    }

    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Fills a buffer, whose length only ever grows so that it is zeroed once.
    pub(super) fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<Chunk>> {
        if self.ended {
            return Ok(None);
        }
        if buffer.is_empty() {
            // Which the system gives zeroed.
            *buffer = vec![0; self.size];
        }
        let mut filled = self.begun.len();
        if buffer.len() < filled {
            buffer.resize(filled, 0);
        }
        buffer[..filled].copy_from_slice(&self.begun);
        self.begun.clear();
        loop {
            let from = filled;
            buffer.resize(buffer.len().max(from + self.size), 0);
            filled += self.fill(&mut buffer[from..from + self.size])?;
            let lines = memchr::memrchr(b'\n', &buffer[from..filled]).map_or(0, |at| from + at + 1);
            self.ended |= filled - lines > LINE.get();
            if self.ended {
                return Ok((filled > 0).then_some(self.chunk(lines, filled)));
            }
            if lines > 0 {
                self.begun.extend_from_slice(&buffer[lines..filled]);
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

    /// Like `read_exact`, but the reader may end.
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
