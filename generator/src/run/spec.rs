//! What the command line names: `rustls@0.23.43+ring+jemalloc`.

use super::range::Range;
use super::runner;
use crate::failure::{Failure, Result};
use crate::version::Version;

/// One argument of `generator run`, read but not yet looked up.
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
    /// The newest that the lock files of the runners know.
    Newest,
    /// The one that is installed on this system.
    System,
    Exactly(Version),
    /// Releases from one to another.
    Between(Range),
}

impl Spec {
    /// Reads `WORD[@WHICH][+VARIANT…]`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let wrong = |what: &str| {
            Failure::Usage(format!(
                "`{text}` is no implementation: {what}; they look like rustls, rustls@0.23.43, rustls@0.21..0.23, rustls@0.23.43+ring or openssl@system"
            ))
        };
        let mut words = text.split('+');
        let library = words.next().unwrap_or_default();
        let variant: Vec<String> = words.map(str::to_owned).collect();
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
            Some(which) => match Range::parse(which) {
                Some(range) => Which::Between(range),
                None => {
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
    fn what_is_wrong_is_said() {
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
