//! The commands that fetch and compile: git, cargo and go.

pub(super) mod cargo;
pub(super) mod compile;
pub(super) mod git;
pub(super) mod go;

use crate::measure::process::Stop;

/// What cargo and the go command say if they cannot download.
const OFFLINE: [&str; 3] = ["failed to download", "offline mode", "dial tcp"];

const REMEDY: &str = "Sources are missing on this machine and cannot be downloaded: connect it to the registry, or copy \
     cargo's folder (~/.cargo; of Go ~/go) from a machine on which the same command has run";

/// Adds a remedy to what a command said that cannot download.
pub(super) fn with_remedy(stop: Stop) -> Stop {
    match stop {
        Stop::Failed(why) if OFFLINE.iter().any(|words| why.contains(words)) => {
            Stop::Failed(format!("{why}\n{REMEDY}"))
        }
        stop => stop,
    }
}
