// Runs the steps of workflows and actions as a runner of GitHub does, as far as ours need it: their
// shell in a clean environment, with an event. Actions of others are told to `uses`.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "yaml";

const root = new URL("../..", import.meta.url).pathname;

export const read = (path) => parse(readFileSync(join(root, path), "utf8"));

// What is not there is empty text.
const lenient = (value) =>
  value && typeof value === "object" ? new Proxy(value, { get: (of, name) => lenient(of[name] ?? "") }) : value;

// GitHub's expressions, as far as ours go, are JavaScript's, but for hyphens in names.
function evaluate(text, contexts) {
  const expression = text.replace(/^\$\{\{(.*)\}\}$/s, "$1").replace(/\.([a-z]+-[a-z]+)/g, '["$1"]');
  return Function("contexts", `with (contexts) { return ${expression}; }`)(lenient(contexts)) ?? "";
}

const fill = (text, contexts) =>
  String(text ?? "").replace(/\$\{\{(.*?)\}\}/gs, (_, expression) => evaluate(expression, contexts));

const filled = (map, contexts) =>
  Object.fromEntries(Object.entries(map ?? {}).map(([key, text]) => [key, fill(text, contexts)]));

// A runner for one job. `place` has its home, checkout (`workspace`) and temporary folder; `tools` come
// first on its PATH; `known` are the outputs of steps that are not run, by their id; `contexts` what else
// expressions name.
export class Runner {
  ran = [];

  constructor({ place, event, repository, tools, known = {}, uses = () => {}, environment = {}, contexts = {} }) {
    Object.assign(this, { place, event, known, uses, more: contexts });
    for (const folder of ["home", "temp", "workspace"]) mkdirSync(join(place, folder), { recursive: true });
    writeFileSync(join(place, "event.json"), JSON.stringify(event));
    this.environment = {
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_PATH: join(place, "event.json"),
      GITHUB_REPOSITORY: repository,
      GITHUB_STEP_SUMMARY: join(place, "summary"),
      GITHUB_WORKSPACE: join(place, "workspace"),
      HOME: join(place, "home"),
      LANG: "C.UTF-8",
      PATH: [tools, process.env.PATH].join(delimiter),
      RUNNER_TEMP: join(place, "temp"),
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

  // `path` is where the action lies.
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
      hashFiles: () => "a-digest",
      inputs: {},
      vars: {},
      runner: { temp: this.environment.RUNNER_TEMP },
      steps: Object.fromEntries(Object.entries(this.known).map(([id, outputs]) => [id, { outputs }])),
      ...this.more,
    };
  }

  // Until one fails. What they print is kept in `ran`.
  steps(steps, contexts, environment) {
    for (const step of steps) {
      if (step.id in this.known || (step.if && !evaluate(step.if, contexts))) continue;
      if (step.uses) {
        const code = this.uses(step.uses, filled(step.with, contexts)) ?? 0;
        if (code !== 0) return { code };
        continue;
      }
      const file = join(this.place, "output");
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
