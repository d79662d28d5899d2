//! A table in CSV: a scenario a row, an implementation a column.
//!
//! ```text
//! scenario,OpenSSL 3.6.1,rustls 0.23.37
//! "transfer, 1.3, aes-256-gcm, sending",5844.35,7421.02
//! "full handshakes, 1.3, rsa, client",2788.76,6803.93
//! ```
//!
//! The first heading is `scenario`, or `cipher suite` where a column `N` makes it a table of
//! memory. A column `unit`, or a unit at the end of a heading such as `OpenSSL (KiB)`, says
//! what the figures are; else it is MiB/s for transfers, handshakes/s for handshakes and KiB
//! for memory.

use super::{Collector, records, tidy};

pub(super) fn recognise(head: &str) -> bool {
    let heading = records::first_record(head);
    let first = heading.first().map(|h| h.to_lowercase());
    let names_scenarios = matches!(first.as_deref(), Some("scenario" | "cipher suite"));
    names_scenarios && heading.len() > 1 && !tidy::recognise(head)
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    if let Some(table) = records::table(text, b',', csv::Trim::All, collector) {
        table.read(collector);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Format, tests::read};

    pub(in crate::parse) const FIXTURE: &str = "\
scenario,unit,OpenSSL 3.6.1,\"rustls 0.23.37, ring\",vs.
\"transfer, 1.3, aes-256-gcm, sending\",,5844.35,7421.02,1.27x
\"transfer, 1.3, aes-256-gcm, receiving\",MB/s,\"6,237.52\",n/a,
\"full handshakes, 1.3, rsa, client\",,2788.76,unsupported,
scenario,unit,OpenSSL 3.6.1,\"rustls 0.23.37, ring\",vs.
encode,µs,1.5,–,
";

    #[test]
    fn figures() {
        assert_eq!(
            read(Format::Wide, "table.csv", FIXTURE),
            [
                "2: OpenSSL 3.6.1: transfer, 1.3, aes-256-gcm, sending = 5844.35 MiB/s",
                "2: rustls 0.23.37, ring: transfer, 1.3, aes-256-gcm, sending = 7421.02 MiB/s",
                "3: OpenSSL 3.6.1: transfer, 1.3, aes-256-gcm, receiving = 5948.5626220703 MiB/s",
                "4: OpenSSL 3.6.1: full handshakes, 1.3, rsa, client = 2788.76 handshakes/s",
                "4: rustls 0.23.37, ring: full handshakes, 1.3, rsa, client unsupported: unsupported",
                "6: OpenSSL 3.6.1: encode = 1500 ns",
            ]
        );
    }

    #[test]
    fn problems() {
        let broken = "\
scenario,OpenSSL 3.6.1,rustls [furlongs],openssl 3.6.1
\"transfer, 1.3, sendin\",1,,2
\"transfer, 1.3, sending\",NaN,,-2
\"transfer, 1.3, receiving\",0x10,\"1,23\"
encode,1,,
\"memory, 1.3, 100 sessions\",0,,inf
";
        assert_eq!(
            read(Format::Wide, "table.csv", broken),
            [
                "1! no unit known as `furlongs` in `rustls [furlongs]`",
                "1! two columns of OpenSSL 3.6.1",
                "2! no field has the word `sendin` in the scenario `transfer, 1.3, sendin`",
                "3! OpenSSL 3.6.1: a figure must be positive and finite, not `NaN`",
                "3! openssl 3.6.1: a figure must be positive and finite, not `-2`",
                "4! 3 cells where the heading has 4: `transfer, 1.3, receiving | 0x10 | 1,23`",
                "5! OpenSSL 3.6.1: no unit is given for `encode`",
                "6! OpenSSL 3.6.1: a figure must be positive and finite, not `0`",
                "6! openssl 3.6.1: a figure must be positive and finite, not `inf`",
            ]
        );
        let units = "scenario,unit,OpenSSL (MiB/s)\n\"full handshakes, 1.3\",,1\n\"transfer, 1.3\",KiB,1\nx,furlongs,1\n";
        assert_eq!(
            read(Format::Wide, "table.csv", units),
            [
                "2! OpenSSL (MiB/s): `full handshakes, 1.3` is not measured in MiB/s",
                "3! OpenSSL (MiB/s): the heading and the row name different units",
                "4! no unit known as `furlongs`",
            ]
        );
    }
}
