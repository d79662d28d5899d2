//! The names of scenarios for people.

use crate::model::scenario::Group;

/// The name of a key-exchange group: `X25519MLKEM768`.
pub(crate) fn group(group: Group) -> &'static str {
    match group {
        Group::X25519 => "X25519",
        Group::X25519MlKem768 => "X25519MLKEM768",
        Group::Both => "X25519MLKEM768 and X25519",
        Group::Secp256r1 => "P-256",
        Group::Secp384r1 => "P-384",
        Group::Secp256r1MlKem768 => "SecP256r1MLKEM768",
    }
}
