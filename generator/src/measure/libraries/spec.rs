//! What the command line names, as in `rustls@0.23.43+ring+jemalloc`.

use crate::base::failure::{Failure, Result};
use crate::measure::libraries::release::Range;
use crate::measure::tools::git::Location;

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
            Some(which) => match (Location::parse(which), Range::parse(which)) {
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
