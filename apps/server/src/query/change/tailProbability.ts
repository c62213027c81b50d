/** Coefficients of Lanczos' approximation of the gamma function. */
const lanczos = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155,
  0.1208650973866179e-2, -0.5395239384953e-5,
] as const;

function logGamma(x: number): number {
  const shifted = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
  const series = lanczos.reduce((sum, part, i) => sum + part / (x + 1 + i), 1.000000000190015);
  return -shifted + Math.log((Math.sqrt(2 * Math.PI) * series) / x);
}

/** How likely a normal deviate is at least so far from 0, to either side; relative error below 1.2e-7 (Chebyshev fit of erfc). */
export function normalTail(deviation: number): number {
  const z = Math.abs(deviation) / Math.SQRT2;
  const t = 1 / (1 + 0.5 * z);
  const powers = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398,
    1.48851587, -0.82215223, 0.17087277,
  ];
  const exponent = powers.reduceRight((sum, part) => sum * t + part, 0);
  return t * Math.exp(-z * z + exponent);
}

const stepsMax = 10_000;
const precision = 1e-12;
const tiny = 1e-300;

/** The regularized incomplete beta function, by its continued fraction (Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  const direct = x < (a + 1) / (a + b + 2);
  return direct ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

function fraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m <= stepsMax; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return h;
}

/**
 * Of `count` draws that each hit with probability `chance`: how likely the number of hits is at least as far out as
 * `hits`, to either side. Numbers of draws need not be whole: weighted rows count by their weight.
 */
export function binomialTail(hits: number, count: number, chance: number): number {
  if (count <= 0 || chance <= 0 || chance >= 1) return 1;
  const above = hits <= 0 ? 1 : incompleteBeta(chance, hits, count - hits + 1);
  const below = hits >= count ? 1 : incompleteBeta(1 - chance, count - hits, hits + 1);
  return Math.min(1, 2 * Math.min(above, below));
}
