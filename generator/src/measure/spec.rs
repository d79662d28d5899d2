//! Implementations as named on the command line: `rustls@0.23.43+ring+jemalloc`.

use super::checkout::SourceTree;
use super::range::Range;
use super::runner;
use crate::base::failure::{Failure, Result};
use crate::model::version::Version;

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
    Exactly(Version),
    /// A range of releases.
    Between(Range),
    /// Unreleased sources.
    Sources(SourceTree),
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
        let (word, version) = library.split_once('@').unzip();
        let word = word.unwrap_or(library);
        if word.is_empty() {
            return Err(wrong("it has no name"));
        }
        if variant.iter().any(String::is_empty) {
            return Err(wrong("nothing follows a `+`"));
        }
        let which = match version {
            None => Which::Newest,
            Some("") => return Err(wrong("nothing follows the `@`")),
            Some("system") => Which::System,
            Some(which) => match (SourceTree::parse(which), Range::parse(which)) {
                (Some(source), _) => Which::Sources(source),
                (None, Some(range)) => Which::Between(range),
                (None, None) => {
                    let number = which.strip_prefix('v').unwrap_or(which);
                    let what = format!("`{which}` is neither a release nor a range of releases");
                    runner::numbers(number).ok_or_else(|| wrong(&what))?;
                    Which::Exactly(number.into())
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
        assert_eq!(spec.which, Which::Exactly("0.23.43".into()));
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
            Which::Sources(SourceTree::Path("../c++/rustls".into()))
        );
        assert_eq!(spec.variant, ["ring", "malloc"]);
        let spec = Spec::parse("rustls@git:https://example.org/a+b/c#v1+ring").expect("an address");
        let source = SourceTree::parse("git:https://example.org/a+b/c#v1").expect("a source");
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
}
