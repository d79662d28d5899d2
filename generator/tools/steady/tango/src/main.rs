//! A full handshake of TLS 1.3 with ECDSA and ring, as it is and prolonged by 1 %, for tango to tell apart.

use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;
use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks};

/// Both sides, for one certificate.
struct Sides(Arc<ClientConfig>, Arc<ServerConfig>);

impl Sides {
    fn new() -> Result<Self, Box<dyn Error>> {
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
        let mut roots = RootCertStore::empty();
        roots.add(own.cert.der().clone())?;
        let client = ClientConfig::builder().with_root_certificates(roots);
        let mut client = client.with_no_client_auth();
        client.resumption = Resumption::disabled();
        let key = own.signing_key.serialize_der().try_into()?;
        let server = ServerConfig::builder().with_no_client_auth();
        let mut server = server.with_single_cert(vec![own.cert.der().clone()], key)?;
        server.send_tls13_tickets = 0;
        Ok(Self(Arc::new(client), Arc::new(server)))
    }

    /// Returns the number of bytes that the client sent, so that nothing is optimised away.
    fn handshake(&self) -> Result<usize, Box<dyn Error>> {
        let name = ServerName::try_from("localhost")?;
        let mut client = ClientConnection::new(self.0.clone(), name)?;
        let mut server = ServerConnection::new(self.1.clone())?;
        let (mut wire, mut sent) = (Vec::new(), 0);
        while client.is_handshaking() || server.is_handshaking() {
            wire.clear();
            client.write_tls(&mut wire)?;
            sent += wire.len();
            server.read_tls(&mut wire.as_slice())?;
            server.process_new_packets()?;
            wire.clear();
            server.write_tls(&mut wire)?;
            client.read_tls(&mut wire.as_slice())?;
            client.process_new_packets()?;
        }
        Ok(sent)
    }
}

fn benchmarks() -> impl IntoBenchmarks {
    [("as-it-is", 1.0), ("slowed", 1.01)].map(|(name, factor)| {
        benchmark_fn(format!("{name}/handshake"), move |bencher| {
            let sides = Sides::new().expect("a certificate");
            bencher.iter(move || {
                let start = Instant::now();
                let sent = sides.handshake().expect("a handshake");
                let end = start.elapsed().mul_f64(factor);
                while start.elapsed() < end {}
                sent
            })
        })
    })
}

tango_benchmarks!(benchmarks());
