//! A target to build and measure: a runner with a release, a provider and an allocator.

use crate::base::failure::{Failure, Result};
use crate::measure::libraries::checkout::Checkout;
use crate::measure::libraries::release::Release;
use crate::measure::libraries::runner::{Choice, Need, Runner};
use crate::measure::libraries::spec::{Spec, Which};
use crate::measure::tools::go;
use crate::model::implementation::Implementation;
use crate::model::version::Version;
use jiff::civil::Date;
use std::collections::BTreeMap;

/// The variant with the packages of the day on which the release was published.
pub(in crate::measure) const AS_RELEASED: &str = "as-released";

#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    /// Name of its build folder: `rustls_0.23.43_aws-lc-rs`.
    pub(crate) id: String,
    /// Name of the runner's folder.
    pub(crate) folder: String,
    /// What its rows are of; without a version if only the program itself can report it.
    pub(crate) identity: Implementation,
    /// Release day, if the runner or the package's index has it.
    pub(crate) released: Option<Date>,
    /// The package whose day of publication is the release day, if it has one.
    pub(crate) package: Option<String>,
    /// The packages to build in the versions of the release day.
    pub(crate) as_released: Vec<String>,
    /// Release days by version, where the program reports the version.
    pub(crate) dates: BTreeMap<String, Date>,
    pub(crate) features: Vec<String>,
    pub(crate) origin: Origin,
    pub(crate) needs: Vec<Need>,
    pub(crate) url: Option<String>,
}

/// Where a target's library comes from, and what builds its program.
#[derive(Clone, Debug, Default)]
pub(crate) enum Origin {
    /// By cargo, with the versions in the lock file.
    #[default]
    Locked,
    /// By cargo, with this version of the runner's package.
    Pinned { package: String, version: String },
    /// By cargo, with unreleased sources.
    Sources(Checkout),
    /// By the go command, with this release.
    Go(Version),
}

impl Target {
    /// The program without a library, to compare this one's size with.
    pub(in crate::measure) fn alone(&self) -> Self {
        // With the same allocator, which does not count as the library's.
        let mut features = self.features.clone();
        features.retain(|feature| feature == "jemalloc");
        let mut alone = Self {
            id: [&["alone".to_owned()], &*features].concat().join("_"),
            folder: "harness".to_owned(),
            identity: Implementation::new("the harness alone", "", &[]),
            features,
            ..Self::default()
        };
        if let Origin::Go(release) = &self.origin {
            alone.id = format!("{}_alone", self.id);
            alone.folder = "go/alone".to_owned();
            alone.identity.version = release.clone();
            alone.origin = self.origin.clone();
        }
        alone
    }

    /// Creates the target of `spec` for a runner and release. Without a release, only the program
    /// can report its version.
    pub(in crate::measure) fn new(
        runner: &Runner,
        spec: &Spec,
        release: Option<Release>,
    ) -> Result<Self> {
        let system = runner.system.as_ref();
        let system = system.filter(|_| spec.which == Which::System);
        let (version, released, package) = match release {
            Some(release) => {
                let declared = runner.dates.get(release.version.as_str()).copied();
                let released = declared.or(release.released);
                (Some(release.version), released, release.package)
            }
            None => (None, None, String::new()),
        };
        let is_as_released = spec.variant.iter().any(|word| word == AS_RELEASED);
        let chosen = choices(runner, spec)?;
        let packages = chosen.iter().flat_map(|choice| &choice.packages);
        let as_released: Vec<String> = packages.filter(|_| is_as_released).cloned().collect();
        if is_as_released && as_released.is_empty() {
            let (text, word) = (&spec.text, AS_RELEASED);
            return Err(Failure::Usage(format!(
                "`{text}`: no provider's packages are known to build it `{word}`"
            )));
        }
        let named = chosen.iter().filter(|choice| !choice.unnamed);
        let variant: Vec<String> = named.map(|choice| choice.word.clone()).collect();
        let base = system.map_or(&runner.features, |system| &system.features);
        let features = base.iter().chain(chosen.iter().flat_map(|c| &c.features));
        let origin = match (&runner.pin, &version) {
            (Some(pin), Some(version)) if pin == go::PIN => Origin::Go(version.clone()),
            (Some(pin), version) if version.is_some() && *version != runner.locked => {
                Origin::Pinned {
                    package: pin.clone(),
                    version: package,
                }
            }
            _ => Origin::Locked,
        };
        let applies = |need: &&Need| {
            need.variant.as_ref().is_none_or(|v| variant.contains(v))
                && need.system.is_none_or(|only| only == system.is_some())
        };
        let number = version.as_ref().map(Version::as_str);
        let number = system.map_or(number, |_| Some("system"));
        let mut parts = vec![runner.word.as_str()];
        parts.extend(number);
        parts.extend(variant.iter().map(String::as_str));
        parts.extend(is_as_released.then_some(AS_RELEASED));
        Ok(Self {
            id: parts.join("_"),
            folder: runner.folder.clone(),
            needs: runner.needs.iter().filter(applies).cloned().collect(),
            url: version.as_ref().and_then(|version| runner.url(version)),
            identity: Implementation {
                name: runner.implementation.clone(),
                version: version.unwrap_or_default(),
                variant,
            },
            features: features.cloned().collect(),
            released,
            as_released,
            package: runner.package.clone().or_else(|| runner.pin.clone()),
            dates: runner.dates.clone(),
            origin,
        })
    }

    /// Creates the target of unreleased sources.
    pub(in crate::measure) fn from_sources(
        runner: &Runner,
        spec: &Spec,
        sources: Checkout,
    ) -> Result<Self> {
        let release = Release {
            version: sources.shown(&sources.version),
            released: sources.state.day,
            ..Release::default()
        };
        Ok(Self {
            // Unreleased sources have no release page.
            url: None,
            origin: Origin::Sources(sources),
            ..Self::new(runner, spec, Some(release))?
        })
    }

    pub(in crate::measure) fn sources(&self) -> Option<&Checkout> {
        match &self.origin {
            Origin::Sources(sources) => Some(sources),
            _ => None,
        }
    }

    /// What its lock file is made of.
    pub(in crate::measure) fn inputs(&self) -> String {
        let origin = match &self.origin {
            Origin::Locked => String::new(),
            Origin::Go(release) => release.to_string(),
            Origin::Pinned { package, version } => format!("{package} {version}"),
            Origin::Sources(sources) => format!("{:?} {}", sources.wrapper, sources.digest),
        };
        format!("{origin} {:?} {:?} ", self.features, self.as_released)
    }

    /// Whether the go command builds it, instead of cargo.
    pub(in crate::measure) fn is_go(&self) -> bool {
        matches!(self.origin, Origin::Go(_))
    }

    /// Name of its lock file.
    pub(in crate::measure) fn lock(&self) -> &'static str {
        match self.is_go() {
            true => "go.mod",
            false => "Cargo.lock",
        }
    }

    /// The build command, for display.
    pub(in crate::measure) fn build_command(&self) -> String {
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
        match self.as_released.is_empty() {
            true => self.identity.to_string(),
            false => format!("{}, as released", self.identity),
        }
    }
}

/// Returns the provider and the allocator that `spec` names, else the defaults.
fn choices<'a>(runner: &'a Runner, spec: &Spec) -> Result<Vec<&'a Choice>> {
    let (text, name) = (&spec.text, &spec.word);
    let mut chosen = Vec::new();
    let mut left: Vec<&String> = spec.variant.iter().collect();
    left.retain(|word| **word != AS_RELEASED);
    for list in [&runner.variants, &runner.allocators] {
        let named = list.iter().find(|choice| left.contains(&&choice.word));
        left.retain(|word| named.is_none_or(|choice| choice.word != **word));
        chosen.extend(named.or(list.first()));
    }
    if let Some(word) = left.first() {
        let all: Vec<&str> = runner.choices().map(|c| c.word.as_str()).collect();
        let list = all.join(", ");
        return Err(Failure::Usage(match all.contains(&word.as_str()) {
            true => {
                format!("`{text}` names two of a kind: give at most one provider and one allocator")
            }
            false if all.is_empty() => format!("`{text}`: {name} has no variants"),
            false => format!("`{text}`: {name} has no variant `{word}`; it has {list}"),
        }));
    }
    Ok(chosen)
}
