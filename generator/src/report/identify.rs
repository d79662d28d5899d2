//! Which implementation a file without a declaration belongs to.

use crate::implementation::Implementation;
use std::path::Path;

/// The implementation of a figure in the file at `path`: what the file itself names
/// (`named`), or the nearest part of the path that names one; else the folder's name, and for a
/// file in no folder its own.
///
/// # Errors
/// File and folder name two versions of one library.
pub(super) fn identify(
    path: &Path,
    named: Option<&Implementation>,
) -> Result<Implementation, String> {
    let names = || path.iter().rev().map(|part| part.to_string_lossy());
    let by_path = names().find_map(|name| Implementation::from_file_name(&name));
    match (named, by_path) {
        (Some(named), Some(path)) if named.name == path.name => {
            if named.version.is_empty() || named.version == path.version {
                Ok(if named.variant.is_empty() {
                    path
                } else {
                    named.clone()
                })
            } else if path.version.is_empty() {
                Ok(named.clone())
            } else {
                Err(format!(
                    "two versions in one place: the file says {named}, its path says {path}"
                ))
            }
        }
        (Some(named), _) => Ok(named.clone()),
        (None, Some(path)) => Ok(path),
        (None, None) => {
            let folder = path
                .parent()
                .and_then(Path::file_name)
                .filter(|f| !f.is_empty());
            let name = folder
                .or(path.file_name())
                .unwrap_or_default()
                .to_string_lossy();
            Ok(Implementation {
                name: name.into_owned(),
                ..Implementation::default()
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_counts() {
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
    fn a_file_may_know_better() {
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
}
