//! Configures the crypto provider and the certificates, from 0.24 on: providers are separate
//! crates, with a list of suites per version.

use crate::choice;
use harness::{Credentials, Error, MeasureError, Scenario, TlsVersion};
use rustls::crypto::kx::SupportedKxGroup;
use rustls::crypto::{CryptoProvider, Identity, TicketProducer};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::sync::Arc;

#[cfg(feature = "aws-lc-rs")]
use rustls_aws_lc_rs::DEFAULT_PROVIDER;
#[cfg(feature = "ring")]
use rustls_ring::DEFAULT_PROVIDER;

pub(crate) const PROVIDER: &str = if cfg!(feature = "aws-lc-rs") {
    "aws-lc-rs"
} else {
    "ring"
};

pub(crate) use rustls::crypto::CipherSuite;
pub(crate) use rustls::crypto::kx::NamedGroup;
pub(crate) use rustls::enums::ProtocolVersion;
pub(crate) type Name = ServerName<'static>;

/// Creates ticket producers, with the name and signature of earlier releases.
pub(crate) struct Ticketer;

impl Ticketer {
    #[expect(clippy::new_ret_no_self, reason = "as in earlier releases")]
    pub(crate) fn new() -> Result<Option<Arc<dyn TicketProducer>>, Error> {
        Ok(Some(DEFAULT_PROVIDER.ticketer_factory.ticketer()?))
    }
}

pub(crate) fn client(
    scenario: &Scenario,
    credentials: &Credentials,
) -> Result<ClientConfig, MeasureError> {
    let builder =
        ClientConfig::builder(provider(scenario)?).with_root_certificates(roots(credentials)?);
    Ok(match scenario.mutual {
        true => {
            let (chain, key) = identity(&credentials.client)?;
            builder.with_client_auth_cert(chain, key)?
        }
        false => builder.with_no_client_auth()?,
    })
}

pub(crate) fn server(
    scenario: &Scenario,
    credentials: &Credentials,
) -> Result<ServerConfig, MeasureError> {
    let provider = provider(scenario)?;
    let builder = ServerConfig::builder(provider.clone());
    let builder = match scenario.mutual {
        true => builder.with_client_cert_verifier(Arc::new(
            WebPkiClientVerifier::builder(roots(credentials)?, &provider).build()?,
        )),
        false => builder.with_no_client_auth(),
    };
    let (chain, key) = identity(&credentials.server)?;
    Ok(builder.with_single_cert(chain, key)?)
}

/// Returns the provider with only the scenario's suite, in the list of its version, and its group
/// if it names one.
fn provider(scenario: &Scenario) -> Result<Arc<CryptoProvider>, MeasureError> {
    let mut provider = DEFAULT_PROVIDER;
    let (suites_1_2, suites_1_3) = (
        provider.tls12_cipher_suites.to_mut(),
        provider.tls13_cipher_suites.to_mut(),
    );
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
    for certificate in CertificateDer::pem_slice_iter(&credentials.root) {
        roots.add(certificate?)?;
    }
    Ok(Arc::new(roots))
}

type Chain = (Arc<Identity<'static>>, PrivateKeyDer<'static>);

fn identity(identity: &harness::Identity) -> Result<Chain, Error> {
    let chain = CertificateDer::pem_slice_iter(&identity.chain).collect::<Result<_, _>>()?;
    let chain = Arc::new(Identity::from_cert_chain(chain)?);
    Ok((chain, PrivateKeyDer::from_pem_slice(&identity.key)?))
}
