//! What a program says it is, and whether that was asked for.

use super::excerpt;
use super::process::output;
use super::target::Target;
use crate::failure::Result;
use crate::implementation::Implementation;
use anyhow::anyhow;
use jiff::civil::Date;
use std::path::Path;

/// What `--about` says: `name,version,variant`, and the day of the release if the library tells it.
pub(super) fn about(program: &Path, target: &Target) -> Result<(Implementation, Option<Date>)> {
    let output = output(program, ["--about".as_ref()])?;
    let text = excerpt(String::from_utf8_lossy(&output.output).trim_end());
    let cells: Vec<&str> = text.split(',').collect();
    let (library, version, variant, released) = match cells.as_slice() {
        _ if !output.status.success() => Default::default(),
        [library, version, variant] => (*library, *version, *variant, ""),
        [library, version, variant, released] => (*library, *version, *variant, *released),
        _ => Default::default(),
    };
    let day = (!released.is_empty()).then(|| released.parse()).transpose();
    match (library, day) {
        ("", _) | (_, Err(_)) => Err(anyhow!(
            "the program of {} does not say what it is: `--about` printed `{text}`",
            target.name()
        )
        .into()),
        (library, Ok(day)) => {
            let parts: Vec<&str> = variant.split('+').filter(|p| !p.is_empty()).collect();
            Ok((Implementation::new(library, version, &parts), day))
        }
    }
}

/// What is measured, of what the program says: with the revision of sources that are no release.
pub(super) fn identity(target: &Target, said: Implementation) -> Implementation {
    match &target.sources {
        None => said,
        Some(sources) => Implementation {
            version: sources.shown(&said.version),
            ..said
        },
    }
}

/// A wrong pin must never be measured under another name.
pub(super) fn check_identity(target: &Target, identity: &Implementation) -> anyhow::Result<()> {
    // Sources without a version have the program's.
    let is_told = target
        .sources
        .as_ref()
        .is_none_or(|sources| sources.version.is_some());
    let version = target.version.as_ref().filter(|_| is_told);
    let is_same = identity.name == target.implementation
        && version.is_none_or(|version| *version == identity.version)
        && identity.variant == target.variant;
    let name = target.name();
    anyhow::ensure!(
        is_same,
        "{name} was asked for, but the program says that it is {identity}: nothing is measured under a wrong name"
    );
    Ok(())
}

/// `openssl_system` is measured as `openssl_3.0.19`: names of folders tell the implementation.
pub(super) fn results_folder(target: &Target, identity: &Implementation) -> String {
    let word = target.id.split('_').next().unwrap_or(&target.id);
    let variant = identity.variant.iter().map(String::as_str);
    let parts = [word, identity.version.as_str()].into_iter().chain(variant);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_unsafe = |c: char| !c.is_ascii_alphanumeric() && !"._+-".contains(c);
    parts.join("_").replace(is_unsafe, "-")
}
