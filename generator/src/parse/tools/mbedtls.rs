//! Mbed TLS `programs/test/benchmark`:
//!
//! ```text
//!   SHA-256                  :     405760 KiB/s,          5 cycles/byte
//!   RSA-2048                 :     1234  private/s    12345 heap bytes,     12 allocs
//!   ECDHE-secp256r1          :     1500 full handshake/s
//! ```
//!
//! `Kb/s` of old versions are KiB. A handshake is a key exchange alone.

use super::prelude::*;

static LINES: Lines<5> = Lines {
    pattern: Pattern::new(
        r"^  (\S.*?) *: +(\d+) (?:(KiB|KB|Kb)/s, +\d+ cycles/byte| *([a-z][a-z ]*)/s(?: +\d+ heap bytes, +\d+ allocs)?)$",
    ),
    marks: &[
        " cycles/byte",
        " private/s",
        " public/s",
        " keygen/s",
        " sign/s",
        " verify/s",
        "handshake/s",
        " agreement/s",
        " multiplication/s",
    ],
    expected: "`  NAME : N KiB/s, N cycles/byte` or `  NAME : N private/s`",
};

#[derive(Default)]
pub(super) struct Mbedtls;

impl Tool for Mbedtls {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if !line.starts_with("  ") || !line.contains(" :") {
            return Err(Foreign);
        }
        let [_, name, figure, bytes, operation] = LINES.find(line)?;
        out.of(Implementation::new("Mbed TLS", "", &[]));
        let figure = amount(figure)?;
        match bytes {
            "" => out.benchmark(&format!("{name} {operation}"), Unit::Rate, figure)?,
            _ => out.benchmark(name, Unit::Throughput, figure * 1024.0)?,
        }
        Ok(())
    }
}
