//! A target to build and measure: a library with a release, a provider and an allocator.

use crate::base::failure::{Failure, Result};
use crate::measure::libraries::release::Release;
use crate::measure::libraries::sources::Sources;
use crate::measure::libraries::spec::{Spec, Which};
use crate::measure::libraries::table::{JEMALLOC, Library, Series};
use crate::model::implementation::Implementation;
use crate::model::version::Version;
use jiff::civil::Date;

/// The variant with the packages of the day on which the release was published.
const AS_RELEASED: &str = "as-released";

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
    pub(in crate::measure) fn alone(&self) -> Self {
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

    /// Creates the target of `spec` for a series and release. Without a release, only the program
    /// can report its version.
    pub(super) fn new(
        library: &Library,
        series: &Series,
        spec: &Spec,
        release: Option<Release>,
    ) -> Result<Self> {
        let system = library.system.as_ref();
        let system = system.filter(|_| spec.which == Which::System);
        let release = release.unwrap_or_default();
        let mut target = Self {
            library: library.clone(),
            folder: series.folder.clone(),
            features: system.map_or(&series.features, |s| &s.features).clone(),
            needs: system.map_or(&library.needs, |s| &s.needs).clone(),
            ..Self::default()
        };
        let mut variant = Vec::new();
        target.choose(&mut variant, series, spec)?;

        let version = release.version;
        if !version.is_empty() {
            let declared = library.dates.get(version.as_str()).copied();
            target.released = declared.or(release.released);
            target.url = library.url(&version);
            let is_locked = series.locked.as_ref() == Some(&version);
            let package = Some(release.package).filter(|package| !package.is_empty());
            target.pinned = package.filter(|_| !is_locked);
        }
        let which = system.map_or(version.as_str(), |_| "system");
        let mut parts = vec![library.word.as_str(), which];
        parts.extend(variant.iter().map(String::as_str));
        parts.extend((!target.as_released.is_empty()).then_some(AS_RELEASED));
        parts.retain(|part| !part.is_empty());
        target.id = parts.join("_");
        target.identity = Implementation {
            name: library.name.clone(),
            version,
            variant,
        };
        Ok(target)
    }

    /// Adds the provider and the allocator that `spec` names, else the defaults.
    fn choose(&mut self, variant: &mut Vec<String>, series: &Series, spec: &Spec) -> Result<()> {
        let (providers, allocators) = (&series.providers, &self.library.allocators);
        let is_named = |word: &String| spec.variant.contains(word);
        let provider = providers.iter().find(|p| is_named(&p.word));
        let provider = provider.or(providers.first());
        let allocator = allocators.iter().find(|word| is_named(word));
        let allocator = allocator.or(allocators.first());
        let is_as_released = spec.variant.iter().any(|word| word == AS_RELEASED);
        if is_as_released {
            self.as_released = provider.map_or(Vec::new(), |p| p.packages.clone());
        }
        for word in &spec.variant {
            let is_chosen = provider.is_some_and(|p| p.word == *word) || allocator == Some(word);
            if !is_chosen && (word != AS_RELEASED || self.as_released.is_empty()) {
                let of = |words: Vec<&str>| words.join(", ");
                let providers = of(providers.iter().map(|p| &*p.word).collect());
                let allocators = of(allocators.iter().map(String::as_str).collect());
                return Err(Failure::Usage(format!(
                    "`{}` has no variant `{word}`: give one of [{providers}] and one of [{allocators}]",
                    spec.text
                )));
            }
        }
        if let Some(provider) = provider {
            variant.push(provider.word.clone());
            self.features.push(provider.word.clone());
            self.features.extend(provider.features.iter().cloned());
        }
        if let Some(allocator) = allocator {
            variant.extend((!self.library.is_unnamed(allocator)).then(|| allocator.clone()));
            if allocator == JEMALLOC {
                self.features.push(JEMALLOC.to_owned());
                self.needs.push("make".to_owned());
            }
        }
        Ok(())
    }

    /// Its release of Go, which builds the program.
    pub(in crate::measure) fn go(&self) -> Option<&Version> {
        Some(&self.identity.version).filter(|_| self.library.is_go())
    }

    /// The build command, for display.
    pub(in crate::measure) fn build_command(&self) -> String {
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
