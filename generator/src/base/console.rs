//! Standard output and standard error. Errors are returned, since `print!` and `eprint!` panic, for
//! example if the disk is full.

use crate::base::escape::is_bidi_control;
use crate::base::failure::Result;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The first error of writing to standard error, which cannot be reported there.
static LOST: Mutex<Option<io::Error>> = Mutex::new(None);

/// Whether to print only results and errors.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Sets whether to print only results and errors, as `--quiet` asks.
pub(crate) fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Returns a progress bar on standard error, shown only on a terminal and until it is dropped.
pub(crate) fn progress_bar(length: u64, style: &str) -> ProgressBar {
    let bar = match is_quiet() {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(length),
    };
    let style = ProgressStyle::with_template(style);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_finish(ProgressFinish::AndClear)
}

/// Says what is done if it takes longer than `patience`.
pub(crate) fn working<T>(what: &str, patience: Duration, work: impl FnOnce() -> T) -> T {
    let (done, waits) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if waits.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                crate::inform!("{what} …");
            }
        });
        let result = work();
        // The thread ends with the sender.
        drop(done);
        result
    })
}

/// Runs part of a command without messages.
pub(crate) fn quietly<T>(part: impl FnOnce() -> T) -> T {
    let before = QUIET.swap(true, Ordering::Relaxed);
    let done = part();
    set_quiet(before);
    done
}

/// Writes results to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let written = write(&mut anstream::stdout().lock(), text);
    Ok(written.context("cannot write to standard output")?)
}

/// Writes a line to standard error, as [`crate::say!`] does.
pub(crate) fn say(message: fmt::Arguments<'_>) {
    // Paths and messages of other programs may not have been checked elsewhere.
    let message = format!("{message}\n").replace(is_bidi_control, "\u{fffd}");
    let mut text = String::new();
    // Nor must a name become a command to a runner of GitHub Actions.
    for line in message.replace("##[", "##\\[").split_inclusive('\n') {
        let is_command = line.trim_start().starts_with("::");
        text += if is_command { "\\" } else { "" };
        text += line;
    }
    if let Err(error) = write(&mut anstream::stderr().lock(), &text) {
        let mut lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get_or_insert(error);
    }
}

/// Fails if standard error could not be written since the last call.
pub(crate) fn check_messages() -> Result<()> {
    let mut lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
    let written = lost.take().map_or(Ok(()), Err);
    Ok(written.context("cannot write to standard error")?)
}

/// Writes and flushes text. A closed pipe is not an error.
fn write(stream: &mut impl Write, text: &str) -> io::Result<()> {
    let written = stream.write_all(text.as_bytes());
    match written.and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes a line to standard error, with the arguments of `format!`.
#[macro_export]
macro_rules! say {
    ($($argument:tt)*) => { $crate::base::console::say(format_args!($($argument)*)) };
}

/// Like [`crate::say!`], unless `--quiet` is given.
#[macro_export]
macro_rules! inform {
    ($($argument:tt)*) => {
        if !$crate::base::console::is_quiet() {
            $crate::say!($($argument)*);
        }
    };
}
