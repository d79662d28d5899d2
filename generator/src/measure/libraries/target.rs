//! A target to build and measure: a library with a release, a provider and an allocator.

use crate::base::failure::{Failure, Result};
use crate::measure::libraries::checkout::Checkout;
use crate::measure::libraries::library::{JEMALLOC, Library, Provider, Series};
use crate::measure::libraries::release::Release;
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
    /// The library's name on the command line: `rustls`.
    pub(crate) word: String,
    /// Name of the program's folder.
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
    /// What its build needs that cargo does not fetch.
    pub(crate) needs: Vec<String>,
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
        features.retain(|feature| feature == JEMALLOC);
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

    /// Creates the target of `spec` for a series and release. Without a release, only the program
    /// can report its version.
    pub(in crate::measure) fn new(
        library: &Library,
        series: &Series,
        spec: &Spec,
        release: Option<Release>,
    ) -> Result<Self> {
        let is_as_released = spec.variant.iter().any(|word| word == AS_RELEASED);
        let (provider, allocator) = choices(library, series, spec)?;
        let system = library.system.as_ref();
        let system = system.filter(|_| spec.which == Which::System);
        let (mut features, mut needs) = match system {
            Some(system) => (system.features.clone(), system.needs.clone()),
            None => (series.features.clone(), library.needs.clone()),
        };
        let (mut variant, mut as_released) = (Vec::new(), Vec::new());
        if let Some(provider) = provider {
            variant.push(provider.word.clone());
            features.push(provider.word.clone());
            features.extend(provider.features.iter().cloned());
            as_released.extend(provider.packages.iter().filter(|_| is_as_released).cloned());
        }
        if let Some(allocator) = allocator {
            variant.extend((!library.is_unnamed(allocator)).then(|| allocator.clone()));
            if allocator == JEMALLOC {
                features.push(JEMALLOC.to_owned());
                needs.push("make".to_owned());
            }
        }
        if is_as_released && as_released.is_empty() {
            let (text, word) = (&spec.text, AS_RELEASED);
            return Err(Failure::Usage(format!(
                "`{text}`: no provider's packages are known to build it `{word}`"
            )));
        }
        let (version, released, package) = match release {
            Some(release) => {
                let declared = library.dates.get(release.version.as_str()).copied();
                let released = declared.or(release.released);
                (Some(release.version), released, release.package)
            }
            None => (None, None, String::new()),
        };
        let origin = match (&library.pin, &version) {
            (Some(pin), Some(version)) if pin == go::PIN => Origin::Go(version.clone()),
            (Some(pin), version) if version.is_some() && *version != series.locked => {
                Origin::Pinned {
                    package: pin.clone(),
                    version: package,
                }
            }
            _ => Origin::Locked,
        };
        let number = version.as_ref().map(Version::as_str);
        let mut parts = vec![library.word.as_str()];
        parts.extend(system.map_or(number, |_| Some("system")));
        parts.extend(variant.iter().map(String::as_str));
        parts.extend(is_as_released.then_some(AS_RELEASED));
        Ok(Self {
            id: parts.join("_"),
            word: library.word.clone(),
            folder: series.folder.clone(),
            needs,
            url: version.as_ref().and_then(|version| library.url(version)),
            identity: Implementation {
                name: library.name.clone(),
                version: version.unwrap_or_default(),
                variant,
            },
            features,
            released,
            as_released,
            package: library.package.clone().or_else(|| library.pin.clone()),
            dates: library.dates.clone(),
            origin,
        })
    }

    /// Creates the target of unreleased sources.
    pub(in crate::measure) fn from_sources(
        library: &Library,
        series: &Series,
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
            ..Self::new(library, series, spec, Some(release))?
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
fn choices<'a>(
    library: &'a Library,
    series: &'a Series,
    spec: &Spec,
) -> Result<(Option<&'a Provider>, Option<&'a String>)> {
    let (providers, allocators) = (&series.providers, &library.allocators);
    let words = spec.variant.iter().filter(|word| *word != AS_RELEASED);
    let (mut provider, mut allocator) = (None, None);
    for word in words {
        if let (Some(found), None) = (providers.iter().find(|p| p.word == *word), provider) {
            provider = Some(found);
        } else if let (Some(found), None) = (allocators.iter().find(|a| *a == word), allocator) {
            allocator = Some(found);
        } else {
            let (text, name) = (&spec.text, &spec.word);
            let all = providers
                .iter()
                .map(|provider| &provider.word)
                .chain(allocators);
            let all: Vec<&str> = all.map(String::as_str).collect();
            let list = all.join(", ");
            return Err(Failure::Usage(match all.contains(&word.as_str()) {
                true => format!(
                    "`{text}` names two of a kind: give at most one provider and one allocator"
                ),
                false if all.is_empty() => format!("`{text}`: {name} has no variants"),
                false => format!("`{text}`: {name} has no variant `{word}`; it has {list}"),
            }));
        }
    }
    Ok((
        provider.or(providers.first()),
        allocator.or(allocators.first()),
    ))
}
