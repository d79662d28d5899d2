// What publishes the website: only pushes to the default branch, whatever tags and branches are called.

import assert from "node:assert/strict";
import { test } from "node:test";

import { holds, read } from "./steps.mjs";

const pages = read(".github/workflows/pages.yml").jobs;
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
  // A condition of its own could replace that the other job succeeds.
  assert.equal(pages.deploy.if, undefined);
});

test("commits of the default branch are measured and published, tags are not", () => {
  assert.ok(holds(commits.jobs.measure.if, push("refs/heads/main")));
  assert.ok(!holds(commits.jobs.measure.if, push("refs/heads/next")));
  // A push of a tag starts no workflow that names branches.
  assert.ok(commits.on.push.branches && !commits.on.push.tags);
  assert.ok(!holds(commits.jobs.publish.if, { needs: { measure: { outputs: { version: "" } } } }));
});
