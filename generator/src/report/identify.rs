//! Finds the implementation that a figure belongs to.

use crate::files::file_name;
use crate::model::implementation::Implementation;
use crate::parse::Declaration;
use std::path::Path;

/// Folders whose names say nothing about what was measured.
const UNNAMED: [&str; 3] = ["criterion", "target", "data"];

/// Returns the implementation of a figure; `named` is the one that the file itself names, and
/// `default` that of files that nothing names.
pub(super) fn implementation(
    declarations: &[Declaration],
    default: Option<&str>,
    below: &Path,
    path: &Path,
    named: Option<&Implementation>,
) -> Result<Implementation, String> {
    if declarations.is_empty() {
        return match (named_by(path, named)?, default) {
            (Some(named), _) => Ok(named),
            (None, Some(default)) => Ok(Implementation::from_heading(default)),
            (None, None) => named_by_folder(path),
        };
    }
    if let Some(owner) = owner(declarations, below)? {
        return Ok(owner.implementation.clone());
    }
    let named = match named {
        Some(named) => Some(named.clone()),
        None => named_by(path, None)?,
    };
    let declared = match (named, declarations) {
        (Some(named), _) => declared(declarations, &named)?,
        (None, [only]) if only.files.is_empty() => only,
        (None, _) => declared(declarations, &named_by_folder(path)?)?,
    };
    Ok(declared.implementation.clone())
}

/// Returns the declaration whose `files` match the file.
fn owner<'a>(
    declarations: &'a [Declaration],
    below: &Path,
) -> Result<Option<&'a Declaration>, String> {
    let file = below.to_string_lossy();
    let matches = |d: &&Declaration| d.files.iter().any(|at| at.value.is_match(&file));
    let mut owners = declarations.iter().filter(matches);
    match (owners.next(), owners.next()) {
        (Some(one), Some(other)) => Err(format!(
            "report.toml assigns this file to two implementations: {} and {}",
            one.implementation, other.implementation
        )),
        (one, _) => Ok(one),
    }
}

/// Returns the one declaration that matches an implementation named in a file or a path.
fn declared<'a>(
    declarations: &'a [Declaration],
    named: &Implementation,
) -> Result<&'a Declaration, String> {
    let text = named.to_string();
    let named_by_it = |one: &'a Declaration| Some((one.implementation.is_named(&text)?, one));
    let mut found: Vec<_> = declarations.iter().filter_map(named_by_it).collect();
    let is_whole = found.iter().any(|(is_whole, _)| *is_whole);
    found.retain(|(own, _)| *own == is_whole);
    match &*found {
        [(_, one)] => Ok(one),
        [_, others @ ..] => Err(format!(
            "`{named}` matches {} implementations in report.toml; give its variant, or `files` there",
            others.len() + 1
        )),
        [] => {
            let known = declarations.iter().map(|d| d.implementation.to_string());
            Err(format!(
                "`{named}` is not in report.toml, which has {}; add an [[implementation]], rename this one like one of them, or assign its files with `files`",
                known.collect::<Vec<_>>().join("; ")
            ))
        }
    }
}

/// Returns the implementation that the file itself names (`named`), else the one in the last part
/// of the path that names one.
fn named_by(path: &Path, named: Option<&Implementation>) -> Result<Option<Implementation>, String> {
    let mut names = path.iter().rev().map(|part| part.to_string_lossy());
    let by_path = names.find_map(|name| Implementation::from_file_name(&name));
    match (named, by_path) {
        (Some(named), Some(path)) if named.name == path.name => {
            match named.version.is_empty() || named.version == path.version {
                true if named.variant.is_empty() => Ok(Some(path)),
                false if !path.version.is_empty() => Err(format!(
                    "two versions in one place: the file says {named}, its path says {path}"
                )),
                _ => Ok(Some(named.clone())),
            }
        }
        (Some(named), _) => Ok(Some(named.clone())),
        (None, path) => Ok(path),
    }
}

/// Returns an implementation called like the nearest folder whose name is not only a date, or like
/// the file if it is in no folder.
fn named_by_folder(path: &Path) -> Result<Implementation, String> {
    let folders = path.parent().into_iter().flat_map(Path::ancestors);
    let mut names: Vec<String> = folders.map(file_name).filter(|n| !n.is_empty()).collect();
    if names.is_empty() {
        names.push(file_name(path));
    }
    let says_nothing = |name: &String| {
        let is_number = name
            .chars()
            .all(|c| c.is_ascii_digit() || "-_.T:".contains(c));
        is_number || UNNAMED.contains(&name.as_str())
    };
    let name = names.into_iter().find(|name| !says_nothing(name));
    let message = "nothing names the implementation: write a report.toml beside the results with [[implementation]], name = \"…\" and version = \"…\", or give --name";
    Ok(Implementation {
        name: name.ok_or(message)?,
        ..Implementation::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Manifest;

    #[test]
    fn last_name_in_path_counts() {
        for (path, expected) in [
            (
                "samples/rustls-throughput/rustls_0.22.0_aws-lc_gcc/output_1",
                "rustls 0.22.0, aws-lc, gcc",
            ),
            ("samples/memory/openssl_3.2.0_gcc", "OpenSSL 3.2.0, gcc"),
            ("rustls-bench-0.23.43/measure_1.txt", "rustls 0.23.43"),
            ("my-build/output_1", "my-build"),
            ("output_1", "output_1"),
            ("before/target/criterion/estimates.json", "before"),
            ("codec/2026-11-22/estimates.json", "codec"),
        ] {
            assert_eq!(
                implementation(&[], None, Path::new(path), Path::new(path), None)
                    .map(|i| i.to_string())
                    .as_deref(),
                Ok(expected)
            );
        }
    }

    #[test]
    fn a_date_is_no_name() {
        let path = Path::new("2026-11-22/criterion/estimates.json");
        let found = |declarations: &[Declaration], name| {
            implementation(declarations, name, path, path, None).map(|i| i.to_string())
        };
        assert!(found(&[], None).is_err());
        assert_eq!(found(&[], Some("codec 1.2")), Ok("codec 1.2".to_owned()));
        let manifest = b"[[implementation]]\nname = \"x\"\n";
        let manifest = Manifest::parse(Path::new("report.toml"), manifest).expect("sound");
        assert_eq!(found(&manifest.declarations, None), Ok("x".to_owned()));
    }

    #[test]
    fn name_in_file_takes_precedence() {
        let named = Implementation::new("openssl", "3.0.22", &[]);
        let identified = |path: &str| {
            let path = Path::new(path);
            implementation(&[], None, path, path, Some(&named)).map(|i| i.to_string())
        };
        assert_eq!(identified("x/speed.txt").as_deref(), Ok("OpenSSL 3.0.22"));
        assert_eq!(
            identified("openssl_3.0.22_gcc/speed.txt").as_deref(),
            Ok("OpenSSL 3.0.22, gcc")
        );
        assert!(identified("openssl_3.2.0/speed.txt").is_err());
    }

    #[test]
    fn headings_are_matched_with_declarations() {
        let manifest = "\
[[implementation]]
name = \"BoringSSL\"
version = \"r0\"
[[implementation]]
name = \"OpenSSL\"
version = \"3.6 final (patched)\"
[[implementation]]
name = \"rustls\"
version = \"0.23.37\"
variant = [\"aws-lc\", \"fips_140\"]
[[implementation]]
name = \"rustls\"
version = \"0.23.37\"
variant = [\"ring\"]
";
        let manifest =
            Manifest::parse(Path::new("report.toml"), manifest.as_bytes()).expect("sound");
        for (heading, expected) in [
            ("BoringSSL r0", 0),
            ("boringssl r0", 0),
            ("BoringSSL", 0),
            ("OpenSSL 3.6 final (patched)", 1),
            ("rustls 0.23.37, aws-lc, fips_140", 2),
            ("Rustls (0.23.37, aws-lc)", 2),
            ("rustls 0.23.37, ring", 3),
        ] {
            let named = Implementation::from_heading(heading);
            let table = Path::new("table.csv");
            let found = implementation(&manifest.declarations, None, table, table, Some(&named));
            let expected = &manifest.declarations[expected].implementation;
            assert_eq!(found.as_ref(), Ok(expected), "{heading}");
        }
        for heading in ["BoringSSL r1", "OpenSSL 3.6", "rustls", "rustls 0.23.37"] {
            let named = Implementation::from_heading(heading);
            let table = Path::new("table.csv");
            let found = implementation(&manifest.declarations, None, table, table, Some(&named));
            assert!(found.is_err(), "{heading}: {found:?}");
        }
    }
}
