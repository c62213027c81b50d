/**
 * The share of a beta distribution with the shapes a and b that lies below x (the regularized incomplete beta
 * function), by Lentz's continued fraction: 10 digits in some √max(a, b) steps.
 */
export function betaShare(x: number, a: number, b: number): number {
  if (x <= 0 || b <= 0) return x <= 0 ? 0 : 1;
  if (x >= 1 || a <= 0) return 1;
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  // The continued fraction converges fast on this side of the mean.
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a;
  return 1 - (front * fraction(1 - x, b, a)) / b;
}

const stepsMax = 10_000;
const precision = 1e-12;
const tiny = 1e-300;

function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let found = d;
  for (let m = 1; m < stepsMax; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    found *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    found *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return found;
}

const nonZero = (value: number): number => (Math.abs(value) < tiny ? tiny : value);

/** Stirling's series from 16 on; smaller arguments are shifted. */
function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < 16) product *= shifted++;
  const square = 1 / (shifted * shifted);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1_260 - square / 1_680))) / shifted;
  const stirling = (shifted - 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI);
  return stirling + series - Math.log(product);
}
