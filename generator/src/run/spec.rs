//! What the command line names: `rustls@0.23.43+ring+jemalloc`.

use super::runner;
use crate::failure::{Failure, Result};
use crate::version::Version;

/// One argument of `generator run`, read but not yet looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(crate) text: String,
    /// `rustls`
    pub(crate) word: String,
    pub(crate) release: Release,
    /// Crypto provider, allocator: `ring`, `jemalloc`.
    pub(crate) variant: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Release {
    /// The newest that the lock files of the runners know.
    Newest,
    /// The one that is installed on this system.
    System,
    Exactly(Version),
}

impl Spec {
    /// Reads `WORD[@VERSION][+VARIANT…]`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let wrong = |what: &str| {
            Failure::Usage(format!(
                "`{text}` is no implementation: {what}; they look like rustls, rustls@0.23.43, rustls@0.23.43+ring or openssl@system"
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
        let release = match version {
            None => Release::Newest,
            Some("") => return Err(wrong("nothing follows the `@`")),
            Some("system") => Release::System,
            Some(version) => {
                let number = version.strip_prefix('v').unwrap_or(version);
                let what = || format!("`{version}` is no whole version, which has three numbers");
                runner::numbers(number).ok_or_else(|| wrong(&what()))?;
                Release::Exactly(number.into())
            }
        };
        Ok(Self {
            text: text.to_owned(),
            word: word.to_lowercase(),
            release,
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
        assert_eq!(spec.release, Release::Exactly("0.23.43".into()));
        assert_eq!(spec.variant, ["ring", "jemalloc"]);
        let spec = Spec::parse("OpenSSL@system").expect("the system's");
        assert_eq!(
            (spec.word.as_str(), spec.release),
            ("openssl", Release::System)
        );
        assert_eq!(
            Spec::parse("boringssl").expect("a word").release,
            Release::Newest
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
            ("rustls@0.23", "`0.23` is no whole version"),
            ("rustls@newest", "`newest` is no whole version"),
            ("rustls+", "follows a `+`"),
        ] {
            let error = Spec::parse(text).expect_err(text);
            assert!(error.to_string().contains(part), "{error}");
            assert_eq!(error.exit_code(), 2);
        }
    }
}
