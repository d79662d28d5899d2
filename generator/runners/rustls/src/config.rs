//! Configurations of both sides, as rustls-bench makes them.

use crate::buffered::Buffered;
use crate::end::End;
use crate::unbuffered::Unbuffered;
use harness::{
    Credentials, Error, Group, Identity, Method, Refusal, Resumption, Scenario, Tls, Version,
};
use rustls::client::Resumption as ClientSessions;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::{NoServerSessionStorage, ServerSessionMemoryCache, WebPkiClientVerifier};
use rustls::{ClientConfig, NamedGroup, RootCertStore, ServerConfig, SupportedProtocolVersion};
use std::sync::Arc;

#[cfg(feature = "aws-lc-rs")]
use rustls::crypto::aws_lc_rs as provider;
#[cfg(all(feature = "ring", not(feature = "aws-lc-rs")))]
use rustls::crypto::ring as provider;

const PROVIDER: &str = if cfg!(feature = "aws-lc-rs") {
    "aws-lc-rs"
} else {
    "ring"
};

/// IANA's number: early releases of 0.23 have no name for it. It comes first by default since
/// 0.23.27, through the default feature `prefer-post-quantum`.
const X25519_ML_KEM_768: u16 = 0x11ec;

/// Sessions that either side keeps, as in rustls-bench.
const SESSIONS: usize = 128;

pub(crate) struct Rustls {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
    name: ServerName<'static>,
    is_unbuffered: bool,
}

impl Tls for Rustls {
    type Endpoint = End;
    const NAME: &'static str = "rustls";

    fn version() -> String {
        env!("RUSTLS_VERSION").to_owned()
    }

    fn variant() -> Vec<String> {
        let allocator = cfg!(feature = "jemalloc").then_some("jemalloc");
        [Some(PROVIDER), allocator]
            .into_iter()
            .flatten()
            .map(str::to_owned)
            .collect()
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, Refusal> {
        if scenario.unbuffered && scenario.method == Some(Method::Vectored) {
            return Err(Refusal::unsupported(
                "the unbuffered API has no vectored write",
            ));
        }
        let provider = Arc::new(provider(scenario)?);
        let versions: &[&SupportedProtocolVersion] = match scenario.version() {
            Version::V1_2 => &[&rustls::version::TLS12],
            Version::V1_3 => &[&rustls::version::TLS13],
        };
        let roots = Arc::new(roots(credentials)?);
        Ok(Self {
            client: Arc::new(client(scenario, credentials, &provider, versions, &roots)?),
            server: Arc::new(server(scenario, credentials, &provider, versions, &roots)?),
            name: ServerName::try_from("localhost")?,
            is_unbuffered: scenario.unbuffered,
        })
    }

    fn client(&self) -> Result<End, Error> {
        let (config, name) = (self.client.clone(), self.name.clone());
        Ok(match self.is_unbuffered {
            true => End::Unbuffered(Unbuffered::client(config, name)),
            false => End::Buffered(Buffered::client(config, name)),
        })
    }

    fn server(&self) -> Result<End, Error> {
        let config = self.server.clone();
        Ok(match self.is_unbuffered {
            true => End::Unbuffered(Unbuffered::server(config)),
            false => End::Buffered(Buffered::server(config)),
        })
    }
}

/// The provider with the one suite, and the one group if the scenario names it.
fn provider(scenario: &Scenario) -> Result<CryptoProvider, Refusal> {
    let mut provider = provider::default_provider();
    let suite = scenario.suite();
    provider.cipher_suites.retain(|s| iana(s.suite()) == suite);
    if provider.cipher_suites.is_empty() {
        return Err(Refusal::unsupported(format!("{PROVIDER} has no {suite}")));
    }
    let hybrid = NamedGroup::from(X25519_ML_KEM_768);
    let wanted: &[NamedGroup] = match scenario.group {
        None => {
            if cfg!(prefers_post_quantum) {
                provider.kx_groups.sort_by_key(|g| g.name() != hybrid);
            }
            return Ok(provider);
        }
        Some(Group::X25519) => &[NamedGroup::X25519],
        Some(Group::X25519MlKem768) => &[hybrid],
        // rustls sends the share of the hybrid's classical part along if that is offered too.
        Some(Group::Both) => &[hybrid, NamedGroup::X25519],
        Some(Group::Secp256r1) => &[NamedGroup::secp256r1],
        Some(Group::Secp384r1) => &[NamedGroup::secp384r1],
    };
    let offered = std::mem::take(&mut provider.kx_groups);
    for name in wanted {
        let group = offered.iter().find(|g| g.name() == *name);
        let group = group.ok_or_else(|| {
            Refusal::unsupported(format!("{PROVIDER} has no key exchange {name:?}"))
        })?;
        provider.kx_groups.push(*group);
    }
    let is_hybrid = wanted[0] == hybrid;
    if is_hybrid && scenario.version() == Version::V1_2 {
        return Err(Refusal::unsupported(
            "TLS 1.2 has no post-quantum key exchange",
        ));
    }
    Ok(provider)
}

fn client(
    scenario: &Scenario,
    credentials: &Credentials,
    provider: &Arc<CryptoProvider>,
    versions: &[&'static SupportedProtocolVersion],
    roots: &Arc<RootCertStore>,
) -> Result<ClientConfig, Error> {
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(versions)?
        .with_root_certificates(roots.clone());
    let mut config = match scenario.mutual {
        true => {
            let (chain, key) = identity(&credentials.client)?;
            builder.with_client_auth_cert(chain, key)?
        }
        false => builder.with_no_client_auth(),
    };
    config.resumption = match scenario.resumption {
        Some(_) => ClientSessions::in_memory_sessions(SESSIONS),
        None => ClientSessions::disabled(),
    };
    Ok(config)
}

fn server(
    scenario: &Scenario,
    credentials: &Credentials,
    provider: &Arc<CryptoProvider>,
    versions: &[&'static SupportedProtocolVersion],
    roots: &Arc<RootCertStore>,
) -> Result<ServerConfig, Error> {
    let verifier = match scenario.mutual {
        true => {
            WebPkiClientVerifier::builder_with_provider(roots.clone(), provider.clone()).build()?
        }
        false => WebPkiClientVerifier::no_client_auth(),
    };
    let (chain, key) = identity(&credentials.server)?;
    let mut config = ServerConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(versions)?
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)?;
    match scenario.resumption {
        Some(Resumption::SessionId) => {
            config.session_storage = ServerSessionMemoryCache::new(SESSIONS);
        }
        Some(Resumption::Ticket) => config.ticketer = provider::Ticketer::new()?,
        None => config.session_storage = Arc::new(NoServerSessionStorage {}),
    }
    // rustls counts the record's header in.
    const HEADER: usize = 5;
    config.max_fragment_size = scenario.fragment.map(|n| n as usize + HEADER);
    Ok(config)
}

fn roots(credentials: &Credentials) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&credentials.root) {
        roots.add(certificate?)?;
    }
    Ok(roots)
}

type Chain = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn identity(identity: &Identity) -> Result<Chain, Error> {
    let chain = CertificateDer::pem_slice_iter(&identity.chain).collect::<Result<_, _>>()?;
    Ok((chain, PrivateKeyDer::from_pem_slice(&identity.key)?))
}

/// IANA's name: rustls puts `TLS13_` before the suites of that version.
pub(crate) fn iana(suite: rustls::CipherSuite) -> String {
    format!("{suite:?}").replace("TLS13_", "TLS_")
}
