// Runs the shell scripts of single steps of workflows, in an environment like that of a GitHub runner.
// `make lint-workflows` checks the rest: conditions, pinned actions, and that no text of others is in a script.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { after } from "node:test";
import { parse } from "yaml";

const root = new URL("../../..", import.meta.url).pathname;

export const generator = resolve(process.env.GENERATOR ?? join(root, "generator/target/debug/generator"));

export const read = (path) => parse(readFileSync(resolve(root, path), "utf8"));

const scratch = mkdtempSync(join(tmpdir(), "action-"));
after(() => rmSync(scratch, { recursive: true, force: true }));
export const folder = () => mkdtempSync(join(scratch, "x"));

// Writes files, and those that are scripts as executables.
export function put(dir, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text, { mode: String(text).startsWith("#!") ? 0o755 : 0o644 });
  }
}

export const git = (cwd, ...words) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], { cwd, encoding: "utf8" }).trim();

// A machine for the steps of one job, with its home, checkout and temporary folder. `tools` comes first on
// its PATH.
export class Runner {
  constructor(tools, environment = {}) {
    const dir = folder();
    for (const name of ["home", "temp", "workspace"]) mkdirSync(join(dir, name));
    this.dir = dir;
    this.temp = join(dir, "temp");
    this.workspace = join(dir, "workspace");
    this.environment = {
      CI: "true",
      GITHUB_REPOSITORY: "owner/project",
      GITHUB_STEP_SUMMARY: join(dir, "summary"),
      GITHUB_WORKSPACE: this.workspace,
      HOME: join(dir, "home"),
      LANG: "C.UTF-8",
      PATH: [tools, process.env.PATH].join(delimiter),
      RUNNER_TEMP: this.temp,
      ...environment,
    };
  }

  get summary() {
    return readFileSync(this.environment.GITHUB_STEP_SUMMARY, "utf8");
  }

  // Runs the script of a step with the variables that it declares.
  step({ steps }, name, variables = {}) {
    const step = steps.find((step) => step.name === name);
    assert.deepEqual(Object.keys(variables).sort(), Object.keys(step.env ?? {}).sort(), name);
    const file = join(this.dir, "output");
    writeFileSync(file, "");
    const env = { ...this.environment, ...variables, GITHUB_OUTPUT: file };
    const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run];
    const { status, stdout, stderr } = spawnSync("bash", shell, { cwd: this.workspace, env, encoding: "utf8", maxBuffer: 2 ** 26 });
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    return { code: status, stdout, stderr, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) };
  }
}
