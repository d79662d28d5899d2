//! Checks for tools and libraries that a build needs and cargo does not fetch.

use super::process::text;
use super::runner::Need;
use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Describes the unmet needs, with one command that installs them all. `None` if all are met.
pub(super) fn missing(needs: &[Need]) -> Option<String> {
    let (mut unmet, mut packages) = (BTreeSet::new(), BTreeSet::new());
    for need in needs {
        for (name, what, is_met) in [
            (&need.command, "program", in_path as fn(&str) -> bool),
            (&need.library, "library", is_library),
            (&need.header, "header", is_header),
        ] {
            if let Some(name) = name.as_ref().filter(|name| !is_met(name)) {
                unmet.insert(format!("{what} {name}"));
                packages.insert(need.package.as_str());
            }
        }
    }
    let (unmet, packages) = (
        Vec::from_iter(unmet).join(", "),
        Vec::from_iter(packages).join(" "),
    );
    let text = format!("missing: {unmet}. On Debian: apt-get install {packages}");
    (!packages.is_empty()).then_some(text)
}

fn in_path(command: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    // Skips unreadable entries, as a shell does.
    let is_file = |path: PathBuf| path.metadata().is_ok_and(|found| found.is_file());
    env::split_paths(&path).any(|folder| is_file(folder.join(command)))
}

/// Asks the dynamic linker, after the variable by which a build finds it elsewhere: bindgen reads
/// `LIBCLANG_PATH`.
fn is_library(name: &str) -> bool {
    if env::var_os(format!("{}_PATH", name.to_uppercase())).is_some() {
        return true;
    }
    match text(Command::new("/sbin/ldconfig").arg("-p")) {
        Ok(all) => all.lines().any(|line| line.trim_start().starts_with(name)),
        // A system without this program: the build finds it or not.
        Err(_) => true,
    }
}

/// Asks the compiler, which knows its search path, then `pkg-config`.
fn is_header(name: &str) -> bool {
    let package = Path::new(name).iter().next().unwrap_or_default();
    text(Command::new("cc").args(["-E", "-x", "c", "-include", name, "/dev/null"])).is_ok()
        || text(Command::new("pkg-config").arg("--exists").arg(package)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(text: &str) -> Need {
        toml::from_str(text).expect("a need")
    }

    #[test]
    fn unmet_needs_are_listed() {
        let met = missing(&[need("command = 'sh'\npackage = 'dash'")]);
        assert_eq!(met, None);
        let unmet = missing(&[
            need("command = 'no-such-program'\npackage = 'b'"),
            need("library = 'libnosuch'\npackage = 'a'"),
            need("header = 'no/such.h'\npackage = 'a'"),
        ]);
        assert_eq!(
            unmet.as_deref(),
            Some(
                "missing: header no/such.h, library libnosuch, program no-such-program. On Debian: apt-get install a b"
            )
        );
    }
}
