// Finds Zola on the PATH, checks downloads, and patches programs compiled here: they are linked against a
// library with a symbol version V2, and run with one that lacks V2, like an older libc.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { weaken } from "./install.mjs";

let dir;
const file = (name) => join(dir, name);
const cc = (...args) => execFileSync("cc", args, { cwd: dir });
const run = (name) => spawnSync(file(name), { encoding: "utf8", env: { LD_LIBRARY_PATH: dir } });

before(() => {
  dir = mkdtempSync(join(tmpdir(), "weaken-"));
  writeFileSync(file("old.c"), "int steady(void) { return 40; }\n");
  writeFileSync(file("new.c"), "int steady(void) { return 40; }\nint recent(void) { return 2; }\n");
  writeFileSync(file("old.map"), "V1 { global: steady; };\n");
  writeFileSync(file("new.map"), "V1 { global: steady; };\nV2 { global: recent; } V1;\n");
  const program = (attribute) =>
    `int steady(void);\nint recent(void) ${attribute};\n` +
    "int main(void) { int (*volatile f)(void) = recent; return steady() + (f ? f() : 1); }\n";
  writeFileSync(file("weak.c"), program("__attribute__((weak))"));
  writeFileSync(file("strong.c"), program(""));

  cc("-shared", "-fPIC", "-o", "libdep.so", "new.c", "-Wl,--version-script=new.map", "-Wl,-soname,libdep.so");
  for (const name of ["weak", "strong"]) {
    cc("-fPIE", "-pie", "-o", name, `${name}.c`, "libdep.so");
    assert.equal(run(name).status, 42);
  }
  cc("-shared", "-fPIC", "-o", "libdep.so", "old.c", "-Wl,--version-script=old.map", "-Wl,-soname,libdep.so");
});

after(() => rmSync(dir, { recursive: true }));

test("the first Zola on the PATH that is new enough is found", () => {
  const find = (names, env = {}) => {
    const path = [...names.map(file), "/usr/bin", "/bin"].join(":");
    return spawnSync(fileURLToPath(new URL("find", import.meta.url)), { encoding: "utf8", env: { PATH: path, ...env } });
  };
  const printed = { old: "zola 0.21.0", unrelated: "Zola, the writer", supported: "zola 0.23.0", later: "zola 1.0.0" };
  for (const [name, version] of Object.entries(printed)) {
    mkdirSync(file(name));
    writeFileSync(join(file(name), "zola"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  }
  assert.equal(find(["old", "missing", "unrelated", "supported", "later"]).stdout, `${file("supported")}/zola\n`);
  assert.equal(find(["later"]).stdout, `${file("later")}/zola\n`);
  // The named one is used whatever its version.
  const old = join(file("old"), "zola");
  assert.equal(find(["supported"], { ZOLA: old }).stdout, `${old}\n`);
  const refused = find(["supported"], { ZOLA: "/nonexistent" });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /^ZOLA=\/nonexistent does not run as Zola/);
});

test("a release with other bytes is refused", () => {
  mkdirSync(file("other"));
  const curl = '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho other >"$2"\n';
  writeFileSync(join(file("other"), "curl"), curl, { mode: 0o755 });
  const releases = fileURLToPath(new URL("releases", import.meta.url));
  const refused = spawnSync(releases, [file("zolas")], { encoding: "utf8", env: { PATH: `${file("other")}:/usr/bin:/bin` } });
  assert.equal(refused.status, 1);
  assert.equal(refused.stdout, "");
  assert.match(refused.stderr, /zola-v0\.19\.2-.*FAILED/);
});

test("a patched program runs without the version", () => {
  const refused = run("weak");
  assert.match(refused.stderr, /version `V2' not found/);
  assert.notEqual(refused.status, 41);

  const elf = readFileSync(file("weak"));
  assert.deepEqual(weaken(elf, "V2"), ["recent"]);
  writeFileSync(file("weakened"), elf, { mode: 0o755 });
  assert.equal(run("weakened").status, 41);
});

test("changes one byte, and nothing the second time", () => {
  const before = readFileSync(file("weak"));
  const once = Buffer.from(before);
  weaken(once, "V2");
  assert.equal(once.filter((byte, i) => byte !== before[i]).length, 1);

  const twice = Buffer.from(once);
  assert.deepEqual(weaken(twice, "V2"), []);
  assert.ok(twice.equals(once));
});

test("leaves a file that does not require the version unchanged", () => {
  const elf = readFileSync(file("weak"));
  assert.deepEqual(weaken(elf, "V9"), []);
  assert.ok(elf.equals(readFileSync(file("weak"))));
});

test("refuses a version with a strong symbol, and leaves the file unchanged", () => {
  const elf = readFileSync(file("strong"));
  assert.throws(() => weaken(elf, "V2"), /recent of V2 is required/);
  assert.ok(elf.equals(readFileSync(file("strong"))));
});

test("refuses truncated files and files that are not 64-bit ELF", () => {
  const elf = readFileSync(file("weak"));
  assert.throws(() => weaken(Buffer.alloc(0), "V2"), /not a 64-bit/);
  assert.throws(() => weaken(Buffer.from("#!/bin/sh\n".repeat(20)), "V2"), /not a 64-bit/);
  for (const length of [64, 4096, elf.length - 64]) {
    assert.throws(() => weaken(elf.subarray(0, length), "V2"), Error);
  }
});
