// Runs the shell steps of workflows and actions like a GitHub runner, in a clean environment and with an
// event; implements only what our workflows need. Steps that use other actions call `uses`.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

// No step has text of others in its script, and other actions are pinned.
export function checkSteps(...parts) {
  for (const { run, uses } of parts.flatMap((part) => part.steps)) {
    assert.ok(!run?.includes("${{"), run);
    assert.ok(!uses || uses === "./" || /^[\w/-]+@[0-9a-f]{40}$/.test(uses), uses);
  }
}

// Missing properties are empty strings.
const lenient = (value) =>
  value && typeof value === "object" ? new Proxy(value, { get: (of, name) => lenient(of[name] ?? "") }) : value;

// The GitHub expressions that our workflows use are valid JavaScript, except for hyphens in names.
function evaluate(text, contexts) {
  const expression = text.replace(/^\$\{\{(.*)\}\}$/s, "$1").replace(/\.([a-z]+-[a-z]+)/g, '["$1"]');
  return Function("contexts", `with (contexts) { return ${expression}; }`)(lenient(contexts)) ?? "";
}

const fill = (text, contexts) =>
  String(text ?? "").replace(/\$\{\{(.*?)\}\}/gs, (_, expression) => evaluate(expression, contexts));

const filled = (map, contexts) =>
  Object.fromEntries(Object.entries(map ?? {}).map(([key, text]) => [key, fill(text, contexts)]));

// A runner for one job. `dir` contains its home, checkout (`workspace`) and temporary folder; `tools` comes
// first on its PATH; `stubs` are the outputs of steps that it skips, by id; `contexts` are further contexts
// of expressions.
export class Runner {
  ran = [];

  constructor({ dir, event, repository, tools, stubs = {}, uses = () => {}, environment = {}, contexts = {} }) {
    Object.assign(this, { dir, event, stubs, uses, more: contexts });
    for (const folder of ["home", "temp", "workspace"]) mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, "event.json"), JSON.stringify(event));
    this.environment = {
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_PATH: join(dir, "event.json"),
      GITHUB_REPOSITORY: repository,
      GITHUB_STEP_SUMMARY: join(dir, "summary"),
      GITHUB_WORKSPACE: join(dir, "workspace"),
      HOME: join(dir, "home"),
      LANG: "C.UTF-8",
      PATH: [tools, process.env.PATH].join(delimiter),
      RUNNER_TEMP: join(dir, "temp"),
      ...environment,
    };
    writeFileSync(this.environment.GITHUB_STEP_SUMMARY, "");
  }

  get summary() {
    return readFileSync(this.environment.GITHUB_STEP_SUMMARY, "utf8");
  }

  job(workflow, name) {
    const contexts = this.contexts();
    const { if: condition, steps, env } = workflow.jobs[name];
    if (condition && !evaluate(condition, contexts)) return { code: 0, skipped: true };
    contexts.env = filled({ ...workflow.env, ...env }, contexts);
    return this.steps(steps, contexts, contexts.env);
  }

  // `path` is the action's folder.
  action(action, inputs, path = root.replace(/\/$/, "")) {
    const contexts = this.contexts();
    contexts.github.action_path = path;
    for (const [name, input] of Object.entries(action.inputs)) {
      contexts.inputs[name] = inputs?.[name] !== undefined ? String(inputs[name]) : fill(input.default, contexts);
    }
    return this.steps(action.runs.steps, contexts, {});
  }

  contexts() {
    return {
      github: { event: this.event, token: "a-token" },
      hashFiles: (path) => (existsSync(join(this.environment.GITHUB_WORKSPACE, path)) ? "a-digest" : ""),
      inputs: {},
      vars: {},
      runner: { temp: this.environment.RUNNER_TEMP },
      steps: Object.fromEntries(Object.entries(this.stubs).map(([id, outputs]) => [id, { outputs }])),
      ...this.more,
    };
  }

  // Runs steps until one fails, and records their output in `ran`.
  steps(steps, contexts, environment) {
    for (const step of steps) {
      if (step.id in this.stubs || (step.if && !evaluate(step.if, contexts))) continue;
      if (step.uses) {
        const code = this.uses(step.uses, filled(step.with, contexts)) ?? 0;
        if (code !== 0) return { code };
        continue;
      }
      const file = join(this.dir, "output");
      writeFileSync(file, "");
      const env = { ...this.environment, ...environment, ...filled(step.env, contexts), GITHUB_OUTPUT: file };
      const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run];
      const cwd = this.environment.GITHUB_WORKSPACE;
      const { status, stdout, stderr } = spawnSync("bash", shell, { cwd, env, encoding: "utf8", maxBuffer: 2 ** 26 });
      this.ran.push({ step, env, stdout, stderr });
      if (status !== 0) return { code: status, step, stdout, stderr };
      const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
      const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
      if (step.id) contexts.steps[step.id] = { outputs };
    }
    return { code: 0 };
  }
}
