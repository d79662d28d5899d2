//! Makes the certificates that all runners use.
//!
//! For each kind of key a root, an intermediate, and leaves for a server and a client, all with keys
//! of that kind, as in the reference tools' test CA. Chains hold leaf, intermediate and root.

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, PKCS_ECDSA_P384_SHA384, PKCS_ED25519, PKCS_RSA_SHA256,
    SignatureAlgorithm,
};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{EncodePrivateKey, LineEnding};
use rsa::rand_core::OsRng;
use rsa::traits::{PrivateKeyParts, PublicKeyParts};
use std::error::Error;
use std::fs;
use std::path::Path;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

type Maker = fn() -> Result<KeyPair>;

/// How the keys of each word of a label are made. ring makes none of P-521.
const MAKERS: &[(&str, Maker)] = &[
    ("rsa", || rsa_key(2048)),
    ("rsa-3072", || rsa_key(3072)),
    ("rsa-4096", || rsa_key(4096)),
    ("ecdsa", || generate(&PKCS_ECDSA_P256_SHA256)),
    ("ecdsa-p384", || generate(&PKCS_ECDSA_P384_SHA384)),
    ("ed25519", || generate(&PKCS_ED25519)),
    #[cfg(feature = "ml-dsa")]
    ("ml-dsa-44", || generate(&rcgen::PKCS_ML_DSA_44)),
    #[cfg(feature = "ml-dsa")]
    ("ml-dsa-65", || generate(&rcgen::PKCS_ML_DSA_65)),
    #[cfg(feature = "ml-dsa")]
    ("ml-dsa-87", || generate(&rcgen::PKCS_ML_DSA_87)),
];

/// Writes a folder for a kind of key into `folder`, both named as in labels: `rsa/`. It has
/// `root.pem`, and chain and key as `server.pem`, `server.key`, `client.pem` and `client.key`.
///
/// # Errors
/// If there is no such kind, or a file cannot be written.
pub fn make(folder: &Path, key: &str) -> Result<()> {
    let Some((_, maker)) = MAKERS.iter().find(|(word, _)| *word == key) else {
        let words: Vec<&str> = MAKERS.iter().map(|(word, _)| *word).collect();
        return Err(format!("no kind of key: `{key}`; there are {}", words.join(", ")).into());
    };
    chain(&folder.join(key), maker)
}

fn generate(algorithm: &'static SignatureAlgorithm) -> Result<KeyPair> {
    Ok(KeyPair::generate_for(algorithm)?)
}

fn chain(folder: &Path, key: &Maker) -> Result<()> {
    fs::create_dir_all(folder)?;
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

/// Valid for as long as rcgen's default says: beyond the life of any machine.
fn authority(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

/// The client of a runner asks for `localhost`.
fn leaf(name: &str, purpose: ExtendedKeyUsagePurpose) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(["localhost".to_owned()])?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![purpose];
    Ok(params)
}

/// With its larger prime first, as OpenSSL's, BoringSSL's and ring's generators have it. With
/// the smaller one first, Graviola 0.4.4 fails some signatures: its difference of the two halves
/// modulo the first prime wants the second half below it.
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
