//! One thing to build and measure: a runner with a release and its choices.

use super::go;
use super::range::Release;
use super::runner::{self, Choice, Need, Runner};
use super::spec::{Spec, Which};
use super::tree::TreeSource;
use crate::failure::{Failure, Result};
use crate::scenario::KeyType;
use crate::version::Version;
use jiff::civil::Date;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    /// Name of its build folder: `rustls_0.23.43_aws-lc-rs`.
    pub(crate) id: String,
    pub(crate) folder: String,
    /// As its rows call it.
    pub(crate) implementation: String,
    /// `None` if only the program itself can tell.
    pub(crate) version: Option<Version>,
    /// The day of its publication, if the package's index tells it.
    pub(crate) released: Option<Date>,
    /// As its rows say: provider and allocator.
    pub(crate) variant: Vec<String>,
    pub(crate) features: Vec<String>,
    /// A package and the version that the lock file must get, if it has another.
    pub(crate) pin: Option<(String, String)>,
    /// Sources that stand for the release.
    pub(crate) sources: Option<TreeSource>,
    /// What the runner pins: `openssl-src`.
    pub(crate) package: Option<String>,
    pub(crate) needs: Vec<Need>,
    pub(crate) url: Option<String>,
}

impl Target {
    /// The program that makes certificates with these keys.
    pub(crate) fn certificates(keys: &BTreeSet<KeyType>) -> Self {
        let (id, features) = match keys.iter().any(|key| key.is_ml_dsa()) {
            true => ("certificates_ml-dsa", vec!["ml-dsa".to_owned()]),
            false => ("certificates", Vec::new()),
        };
        Self {
            id: id.to_owned(),
            features,
            folder: "certificates".to_owned(),
            implementation: "the certificate generator".to_owned(),
            ..Self::default()
        }
    }

    /// The program without a library that this one is compared with.
    pub(super) fn alone(&self) -> Self {
        // The library is less than what shares its allocator.
        let allocator = self.features.iter().filter(|f| *f == "jemalloc");
        let features: Vec<String> = allocator.cloned().collect();
        let (id, folder) = match self.is_go() {
            true => (format!("{}_alone", self.id), "go/alone"),
            false => (
                ["alone"]
                    .into_iter()
                    .chain(features.iter().map(String::as_str))
                    .collect::<Vec<_>>()
                    .join("_"),
                "alone",
            ),
        };
        Self {
            id,
            folder: folder.to_owned(),
            implementation: "the harness alone".to_owned(),
            version: self.version.clone().filter(|_| self.is_go()),
            package: self.package.clone().filter(|_| self.is_go()),
            features,
            ..Self::default()
        }
    }

    /// What `spec` is by a runner, in that release; without one only the program can tell.
    pub(super) fn new(runner: &Runner, spec: &Spec, release: Option<Release>) -> Result<Self> {
        let (released, package) = match &release {
            Some(release) => (release.released, release.package.clone()),
            None => (None, None),
        };
        let version = release.map(|release| release.version);
        let chosen = choices(runner, spec, version.as_ref())?;
        let variant: Vec<String> = chosen.iter().map(|c| c.word.clone()).collect();
        let system = runner.system.as_ref();
        let system = system.filter(|_| spec.which == Which::System);
        let base = system.map_or(&runner.features, |system| &system.features);
        let features = base.iter().chain(chosen.iter().flat_map(|c| &c.features));
        let other = version
            .as_ref()
            .filter(|v| runner.locked.as_ref() != Some(v));
        let precise = other.map(|v| package.unwrap_or_else(|| runner.precise(v)));
        let pin = runner.pin.clone().zip(precise);
        let applies = |need: &&Need| {
            need.variant.as_ref().is_none_or(|v| variant.contains(v))
                && need.system.is_none_or(|only| only == system.is_some())
        };
        let number = match system {
            Some(_) => Some("system".to_owned()),
            None => version.as_ref().map(Version::to_string),
        };
        let id = [runner.word.clone()].into_iter().chain(number);
        let id: Vec<String> = id.chain(variant.iter().cloned()).collect();
        Ok(Self {
            id: id.join("_"),
            folder: runner.folder.clone(),
            implementation: runner.implementation.clone(),
            url: version.as_ref().and_then(|v| runner.url(v)),
            features: features.cloned().collect(),
            needs: runner.needs.iter().filter(applies).cloned().collect(),
            version,
            released,
            sources: None,
            package: runner.pin.clone(),
            variant,
            pin,
        })
    }

    /// The same of sources. `wrapper` is the version of the package that is to hold them.
    pub(super) fn of_sources(
        runner: &Runner,
        spec: &Spec,
        sources: TreeSource,
        wrapper: Option<String>,
    ) -> Result<Self> {
        let version = sources.version.clone().unwrap_or_default();
        let release = Release {
            version: sources.shown(&version),
            released: sources.checkout.day,
            ..Release::default()
        };
        Ok(Self {
            pin: runner.pin.clone().zip(wrapper),
            // No release has their page.
            url: None,
            sources: Some(sources),
            ..Self::new(runner, spec, Some(release))?
        })
    }

    /// Whether the go command builds it, and not cargo.
    pub(super) fn is_go(&self) -> bool {
        self.package.as_deref() == Some(go::TOOLCHAIN)
    }

    /// The file that says of what it was built.
    pub(super) fn lock(&self) -> &'static str {
        match self.is_go() {
            true => "go.mod",
            false => "Cargo.lock",
        }
    }

    /// For people: how it is built.
    pub(super) fn build_command(&self) -> String {
        if self.is_go() {
            return "go build -trimpath".to_owned();
        }
        let features = match self.features.as_slice() {
            [] => String::new(),
            some => format!(" --features {}", some.join(",")),
        };
        format!("cargo build --release --locked --no-default-features{features}")
    }

    /// For messages, as the pages name what was built: `rustls 0.23.43, ring, jemalloc`.
    pub(crate) fn name(&self) -> String {
        let version = self.version.iter().map(|version| format!(" {version}"));
        let variant = self.variant.iter().map(|word| format!(", {word}"));
        let more: String = version.chain(variant).collect();
        format!("{}{more}", self.implementation)
    }
}

/// The provider and the allocator that `spec` names, else the default ones.
fn choices<'a>(
    runner: &'a Runner,
    spec: &Spec,
    version: Option<&Version>,
) -> Result<Vec<&'a Choice>> {
    let refuse = |why: String| Err(Failure::Usage(format!("`{}`{why}", spec.text)));
    let words: Vec<&str> = runner.choices().map(|c| c.word.as_str()).collect();
    if let Some(word) = spec.variant.iter().find(|w| !words.contains(&w.as_str())) {
        let name = &spec.word;
        let all = words.join(", ");
        return refuse(match words.as_slice() {
            [] => format!(": {name} has no variants"),
            _ => format!(": {name} has no variant `{word}`; it has {all}"),
        });
    }
    let mut chosen = Vec::new();
    for list in [&runner.variants, &runner.allocators] {
        let of_word = |word: &String| list.iter().find(|c| c.word == *word);
        let mut named = spec.variant.iter().filter_map(of_word);
        chosen.extend(named.next().or(list.first()));
        if named.next().is_some() {
            return refuse(
                " names two of a kind: give one provider and one allocator at most".to_owned(),
            );
        }
    }
    for Choice { word, releases, .. } in &chosen {
        if let (Some(releases), Some(version)) = (releases, version)
            && !runner::is_one_of(releases, version)
        {
            return refuse(format!(
                " cannot be measured: {word} is there for releases {releases}"
            ));
        }
    }
    Ok(chosen)
}
