//! Configures both sides as rustls-bench does.

use crate::buffered::End;
use crate::builder::{self, Name, PROVIDER};
use harness::{Credentials, Error, MeasureError, Resumption, Scenario, Tls};
#[cfg(feature = "resumption")]
use rustls::client::Resumption as ClientSessions;
#[cfg(not(feature = "resumption"))]
use rustls::client::{ClientSessionMemoryCache, NoClientSessionStorage};
use rustls::server::{NoServerSessionStorage, ServerSessionMemoryCache};
use rustls::{ClientConfig, ServerConfig};
use std::sync::Arc;

/// Size of each side's session cache, as in rustls-bench.
const SESSIONS: usize = 128;

pub(crate) struct Rustls {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
    name: Name,
}

impl Tls for Rustls {
    type Endpoint = End;
    const HAS_VECTORED_WRITE: bool = true;

    fn name() -> &'static str {
        "rustls"
    }

    fn variant() -> Vec<String> {
        let allocator = match cfg!(feature = "jemalloc") {
            true => "jemalloc",
            false => "malloc",
        };
        [PROVIDER, allocator].map(str::to_owned).to_vec()
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        let mut client = builder::client(scenario, credentials)?;
        #[cfg(feature = "resumption")]
        match scenario.resumption {
            Some(_) => client.resumption = ClientSessions::in_memory_sessions(SESSIONS),
            None => client.resumption = ClientSessions::disabled(),
        }
        #[cfg(not(feature = "resumption"))]
        match scenario.resumption {
            Some(_) => client.session_storage = ClientSessionMemoryCache::new(SESSIONS),
            None => client.session_storage = Arc::new(NoClientSessionStorage {}),
        }
        let mut server = builder::server(scenario, credentials)?;
        #[cfg(feature = "resumption")]
        let tickets = usize::from(scenario.resumption.is_some());
        match scenario.resumption {
            Some(Resumption::SessionId) => {
                server.session_storage = ServerSessionMemoryCache::new(SESSIONS);
            }
            Some(Resumption::Ticket) => server.ticketer = builder::Ticketer::new()?,
            None => server.session_storage = Arc::new(NoServerSessionStorage {}),
        }
        // rustls 0.20 has no such setting: it sends one ticket, and none without a session storage.
        #[cfg(feature = "buffers-outside")]
        {
            server.send_tls13_tickets.default = tickets;
            server.send_tls13_tickets.max = tickets;
        }
        #[cfg(all(feature = "resumption", not(feature = "buffers-outside")))]
        {
            server.send_tls13_tickets = tickets;
        }
        Ok(Self {
            client: Arc::new(client),
            server: Arc::new(server),
            name: Name::try_from("localhost")?,
        })
    }

    fn client(&self) -> Result<End, Error> {
        End::client(self.client.clone(), self.name.clone())
    }

    fn server(&self) -> Result<End, Error> {
        End::server(self.server.clone())
    }
}
