//! The parameters of a scenario with a closed set of values. Each value has one word, used alike in
//! labels, data files and pages.

use std::fmt;

/// Defines an enum whose variants each have a word, with `Display` and `from_word`. The word is
/// part of the variant's documentation.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident => $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* #[doc = concat!("`", $word, "`")] $variant,)+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word for this value.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Parses a word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

words! {
    /// TLS protocol version.
    TlsVersion {
        V1_2 => "1.2",
        V1_3 => "1.3",
    }
}

words! {
    /// The server's key, and the client's in mutual authentication.
    KeyType {
        /// RSA, 2048 bits, as in the reference tools.
        Rsa2048 => "rsa",
        Rsa3072 => "rsa-3072",
        Rsa4096 => "rsa-4096",
        /// ECDSA on P-256, as in the reference tools.
        EcdsaP256 => "ecdsa",
        EcdsaP384 => "ecdsa-p384",
        EcdsaP521 => "ecdsa-p521",
        Ed25519 => "ed25519",
        MlDsa44 => "ml-dsa-44",
        MlDsa65 => "ml-dsa-65",
        MlDsa87 => "ml-dsa-87",
    }
}

impl KeyType {
    /// Whether it is ML-DSA, a post-quantum signature, which requires TLS 1.3.
    pub fn is_ml_dsa(self) -> bool {
        matches!(self, Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87)
    }
}

words! {
    /// Key-exchange group, or the groups of a client's key shares.
    Group {
        X25519 => "x25519",
        /// X25519 with ML-KEM-768, the post-quantum hybrid.
        X25519MlKem768 => "x25519mlkem768",
        /// Shares for both of the above in one ClientHello.
        Both => "x25519mlkem768+x25519",
        Secp256r1 => "secp256r1",
        Secp384r1 => "secp384r1",
        Secp256r1MlKem768 => "secp256r1mlkem768",
    }
}

impl Group {
    /// Whether it includes ML-KEM, which requires TLS 1.3.
    pub fn is_hybrid(self) -> bool {
        match self {
            Self::X25519 | Self::Secp256r1 | Self::Secp384r1 => false,
            Self::X25519MlKem768 | Self::Both | Self::Secp256r1MlKem768 => true,
        }
    }

    /// The groups of the client's key shares, in its order.
    pub fn shares(self) -> Vec<Self> {
        match self {
            Self::Both => vec![Self::X25519MlKem768, Self::X25519],
            one => vec![one],
        }
    }
}

words! {
    /// How a session is resumed.
    Resumption {
        /// By session id: the server keeps the session.
        SessionId => "session id",
        /// By ticket: the client keeps the session.
        Ticket => "ticket",
    }
}

words! {
    /// The end whose work is timed.
    Side {
        /// The sender of a transfer: plaintext to records.
        Sending => "sending",
        /// The receiver of a transfer: records to plaintext.
        Receiving => "receiving",
        Client => "client",
        Server => "server",
    }
}

words! {
    /// How several buffers are written.
    WriteMethod {
        /// One write for each buffer.
        Each => "write each",
        /// Copied into one buffer, then one write.
        Copy => "copy and write",
        Vectored => "vectored",
    }
}

words! {
    /// A percentile, or the minimum or maximum, by nearest rank: the value at rank ⌈p·n⌉.
    Percentile {
        Min => "min",
        /// The median.
        P50 => "P50",
        P90 => "P90",
        P99 => "P99",
        P999 => "P99.9",
        Max => "max",
    }
}
