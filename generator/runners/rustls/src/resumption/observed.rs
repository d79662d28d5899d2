//! Detects resumption before rustls 0.23.5, where connections do not report it.
//!
//! In a full handshake the server signs with its certificate's key, and the client verifies that
//! certificate; in a resumed one neither happens. (rustls has no suite without certificates.) So
//! the key and the verifier are wrapped to count these calls. That adds one call per signature and,
//! on the server, one box of 16 bytes.
//!
//! A miscount would be detected: the harness requires the first handshake to be full.

use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::{CertifiedKey, Signer, SigningKey};
use rustls::{CommonState, Error, SignatureAlgorithm, SignatureScheme};
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

thread_local! {
    /// Servers' signatures and clients' verifications on this thread. Only one end works at a time,
    /// so calls during its turn are its own.
    static AUTHENTICATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Whether one end of one connection has authenticated.
#[derive(Default)]
pub(crate) struct ResumptionCheck {
    has_authenticated: bool,
}

impl ResumptionCheck {
    /// Runs one turn of a handshake.
    pub(crate) fn turn<T>(&mut self, turn: impl FnOnce() -> T) -> T {
        let before = AUTHENTICATIONS.get();
        let done = turn();
        self.has_authenticated |= AUTHENTICATIONS.get() > before;
        done
    }

    pub(crate) fn was_resumed(&self, state: &CommonState) -> bool {
        !state.is_handshaking() && !self.has_authenticated
    }
}

/// A wrapper that forwards all calls, and counts those made only in full handshakes.
pub(crate) struct Counting<T>(pub(crate) T);

impl<T> Counting<T> {
    pub(crate) fn count(&self) -> &T {
        AUTHENTICATIONS.set(AUTHENTICATIONS.get() + 1);
        &self.0
    }
}

impl<T> fmt::Debug for Counting<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Counting")
    }
}

/// Creates a resolver for the server's certificate, with its key wrapped.
pub(crate) fn resolver(mut certified: CertifiedKey) -> Arc<dyn ResolvesServerCert> {
    certified.key = Arc::new(Counting(certified.key));
    Arc::new(Counting(Arc::new(certified)))
}

impl ResolvesServerCert for Counting<Arc<CertifiedKey>> {
    /// Not counted, because resumed handshakes call it too.
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

impl SigningKey for Counting<Arc<dyn SigningKey>> {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let signer = self.0.choose_scheme(offered)?;
        Some(Box::new(Counting(signer)))
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }
}

impl Signer for Counting<Box<dyn Signer>> {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.count().sign(message)
    }

    fn scheme(&self) -> SignatureScheme {
        self.0.scheme()
    }
}
