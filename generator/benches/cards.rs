//! Time to draw one social card, with and without cached glyphs.

use divan::{Bencher, black_box};
use generator::card::{Bar, Card, CardGraph, Painter};
use generator::look::Look;
use generator::unit::Scale;

fn card() -> Card {
    let libraries = [
        ("rustls 0.23.37", "rustls"),
        ("OpenSSL 3.6.1", "OpenSSL"),
        ("BoringSSL 30cd935", "BoringSSL"),
    ];
    let graph = |title: &str, detail: &str, symbol: &str, values: [f64; 3]| CardGraph {
        title: title.to_owned(),
        detail: detail.to_owned(),
        unit: format!("{symbol}, higher is better"),
        scale: Scale {
            factor: 1.0,
            symbol: symbol.to_owned(),
            decimals: 2,
        },
        values: values.map(Some).to_vec(),
    };
    Card {
        title: "rustls 0.23.37, BoringSSL 30cd935 and OpenSSL 3.6.1 on x86_64".to_owned(),
        byline: "7 March 2026 · Xeon E-2386G".to_owned(),
        finding: "Full handshakes of rustls are 1.38x faster than those of OpenSSL.".to_owned(),
        alt: String::new(),
        bars: libraries
            .map(|(name, implementation)| Bar {
                name: name.to_owned(),
                look: Look::of(implementation),
            })
            .to_vec(),
        graphs: vec![
            graph(
                "full handshakes",
                "1.3, rsa, server",
                "hs/s",
                [2357.36, 1712.64, 1302.03],
            ),
            graph(
                "transfer",
                "1.3, aes-256-gcm, sending",
                "MiB/s",
                [7421.02, 5844.35, 7564.71],
            ),
        ],
    }
}

#[divan::bench]
fn first(bencher: Bencher<'_, '_>) {
    let card = card();
    bencher.bench(|| Painter::new().expect("a font").png(black_box(&card), None));
}

#[divan::bench]
fn next(bencher: Bencher<'_, '_>) {
    let (card, painter) = (card(), Painter::new().expect("a font"));
    bencher.bench(|| painter.png(black_box(&card), None));
}
