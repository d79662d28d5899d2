//! `generator new`: creates the folder of a new report.

use super::read::reserved;
use crate::cli::New;
use crate::escape;
use crate::failure::{Failure, Result};
use crate::fs;
use crate::report::Manifest;

/// The `report.toml` of a new report: the keys that most reports need, with comments.
const TEMPLATE: &str = include_str!("new.toml");

/// The form of the date that a report's name may start with; `0` is any digit.
const DAY: &str = "0000-00-00";

/// Runs the command. Fails if the folder exists already, or cannot be created.
pub(super) fn new(arguments: &New) -> Result<()> {
    let name = &arguments.name;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !name.chars().all(is_plain) || !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Err(Failure::Usage(format!(
            "a report's name consists of letters, digits, `-`, `_` and `.`, unlike `{name}`"
        )));
    }
    if let Some(why) = reserved(name) {
        return Err(Failure::Usage(format!(
            "a report cannot be called `{name}`: {why}"
        )));
    }
    let is_dated = name.get(..DAY.len()).is_some_and(|day| {
        let same = |(c, form): (char, char)| c == form || c.is_ascii_digit() && form == '0';
        day.chars().zip(DAY.chars()).all(same)
    });
    if is_dated && Manifest::default().day(name).is_none() {
        return Err(Failure::Usage(format!(
            "`{name}` starts with an invalid date: correct it, or leave it out"
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
