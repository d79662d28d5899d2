// What happens on a pull request, run here: the steps' shell of action.yml and of both workflows, with
// events in GitHub's shape, a measurement of a small repository, and artifacts as an attacker makes them.
// GitHub's own part is not tested: permissions, triggers, the actions of others.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

import { Runner, read } from "./replay.mjs";

const here = new URL(".", import.meta.url).pathname;
const generator = resolve(process.env.GENERATOR ?? join(here, "../target/debug/generator"));
const action = read("action.yml");
const compare = read(".github/workflows/pull-request.yml");
const comment = read(".github/workflows/comment.yml");
const event = (name) => JSON.parse(readFileSync(join(here, `events/${name}.json`), "utf8"));

const all = mkdtempSync(join(tmpdir(), "action-"));
after(() => rmSync(all, { recursive: true, force: true }));
const folder = () => mkdtempSync(join(all, "x"));

function put(place, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
}

// ---- The pull request's own workflow

// A project whose benchmark takes as many turns as `turns` says, and prints what Go prints.
const BENCHMARK = `turns=$(cat turns)
start=\${EPOCHREALTIME/./}
for ((i = 0; i < turns; i++)); do :; done
echo "BenchmarkTurns-2 1 $(( (\${EPOCHREALTIME/./} - start) * 1000 )) ns/op"
`;

// On a branch that left `main` before main's last commit.
function project(workspace, turns) {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
  const git = (...words) => execFileSync("git", [...identity, ...words], { cwd: workspace, encoding: "utf8" }).trim();
  const commit = (files) => {
    put(workspace, files);
    git("add", ".");
    git("commit", "-qm", "a step");
    return git("rev-parse", "HEAD");
  };
  git("init", "-q");
  const fork = commit({ "bench.sh": BENCHMARK, turns: "20000" });
  const base = commit({ turns: "900000" });
  git("checkout", "-q", "--detach", fork);
  return { base, fork, head: commit({ turns, changed: "yes" }) };
}

function measured({ inputs, turns = "20000", program = generator, head }) {
  const place = folder();
  const opened = event("pull_request");
  const workspace = join(place, "workspace");
  mkdirSync(workspace);
  const commits = project(workspace, turns);
  opened.pull_request.base.sha = commits.base;
  opened.pull_request.head.sha = head ? commits[head] : commits.head;
  const artifacts = [];
  const known = { build: { generator: program } };
  const uses = (name, options) => void artifacts.push({ name, ...options });
  const runner = new Runner({ place, event: opened, repository: "owner/project", tools: here, known, uses });
  const ended = runner.action(action, { runs: 6, ...inputs });
  return { ...ended, runner, artifacts, commits, results: join(place, "temp/benchmark") };
}

test("a slowdown fails, after the summary is written and the figures are kept", () => {
  const { code, runner, artifacts, results } = measured({ inputs: { command: "bash bench.sh" }, turns: "60000" });
  assert.equal(code, 1);
  assert.match(runner.summary, /^### Regression: 1 of 1 row is worse by more than 5%\n/);
  assert.match(runner.summary, /\*\*base ➡️ head\*\* · .* processors · 6 runs a side · fails above 5%/);
  assert.equal(artifacts.length, 1);
  assert.equal(artifacts[0].path, results);
  for (const side of ["base", "head"]) assert.ok(existsSync(join(results, side, "output_6")), side);
  assert.ok(runner.ran.every(({ env }) => !("GH_TOKEN" in env)));
  const turns = runner.ran[0].stderr.match(/run \d of 6: .*/g).map((line) => line.split(": ")[1]);
  assert.deepEqual(turns.slice(0, 3), ["base head", "head base", "base head"]);
});

test("a speed-up passes, and so does what main did meanwhile", () => {
  const { code, runner } = measured({ inputs: { command: "bash bench.sh" }, turns: "5000" });
  assert.equal(code, 0);
  assert.match(runner.summary, /^### Improvement: 1 of 1 row is better\n/);
});

test("the threshold is the project's", () => {
  const { code, runner } = measured({ inputs: { command: "bash bench.sh", threshold: 2000 }, turns: "60000" });
  assert.equal(code, 0);
  assert.match(runner.summary, /^### No regression: 1 of 1 row is worse, but none by more than 2000%\n/);
});

test("a command that fails, or prints nothing known, fails at once and says why", () => {
  for (const [command, words] of [["false", /trying base/], ["echo hello", /no known format starts like this/]]) {
    const { code, stderr, artifacts } = measured({ inputs: { command } });
    assert.notEqual(code, 0);
    assert.match(stderr, words);
    assert.deepEqual(artifacts, []);
  }
});

test("a TLS library is measured at both commits by one `generator run`", () => {
  const place = folder();
  const program = join(place, "generator");
  // Leaves what `run` leaves, in an order of its own.
  const script = `#!/usr/bin/env bash
[[ $1 == run ]] || exec ${generator} "$@"
[[ ! -e $RESULTS ]] || exit 2 # as for a report of something else
printf '%s\\n' "$@" > ${place}/arguments
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
  const { code, runner, commits } = measured({ inputs: { implementations: "rustls+ring", options }, program });
  assert.equal(code, 0, runner.ran.at(-1)?.stderr);
  const source = `git:${runner.environment.GITHUB_WORKSPACE}#`;
  const expected = ["run", `rustls@${source}${commits.fork}+ring`, `rustls@${source}${commits.head}+ring`, "--runs", "6"];
  const found = readFileSync(join(place, "arguments"), "utf8").trim().split("\n");
  assert.deepEqual(found.slice(0, 5), expected);
  assert.deepEqual(found.slice(7), ["--filter=handshakes, 1.3", "--suite=measure"]);
  assert.match(runner.summary, /^### No change shown in 1 row\n/);
});

test("a copy of the action takes the newest release of the repository that a file names", () => {
  const run = (files) => {
    const [place, copy, tools] = [folder(), folder(), folder()];
    put(copy, files);
    put(tools, { gh: `#!/bin/sh\necho "$@" >> ${place}/calls\n[ $1 != release ] || tar -czf $6 -C ${tools} generator\n`, generator: "" });
    chmodSync(join(tools, "gh"), 0o755);
    const runner = new Runner({ place, event: event("pull_request"), repository: "owner/project", tools });
    return { ...runner.action(action, {}, copy), place, runner };
  };
  const { code, place, runner } = run({ ".github/generator": "some/generator\n" });
  assert.equal(code, 0, runner.ran[0].stderr);
  assert.match(readFileSync(join(place, "calls"), "utf8"), /^release download --repo some\/generator .*\nattestation verify --repo some\/generator /);
  assert.ok(existsSync(join(place, "temp/generator")));
  const without = run({});
  assert.equal(without.code, 1);
  assert.match(without.stdout, /::error::Write owner\/name .*\.github\/generator/);
});

test("no commits beyond the base are an error", () => {
  const { code, stderr } = measured({ inputs: { command: "bash bench.sh" }, head: "fork" });
  assert.equal(code, 2);
  assert.match(stderr, /nothing to compare/);
});

// ---- The comment

const runs = (first, n = 6) => Array.from({ length: n }, (_, run) => first + run / 10);
const rows = (values) => (run) =>
  Object.entries(values).map(([label, all]) => `"${label}",handshakes/s,${all[run]}\n`).join("");

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

// Runs the workflow on an artifact with these files, which `make` may spoil.
function commented({ files = same, make = () => {}, head, pulls, comments = [], conclusion = "success" }) {
  const [place, answers, artifact] = [folder(), folder(), folder()];
  const completed = event("workflow_run");
  completed.workflow_run.conclusion = conclusion;
  if (head) Object.assign(completed.workflow_run, { head_repository: head, pull_requests: [] });
  const commit = completed.workflow_run.head_sha;
  put(artifact, files);
  make(artifact);
  execFileSync("zip", ["-qry", join(answers, "benchmark.zip"), "."], { cwd: artifact });
  put(answers, {
    "pulls.json": JSON.stringify(pulls ?? [{ number: 7, head: { sha: commit } }, { number: 8, head: { sha: "f00" } }]),
    "artifacts.json": JSON.stringify({ artifacts: [{ id: 41, expired: true }, { id: 42, expired: false }] }),
    "comments.json": JSON.stringify(comments),
  });
  const known = { build: { generator } };
  const environment = { GH_ANSWERS: answers };
  const runner = new Runner({ place, event: completed, repository: "owner/project", tools: here, known, environment });
  const ended = runner.job(comment, "comment");
  const get = (name) => (existsSync(join(answers, name)) ? readFileSync(join(answers, name), "utf8") : "");
  return { ...ended, runner, body: get("body"), calls: get("log").trim().split("\n") };
}

for (const [name, options] of Object.entries({
  regression: { files: figures({ [FULL]: runs(100), [RESUMED]: runs(200) }, { [FULL]: runs(90), [RESUMED]: runs(200) }), conclusion: "failure" },
  improvement: { files: figures({ [FULL]: runs(100), [RESUMED]: runs(200) }, { [FULL]: runs(120), [RESUMED]: runs(200) }) },
  "no-change": {},
  "too-few-runs": { files: figures({ [FULL]: runs(100, 3) }, { [FULL]: runs(50, 3) }) },
  fork: { head: fork, files: figures({ [FULL]: runs(100) }, { [FULL]: runs(120) }) },
})) {
  test(`the comment: ${name}`, () => {
    const { code, body, calls } = commented(options);
    assert.equal(code, 0);
    const file = join(here, `comments/${name}.md`);
    if (process.env.UPDATE) writeFileSync(file, body);
    assert.equal(body, readFileSync(file, "utf8"));
    const owner = options.head?.owner.login ?? "owner";
    assert.match(calls[0], new RegExp(`^GET repos/owner/project/pulls .*head=${owner}:faster$`));
    assert.match(calls.at(-1), /^POST repos\/owner\/project\/issues\/7\/comments /);
  });
}

test("our comment is updated, and not that of somebody who copied its mark", () => {
  const mark = comment.jobs.comment.steps.at(-1).env.MARKER;
  const by = (id, login, body) => ({ id, user: { login }, body });
  const bot = "github-actions[bot]";
  const comments = [by(1, "mallory", mark), by(2, bot, "of another workflow"), by(3, bot, `old\n${mark}`)];
  const { calls } = commented({ comments });
  assert.match(calls.at(-1), /^PATCH repos\/owner\/project\/issues\/comments\/3 /);
});

test("nothing is said where the commit is no longer that of one open pull request", () => {
  const pull = (number, sha) => ({ number, head: { sha } });
  const commit = event("workflow_run").workflow_run.head_sha;
  for (const pulls of [[], [pull(7, "f00")], [pull(7, commit), pull(8, commit)], [pull("8/../../..", commit)]]) {
    const { code, calls, body } = commented({ head: fork, pulls });
    assert.equal(code, 0);
    assert.equal(calls.length, 1);
    assert.equal(body, "");
  }
});

test("labels of an attacker are text", () => {
  const { code, body, runner } = commented({ files: figures({ [hostile]: runs(100) }, { [hostile]: runs(90) }) });
  assert.equal(code, 0);
  assert.ok(!/[@]everyone|<img|www\.d|!\[/.test(body), body);
  assert.ok(body.length < 65_536);
  const writer = runner.ran.find(({ step }) => step.name === "Write the comment");
  assert.match(writer.stdout, /^::stop-commands::/);
  assert.ok(!("GH_TOKEN" in writer.env));
});

test("a comment keeps to GitHub's length", () => {
  const many = (first) => Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${n} ${"<".repeat(240)}`, runs(first)]));
  const { code, body } = commented({ files: figures(many(100), many(90)) });
  assert.equal(code, 0);
  assert.match(body, /^### Regression: 400 of 400 rows/);
  assert.ok(body.length < 65_536);
});

test("artifacts that are no figures end the job before anything is said", () => {
  const secret = join(all, "secret");
  put(secret, { "output_1.csv": "scenario,unit,value\nsecret,s,1\n" });
  const spoiled = {
    "links out": (artifact) => {
      rmSync(join(artifact, "head"), { recursive: true });
      symlinkSync(secret, join(artifact, "head"));
    },
    "too many files": (artifact) => put(artifact, Object.fromEntries(runs(0, 1001).map((n) => [`head/${n}`, ""]))),
    "a bomb": (artifact) => writeFileSync(join(artifact, "head/output_1.csv"), Buffer.alloc(20 << 20, 48)),
    "no figures": (artifact) => put(artifact, { "head/output_1.csv": "::set-output name=number::9\n" }),
    nothing: (artifact) => rmSync(join(artifact, "base"), { recursive: true }),
  };
  for (const [name, make] of Object.entries(spoiled)) {
    const { code, body, calls } = commented({ make });
    assert.notEqual(code, 0, name);
    assert.equal(body, "", name);
    assert.ok(!calls.some((call) => /^(POST|PATCH)/.test(call)), name);
  }
});

// ---- What the files promise

test("both workflows have one threshold and one mark, and the least permissions", () => {
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
