// The weekly workflow's last job, run here by its own shell with GitHub's answers in files.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { Runner, read } from "./replay.mjs";

const here = new URL(".", import.meta.url).pathname;
const all = mkdtempSync(join(tmpdir(), "weekly-"));
after(() => rmSync(all, { recursive: true, force: true }));

// Tells of jobs that ended so, while issues with these titles are open.
function told(result, jobs, open) {
  const answers = mkdtempSync(join(all, "x"));
  const put = (name, value) => writeFileSync(join(answers, name), JSON.stringify(value));
  put("issues.json", open.map((title) => ({ title })));
  put("jobs.json", { jobs: jobs.map(([name, conclusion]) => ({ name, conclusion, html_url: `https://github.example/${name}` })) });
  const environment = { GH_ANSWERS: answers, GITHUB_RUN_ATTEMPT: "2", GITHUB_RUN_ID: "77" };
  const contexts = { cancelled: () => false, needs: { make: { result } } };
  const runner = new Runner({ place: mkdtempSync(join(all, "x")), event: {}, repository: "owner/site", tools: here, environment, contexts });
  const ended = runner.job(read(".github/workflows/weekly.yml"), "tell");
  const log = join(answers, "log");
  const posted = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter((line) => line.startsWith("POST")) : [];
  return { ...ended, posted, titles: posted.map((line) => line.split("title=")[1]), answers };
}

test("each job that failed opens one issue", () => {
  const jobs = [["make newest", "failure"], ["make deny", "cancelled"], ["make browser", "failure"], ["make test-zola", "success"], ["Open issues", null]];
  const { code, stderr, posted, titles, answers } = told("failure", jobs, ["make browser fails", "make newest fails again"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(titles, ["make newest fails", "make deny fails"]);
  assert.ok(posted.every((line) => line.startsWith("POST repos/owner/site/issues ")));
  assert.match(readFileSync(join(answers, "body"), "utf8"), /https:\/\/github\.example\/make deny/);
});

test("nothing is told where all went well, or all is known", () => {
  assert.ok(told("success", [], []).skipped);
  assert.deepEqual(told("failure", [["make deny", "failure"]], ["make deny fails"]).posted, []);
});
