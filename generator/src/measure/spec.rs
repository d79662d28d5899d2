//! Implementations as named on the command line: `rustls@0.23.43+ring+jemalloc`.

use super::range::Range;
use crate::base::failure::{Failure, Result};
use std::path::PathBuf;

/// One argument of `generator run`, parsed but not yet looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(crate) text: String,
    /// `rustls`
    pub(crate) word: String,
    pub(crate) which: Which,
    /// Crypto provider, allocator: `ring`, `jemalloc`.
    pub(crate) variant: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The newest release in the runners' lock files.
    Newest,
    /// The library installed on this system.
    System,
    Releases(Range),
    Sources(Source),
}

/// Where unreleased sources are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// `path:DIR`: the files in their current state.
    Path(PathBuf),
    /// `git:REPOSITORY#REVISION`: a branch, tag or commit; without one, `HEAD`.
    Git {
        /// A URL or a folder.
        repository: String,
        revision: String,
    },
}

impl Spec {
    /// Parses `WORD[@WHICH][+VARIANT…]`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let wrong = |what: &str| {
            Failure::Usage(format!(
                "`{text}` is not an implementation: {what}; examples are rustls, rustls@0.23.43, rustls@0.21..0.23, rustls@0.23.43+ring, openssl@system, rustls@path:DIR or rustls@git:REPOSITORY#REVISION"
            ))
        };
        let (library, variant) = split(text);
        let (word, which) = match library.split_once('@') {
            Some((word, which)) => (word, Some(which)),
            None => (library, None),
        };
        if word.is_empty() {
            return Err(wrong("it has no name"));
        }
        if variant.iter().any(String::is_empty) {
            return Err(wrong("nothing follows a `+`"));
        }
        let which = match which {
            None => Which::Newest,
            Some("") => return Err(wrong("nothing follows the `@`")),
            Some("system") => Which::System,
            Some(which) => match (Source::parse(which), Range::parse(which)) {
                (Some(source), _) => Which::Sources(source),
                (None, Some(range)) => Which::Releases(range),
                (None, None) => {
                    let what = format!("`{which}` is neither a release nor a range of releases");
                    return Err(wrong(&what));
                }
            },
        };
        Ok(Self {
            text: text.to_owned(),
            word: word.to_lowercase(),
            which,
            variant,
        })
    }
}

impl Source {
    /// Parses the part after the `@`; `None` if it names no sources.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(path) = text.strip_prefix("path:") {
            return Some(Self::Path(path.into()));
        }
        let text = text.strip_prefix("git:")?;
        let (repository, revision) = text.rsplit_once('#').unwrap_or((text, ""));
        let revision = if revision.is_empty() {
            "HEAD"
        } else {
            revision
        };
        Some(Self::Git {
            repository: repository.to_owned(),
            revision: revision.to_owned(),
        })
    }
}

/// Splits off the variants at the first `+`; in a path or URL, the first after its last `/` or `#`.
fn split(text: &str) -> (&str, Vec<String>) {
    let from = match text.contains("@path:") || text.contains("@git:") {
        true => text.rfind(['/', '#']).unwrap_or(0),
        false => 0,
    };
    let plus = text[from..].find('+').map(|at| from + at);
    let (library, words) = text.split_at(plus.unwrap_or(text.len()));
    let words = words.split('+').skip(1);
    (library, words.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts() {
        let spec = Spec::parse("rustls@0.23.43+ring+jemalloc").expect("a whole one");
        assert_eq!(spec.word, "rustls");
        assert_eq!(
            spec.which,
            Which::Releases(Range::Exactly("0.23.43".into()))
        );
        assert_eq!(spec.variant, ["ring", "jemalloc"]);
        let spec = Spec::parse("OpenSSL@system").expect("the system's");
        assert_eq!((spec.word.as_str(), spec.which), ("openssl", Which::System));
        assert_eq!(
            Spec::parse("boringssl").expect("a word").which,
            Which::Newest
        );
        assert_eq!(
            Spec::parse("rustls+ring").expect("no version").variant,
            ["ring"]
        );
    }

    #[test]
    fn a_path_may_have_a_plus() {
        let spec = Spec::parse("rustls@path:../c++/rustls+ring+malloc").expect("a path");
        assert_eq!(
            spec.which,
            Which::Sources(Source::Path("../c++/rustls".into()))
        );
        assert_eq!(spec.variant, ["ring", "malloc"]);
        let spec = Spec::parse("rustls@git:https://example.org/a+b/c#v1+ring").expect("an address");
        let source = Source::parse("git:https://example.org/a+b/c#v1").expect("a source");
        assert_eq!(spec.which, Which::Sources(source));
        assert_eq!(spec.variant, ["ring"]);
    }

    #[test]
    fn errors_name_the_part() {
        for (text, part) in [
            ("", "no name"),
            ("@1.0.0", "no name"),
            ("rustls@", "follows the `@`"),
            ("rustls@newest", "`newest` is neither a release nor a range"),
            ("rustls@0.x", "`0.x` is neither a release nor a range"),
            ("rustls+", "follows a `+`"),
        ] {
            let error = Spec::parse(text).expect_err(text);
            assert!(error.to_string().contains(part), "{error}");
            assert_eq!(error.exit_code(), 2);
        }
    }

    #[test]
    fn sources() {
        let git = |repository: &str, revision: &str| Source::Git {
            repository: repository.to_owned(),
            revision: revision.to_owned(),
        };
        for (text, expected) in [
            ("path:../rustls", Some(Source::Path("../rustls".into()))),
            ("git:../rustls#main", Some(git("../rustls", "main"))),
            ("git:../rustls", Some(git("../rustls", "HEAD"))),
            (
                "git:https://example.org/r.git#v/0.23.1",
                Some(git("https://example.org/r.git", "v/0.23.1")),
            ),
            ("git:r#a..b", Some(git("r", "a..b"))),
            ("0.23.1", None),
        ] {
            assert_eq!(Source::parse(text), expected, "{text}");
        }
    }
}
