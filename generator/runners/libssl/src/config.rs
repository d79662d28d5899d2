//! Configures the contexts of both sides as openssl-bench does.

use crate::connection::End;
use crate::context::Context;
use crate::library;
use harness::{Credentials, Error, Group, Identity, MeasureError, Scenario, Tls, TlsVersion};
use std::ffi::CStr;

pub(crate) struct Library {
    client: Context,
    server: Context,
    is_resuming: bool,
}

const HOST: &CStr = c"localhost";

impl Tls for Library {
    type Endpoint = End;
    const NAME: &'static str = library::NAME;

    fn version() -> String {
        library::version()
    }

    fn released() -> Option<String> {
        library::released()
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        library::check(scenario)?;
        let mut client = context(scenario)?;
        let mut server = context(scenario)?;
        identify(&mut server, &credentials.server)?;
        client.verify(&credentials.root)?;
        if scenario.mutual {
            identify(&mut client, &credentials.client)?;
            server.verify(&credentials.root)?;
        }
        client.set_resumption(scenario.resumption, HOST)?;
        server.set_resumption(scenario.resumption, HOST)?;
        if scenario.resumption.is_some() {
            client.keep_first_session();
        }
        if let Some(bytes) = scenario.fragment {
            let refuse = |_| MeasureError::unsupported(format!("no fragments of {bytes} bytes"));
            server.set_max_send_fragment(bytes).map_err(refuse)?;
        }
        Ok(Self {
            client,
            server,
            is_resuming: scenario.resumption.is_some(),
        })
    }

    fn client(&self) -> Result<End, Error> {
        End::client(&self.client, HOST, self.is_resuming)
    }

    fn server(&self) -> Result<End, Error> {
        End::server(&self.server, self.is_resuming)
    }
}

/// Creates a context with one version, one suite, and one group if the scenario names it.
fn context(scenario: &Scenario) -> Result<Context, MeasureError> {
    let mut context = Context::new(match scenario.version_or_default() {
        TlsVersion::V1_2 => 0x303,
        TlsVersion::V1_3 => 0x304,
    })?;
    library::set_suite(&mut context, scenario)?;
    if let Some(group) = scenario.group {
        let refuse = |_| MeasureError::unsupported(format!("no key exchange {group}"));
        context.set_groups(&names(scenario)).map_err(refuse)?;
    }
    Ok(context)
}

/// Returns the scenario's groups in the syntax of the library.
fn names(scenario: &Scenario) -> String {
    let mark = match scenario.group {
        Some(Group::Both) => library::MARK_OF_SHARES,
        _ => "",
    };
    let name = |group| match group {
        Group::X25519 => "X25519",
        Group::Secp256r1 => "P-256",
        Group::Secp384r1 => "P-384",
        Group::Secp256r1MlKem768 => "SecP256r1MLKEM768",
        Group::X25519MlKem768 | Group::Both => "X25519MLKEM768",
    };
    let groups = scenario.groups_and_curve().into_iter().flatten();
    let names: Vec<String> = groups
        .map(|group| format!("{mark}{}", name(group)))
        .collect();
    names.join(":")
}

fn identify(context: &mut Context, identity: &Identity) -> Result<(), Error> {
    context.identify(&identity.chain, &identity.key)
}
