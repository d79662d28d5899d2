//! `generator new`: the folder of a new report.

use crate::cli::New;
use crate::failure::{Failure, Result};
use crate::fs;

/// What a new report starts with: every key that most reports need, with what it is for.
const TEMPLATE: &str = include_str!("new.toml");

/// Runs the command.
///
/// # Errors
/// The folder is there already, or cannot be made.
pub fn new(arguments: &New, quiet: bool) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !arguments.name.chars().all(plain)
        || !arguments
            .name
            .starts_with(|c: char| c.is_ascii_alphanumeric())
    {
        return Err(Failure::Usage(format!(
            "a report's name has letters, digits, `-`, `_` and `.`, not `{}`",
            arguments.name
        )));
    }
    let folder = arguments.data.join(&arguments.name);
    let file = fs::create_in_new_folder(&folder, "report.toml", TEMPLATE.as_bytes())?;
    if !quiet {
        crate::say!(
            "{} is made. Fill it in, put raw outputs or tables beside it, then run: generator ingest {}",
            file.display(),
            arguments.data.display()
        );
    }
    Ok(())
}
