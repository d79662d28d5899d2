//! Stands for a program that measures, in the tests of `generator run`: prints rows of figures
//! that are made up, and does what its environment says.

use std::io::Write;
use std::process::exit;
use std::time::Duration;
use std::{env, fs, thread};

fn main() {
    let mut args = env::args().skip(1);
    let (mut run, mut latencies, mut labels) = (0, None, Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--about" => return println!("Toy,{},{}", version(), variant()),
            "--certificates" => {
                let folder = args.next().expect("a folder");
                fs::metadata(format!("{folder}/chain.pem")).expect("the chain is there");
            }
            "--multiplier" => drop(args.next()),
            "--run" => run = args.next().expect("a run").parse().expect("a number"),
            "--latencies" => latencies = args.next(),
            _ => labels.push(arg),
        }
    }
    log(run, &labels);
    let told = |name: &str| {
        let what = env::var(name).unwrap_or_default();
        !what.is_empty() && (what == variant() || labels.iter().any(|label| label.contains(&what)))
    };
    if told("TOY_HANGS") {
        thread::sleep(Duration::from_secs(600));
    }
    if let Ok(time) = env::var("TOY_SLEEPS") {
        thread::sleep(Duration::from_millis(time.parse().expect("milliseconds")));
    }
    println!("run,implementation,version,variant,scenario,unit,value,caveat");
    for label in &labels {
        if told("TOY_FAILS") {
            eprintln!("Toy: `{label}`: TLS 1.2 was negotiated");
            exit(1);
        }
        let version = if told("TOY_LIES") {
            "9.9.9".to_owned()
        } else {
            version()
        };
        if told("TOY_FORGETS") {
            continue;
        }
        let suffix = if label.starts_with("latency") {
            ", P50"
        } else {
            ""
        };
        println!(
            "{run},Toy,{version},{},\"{label}, client{suffix}\",{},{}.5,made up",
            variant(),
            if suffix.is_empty() {
                "handshakes/s"
            } else {
                "ns"
            },
            1000 + run
        );
        if let Some(folder) = &latencies {
            capture(folder, label);
        }
    }
}

fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

fn variant() -> String {
    if cfg!(feature = "b") { "b" } else { "a" }.to_owned()
}

fn log(run: u32, labels: &[String]) {
    let Ok(path) = env::var("TOY_LOG") else {
        return;
    };
    let file = fs::OpenOptions::new().create(true).append(true).open(path);
    let line = format!("{run} {} {}\n", variant(), labels.join(" | "));
    file.and_then(|mut f| f.write_all(line.as_bytes()))
        .expect("a log");
}

fn capture(folder: &str, label: &str) {
    let kind = if label.contains("resumed") {
        "resume"
    } else {
        "fullhs"
    };
    let version = if label.contains("1.2") {
        "tls12"
    } else {
        "tls13"
    };
    for thread in 0..2 {
        let lines: String = (1..=1000)
            .map(|n| format!("1700000000.000{n:04}\t{}.5\n", n + thread))
            .collect();
        let path = format!("{folder}/{kind}-{version}-client-{thread}-latency.tsv");
        fs::write(path, lines).expect("a capture");
    }
}
