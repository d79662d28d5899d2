// Units as data.json names them: which way is better, the base unit, and how figures are shown.

const MIB = 1024 * 1024;

// One unit in base units, as the generator reads them; 1 for others.
const FACTORS = { "MiB/s": MIB, ns: 1e-9, KiB: 1024 };

const BETTER = {
  "MiB/s": "higher",
  "handshakes/s": "higher",
  "ops/s": "higher",
  ns: "lower",
  KiB: "lower",
};

/** Counts that are the same in every run. */
const COUNTS = new Set([
  "instructions",
  "allocations",
  "bytes allocated",
  "bytes on the wire",
  "flights",
  "records",
  "calls",
]);
/** Sizes of a build, which have a single figure. */
const SIZES = new Set(["stripped bytes", "bytes of .text", "bytes of .rodata", "bytes of .data", "crates", "tools"]);
export const isSize = (unit) => SIZES.has(unit);
export const isCount = (unit) => COUNTS.has(unit) || isSize(unit);

const TIMES = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
];

/** One unit in base units (bytes/s, seconds, bytes). */
export const factor = (unit) => FACTORS[unit] ?? 1;

/** "higher", "lower", or undefined if the unit does not say. */
export const better = (unit) => {
  if (isCount(unit) || unit.endsWith("/op")) return "lower";
  return unit.endsWith("/s") ? "higher" : BETTER[unit];
};

/** Whether changes are percentages, as of amounts and counts, not factors, as of rates and times. */
export const asPercent = (unit) => unit === "KiB" || isCount(unit);

/** The unit as people read it. */
export const shown = (unit) => (unit === "handshakes/s" ? "hs/s" : unit);

/** Rounds to `decimals`, an exact half to even, as the generator prints. */
export function fixed(value, decimals) {
  // toFixed rounds an exact half up. A double has at most 1074 binary places; whether a value near 1 is
  // an exact half shows in its first hundred decimal places.
  const text = value.toFixed(decimals);
  const places = value.toFixed(100).split(".")[1] ?? "";
  const isHalf = /^50*$/.test(places.slice(decimals));
  const isOdd = Number(text.at(-1)) % 2 === 1;
  return isHalf && isOdd ? (Number(text) - Math.sign(value) * 10 ** -decimals).toFixed(decimals) : text;
}

/** The recorded digits of a figure: 14, since conversion loses the last bits. */
function tidy(value) {
  return String(Number(value.toExponential(13)));
}

/** One unit and one number of decimals for figures in base units. */
export function scale(unit, values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const smallest = sorted.find((value) => value > 0) ?? 1;
  const [one, symbol] = unitFor(unit, middle, smallest);
  const recorded = (value) => (tidy(value / one).split(".")[1] ?? "").length;
  // A fraction of a count comes from a mean, and says nothing among tens of thousands.
  const most = isCount(unit) && middle >= 10000 ? 0 : Math.max(2, 2 - Math.floor(Math.log10(smallest / one)));
  const decimals = Math.min(most, Math.max(0, ...Array.from(sorted, recorded)));
  return { symbol, show: (value) => number(value / one, decimals) };
}

/** The factor and symbol that leave digits to the median and to the smallest figure. */
function unitFor(unit, middle, smallest) {
  if (unit === "ns") return timeScale(middle, smallest);
  if (unit === "KiB" && smallest < factor(unit)) return [1, "B"];
  return [factor(unit), shown(unit)];
}

function timeScale(middle, smallest) {
  if (middle >= 1 && smallest >= 1) return TIMES[0];
  if (middle >= 1e-2 && smallest >= 1e-3) return TIMES[1];
  return middle >= 1e-5 && smallest >= 1e-6 ? TIMES[2] : [1e-9, "ns"];
}

/** Formats a number for readers. */
export const number = (value, decimals) => grouped(fixed(value, decimals));

/** Puts a comma between groups of three digits. */
function grouped(number) {
  const [integer, fraction] = number.split(".");
  const commas = integer.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? commas : `${commas}.${fraction}`;
}
