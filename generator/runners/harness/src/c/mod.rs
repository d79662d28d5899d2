//! Libraries in C, by the functions of `runner.h`.
#![allow(unsafe_code)]

mod end;
mod functions;

use crate::hello::{GROUPS, SUITES};
use crate::{
    Credentials, Error, Group, Identity, MeasureError, Resumption, Scenario, Tls, TlsVersion,
    WriteMethod,
};
use end::End;
use functions::{Context, Settings, non_null, succeeded, text};
use std::ffi::{CString, c_int};
use std::path::Path;
use std::process::ExitCode;
use std::ptr::{self, NonNull};

/// The `main` of a runner whose library is in C, with the version of the library's package.
pub fn main(version: &'static str) -> ExitCode {
    crate::run::<Library>(version)
}

struct Library {
    client: NonNull<Context>,
    server: NonNull<Context>,
}

// SAFETY: contexts are not modified after the first connection, and the libraries let threads share them.
unsafe impl Sync for Library {}

impl Tls for Library {
    type Endpoint = End;
    /// Those without say so by `runner_unsupported`.
    const HAS_VECTORED_WRITE: bool = true;

    fn name() -> &'static str {
        about(0)
    }

    /// What the library says, or the start of the package's version.
    fn version() -> String {
        match about(1) {
            start if start.ends_with('-') => format!("{start}{}", crate::version()),
            version => version.to_owned(),
        }
    }

    fn released() -> Option<String> {
        Some(about(2).to_owned())
    }

    fn options() -> Option<String> {
        Some(about(3).to_owned())
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        let suite = scenario.suite_or_default().iana_name();
        let unknown = || MeasureError::unsupported(format!("no {suite}"));
        let groups = scenario.groups_and_curve().unwrap_or_default();
        let groups: Option<Vec<c_int>> = groups.iter().map(|g| number(&GROUPS, g.word())).collect();
        let groups = groups.ok_or_else(|| MeasureError::unsupported("an unknown key exchange"))?;
        let name = CString::new(suite.as_str())?;
        let settings = Settings {
            version: match scenario.version_or_default() {
                TlsVersion::V1_2 => 0x303,
                TlsVersion::V1_3 => 0x304,
            },
            suite: number(&SUITES, &suite).ok_or_else(unknown)?,
            suite_name: name.as_ptr(),
            groups: groups.as_ptr(),
            group_count: groups.len() as c_int,
            has_all_shares: (scenario.group == Some(Group::Both)).into(),
            resumes: scenario.resumption.is_some().into(),
            has_tickets: (scenario.resumption == Some(Resumption::Ticket)).into(),
            is_vectored: (scenario.method == Some(WriteMethod::Vectored)).into(),
            threads: scenario.threads.unwrap_or(1) as c_int,
        };
        // SAFETY: the settings and what they point to live until the end of this function.
        unsafe {
            if let Some(why) = text(functions::runner_unsupported(&raw const settings)) {
                return Err(MeasureError::unsupported(why));
            }
        }
        let context = |is_client| {
            // SAFETY: as above.
            non_null(unsafe { functions::runner_context(&raw const settings, is_client) })
        };
        let (client, server) = (context(1)?, context(0)?);
        let is_mutual = scenario.mutual;
        let root = &*credentials.root;
        trust(client, is_mutual.then_some(&credentials.client), Some(root))?;
        trust(server, Some(&credentials.server), is_mutual.then_some(root))?;
        Ok(Self { client, server })
    }

    fn client(&self) -> Result<End, Error> {
        End::new(self.client)
    }

    fn server(&self) -> Result<End, Error> {
        End::new(self.server)
    }
}

/// Returns a cell of `NAME,VERSION,RELEASED,OPTIONS`, of which the last may have commas.
fn about(cell: usize) -> &'static str {
    // SAFETY: the text is never freed.
    let about = unsafe { text(functions::runner_about()) };
    let cells = about.and_then(|about| about.splitn(4, ',').nth(cell));
    cells.expect("the library says what it is")
}

/// Sets the identity of a side, and the root that it requires of the other.
fn trust(
    context: NonNull<Context>,
    identity: Option<&Identity>,
    root: Option<&Path>,
) -> Result<(), Error> {
    let files = [
        identity.map(|identity| &*identity.chain),
        identity.map(|identity| &*identity.key),
        root,
    ];
    let mut paths = Vec::new();
    for file in files {
        paths.push(file.map(path).transpose()?);
    }
    let file = |at: usize| paths[at].as_ref().map_or(ptr::null(), |path| path.as_ptr());
    // SAFETY: the paths are NUL-terminated or null, and the context is never freed.
    succeeded(unsafe { functions::runner_trust(context.as_ptr(), file(0), file(1), file(2)) })
}

fn path(path: &Path) -> Result<CString, Error> {
    Ok(CString::new(path.as_os_str().as_encoded_bytes())?)
}

fn number(table: &[(&str, u16)], name: &str) -> Option<c_int> {
    let row = table.iter().find(|row| row.0 == name)?;
    Some(row.1.into())
}
