//! Files of the repository that are embedded in this program, so that it needs no checkout: what
//! `init` writes, and what `run` compiles. `embedded/` links to each.

use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::path::PathBuf;

static SITE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/embedded/site");

/// The file that says which version of this program workflows install.
const GENERATOR: &str = ".github/generator";

/// What that file says: a release of the repository, or the package of the registry while the
/// repository's address is a placeholder.
fn pinned() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let address = env!("CARGO_PKG_REPOSITORY").strip_prefix("https://github.com/");
    let pinned = match address.filter(|name| *name != "OWNER/NAME") {
        Some(repository) => format!("{repository} v{version}"),
        None => format!("{} {version}", env!("CARGO_PKG_NAME")),
    };
    format!(
        "# The program that the workflows install, from the registry or, as owner/name and a tag, from a\n\
         # release. To raise the version, write it here and commit what its `generator ingest` changes.\n\
         {pinned}\n"
    )
}

static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/embedded/sources");

/// Contents of files by path.
pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Returns the files of a new site.
pub(crate) fn site() -> Files {
    let mut files = Files::new();
    add(&SITE, &mut files);
    files.insert(GENERATOR.into(), pinned().into());
    files
}

/// Returns the measuring programs, and the crate and the certificates that they share, in
/// `runners`,
/// `scenario` and `certificates`.
pub(crate) fn sources() -> Files {
    let mut files = Files::new();
    add(&SOURCES, &mut files);
    // Named otherwise in `embedded/`, since cargo packages no folder with a Cargo.toml of its own.
    let named = |(path, bytes): (PathBuf, Vec<u8>)| match path.ends_with("manifest.toml") {
        true => (path.with_file_name("Cargo.toml"), bytes),
        false => (path, bytes),
    };
    files.into_iter().map(named).collect()
}

fn add(dir: &Dir<'_>, files: &mut Files) {
    for file in dir.files() {
        files.insert(file.path().to_owned(), file.contents().to_owned());
    }
    dir.dirs().for_each(|dir| add(dir, files));
}
