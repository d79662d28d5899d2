//! Calls of the go command, which fetches any release of Go through the module proxy.

use super::cargo::{Artifacts, Crate};
use super::index::PackageVersion;
use super::process::text;
use crate::failure::Result;
use crate::fs;
use crate::version::Version;
use anyhow::anyhow;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// What a runner in Go pins: the module that has the releases of Go.
pub(crate) const TOOLCHAIN: &str = "golang.org/toolchain";

/// What a go command that is too old, or none, has to be replaced with.
const NEEDED: &str = "Go 1.21 or newer fetches other releases: Debian has it as golang-go from 13 on, and go.dev/dl for all systems";

/// The release in the `go.mod` of a folder. It chooses the defaults of crypto/tls too: a program
/// whose `go.mod` has an older one keeps those of that release.
pub(crate) fn locked(folder: &Path) -> Result<Option<Version>> {
    let text = String::from_utf8_lossy(&fs::read_whole(&folder.join("go.mod"))?).into_owned();
    let release = text.lines().find_map(|line| line.strip_prefix("go "));
    Ok(release.map(Version::from))
}

/// All releases and pre-releases; on which days they were made is not told here.
pub(crate) fn releases() -> Result<Vec<PackageVersion>> {
    let mut command = Command::new("go");
    command
        .args(["list", "-m", "-versions", "go"])
        // Outside of any module, which could ask for another release.
        .current_dir("/")
        .env("GOTOOLCHAIN", "local");
    let listed = printed(&mut command)?;
    let entry = |version: &str| PackageVersion {
        version: version.to_owned(),
        published: None,
        yanked: false,
    };
    Ok(listed.split_whitespace().skip(1).map(entry).collect())
}

/// Compiles the program in Go of a folder by a release, which `go.mod` names afterwards.
pub(crate) fn build(krate: &Crate, release: &Version) -> Result<Artifacts> {
    let toolchain = format!("go{release}");
    let go = |command: &mut Command| {
        command
            .current_dir(&krate.folder)
            .env("GOTOOLCHAIN", &toolchain)
            // So that a new folder is a build from nothing.
            .env("GOCACHE", krate.target.join("go"))
            .env("CGO_ENABLED", "0");
    };
    let path = krate.folder.join("go.mod");
    fs::write(
        &path,
        format!("module runner-go\n\ngo {release}\n").as_bytes(),
    )?;
    let mut asked = Command::new("go");
    go(asked.args(["env", "GOVERSION", "GOROOT"]));
    let said = printed(&mut asked)?;
    let (version, root) = said.trim_end().split_once('\n').unwrap_or((&said, ""));
    if version != toolchain {
        return Err(anyhow!("`go` is {version} and does not fetch {toolchain}. {NEEDED}").into());
    }
    let program = krate.target.join("runner-go");
    fs::create_folder(&krate.target)?;
    let mut command = Command::new("go");
    command
        .args(["build", "-trimpath", "-buildvcs=false", "-ldflags"])
        .arg(format!("-X main.released={}", day(Path::new(root))?))
        .arg("-o")
        .arg(&program)
        .arg(".");
    go(&mut command);
    krate.compile(&mut command)?;
    Ok(Artifacts {
        program,
        packages: BTreeSet::new(),
    })
}

/// The day on which a release was made, some days before it is announced: `time 2025-10-31T13:24:27Z`
/// in its file `VERSION`. Empty if it is not there.
fn day(root: &Path) -> Result<String> {
    let text = fs::read_whole(&root.join("VERSION"))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let time = text.lines().find_map(|line| line.strip_prefix("time "));
    let day = time.and_then(|time| time.split('T').next());
    Ok(day.unwrap_or_default().to_owned())
}

fn printed(command: &mut Command) -> Result<String> {
    let printed = text(command).map_err(|failure| failure.context(NEEDED))?;
    Ok(printed.map_err(|said| anyhow!("{command:?} fails: {said}"))?)
}
