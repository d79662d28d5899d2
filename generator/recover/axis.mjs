// Calibrates axes: converts positions in a picture to values, using the ticks.

/** The largest rounding error of a coordinate, which Matplotlib prints with six decimals. */
const ROUNDING = 5e-7;

/** How values map to a linear position. The third one is a mistake of some pictures: logarithms drawn on a logarithmic axis. */
export const SCALES = {
  linear: { forward: (value) => value, inverse: (x) => x },
  logarithmic: { forward: Math.log10, inverse: (x) => 10 ** x },
  "doubly logarithmic": { forward: (value) => Math.log10(Math.log10(value)), inverse: (x) => 10 ** (10 ** x) },
};

/** Fits a line to points [x, y] by least squares; `residual` is the largest distance of a point from it, along y. */
export function fitLine(pairs) {
  const mean = (of) => pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [x, y] = [mean((p) => p[0]), mean((p) => p[1])];
  const slope = mean((p) => (p[0] - x) * (p[1] - y)) / mean((p) => (p[0] - x) ** 2);
  const at = (value) => y + slope * (value - x);
  const residual = Math.max(...pairs.map((p) => Math.abs(p[1] - at(p[0]))));
  return { at, slope, residual, inverse: (value) => x + (value - y) / slope };
}

/**
 * Calibrates an axis from its ticks, `{position, value}`, on the scale that fits them best. Two ticks fit every scale, so
 * `scale` has to name it then. `value(position)` and `position(value)` convert; `residual` is in units of the picture.
 */
export function calibrate(ticks, scale) {
  const fit = (name) => {
    const { forward, inverse } = SCALES[name];
    const fitted = fitLine(ticks.map((t) => [forward(t.value), t.position]));
    const value = (position) => inverse(fitted.inverse(position));
    return {
      scale: name,
      residual: fitted.residual,
      value,
      position: (v) => fitted.at(forward(v)),
      /** The largest error of a value, given the residual of the ticks and the rounding of its position. */
      precision(position) {
        const error = fitted.residual + ROUNDING;
        return Math.abs(value(position + error) - value(position - error)) / 2;
      },
    };
  };
  if (scale) return fit(scale);
  if (ticks.length < 3) throw new Error(`${ticks.length} ticks do not determine the scale of an axis`);
  const fits = Object.keys(SCALES).map(fit);
  const best = fits.filter((f) => Number.isFinite(f.residual)).sort((a, b) => a.residual - b.residual)[0];
  const length = Math.abs(ticks.at(-1).position - ticks[0].position);
  if (!best || best.residual > length / 500) throw new Error("no known scale fits the ticks of an axis");
  return best;
}

/** Rounds a value to the digits that its precision supports. */
export function rounded(value, precision) {
  const decimals = Math.max(0, Math.floor(-Math.log10(2 * precision)));
  return Number(value.toFixed(Math.min(decimals, 12)));
}
