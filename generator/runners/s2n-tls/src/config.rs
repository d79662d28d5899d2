//! Configurations of both sides.

use crate::end::End;
use crate::policy;
use harness::{Credentials, Error, Identity, MeasureError, Resumption, Scenario, Tls};
use s2n_tls::callbacks::{SessionTicket, SessionTicketCallback};
use s2n_tls::config::{Builder, Config};
use s2n_tls::connection::Connection;
use s2n_tls::enums::{Blinding, ClientAuthType};
use s2n_tls::security::Policy;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

pub(crate) struct S2n {
    client: Config,
    server: Config,
    /// Receives the first ticket of a client.
    received: Received,
    /// The session that clients resume.
    session: Option<Vec<u8>>,
}

const HOST: &str = "localhost";

#[derive(Clone, Default)]
struct Received(Arc<Mutex<Option<Vec<u8>>>>);

impl SessionTicketCallback for Received {
    fn on_session_ticket(&self, _: &mut Connection, ticket: &SessionTicket) {
        let mut received = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if received.is_none() {
            let mut data = vec![0; ticket.len().unwrap_or_default()];
            *received = ticket.data(&mut data).ok().map(|()| data);
        }
    }
}

impl Tls for S2n {
    type Endpoint = End;
    const NAME: &'static str = "s2n-tls";

    fn version() -> String {
        env!("S2N_VERSION").to_owned()
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        if scenario.resumption == Some(Resumption::SessionId) {
            return Err(MeasureError::unsupported(
                "the crate s2n-tls has no session cache",
            ));
        }
        let policy = policy::of(scenario)?;
        let mut client = builder(&policy)?;
        let mut server = builder(&policy)?;
        client.trust_pem(&credentials.root)?;
        identify(&mut server, &credentials.server)?;
        if scenario.mutual {
            identify(&mut client, &credentials.client)?;
            client.set_client_auth_type(ClientAuthType::Optional)?;
            server.trust_pem(&credentials.root)?;
            server.set_client_auth_type(ClientAuthType::Required)?;
        }
        let received = Received::default();
        if scenario.resumption.is_some() {
            client.set_session_ticket_callback(received.clone())?;
            // Any key will do: the tickets never leave this process.
            server.add_session_ticket_key(b"key", &[7; 32], SystemTime::now())?;
        }
        if let Some(bytes) = scenario.fragment {
            server.set_max_fragment_length(u16::try_from(bytes)?)?;
        }
        Ok(Self {
            client: client.build()?,
            server: server.build()?,
            received,
            session: None,
        })
    }

    fn client(&self) -> Result<End, Error> {
        let mut connection = Connection::new_client();
        prepare(&mut connection, &self.client)?;
        connection.set_server_name(HOST)?;
        if let Some(session) = &self.session {
            connection.set_session_ticket(session)?;
        }
        End::new(connection)
    }

    fn server(&self) -> Result<End, Error> {
        let mut connection = Connection::new_server();
        prepare(&mut connection, &self.server)?;
        End::new(connection)
    }

    fn keep_session(&mut self, _client: &mut End) -> Result<(), Error> {
        let received = self
            .received
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let ticket = received
            .clone()
            .ok_or("the server gave no session to resume")?;
        drop(received);
        self.session = Some(ticket);
        Ok(())
    }
}

fn builder(policy: &Policy) -> Result<Builder, Error> {
    let mut builder = Builder::new();
    builder.with_system_certs(false)?;
    builder.set_security_policy(policy)?;
    Ok(builder)
}

fn identify(builder: &mut Builder, identity: &Identity) -> Result<(), Error> {
    builder.load_pem(&identity.chain, &identity.key)?;
    Ok(())
}

fn prepare(connection: &mut Connection, config: &Config) -> Result<(), Error> {
    // Errors end the run, and need no delay against timing attacks.
    connection.set_blinding(Blinding::SelfService)?;
    // Records of 16 KiB, unless the configuration has smaller fragments.
    connection.prefer_throughput()?;
    connection.set_config(config.clone())?;
    Ok(())
}
