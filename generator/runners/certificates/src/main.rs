//! Generates the certificates that all runners use: `certificates DIR KEY…`.
//!
//! Each key type has a root, an intermediate, and leaves for a server and a client, all with keys
//! of that type, as in the reference tools' test CA. Chains contain leaf, intermediate and root.

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, PKCS_RSA_SHA256, SignatureAlgorithm,
};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{EncodePrivateKey, LineEnding};
use rsa::rand_core::OsRng;
use rsa::traits::{PrivateKeyParts, PublicKeyParts};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

type KeyGenerator = fn() -> Result<KeyPair>;

/// Key types by their names in labels.
const KEY_TYPES: &[(&str, KeyGenerator)] = &[
    ("rsa", || rsa_key(2048)),
    ("rsa-4096", || rsa_key(4096)),
    ("ecdsa", || generate(&PKCS_ECDSA_P256_SHA256)),
    #[cfg(feature = "ml-dsa")]
    ("ml-dsa-44", || generate(&rcgen::PKCS_ML_DSA_44)),
    #[cfg(feature = "ml-dsa")]
    ("ml-dsa-65", || generate(&rcgen::PKCS_ML_DSA_65)),
    #[cfg(feature = "ml-dsa")]
    ("ml-dsa-87", || generate(&rcgen::PKCS_ML_DSA_87)),
];

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, keys @ ..] = arguments.as_slice() else {
        return Err("usage: certificates DIR KEY…".into());
    };
    keys.iter().try_for_each(|key| make(Path::new(folder), key))
}

fn generate(algorithm: &'static SignatureAlgorithm) -> Result<KeyPair> {
    Ok(KeyPair::generate_for(algorithm)?)
}

/// Writes the certificates of a key type into a subfolder with the type's name, such as `rsa/`:
/// `root.pem`, and chains and keys as `server.pem`, `server.key`, `client.pem` and `client.key`.
///
/// # Errors
/// The key type is unknown, or a file cannot be written.
fn make(folder: &Path, word: &str) -> Result<()> {
    let found = KEY_TYPES.iter().find(|(known, _)| *known == word);
    let (_, key) = found.ok_or_else(|| format!("unknown key type `{word}`"))?;
    let folder = folder.join(word);
    fs::create_dir_all(&folder)?;
    let root = authority("root");
    let root_key = key()?;
    let root_pem = root.self_signed(&root_key)?.pem();
    let root = Issuer::new(root, root_key);

    let intermediate = authority("intermediate");
    let intermediate_key = key()?;
    let intermediate_pem = intermediate.signed_by(&intermediate_key, &root)?.pem();
    let intermediate = Issuer::new(intermediate, intermediate_key);

    let purposes = [
        ("server", ExtendedKeyUsagePurpose::ServerAuth),
        ("client", ExtendedKeyUsagePurpose::ClientAuth),
    ];
    for (name, purpose) in purposes {
        let leaf_key = key()?;
        let leaf = leaf(name, purpose)?.signed_by(&leaf_key, &intermediate)?;
        let chain = [leaf.pem(), intermediate_pem.clone(), root_pem.clone()].concat();
        fs::write(folder.join(name).with_extension("pem"), chain)?;
        fs::write(
            folder.join(name).with_extension("key"),
            leaf_key.serialize_pem(),
        )?;
    }
    Ok(fs::write(folder.join("root.pem"), root_pem)?)
}

/// Parameters of a CA. rcgen's default validity outlives any machine.
fn authority(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

/// Parameters of a leaf for `localhost`, the name that runners' clients verify.
fn leaf(name: &str, purpose: ExtendedKeyUsagePurpose) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(["localhost".to_owned()])?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![purpose];
    Ok(params)
}

/// Generates an RSA key with its larger prime first, as OpenSSL, BoringSSL and *ring* do. With the
/// smaller prime first, Graviola 0.4.4 fails some signatures: its CRT subtraction modulo the first
/// prime expects the second half to be below it.
fn rsa_key(bits: usize) -> Result<KeyPair> {
    let key = RsaPrivateKey::new(&mut OsRng, bits)?;
    let mut primes = key.primes().to_vec();
    primes.sort_unstable_by(|a, b| b.cmp(a));
    let (n, e, d) = (key.n().clone(), key.e().clone(), key.d().clone());
    let key = RsaPrivateKey::from_components(n, e, d, primes)?;
    let pem = key.to_pkcs8_pem(LineEnding::LF)?;
    Ok(KeyPair::from_pkcs8_pem_and_sign_algo(
        &pem,
        &PKCS_RSA_SHA256,
    )?)
}
