//! Before rustls 0.23.5 a connection does not say whether it was resumed, but its work with
//! certificates shows it: in a full handshake the server signs with its certificate's key and the
//! client verifies that certificate, and in a resumed one neither happens. (rustls has no suite
//! without certificates.) So a key and a verifier wrap rustls' own and count the calls. They add one
//! call and, on the server, one box of 16 bytes to a signature.
//!
//! Counting that misses calls is noticed: the harness requires the first handshake to be full.

use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::{CertifiedKey, Signer, SigningKey};
use rustls::{CommonState, Error, SignatureAlgorithm, SignatureScheme};
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

thread_local! {
    /// Servers' signatures and clients' verifications on this thread. One end works at a time, so
    /// what is added during its turn is its own.
    static AUTHENTICATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Whether one end of one connection has authenticated.
#[derive(Default)]
pub(crate) struct ResumptionCheck {
    has_authenticated: bool,
}

impl ResumptionCheck {
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

/// What a server answers each client with.
pub(crate) fn resolver(mut certified: CertifiedKey) -> Arc<dyn ResolvesServerCert> {
    certified.key = Arc::new(Counting(certified.key));
    Arc::new(Counting(Arc::new(certified)))
}

impl ResolvesServerCert for Counting<Arc<CertifiedKey>> {
    /// Asked in resumed handshakes too, so this is no evidence.
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
