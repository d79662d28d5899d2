// Runs what happens on a pull request: the shell steps of action.yml and of both workflows, with events
// like GitHub's, a measurement of a small repository, and hostile artifacts. What GitHub itself does is
// not tested: permissions, triggers, third-party actions.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { test } from "node:test";

import { Runner, checkSteps, folder, generator, git, put, read } from "./replay.mjs";

const here = new URL(".", import.meta.url).pathname;
const action = read("action.yml");
const compare = read(".github/workflows/pull-request.yml");
const comment = read(".github/workflows/comment.yml");
const event = (name) => JSON.parse(readFileSync(join(here, `events/${name}.json`), "utf8"));

// ---- The pull request's own workflow

// Creates a repository with this crate, whose checked-out branch forked from `main` before main's last
// commit, and does this much work in `checksum`, where the fork did 2000 rounds.
function project(workspace, rounds) {
  cpSync(join(here, "crate"), workspace, { recursive: true, filter: (path) => !path.endsWith("/target") });
  const commit = (rounds) => {
    const text = readFileSync(join(workspace, "src/lib.rs"), "utf8").replace(/ROUNDS: u64 = \d+/, `ROUNDS: u64 = ${rounds}`);
    put(workspace, { "src/lib.rs": text, ".ci/bench": "#!/bin/sh\ncargo bench --quiet --locked\n", ".ci/threshold": "7\n" });
    git(workspace, "add", ".");
    git(workspace, "commit", "-qm", "a step", "--allow-empty");
    return git(workspace, "rev-parse", "HEAD");
  };
  git(workspace, "init", "-q", "-b", "main");
  const fork = commit(2000);
  const base = commit(90000);
  git(workspace, "checkout", "-q", "--detach", fork);
  return { base, head: commit(rounds) };
}

// Runs the workflow on a pull request with so many rounds. What cargo compiles is kept for the next time.
function measure(rounds) {
  const dir = folder();
  const workspace = join(dir, "workspace");
  mkdirSync(workspace);
  const { base, head } = project(workspace, rounds);
  const pullRequest = event("pull_request");
  pullRequest.pull_request.base.sha = base;
  pullRequest.pull_request.head.sha = head;
  const uploaded = [];
  let measured;
  const uses = (name, options) => {
    if (name.startsWith("actions/upload-artifact@")) uploaded.push(options.path);
    if (name !== "./") return 0;
    measured = runner.action(action, { ...options, runs: 8 });
    return measured.code;
  };
  const { CARGO_HOME, HOME, RUSTUP_HOME } = process.env;
  const environment = {
    CARGO_HOME: CARGO_HOME ?? join(HOME, ".cargo"),
    CARGO_TARGET_DIR: resolve(here, "../../target/action"),
    RUSTUP_HOME: RUSTUP_HOME ?? join(HOME, ".rustup"),
  };
  const stubs = { build: { generator }, download: {} };
  const runner = new Runner({ dir, event: pullRequest, repository: "owner/project", tools: here, stubs, uses, environment });
  const { code } = runner.job(compare, "compare");
  return { code, uploaded, runner, why: `${measured?.stderr}\n${runner.summary}` };
}

test("a pull request that changes nothing passes", () => {
  const { code, runner, why } = measure(2000);
  assert.equal(code, 0, why);
  assert.match(runner.summary, /^### No change shown in 2 rows\n/);
});

// From the commit to the comment.
test("a slowdown fails after the figures are uploaded, and is posted as a comment", () => {
  const { code: failed, uploaded, runner, why } = measure(40000);
  assert.equal(failed, 1, why);
  assert.match(runner.summary, /^### Regression: 1 of 2 rows is worse by more than 7%\n/);
  assert.match(runner.summary, /\*\*base ➡️ head\*\* · .+ · 8 runs a side · fails above 7%/);
  assert.match(runner.summary, /\| checksum \| [nµ]s \| .* \| [\d.]+x slower \|/);
  assert.deepEqual(uploaded, [runner.environment.RUNNER_TEMP + "/benchmark"]);
  // The code of a pull request gets no token.
  assert.ok(runner.ran.every(({ env }) => !("GH_TOKEN" in env)));

  const files = Object.fromEntries(
    readdirSync(uploaded[0], { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .map((path) => [relative(uploaded[0], path), readFileSync(path)]),
  );
  const { code, body, calls } = runComment({ files, conclusion: "failure" });
  assert.equal(code, 0);
  // The threshold of the main branch counts, which has no file here.
  assert.match(body, /^### Regression: 1 of 2 rows is worse by more than 5%\n/);
  assert.match(body, /\| checksum \| [nµ]s \| .* \| [\d.]+x slower \|/);
  assert.match(body, /\[its page has all figures\]\(https:\/\/github\.com\/owner\/project\/actions\/runs\/16000000001\)/);
  assert.match(calls.at(-1), /^POST repos\/owner\/project\/issues\/7\/comments /);
});

test("a copy of the action downloads the newest release of the repository named in a file", () => {
  const run = (files) => {
    const [dir, copy, tools] = [folder(), folder(), folder()];
    put(copy, files);
    put(tools, { gh: `#!/bin/sh\necho "$@" >> ${dir}/calls\n[ $1 != release ] || tar -czf $6 -C ${tools} generator\n`, generator: "" });
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
function runComment({ files = same, tamper = () => {}, head, pulls, comments = [], conclusion = "success", threshold }) {
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
  if (threshold) put(runner.environment.GITHUB_WORKSPACE, { ".ci/threshold": threshold });
  const outcome = runner.job(comment, "comment");
  const get = (name) => (existsSync(join(answers, name)) ? readFileSync(join(answers, name), "utf8") : "");
  return { ...outcome, runner, body: get("body"), calls: get("log").trim().split("\n") };
}

test("the comment on a fork's pull request names the fork and its commit, and the threshold is the main branch's", () => {
  const { code, body, calls } = runComment({ head: fork, files: figures({ [FULL]: runs(100) }, { [FULL]: runs(94) }), threshold: "7" });
  assert.equal(code, 0);
  assert.match(body, /^### No regression: 1 of 1 row is worse, but none by more than 7%\n/);
  assert.match(body, /Measured at `0123456` of the fork `some__one\/project` by a workflow that the pull request can change/);
  assert.match(calls[0], /^GET repos\/owner\/project\/pulls .*head=some__one:faster$/);
  assert.match(calls.at(-1), /^POST repos\/owner\/project\/issues\/7\/comments /);
});

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

test("hostile artifacts fail the job before anything is posted", () => {
  const secret = folder();
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

test("markers agree, and permissions are minimal", () => {
  const [writer, sender] = comment.jobs.comment.steps.slice(-2);
  assert.equal(writer.env.MARKER, sender.env.MARKER);
  assert.ok(action.runs.steps.every(({ id, env }) => id === "download" || !("GH_TOKEN" in (env ?? {}))));
  assert.deepEqual(compare.permissions, { contents: "read" });
  assert.deepEqual(comment.permissions, {});
  assert.deepEqual(comment.on.workflow_run.workflows, [compare.name]);
  checkSteps(action.runs, compare.jobs.compare, comment.jobs.comment);
});
