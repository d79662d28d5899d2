//! Configurations of both sides.

use crate::end::End;
use harness::{Credentials, Error, Group, Identity, MeasureError, Resumption, Scenario, Tls};
use s2n_tls::callbacks::{SessionTicket, SessionTicketCallback};
use s2n_tls::config::{Builder, Config};
use s2n_tls::connection::Connection;
use s2n_tls::enums::ClientAuthType;
use s2n_tls::security::Policy;
use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

pub(crate) struct S2n {
    client: Config,
    server: Config,
}

const HOST: &str = "localhost";

/// As long as a session can be resumed by default.
const LIFETIME: Duration = Duration::from_secs(15 * 60 * 60);

/// The first ticket that a client receives, which later clients resume. The process has one
/// scenario.
static RECEIVED: OnceLock<Vec<u8>> = OnceLock::new();

struct KeepFirst;

impl SessionTicketCallback for KeepFirst {
    fn on_session_ticket(&self, _: &mut Connection, ticket: &SessionTicket) {
        RECEIVED.get_or_init(|| {
            let mut data = vec![0; ticket.len().expect("a ticket has a length")];
            ticket.data(&mut data).expect("there is room for it");
            data
        });
    }
}

impl Tls for S2n {
    type Endpoint = End;

    fn name() -> &'static str {
        "s2n-tls"
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        if scenario.resumption == Some(Resumption::SessionId) {
            return Err(MeasureError::unsupported(
                "the crate s2n-tls has no session cache",
            ));
        }
        let [client, server] = policies(scenario).ok_or_else(|| {
            MeasureError::unsupported(
                "no security policies select this suite, key exchange and key",
            )
        })?;
        let (mut client, mut server) = (builder(client)?, builder(server)?);
        client.trust_pem(&fs::read(&credentials.root)?)?;
        identify(&mut server, &credentials.server)?;
        if scenario.mutual {
            identify(&mut client, &credentials.client)?;
            client.set_client_auth_type(ClientAuthType::Optional)?;
            server.trust_pem(&fs::read(&credentials.root)?)?;
            server.set_client_auth_type(ClientAuthType::Required)?;
        }
        if scenario.resumption.is_some() {
            client.set_session_ticket_callback(KeepFirst)?;
            // By default, two hours. The process may live longer.
            server.set_ticket_key_encrypt_decrypt_lifetime(LIFETIME)?;
            // Any key will do: the tickets never leave this process.
            server.add_session_ticket_key(b"key", &[7; 32], SystemTime::now())?;
        }
        Ok(Self {
            client: client.build()?,
            server: server.build()?,
        })
    }

    fn client(&self) -> Result<End, Error> {
        let mut client = End::new(Connection::new_client(), &self.client)?;
        client.0.set_server_name(HOST)?;
        if let Some(session) = RECEIVED.get() {
            client.0.set_session_ticket(session)?;
        }
        Ok(client)
    }

    fn server(&self) -> Result<End, Error> {
        End::new(Connection::new_server(), &self.server)
    }
}

/// Returns the security policies of client and server which together select the suite and the key
/// exchange of a scenario: s2n-tls has no settings for these. Policies offer others beside them.
fn policies(scenario: &Scenario) -> Option<[&'static str; 2]> {
    if scenario.key_or_default().is_ml_dsa() {
        return None;
    }
    let suite = scenario.suite_or_default().iana_name();
    let suite = suite.trim_start_matches("TLS_");
    let policies = match (suite, scenario.group) {
        ("AES_256_GCM_SHA384", Some(Group::X25519)) => ["20190801"; 2],
        // With a share of X25519 too.
        ("AES_256_GCM_SHA384", None | Some(Group::Both)) => ["PQ-TLS-1-2-2024-10-09"; 2],
        ("ECDHE_RSA_WITH_AES_256_GCM_SHA384", Some(Group::X25519)) => {
            ["CloudFront-Upstream-TLS-1-2", "KMS-TLS-1-2-2023-06"]
        }
        ("ECDHE_RSA_WITH_AES_256_GCM_SHA384" | "ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", None) => {
            ["CloudFront-Upstream-TLS-1-2"; 2]
        }
        ("ECDHE_RSA_WITH_AES_128_GCM_SHA256" | "ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", None) => {
            ["20240501"; 2]
        }
        ("ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", None) => ["20190122"; 2],
        _ => return None,
    };
    Some(policies)
}

fn builder(policy: &str) -> Result<Builder, Error> {
    let mut builder = Builder::new();
    builder.with_system_certs(false)?;
    builder.set_security_policy(&Policy::from_version(policy)?)?;
    Ok(builder)
}

fn identify(builder: &mut Builder, identity: &Identity) -> Result<(), Error> {
    builder.load_pem(&fs::read(&identity.chain)?, &fs::read(&identity.key)?)?;
    Ok(())
}
