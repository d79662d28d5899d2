//! Before rustls 0.23.5 a connection does not tell, but what it does with certificates shows it:
//! in every full handshake the server signs with the key of its certificate and the client
//! verifies that certificate, and in a resumed one there is none to sign for or to verify. (rustls
//! has no suite without certificates.) So a key and a verifier that pass everything on to rustls'
//! own, and count, are witnesses for each end. What they add is one call and, on the server, one
//! box of 16 bytes to a signature.
//!
//! A witness that sees nothing is noticed: the harness demands that the first handshake is full.

use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::{CertifiedKey, Signer, SigningKey};
use rustls::{CommonState, Error, SignatureAlgorithm, SignatureScheme};
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

thread_local! {
    /// Servers' signatures and clients' verifications on this thread. One end is at work at a
    /// time, so what is added during its turn is its own.
    static AUTHENTICATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Watches one end of one connection.
#[derive(Default)]
pub(crate) struct Watch {
    has_authenticated: bool,
}

impl Watch {
    /// A turn of a handshake.
    pub(crate) fn turn<T>(&mut self, turn: impl FnOnce() -> T) -> T {
        let before = AUTHENTICATIONS.get();
        let done = turn();
        self.has_authenticated |= AUTHENTICATIONS.get() > before;
        done
    }

    pub(crate) fn was_resumed(&self, state: Option<&CommonState>) -> bool {
        state.is_some_and(|s| !s.is_handshaking()) && !self.has_authenticated
    }
}

/// Passes all calls on to what it holds, and counts those that only a full handshake makes.
pub(crate) struct Witness<T>(pub(crate) T);

impl<T> Witness<T> {
    pub(crate) fn note(&self) -> &T {
        AUTHENTICATIONS.set(AUTHENTICATIONS.get() + 1);
        &self.0
    }
}

impl<T> fmt::Debug for Witness<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Witness")
    }
}

/// What a server answers each client with.
pub(crate) fn resolver(mut certified: CertifiedKey) -> Arc<dyn ResolvesServerCert> {
    certified.key = Arc::new(Witness(certified.key));
    Arc::new(Witness(Arc::new(certified)))
}

impl ResolvesServerCert for Witness<Arc<CertifiedKey>> {
    /// Asked in resumed handshakes too, so this is no evidence.
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

impl SigningKey for Witness<Arc<dyn SigningKey>> {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let signer = self.0.choose_scheme(offered)?;
        Some(Box::new(Witness(signer)))
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }
}

impl Signer for Witness<Box<dyn Signer>> {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.note().sign(message)
    }

    fn scheme(&self) -> SignatureScheme {
        self.0.scheme()
    }
}
