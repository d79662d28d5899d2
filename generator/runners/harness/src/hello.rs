//! The key exchange of a first connection, as its server writes it: not every library reports it.

use crate::clock::{Meter, SERVER};

/// IANA's numbers of groups, by their names in lower case.
pub(crate) const GROUPS: [(&str, i32); 5] = [
    ("secp256r1", 23),
    ("secp384r1", 24),
    ("x25519", 29),
    ("secp256r1mlkem768", 4587),
    ("x25519mlkem768", 4588),
];

/// A meter that keeps what the server sends.
#[derive(Default)]
pub(crate) struct ServerBytes(Vec<u8>);

impl Meter for ServerBytes {
    fn work<R>(&mut self, _end: usize, work: impl FnOnce() -> R) -> R {
        work()
    }

    fn note(&mut self, end: usize, _calls: u64, bytes: &[u8]) {
        if end == SERVER {
            self.0.extend_from_slice(bytes);
        }
    }
}

const HANDSHAKE_RECORD: u8 = 22;
const SERVER_HELLO: u8 = 2;
const SERVER_KEY_EXCHANGE: u8 = 12;
const KEY_SHARE: u16 = 51;
const NAMED_CURVE: u8 = 3;

impl ServerBytes {
    /// The group of the key exchange, by its name in lower case or IANA's number. `None` without
    /// one, as in a resumed handshake of TLS 1.2.
    pub(crate) fn group(&self) -> Option<String> {
        let number = i32::from(self.group_number()?);
        let known = GROUPS.iter().find(|(_, known)| *known == number);
        Some(known.map_or(format!("{number:#x}"), |(name, _)| (*name).to_owned()))
    }

    fn group_number(&self) -> Option<u16> {
        let messages = self.handshake_messages();
        let mut rest = Bytes(&messages);
        while let Some(kind) = rest.number(1) {
            let size = rest.number(3)?;
            let mut body = Bytes(rest.take(size)?);
            if kind == usize::from(SERVER_HELLO) {
                if let Some(group) = key_share(&mut body) {
                    return Some(group);
                }
            } else if kind == usize::from(SERVER_KEY_EXCHANGE) {
                let is_named = body.number(1)? == usize::from(NAMED_CURVE);
                return body.number(2).filter(|_| is_named).map(|n| n as u16);
            }
        }
        None
    }

    /// The content of the records that are not encrypted.
    fn handshake_messages(&self) -> Vec<u8> {
        let mut messages = Vec::new();
        let mut rest = Bytes(&self.0);
        while let (Some(kind), Some(_version), Some(size)) =
            (rest.number(1), rest.number(2), rest.number(2))
        {
            let Some(body) = rest.take(size) else { break };
            if kind == usize::from(HANDSHAKE_RECORD) {
                messages.extend_from_slice(body);
            }
        }
        messages
    }
}

/// The group in a ServerHello of TLS 1.3.
fn key_share(hello: &mut Bytes<'_>) -> Option<u16> {
    hello.take(2 + 32)?;
    let session = hello.number(1)?;
    hello.take(session + 2 + 1)?;
    let size = hello.number(2)?;
    let mut extensions = Bytes(hello.take(size)?);
    loop {
        let (kind, size) = (extensions.number(2)?, extensions.number(2)?);
        let mut body = Bytes(extensions.take(size)?);
        if kind == usize::from(KEY_SHARE) {
            return body.number(2).map(|number| number as u16);
        }
    }
}

/// Bytes that are not parsed yet.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, size: usize) -> Option<usize> {
        let bytes = self.take(size)?;
        Some(
            bytes
                .iter()
                .fold(0, |number, byte| number << 8 | usize::from(*byte)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(flight: &[&[u8]]) -> Option<String> {
        ServerBytes(flight.concat()).group()
    }

    #[test]
    fn groups_of_both_versions() {
        let random = [7; 32];
        // TLS 1.3: a share of X25519, after the version.
        let rest = [
            0, 0x13, 1, 0, 0, 14, 0, 43, 0, 2, 3, 4, 0, 51, 0, 4, 0, 29, 0, 0,
        ];
        let start = [22, 3, 3, 0, 58, 2, 0, 0, 54, 3, 3];
        let encrypted = [23, 3, 3, 0, 1, 9];
        let hello = [&start[..], &random, &rest, &encrypted];
        assert_eq!(group(&hello).as_deref(), Some("x25519"));
        assert_eq!(group(&hello[..2]), None);
        // TLS 1.2: no extensions, and a curve in the next message, which begins in the same record.
        let hello = [22, 3, 3, 0, 46, 2, 0, 0, 38, 3, 3];
        let rest = [0, 0xc0, 0x2f, 0, 12, 0, 0, 4, 22, 3, 3, 0, 4, 3, 0, 23, 0];
        let hello = [&hello[..], &random, &rest];
        assert_eq!(group(&hello).as_deref(), Some("secp256r1"));
        assert_eq!(group(&[]), None);
    }
}
