//! A CSV table with a row per scenario and a column per implementation.
//!
//! ```text
//! scenario,OpenSSL 3.6.1,rustls 0.23.37
//! "transfer, 1.3, aes-256-gcm, sending",5844.35,7421.02
//! "full handshakes, 1.3, rsa, client",2788.76,6803.93
//! ```
//!
//! The first heading is `scenario`, or `cipher suite` in a memory table with a column `N`. The
//! unit is given by a column `unit` or at the end of a heading such as `OpenSSL (KiB)`; defaults
//! are MiB/s for transfers, handshakes/s for handshakes and KiB for memory.

use super::{Collector, records, tidy};

pub(super) fn recognise(head: &str) -> bool {
    let heading = records::first_record(head);
    let first = heading.first().map(|h| h.to_lowercase());
    let names_scenarios = matches!(first.as_deref(), Some("scenario" | "cipher suite"));
    names_scenarios && heading.len() > 1 && !tidy::recognise(head)
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    if let Some(table) = records::table(text, b',', csv::Trim::All, collector) {
        table.read(collector);
    }
}
