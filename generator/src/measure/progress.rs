//! Progress of a measurement on standard error: a bar on a terminal, else one line per minute.

use crate::base::console::progress_bar;
use indicatif::ProgressBar;
use std::time::{Duration, Instant};

/// Time between two lines where standard error is not a terminal.
const PAUSE: Duration = Duration::from_secs(60);

/// Shows the number of finished steps, and the current one.
#[derive(Debug)]
pub(crate) struct StepProgress {
    bar: ProgressBar,
    last: Instant,
}

impl StepProgress {
    /// Starts the display for this number of steps.
    pub(crate) fn new(steps: usize) -> Self {
        let bar = progress_bar(steps as u64, "{bar:24} {pos}/{len}, {eta} left: {msg}");
        let last = Instant::now();
        Self { bar, last }
    }

    /// Shows what is measured after `done` steps.
    pub(crate) fn show(&mut self, done: usize, what: &str) {
        self.bar.set_position(done as u64);
        self.bar.set_message(what.to_owned());
        if self.bar.is_hidden() && self.last.elapsed() > PAUSE {
            self.last = Instant::now();
            let all = self.bar.length().unwrap_or(0);
            crate::inform!("{done} of {all} done; {what}");
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| crate::say!("{line}"));
    }
}
