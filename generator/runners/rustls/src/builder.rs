//! Configures the crypto provider and the certificates, from 0.22 on.

use crate::choice;
use harness::{Credentials, Error, Identity, MeasureError, Scenario, TlsVersion};
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::WebPkiClientVerifier;
use rustls::{
    ClientConfig, RootCertStore, ServerConfig, SupportedCipherSuite, SupportedProtocolVersion,
};
use std::sync::Arc;

#[cfg(feature = "aws-lc-rs")]
use rustls::crypto::aws_lc_rs as provider;
#[cfg(feature = "ring")]
use rustls::crypto::ring as provider;
#[cfg(feature = "graviola")]
use rustls_graviola as provider;

pub(crate) const PROVIDER: &str = if cfg!(feature = "aws-lc-rs") {
    "aws-lc-rs"
} else if cfg!(feature = "ring") {
    "ring"
} else {
    "graviola"
};

pub(crate) use provider::Ticketer;
pub(crate) use rustls::{CipherSuite, NamedGroup, ProtocolVersion};
pub(crate) type Name = ServerName<'static>;

pub(crate) fn client(
    scenario: &Scenario,
    credentials: &Credentials,
) -> Result<ClientConfig, MeasureError> {
    let builder = ClientConfig::builder_with_provider(provider(scenario)?)
        .with_protocol_versions(&versions(scenario))?
        .with_root_certificates(roots(credentials)?);
    Ok(match scenario.mutual {
        true => {
            let (chain, key) = identity(&credentials.client)?;
            builder.with_client_auth_cert(chain, key)?
        }
        false => builder.with_no_client_auth(),
    })
}

pub(crate) fn server(
    scenario: &Scenario,
    credentials: &Credentials,
) -> Result<ServerConfig, MeasureError> {
    let provider = provider(scenario)?;
    let verifier = match scenario.mutual {
        true => WebPkiClientVerifier::builder_with_provider(roots(credentials)?, provider.clone())
            .build()?,
        false => WebPkiClientVerifier::no_client_auth(),
    };
    let (chain, key) = identity(&credentials.server)?;
    Ok(ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&versions(scenario))?
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)?)
}

/// Returns the provider with only the scenario's suite, and its group if it names one.
fn provider(scenario: &Scenario) -> Result<Arc<CryptoProvider>, MeasureError> {
    #[cfg(feature = "graviola")]
    if !graviola::util::is_cpu_supported() {
        return Err(MeasureError::unsupported(
            "Graviola needs a processor with AVX2 and ADX, or an Arm processor with AES and SHA-2",
        ));
    }
    let mut provider = provider::default_provider();
    choice::suite(
        scenario,
        &mut provider.cipher_suites,
        SupportedCipherSuite::suite,
    )?;
    choice::groups(scenario, &mut provider.kx_groups, SupportedKxGroup::name)?;
    Ok(Arc::new(provider))
}

fn versions(scenario: &Scenario) -> [&'static SupportedProtocolVersion; 1] {
    match scenario.version_or_default() {
        TlsVersion::V1_2 => [&rustls::version::TLS12],
        TlsVersion::V1_3 => [&rustls::version::TLS13],
    }
}

fn roots(credentials: &Credentials) -> Result<Arc<RootCertStore>, Error> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&credentials.root) {
        roots.add(certificate?)?;
    }
    Ok(Arc::new(roots))
}

type Chain = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn identity(identity: &Identity) -> Result<Chain, Error> {
    let chain = CertificateDer::pem_slice_iter(&identity.chain).collect::<Result<_, _>>()?;
    Ok((chain, PrivateKeyDer::from_pem_slice(&identity.key)?))
}
