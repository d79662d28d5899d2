// Runs the workflow that measures on several machines: the scripts of both jobs, with a stub that measures
// instantly, folders as artifacts, and a repository to push to. What GitHub itself does is not tested:
// permissions, runners, expressions, third-party actions.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Runner, folder, generator, git, put, read } from "./steps.mjs";

const bench = read(".github/workflows/bench.yml");

// Writes a report as `run` does, of a machine named like the folder.
const MEASURE = `#!/bin/bash
[[ $1 == run ]] || exec "${generator}" "$@"
out=\${*: -1}
[[ $out != *broken* ]] || exit 4
mkdir -p "$out"
echo "machine = \\"\${out##*/}\\"" > "$out/report.toml"
printf '%s\\n' 'scenario,unit,rustls 1.0,OpenSSL 3.0' "\\"full handshakes, 1.3, rsa, server\\",handshakes/s,$RANDOM.5,$RANDOM.25" > "$out/table.csv"
printf '%s\\n' "$@" > "$RUNNER_TEMP/arguments"
`;

// Measures on these machines, and collects the results into a branch of a new repository.
function benchmark(machines, tamper = () => {}) {
  const [artifacts, tools, origin] = [folder(), folder(), folder()];
  put(tools, { measure: MEASURE, gh: `#!/bin/bash\n: "\${GH_TOKEN:?}"; printf '%s\\n' "$@" > "$RUNNER_TEMP/gh"\n` });
  const { measure, collect } = bench.jobs;
  const measured = machines.map((labels, index) => {
    const runner = new Runner(tools, { GITHUB_RUN_ID: "77", SITE: "." });
    const { code } = runner.step(measure, "Measure", {
      GENERATOR: join(tools, "measure"), IMPLEMENTATIONS: "rustls openssl", OPTIONS: "--runs 6 --filter 1.3", RUNNER: labels,
    });
    if (code === 0) cpSync(join(runner.temp, "report"), join(artifacts, `report-${index}`), { recursive: true });
    return { code, arguments: join(runner.temp, "arguments") };
  });

  tamper(artifacts);

  const server = { GITHUB_REF_NAME: "main", GITHUB_RUN_ATTEMPT: "1", GITHUB_RUN_ID: "77", GITHUB_SERVER_URL: "https://github.example", SITE: "." };
  const runner = new Runner(tools, server);
  const { workspace, temp, environment } = runner;
  put(workspace, { "config.toml": 'base_url = "/"\n', "data/old/table.csv": "scenario,unit,rustls 1.0\nparse,ns,5\n" });
  git(workspace, "init", "-q", "-b", "main");
  git(workspace, "add", ".");
  git(workspace, "commit", "-qm", "a site");
  git(workspace, "clone", "-q", "--bare", ".", origin);
  git(workspace, "config", "--file", join(environment.HOME, ".gitconfig"), `url.${origin}.insteadOf`, "https://x-access-token:a-token@github.example/owner/project");
  cpSync(artifacts, join(temp, "reports"), { recursive: true });
  cpSync(new URL("../../../.github", import.meta.url).pathname, join(workspace, ".github"), { recursive: true });
  let outcome = runner.step(collect, "Add the reports");
  if (outcome.code === 0) outcome = runner.step(collect, "Write the pages", { GENERATOR: generator });
  if (outcome.code === 0) outcome = runner.step(collect, "Open a pull request", { GH_TOKEN: "a-token" });
  const pushed = (...words) => git(origin, ...words);
  return { ...outcome, measured, pushed, call: join(temp, "gh"), config: join(workspace, ".git/config") };
}

test("the reports of two machines and their pages become one branch and one pull request", () => {
  const { code, stderr, measured, pushed, call, config } = benchmark(["ubuntu-24.04", "self-hosted-bench 1/a"]);
  assert.equal(code, 0, stderr);
  const day = new Date().toISOString().slice(0, 10);
  const names = ["self-hosted-bench-1-a", "ubuntu-24.04"].map((labels) => `${day}-${execFileSync("uname", ["-m"], { encoding: "utf8" }).trim()}-${labels}`);
  for (const { arguments: file } of measured) {
    const given = readFileSync(file, "utf8").trim().split("\n");
    assert.deepEqual(given.slice(0, -1), ["run", "rustls", "openssl", "--runs", "6", "--filter", "1.3", "--out"]);
  }
  const branch = "bench/77-1";
  const files = pushed("diff", "--name-only", "main", branch).split("\n");
  for (const name of names) {
    for (const file of [`data/${name}/report.toml`, `data/${name}/table.csv`]) assert.ok(files.includes(file), file);
  }
  assert.ok(files.includes("content/perf/.generated"));
  assert.ok(files.every((file) => /^(data|content)\//.test(file)), files.join("\n"));
  const page = pushed("show", `${branch}:content/perf/_index.md`);
  for (const name of names) assert.ok(page.includes(name), name);
  assert.equal(pushed("log", "--format=%an", "-1", branch), "github-actions[bot]");
  assert.equal(pushed("rev-list", "--count", "main"), "1");
  const [, , , head, , base, , title, , ...body] = readFileSync(call, "utf8").trim().split("\n");
  assert.deepEqual([head, base, title, body], [branch, "main", `Reports of ${day}`, names]);
  const steps = Object.values(bench.jobs).flatMap((job) => job.steps);
  const withToken = steps.filter(({ env }) => "GH_TOKEN" in (env ?? {})).map(({ name }) => name);
  assert.deepEqual(withToken, ["Open a pull request"]);
  assert.ok(!readFileSync(config, "utf8").includes("a-token"));
});

test("the report of one machine is kept when another machine fails", () => {
  const { code, stderr, measured, pushed } = benchmark(["broken", "ubuntu-24.04"]);
  assert.deepEqual(measured.map((machine) => machine.code), [4, 0]);
  assert.equal(code, 0, stderr);
  const reports = pushed("ls-tree", "--name-only", "bench/77-1", "data/").split("\n").filter((path) => path !== "data/old");
  assert.equal(reports.length, 1);
  assert.match(reports[0], /ubuntu-24\.04$/);
});

test("a machine cannot replace another report, or add links and other files", () => {
  const own = (artifacts) => {
    const [artifact] = readdirSync(artifacts);
    const [name] = readdirSync(join(artifacts, artifact));
    return { artifacts, artifact, name };
  };
  for (const tamper of [
    ({ artifacts, artifact, name }) => cpSync(join(artifacts, artifact, name), join(artifacts, "report-9", name), { recursive: true }),
    ({ artifacts, artifact, name }) => cpSync(join(artifacts, artifact, name), join(artifacts, "report-9", "old"), { recursive: true }),
    ({ artifacts, artifact, name }) => symlinkSync("/etc/hostname", join(artifacts, artifact, name, "linked")),
    ({ artifacts, artifact, name }) => git(join(artifacts, artifact, name), "init", "-q", "nested"),
    ({ artifacts, artifact, name }) => put(join(artifacts, artifact, name), { ".gitattributes": "* eol=crlf" }),
    ({ artifacts, artifact }) => put(join(artifacts, artifact), { "README.md": "not a report" }),
    ({ artifacts, artifact, name }) => cpSync(join(artifacts, artifact, name), join(artifacts, artifact, "a @somebody"), { recursive: true }),
  ]) {
    const { code, call } = benchmark(["ubuntu-24.04"], (artifacts) => tamper(own(artifacts)));
    assert.equal(code, 1, tamper);
    assert.ok(!existsSync(call));
  }
});

test("a new site has the same workflow, with minimal permissions", () => {
  const site = folder();
  execFileSync(generator, ["--quiet", "init", "--tls", join(site, "new")]);
  assert.deepEqual(read(join(site, "new/.github/workflows/bench.yml")), bench);
  assert.ok(existsSync(join(site, "new/.github/add-reports")));
  assert.deepEqual(bench.permissions, { contents: "read" });
  assert.equal(bench.jobs.measure.permissions, undefined);
  assert.deepEqual(Object.keys(bench.jobs.collect.permissions), ["contents", "pull-requests"]);
});
