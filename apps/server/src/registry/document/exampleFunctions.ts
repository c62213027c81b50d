import type { FunctionKind, UserFunction } from "@hadal/sdk";

/** Functions that come with Hadal: of use as they are, and to start one's own from. */
export const exampleFunctions: readonly UserFunction[] = [
  example(
    "covariance",
    "aggregate",
    "Covariance of two columns of numbers (of the whole population).",
    `{
  init() {
    return { n: 0, x: 0, y: 0, xy: 0 };
  },
  update(s, x, y, weight) {
    s.n += weight;
    s.x += x * weight;
    s.y += y * weight;
    s.xy += x * y * weight;
  },
  merge(a, b) {
    return { n: a.n + b.n, x: a.x + b.x, y: a.y + b.y, xy: a.xy + b.xy };
  },
  finalize(s) {
    return s.n === 0 ? null : s.xy / s.n - (s.x / s.n) * (s.y / s.n);
  },
}`,
  ),
  example(
    "correlation",
    "aggregate",
    "Pearson's correlation of two columns of numbers, from -1 to 1; missing where one of them never changes.",
    `{
  init() {
    return { n: 0, x: 0, y: 0, xx: 0, yy: 0, xy: 0 };
  },
  update(s, x, y, weight) {
    s.n += weight;
    s.x += x * weight;
    s.y += y * weight;
    s.xx += x * x * weight;
    s.yy += y * y * weight;
    s.xy += x * y * weight;
  },
  merge(a, b) {
    return {
      n: a.n + b.n,
      x: a.x + b.x,
      y: a.y + b.y,
      xx: a.xx + b.xx,
      yy: a.yy + b.yy,
      xy: a.xy + b.xy,
    };
  },
  finalize(s) {
    const spread = (s.n * s.xx - s.x * s.x) * (s.n * s.yy - s.y * s.y);
    return spread > 0 ? (s.n * s.xy - s.x * s.y) / Math.sqrt(spread) : null;
  },
}`,
  ),
  example(
    "entropy",
    "aggregate",
    "Shannon's entropy of a column in bits: how evenly its values are spread.",
    `{
  init() {
    return {};
  },
  update(counts, value, weight) {
    const key = "=" + value;
    counts[key] = (counts[key] ?? 0) + weight;
  },
  merge(a, b) {
    for (const key of Object.keys(b)) a[key] = (a[key] ?? 0) + b[key];
  },
  finalize(counts) {
    let total = 0;
    let sum = 0;
    for (const key of Object.keys(counts)) {
      total += counts[key];
      sum += counts[key] * Math.log2(counts[key]);
    }
    return total === 0 ? null : Math.log2(total) - sum / total;
  },
}`,
  ),
  example(
    "domain",
    "scalar",
    "The host of a URL, without its port, in lower case.",
    `(url) => url?.match(/^[a-z][a-z0-9+.-]*:\\/\\/(?:[^/?#@]*@)?([^/?#:]+)/i)?.[1].toLowerCase()`,
  ),
  example(
    "budget_burn",
    "aggregate",
    "How fast an error budget of 0.1 % burns, from a column of HTTP status codes: 1 uses it up exactly.",
    `{
  init() {
    return { all: 0, failed: 0 };
  },
  update(s, status, weight) {
    s.all += weight;
    if (status >= 500) s.failed += weight;
  },
  merge(a, b) {
    return { all: a.all + b.all, failed: a.failed + b.failed };
  },
  finalize(s) {
    return s.all === 0 ? null : s.failed / s.all / 0.001;
  },
}`,
  ),
];

function example(
  name: string,
  kind: FunctionKind,
  description: string,
  source: string,
): UserFunction {
  return { name, version: 0, kind, source, description, savedMs: 0, example: true };
}
