//! Contexts of both sides, as openssl-bench makes them.

use crate::crates::api;
use crate::end::{End, Stack};
use crate::{control, library};
use api::pkey::PKey;
use api::ssl::{
    Ssl, SslContext, SslContextBuilder, SslMethod, SslOptions, SslSession, SslSessionCacheMode,
    SslVerifyMode, SslVersion,
};
use api::x509::X509;
use api::x509::store::{X509Store, X509StoreBuilder};
use harness::{
    Credentials, Error, Group, Identity, KeyType, MeasureError, Resumption, Scenario, Tls,
    TlsVersion,
};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct Library {
    client: SslContext,
    server: SslContext,
    is_resuming: bool,
    /// The first session that the server gave, put here by the client's callback.
    given: Arc<Mutex<Option<SslSession>>>,
    /// What clients resume.
    session: Option<SslSession>,
}

const HOST: &str = "localhost";

impl Tls for Library {
    type Endpoint = End;
    const NAME: &'static str = library::NAME;

    fn version() -> String {
        library::version()
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        library::check(scenario)?;
        let mut client = context(scenario)?;
        let mut server = context(scenario)?;
        identify(&mut server, &credentials.server)?;
        client.set_cert_store(store(credentials)?);
        client.set_verify(SslVerifyMode::PEER);
        if scenario.mutual {
            identify(&mut client, &credentials.client)?;
            server.set_cert_store(store(credentials)?);
            server.set_verify(SslVerifyMode::PEER | SslVerifyMode::FAIL_IF_NO_PEER_CERT);
        }
        let given = Arc::default();
        if let Some(resumption) = scenario.resumption {
            enable_resumption(&mut client, resumption)?;
            enable_resumption(&mut server, resumption)?;
            keep_first(&mut client, &given);
        }
        let server = server.build();
        if let Some(bytes) = scenario.fragment
            && !library::set_max_send_fragment(&server, bytes)
        {
            return Err(MeasureError::unsupported(format!(
                "no fragments of {bytes} bytes"
            )));
        }
        Ok(Self {
            client: client.build(),
            server,
            is_resuming: scenario.resumption.is_some(),
            given,
            session: None,
        })
    }

    fn client(&self) -> Result<End, Error> {
        let mut ssl = Ssl::new(&self.client)?;
        library::set_side(&mut ssl, true);
        ssl.set_hostname(HOST)?;
        ssl.param_mut().set_host(HOST)?;
        if let Some(session) = &self.session {
            control::resume(&mut ssl, session)?;
        }
        Ok(End::new(ssl, self.is_resuming)?)
    }

    fn server(&self) -> Result<End, Error> {
        let mut ssl = Ssl::new(&self.server)?;
        library::set_side(&mut ssl, false);
        Ok(End::new(ssl, self.is_resuming)?)
    }

    fn keep_session(&mut self, _client: &mut End) -> Result<(), Error> {
        let given = self
            .given
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.session = Some(given.ok_or("the server gave no session to resume")?);
        library::stop_caching(&self.client);
        Ok(())
    }
}

/// One version, one suite, and one group if the scenario names it.
fn context(scenario: &Scenario) -> Result<SslContextBuilder, MeasureError> {
    let mut context = SslContextBuilder::new(SslMethod::tls())?;
    context.set_options(SslOptions::NO_COMPRESSION | SslOptions::NO_RENEGOTIATION);
    let version = match scenario.version_or_default() {
        TlsVersion::V1_2 => SslVersion::TLS1_2,
        TlsVersion::V1_3 => SslVersion::TLS1_3,
    };
    context.set_min_proto_version(Some(version))?;
    context.set_max_proto_version(Some(version))?;
    library::set_suite(&mut context, scenario)?;
    if let Some(group) = scenario.group {
        set_group(&mut context, group, scenario)?;
    }
    Ok(context)
}

fn set_group(
    context: &mut SslContextBuilder,
    group: Group,
    scenario: &Scenario,
) -> Result<(), MeasureError> {
    let name = match group {
        Group::X25519 => "X25519",
        Group::Secp256r1 => "P-256",
        Group::Secp384r1 => "P-384",
        Group::X25519MlKem768 => "X25519MLKEM768",
        Group::Secp256r1MlKem768 => "SecP256r1MLKEM768",
        Group::Both => library::BOTH_SHARES,
    };
    let is_old = scenario.version_or_default() == TlsVersion::V1_2;
    // In TLS 1.2 the curve of an ECDSA certificate has to be among the groups; the first is taken.
    let curve = match scenario.key_or_default() {
        KeyType::EcdsaP256 => "P-256",
        KeyType::EcdsaP384 => "P-384",
        KeyType::EcdsaP521 => "P-521",
        _ => name,
    };
    let names = match is_old && curve != name {
        true => format!("{name}:{curve}"),
        false => name.to_owned(),
    };
    library::set_groups(context, &names)
        .map_err(|_| MeasureError::unsupported(format!("no key exchange {}", group.word())))
}

fn identify(context: &mut SslContextBuilder, identity: &Identity) -> Result<(), Error> {
    let mut chain = X509::stack_from_pem(&identity.chain)?.into_iter();
    context.set_certificate(chain.next().as_ref().ok_or("no certificate")?)?;
    for certificate in chain {
        context.add_extra_chain_cert(certificate)?;
    }
    Ok(context.set_private_key(PKey::private_key_from_pem(&identity.key)?.as_ref())?)
}

fn store(credentials: &Credentials) -> Result<X509Store, Stack> {
    let mut store = X509StoreBuilder::new()?;
    store.add_cert(X509::from_pem(&credentials.root)?)?;
    Ok(store.build())
}

fn enable_resumption(context: &mut SslContextBuilder, how: Resumption) -> Result<(), Stack> {
    context.set_session_cache_mode(SslSessionCacheMode::BOTH);
    if how == Resumption::SessionId {
        context.set_options(SslOptions::NO_TICKET);
    }
    context.set_session_id_context(HOST.as_bytes())
}

fn keep_first(client: &mut SslContextBuilder, given: &Arc<Mutex<Option<SslSession>>>) {
    let given = Arc::clone(given);
    client.set_new_session_callback(move |_, session| {
        let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
        given.get_or_insert(session);
    });
}
