//! rustls' certificate verifier, wrapped to count its calls.

use crate::resumption::Counting;
use rustls::client::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier, WebPkiVerifier,
};
use rustls::{
    Certificate, DigitallySignedStruct, Error, RootCertStore, ServerName, SignatureScheme,
};
use std::sync::Arc;
use std::time::SystemTime;

pub(crate) fn new(roots: RootCertStore) -> Arc<dyn ServerCertVerifier> {
    Arc::new(Counting(WebPkiVerifier::new(roots, None)))
}

impl ServerCertVerifier for Counting<WebPkiVerifier> {
    fn verify_server_cert(
        &self,
        leaf: &Certificate,
        intermediates: &[Certificate],
        name: &ServerName,
        scts: &mut dyn Iterator<Item = &[u8]>,
        ocsp: &[u8],
        now: SystemTime,
    ) -> Result<ServerCertVerified, Error> {
        self.count()
            .verify_server_cert(leaf, intermediates, name, scts, ocsp, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &Certificate,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &Certificate,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }

    fn request_scts(&self) -> bool {
        self.0.request_scts()
    }
}
