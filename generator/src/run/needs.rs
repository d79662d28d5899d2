//! What a build needs that cargo does not fetch, checked before the build.

use super::runner::Need;
use crate::fs;
use anyhow::Result;
use std::collections::BTreeSet;
use std::env;
use std::io;
use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The needs that this system does not meet, in words, and one command that installs all.
/// `None` if all are met.
pub(crate) fn missing(needs: &[Need]) -> Result<Option<String>> {
    let (mut what, mut packages) = (BTreeSet::new(), BTreeSet::new());
    for need in needs {
        if !is_met(need)? {
            what.insert(words(need));
            packages.insert(need.package.as_str());
        }
    }
    if what.is_empty() {
        return Ok(None);
    }
    let what: Vec<String> = what.into_iter().collect();
    let packages: Vec<&str> = packages.into_iter().collect();
    Ok(Some(format!(
        "for want of: {}. On Debian: apt-get install {}",
        what.join(", "),
        packages.join(" ")
    )))
}

fn words(need: &Need) -> String {
    match (&need.command, &need.library, &need.header) {
        (Some(command), _, _) => format!("program `{command}`"),
        (_, Some(library), _) => format!("library {library}"),
        (_, _, Some(header)) => format!("header {header}"),
        _ => format!("package {}", need.package),
    }
}

fn is_met(need: &Need) -> Result<bool> {
    let command = need.command.as_deref().is_none_or(in_path);
    let library = need.library.as_deref().map_or(Ok(true), is_library)?;
    let header = need.header.as_deref().is_none_or(is_header);
    Ok(command && library && header)
}

fn in_path(command: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|f| f.join(command).is_file()))
}

/// Where Debian, Fedora and Arch have libraries; `LIBCLANG_PATH` is what bindgen reads.
fn is_library(name: &str) -> Result<bool> {
    let variable = format!("{}_PATH", name.to_uppercase());
    if env::var_os(variable).is_some() {
        return Ok(true);
    }
    let mut folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        .map(PathBuf::from)
        .to_vec();
    for below in entries(Path::new("/usr/lib"))? {
        folders.extend([below.join("lib"), below]);
    }
    for below in entries(Path::new("/usr/local"))? {
        folders.push(below.join("lib"));
    }
    let is_it = |file: &PathBuf| {
        let file = super::file_name(file);
        let rest = file.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(['.', '-']) && rest.contains(".so"))
    };
    for folder in folders {
        if entries(&folder)?.iter().any(is_it) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The compiler knows where it searches; what it does not find, `pkg-config` may.
fn is_header(name: &str) -> bool {
    let mut compiler = Command::new("cc");
    compiler.args(["-E", "-x", "c", "-include", name, "/dev/null"]);
    succeeds(&mut compiler) || by_pkg_config(name)
}

fn by_pkg_config(header: &str) -> bool {
    let package = header.split('/').next().unwrap_or(header);
    succeeds(Command::new("pkg-config").args(["--exists", package]))
}

/// Whether it runs at all, and well.
fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// What a folder has; nothing if it is none, or one that the build may not read either.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let absent = [NotFound, NotADirectory, PermissionDenied];
    match fs::read_folder(folder) {
        Err(error)
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|e| absent.contains(&e.kind())) =>
        {
            Ok(Vec::new())
        }
        paths => paths,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(text: &str) -> Need {
        toml::from_str(text).expect("a need")
    }

    #[test]
    fn what_is_there_and_what_is_not() {
        let met = missing(&[need("command = 'sh'\npackage = 'dash'")]);
        assert_eq!(met.expect("looked"), None);
        let unmet = missing(&[
            need("command = 'no-such-program'\npackage = 'b'"),
            need("library = 'libnosuch'\npackage = 'a'"),
            need("header = 'no/such.h'\npackage = 'a'"),
        ]);
        assert_eq!(
            unmet.expect("looked").as_deref(),
            Some(
                "for want of: header no/such.h, library libnosuch, program `no-such-program`. On Debian: apt-get install a b"
            )
        );
    }
}
