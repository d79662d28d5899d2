//! A runner without a library, as the baseline for the sizes of the others.

use crate::{Credentials, Endpoint, Error, MeasureError, Plaintext, Scenario, Tls, Wire};
use std::hint::black_box;
use std::process::ExitCode;

/// A library that does nothing. `black_box` keeps the compiler from removing the loops around it.
struct Nothing;

impl Tls for Nothing {
    type Endpoint = Self;
    const HAS_VECTORED_WRITE: bool = true;

    fn name() -> &'static str {
        "nothing"
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        black_box((scenario, credentials));
        black_box(Ok(Self))
    }

    fn client(&self) -> Result<Self, Error> {
        black_box(Ok(Self))
    }

    fn server(&self) -> Result<Self, Error> {
        black_box(Ok(Self))
    }
}

impl Endpoint for Nothing {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        black_box((from_peer, to_peer));
        black_box(Ok(()))
    }

    fn is_handshaking(&self) -> bool {
        black_box(false)
    }

    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        black_box((data, to_peer));
        black_box(Ok(()))
    }

    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error> {
        black_box((from_peer, into));
        black_box(Ok(()))
    }
}

/// The program without a library.
pub fn main(version: &'static str) -> ExitCode {
    crate::run::<Nothing>(version)
}
