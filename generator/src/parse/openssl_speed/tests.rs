use super::super::{Format, tests::read};

pub(in crate::parse) const FIXTURE: &str = "\
Doing sha256 for 1s on 16 size blocks: 3920916 sha256's in 0.49s
version: 3.0.19
built on: Fri Apr  3 12:29:32 2026 UTC
options: bn(64,64)
CPUINFO: OPENSSL_ia32cap=0xfffa3203078bffff:0x405fc6f1bf07ab
The 'numbers' are in 1000s of bytes per second processed.
type             16 bytes     64 bytes  16384 bytes
sha256          128029.91k   410991.03k  1757236.85k
des ede3          9000.12    1290878.52k  1419350.23k
                  sign    verify    sign/s verify/s
rsa 2048 bits 0.000245s 0.000016s   4083.6  60623.7
                              sign    verify    sign/s verify/s
 256 bits ecdsa (nistp256)   0.0000s   0.0001s  49373.5  16332.8
                              op      op/s
 253 bits ecdh (X25519)   0.0000s  30030.9
";

/// Of OpenSSL 3.0, `-multi 2`: the table of sizes has no heading there.
pub(in crate::parse) const MULTI: &str = "\
Forked child 0
Forked child 1
+DT:AES-128-GCM:1:1024
+R:237788:AES-128-GCM:1.000000
Got: +H:1024:16384 from 0
Got: +F:25:AES-128-GCM:243494912.00:1008730112.00 from 0
Got: +F4:3:256:13673.000000:4163.000000 from 0
Got: +H:1024:16384 from 1
Got: +F:25:AES-128-GCM:248758272.00:623411200.00 from 1
Got: +F4:3:256:16134.000000:3776.237624 from 1
version: 3.0.22
built on: Wed Oct 21 09:54:24 2026 UTC
options: bn(64,64)
CPUINFO: OPENSSL_ia32cap=0xfffa32034f8bffff:0x1b415fdef1bf27eb
AES-128-GCM     492253.18k  1632141.31k
                              sign    verify    sign/s verify/s
 256 bits ecdsa (nistp256)   0.0000s   0.0001s  29807.0   7939.2
";

/// `-mr`.
pub(in crate::parse) const MACHINE_READABLE: &str = "\
+DT:AES-128-GCM:1:2
+R:1308564:AES-128-GCM:0.940000
+H:2:31:136
+F:25:AES-128-GCM:2784178.72:54748356.00:232969088.00
+F2:2:2048:2075.000000:32310.000000
+F4:3:256:13673.000000:4163.000000
+F5:22:253:21263.750000:0.000047
+F6:0:253:Ed25519:12307.352941:6420.833333
+F8:0:2048:1898.611111:0.000527
";

#[test]
fn figures() {
    assert_eq!(
        read(Format::OpensslSpeed, "out", FIXTURE),
        [
            "8: OpenSSL 3.0.19: sha256 (16 bytes) = 122.0988368988 MiB/s",
            "8: OpenSSL 3.0.19: sha256 (64 bytes) = 391.95158958435 MiB/s",
            "8: OpenSSL 3.0.19: sha256 (16384 bytes) = 1675.8316516876 MiB/s",
            "9: OpenSSL 3.0.19: des ede3 (16 bytes) = 0.0085831832885742 MiB/s",
            "9: OpenSSL 3.0.19: des ede3 (64 bytes) = 1231.0776901245 MiB/s",
            "9: OpenSSL 3.0.19: des ede3 (16384 bytes) = 1353.5978603363 MiB/s",
            "11: OpenSSL 3.0.19: rsa 2048 bits sign = 4083.6 ops/s",
            "11: OpenSSL 3.0.19: rsa 2048 bits verify = 60623.7 ops/s",
            "13: OpenSSL 3.0.19: 256 bits ecdsa (nistp256) sign = 49373.5 ops/s",
            "13: OpenSSL 3.0.19: 256 bits ecdsa (nistp256) verify = 16332.8 ops/s",
            "15: OpenSSL 3.0.19: 253 bits ecdh (X25519) = 30030.9 ops/s",
        ]
    );
}

#[test]
fn another_version_is_another_block() {
    let two = FIXTURE.to_owned() + &FIXTURE.replace("3.0.19", "3.5.1") + FIXTURE;
    let rows = read(Format::OpensslSpeed, "out", &two);
    assert_eq!(rows.len(), 33);
    assert!(
        rows[11].starts_with("23: OpenSSL 3.5.1: sha256") && !rows[11].contains("run"),
        "{}",
        rows[11]
    );
    assert!(rows[22].ends_with("run 1"), "{}", rows[22]);
}

#[test]
fn problems() {
    let broken = FIXTURE
        .replace("410991.03k", "410991.03")
        .replace(" 60623.7", "")
        .replace("128029.91k", "0.00");
    assert_eq!(
        read(Format::OpensslSpeed, "out", &broken),
        [
            "8! a figure as great as this ends in `k`: `410991.03`",
            "8! a figure must be positive and finite, not `0.00`",
            "11! expected a name and 4 figures, got `rsa 2048 bits 0.000245s 0.000016s 4083.6`",
        ]
    );
    let headless = FIXTURE.replace("type  ", "tipe  ");
    assert_eq!(read(Format::OpensslSpeed, "out", &headless).len(), 2);
}

#[test]
fn several_processes() {
    let expected = [
        "15: OpenSSL 3.0.22: AES-128-GCM (1024 bytes, 2 processes) = 469.4492149353 MiB/s",
        "15: OpenSSL 3.0.22: AES-128-GCM (16384 bytes, 2 processes) = 1556.5312480927 MiB/s",
        "17: OpenSSL 3.0.22: 256 bits ecdsa (nistp256) sign (2 processes) = 29807 ops/s",
        "17: OpenSSL 3.0.22: 256 bits ecdsa (nistp256) verify (2 processes) = 7939.2 ops/s",
    ];
    assert_eq!(read(Format::OpensslSpeed, "out", MULTI), expected);
    // What follows was measured by one process.
    let both = read(Format::OpensslSpeed, "out", &(MULTI.to_owned() + FIXTURE));
    assert!(
        both.iter().skip(4).all(|row| !row.contains("processes")),
        "{both:?}"
    );
    let sums = "Forked child 0\nForked child 1\n\
        Got: +F4:3:256:9631.683168:3757.000000 from 0\n\
        Got: +F4:3:256:9839.000000:4331.000000 from 1\n\
        +F4:3:256:19470.683168:8088.000000\n";
    assert_eq!(
        read(Format::OpensslSpeed, "out", sums),
        [
            "5: 256 bits ecdsa (curve 3) sign (2 processes) = 19470.683168 ops/s",
            "5: 256 bits ecdsa (curve 3) verify (2 processes) = 8088 ops/s",
        ]
    );
}

#[test]
fn lines_for_machines() {
    assert_eq!(
        read(Format::OpensslSpeed, "out", MACHINE_READABLE),
        [
            "4: AES-128-GCM (2 bytes) = 2.6551997375488 MiB/s",
            "4: AES-128-GCM (31 bytes) = 52.212100982666 MiB/s",
            "4: AES-128-GCM (136 bytes) = 222.17663574219 MiB/s",
            "5: rsa 2048 bits sign = 2075 ops/s",
            "5: rsa 2048 bits verify = 32310 ops/s",
            "6: 256 bits ecdsa (curve 3) sign = 13673 ops/s",
            "6: 256 bits ecdsa (curve 3) verify = 4163 ops/s",
            "7: 253 bits ecdh (curve 22) = 21263.75 ops/s",
            "8: 253 bits EdDSA (Ed25519) sign = 12307.352941 ops/s",
            "8: 253 bits EdDSA (Ed25519) verify = 6420.833333 ops/s",
            "9: 2048 bits ffdh = 1898.611111 ops/s",
        ]
    );
    let later = "+F2:2:2048:1.500000:2.500000:3.500000:4.500000\n\
        +F7:0:2048:1898.611111:0.000527\n\
        +F9:3:4500.500000:4600.250000:4700.125000\n";
    assert_eq!(
        read(Format::OpensslSpeed, "out", later),
        [
            "1: rsa 2048 bits sign = 1.5 ops/s",
            "1: rsa 2048 bits verify = 2.5 ops/s",
            "1: rsa 2048 bits encrypt = 3.5 ops/s",
            "1: rsa 2048 bits decrypt = 4.5 ops/s",
            "2: 2048 bits ffdh = 1898.611111 ops/s",
            "3~ the algorithm is known only without -mr, left out: `+F9:3:4500.500000:4600.250000:4700.125000`",
        ]
    );
}

#[test]
fn damaged_lines_for_machines() {
    let broken = MACHINE_READABLE
        .replace("+H:2:31:136", "+H:2:31")
        .replace("32310.000000", "32310.00000")
        .replace("0.000047", "")
        + "Forked child -1\n";
    assert_eq!(
        read(Format::OpensslSpeed, "out", &broken),
        [
            "4! no `+H` above gives a size for each figure: `+F:25:AES-128-GCM:2784178.72:54748356.00:232969088.00`",
            "5! not what `openssl speed -mr` prints: `+F2:2:2048:2075.000000:32310.00000`",
            "7! not what `openssl speed -mr` prints: `+F5:22:253:21263.750000:`",
            "10! expected the number of a process, got `Forked child -1`",
        ]
    );
}
