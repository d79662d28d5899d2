//! What a connection negotiated, as its server writes it in the ServerHello and the messages after
//! it: for all libraries alike, whatever they report.

use crate::TlsVersion;

/// IANA's numbers of groups, by their names in lower case.
pub(crate) const GROUPS: [(&str, u16); 5] = [
    ("secp256r1", 23),
    ("secp384r1", 24),
    ("x25519", 29),
    ("secp256r1mlkem768", 4587),
    ("x25519mlkem768", 4588),
];

/// IANA's numbers of cipher suites, by their names.
pub(crate) const SUITES: [(&str, u16); 9] = [
    ("TLS_AES_128_GCM_SHA256", 0x1301),
    ("TLS_AES_256_GCM_SHA384", 0x1302),
    ("TLS_CHACHA20_POLY1305_SHA256", 0x1303),
    ("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 0xc02b),
    ("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", 0xc02c),
    ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 0xc02f),
    ("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", 0xc030),
    ("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", 0xcca8),
    ("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", 0xcca9),
];

/// The name of a number, or the number.
pub(crate) fn name(table: &[(&str, u16)], number: u16) -> String {
    match table.iter().find(|row| row.1 == number) {
        Some((name, _)) => (*name).to_owned(),
        None => format!("{number:#x}"),
    }
}

/// What a server has agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Negotiated {
    pub(crate) version: TlsVersion,
    pub(crate) suite: u16,
    /// Of the key exchange; `None` without one, as in a resumed handshake of TLS 1.2.
    pub(crate) group: Option<u16>,
    pub(crate) is_resumed: bool,
}

const CHANGE_CIPHER_SPEC: u16 = 20;
const HANDSHAKE: u16 = 22;
const SERVER_HELLO: u16 = 2;
const CERTIFICATE: u16 = 11;
const SERVER_KEY_EXCHANGE: u16 = 12;
const NAMED_CURVE: u16 = 3;
const PRE_SHARED_KEY: u16 = 41;
const SUPPORTED_VERSIONS: u16 = 43;
const KEY_SHARE: u16 = 51;
const TLS_1_2: u16 = 0x303;
const TLS_1_3: u16 = 0x304;

/// SHA-256 of "HelloRetryRequest", the random of a ServerHello that is none.
const RETRY: [u8; 8] = [0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11];

impl Negotiated {
    /// Parses a flight of a server; `None` without a whole ServerHello of a version from 1.2 on.
    pub(crate) fn parse(flight: &[u8]) -> Option<Self> {
        let messages = plain_messages(flight);
        let mut rest = Bytes(&messages);
        let mut found: Option<Self> = None;
        while let Some((kind, body)) = rest.message() {
            match (kind, &mut found) {
                (SERVER_HELLO, None) => found = Some(Self::of_hello(body)?),
                // In TLS 1.3 these are encrypted.
                (CERTIFICATE, Some(found)) => found.is_resumed = false,
                (SERVER_KEY_EXCHANGE, Some(found)) => {
                    let mut body = Bytes(body);
                    let is_named = body.number(1)? == NAMED_CURVE;
                    found.group = body.number(2).filter(|_| is_named);
                }
                _ => {}
            }
        }
        found
    }

    fn of_hello(body: &[u8]) -> Option<Self> {
        let mut hello = Bytes(body);
        let legacy = hello.number(2)?;
        if hello.take(32)?.starts_with(&RETRY) {
            return None;
        }
        let session = hello.number(1)?;
        hello.take(session.into())?;
        let suite = hello.number(2)?;
        hello.number(1)?;
        let (mut version, mut group, mut has_key) = (legacy, None, false);
        let size = hello.number(2).unwrap_or_default();
        let mut extensions = Bytes(hello.take(size.into())?);
        while let (Some(kind), Some(size)) = (extensions.number(2), extensions.number(2)) {
            let mut body = Bytes(extensions.take(size.into())?);
            match kind {
                SUPPORTED_VERSIONS => version = body.number(2)?,
                KEY_SHARE => group = body.number(2),
                PRE_SHARED_KEY => has_key = true,
                _ => {}
            }
        }
        let version = match version {
            TLS_1_2 => TlsVersion::V1_2,
            TLS_1_3 => TlsVersion::V1_3,
            _ => return None,
        };
        Some(Self {
            version,
            suite,
            group,
            // In TLS 1.2 unless certificates follow.
            is_resumed: has_key || version == TlsVersion::V1_2,
        })
    }
}

/// The content of the handshake records that are not encrypted.
fn plain_messages(flight: &[u8]) -> Vec<u8> {
    let mut messages = Vec::new();
    let mut rest = Bytes(flight);
    while let (Some(kind), Some(_version), Some(size)) =
        (rest.number(1), rest.number(2), rest.number(2))
    {
        match rest.take(size.into()) {
            Some(body) if kind == HANDSHAKE => messages.extend_from_slice(body),
            Some(_) if kind != CHANGE_CIPHER_SPEC => {}
            _ => break,
        }
    }
    messages
}

/// Bytes that are not parsed yet.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, size: usize) -> Option<u16> {
        let bytes = self.take(size)?;
        Some(bytes.iter().fold(0, |n, byte| n << 8 | u16::from(*byte)))
    }

    /// The next handshake message, of less than 64 KiB.
    fn message(&mut self) -> Option<(u16, &'a [u8])> {
        let kind = self.number(1)?;
        self.number(1)?;
        let size = self.number(2)?;
        Some((kind, self.take(size.into())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(flight: &[&[u8]]) -> Option<Negotiated> {
        Negotiated::parse(&flight.concat())
    }

    const RANDOM: [u8; 32] = [7; 32];

    #[test]
    fn hellos_of_tls_1_3() {
        // A share of X25519, after the version.
        let full = [
            0, 0x13, 1, 0, 0, 14, 0, 43, 0, 2, 3, 4, 0, 51, 0, 4, 0, 29, 0, 0,
        ];
        let start = [22, 3, 3, 0, 58, 2, 0, 0, 54, 3, 3];
        let encrypted = [20, 3, 3, 0, 1, 1, 22, 3, 3, 0, 4, 11, 0, 0, 0];
        let hello = [&start[..], &RANDOM, &full, &encrypted];
        let mut expected = Negotiated {
            version: TlsVersion::V1_3,
            suite: 0x1301,
            group: Some(29),
            is_resumed: false,
        };
        assert_eq!(parse(&hello), Some(expected));
        assert_eq!(parse(&hello[..2]), None);
        let retry = [&RETRY[..], &RANDOM[8..]].concat();
        assert_eq!(parse(&[&start, &retry, &full]), None);
        let resumed = [&full[..4], &[0, 20], &full[6..], &[0, 41, 0, 2, 0, 0]].concat();
        let start = [22, 3, 3, 0, 64, 2, 0, 0, 60, 3, 3];
        expected.is_resumed = true;
        assert_eq!(parse(&[&start, &RANDOM, &resumed]), Some(expected));
    }

    #[test]
    fn hellos_of_tls_1_2() {
        // No extensions, and a certificate and a curve in the next messages, in the same records.
        let hello = [22, 3, 3, 0, 50, 2, 0, 0, 38, 3, 3];
        let rest = [0, 0xc0, 0x2f, 0, 11, 0, 0, 0, 12, 0, 0, 4];
        let more = [22, 3, 3, 0, 4, 3, 0, 23, 0];
        let hello = [
            &hello[..],
            &RANDOM,
            &rest[..4],
            &rest[4..8],
            &rest[8..],
            &more,
        ];
        let mut expected = Negotiated {
            version: TlsVersion::V1_2,
            suite: 0xc02f,
            group: Some(23),
            is_resumed: false,
        };
        assert_eq!(parse(&hello), Some(expected));
        // Finished follows, encrypted.
        let hello = [22, 3, 3, 0, 42, 2, 0, 0, 38, 3, 3];
        let changed = [20, 3, 3, 0, 1, 1, 22, 3, 3, 0, 4, 11, 0, 0, 0];
        (expected.group, expected.is_resumed) = (None, true);
        assert_eq!(
            parse(&[&hello, &RANDOM, &rest[..4], &changed]),
            Some(expected)
        );
        assert_eq!(parse(&[]), None);
    }
}
