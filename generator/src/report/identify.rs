//! Finds the implementation that a figure belongs to.

use crate::model::implementation::Implementation;
use crate::parse::Declaration;
use std::path::Path;

/// Returns the implementation of a figure; `named` is the one that the file itself names.
pub(super) fn implementation(
    declarations: &[Declaration],
    below: &Path,
    path: &Path,
    named: Option<&Implementation>,
) -> Result<Implementation, String> {
    if declarations.is_empty() {
        return identify(path, named);
    }
    if let Some(owner) = owner(declarations, below)? {
        return Ok(owner.implementation.clone());
    }
    let declared = match named {
        Some(named) => declared(declarations, named)?,
        None => declared(declarations, &identify(path, None)?)?,
    };
    Ok(declared.implementation.clone())
}

/// Returns the declaration whose `files` match the file.
fn owner<'a>(
    declarations: &'a [Declaration],
    below: &Path,
) -> Result<Option<&'a Declaration>, String> {
    let file = below.to_string_lossy();
    let matches = |d: &&Declaration| d.files.iter().any(|at| at.value.1.is_match(&file));
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
    // Compare whole headings first: a heading may be split into name and version differently from
    // report.toml.
    let criteria: [&dyn Fn(&Declaration) -> bool; 3] = [
        &|d| d.implementation.is_displayed_as(named),
        &|d| d.implementation.is_release(named) && d.implementation.has_variant(named),
        &|d| {
            d.implementation.name == named.name
                && named.version.is_empty()
                && named.variant.is_empty()
        },
    ];
    for fits in criteria {
        let found: Vec<&Declaration> = declarations.iter().filter(|d| fits(d)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one),
            several => {
                return Err(format!(
                    "`{named}` matches {} implementations in report.toml; give its variant, or `files` there",
                    several.len()
                ));
            }
        }
    }
    let known = declarations.iter().map(|d| d.implementation.to_string());
    let known: Vec<String> = known.collect();
    Err(format!(
        "`{named}` is not in report.toml, which has {}; add an [[implementation]], rename this one like one of them, or assign its files with `files`",
        known.join("; ")
    ))
}

/// Returns the implementation of a figure in the file at `path` if nothing is declared: the one
/// that the file itself names (`named`), else the one in the last part of the path that names one,
/// else the folder's name, or the file's if it is in no folder.
fn identify(path: &Path, named: Option<&Implementation>) -> Result<Implementation, String> {
    let names = || path.iter().rev().map(|part| part.to_string_lossy());
    let by_path = names().find_map(|name| Implementation::from_file_name(&name));
    match (named, by_path) {
        (Some(named), Some(path)) if named.name == path.name => {
            match named.version.is_empty() || named.version == path.version {
                true if named.variant.is_empty() => Ok(path),
                false if !path.version.is_empty() => Err(format!(
                    "two versions in one place: the file says {named}, its path says {path}"
                )),
                _ => Ok(named.clone()),
            }
        }
        (Some(named), _) => Ok(named.clone()),
        (None, Some(path)) => Ok(path),
        (None, None) => {
            let folder = path.parent().and_then(Path::file_name);
            let name = folder.filter(|f| !f.is_empty()).or(path.file_name());
            Ok(Implementation {
                name: name.unwrap_or_default().to_string_lossy().into_owned(),
                ..Implementation::default()
            })
        }
    }
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
        ] {
            assert_eq!(
                identify(Path::new(path), None)
                    .map(|i| i.to_string())
                    .as_deref(),
                Ok(expected)
            );
        }
    }

    #[test]
    fn name_in_file_takes_precedence() {
        let named = Implementation::new("openssl", "3.0.22", &[]);
        let identified =
            |path: &str| identify(Path::new(path), Some(&named)).map(|i| i.to_string());
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
            let found = implementation(&manifest.declarations, table, table, Some(&named));
            let expected = &manifest.declarations[expected].implementation;
            assert_eq!(found.as_ref(), Ok(expected), "{heading}");
        }
        for heading in ["BoringSSL r1", "OpenSSL 3.6", "rustls", "rustls 0.23.37"] {
            let named = Implementation::from_heading(heading);
            let table = Path::new("table.csv");
            let found = implementation(&manifest.declarations, table, table, Some(&named));
            assert!(found.is_err(), "{heading}: {found:?}");
        }
    }
}
