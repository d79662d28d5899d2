// Runs the shell steps of the weekly workflow's last job, with GitHub's answers in files.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { Runner, read } from "./replay.mjs";

const here = new URL(".", import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), "weekly-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

// Runs the last job for jobs with these conclusions, while issues with these titles are open.
function openIssues(result, jobs, open) {
  const answers = mkdtempSync(join(scratch, "x"));
  const put = (name, value) => writeFileSync(join(answers, name), JSON.stringify(value));
  put("issues.json", open.map((title) => ({ title })));
  put("jobs.json", { jobs: jobs.map(([name, conclusion]) => ({ name, conclusion, html_url: `https://github.example/${name}` })) });
  const environment = { GH_ANSWERS: answers, GITHUB_RUN_ATTEMPT: "2", GITHUB_RUN_ID: "77" };
  const contexts = { cancelled: () => false, needs: { make: { result } } };
  const runner = new Runner({ dir: mkdtempSync(join(scratch, "x")), event: {}, repository: "owner/site", tools: here, environment, contexts });
  const outcome = runner.job(read(".github/workflows/weekly.yml"), "issues");
  const log = join(answers, "log");
  const posted = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter((line) => line.startsWith("POST")) : [];
  return { ...outcome, posted, titles: posted.map((line) => line.split("title=")[1]), answers };
}

test("opens one issue for each failed job", () => {
  const jobs = [["make newest", "failure"], ["make deny", "cancelled"], ["make browser", "failure"], ["make test-zola", "success"], ["Open issues", null]];
  const { code, stderr, posted, titles, answers } = openIssues("failure", jobs, ["make browser fails", "make newest fails again"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(titles, ["make newest fails", "make deny fails"]);
  assert.ok(posted.every((line) => line.startsWith("POST repos/owner/site/issues ")));
  assert.match(readFileSync(join(answers, "body"), "utf8"), /https:\/\/github\.example\/make deny/);
});

test("opens no issue if all jobs passed or the issue is already open", () => {
  assert.ok(openIssues("success", [], []).skipped);
  assert.deepEqual(openIssues("failure", [["make deny", "failure"]], ["make deny fails"]).posted, []);
});
