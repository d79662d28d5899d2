//! Makes the certificates that all runners use.
//!
//! For RSA-2048 and for ECDSA P-256 a root, an intermediate, and leaves for a server and a
//! client, all keys of one kind and all signatures with SHA-256, as in the reference tools'
//! test CA. Chains hold leaf, intermediate and root.

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, PKCS_RSA_SHA256,
};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{EncodePrivateKey, LineEnding};
use rsa::rand_core::OsRng;
use rsa::traits::{PrivateKeyParts, PublicKeyParts};
use std::error::Error;
use std::fs;
use std::path::Path;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Writes `rsa/` and `ecdsa/` into `folder`, each with `root.pem`, and with chain and key as
/// `server.pem`, `server.key`, `client.pem` and `client.key`.
///
/// # Errors
/// If a file cannot be written.
pub fn make(folder: &Path) -> Result<()> {
    chain(&folder.join("rsa"), rsa_key)?;
    chain(&folder.join("ecdsa"), ecdsa_key)
}

fn chain(folder: &Path, key: fn() -> Result<KeyPair>) -> Result<()> {
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
fn rsa_key() -> Result<KeyPair> {
    const BITS: usize = 2048;
    let key = RsaPrivateKey::new(&mut OsRng, BITS)?;
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

fn ecdsa_key() -> Result<KeyPair> {
    Ok(KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?)
}
