//! Certificates and keys, as files in PEM.

use crate::Scenario;
use std::path::{Path, PathBuf};

/// A certificate chain and its key.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Leaf, intermediate, root.
    pub chain: PathBuf,
    /// PKCS #8.
    pub key: PathBuf,
}

/// The identities and the trust anchor of both ends.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The root of both chains.
    pub root: PathBuf,
    /// For `localhost`.
    pub server: Identity,
    /// For mutual authentication.
    pub client: Identity,
}

impl Credentials {
    /// Those in the subfolder of the scenario's key type, such as `rsa/`.
    pub(crate) fn of(folder: &Path, scenario: &Scenario) -> Self {
        let folder = folder.join(scenario.key_or_default().word());
        let identity = |name: &str| Identity {
            chain: folder.join(name).with_extension("pem"),
            key: folder.join(name).with_extension("key"),
        };
        Self {
            root: folder.join("root.pem"),
            server: identity("server"),
            client: identity("client"),
        }
    }
}
