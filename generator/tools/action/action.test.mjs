// Runs what happens on a pull request: the shell steps of action.yml and of both workflows, with events
// like GitHub's, a measurement of a small repository, and hostile artifacts. What GitHub itself does is
// not tested: permissions, triggers, third-party actions.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

import { Runner, read } from "./replay.mjs";

const here = new URL(".", import.meta.url).pathname;
const generator = resolve(process.env.GENERATOR ?? join(here, "../../target/debug/generator"));
const action = read("action.yml");
const compare = read(".github/workflows/pull-request.yml");
const comment = read(".github/workflows/comment.yml");
const event = (name) => JSON.parse(readFileSync(join(here, `events/${name}.json`), "utf8"));

const scratch = mkdtempSync(join(tmpdir(), "action-"));
after(() => rmSync(scratch, { recursive: true, force: true }));
const folder = () => mkdtempSync(join(scratch, "x"));

function put(dir, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

// ---- The pull request's own workflow

// A benchmark that runs as many iterations as the file `iterations` says, and prints Go's format.
const BENCHMARK = `iterations=$(cat iterations)
start=\${EPOCHREALTIME/./}
for ((i = 0; i < iterations; i++)); do :; done
echo "BenchmarkLoop-2 1 $(( (\${EPOCHREALTIME/./} - start) * 1000 )) ns/op"
`;

// Creates a repository whose checked-out branch forked from `main` before main's last commit.
function project(workspace, iterations) {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
  const git = (...words) => execFileSync("git", [...identity, ...words], { cwd: workspace, encoding: "utf8" }).trim();
  const commit = (files) => {
    put(workspace, files);
    git("add", ".");
    git("commit", "-qm", "a step");
    return git("rev-parse", "HEAD");
  };
  git("init", "-q");
  const fork = commit({ "bench.sh": BENCHMARK, iterations: "20000" });
  const base = commit({ iterations: "900000" });
  git("checkout", "-q", "--detach", fork);
  return { base, fork, head: commit({ iterations, changed: "yes" }) };
}

function measure({ inputs, iterations = "20000", program = generator, head }) {
  const dir = folder();
  const pullRequest = event("pull_request");
  const workspace = join(dir, "workspace");
  mkdirSync(workspace);
  const commits = project(workspace, iterations);
  pullRequest.pull_request.base.sha = commits.base;
  pullRequest.pull_request.head.sha = head ? commits[head] : commits.head;
  const artifacts = [];
  const stubs = { build: { generator: program }, download: {} };
  const uses = (name, options) => void artifacts.push({ name, ...options });
  const runner = new Runner({ dir, event: pullRequest, repository: "owner/project", tools: here, stubs, uses });
  const outcome = runner.action(action, { runs: 6, ...inputs });
  return { ...outcome, runner, artifacts, commits, results: join(dir, "temp/benchmark") };
}

test("a slowdown fails, but only after the summary is written and the figures are uploaded", () => {
  const { code, runner, artifacts, results } = measure({ inputs: { command: "bash bench.sh" }, iterations: "60000" });
  assert.equal(code, 1);
  assert.match(runner.summary, /^### Regression: 1 of 1 row is worse by more than 5%\n/);
  assert.match(runner.summary, /\*\*base ➡️ head\*\* · .* processors · 6 runs a side · fails above 5%/);
  assert.equal(artifacts.length, 1);
  assert.equal(artifacts[0].path, results);
  for (const side of ["base", "head"]) assert.ok(existsSync(join(results, side, "output_6")), side);
  assert.ok(runner.ran.every(({ env }) => !("GH_TOKEN" in env)));
  const orders = runner.ran[0].stderr.match(/run \d of 6: .*/g).map((line) => line.split(": ")[1]);
  assert.deepEqual(orders.slice(0, 3), ["base head", "head base", "base head"]);
});

test("a speed-up passes, and later commits on main do not count", () => {
  const { code, runner } = measure({ inputs: { command: "bash bench.sh" }, iterations: "5000" });
  assert.equal(code, 0);
  assert.match(runner.summary, /^### Improvement: 1 of 1 row is better\n/);
});

test("the threshold is an input", () => {
  const { code, runner } = measure({ inputs: { command: "bash bench.sh", threshold: 2000 }, iterations: "60000" });
  assert.equal(code, 0);
  assert.match(runner.summary, /^### No regression: 1 of 1 row is worse, but none by more than 2000%\n/);
});

test("a failing command or an unknown output format is an error at once", () => {
  for (const [command, message] of [["false", /trying base/], ["echo hello", /no known format starts like this/]]) {
    const { code, stderr, artifacts } = measure({ inputs: { command } });
    assert.notEqual(code, 0);
    assert.match(stderr, message);
    assert.deepEqual(artifacts, []);
  }
});

test("one `generator run` measures both commits of a TLS library", () => {
  const dir = folder();
  const program = join(dir, "generator");
  // Writes results like those of `run`, but out of order.
  const script = `#!/usr/bin/env bash
[[ $1 == run ]] || exec ${generator} "$@"
[[ ! -e $RESULTS ]] || exit 2 # like run for the folder of another report
printf '%s\\n' "$@" > ${dir}/arguments
while (($#)); do
  case $1 in
  *@git:*) commit=\${1##*#}; mkdir -p "$OUT$(printf '%s/rustls_1.0+%.7s_ring' "$RESULTS" "$commit")"
    for i in 1 2 3 4 5 6; do printf 'implementation,version,scenario,unit,value\\nrustls,1.0+%.7s,a,s,%s\\n' "$commit" $i \\
      > "$RESULTS/rustls_1.0+\${commit:0:7}_ring/run_$i.csv"; done ;;
  esac
  shift
done
`;
  writeFileSync(program, script, { mode: 0o755 });
  const options = "--filter=handshakes, 1.3\n--suite=measure\n";
  const { code, runner, commits } = measure({ inputs: { implementations: "rustls+ring", options }, program });
  assert.equal(code, 0, runner.ran.at(-1)?.stderr);
  const source = `git:${runner.environment.GITHUB_WORKSPACE}#`;
  const expected = ["run", `rustls@${source}${commits.fork}+ring`, `rustls@${source}${commits.head}+ring`, "--runs", "6"];
  const found = readFileSync(join(dir, "arguments"), "utf8").trim().split("\n");
  assert.deepEqual(found.slice(0, 5), expected);
  assert.deepEqual(found.slice(7), ["--filter=handshakes, 1.3", "--suite=measure"]);
  assert.match(runner.summary, /^### No change shown in 1 row\n/);
});

test("a copy of the action downloads the newest release of the repository named in a file", () => {
  const run = (files) => {
    const [dir, copy, tools] = [folder(), folder(), folder()];
    put(copy, files);
    put(tools, { gh: `#!/bin/sh\necho "$@" >> ${dir}/calls\n[ $1 != release ] || tar -czf $6 -C ${tools} generator\n`, generator: "" });
    chmodSync(join(tools, "gh"), 0o755);
    const runner = new Runner({ dir, event: event("pull_request"), repository: "owner/project", tools });
    return { ...runner.action(action, {}, copy), dir, runner };
  };
  const { code, dir, runner } = run({ ".github/generator": "some/generator\n" });
  assert.equal(code, 0, runner.ran[0].stderr);
  assert.match(readFileSync(join(dir, "calls"), "utf8"), /^release download --repo some\/generator .*\nattestation verify --repo some\/generator /);
  assert.ok(existsSync(join(dir, "temp/generator")));
  const without = run({});
  assert.equal(without.code, 1);
  assert.match(without.stdout, /::error::Write owner\/name .*\.github\/generator/);
});

test("the step that builds the code of a pull request has no token", () => {
  const [dir, copy, tools] = [folder(), folder(), folder()];
  put(copy, { "generator/src/main.rs": "" });
  put(tools, { cargo: `#!/bin/sh\nenv > ${dir}/built\n`, gh: "#!/bin/sh\nexit 1\n" });
  for (const name of ["cargo", "gh"]) chmodSync(join(tools, name), 0o755);
  const runner = new Runner({ dir, event: event("pull_request"), repository: "owner/project", tools });
  const { code, stderr } = runner.action(action, {}, copy);
  assert.equal(code, 0, stderr);
  assert.ok(!readFileSync(join(dir, "built"), "utf8").includes("a-token"));
});

test("a head without commits of its own is an error", () => {
  const { code, stderr } = measure({ inputs: { command: "bash bench.sh" }, head: "fork" });
  assert.equal(code, 2);
  assert.match(stderr, /nothing to compare/);
});

// ---- The comment

const runs = (first, n = 6) => Array.from({ length: n }, (_, run) => first + run / 10);
const rows = (values) => (run) =>
  Object.entries(values).map(([label, sample]) => `"${label}",handshakes/s,${sample[run]}\n`).join("");

function side(name, values) {
  const n = Object.values(values)[0].length;
  const files = Array.from({ length: n }, (_, run) => [
    `${name}/output_${run + 1}.csv`,
    `scenario,unit,value\n${rows(values)(run)}`,
  ]);
  return Object.fromEntries(files);
}

const figures = (base, head) => ({
  "report.toml": 'machine = "AMD EPYC 7763 64-Core Processor, 4 processors"\n',
  ...side("base", base),
  ...side("head", head),
});

const FULL = "full handshakes, 1.3, rsa, server";
const RESUMED = "resumed handshakes, 1.3, ticket, server";
const same = figures({ [FULL]: runs(100), [RESUMED]: runs(200) }, { [FULL]: runs(100), [RESUMED]: runs(200) });
const fork = { full_name: "some__one/project", owner: { login: "some__one" }, fork: true };
const hostile = "@everyone <img src=x> ![a](b) `c` #1 www.d.e ::set-output name=number::9";

// Runs the workflow on an artifact with these files, which `tamper` may change.
function runComment({ files = same, tamper = () => {}, head, pulls, comments = [], conclusion = "success" }) {
  const [dir, answers, artifact] = [folder(), folder(), folder()];
  const completed = event("workflow_run");
  completed.workflow_run.conclusion = conclusion;
  if (head) Object.assign(completed.workflow_run, { head_repository: head, pull_requests: [] });
  const commit = completed.workflow_run.head_sha;
  put(artifact, files);
  tamper(artifact);
  execFileSync("zip", ["-qry", join(answers, "benchmark.zip"), "."], { cwd: artifact });
  put(answers, {
    "pulls.json": JSON.stringify(pulls ?? [{ number: 7, head: { sha: commit } }, { number: 8, head: { sha: "f00" } }]),
    "artifacts.json": JSON.stringify({ artifacts: [{ id: 41, expired: true }, { id: 42, expired: false }] }),
    "comments.json": JSON.stringify(comments),
  });
  const stubs = { build: { generator } };
  const environment = { GH_ANSWERS: answers };
  const runner = new Runner({ dir, event: completed, repository: "owner/project", tools: here, stubs, environment });
  const outcome = runner.job(comment, "comment");
  const get = (name) => (existsSync(join(answers, name)) ? readFileSync(join(answers, name), "utf8") : "");
  return { ...outcome, runner, body: get("body"), calls: get("log").trim().split("\n") };
}

for (const [name, options] of Object.entries({
  regression: { files: figures({ [FULL]: runs(100), [RESUMED]: runs(200) }, { [FULL]: runs(90), [RESUMED]: runs(200) }), conclusion: "failure" },
  improvement: { files: figures({ [FULL]: runs(100), [RESUMED]: runs(200) }, { [FULL]: runs(120), [RESUMED]: runs(200) }) },
  "no-change": {},
  "too-few-runs": { files: figures({ [FULL]: runs(100, 3) }, { [FULL]: runs(50, 3) }) },
  fork: { head: fork, files: figures({ [FULL]: runs(100) }, { [FULL]: runs(120) }) },
})) {
  test(`the comment: ${name}`, () => {
    const { code, body, calls } = runComment(options);
    assert.equal(code, 0);
    const file = join(here, `comments/${name}.md`);
    if (process.env.UPDATE) writeFileSync(file, body);
    assert.equal(body, readFileSync(file, "utf8"));
    const owner = options.head?.owner.login ?? "owner";
    assert.match(calls[0], new RegExp(`^GET repos/owner/project/pulls .*head=${owner}:faster$`));
    assert.match(calls.at(-1), /^POST repos\/owner\/project\/issues\/7\/comments /);
  });
}

test("updates our own comment, not one by another author with the same marker", () => {
  const marker = comment.jobs.comment.steps.at(-1).env.MARKER;
  const by = (id, login, body) => ({ id, user: { login }, body });
  const bot = "github-actions[bot]";
  const comments = [by(1, "mallory", marker), by(2, bot, "of another workflow"), by(3, bot, `old\n${marker}`)];
  const { calls } = runComment({ comments });
  assert.match(calls.at(-1), /^PATCH repos\/owner\/project\/issues\/comments\/3 /);
});

test("posts no comment unless the commit is the head of exactly one open pull request", () => {
  const pull = (number, sha) => ({ number, head: { sha } });
  const commit = event("workflow_run").workflow_run.head_sha;
  for (const pulls of [[], [pull(7, "f00")], [pull(7, commit), pull(8, commit)], [pull("8/../../..", commit)]]) {
    const { code, calls, body } = runComment({ head: fork, pulls });
    assert.equal(code, 0);
    assert.equal(calls.length, 1);
    assert.equal(body, "");
  }
});

test("an attacker's labels are escaped", () => {
  const { code, body, runner } = runComment({ files: figures({ [hostile]: runs(100) }, { [hostile]: runs(90) }) });
  assert.equal(code, 0);
  assert.ok(!/[@]everyone|<img|www\.d|!\[/.test(body), body);
  assert.ok(body.length < 65_536);
  const writer = runner.ran.find(({ step }) => step.name === "Write the comment");
  assert.match(writer.stdout, /^::stop-commands::/);
  assert.ok(!("GH_TOKEN" in writer.env));
});

test("a comment stays within GitHub's maximum length", () => {
  const many = (first) => Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${n} ${"<".repeat(240)}`, runs(first)]));
  const { code, body } = runComment({ files: figures(many(100), many(90)) });
  assert.equal(code, 0);
  assert.match(body, /^### Regression: 400 of 400 rows/);
  assert.ok(body.length < 65_536);
});

test("hostile artifacts fail the job before anything is posted", () => {
  const secret = join(scratch, "secret");
  put(secret, { "output_1.csv": "scenario,unit,value\nsecret,s,1\n" });
  const attacks = {
    "a symbolic link": (artifact) => {
      rmSync(join(artifact, "head"), { recursive: true });
      symlinkSync(secret, join(artifact, "head"));
    },
    "too many files": (artifact) => put(artifact, Object.fromEntries(runs(0, 1001).map((n) => [`head/${n}`, ""]))),
    "a huge file": (artifact) => writeFileSync(join(artifact, "head/output_1.csv"), Buffer.alloc(20 << 20, 48)),
    "no figures": (artifact) => put(artifact, { "head/output_1.csv": "::set-output name=number::9\n" }),
    "a missing side": (artifact) => rmSync(join(artifact, "base"), { recursive: true }),
  };
  for (const [name, tamper] of Object.entries(attacks)) {
    const { code, body, calls } = runComment({ tamper });
    assert.notEqual(code, 0, name);
    assert.equal(body, "", name);
    assert.ok(!calls.some((call) => /^(POST|PATCH)/.test(call)), name);
  }
});

// ---- Invariants of the files

test("both workflows have the same threshold, markers agree, and permissions are minimal", () => {
  const measuring = compare.jobs.compare.steps.find((step) => step.with?.threshold);
  const [writer, sender] = comment.jobs.comment.steps.slice(-2);
  assert.equal(Number(writer.env.THRESHOLD), Number(measuring.with.threshold));
  assert.equal(writer.env.MARKER, sender.env.MARKER);
  assert.deepEqual(compare.permissions, { contents: "read" });
  assert.deepEqual(comment.permissions, {});
  assert.deepEqual(comment.on.workflow_run.workflows, [compare.name]);
  for (const { run, uses } of [action.runs, compare.jobs.compare, comment.jobs.comment].flatMap((part) => part.steps)) {
    assert.ok(!run?.includes("${{"), run);
    assert.ok(!uses || uses === "./" || /^[\w/-]+@[0-9a-f]{40}$/.test(uses), uses);
  }
});
