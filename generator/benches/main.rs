//! Benchmarks; `cargo bench -- charts` runs those of one module.

mod charts;
mod growth;
mod ingest;
mod latency;
mod statistics;

fn main() {
    divan::main();
}
