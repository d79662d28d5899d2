// What a pull request can put on the website is checked before it is built.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Runner, folder, generator, put, read } from "./steps.mjs";

const here = new URL(".", import.meta.url).pathname;
const workflow = read(".github/workflows/pages.yml");
const { build, deploy } = workflow.jobs;

test("a site is built, and a file that the generator did not write is refused", () => {
  const zola = process.env.ZOLA ?? execFileSync(join(here, "../zola/find"), { encoding: "utf8" }).trim();
  const runner = new Runner(folder(), { SITE: "." });
  execFileSync(generator, ["--quiet", "init", runner.workspace]);
  symlinkSync(zola, join(runner.temp, "zola"));
  const check = () => runner.step(build, "Check that the committed pages match data/", { GENERATOR: generator });
  assert.equal(check().code, 0);
  const built = runner.step(build, "Build the website", { BASE_URL: "/" });
  assert.equal(built.code, 0, built.stderr);
  assert.ok(existsSync(join(runner.temp, "site/index.html")));
  put(join(runner.workspace, "content/perf/2026-11-29-example"), { "evil.html": "<script>" });
  assert.equal(check().code, 1);
});

test("only a push to the default branch is published, with a token that the build does not have", () => {
  const published = "github.ref == format('refs/heads/{0}', github.event.repository.default_branch)";
  assert.equal(deploy.needs, "build");
  assert.equal(deploy.if, "github.event_name != 'pull_request'");
  assert.equal(build.if, `github.event_name == 'pull_request' || ${published}`);
  assert.ok("pull_request" in workflow.on && !("pull_request_target" in workflow.on));
  for (const permissions of [workflow.permissions, build.permissions]) {
    assert.ok(Object.values(permissions).every((right) => right === "read"));
  }
});
