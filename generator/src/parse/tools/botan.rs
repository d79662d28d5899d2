//! `botan speed`:
//!
//! ```text
//! SHA-256 hash buffer size 1024 bytes: 656.205 MiB/sec 3.06 cycles/byte (32.81 MiB in 50.00 ms)
//! RSA-2048 EMSA1(SHA-256) 668 sign/sec; 1.50 ms/op 3881845 cycles/op (35 ops in 52 ms)
//! BigInt mul 256 7852257 /sec; 0.00 ms/op 244.00 cycles/op (78523 ops in 10.00 ms)
//! ```
//!
//! The tables of `--format=table` repeat the lines above them.

use super::json::botan::add;
use super::prelude::*;

static LINES: Lines<7> = Lines {
    pattern: Pattern::new(
        r"^(\S.*?) (?:buffer size (\d+) bytes: ([\d.]+) MiB/sec|(\d+) ([^\s\d].*?)?/sec; ([\d.]+) ms/op)\b.* \([\d.]+ (?:MiB|ops?) in [\d.]+ ms\)$",
    ),
    marks: &[" buffer size ", " MiB/sec", "/sec; ", " ms/op"],
    expected: "`… buffer size N bytes: R MiB/sec …` or `… N …/sec; T ms/op …`",
};

static VERSION: Pattern = Pattern::marked("Botan ", r"^Botan (\d\S*)");

/// Rates are printed as whole numbers, times in hundredths of a millisecond: below this rate, the
/// time has the smaller error, as 1 / R = 0.005 R / 1000.
const MIN_RATE: f64 = 447.0;

#[derive(Default)]
pub(super) struct Botan {
    version: String,
    /// Whether a table repeats the figures above.
    is_table: bool,
}

impl Tool for Botan {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if let Some([_, version]) = VERSION.groups(line) {
            self.version = version.to_owned();
            out.heading();
            self.is_table = false;
            return Ok(());
        }
        self.is_table |= line.starts_with("algo ") && line.contains(" operation ");
        let parts = match LINES.find(line) {
            Ok(parts) => parts,
            Err(Foreign) if self.is_table => return Ok(()),
            Err(taken) => return Err(taken),
        };
        out.of(Implementation::new("Botan", &self.version, &[]));
        match parts {
            [_, what, "", _, a_second, operation, millis] => {
                let rate = operations(a_second, millis)?;
                add(&format!("{what} {operation}"), None, rate, out)?;
            }
            [_, what, size, rate, ..] => {
                let bytes = integer(size).ok_or_else(|| cite("not a size of a buffer:", size))?;
                add(what, Some(bytes), measured(rate, MIB)?, out)?;
            }
        }
        Ok(())
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.is_table = false;
    }
}

/// The rate from `668` a second and `1.50` ms, of which the more precise one counts.
fn operations(a_second: &str, millis: &str) -> Result<f64, String> {
    let disagree = || format!("{a_second} a second are not {millis} ms each");
    let [Ok(whole), Ok(each)] = [a_second, millis].map(str::parse::<f64>) else {
        return Err(disagree());
    };
    // Both are rounded.
    let slowest = 1000.0 / (each + 0.006);
    let fastest = 1000.0 / (each - 0.006).max(f64::MIN_POSITIVE);
    match whole + 1.0 < slowest || whole > fastest {
        true => Err(disagree()),
        false if whole < MIN_RATE => Ok(1000.0 / each),
        false => Ok(whole),
    }
}
