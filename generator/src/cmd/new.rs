//! `generator new`: the folder of a new report.

use super::read::reserved;
use crate::cli::New;
use crate::escape;
use crate::failure::{Failure, Result};
use crate::fs;

/// What a new report starts with: every key that most reports need, with what it is for.
const TEMPLATE: &str = include_str!("new.toml");

/// Runs the command. Fails if the folder is there already, or cannot be made.
pub(super) fn new(arguments: &New) -> Result<()> {
    let name = &arguments.name;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !name.chars().all(is_plain) || !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Err(Failure::Usage(format!(
            "a report's name has letters, digits, `-`, `_` and `.`, not `{name}`"
        )));
    }
    if let Some(why) = reserved(name) {
        return Err(Failure::Usage(format!(
            "a report cannot be called `{name}`: {why}"
        )));
    }
    let folder = arguments.data.join(name);
    let file = fs::create_in_new_folder(&folder, "report.toml", TEMPLATE.as_bytes())?;
    crate::inform!(
        "{} was created. Fill it in, put raw outputs or tables beside it, then run: generator ingest {}",
        file.display(),
        escape::shell(&arguments.data.to_string_lossy())
    );
    Ok(())
}
