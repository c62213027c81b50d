/** 95 % of a normal distribution are within this many standard deviations. */
export const normal95 = 1.959_963_985;

/**
 * Of a Student's t distribution with `df` degrees of freedom (a fraction is fine, from 1 on) 95 % lie
 * within this: Hill's algorithm 396 from 3 on, below a parabola through the logarithms at 1, 2 and 3.
 * Infinity: the normal distribution.
 */
export function studentT95(df: number): number {
  if (df < 1) return Number.POSITIVE_INFINITY;
  if (df > 1e6) return normal95;
  if (df < 3) {
    const u = 1 / df;
    return Math.exp(2.542090457 + (u - 1) * (2.165717295 + 0.534340412 * (u - 0.5)));
  }
  const p = 0.05;
  const a = 1 / (df - 0.5);
  const b = 48 / (a * a);
  let c = (((20_700 * a) / b - 98) * a - 16) * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * df;
  let y = (d * p) ** (2 / df);
  if (y > 0.05 + a) {
    const x = -normal95;
    y = x * x;
    if (df < 5) c += 0.3 * (df - 4.5) * (x + 0.6);
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = a * y * y;
    y = y > 0.002 ? Math.exp(y) - 1 : 0.5 * y * y + y;
  } else {
    const e = 1 / (((df + 6) / (df * y) - 0.089 * d - 0.822) * (df + 2) * 3);
    y = ((e + 0.5 / (df + 4)) * y - 1) * ((df + 1) / (df + 2)) + 1 / y;
  }
  return Math.sqrt(df * y);
}
