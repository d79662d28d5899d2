// Runs what happens on a pull request: the scripts of the action and of the workflow that comments, with a
// measurement of recorded figures, and hostile artifacts. What GitHub itself does is not tested:
// permissions, triggers, expressions, third-party actions.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Runner, folder, generator, git, put, read } from "./steps.mjs";

const here = new URL(".", import.meta.url).pathname;
const action = read(".github/actions/compare/action.yml");
const comment = read(".github/workflows/comment.yml");

// ---- The pull request's own workflow

// Measures a pull request whose branch forked from `main` before main's last commit. The benchmark of a commit
// prints its figure, with a noise of 1 % from run to run.
function measure(figure) {
  const runner = new Runner(here);
  const { workspace, temp } = runner;
  git(workspace, "init", "-q", "-b", "main");
  const commit = (figure) => {
    const script = `#!/bin/sh\nn=$(cat ../n 2>/dev/null || echo 0)\necho $((n + 1)) >../n\necho "test seal ... bench: $((${figure} + n % 7)) ns/iter (+/- 1)"\n`;
    put(workspace, { ".ci/bench": script, ".ci/threshold": "7\n" });
    git(workspace, "add", ".");
    git(workspace, "commit", "-qm", "a step", "--allow-empty");
    return git(workspace, "rev-parse", "HEAD");
  };
  const fork = commit(700);
  const base = commit(9000);
  git(workspace, "checkout", "-q", "--detach", fork);
  const head = commit(figure);
  const results = join(temp, "benchmark");
  const measured = runner.step(action.runs, "Measure", {
    BASE: base, COMMAND: "sh .ci/bench", GENERATOR: generator, HEAD: head, RESULTS: results, RUNS: "8",
  });
  assert.equal(measured.code, 0, measured.stderr);
  const { code } = runner.step(action.runs, "Compare", { GENERATOR: generator, RESULTS: results, THRESHOLD: "" });
  return { code, results, summary: runner.summary };
}

test("a pull request that changes nothing passes", () => {
  const { code, summary } = measure(700);
  assert.equal(code, 0, summary);
  assert.match(summary, /^### No (change shown|regression)/);
});

// From the commit to the comment.
test("a slowdown fails, and is posted as a comment", () => {
  const { code: failed, results, summary } = measure(1400);
  assert.equal(failed, 1, summary);
  assert.match(summary, /^### Regression: 1 of 1 row is worse by more than 7%\n/);
  assert.match(summary, /\*\*base ➡️ head\*\* · .+ · 8 runs · fails above 7%/);

  const paths = readdirSync(results, { recursive: true }).filter((path) => statSync(join(results, path)).isFile());
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(results, path))]));
  const { code, body, calls } = runComment({ files });
  assert.equal(code, 0);
  // The threshold of the main branch counts, which has no file here.
  assert.match(body, /^### Regression: 1 of 1 row is worse by more than 5%\n/);
  assert.match(body, /\| seal \| ns \| .* \| [\d.]+x slower \|/);
  assert.match(body, /\[its page has all figures\]\(https:\/\/github\.com\/owner\/project\/actions\/runs\/16000000001\)/);
  assert.match(calls.at(-1), /^POST repos\/owner\/project\/issues\/7\/comments /);
});

test("a copy of the action installs the version that a file names, from a release or the registry", () => {
  const install = (files) => {
    const [copy, tools] = [folder(), folder()];
    const ACTION = join(copy, ".github/actions/compare");
    put(copy, { ".github/actions/compare/action.yml": "", ...files });
    put(tools, {
      gh: `#!/bin/sh\necho gh "$@" >> ${tools}/calls\n[ $1 != release ] || tar -czf $7 -C ${tools} generator\n`,
      cargo: `#!/bin/sh\necho cargo "$@" >> ${tools}/calls\n`,
      generator: "",
    });
    const runner = new Runner(tools);
    const chosen = runner.step(action.runs, "Choose", { ACTION });
    const { repository = "", package: PACKAGE = "", source: SOURCE = "", version = "" } = chosen.outputs;
    if (chosen.code === 0) {
      const downloaded = !repository || runner.step(action.runs, "Download", { GH_TOKEN: "a-token", REPOSITORY: repository, TAG: version });
      assert.ok(downloaded === true || downloaded.code === 0, downloaded.stderr);
      const built = runner.step(action.runs, "Build", { PACKAGE, SOURCE, VERSION: version });
      assert.equal(built.code, 0, built.stderr);
      assert.equal(built.outputs.generator, join(runner.temp, "bin/generator"));
    }
    const calls = join(tools, "calls");
    return { ...chosen, runner, calls: existsSync(calls) ? readFileSync(calls, "utf8") : "" };
  };
  const release = install({ ".github/generator": "# a comment\nsome/generator v1.2.3\n" });
  assert.match(release.calls, /^gh release download v1\.2\.3 --repo some\/generator .*\ngh attestation verify --repo some\/generator .*\n$/);
  assert.ok(existsSync(join(release.runner.temp, "bin/generator")));
  const registry = install({ ".github/generator": "benchpages 0.2.0\n" });
  assert.match(registry.calls, /^cargo install --quiet --locked benchpages --version 0\.2\.0 --root .*\n$/);
  const source = install({ "generator/src/main.rs": "" });
  assert.match(source.calls, /^cargo install --quiet --locked --path \. /);
  for (const text of ["", "some/generator\n", "--git https://example.org/x 1.0\n", "a/b/c v1\n", "benchpages latest\n"]) {
    const { code, stdout } = install({ ".github/generator": text });
    assert.equal(code, 1, text);
    assert.match(stdout, /::error::Write .*\.github\/generator/);
  }
  assert.equal(install({}).code, 1);
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
const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const hostile = "@everyone <img src=x> ![a](b) `c` #1 www.d.e ::set-output name=number::9";

// Runs the workflow on an artifact with these files, which `tamper` may change, of a branch of `owner`.
function runComment({ files = same, tamper = () => {}, owner = "owner", pulls, comments = [], threshold }) {
  const [answers, artifact] = [folder(), folder()];
  put(artifact, files);
  tamper(artifact);
  execFileSync("zip", ["-qry", join(answers, "benchmark.zip"), "."], { cwd: artifact });
  put(answers, {
    "pulls.json": JSON.stringify(pulls ?? [{ number: 7, head: { sha: COMMIT } }, { number: 8, head: { sha: "f00" } }]),
    "artifacts.json": JSON.stringify({ artifacts: [{ id: 41, expired: true }, { id: 42, expired: false }] }),
    "comments.json": JSON.stringify(comments),
  });
  const runner = new Runner(here, { GH_ANSWERS: answers });
  if (threshold) put(runner.workspace, { ".ci/threshold": threshold });
  const job = comment.jobs.comment;
  const RESULTS = join(runner.temp, "benchmark");
  const MARKER = job.steps.at(-1).env.MARKER;
  const ran = [runner.step(job, "Find the pull request", { BRANCH: "faster", COMMIT, GH_TOKEN: "a-token", OWNER: owner, RUN: "16000000001" })];
  const { number } = ran[0].outputs;
  if (number) {
    ran.push(runner.step(job, "Write the comment", {
      COMMIT, GENERATOR: generator, HEAD_REPOSITORY: `${owner}/project`, MARKER, RESULTS,
      RUN_URL: "https://github.com/owner/project/actions/runs/16000000001",
    }));
    if (ran[1].code === 0) ran.push(runner.step(job, "Comment", { GH_TOKEN: "a-token", MARKER, NUMBER: number }));
  }
  const get = (name) => (existsSync(join(answers, name)) ? readFileSync(join(answers, name), "utf8") : "");
  return { code: ran.at(-1).code, writer: ran[1], body: get("body"), calls: get("log").trim().split("\n") };
}

test("the comment on a fork's pull request names the fork and its commit, and the threshold is the main branch's", () => {
  const { code, body, calls } = runComment({ owner: "some__one", files: figures({ [FULL]: runs(100) }, { [FULL]: runs(94) }), threshold: "7" });
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
  for (const pulls of [[], [pull(7, "f00")], [pull(7, COMMIT), pull(8, COMMIT)], [pull("8/../../..", COMMIT)]]) {
    const { code, calls, body } = runComment({ owner: "some__one", pulls });
    assert.equal(code, 0);
    assert.equal(calls.length, 1);
    assert.equal(body, "");
  }
});

test("an attacker's labels are escaped", () => {
  const { code, body, writer } = runComment({ files: figures({ [hostile]: runs(100) }, { [hostile]: runs(90) }) });
  assert.equal(code, 0);
  assert.ok(!/[@]everyone|<img|www\.d|!\[/.test(body), body);
  assert.ok(body.length < 65_536);
  assert.match(writer.stdout, /^::stop-commands::/);
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

test("the code of a pull request gets no token, and no step's output is a command", () => {
  const [writer, sender] = comment.jobs.comment.steps.slice(-2);
  assert.equal(writer.env.MARKER, sender.env.MARKER);
  assert.ok(!("GH_TOKEN" in writer.env));
  assert.ok(action.runs.steps.every(({ name, env }) => name === "Download" || !("GH_TOKEN" in (env ?? {}))));
  for (const name of ["Measure", "Compare"]) {
    const { run } = action.runs.steps.find((step) => step.name === name);
    assert.match(run.split("\n").find((line) => !line.startsWith("#")), /^echo "::stop-commands::/);
  }
});
