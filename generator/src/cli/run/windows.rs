//! `run`, where it cannot measure.

use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Run;

pub(super) fn run(_: &Run) -> Result<()> {
    Err(Failure::Usage(
        "`run` measures on Linux and macOS: run it there, or in WSL, and ingest the results here"
            .to_owned(),
    ))
}
