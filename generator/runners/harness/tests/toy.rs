//! Tests the harness with a library that does not encrypt: every workload, and every false report
//! that the harness must detect. With `harness = false`, because this program is the runner and
//! also the test that starts it.

use harness::{
    Credentials, Endpoint, Error, MeasureError, Negotiated, Scenario, Tls, TlsVersion, Wire,
    WriteMethod,
};
use std::io::{IoSlice, Read};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output};
use std::{env, fs};

/// A library with handshakes of three one-byte flights, whose records are plaintext.
struct Toy {
    suite: String,
    version: TlsVersion,
    is_resuming: bool,
    has_session: bool,
    lie: String,
}

struct ToyEnd {
    negotiated: Negotiated,
    was_resumed: bool,
    flights: u8,
    loses_data: bool,
    does_more: bool,
}

impl Tls for Toy {
    type Endpoint = ToyEnd;
    const NAME: &'static str = "toy";
    const HAS_VECTORED_WRITE: bool = true;

    fn version() -> String {
        "1.0".to_owned()
    }

    fn variant() -> Vec<String> {
        vec!["plain".to_owned(), "text".to_owned()]
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        assert_eq!(credentials.root, b"root");
        if scenario.method == Some(WriteMethod::Vectored) {
            return Err(MeasureError::unsupported(
                "a toy writes one thing, and not two",
            ));
        }
        Ok(Self {
            suite: scenario.suite_or_default().iana_name(),
            version: scenario.version_or_default(),
            is_resuming: scenario.resumption.is_some(),
            has_session: false,
            lie: env::var("TOY_LIE").unwrap_or_default(),
        })
    }

    fn client(&self) -> Result<ToyEnd, Error> {
        Ok(self.end(true))
    }

    fn server(&self) -> Result<ToyEnd, Error> {
        Ok(self.end(false))
    }

    fn keep_session(&mut self, _client: &mut ToyEnd) -> Result<(), Error> {
        self.has_session = self.lie != "no session";
        Ok(())
    }
}

impl Toy {
    fn end(&self, is_client: bool) -> ToyEnd {
        let mut negotiated = Negotiated {
            version: self.version,
            suite: self.suite.clone(),
            group: Some("X25519".to_owned()),
        };
        match self.lie.as_str() {
            "version" => negotiated.version = TlsVersion::V1_2,
            "suite" if is_client => negotiated.suite = "TLS_NULL".to_owned(),
            "group" => negotiated.group = Some("secp521r1".to_owned()),
            _ => {}
        }
        let resumes_unasked = self.lie == "resumed" && !self.is_resuming;
        ToyEnd {
            negotiated,
            was_resumed: self.is_resuming && self.has_session || resumes_unasked,
            flights: if self.lie == "endless" { u8::MAX } else { 3 },
            loses_data: self.lie == "lost",
            does_more: self.lie == "more",
        }
    }
}

impl Endpoint for ToyEnd {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        from_peer.clear();
        if self.is_handshaking() {
            to_peer.sent().push(0);
        }
        self.flights = self.flights.saturating_sub(1);
        // True once per handshake, on the client.
        if self.does_more & (self.flights == 0) {
            #[allow(unsafe_code, reason = "it does nothing")]
            // SAFETY: it does nothing.
            unsafe {
                std::arch::asm!("nop");
            }
        }
        Ok(())
    }

    fn is_handshaking(&self) -> bool {
        self.flights > 1
    }

    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        let is_lost = self.loses_data && data.len() > 100;
        let kept = data.len() - usize::from(is_lost);
        to_peer.sent().extend_from_slice(&data[..kept]);
        Ok(())
    }

    fn write_vectored(&mut self, _: &[IoSlice<'_>], _: &mut Wire) -> Result<(), Error> {
        unreachable!("refused by `configure`")
    }

    fn read(
        &mut self,
        from_peer: &mut Wire,
        piece: &mut [u8],
        mut sink: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        while let Ok(count) = from_peer.read(piece) {
            sink(&piece[..count]);
        }
        Ok(())
    }

    fn negotiated(&self) -> Result<Negotiated, Error> {
        Ok(self.negotiated.clone())
    }

    fn was_resumed(&self) -> bool {
        self.was_resumed
    }
}

fn main() -> ExitCode {
    if env::args().any(|a| a == "--certificates" || a == "--about") {
        return harness::main::<Toy>();
    }
    every_workload_has_its_rows();
    unsupported_scenarios_have_rows();
    a_side_can_be_chosen();
    false_reports_are_detected();
    latencies_are_written_to_files();
    counts_are_per_operation();
    callgrind_counts_both_sides();
    callgrind_detects_one_more_instruction();
    wrong_usage_is_refused();
    println!("10 passed, 0 failed");
    ExitCode::SUCCESS
}

/// Runs this program as a runner, with placeholder certificates.
fn run(lie: &str, args: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("toy");
    for key in ["rsa", "ecdsa"] {
        let folder = folder.join(key);
        fs::create_dir_all(&folder).expect("a folder");
        for file in [
            "root.pem",
            "server.pem",
            "server.key",
            "client.pem",
            "client.key",
        ] {
            fs::write(folder.join(file), file.replace(".pem", "")).expect("a file");
        }
    }
    Command::new(env::current_exe().expect("this program"))
        .arg("--certificates")
        .arg(folder)
        .args(["--multiplier", "0.01"])
        .args(args)
        .env("TOY_LIE", lie)
        .output()
        .expect("this program runs")
}

fn rows(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut lines = text.lines().map(str::to_owned);
    let heading = "run,implementation,version,variant,scenario,unit,value,caveat";
    assert_eq!(lines.next().as_deref(), Some(heading));
    lines.collect()
}

fn every_workload_has_its_rows() {
    for (label, starts) in [
        (
            "transfer, 1.3, aes-128-gcm",
            &[
                "\"transfer, 1.3, aes-128-gcm, sending\",MiB/s,",
                "\"transfer, 1.3, aes-128-gcm, receiving\",MiB/s,",
            ][..],
        ),
        (
            "full handshakes, 1.2, ecdsa, 2 threads",
            &[
                "\"full handshakes, 1.2, ecdsa, client, 2 threads\",handshakes/s,",
                "\"full handshakes, 1.2, ecdsa, server, 2 threads\",handshakes/s,",
            ],
        ),
        (
            "resumed handshakes, 1.3, ticket",
            &[
                "\"resumed handshakes, 1.3, ticket, client\",handshakes/s,",
                "\"resumed handshakes, 1.3, ticket, server\",handshakes/s,",
            ],
        ),
        (
            "memory, 1.3, 10 sessions",
            &["\"memory, 1.3, 10 sessions\",KiB,"],
        ),
        (
            "latency of full handshakes, 1.3, rsa, client",
            &["\"latency of full handshakes, 1.3, rsa, client, min\",ns,"],
        ),
        (
            "writes, [5] * 4, copy and write",
            &["\"writes, [5] * 4, copy and write, min\",ns,"],
        ),
        (
            "client hello, x25519",
            &[
                "\"client hello, x25519\",ops/s,",
                "\"client hello, x25519\",bytes on the wire,1",
            ],
        ),
    ] {
        let rows = rows(&run("", &["--run", "3", label]));
        for start in starts {
            let row = format!("3,toy,1.0,plain+text,{start}");
            assert!(
                rows.iter().any(|r| r.starts_with(&row)),
                "{row} in {rows:#?}"
            );
        }
    }
    let writes = rows(&run("", &["writes, [5] * 4, write each"]));
    assert_eq!(
        writes.len(),
        7,
        "six percentiles and the traffic: {writes:#?}"
    );
    assert!(
        writes[6].ends_with(",bytes on the wire,20,"),
        "{}",
        writes[6]
    );
    // Memory is measured in a separate process; its rows must still come in order.
    let two = rows(&run("", &["memory, 1.3, 10 sessions", "client hello"]));
    assert!(
        two[0].contains(",KiB,") && two[1].contains(",ops/s,"),
        "{two:#?}"
    );
    assert!(two[1].ends_with(",key exchange x25519"), "{}", two[1]);
}

fn unsupported_scenarios_have_rows() {
    for (label, count, reason) in [
        (
            "writes, [5, 6], vectored",
            7,
            "\"a toy writes one thing, and not two\"",
        ),
        (
            "full handshakes, 1.2, rsa, x25519mlkem768",
            2,
            "TLS 1.2 has no post-quantum key exchange",
        ),
    ] {
        let rows = rows(&run("", &[label]));
        assert_eq!(rows.len(), count);
        let end = format!("unsupported,{reason}");
        assert!(rows.iter().all(|r| r.ends_with(&end)), "{rows:#?}");
    }
}

fn a_side_can_be_chosen() {
    let rows = rows(&run("", &["transfer, 1.3, aes-256-gcm, receiving"]));
    assert_eq!(rows.len(), 1);
    assert!(rows[0].contains("receiving"), "{}", rows[0]);
}

fn latencies_are_written_to_files() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("latencies");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder");
    }
    fs::create_dir_all(&folder).expect("a folder");
    let args = [
        "--latencies",
        folder.to_str().expect("UTF-8"),
        "latency of resumed handshakes, 1.2, ticket, 2 threads",
    ];
    let rows = rows(&run("", &args));
    for side in ["client", "server"] {
        let mut all: Vec<f64> = Vec::new();
        for thread in 0..2 {
            let name = format!("resume-tls12-{side}-{thread}-latency.tsv");
            let text = fs::read_to_string(folder.join(name)).expect("a file for each thread");
            assert_eq!(text.lines().count(), 41, "4096 times 0.01");
            for line in text.lines() {
                let (at, micros) = line.split_once('\t').expect("two columns");
                let at: f64 = at.parse().expect("seconds");
                assert!(at > 1.7e9, "a time of day after 2023: {line}");
                all.push(micros.parse().expect("microseconds"));
            }
        }
        let most = all.iter().fold(0.0, |a: f64, b| a.max(*b));
        let row = rows
            .iter()
            .find(|r| r.contains(&format!("{side}, 2 threads, max")));
        let value = row.and_then(|r| r.split(',').rev().nth(1)?.parse::<f64>().ok());
        assert_eq!(value, Some((most * 1000.0).round()), "{row:?}");
    }
    let again = run("", &args);
    let error = String::from_utf8_lossy(&again.stderr);
    assert_eq!(again.status.code(), Some(1));
    assert!(
        error.contains("client-0-latency.tsv: File exists"),
        "{error}"
    );
}

/// The toy's flights have one byte, and only the first one allocates.
fn counts_are_per_operation() {
    let rows = rows(&run("", &["--counts", "full handshakes, 1.3, rsa"]));
    let of = |side: &str| -> Vec<String> {
        let start = format!("1,toy,1.0,plain+text,\"full handshakes, 1.3, rsa, {side}\",");
        let own = rows.iter().filter_map(|row| row.strip_prefix(&start));
        let own = own.filter(|row| !row.starts_with("records"));
        own.map(|row| row.replace(",key exchange x25519", ""))
            .collect()
    };
    let [client, server] = ["client", "server"].map(of);
    assert_eq!(
        client,
        [
            "allocations,0",
            "bytes allocated,0",
            "bytes on the wire,2",
            "calls,3",
            "flights,2"
        ]
    );
    assert_eq!(
        server,
        [
            "allocations,0",
            "bytes allocated,0",
            "bytes on the wire,2",
            "calls,2",
            "flights,2"
        ]
    );
    let rows = rows_of("transfer, 1.3, aes-256-gcm");
    // In pieces of 16 KiB.
    assert!(
        rows[9].ends_with("receiving\",calls,64,key exchange x25519"),
        "{rows:#?}"
    );
    let rows = rows_of("full handshakes, 1.2, rsa, x25519mlkem768");
    assert_eq!(
        rows.len(),
        14,
        "an unsupported scenario has a row of instructions too: {rows:#?}"
    );
}

fn rows_of(label: &str) -> Vec<String> {
    rows(&run("", &["--counts", label]))
}

/// Callgrind counts the turns of handshakes, and more of them in the larger amount of work.
fn callgrind_counts_both_sides() {
    let [few, many] = instructions("", "0.01");
    assert!(0 < few && few < many, "{few} and {many}");
}

/// With 86 and 602 handshakes, one more instruction in each makes a difference of 516. The toy's
/// other instructions are the same in every run.
fn callgrind_detects_one_more_instruction() {
    let of = |lie| {
        let [few, many] = instructions(lie, "86");
        many - few
    };
    let (before, more) = (of(""), of("more"));
    assert_eq!(of(""), before, "a repeat differs");
    // A jump may come with it.
    let each = (more - before) / 516;
    assert!((1..=2).contains(&each), "{before} and {more}");
    assert_eq!(more - before, 516 * each, "{before} and {more}");
}

/// Instructions of the client for both amounts of work, counted by callgrind.
fn instructions(lie: &str, multiplier: &str) -> [u64; 2] {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let out = folder.join("callgrind");
    let status = Command::new("valgrind")
        .args([
            "-q",
            "--tool=callgrind",
            "--toggle-collect=*counts::section::client*",
        ])
        .arg("--dump-after=*counts::section::end*")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe().expect("this program"))
        .arg("--certificates")
        .arg(folder.join("toy"))
        .args(["--multiplier", multiplier])
        .args(["--instructions", "full handshakes, 1.3, rsa"])
        .env("TOY_LIE", lie)
        .status();
    let status = status.expect("valgrind, which `generator/tools/setup` installs");
    assert!(status.success(), "{status}");
    [1, 2].map(|size| {
        let text = fs::read_to_string(format!("{}.{size}", out.display())).expect("a dump");
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
        total
            .and_then(|total| total.parse::<u64>().ok())
            .expect("a total")
    })
}

fn false_reports_are_detected() {
    for (lie, label, message) in [
        (
            "version",
            "full handshakes, 1.3, rsa",
            "negotiated the version 1.2 instead of 1.3",
        ),
        (
            "suite",
            "full handshakes, 1.3, rsa",
            "negotiated the suite TLS_NULL instead of TLS_AES_256_GCM_SHA384",
        ),
        (
            "group",
            "client hello, x25519",
            "negotiated the group secp521r1 instead of x25519",
        ),
        (
            "resumed",
            "full handshakes, 1.3, rsa",
            "the first handshake resumed a session",
        ),
        (
            "no session",
            "resumed handshakes, 1.3, ticket",
            "handshake 1 of 41 was not resumed",
        ),
        (
            "endless",
            "full handshakes, 1.3, rsa",
            "the handshake does not end",
        ),
        (
            "lost",
            "transfer, 1.3, aes-256-gcm",
            "data was lost in transit",
        ),
    ] {
        let output = run(lie, &[label]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{lie}: {error}");
        assert!(
            error.contains(&format!("toy: `{label}`: {message}")),
            "{lie}: {error}"
        );
    }
}

fn wrong_usage_is_refused() {
    for (args, code, message) in [
        (
            &["--multiplier", "nought"][..],
            2,
            "a multiplier is a positive number, not `nought`",
        ),
        (&["--frobnicate"], 2, "unknown option --frobnicate"),
        (&["tranfer, 1.3"], 1, "`tranfer, 1.3` is not a workload"),
    ] {
        let output = run("", args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(error.contains(message), "{error}");
    }
}
