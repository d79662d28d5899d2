//! Ctrl-C and SIGTERM: recorded when they arrive, and acted on where nothing is half done.

use crate::failure::{Failure, Result};
use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The signal that came last, 0 before; signals are the process's, and so is this.
fn last() -> &'static Arc<AtomicUsize> {
    static LAST: OnceLock<Arc<AtomicUsize>> = OnceLock::new();
    LAST.get_or_init(Arc::default)
}

/// From now on these signals are recorded and end nothing by themselves. SIGHUP is left alone, for
/// the sake of `nohup`.
pub(crate) fn watch() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_usize(signal, last().clone(), signal as usize)
            .context("cannot watch for signals")?;
    }
    Ok(())
}

/// Fails if a signal came.
pub(crate) fn check() -> Result<()> {
    match last().load(Ordering::Relaxed) {
        0 => Ok(()),
        signal => Err(Failure::Interrupted {
            signal: signal as u8,
            message: "interrupted".to_owned(),
        }),
    }
}
