//! Configures the contexts of both sides as openssl-bench does.

use crate::connection::End;
use crate::context::{Context, Received, Session};
use crate::library;
use harness::{
    Credentials, Error, Group, Identity, KeyType, MeasureError, Scenario, Tls, TlsVersion,
};
use std::ffi::CStr;
use std::sync::PoisonError;

pub(crate) struct Library {
    client: Context,
    server: Context,
    /// Receives the first session of a client, if the scenario resumes.
    received: Option<Received>,
    /// The session that clients resume.
    session: Option<Session>,
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
        let mut received = None;
        client.set_resumption(scenario.resumption, HOST)?;
        server.set_resumption(scenario.resumption, HOST)?;
        if scenario.resumption.is_some() {
            received = Some(client.keep_first_session()?);
        }
        if let Some(bytes) = scenario.fragment {
            let refuse = |_| MeasureError::unsupported(format!("no fragments of {bytes} bytes"));
            server.set_max_send_fragment(bytes).map_err(refuse)?;
        }
        Ok(Self {
            client,
            server,
            received,
            session: None,
        })
    }

    fn client(&self) -> Result<End, Error> {
        End::client(
            &self.client,
            HOST,
            self.received.is_some(),
            self.session.as_ref(),
        )
    }

    fn server(&self) -> Result<End, Error> {
        End::server(&self.server, self.received.is_some())
    }

    fn keep_session(&mut self, _client: &mut End) -> Result<(), Error> {
        let received = self.received.ok_or("no session is kept")?;
        let session = received
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.session = Some(session.ok_or("the server gave no session to resume")?);
        self.client.stop_caching();
        Ok(())
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
        set_group(&mut context, group, scenario)?;
    }
    Ok(context)
}

fn set_group(context: &mut Context, group: Group, scenario: &Scenario) -> Result<(), MeasureError> {
    let name = match group {
        Group::X25519 => "X25519",
        Group::Secp256r1 => "P-256",
        Group::Secp384r1 => "P-384",
        Group::X25519MlKem768 => "X25519MLKEM768",
        Group::Secp256r1MlKem768 => "SecP256r1MLKEM768",
        Group::Both => library::BOTH_SHARES,
    };
    let is_1_2 = scenario.version_or_default() == TlsVersion::V1_2;
    // In TLS 1.2 the groups must include the curve of an ECDSA certificate. The first is used.
    let curve = match scenario.key_or_default() {
        KeyType::EcdsaP256 => "P-256",
        KeyType::EcdsaP384 => "P-384",
        KeyType::EcdsaP521 => "P-521",
        _ => name,
    };
    let names = match is_1_2 && curve != name {
        true => format!("{name}:{curve}"),
        false => name.to_owned(),
    };
    let refuse = |_| MeasureError::unsupported(format!("no key exchange {}", group.word()));
    context.set_groups(&names).map_err(refuse)
}

fn identify(context: &mut Context, identity: &Identity) -> Result<(), Error> {
    context.identify(&identity.chain, &identity.key)
}
