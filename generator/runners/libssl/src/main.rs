//! Measures the libraries with OpenSSL's C API: OpenSSL, BoringSSL and AWS-LC, one per feature, configured as
//! openssl-bench does.
#![allow(unsafe_code)]

mod end;
mod tls;

#[cfg(feature = "aws-lc")]
use aws_lc_sys as _;
#[cfg(feature = "boringssl")]
use boring_sys as _;
use end::End;
use harness::{
    Credentials, Error, Group, Identity, MeasureError, Resumption, Scenario, Tls, TlsVersion,
};
use std::ffi::CString;
use std::path::Path;
use std::process::ExitCode;
use std::ptr::NonNull;
use tls::{Context, non_null, succeeded};

fn main() -> ExitCode {
    harness::main::<Library>()
}

struct Library {
    client: NonNull<Context>,
    server: NonNull<Context>,
    is_resuming: bool,
}

// SAFETY: contexts are not modified after the first connection, and count their references atomically.
unsafe impl Sync for Library {}

impl Tls for Library {
    type Endpoint = End;
    const NAME: &'static str = if cfg!(feature = "openssl") {
        "OpenSSL"
    } else if cfg!(feature = "aws-lc") {
        "AWS-LC"
    } else {
        "BoringSSL"
    };

    /// `3.0.19` of `OpenSSL 3.0.19 27 Jan 2026`, `5.12.0` of `OpenSSL 1.1.1 (compatible; AWS-LC 5.12.0)`. BoringSSL has
    /// no releases: the version of the crate with its sources.
    fn version() -> String {
        let words: Vec<&str> = about().split(' ').collect();
        if let Some(version) = option_env!("BORING_VERSION") {
            return format!("boring-{version}");
        }
        match cfg!(feature = "openssl") {
            true => words[1].to_owned(),
            false => words[words.len() - 1].trim_end_matches(')').to_owned(),
        }
    }

    /// The release day in the library's text.
    fn released() -> Option<String> {
        const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
        let mut words = about().split_whitespace().skip(2);
        let day: u8 = words.next()?.parse().ok()?;
        let month = words.next().filter(|word| word.len() == 3)?;
        let month = MONTHS.find(month)? / 3 + 1;
        let year: u16 = words.next()?.parse().ok()?;
        Some(format!("{year}-{month:02}-{day:02}"))
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        let is_13 = scenario.version_or_default() == TlsVersion::V1_3;
        let is_stateful = scenario.resumption == Some(Resumption::SessionId);
        if cfg!(not(feature = "openssl")) && is_13 && is_stateful {
            return Err(MeasureError::unsupported(
                "no stateful resumption in TLS 1.3",
            ));
        }
        let (client, server) = (context(scenario)?, context(scenario)?);
        identify(server, &credentials.server)?;
        verify(client, &credentials.root)?;
        if scenario.mutual {
            identify(client, &credentials.client)?;
            verify(server, &credentials.root)?;
        }
        let is_resuming = scenario.resumption.is_some();
        if is_resuming {
            // SAFETY: contexts are never freed.
            unsafe { tls::runner_keep_session(client.as_ptr()) };
        }
        Ok(Self {
            client,
            server,
            is_resuming,
        })
    }

    fn client(&self) -> Result<End, Error> {
        End::new(self.client, self.is_resuming, true)
    }

    fn server(&self) -> Result<End, Error> {
        End::new(self.server, self.is_resuming, false)
    }
}

fn about() -> &'static str {
    // SAFETY: the text is never freed.
    unsafe { tls::text(tls::runner_about()) }.expect("the library says what it is")
}

/// Creates a context with one version, one suite, and one group if the scenario names it.
fn context(scenario: &Scenario) -> Result<NonNull<Context>, MeasureError> {
    let version = match scenario.version_or_default() {
        TlsVersion::V1_2 => 0x303,
        TlsVersion::V1_3 => 0x304,
    };
    let suite = CString::new(scenario.suite_or_default().iana_name())?;
    let resumes = scenario.resumption.is_some().into();
    let has_tickets = (scenario.resumption == Some(Resumption::Ticket)).into();
    // SAFETY: the name is NUL-terminated, and copied.
    let context = unsafe { tls::runner_context(version, suite.as_ptr(), resumes, has_tickets) };
    let context = non_null(context)?;
    if let Some(group) = scenario.group {
        let names = CString::new(names(scenario))?;
        let refuse = |_| MeasureError::unsupported(format!("no key exchange {group}"));
        // SAFETY: as above.
        let set = unsafe { tls::runner_set_groups(context.as_ptr(), names.as_ptr()) };
        succeeded(set).map_err(refuse)?;
    }
    Ok(context)
}

fn identify(context: NonNull<Context>, identity: &Identity) -> Result<(), Error> {
    let [chain, key] = [path(&identity.chain)?, path(&identity.key)?];
    // SAFETY: the paths are NUL-terminated.
    succeeded(unsafe { tls::runner_identify(context.as_ptr(), chain.as_ptr(), key.as_ptr()) })
}

fn verify(context: NonNull<Context>, root: &Path) -> Result<(), Error> {
    let root = path(root)?;
    // SAFETY: the path is NUL-terminated.
    succeeded(unsafe { tls::runner_verify(context.as_ptr(), root.as_ptr()) })
}

fn path(path: &Path) -> Result<CString, Error> {
    Ok(CString::new(path.as_os_str().as_encoded_bytes())?)
}

/// Returns the scenario's groups in the syntax of the library.
fn names(scenario: &Scenario) -> String {
    // OpenSSL 3.5 sends a share for each group with a mark. The others send one each for the first post-quantum
    // and the first classical group.
    let mark = match scenario.group {
        Some(Group::Both) if cfg!(feature = "openssl") => "*",
        _ => "",
    };
    let name = |group: Group| match group {
        Group::X25519 => "X25519",
        Group::X25519MlKem768 => "X25519MLKEM768",
        Group::Secp256r1 => "P-256",
        other => other.word(),
    };
    let groups = scenario.groups_and_curve().into_iter().flatten();
    let names: Vec<String> = groups
        .map(|group| format!("{mark}{}", name(group)))
        .collect();
    names.join(":")
}
