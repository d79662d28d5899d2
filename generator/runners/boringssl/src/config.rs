//! Contexts of both sides, as openssl-bench makes them.

use crate::control;
use crate::end::{End, Stack};
use boring::pkey::PKey;
use boring::ssl::{
    Ssl, SslContext, SslContextBuilder, SslMethod, SslOptions, SslSession, SslSessionCacheMode,
    SslVerifyMode, SslVersion,
};
use boring::x509::X509;
use boring::x509::store::{X509Store, X509StoreBuilder};
use harness::{
    Cipher, Credentials, Error, Group, Identity, Key, Method, Refusal, Resumption, Scenario, Tls,
    Version,
};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct BoringSsl {
    client: SslContext,
    server: SslContext,
    is_resuming: bool,
    /// The first session that the server gave, put here by the client's callback.
    given: Arc<Mutex<Option<SslSession>>>,
    /// What clients resume.
    session: Option<SslSession>,
}

const NAME: &str = "localhost";

impl Tls for BoringSsl {
    type Endpoint = End;
    const NAME: &'static str = "BoringSSL";

    /// BoringSSL has no releases; its interface has a number, and so has the crate it comes in.
    fn version() -> String {
        env!("BORING_VERSION").to_owned()
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, Refusal> {
        if scenario.unbuffered {
            return Err(Refusal::unsupported("BoringSSL has no unbuffered API"));
        }
        if scenario.method == Some(Method::Vectored) {
            return Err(Refusal::unsupported("BoringSSL has no vectored write"));
        }
        if (scenario.resumption, scenario.version()) == (Some(Resumption::SessionId), Version::V1_3)
        {
            return Err(Refusal::unsupported("no stateful resumption in TLS 1.3"));
        }
        let mut client = context(SslMethod::tls(), scenario)?;
        let mut server = context(SslMethod::tls(), scenario)?;
        identify(&mut server, &credentials.server)?;
        client.set_cert_store(store(credentials)?);
        client.set_verify(SslVerifyMode::PEER);
        if scenario.mutual {
            identify(&mut client, &credentials.client)?;
            server.set_cert_store(store(credentials)?);
            server.set_verify(SslVerifyMode::PEER | SslVerifyMode::FAIL_IF_NO_PEER_CERT);
        }
        let given = Arc::default();
        if let Some(resumption) = scenario.resumption {
            enable_resumption(&mut client, resumption)?;
            enable_resumption(&mut server, resumption)?;
            keep_first(&mut client, &given);
        }
        let server = server.build();
        if let Some(bytes) = scenario.fragment
            && !control::set_max_send_fragment(&server, bytes)
        {
            return Err(Refusal::unsupported(format!(
                "no fragments of {bytes} bytes"
            )));
        }
        Ok(Self {
            client: client.build(),
            server,
            is_resuming: scenario.resumption.is_some(),
            given,
            session: None,
        })
    }

    fn client(&self) -> Result<End, Error> {
        let mut ssl = Ssl::new(&self.client)?;
        control::set_side(&mut ssl, true);
        ssl.set_hostname(NAME)?;
        ssl.param_mut().set_host(NAME)?;
        if let Some(session) = &self.session {
            control::resume(&mut ssl, session)?;
        }
        Ok(End::new(ssl, self.is_resuming)?)
    }

    fn server(&self) -> Result<End, Error> {
        let mut ssl = Ssl::new(&self.server)?;
        control::set_side(&mut ssl, false);
        Ok(End::new(ssl, self.is_resuming)?)
    }

    fn keep_session(&mut self, _client: &mut End) -> Result<(), Error> {
        let given = self
            .given
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.session = Some(given.ok_or("the server gave no session to resume")?);
        control::stop_caching(&self.client);
        Ok(())
    }
}

/// One version, one suite, and one group if the scenario names it.
fn context(method: SslMethod, scenario: &Scenario) -> Result<SslContextBuilder, Refusal> {
    let mut context = SslContextBuilder::new(method)?;
    context.set_options(SslOptions::NO_COMPRESSION | SslOptions::NO_RENEGOTIATION);
    let version = match scenario.version() {
        Version::V1_2 => SslVersion::TLS1_2,
        Version::V1_3 => SslVersion::TLS1_3,
    };
    context.set_min_proto_version(Some(version))?;
    context.set_max_proto_version(Some(version))?;
    match (scenario.version(), scenario.cipher()) {
        (Version::V1_2, cipher) => context.set_cipher_list(suite_1_2(scenario.key(), cipher))?,
        // The first choice where the processor has AES.
        (Version::V1_3, Cipher::Aes128Gcm) => {}
        (Version::V1_3, Cipher::Aes256Gcm) if control::prefer_aes_256(&mut context) => {}
        (Version::V1_3, cipher) => {
            let reason = format!("no way to choose {} in TLS 1.3", cipher.word());
            return Err(Refusal::unsupported(reason));
        }
    }
    if let Some(group) = scenario.group {
        set_group(&mut context, group, scenario)?;
    }
    Ok(context)
}

fn suite_1_2(key: Key, cipher: Cipher) -> &'static str {
    match (key, cipher) {
        (Key::Rsa2048, Cipher::Aes128Gcm) => "ECDHE-RSA-AES128-GCM-SHA256",
        (Key::Rsa2048, Cipher::Aes256Gcm) => "ECDHE-RSA-AES256-GCM-SHA384",
        (Key::Rsa2048, Cipher::ChaCha20Poly1305) => "ECDHE-RSA-CHACHA20-POLY1305",
        (Key::EcdsaP256, Cipher::Aes128Gcm) => "ECDHE-ECDSA-AES128-GCM-SHA256",
        (Key::EcdsaP256, Cipher::Aes256Gcm) => "ECDHE-ECDSA-AES256-GCM-SHA384",
        (Key::EcdsaP256, Cipher::ChaCha20Poly1305) => "ECDHE-ECDSA-CHACHA20-POLY1305",
    }
}

fn set_group(
    context: &mut SslContextBuilder,
    group: Group,
    scenario: &Scenario,
) -> Result<(), Refusal> {
    let (name, is_hybrid) = match group {
        Group::X25519 => ("X25519", false),
        Group::Secp256r1 => ("P-256", false),
        Group::Secp384r1 => ("P-384", false),
        Group::X25519MlKem768 => ("X25519MLKEM768", true),
        // Shares for the first of each kind are sent.
        Group::Both => ("X25519MLKEM768:X25519", true),
    };
    let is_old = scenario.version() == Version::V1_2;
    if is_hybrid && is_old {
        return Err(Refusal::unsupported(
            "TLS 1.2 has no post-quantum key exchange",
        ));
    }
    // In TLS 1.2 the curve of an ECDSA certificate has to be among the groups; the first is taken.
    let names = match (scenario.key(), group) {
        (Key::EcdsaP256, Group::X25519 | Group::Secp384r1) if is_old => format!("{name}:P-256"),
        _ => name.to_owned(),
    };
    context
        .set_curves_list(&names)
        .map_err(|_| Refusal::unsupported(format!("no key exchange {}", group.word())))
}

fn identify(context: &mut SslContextBuilder, identity: &Identity) -> Result<(), Error> {
    let mut chain = X509::stack_from_pem(&identity.chain)?.into_iter();
    context.set_certificate(chain.next().as_ref().ok_or("no certificate")?)?;
    for certificate in chain {
        context.add_extra_chain_cert(certificate)?;
    }
    Ok(context.set_private_key(PKey::private_key_from_pem(&identity.key)?.as_ref())?)
}

fn store(credentials: &Credentials) -> Result<X509Store, Stack> {
    let mut store = X509StoreBuilder::new()?;
    store.add_cert(X509::from_pem(&credentials.root)?)?;
    Ok(store.build())
}

fn enable_resumption(context: &mut SslContextBuilder, how: Resumption) -> Result<(), Stack> {
    context.set_session_cache_mode(SslSessionCacheMode::BOTH);
    if how == Resumption::SessionId {
        context.set_options(SslOptions::NO_TICKET);
    }
    context.set_session_id_context(NAME.as_bytes())
}

fn keep_first(client: &mut SslContextBuilder, given: &Arc<Mutex<Option<SslSession>>>) {
    let given = Arc::clone(given);
    client.set_new_session_callback(move |_, session| {
        let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
        given.get_or_insert(session);
    });
}
