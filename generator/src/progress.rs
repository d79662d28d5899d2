//! A progress bar for work that takes over a second: on a terminal only, on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shorter work needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar over bytes read, from any number of threads.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: AtomicBool,
}

impl Progress {
    /// A bar for `bytes` in all; never shown if `quiet`, or where no one looks.
    pub fn new(bytes: u64, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(
            "reading {wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self {
            bar,
            start: Instant::now(),
            shown: AtomicBool::new(quiet),
        }
    }

    /// So many bytes more are done.
    pub fn add(&self, bytes: u64) {
        self.bar.inc(bytes);
        if self.start.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            // indicatif itself keeps quiet where standard error is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// A reader that adds what it reads.
    pub fn watch<R: Read>(&self, reader: R) -> Watched<'_, R> {
        Watched {
            reader,
            progress: self,
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// See [`Progress::watch`].
#[derive(Debug)]
pub struct Watched<'a, R> {
    reader: R,
    progress: &'a Progress,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.progress.add(n as u64);
        Ok(n)
    }
}
