//! Tests the harness with a library that does not encrypt: what it answers, and every false report
//! that it must detect. With `harness = false`, because this program is the runner and also the
//! test that starts it.

use harness::{
    Credentials, Endpoint, Error, MeasureError, Plaintext, Scenario, Tls, TlsVersion, Wire,
    WriteMethod,
};
use std::hint::black_box;
use std::io::{IoSlice, Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{env, fs};

/// A library whose flights are one record each, of which the ServerHello has content, and whose data
/// is sent as it is.
#[derive(Clone, Copy)]
struct Toy {
    is_13: bool,
    suite: u16,
    group: u8,
    is_resuming: bool,
    lie: &'static str,
}

struct ToyEnd {
    toy: Toy,
    is_client: bool,
    was_resumed: bool,
    turns: u8,
}

/// Whether a server was created, from which a resuming client has a session.
static HAS_SESSION: AtomicBool = AtomicBool::new(false);

/// A record with one byte.
const RECORD: [u8; 6] = [22, 3, 3, 0, 1, 0];

/// Time of each turn of a busy toy.
const TURN: Duration = Duration::from_millis(1);

impl Tls for Toy {
    type Endpoint = ToyEnd;
    const HAS_VECTORED_WRITE: bool = true;

    fn name() -> &'static str {
        "toy"
    }

    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError> {
        assert!(credentials.root.ends_with("toy/rsa/root.pem"));
        if scenario.method == Some(WriteMethod::Vectored) {
            return Err(MeasureError::unsupported(
                "a toy writes one thing,\nand not two",
            ));
        }
        let lie: &'static str = env::var("TOY_LIE").unwrap_or_default().leak();
        let is_13 = scenario.version_or_default() == TlsVersion::V1_3 && lie != "version";
        Ok(Self {
            is_13,
            suite: match lie {
                "suite" => 0,
                _ if is_13 => 0x1302,
                _ => 0xc030,
            },
            group: if lie == "group" { 25 } else { 29 },
            is_resuming: scenario.resumption.is_some(),
            lie,
        })
    }

    fn client(&self) -> Result<ToyEnd, Error> {
        Ok(self.end(true))
    }

    fn server(&self) -> Result<ToyEnd, Error> {
        let end = self.end(false);
        HAS_SESSION.store(self.is_resuming && self.lie != "no session", Relaxed);
        Ok(end)
    }
}

impl Toy {
    fn end(&self, is_client: bool) -> ToyEnd {
        ToyEnd {
            toy: *self,
            is_client,
            was_resumed: HAS_SESSION.load(Relaxed) || self.lie == "resumed",
            turns: 0,
        }
    }
}

impl Endpoint for ToyEnd {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let start = Instant::now();
        self.turns += 1;
        if !(self.toy.lie == "unread" && self.turns == 3) {
            from_peer.clear();
        }
        if !self.is_client && self.turns == 1 {
            self.hello(to_peer.sent());
        }
        let records = match (self.is_client, self.turns) {
            (true, 1 | 2) => 1,
            (false, 2) => {
                usize::from(self.toy.is_resuming) + usize::from(self.toy.lie == "tickets")
            }
            _ => 0,
        };
        for _ in 0..records {
            to_peer.sent().extend_from_slice(&RECORD);
        }
        while self.toy.lie == "busy" && start.elapsed() < TURN {}
        // Once per handshake, on the client.
        if self.turns == 3 && self.toy.lie == "more" {
            black_box(0);
        }
        Ok(())
    }

    fn is_handshaking(&self) -> bool {
        self.turns < 2 || self.toy.lie == "endless"
    }

    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        let is_lost = self.toy.lie == "lost" && data.len() > 100;
        let kept = data.len() - usize::from(is_lost);
        to_peer.sent().extend_from_slice(&data[..kept]);
        Ok(())
    }

    fn write_vectored(&mut self, _: &[IoSlice<'_>], _: &mut Wire) -> Result<(), Error> {
        unreachable!("refused by `configure`")
    }

    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error> {
        while let Ok(count) = from_peer.read(into.piece()) {
            into.received(count);
        }
        Ok(())
    }
}

impl ToyEnd {
    /// Sends one record with a ServerHello, and what shows in TLS 1.2 that a handshake is full.
    fn hello(&self, to_peer: &mut Vec<u8>) {
        let (suite, group) = (self.toy.suite.to_be_bytes(), self.toy.group);
        let (mut extensions, mut rest) = (Vec::new(), Vec::new());
        if self.toy.is_13 {
            extensions.extend([0, 43, 0, 2, 3, 4, 0, 51, 0, 4, 0, group, 0, 0]);
        }
        if self.toy.is_13 && self.was_resumed {
            extensions.extend([0, 41, 0, 2, 0, 0]);
        }
        if !self.toy.is_13 && !self.was_resumed {
            rest.extend([11, 0, 0, 0, 12, 0, 0, 4, 3, 0, group, 0]);
        }
        let size = extensions.len() as u8;
        let body = 40 + size;
        to_peer.extend([22, 3, 3, 0, 4 + body + rest.len() as u8]);
        to_peer.extend([2, 0, 0, body, 3, 3]);
        to_peer.extend([7; 32]);
        to_peer.extend([0, suite[0], suite[1], 0, 0, size]);
        to_peer.extend(extensions);
        to_peer.extend(rest);
    }
}

fn main() -> ExitCode {
    if env::args().any(|a| a == "--certificates" || a == "--about") {
        return harness::run::<Toy>("1.0");
    }
    single_times_add_up();
    threads_add_their_rates();
    a_control_can_be_slowed();
    unsupported_scenarios_say_why();
    false_reports_are_detected();
    counts_are_per_operation();
    callgrind_detects_one_more_instruction();
    wrong_usage_is_refused();
    println!("8 passed, 0 failed");
    ExitCode::SUCCESS
}

/// Runs this program as a runner, perhaps by another one.
fn run(tool: &[&str], lie: &str, args: &[&str], commands: &str) -> Output {
    // Placeholders for the certificates of all scenarios.
    let certificates = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("toy");
    fs::create_dir_all(certificates.join("rsa")).expect("a folder");
    for file in ["root.pem", "server.pem", "server.key"] {
        fs::write(certificates.join("rsa").join(file), file).expect("a file");
    }
    let mut command = Command::new(env::current_exe().expect("this program"));
    if let [program, options @ ..] = tool {
        command = Command::new(program);
        let this = env::current_exe().expect("this program");
        command.args(options).arg(this);
    }
    let mut child = command
        .arg("--certificates")
        .arg(certificates)
        .args(args)
        .env("TOY_LIE", lie)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs: valgrind is installed by `generator/tools/setup`");
    let mut input = child.stdin.take().expect("piped");
    // The program may have ended.
    let _unread = input.write_all(commands.as_bytes());
    drop(input);
    child.wait_with_output().expect("this program ends")
}

/// The program's lines.
fn lines(lie: &str, args: &[&str], commands: &str) -> Vec<String> {
    let output = run(&[], lie, args, commands);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_owned).collect()
}

/// The numbers of the answer to one command.
fn numbers(lie: &str, args: &[&str], command: &str) -> Vec<f64> {
    let lines = lines(lie, args, &format!("{command}\nend\n"));
    assert_eq!(lines.len(), 2, "{lines:#?}");
    let numbers = lines[1].split(' ').map(str::parse);
    numbers.collect::<Result<_, _>>().expect("numbers")
}

fn single_times_add_up() {
    let label = "latency of resumed handshakes, 1.3, ticket";
    let of = |label: &str| numbers("", &[label], "slice 7");
    let found = of(label);
    let (client, server) = found[5..].split_at(7);
    assert_eq!(found[0], client.iter().sum::<f64>());
    assert_eq!(found[1], server.iter().sum::<f64>());
    let found = of("writes, [5] * 4, write each");
    assert_eq!(found[0], found[5..].iter().sum::<f64>());
    let threads = of(&format!("{label}, 2 threads"));
    assert_eq!(threads.len(), 5 + 2 * 2 * 7);
}

/// Nanoseconds that a busy toy works in a turn, without the clock's overhead.
const LEAST: f64 = 990_000.0;

/// Two threads with times a and b have the rate N/a + N/b.
fn threads_add_their_rates() {
    let label = "latency of full handshakes, 1.3, rsa, 2 threads";
    let found = numbers("busy", &[label], "slice 4");
    let (client, server) = found[5..].split_at(2 * 4);
    for (total, singles, turns) in [(found[0], client, 3.0), (found[1], server, 2.0)] {
        assert!(singles.iter().all(|n| *n >= turns * LEAST), "{found:?}");
        let [a, b] = [0, 4].map(|from| singles[from..from + 4].iter().sum::<f64>());
        let expected = 2.0 / (1.0 / a + 1.0 / b);
        assert!((total - expected).abs() <= 1.0, "{found:?}");
    }
    assert!(found[2] >= 4.0 * 5.0 * LEAST, "{found:?}");
}

fn a_control_can_be_slowed() {
    let tool = [
        "bash",
        "-c",
        "SLOW_CONTROL=50 exec -a toy_control \"$@\"",
        "-",
    ];
    let label = "full handshakes, 1.3, rsa";
    let output = run(&tool, "busy", &[label], "slice 4\nend\n");
    let answers = String::from_utf8(output.stdout).expect("text");
    let (_, times) = answers.split_once('\n').expect("two lines");
    let found: Vec<f64> = times.split_whitespace().flat_map(str::parse).collect();
    assert!(found[0] >= 4.0 * 3.0 * LEAST * 1.5, "{found:?}");
    assert!(found[1] >= 4.0 * 2.0 * LEAST * 1.5, "{found:?}");
}

fn unsupported_scenarios_say_why() {
    for [label, why] in [
        [
            "writes, [5, 6], vectored",
            "a toy writes one thing, and not two",
        ],
        [
            "full handshakes, 1.2, rsa, x25519mlkem768",
            "TLS 1.2 has no post-quantum key exchange",
        ],
    ] {
        let answer = format!("unsupported {why}");
        for task in [&[][..], &["--counts"], &["--instructions"]] {
            assert_eq!(
                lines("", &[task, &[label]].concat(), "slice 1\n"),
                [&*answer]
            );
        }
    }
}

/// The toy's flights have one record of six bytes, and the ServerHello 63. Numbers are those of the units in
/// `scenario::counts`: bytes on the wire, records, calls, flights.
fn counts_are_per_operation() {
    let count = |label: &str| numbers("", &["--counts", label], "count");
    assert_eq!(
        count("full handshakes, 1.3, rsa"),
        [12.0, 2.0, 3.0, 2.0, 63.0, 1.0, 2.0, 1.0]
    );
    assert_eq!(count("resumed handshakes, 1.3, ticket")[7], 2.0);
    // Per MiB, whatever the size of a write, in pieces of 16 KiB.
    for (size, writes, reads) in [
        (4096, 256.0, 256.0),
        (1 << 20, 1.0, 64.0),
        (2 << 20, 0.5, 64.0),
    ] {
        let counts = count(&format!("transfer, 1.3, aes-256-gcm, {size}-byte writes"));
        assert_eq!(
            (counts[0], counts[2], counts[5]),
            (1048576.0, writes, reads)
        );
    }
    assert_eq!(count("client hello")[0], 6.0);
}

/// With 1 and 7 handshakes, a few more instructions in each make a multiple of 6. All others are the
/// same in every run.
fn callgrind_detects_one_more_instruction() {
    let of = |lie| {
        let [few, many] = instructions(lie);
        many - few
    };
    let (before, more) = (of("mere"), of("more"));
    assert_eq!(of("mere"), before, "a repeat differs");
    let each = (more - before) / 6;
    assert!((1..=9).contains(&each), "{before} and {more}");
    assert_eq!(more - before, 6 * each, "{before} and {more}");
}

/// Instructions of the client for both amounts of work, counted by callgrind.
fn instructions(lie: &str) -> [u64; 2] {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("callgrind");
    let tool = [
        "valgrind",
        "-q",
        "--tool=callgrind",
        "--toggle-collect=*counts::section::client*",
        "--dump-after=*counts::section::end*",
        &format!("--callgrind-out-file={}", out.display()),
    ];
    let output = run(
        &tool,
        lie,
        &["--instructions", "full handshakes, 1.3, rsa"],
        "",
    );
    assert!(output.status.success(), "{output:?}");
    [1, 2].map(|size| {
        let text = fs::read_to_string(out.with_extension(size.to_string())).expect("a dump");
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
        total.expect("a total").parse().expect("a number")
    })
}

/// Each lie, with the label, the last command and the error.
const LIES: &str = "\
version | full handshakes, 1.3, rsa | slice 1 | negotiated the version 1.2 instead of 1.3
suite | full handshakes, 1.2, rsa | slice 1 | negotiated the suite 0x0 instead of TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384
group | client hello, x25519 | slice 1 | negotiated the group 0x19 instead of x25519
resumed | full handshakes, 1.3, rsa | slice 1 | the first handshake resumed a session
no session | resumed handshakes, 1.3, ticket | slice 1 | a handshake was not resumed
no session | resumed handshakes, 1.3, ticket, 2 threads | slice 1 | handshakes were not resumed
tickets | full handshakes, 1.3, rsa | slice 1 | the server sent 1 tickets instead of 0
tickets | resumed handshakes, 1.3, ticket | slice 1 | the server sent 2 tickets instead of 1
unread | resumed handshakes, 1.3, ticket | slice 1 | the client left bytes on the wire
endless | full handshakes, 1.3, rsa | slice 1 | the handshake does not end
endless | memory, 1.3, 2 sessions | peak | the handshakes do not end
suite | memory, 1.3, 2 sessions | peak | negotiated the suite 0x0 instead of TLS_AES_256_GCM_SHA384
lost | transfer, 1.3, aes-256-gcm | slice 1 | data was lost in transit";

fn false_reports_are_detected() {
    for line in LIES.lines() {
        let [lie, label, command, message] = fields(line);
        fails(
            lie,
            &[label],
            command,
            1,
            &format!("toy: `{label}`: {message}"),
        );
    }
}

/// Asserts that the program ends with this code and error.
fn fails(lie: &str, args: &[&str], command: &str, code: i32, message: &str) {
    let output = run(&[], lie, args, &format!("{command}\n"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{lie}: {error}");
    assert!(error.contains(message), "{lie}: {error}");
}

fn fields<const N: usize>(line: &str) -> [&str; N] {
    let fields: Vec<&str> = line.split(" | ").collect();
    fields.try_into().expect(line)
}

/// Arguments, separated by `;`, with the last command, the exit code and the error.
const MISTAKES: &str = "\
--frobnicate | end | 2 | unknown option --frobnicate
--counts | end | 2 | a scenario is required
client hello;client hello | end | 2 | one scenario only
tranfer, 1.3 | end | 1 | `tranfer, 1.3` is not a workload
resumed handshakes, 1.2 | end | 1 | need `ticket` or `session id`
transfer, 1.3, aes-128-gcm, unbuffered | end | 1 | no label of a program has `unbuffered`
client hello | slice 0 | 1 | unknown command `slice 0`
client hello | slice x | 1 | unknown command `slice x`
client hello | peak | 1 | unknown command `peak`
--counts;client hello | slice 1 | 1 | unknown command `slice 1`";

fn wrong_usage_is_refused() {
    for line in MISTAKES.lines() {
        let [args, command, code, message] = fields(line);
        let args: Vec<&str> = args.split(';').collect();
        fails("", &args, command, code.parse().expect("a code"), message);
    }
}
