// Runs the script that answers `/bench` in a comment, with hostile comments, and the scripts that follow the
// commits of a branch, with a small repository.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Runner, folder, generator, git, put, read } from "./steps.mjs";

const here = new URL(".", import.meta.url).pathname;
const request = read(".github/workflows/request.yml").jobs.start;
const commits = read("generator/embedded/site/.github/workflows/commits.yml").jobs;

const HEAD = { sha: "f00", ref: "faster", repo: { full_name: "owner/project" } };
const run = (id, more) => ({ id, head_branch: HEAD.ref, head_repository: HEAD.repo, pull_requests: [{ number: 7 }], ...more });

// The requests to GitHub after a comment.
function comment(body, { permission = "write", runs = [run(41), run(42)] } = {}) {
  const answers = folder();
  put(answers, {
    "permission.json": JSON.stringify({ permission }),
    "7.json": JSON.stringify({ head: HEAD }),
    "runs.json": JSON.stringify({ workflow_runs: runs }),
  });
  const runner = new Runner(here, { GH_ANSWERS: answers });
  const { code, stderr } = runner.step(request, "Start", { COMMENT: body, GH_TOKEN: "a-token", ID: "9", LOGIN: "some-one", NUMBER: "7" });
  assert.equal(code, 0, stderr);
  const log = join(answers, "log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

test("a request starts the newest run of the head again", () => {
  for (const body of ["/bench", "/bench\n", "/bench encode/1024", "/bench  a::b\r\n"]) {
    const calls = comment(body);
    assert.match(calls[2], /pull-request\.yml\/runs event=pull_request head_sha=f00$/);
    assert.match(calls[3], /^POST repos\/owner\/project\/actions\/runs\/42\/rerun /);
    assert.match(calls[4], /comments\/9\/reactions content=rocket$/);
  }
});

test("other comments, and those of others, start nothing", () => {
  for (const body of [
    "/benchmark", "/bench $(id)", "/bench a b", "/bench `id`", "/bench a\n/bench b", "please /bench", "/bench ../%0a;id",
    `/bench ${"a".repeat(101)}`, "/bench a\nBENCH=1", "/bench ::set-output name=x::1 y",
  ]) {
    assert.deepEqual(comment(body), [], body);
  }
  for (const permission of ["read", "none", "triage"]) assert.equal(comment("/bench", { permission }).length, 1);
});

test("a request starts no run of another pull request with the same head", () => {
  const others = [
    run(50, { head_branch: "other" }), run(51, { head_repository: { full_name: "fork/project" } }), run(52, { head_repository: null }),
    run(53, { pull_requests: [{ number: 8 }] }),
  ];
  assert.match(comment("/bench", { runs: [run(41), ...others] })[3], /runs\/41\/rerun /);
  assert.match(comment("/bench", { runs: others }).at(-1), /reactions content=confused$/);
  // The runs of a fork name no pull request.
  assert.match(comment("/bench", { runs: [run(42, { pull_requests: [] })] })[3], /runs\/42\/rerun /);
});

test("a request without a finished run is answered", () => {
  const calls = comment("/bench", { runs: [] });
  assert.match(calls.at(-1), /reactions content=confused$/);
  assert.ok(!calls.some((call) => call.includes("rerun")));
});

test("each commit is measured beside the one before, and its figures are added", () => {
  const runner = new Runner(here, { HOME: process.env.HOME });
  const { workspace, temp } = runner;
  const script = (n) => `#!/bin/sh\necho 'test seal ... bench: ${n} ns/iter (+/- 1)'\n`;
  git(workspace, "init", "-q", "-b", "main");
  for (const n of [100, 200]) {
    put(workspace, { ".ci/bench": script(n) });
    git(workspace, "add", ".");
    git(workspace, "commit", "-qm", "a step");
  }
  const find = () => runner.step(commits.measure, "Find the commits", { BRANCH: "benchmarks" }).outputs;
  const found = find();
  assert.equal(found.before, git(workspace, "rev-parse", "HEAD^"));
  assert.match(found.version, /^\d{4}-\d\d-\d\d\.\d{4}\+[0-9a-f]{7}$/);
  const [RESULTS, OUT] = [join(temp, "results"), join(temp, "commit")];
  const measured = runner.step(commits.measure, "Measure", {
    BEFORE: found.before, GENERATOR: generator, HEAD: found.head, RESULTS, RUNS: "4",
  });
  assert.equal(measured.code, 0, measured.stderr);
  const collected = runner.step(commits.measure, "Collect", { OUT, RESULTS, VERSION: found.version });
  assert.equal(collected.code, 0, collected.stdout + collected.stderr);
  const [heading, ...rows] = readFileSync(join(OUT, `${found.version}.csv`), "utf8").trim().split("\n");
  assert.equal(heading, "run,implementation,version,variant,scenario,unit,value,caveat");
  assert.equal(rows.length, 4);
  assert.ok(rows.every((row) => row.includes(`,project,${found.version},,seal,ns,200,`)), rows.join("\n"));

  // A site that is there already, as a repository that can be pushed to.
  const site = join(temp, "site");
  const origin = join(temp, "origin.git");
  mkdirSync(origin);
  git(origin, "init", "-q", "--bare");
  const add = (VERSION) => runner.step(
    { steps: commits.publish.steps.map((step) => ({ ...step, run: step.run?.replace(/origin="https.*"/, `origin="${origin}"`) })) },
    "Add the commit",
    { BRANCH: "benchmarks", COMMIT: OUT, GENERATOR: generator, GH_TOKEN: "a-token", KEEP: "2", SITE: site, VERSION },
  );
  for (const hostile of ["../../x", "2026-01-01.0000+0000000", "$(id)", ""]) assert.equal(add(hostile).code, 1, hostile);
  const added = add(found.version);
  assert.equal(added.code, 0, added.stderr);
  assert.deepEqual(git(origin, "ls-tree", "--name-only", "benchmarks:data/commits").split("\n").sort(), [`${found.version}.csv`, "report.toml"]);
  assert.ok(readdirSync(join(site, "content/perf")).includes("commits"));

  // The next time, it has been measured.
  const fetch = () => git(workspace, "fetch", "-q", origin, "+benchmarks:refs/remotes/origin/benchmarks");
  fetch();
  assert.equal(find().version, undefined);

  // Commits are in the order of the branch, whatever their clocks said; two are kept.
  const measureAt = (time) => {
    git(workspace, "commit", "-q", "--allow-empty", "-m", time);
    const commit = git(workspace, "rev-parse", "HEAD");
    const version = `${time}.0000+${commit.slice(0, 7)}`;
    const { before } = find();
    rmSync(site, { recursive: true });
    put(OUT, { [`${version}.csv`]: [heading, ...rows].join("\n").replaceAll(found.version, version) + "\n" });
    const added = add(version);
    assert.equal(added.code, 0, added.stderr);
    fetch();
    const kept = git(origin, "ls-tree", "--name-only", "benchmarks:data/commits").split("\n");
    return { before, commit, version: `${version}.csv`, kept: kept.filter((name) => name !== "report.toml").sort() };
  };
  const future = measureAt("2099-01-01");
  assert.equal(future.before, found.head);
  const past = measureAt("2001-01-01");
  assert.equal(past.before, future.commit);
  assert.deepEqual(past.kept, [past.version, future.version]);
  const last = measureAt("2002-01-01");
  assert.equal(last.before, past.commit);
  assert.deepEqual(last.kept, [past.version, last.version]);
});
