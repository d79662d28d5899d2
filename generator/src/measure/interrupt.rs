//! Ctrl-C and SIGTERM: recorded on arrival, and handled only where no work is half done.

use crate::base::failure::{Failure, Result};
use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The last signal received, or 0. Global, because signals are per process.
fn last() -> &'static Arc<AtomicUsize> {
    static LAST: OnceLock<Arc<AtomicUsize>> = OnceLock::new();
    LAST.get_or_init(Arc::default)
}

/// Installs handlers that record SIGINT and SIGTERM, which then no longer end the process. SIGHUP
/// keeps its disposition, so that `nohup` works.
pub(crate) fn watch() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_usize(signal, last().clone(), signal as usize)
            .context("cannot install signal handlers")?;
    }
    Ok(())
}

/// Fails if a signal was received.
pub(crate) fn check() -> Result<()> {
    match last().load(Ordering::Relaxed) {
        0 => Ok(()),
        signal => Err(Failure::Interrupted {
            signal: signal as u8,
            message: "interrupted".to_owned(),
        }),
    }
}
