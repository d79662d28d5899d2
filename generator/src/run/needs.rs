//! What a build needs that cargo does not fetch: told before the build, with what to install.

use super::runner::Need;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The needs that this system does not meet, in words, and one command that installs all.
/// `None` if all are met.
pub(super) fn missing(needs: &[Need]) -> Option<String> {
    let missing: Vec<&Need> = needs.iter().filter(|need| !is_met(need)).collect();
    if missing.is_empty() {
        return None;
    }
    let mut words: Vec<String> = missing.iter().map(|need| words(need)).collect();
    words.sort_unstable();
    words.dedup();
    let mut packages: Vec<&str> = missing.iter().map(|n| n.package.as_str()).collect();
    packages.sort_unstable();
    packages.dedup();
    Some(format!(
        "for want of: {}. On Debian: apt-get install {}",
        words.join(", "),
        packages.join(" ")
    ))
}

fn words(need: &Need) -> String {
    match (&need.command, &need.library, &need.header) {
        (Some(command), _, _) => format!("program `{command}`"),
        (_, Some(library), _) => format!("library {library}"),
        (_, _, Some(header)) => format!("header {header}"),
        _ => format!("package {}", need.package),
    }
}

fn is_met(need: &Need) -> bool {
    let command = need.command.as_deref().is_none_or(in_path);
    let library = need.library.as_deref().is_none_or(is_library);
    let header = need.header.as_deref().is_none_or(is_header);
    command && library && header
}

fn in_path(command: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(command).is_file())
}

/// Where Debian, Fedora and Arch have libraries; `LIBCLANG_PATH` is what bindgen reads.
fn is_library(name: &str) -> bool {
    let variable = format!("{}_PATH", name.to_uppercase());
    if env::var_os(variable).is_some() {
        return true;
    }
    let versions = |root: &str| below(Path::new(root)).into_iter().map(|f| f.join("lib"));
    let plain = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from);
    let folders = plain
        .into_iter()
        .chain(below(Path::new("/usr/lib")))
        .chain(versions("/usr/lib"))
        .chain(versions("/usr/local"));
    let is_it = |file: &PathBuf| {
        let file = super::file_name(file);
        file.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with(['.', '-']) && rest.contains(".so"))
    };
    folders
        .flat_map(|folder| below(&folder))
        .any(|file| is_it(&file))
}

/// Multiarch systems have headers of a machine in a folder of their own; a compiler may search
/// elsewhere, so `pkg-config` is asked as well.
fn is_header(name: &str) -> bool {
    let roots = ["/usr/include", "/usr/local/include"].map(PathBuf::from);
    let all = roots
        .iter()
        .cloned()
        .chain(roots.iter().flat_map(|r| below(r)));
    all.into_iter().any(|root| root.join(name).is_file()) || by_pkg_config(name)
}

fn by_pkg_config(header: &str) -> bool {
    let package = header.split('/').next().unwrap_or_default();
    let asked = Command::new("pkg-config")
        .args(["--exists", package])
        .output();
    asked.is_ok_and(|output| output.status.success())
}

fn below(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(text: &str) -> Need {
        toml::from_str(text).expect("a need")
    }

    #[test]
    fn what_is_there_and_what_is_not() {
        assert_eq!(missing(&[need("command = 'sh'\npackage = 'dash'")]), None);
        let told = missing(&[
            need("command = 'no-such-program'\npackage = 'b'"),
            need("library = 'libnosuch'\npackage = 'a'"),
            need("header = 'no/such.h'\npackage = 'a'"),
        ]);
        assert_eq!(
            told.as_deref(),
            Some(
                "for want of: header no/such.h, library libnosuch, program `no-such-program`. On Debian: apt-get install a b"
            )
        );
    }
}
