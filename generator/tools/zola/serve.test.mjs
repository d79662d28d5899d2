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

/** Serves with stand-ins that run until they are stopped, each with a child, in a terminal below a shell like `make`. */
async function serve(end) {
  const folder = mkdtempSync(join(tmpdir(), "serve-"));
  const standIn = join(folder, "stand-in");
  writeFileSync(standIn, `#!/bin/sh\nsleep 600 &\necho $$ $! >>${folder}/running\nwait\n`, { mode: 0o755 });
  const shell = `trap : HUP; ${SERVE} ${standIn}; true`;
  const terminal = spawn("script", ["-qec", shell, "/dev/null"], { env: { ...process.env, ZOLA: standIn }, stdio: ["pipe", "ignore", "ignore"] });
  const read = () => readFileSync(join(folder, "running"), "utf8").trim().split(/\s+/).map(Number);
  try {
    const running = await wait(() => {
      try {
        return read().length === 4 && read();
      } catch {
        return undefined;
      }
    }, "it starts both programs");
    await end(terminal, running);
    await wait(() => !running.some(isRunning), `some of ${running} are left`);
  } finally {
    terminal.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  }
}

test("Ctrl-C stops all", () => serve((terminal) => terminal.stdin.write("\x03")));
test("closing the terminal stops all", () => serve((terminal) => terminal.kill("SIGKILL")));
test("the end of one stops the other", () => serve((_, [first]) => process.kill(first, "SIGKILL")));
