//! Configures suites, groups and certificates, up to 0.21.

use crate::choice;
use harness::{Credentials, Error, Identity, MeasureError, Scenario, TlsVersion};
use rustls::server::{AllowAnyAuthenticatedClient, NoClientAuth};
use rustls::{
    ALL_CIPHER_SUITES, ALL_KX_GROUPS, Certificate, ClientConfig, ConfigBuilder, ConfigSide,
    PrivateKey, RootCertStore, ServerConfig, ServerName, SupportedCipherSuite,
    SupportedProtocolVersion, WantsCipherSuites, WantsVerifier,
};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

pub(crate) const PROVIDER: &str = "ring";

pub(crate) use rustls::{CipherSuite, NamedGroup, Ticketer};
pub(crate) type Name = ServerName;

pub(crate) fn client(
    scenario: &Scenario,
    credentials: &Credentials,
) -> Result<ClientConfig, MeasureError> {
    let builder =
        builder(ClientConfig::builder(), scenario)?.with_root_certificates(roots(credentials)?);
    Ok(match scenario.mutual {
        true => {
            let (chain, key) = identity(&credentials.client)?;
            // The only name in early releases.
            #[allow(deprecated)]
            builder.with_single_cert(chain, key)?
        }
        false => builder.with_no_client_auth(),
    })
}

pub(crate) fn server(
    scenario: &Scenario,
    credentials: &Credentials,
) -> Result<ServerConfig, MeasureError> {
    #[cfg(feature = "resumption")]
    let verifier = match scenario.mutual {
        true => AllowAnyAuthenticatedClient::new(roots(credentials)?).boxed(),
        false => NoClientAuth::boxed(),
    };
    #[cfg(not(feature = "resumption"))]
    let verifier = match scenario.mutual {
        true => AllowAnyAuthenticatedClient::new(roots(credentials)?),
        false => NoClientAuth::new(),
    };
    let (chain, key) = identity(&credentials.server)?;
    Ok(builder(ServerConfig::builder(), scenario)?
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)?)
}

/// Sets the scenario's suite and version, and its group if it names one.
fn builder<S: ConfigSide>(
    builder: ConfigBuilder<S, WantsCipherSuites>,
    scenario: &Scenario,
) -> Result<ConfigBuilder<S, WantsVerifier>, MeasureError> {
    let mut suites = ALL_CIPHER_SUITES.to_vec();
    choice::suite(scenario, &mut suites, SupportedCipherSuite::suite)?;
    let mut groups = ALL_KX_GROUPS.to_vec();
    choice::groups(scenario, &mut groups, |g| g.name)?;
    let version: &SupportedProtocolVersion = match scenario.version_or_default() {
        TlsVersion::V1_2 => &rustls::version::TLS12,
        TlsVersion::V1_3 => &rustls::version::TLS13,
    };
    Ok(builder
        .with_cipher_suites(&suites)
        .with_kx_groups(&groups)
        .with_protocol_versions(&[version])?)
}

fn roots(credentials: &Credentials) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(&credentials.root)? {
        roots.add(&Certificate(certificate?.to_vec()))?;
    }
    Ok(roots)
}

fn identity(identity: &Identity) -> Result<(Vec<Certificate>, PrivateKey), Error> {
    let chain = CertificateDer::pem_file_iter(&identity.chain)?
        .map(|certificate| Ok(Certificate(certificate?.to_vec())))
        .collect::<Result<_, Error>>()?;
    let key = PrivateKeyDer::from_pem_file(&identity.key)?;
    Ok((chain, PrivateKey(key.secret_der().to_vec())))
}
