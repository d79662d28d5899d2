//! Configures the crypto provider and the certificates, from 0.22 on. From 0.24 on providers are
//! separate crates, with a list of suites per version.

use crate::choice;
use harness::{Credentials, Error, Identity, MeasureError, Scenario, TlsVersion};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::sync::Arc;

#[cfg(not(feature = "buffers-outside"))]
mod api {
    pub(crate) use rustls::crypto::SupportedKxGroup;
    #[cfg(feature = "aws-lc-rs")]
    pub(crate) use rustls::crypto::aws_lc_rs as provider;
    #[cfg(feature = "ring")]
    pub(crate) use rustls::crypto::ring as provider;
    pub(crate) use rustls::{CipherSuite, NamedGroup};
    #[cfg(feature = "graviola")]
    pub(crate) use rustls_graviola as provider;

    pub(crate) use provider::Ticketer;
    pub(crate) type Certificates = Vec<rustls::pki_types::CertificateDer<'static>>;
}

#[cfg(feature = "buffers-outside")]
mod api {
    pub(crate) use rustls::crypto::CipherSuite;
    use rustls::crypto::TicketProducer;
    pub(crate) use rustls::crypto::kx::{NamedGroup, SupportedKxGroup};
    #[cfg(feature = "aws-lc-rs")]
    pub(crate) use rustls_aws_lc_rs as provider;
    #[cfg(feature = "ring")]
    pub(crate) use rustls_ring as provider;
    use std::sync::Arc;

    pub(crate) type Certificates = Arc<rustls::crypto::Identity<'static>>;

    /// Creates ticket producers, with the name and signature of earlier releases.
    pub(crate) struct Ticketer;

    impl Ticketer {
        #[expect(clippy::new_ret_no_self, reason = "as in earlier releases")]
        pub(crate) fn new() -> Result<Option<Arc<dyn TicketProducer>>, harness::Error> {
            Ok(Some(
                provider::DEFAULT_PROVIDER.ticketer_factory.ticketer()?,
            ))
        }
    }
}

use api::{Certificates, SupportedKxGroup};
pub(crate) use api::{CipherSuite, NamedGroup, Ticketer};
pub(crate) type Name = ServerName<'static>;

pub(crate) const PROVIDER: &str = if cfg!(feature = "aws-lc-rs") {
    "aws-lc-rs"
} else if cfg!(feature = "ring") {
    "ring"
} else {
    "graviola"
};

pub(crate) fn client(
    scenario: &Scenario,
    credentials: &Credentials,
) -> Result<ClientConfig, MeasureError> {
    let provider = provider(scenario)?;
    #[cfg(feature = "buffers-outside")]
    let builder = ClientConfig::builder(provider);
    #[cfg(not(feature = "buffers-outside"))]
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[version(scenario)])?;
    let builder = builder.with_root_certificates(roots(credentials)?);
    if scenario.mutual {
        let (chain, key) = identity(&credentials.client)?;
        return Ok(builder.with_client_auth_cert(chain, key)?);
    }
    let config = builder.with_no_client_auth();
    #[cfg(feature = "buffers-outside")]
    let config = config?;
    Ok(config)
}

pub(crate) fn server(
    scenario: &Scenario,
    credentials: &Credentials,
) -> Result<ServerConfig, MeasureError> {
    let provider = provider(scenario)?;
    #[cfg(feature = "buffers-outside")]
    let builder = ServerConfig::builder(provider.clone());
    #[cfg(not(feature = "buffers-outside"))]
    let builder = ServerConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[version(scenario)])?;
    let builder = if scenario.mutual {
        let roots = roots(credentials)?;
        #[cfg(feature = "buffers-outside")]
        let verifier = Arc::new(WebPkiClientVerifier::builder(roots, &provider).build()?);
        #[cfg(not(feature = "buffers-outside"))]
        let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build()?;
        builder.with_client_cert_verifier(verifier)
    } else {
        builder.with_no_client_auth()
    };
    let (chain, key) = identity(&credentials.server)?;
    Ok(builder.with_single_cert(chain, key)?)
}

/// Returns the provider with only the scenario's suite, and its group if it names one.
#[cfg(not(feature = "buffers-outside"))]
fn provider(scenario: &Scenario) -> Result<Arc<CryptoProvider>, MeasureError> {
    #[cfg(feature = "graviola")]
    if !graviola::util::is_cpu_supported() {
        return Err(MeasureError::unsupported(
            "Graviola needs a processor with AVX2 and ADX, or an Arm processor with AES and SHA-2",
        ));
    }
    let mut provider = api::provider::default_provider();
    let suite = rustls::SupportedCipherSuite::suite;
    choice::suite(scenario, &mut provider.cipher_suites, suite)?;
    choice::groups(scenario, &mut provider.kx_groups, SupportedKxGroup::name)?;
    Ok(Arc::new(provider))
}

#[cfg(not(feature = "buffers-outside"))]
fn version(scenario: &Scenario) -> &'static rustls::SupportedProtocolVersion {
    match scenario.version_or_default() {
        TlsVersion::V1_2 => &rustls::version::TLS12,
        TlsVersion::V1_3 => &rustls::version::TLS13,
    }
}

/// The same from 0.24 on, where a version without suites is not offered.
#[cfg(feature = "buffers-outside")]
fn provider(scenario: &Scenario) -> Result<Arc<CryptoProvider>, MeasureError> {
    let mut provider = api::provider::DEFAULT_PROVIDER;
    let suites_1_2 = provider.tls12_cipher_suites.to_mut();
    let suites_1_3 = provider.tls13_cipher_suites.to_mut();
    match scenario.version_or_default() {
        TlsVersion::V1_2 => {
            choice::suite(scenario, suites_1_2, |s| s.common.suite)?;
            suites_1_3.clear();
        }
        TlsVersion::V1_3 => {
            choice::suite(scenario, suites_1_3, |s| s.common.suite)?;
            suites_1_2.clear();
        }
    }
    let groups = provider.kx_groups.to_mut();
    choice::groups(scenario, groups, SupportedKxGroup::name)?;
    Ok(Arc::new(provider))
}

fn roots(credentials: &Credentials) -> Result<Arc<RootCertStore>, Error> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(&credentials.root)? {
        roots.add(certificate?)?;
    }
    Ok(Arc::new(roots))
}

fn identity(identity: &Identity) -> Result<(Certificates, PrivateKeyDer<'static>), Error> {
    let chain = CertificateDer::pem_file_iter(&identity.chain)?.collect::<Result<_, _>>()?;
    #[cfg(feature = "buffers-outside")]
    let chain = Arc::new(rustls::crypto::Identity::from_cert_chain(chain)?);
    Ok((chain, PrivateKeyDer::from_pem_file(&identity.key)?))
}
