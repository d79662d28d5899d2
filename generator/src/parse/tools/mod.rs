//! Tools that print their figures in lines.

mod botan;
mod bssl_speed;
mod criterion_output;
mod divan;
mod gnutls;
mod go;
mod google_benchmark;
mod gungraun;
mod hgrm;
mod h2load;
mod jmh;
mod liboqs;
mod libtest;
mod mbedtls;
mod openssl_speed;
mod perftools;
mod pytest;
mod s_time;
mod tls_bench;
mod wolfcrypt;
mod wolfssl;
mod wrk;

use super::tool::Tool;
use super::{echo, json, prelude};

fn tool<T: Tool + Default + 'static>() -> Box<dyn Tool> {
    Box::<T>::default()
}

/// A name for messages, and what makes the tool's recogniser.
type Named = (&'static str, fn() -> Box<dyn Tool>);

/// Those with the most specific lines first.
pub(super) const TOOLS: &[Named] = &[
    ("rustls-bench or openssl-bench", tool::<tls_bench::TlsBench>),
    ("bssl speed", tool::<bssl_speed::BsslSpeed>),
    ("openssl s_time", tool::<s_time::STime>),
    ("OpenSSL's perftools", tool::<perftools::Perftools>),
    ("libtest", tool::<libtest::Libtest>),
    ("criterion", tool::<criterion_output::Criterion>),
    ("divan", tool::<divan::Divan>),
    ("gungraun", tool::<gungraun::Gungraun>),
    ("go test", tool::<go::Go>),
    ("botan speed", tool::<botan::Botan>),
    ("wolfCrypt", tool::<wolfcrypt::Wolfcrypt>),
    ("wolfSSL tls_bench", tool::<wolfssl::TlsBench>),
    ("Mbed TLS benchmark", tool::<mbedtls::Mbedtls>),
    ("liboqs", tool::<liboqs::Liboqs>),
    ("Google Benchmark", tool::<google_benchmark::Console>),
    ("JMH", tool::<jmh::Jmh>),
    ("pytest-benchmark", tool::<pytest::Pytest>),
    ("wrk", tool::<wrk::Wrk>),
    ("h2load", tool::<h2load::H2load>),
    ("HdrHistogram", tool::<hgrm::Hgrm>),
    ("gnutls-cli", tool::<gnutls::Gnutls>),
    ("openssl speed", tool::<openssl_speed::OpensslSpeed>),
];
