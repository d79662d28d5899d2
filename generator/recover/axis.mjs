// Axes: from the places of their ticks to values.

/** Coordinates are printed with six decimals, so they are off by half of the last at most. */
const PRINTED = 5e-7;

/** What values become before they are places. The third is a slip that pictures have: logarithms drawn on a logarithmic axis. */
export const SCALES = {
  linear: { of: (value) => value, back: (x) => x },
  logarithmic: { of: Math.log10, back: (x) => 10 ** x },
  "doubly logarithmic": { of: (value) => Math.log10(Math.log10(value)), back: (x) => 10 ** (10 ** x) },
};

/** The least squares line through [x, y]: `{at, slope, residual}`, the last its largest distance from a point. */
export function line(pairs) {
  const mean = (of) => pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [x, y] = [mean((p) => p[0]), mean((p) => p[1])];
  const slope = mean((p) => (p[0] - x) * (p[1] - y)) / mean((p) => (p[0] - x) ** 2);
  const at = (value) => y + slope * (value - x);
  const residual = Math.max(...pairs.map((p) => Math.abs(p[1] - at(p[0]))));
  return { at, slope, residual, inverse: (place) => x + (place - y) / slope };
}

/**
 * An axis through all of its ticks, `{place, value}`, on the scale that fits them best. Two ticks fit every scale: then
 * `scale` has to name it. `value(place)` and `place(value)` go there and back; `residual` is in units of the picture.
 */
export function calibrate(ticks, scale) {
  const fit = (name) => {
    const { of, back } = SCALES[name];
    const fitted = line(ticks.map((t) => [of(t.value), t.place]));
    const value = (place) => back(fitted.inverse(place));
    return {
      scale: name,
      residual: fitted.residual,
      value,
      place: (v) => fitted.at(of(v)),
      /** How far a value may be off: as the ticks are, and by the digits of its place. */
      precision(place, printed = PRINTED) {
        const off = fitted.residual + printed;
        return Math.abs(value(place + off) - value(place - off)) / 2;
      },
    };
  };
  if (scale) return fit(scale);
  if (ticks.length < 3) throw new Error(`${ticks.length} ticks do not tell the scale of an axis`);
  const fits = Object.keys(SCALES).map(fit);
  const best = fits.filter((f) => Number.isFinite(f.residual)).sort((a, b) => a.residual - b.residual)[0];
  const length = Math.abs(ticks.at(-1).place - ticks[0].place);
  if (!best || best.residual > length / 500) throw new Error("no known scale fits the ticks of an axis");
  return best;
}

/** A value to the digits that its precision supports. */
export function rounded(value, precision) {
  const decimals = Math.max(0, Math.floor(-Math.log10(2 * precision)));
  return Number(value.toFixed(Math.min(decimals, 12)));
}
