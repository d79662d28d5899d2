// Tests that `serve` leaves nothing behind, however it ends.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const SERVE = join(dirname(fileURLToPath(import.meta.url)), "serve");

/** Calls `until` until it returns something. */
async function wait(until, what) {
  for (let tries = 0; tries < 200; tries++) {
    const found = until();
    if (found) return found;
    await setTimeout(50);
  }
  assert.fail(what);
}

function isRunning(process_) {
  try {
    return process.kill(process_, 0);
  } catch {
    return false;
  }
}

/** In a terminal, below a shell that survives a hang-up. */
const inTerminal = (command, env) =>
  spawn("script", ["-qec", `trap : HUP; ${command}; true`, "/dev/null"], { env, stdio: ["pipe", "ignore", "ignore"] });

/** Below `make`, without a terminal. */
const belowMake = (command, env) =>
  spawn("make", ["-f", "-"], { env, stdio: ["pipe", "ignore", "ignore"] }).once("spawn", function () {
    this.stdin.end(`serve:\n\t@true && exec ${command}\n`);
  });

/** Serves with stand-ins that run until they are stopped, each with a child. */
async function serve(start, end) {
  const folder = mkdtempSync(join(tmpdir(), "serve-"));
  const standIn = join(folder, "stand-in");
  writeFileSync(standIn, `#!/bin/sh\nsleep 600 &\necho $$ $! >>${folder}/running\nwait\n`, { mode: 0o755 });
  const started = start(`${SERVE} ${standIn}`, { ...process.env, ZOLA: standIn });
  const read = () => readFileSync(join(folder, "running"), "utf8").trim().split(/\s+/).map(Number);
  try {
    const running = await wait(() => {
      try {
        return read().length === 4 && read();
      } catch {
        return undefined;
      }
    }, "it starts both programs");
    await end(started, running);
    await wait(() => !running.some(isRunning), `some of ${running} are left`);
  } finally {
    started.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  }
}

test("Ctrl-C stops all", () => serve(inTerminal, (terminal) => terminal.stdin.write("\x03")));
test("closing the terminal stops all", () => serve(inTerminal, (terminal) => terminal.kill("SIGKILL")));
test("the end of one stops the other", () => serve(inTerminal, (_, [first]) => process.kill(first, "SIGKILL")));
for (const signal of ["SIGTERM", "SIGKILL"]) {
  test(`${signal} to make stops all`, () => serve(belowMake, (make) => make.kill(signal)));
}
