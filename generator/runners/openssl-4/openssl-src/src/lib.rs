//! Builds OpenSSL, whichever release `Cargo.lock` says.

pub use source::*;
