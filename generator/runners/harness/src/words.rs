//! The closed sets of words that a scenario's label is made of, spelt as the generator spells
//! them (`generator/src/scenario`).

/// Defines an enum whose variants each have one word.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident => $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// The word for this value.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The value of a word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

words! {
    /// What is done again and again.
    Workload {
        /// 1 MiB writes from the server to the client.
        Transfer => "transfer",
        /// Handshakes with certificates and key exchange.
        FullHandshake => "full handshakes",
        /// Handshakes that take up an earlier session.
        ResumedHandshake => "resumed handshakes",
        /// Peak memory of a process with many sessions.
        Memory => "memory",
        /// The time of each full handshake.
        FullLatency => "latency of full handshakes",
        /// The time of each resumed handshake.
        ResumedLatency => "latency of resumed handshakes",
        /// Writing several buffers at once.
        Writes => "writes",
        /// Making a ClientHello.
        ClientHello => "client hello",
    }
}

words! {
    /// TLS protocol version.
    Version {
        /// TLS 1.2
        V1_2 => "1.2",
        /// TLS 1.3
        V1_3 => "1.3",
    }
}

words! {
    /// The cipher that protects records.
    Cipher {
        /// AES-128-GCM
        Aes128Gcm => "aes-128-gcm",
        /// AES-256-GCM
        Aes256Gcm => "aes-256-gcm",
        /// ChaCha20-Poly1305
        ChaCha20Poly1305 => "chacha20-poly1305",
    }
}

words! {
    /// The keys of the certificates.
    Key {
        /// RSA, 2048 bits.
        Rsa2048 => "rsa",
        /// ECDSA on P-256.
        EcdsaP256 => "ecdsa",
    }
}

words! {
    /// Key-exchange group, or what a ClientHello has key shares for.
    Group {
        /// X25519
        X25519 => "x25519",
        /// X25519 with ML-KEM-768.
        X25519MlKem768 => "x25519mlkem768",
        /// Shares for both of the above in one ClientHello.
        Both => "x25519mlkem768+x25519",
        /// NIST P-256
        Secp256r1 => "secp256r1",
        /// NIST P-384
        Secp384r1 => "secp384r1",
    }
}

words! {
    /// How a session is resumed.
    Resumption {
        /// The server keeps the session.
        SessionId => "session id",
        /// The client keeps the session.
        Ticket => "ticket",
    }
}

words! {
    /// Whose work is timed.
    Side {
        /// Plaintext to records.
        Sending => "sending",
        /// Records to plaintext.
        Receiving => "receiving",
        /// The client of a handshake.
        Client => "client",
        /// The server of a handshake.
        Server => "server",
    }
}

words! {
    /// How several buffers are written.
    Method {
        /// One write for each buffer.
        Each => "write each",
        /// Copied into one buffer, then one write.
        Copy => "copy and write",
        /// One vectored write.
        Vectored => "vectored",
    }
}

impl Cipher {
    /// The end of a suite's name in IANA's registry.
    fn iana(self) -> &'static str {
        match self {
            Self::Aes128Gcm => "AES_128_GCM_SHA256",
            Self::Aes256Gcm => "AES_256_GCM_SHA384",
            Self::ChaCha20Poly1305 => "CHACHA20_POLY1305_SHA256",
        }
    }
}

/// The cipher suite's name in IANA's registry, such as `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`.
pub(crate) fn suite(version: Version, key: Key, cipher: Cipher) -> String {
    let exchange = match (version, key) {
        (Version::V1_3, _) => "",
        (Version::V1_2, Key::Rsa2048) => "ECDHE_RSA_WITH_",
        (Version::V1_2, Key::EcdsaP256) => "ECDHE_ECDSA_WITH_",
    };
    format!("TLS_{exchange}{}", cipher.iana())
}
