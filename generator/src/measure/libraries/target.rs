//! A target to build and measure: a library with a release, a provider and an allocator.

use crate::base::failure::{Failure, Result};
use crate::measure::git::Sources;
use crate::measure::libraries::release::Release;
use crate::measure::libraries::table::{JEMALLOC, Library, MALLOC, Series};
use crate::model::implementation::Implementation;
use crate::model::version::Version;
use jiff::civil::Date;

/// The variant with the packages of the day on which the release was published.
const AS_RELEASED: &str = "as-released";

/// What the command line names: a library, those of its series that are meant, and the variant.
pub(super) struct Lookup<'a> {
    pub(super) text: &'a str,
    pub(super) library: &'a Library,
    pub(super) series: Vec<&'a Series>,
    pub(super) is_system: bool,
    /// Crypto provider, allocator: `ring`, `jemalloc`.
    pub(super) variant: Vec<&'a str>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    /// Name of its build folder: `rustls_0.23.43_aws-lc-rs`.
    pub(crate) id: String,
    pub(crate) library: Library,
    /// Name of the program's folder.
    pub(crate) folder: String,
    /// What its rows are of; without a version if only the program itself can report it.
    pub(crate) identity: Implementation,
    /// Release day, if the table or the package's index has it.
    pub(crate) released: Option<Date>,
    pub(crate) url: Option<String>,
    pub(crate) features: Vec<String>,
    /// What its build needs that cargo does not fetch.
    pub(crate) needs: Vec<String>,
    /// The version of the library's package, unless it is the locked one.
    pub(crate) pinned: Option<String>,
    /// The packages to build in the versions of the release day.
    pub(crate) as_released: Vec<String>,
    /// Unreleased sources in place of a release.
    pub(crate) sources: Option<Sources>,
}

impl Target {
    /// The program without a library, to compare this one's size with.
    pub(crate) fn alone(&self) -> Self {
        // With the same allocator, which does not count as the library's.
        let mut features = self.features.clone();
        features.retain(|feature| feature == JEMALLOC);
        Self {
            id: [&["alone".to_owned()], &*features].concat().join("_"),
            folder: "harness".to_owned(),
            identity: Implementation::new("the harness alone", "", &[]),
            features,
            ..Self::default()
        }
    }

    /// Creates the target of what is named, for a series and release. Of one without a version, only
    /// the program can report it.
    pub(super) fn new(named: &Lookup<'_>, series: &Series, release: Release) -> Result<Self> {
        let library = named.library;
        let system = library.system.as_ref().filter(|_| named.is_system);
        let mut target = Self {
            library: library.clone(),
            folder: series.folder.clone(),
            features: system.map_or(&series.features, |s| &s.features).clone(),
            needs: system.map_or(&library.needs, |s| &s.needs).clone(),
            ..Self::default()
        };
        let mut variant = target.choose(series, named)?;

        let version = release.version;
        if !version.is_empty() {
            let declared = library.dates.get(version.as_str()).copied();
            target.released = declared.or(release.released);
            target.url = library.url(&version);
            let is_locked = series.locked.as_ref() == Some(&version);
            let package = Some(release.package).filter(|package| !package.is_empty());
            target.pinned = package.filter(|_| !is_locked);
        }
        target.identity = Implementation {
            name: library.name.clone(),
            version,
            variant: variant.clone(),
        };
        let is_as_released = !target.as_released.is_empty();
        variant.extend(is_as_released.then(|| AS_RELEASED.to_owned()));
        let which = system.map_or(target.identity.version.as_str(), |_| "system");
        target.id = library.folder_name(which, &variant);
        Ok(target)
    }

    /// Adds the provider and the allocator that are named, else the defaults. Returns their names.
    fn choose(&mut self, series: &Series, named: &Lookup<'_>) -> Result<Vec<String>> {
        let (providers, allocators) = (&series.providers, &self.library.allocators);
        let mut words = named.variant.clone();
        let mut takes = |word: &str| {
            let place = words.iter().position(|other| *other == word);
            place.map(|place| words.remove(place)).is_some()
        };
        let provider = providers.iter().find(|provider| takes(&provider.word));
        let provider = provider.or(providers.first());
        let allocator = allocators.iter().find(|word| takes(word));
        let allocator = allocator.or(allocators.first());
        let packages = provider.map_or(&[][..], |provider| &provider.packages);
        if !packages.is_empty() && takes(AS_RELEASED) {
            self.as_released = packages.to_owned();
        }
        if let Some(word) = words.first() {
            let providers: Vec<&str> = providers.iter().map(|p| &*p.word).collect();
            return Err(Failure::Usage(format!(
                "`{}` has no variant `{word}`: give one of [{}] and one of [{}]",
                named.text,
                providers.join(", "),
                allocators.join(", ")
            )));
        }
        let mut variant = Vec::new();
        if let Some(provider) = provider {
            variant.push(provider.word.clone());
            self.features.push(provider.word.clone());
            self.features.extend(provider.features.iter().cloned());
        }
        if let Some(allocator) = allocator {
            // The system's is not named where it is the default.
            if [allocator, &allocators[0]] != [MALLOC; 2] {
                variant.push(allocator.clone());
            }
            if allocator == JEMALLOC {
                self.features.push(JEMALLOC.to_owned());
                self.needs.push("make".to_owned());
            }
        }
        Ok(variant)
    }

    /// Its release of Go, which builds the program.
    pub(crate) fn go(&self) -> Option<&Version> {
        Some(&self.identity.version).filter(|_| self.library.is_go())
    }

    /// Name of its program.
    pub(crate) fn program(&self) -> String {
        format!("runner-{}", self.folder)
    }

    /// The build command, for display.
    pub(crate) fn build_command(&self) -> String {
        if self.library.is_go() {
            return "go build -trimpath".to_owned();
        }
        let (folder, features) = (&self.folder, self.features.join(", "));
        format!("cargo build --release --locked of {folder} ({features})")
    }

    /// Name in messages, as on the pages: `rustls 0.23.43, ring, jemalloc`.
    pub(crate) fn name(&self) -> String {
        match self.as_released.is_empty() {
            true => self.identity.to_string(),
            false => format!("{}, as released", self.identity),
        }
    }
}
