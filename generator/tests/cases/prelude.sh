# Functions of the cases.
export SLOW='90.0 90.1 90.2 90.3 90.4 90.5' FAST='100.0 100.1 100.2 100.3 100.4 100.5' ALIKE='100.05 100.0 100.15 100.45 100.35 100.6'

# An empty site, and one with this repository's templates.
site() { echo 'base_url = "/"' >config.toml; }
real_site() { mkdir -p content && cp -r "$REPO"/{config.toml,templates,static} . && cp "$REPO/content/_index.md" content/; }
zola() { "$ZOLA" build --force --base-url "${1:-/}" --output-dir public >/dev/null; }

# text FILE LINE...: writes lines, with the escapes of printf.
text() { mkdir -p "$(dirname "$1")"; local file=$1; shift; printf '%b\n' "$@" >"$file"; }

# runs FOLDER LABEL UNIT VALUE...: a file for each run, to which a row is added.
runs() {
    local folder=$1 label=$2 unit=$3 run=0 value
    shift 3
    mkdir -p "$folder"
    for value; do
        [ -e "$folder/run_$run.csv" ] || echo scenario,unit,value >"$folder/run_$run.csv"
        echo "\"$label\",$unit,$value" >>"$folder/run_$run.csv"
        run=$((run + 1))
    done
}

# report NAME RUNS BUILD/FULL/SENDING/RECEIVING...: a report of builds such as rustls,0.23.9,ring, whose runs are within
# 1 % of their levels in three rows; 0 for none.
report() {
    local folder=data/$1 runs=$2
    shift 2
    mkdir -p "$folder"
    [ -e "$folder/report.toml" ] || echo 'machine = "m"' >"$folder/report.toml"
    printf '%s\n' "$@" | awk -F/ -v runs="$runs" 'BEGIN {
        srand(3)
        print "run,implementation,version,variant,scenario,unit,value"
        split("full handshakes, 1.3, rsa, x25519, server;transfer, 1.3, aes-256-gcm, sending;transfer, 1.3, aes-256-gcm, receiving", label, ";")
        split("handshakes/s;MiB/s;MiB/s", unit, ";")
    }
    { for (row = 1; row <= 3; row++) if ($(row + 1) > 0) for (run = 1; run <= runs; run++)
        printf "%d,%s,\"%s\",%s,%.4f\n", run, $1, label[row], unit[row], $(row + 1) * (0.99 + 0.02 * rand()) }' >"$folder/t.csv"
}

# columns NAME...: these columns of JSON on standard input.
columns() {
    node -e 'const rows = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const row of rows) console.log(process.argv.slice(1).map((name) => row[name]).join(" | "));' "$@"
}

# The program, with an address space just large enough for itself, its threads and a file at the limits, and a processor
# time that is ample even without optimization.
bounded() { (ulimit -v 400000; ulimit -t 20; exec generator "$@"); }

# refused FILE MESSAGE: `ingest` refuses a file of a report, in a few lines, and writes nothing.
refused() {
    bounded ingest data 2>../said
    echo "$? $(grep -c "^error: data/r/$1:" ../said) $(grep -F "$2" ../said | head -n 1 | wc -l)"
    [ "$(wc -c <../said)" -lt 20000 ] && [ "$(wc -l <../said)" -le 101 ] && [ ! -e content ] || head -c 1000 ../said
}
small() { site; text data/r/report.toml; text data/r/a.csv 'scenario,unit,rustls 1' encode,ns,5; }

# The toy of tests/fixtures/runner, built, or its sources only. `measure` runs it into a folder called 2026-11-30-toy, where
# each call is a line of `log`.
OUT=2026-11-30-toy MEASURE='toy --runs 1 -f full.*1.3,.rsa,.x25519,.client'
bare() { cp -r "$TOY"/{.cargo,runners,certificates} . && ln -s . generator; }
toy() { bare && cp -r "$TOY/target" .; }
measure() { TOY_LOG=$PWD/log generator run --out $OUT "$@"; }

# The number of runs in the results below a folder.
count() { for table in "$1"/*/*.csv; do [ ! -e "$table" ] || sed 1d "$table" | cut -d, -f1 | sort -u; done | wc -l; }
names() { (cd $OUT && ls -d */*.csv */*.hlog 2>/dev/null | grep -v ^locks/ | paste -sd' '); }

# Waits until a command succeeds, for five minutes.
wait_until() { local n; for n in $(seq 6000); do "$@" && return; sleep 0.05; done; echo "never: $*"; }

# The processes in whose command lines this folder is.
processes() { local file line; for file in /proc/[0-9]*/cmdline; do line=$(tr '\0' ' ' 2>/dev/null <"$file"); case $line in *"$PWD"*) echo "$line" ;; esac; done; }
is_quiet() { [ -z "$(processes)" ]; }

# Git as somebody at a fixed time.
git() { GIT_AUTHOR_DATE=2024-05-06T12:00:00Z GIT_COMMITTER_DATE=2024-05-06T12:00:00Z command git -c user.name=a -c user.email=a@b -c init.defaultBranch=main "$@"; }

# commit FOLDER: commits all of a folder, which becomes a repository.
commit() { git -C "$1" init -q && git -C "$1" add -A && git -C "$1" commit -q --allow-empty -m step; }

# bench [LINE]: two folders with a benchmark that runs the line, and prints what libtest does: the time in the file `time`,
# 10 % longer in the second, plus noise of up to 2 %. `turns` runs it, or $LINE, in turns into `out`.
bench() {
    text old/time 100000
    text new/time 110000
    { echo 'time=$(cat time)'; echo 'echo "running 1 test"'; echo 'echo "test sort ... bench:  $((time + RANDOM % (time / 50))).5 ns/iter (+/- 7.89)"'; } >old/bench
    { echo "$1"; cat old/bench; } >new/bench
    cp new/bench old/bench
}
turns() {
    case " $* " in *' --out '*) ;; *) set -- "$@" --out out ;; esac
    XDG_CACHE_HOME=$PWD/cache generator run --command "${LINE-bash bench}" "$@"
}

# releases: a toy with releases of its library, also in a registry's index as cargo 1.90 keeps it, and a cargo without a
# connection to the registry.
pinned() { sed -i 's/^\[\[library.series\]\]/pin = "toy-library"\n'"$1"'&\nreleases = "1"/' runners/libraries.toml; }
releases() {
    with_library
    local index=home/registry/index/mirror/.cache/to/y- version
    for version in 1.0.1 1.0.2 1.1.0; do vendored $version 1000; done
    mkdir -p $index
    {
        printf '\003\002\000\000\000etag: x\000'
        printf '%s\000{"vers":"%s"%b}\000' 0.9.0 0.9.0 ',"pubtime":"2024-01-01T00:00:00Z"' 1.0.0 1.0.0 ',"pubtime":"2024-02-01T23:59:59Z"' \
            1.0.1 1.0.1 ',"pubtime":"2024-03-01T00:00:00Z"' 1.0.2 1.0.2 ',"yanked":true' 1.1.0 1.1.0 '' 1.2.0-rc.1 1.2.0-rc.1 ''
    } >$index/toy-library
    cat >cargo <<'END'
#!/bin/sh
case "$1 $2" in
'update --dry-run') ;;
# Of a folder, cargo takes the newest.
'update -p') sed -i "/^name = \"$3\"/{n;s/\".*\"/\"$5\"/}" Cargo.lock ;;
*) exec cargo "$@" ;;
esac
END
    chmod +x cargo
}

# library FOLDER VERSION TIME: a library with the time of the toy as a constant. with_library: a toy that depends on it, of
# which cargo has release 1.0.0.
library() {
    text "$1/Cargo.toml" '[package]' 'name = "toy-library"' "version = \"$2\"" 'edition = "2021"'
    text "$1/src/lib.rs" "pub const TIME: u64 = $3;"
}
vendored() { library vendor/$1 $1 $2; echo '{"files":{}}' >vendor/$1/.cargo-checksum.json; }
with_library() {
    bare && pinned 'sources = "packages"\n'
    sed -i 's/^\[workspace\]/&\n[dependencies]\ntoy-library = "1"/' runners/toy/Cargo.toml
    sed -i 's/time_of_process();/toy_library::TIME;/' runners/toy/src/lib.rs
    vendored 1.0.0 1000
    text home/config.toml '[source.crates-io]' 'replace-with = "here"' '[source.here]' "directory = \"$PWD/vendor\""
    rm runners/toy/Cargo.lock
    export CARGO_HOME=$PWD/home
    (cd runners/toy && cargo generate-lockfile --quiet)
}

# change: a site of two reports, and data in which one is changed, one removed and one added. `ingest` writes the change.
change() {
    one() { text "$1/results.csv" 'scenario,OpenSSL 3.6.1,rustls 0.23.37' "\"full handshakes, 1.3, rsa, client\",100$2.5,2$2$2$2.25"; text "$1/report.toml" 'machine = "Test bench"'; }
    text site/config.toml 'base_url = "/"'
    text site/content/mine.md +++ +++ 'by hand'
    one old/2026-01-01-a 0 && one old/2026-01-02-gone 0 && one data/2026-01-01-a 1 && one data/2026-01-03-new 1
    generator -q ingest old --reports-only --site site
}
ingest() { generator ingest data --reports-only --prune --site site; }
