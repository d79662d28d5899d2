// What publishes the website: only pushes to the default branch, whatever tags and branches are called.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Runner, folder, generator, holds, put, read } from "./steps.mjs";

const here = new URL(".", import.meta.url).pathname;
const workflow = read(".github/workflows/pages.yml");
const pages = workflow.jobs;
const commits = read("generator/embedded/site/.github/workflows/commits.yml");

const event = { repository: { default_branch: "main" } };
const push = (ref) => ({ github: { event, event_name: "push", ref, ref_name: ref.split("/").slice(2).join("/") } });

test("the website is built for the default branch only", () => {
  assert.ok(holds(pages.build.if, push("refs/heads/main")));
  for (const ref of ["refs/tags/main", "refs/tags/v1.0.0", "refs/heads/next", "refs/heads/refs/heads/main", "refs/pull/7/merge"]) {
    assert.ok(!holds(pages.build.if, push(ref)), ref);
  }
});

test("it is published only if it was built", () => {
  assert.equal(pages.deploy.needs, "build");
  // Without a function such as always(), it also needs that the other job succeeds.
  assert.doesNotMatch(pages.deploy.if, /\(/);
  assert.ok(holds(pages.deploy.if, push("refs/heads/main")));
});

test("a pull request is checked and built, without a token that can write, and not published", () => {
  const proposal = { github: { ...push("refs/pull/7/merge").github, event_name: "pull_request" } };
  assert.ok("pull_request" in workflow.on && !("pull_request_target" in workflow.on));
  assert.ok(holds(pages.build.if, proposal));
  assert.ok(!holds(pages.deploy.if, proposal));
  for (const permissions of [workflow.permissions, pages.build.permissions]) {
    assert.ok(Object.values(permissions).every((right) => right === "read"));
  }
  // The one that looks up the site's address, and the one that uploads it, are left out.
  const left = pages.build.steps.filter((step) => step.if && !step.if.includes("hashFiles") && !holds(step.if, { ...proposal, steps: { build: { outputs: { generator: "x" } } } }));
  assert.deepEqual(left.map(({ uses }) => uses.split("@")[0]), ["actions/configure-pages", "actions/upload-pages-artifact"]);

  const [tools, zola] = [folder(), process.env.ZOLA ?? execFileSync(join(here, "../zola/find"), { encoding: "utf8" }).trim()];
  const runner = new Runner(tools, { SITE: "." });
  execFileSync(generator, ["--quiet", "init", runner.workspace]);
  symlinkSync(zola, join(runner.temp, "zola"));
  const check = () => runner.step(pages.build, "Check that the committed pages match data/", { GENERATOR: generator });
  assert.equal(check().code, 0);
  const built = runner.step(pages.build, "Build the website", { BASE_URL: "/" });
  assert.equal(built.code, 0, built.stderr);
  assert.ok(existsSync(join(runner.temp, "site/index.html")));
  const report = join(runner.workspace, "content/perf/2026-11-22-example");
  put(report, { "evil.html": "<script>" });
  assert.equal(check().code, 1);
});

test("commits of the default branch are measured and published, tags are not", () => {
  assert.ok(holds(commits.jobs.measure.if, push("refs/heads/main")));
  assert.ok(!holds(commits.jobs.measure.if, push("refs/heads/next")));
  // A push of a tag starts no workflow that names branches.
  assert.ok(commits.on.push.branches && !commits.on.push.tags);
  assert.ok(!holds(commits.jobs.publish.if, { needs: { measure: { outputs: { version: "" } } } }));
});
