//! The names of builds, each given the others of its report: the one way in which pages call them.

use super::Report;
use crate::model::implementation::Implementation;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What to call one build.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Name {
    /// `rustls`
    pub library: String,
    /// `0.23.46`; `(boring 5.4.0)` of a package that carries the library; empty if it has none.
    version: String,
    /// What tells its variant from the usual one of its library: `(ring)`. Empty for the usual one.
    variant: String,
}

impl Name {
    /// `rustls 0.23.46 (ring)`
    pub(crate) fn full(&self) -> String {
        joined(&self.library, &self.version_and_variant())
    }

    /// `rustls (ring)`: a line over several releases.
    pub(crate) fn series(&self) -> String {
        joined(&self.library, &self.variant)
    }

    /// `0.23.46 (ring)`, beside the name of its library.
    pub(crate) fn version_and_variant(&self) -> String {
        joined(&self.version, &self.variant)
    }

    /// `0.23.27` beside `rustls 0.23.31`; the full name if library or variant differ.
    pub(crate) fn beside(&self, other: &Self) -> String {
        let is_same = self.library == other.library && self.variant == other.variant;
        match is_same && !self.version.is_empty() {
            true => self.version.clone(),
            false => self.full(),
        }
    }
}

fn joined(first: &str, second: &str) -> String {
    format!("{first} {second}").trim().to_owned()
}

fn bracketed(variant: &[String]) -> String {
    match variant {
        [] => String::new(),
        parts => format!("({})", parts.join(", ")),
    }
}

/// Names builds that stand together.
pub(crate) fn names(builds: &[&Implementation]) -> Vec<Name> {
    let usual_variants = usual_variants(builds);
    let mut names = Vec::new();
    for build in builds {
        let usual = usual_variants.get(&*build.name).copied();
        let usual = usual.unwrap_or(&build.variant);
        let mut own = build.variant.clone();
        own.retain(|part| !usual.contains(part));
        // A variant without a part of its own is named whole.
        if own.is_empty() && build.variant != usual {
            own.clone_from(&build.variant);
        }
        let version = build.version.words();
        names.push(Name {
            library: build.name.clone(),
            version: match version == build.version.as_str() {
                true => version,
                false => bracketed(&[version]),
            },
            variant: bracketed(&own),
        });
    }
    // Where that is not enough, variants are named whole.
    let mut uses: HashMap<String, usize> = HashMap::new();
    for name in &names {
        *uses.entry(name.full()).or_default() += 1;
    }
    for (name, build) in names.iter_mut().zip(builds) {
        if uses[&name.full()] > 1 {
            name.variant = bracketed(&build.variant);
        }
    }
    names
}

/// Returns the variant of the first build of each library, without the libraries of which releases
/// alone tell builds apart.
fn usual_variants<'a>(builds: &[&'a Implementation]) -> BTreeMap<&'a str, &'a [String]> {
    let (mut first, mut varied) = (HashMap::new(), BTreeMap::new());
    let mut releases = HashSet::new();
    for build in builds {
        let usual = *first.entry(&*build.name).or_insert(&*build.variant);
        if !releases.insert((&*build.name, &build.version)) {
            varied.insert(&*build.name, usual);
        }
    }
    varied
}

/// Names the builds of all reports of a site, so that one name is one build on all of its pages. The usual
/// variants are those of the newest reports' default builds.
pub(crate) fn name_builds(reports: &mut [Report]) {
    let mut all: Vec<&Implementation> = Vec::new();
    let mut known = HashSet::new();
    for report in reports.iter().rev() {
        let defaults = report.roles().defaults.iter().copied();
        for build in defaults.chain(0..report.builds.len()) {
            let build = report.build(build);
            if known.insert(build) {
                all.push(build);
            }
        }
    }
    let names = names(&all).into_iter();
    let named: HashMap<Implementation, Name> = all.into_iter().cloned().zip(names).collect();
    for build in reports.iter_mut().flat_map(|report| &mut report.builds) {
        build.name = named[&build.implementation].clone();
    }
}

impl Report {
    /// `rustls is aws-lc-rs, jemalloc unless another variant is named.`; empty without variants.
    pub(crate) fn usual_variants(&self) -> String {
        let builds: Vec<&Implementation> = self.builds.iter().map(|b| &b.implementation).collect();
        let mut usual = usual_variants(&builds);
        usual.retain(|_, variant| !variant.is_empty());
        let sentences = usual.iter().map(|(library, variant)| {
            let variant = variant.join(", ");
            format!("{library} is {variant} unless another variant is named.")
        });
        sentences.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_by_what_releases_vary() {
        let builds = [
            "rustls 0.2, ring, gcc",
            "rustls 0.2, aws-lc-rs, gcc",
            "rustls 0.1, ring, gcc",
            "OpenSSL 3.0, gcc",
        ];
        let mut all = builds.map(Implementation::from_heading).to_vec();
        all.push(Implementation::new("BoringSSL", "boring-5.4.0", &["gcc"]));
        let all: Vec<&Implementation> = all.iter().collect();
        let names = names(&all);
        let full = [
            "rustls 0.2",
            "rustls 0.2 (aws-lc-rs)",
            "rustls 0.1",
            "OpenSSL 3.0",
            "BoringSSL (boring 5.4.0)",
        ];
        assert!(names.iter().map(Name::full).eq(full));
        assert_eq!(names[1].series(), "rustls (aws-lc-rs)");
        assert_eq!(names[1].version_and_variant(), "0.2 (aws-lc-rs)");
        assert_eq!(names[2].beside(&names[0]), "0.1");
        assert_eq!(names[2].beside(&names[1]), "rustls 0.1");
        assert_eq!(names[3].beside(&names[0]), "OpenSSL 3.0");
    }
}
