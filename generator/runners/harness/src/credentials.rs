//! Loads certificates and keys from a folder of PEM files.

use crate::Scenario;
use std::fs;
use std::path::{Path, PathBuf};

/// A certificate chain and its key.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Leaf, intermediate, root, in PEM.
    pub chain: Vec<u8>,
    /// PKCS #8 in PEM.
    pub key: Vec<u8>,
}

/// The identities and the trust anchor of both ends.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The root of both chains, in PEM.
    pub root: Vec<u8>,
    /// For `localhost`.
    pub server: Identity,
    /// For mutual authentication.
    pub client: Identity,
}

impl Credentials {
    /// Reads the subfolder of the scenario's key type, such as `rsa/`, which contains `root.pem`,
    /// `server.pem`, `server.key`, `client.pem` and `client.key`.
    pub(crate) fn load(folder: &Path, scenario: &Scenario) -> Result<Self, String> {
        let folder = folder.join(scenario.key_or_default().word());
        let identity = |name: &str| {
            Ok::<_, String>(Identity {
                chain: read(folder.join(name).with_extension("pem"))?,
                key: read(folder.join(name).with_extension("key"))?,
            })
        };
        Ok(Self {
            root: read(folder.join("root.pem"))?,
            server: identity("server")?,
            client: identity("client")?,
        })
    }
}

fn read(path: PathBuf) -> Result<Vec<u8>, String> {
    fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))
}
