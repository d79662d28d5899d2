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

/// Writes a folder for each kind of key into `folder`, named as in labels: `rsa/`. It has `root.pem`,
/// and chain and key as `server.pem`, `server.key`, `client.pem` and `client.key`.
///
/// # Errors
/// If a file cannot be written.
pub fn make(folder: &Path) -> Result<()> {
    chain(&folder.join("rsa"), rsa_key)?;
    // ring makes no keys of P-521. Those of RSA-3072 and -4096 take half a minute.
    let others: [(_, &'static SignatureAlgorithm); 3] = [
        ("ecdsa", &PKCS_ECDSA_P256_SHA256),
        ("ecdsa-p384", &PKCS_ECDSA_P384_SHA384),
        ("ed25519", &PKCS_ED25519),
    ];
    for (name, algorithm) in others {
        chain(&folder.join(name), || Ok(KeyPair::generate_for(algorithm)?))?;
    }
    Ok(())
}

fn chain(folder: &Path, key: impl Fn() -> Result<KeyPair>) -> Result<()> {
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
