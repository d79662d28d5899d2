// Finds Zola on the PATH, and checks downloads.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const dir = mkdtempSync(join(tmpdir(), "zola-"));
after(() => rmSync(dir, { recursive: true }));

/** A folder with an executable script. */
function program(folder, name, script) {
  mkdirSync(join(dir, folder));
  writeFileSync(join(dir, folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Runs a script of this folder with these folders first on its PATH. */
function run(script, words, folders, env = {}) {
  const path = [...folders.map((folder) => join(dir, folder)), "/usr/bin", "/bin"].join(":");
  return spawnSync(fileURLToPath(new URL(script, import.meta.url)), words, { encoding: "utf8", env: { PATH: path, ...env } });
}

test("the first Zola on the PATH that is new enough is found", () => {
  const printed = { old: "zola 0.21.0", unrelated: "Zola, the writer", supported: "zola 0.23.0", later: "zola 1.0.0" };
  for (const [name, version] of Object.entries(printed)) program(name, "zola", `echo ${version}`);
  const find = (names, env) => run("find", [], names, env);
  assert.equal(find(["old", "missing", "unrelated", "supported", "later"]).stdout, `${dir}/supported/zola\n`);
  assert.equal(find(["later"]).stdout, `${dir}/later/zola\n`);
  // The named one is used whatever its version.
  const old = join(dir, "old/zola");
  assert.equal(find(["supported"], { ZOLA: old }).stdout, `${old}\n`);
  const refused = find(["supported"], { ZOLA: "/nonexistent" });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /^ZOLA=\/nonexistent does not run as Zola/);
});

test("a release with other bytes is refused", () => {
  program("other", "curl", 'while [ "$1" != -o ]; do shift; done\necho other >"$2"');
  const refused = run("releases", [join(dir, "zolas")], ["other"]);
  assert.equal(refused.status, 1);
  assert.equal(refused.stdout, "");
  assert.match(refused.stderr, /zola-v0\.19\.2-.*FAILED/);
});
