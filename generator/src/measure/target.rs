//! A target to build and measure: a runner with a release, a provider and an allocator.

use super::checkout::Checkout;
use super::go;
use super::range::Release;
use super::runner::{self, Choice, Need, Runner};
use super::spec::{Spec, Which};
use crate::base::failure::{Failure, Result};
use crate::model::scenario::KeyType;
use crate::model::version::Version;
use jiff::civil::Date;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    /// Name of its build folder: `rustls_0.23.43_aws-lc-rs`.
    pub(crate) id: String,
    /// Name of the runner's folder.
    pub(crate) folder: String,
    /// Name in its rows.
    pub(crate) implementation: String,
    /// `None` if only the program itself can report it.
    pub(crate) version: Option<Version>,
    /// Release day, if the package's index has it.
    pub(crate) released: Option<Date>,
    /// Variant in its rows: provider and allocator.
    pub(crate) variant: Vec<String>,
    pub(crate) features: Vec<String>,
    /// A package and its version to set in the lock file, unless it is there already.
    pub(crate) pin: Option<(String, String)>,
    /// Unreleased sources to build instead of a release.
    pub(crate) sources: Option<Checkout>,
    /// The package that the runner pins: `openssl-src`.
    pub(crate) package: Option<String>,
    pub(crate) needs: Vec<Need>,
    pub(crate) url: Option<String>,
}

impl Target {
    /// The program that generates certificates with these keys.
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

    /// The program without a library, to compare this one's size with.
    pub(super) fn alone(&self) -> Self {
        // With the same allocator, which does not count as the library's.
        let allocator = self.features.iter().filter(|f| *f == "jemalloc");
        let features: Vec<String> = allocator.cloned().collect();
        let (id, folder) = match (self.is_go(), features.is_empty()) {
            (true, _) => (format!("{}_alone", self.id), "go/alone"),
            (false, true) => ("alone".to_owned(), "alone"),
            (false, false) => ("alone_jemalloc".to_owned(), "alone"),
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

    /// Creates the target of `spec` for a runner and release. Without a release, only the program
    /// can report its version.
    pub(super) fn new(runner: &Runner, spec: &Spec, release: Option<Release>) -> Result<Self> {
        let released = release.as_ref().and_then(|release| release.released);
        let package = release.as_ref().and_then(|release| release.package.clone());
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
        let mut id = runner.word.clone();
        let number = version.as_ref().map(Version::as_str);
        let number = system.map_or(number, |_| Some("system"));
        for part in number.into_iter().chain(variant.iter().map(String::as_str)) {
            id += &format!("_{part}");
        }
        Ok(Self {
            id,
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

    /// Creates the target of unreleased sources. `wrapper` is the version of the package that wraps
    /// them.
    pub(super) fn of_sources(
        runner: &Runner,
        spec: &Spec,
        sources: Checkout,
        wrapper: Option<String>,
    ) -> Result<Self> {
        let version = sources.version.clone().unwrap_or_default();
        let release = Release {
            version: sources.shown(&version),
            released: sources.day,
            ..Release::default()
        };
        Ok(Self {
            pin: runner.pin.clone().zip(wrapper),
            // Unreleased sources have no release page.
            url: None,
            sources: Some(sources),
            ..Self::new(runner, spec, Some(release))?
        })
    }

    /// Whether the go command builds it, instead of cargo.
    pub(super) fn is_go(&self) -> bool {
        self.package.as_deref() == Some(go::TOOLCHAIN)
    }

    /// Name of its lock file.
    pub(super) fn lock(&self) -> &'static str {
        match self.is_go() {
            true => "go.mod",
            false => "Cargo.lock",
        }
    }

    /// The build command, for display.
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

    /// Name in messages, as on the pages: `rustls 0.23.43, ring, jemalloc`.
    pub(crate) fn name(&self) -> String {
        let version = self.version.iter().map(|version| format!(" {version}"));
        let variant = self.variant.iter().map(|word| format!(", {word}"));
        let more: String = version.chain(variant).collect();
        format!("{}{more}", self.implementation)
    }
}

/// Returns the provider and the allocator that `spec` names, else the defaults.
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
                " names two of a kind: give at most one provider and one allocator".to_owned(),
            );
        }
    }
    for Choice { word, releases, .. } in &chosen {
        if let (Some(releases), Some(version)) = (releases, version)
            && !runner::is_one_of(releases, version)
        {
            return refuse(format!(
                " cannot be measured: {word} is available for releases {releases}"
            ));
        }
    }
    Ok(chosen)
}
