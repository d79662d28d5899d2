//! The scenario of a capture, which only its file name gives.

use super::super::collector::quote;
use crate::scenario::{Scenario, Side, TlsVersion, Workload};
use std::path::Path;

/// Parses a name such as `latency-fullhs-tls13-server-<thread>-latency.tsv`, in which only the
/// three words matter. Folders are ignored.
pub(crate) fn scenario(path: &Path) -> Result<Scenario, String> {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let file = file.to_string_lossy();
    let words: Vec<&str> = file.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let workloads = [
        ("fullhs", Workload::FullLatency),
        ("resume", Workload::ResumedLatency),
    ];
    let workload = one_of(&words, workloads);
    let versions = [("tls12", TlsVersion::V1_2), ("tls13", TlsVersion::V1_3)];
    let version = one_of(&words, versions);
    let side = one_of(&words, [("client", Side::Client), ("server", Side::Server)]);
    match (workload, version, side) {
        (Ok(workload), Ok(version), Ok(side)) => Ok(Scenario {
            version: Some(version),
            side: Some(side),
            ..Scenario::new(workload)
        }),
        (workload, version, side) => {
            let wrong = [workload.err(), version.err(), side.err()];
            let wrong: Vec<String> = wrong.into_iter().flatten().collect();
            let (file, wrong) = (quote(&file), wrong.join(", "));
            Err(format!(
                "the name of a latency file must say what was measured, as `latency-fullhs-tls13-server-1-latency.tsv` does; {file} has {wrong}"
            ))
        }
    }
}

/// The meaning of the one of two words that is present.
fn one_of<T: Clone>(words: &[&str], [one, other]: [(&str, T); 2]) -> Result<T, String> {
    let has = |word| words.iter().any(|found| found.eq_ignore_ascii_case(word));
    match (has(one.0), has(other.0)) {
        (true, false) => Ok(one.1),
        (false, true) => Ok(other.1),
        (false, false) => Err(format!("neither `{}` nor `{}`", one.0, other.0)),
        (true, true) => Err(format!("both `{}` and `{}`", one.0, other.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_tools() {
        for (path, label) in [
            (
                "latency-fullhs-tls13-server-139705684453056-latency.tsv",
                "latency of full handshakes, 1.3, server",
            ),
            (
                "a/latency-fullhs-tls13-client-ThreadId(2)-latency.tsv",
                "latency of full handshakes, 1.3, client",
            ),
            (
                "latency-resume-tls12-client-7-latency.tsv",
                "latency of resumed handshakes, 1.2, client",
            ),
            (
                "client/latency-fullhs-tls12-server.tsv",
                "latency of full handshakes, 1.2, server",
            ),
            (
                "openssl_3.5_resume_tls13_client",
                "latency of resumed handshakes, 1.3, client",
            ),
        ] {
            assert_eq!(
                scenario(Path::new(path)).map(|s| s.label()).as_deref(),
                Ok(label),
                "{path}"
            );
        }
    }

    #[test]
    fn ambiguous_names_are_refused() {
        let error = scenario(Path::new("client/latency.tsv")).expect_err("three words are missing");
        assert!(error.contains("`latency.tsv` has neither `fullhs` nor `resume`, neither `tls12` nor `tls13`, neither `client` nor `server`"), "{error}");
        let error = scenario(Path::new("fullhs-tls13-client-server")).expect_err("both sides");
        assert!(error.ends_with("has both `client` and `server`"), "{error}");
        for name in [
            "-",
            "",
            "..",
            "fullhs-tls1-client",
            "xfullhs-tls13-client",
            "fullhs-tls13-servers",
        ] {
            assert!(scenario(Path::new(name)).is_err(), "{name}");
        }
    }
}
