//! What the command line names, as in `rustls@0.23.43+ring+jemalloc`.

use crate::base::failure::{Failure, Result};
use crate::measure::git::Location;
use crate::measure::libraries::release::Range;

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
    Sources(Location),
}

impl Spec {
    /// Parses `WORD[@WHICH][+VARIANT…]`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        // A path may have a plus; of a revision, what follows it.
        let name = text.rfind(['/', '#']).unwrap_or(0);
        let (library, variant) = match text[name..].split_once('+') {
            Some((end, variant)) => (&text[..name + end.len()], variant.split('+').collect()),
            None => (text, Vec::new()),
        };
        let (word, which) = match library.split_once('@') {
            None => (library, Some(Which::Newest)),
            Some((word, "system")) => (word, Some(Which::System)),
            Some((word, which)) => {
                let sources = Location::parse(which).map(Which::Sources);
                let releases = || Range::parse(which).map(Which::Releases);
                (word, sources.or_else(releases))
            }
        };
        match which {
            Some(which) if !word.is_empty() && !variant.contains(&"") => Ok(Self {
                text: text.to_owned(),
                word: word.to_lowercase(),
                which,
                variant: variant.into_iter().map(str::to_owned).collect(),
            }),
            _ => Err(Failure::Usage(format!(
                "`{text}` is not an implementation; examples are rustls, rustls@0.23.43, rustls@0.21..0.23, rustls@0.23.43+ring, openssl@system, rustls@path:DIR or rustls@git:REPOSITORY#REVISION"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_have_a_plus() {
        let spec = Spec::parse("rustls@path:../c++/rustls+ring+malloc").expect("a path");
        let path = Location::parse("path:../c++/rustls").expect("a folder");
        assert_eq!(spec.which, Which::Sources(path));
        assert_eq!(spec.variant, ["ring", "malloc"]);
        let spec = Spec::parse("rustls@git:../a+b/c#v1+ring").expect("a repository");
        let source = Location::parse("git:../a+b/c#v1").expect("a source");
        assert_eq!(spec.which, Which::Sources(source));
        assert_eq!(spec.variant, ["ring"]);
    }
}
