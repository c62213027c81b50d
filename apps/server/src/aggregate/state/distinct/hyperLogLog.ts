/** The standard error of an estimate from 2^bits registers. */
export function relativeErrorOf(bits: number): number {
  return 1.04 / Math.sqrt(2 ** bits);
}

/**
 * How many distinct elements the registers of a group have seen: Ertl's improved estimator ("New
 * cardinality estimation algorithms for HyperLogLog sketches", 2017), which needs neither tables nor a
 * change of method for small numbers.
 */
export function estimateOf(registers: Uint8Array, group: number, bits: number): number {
  const size = 2 ** bits;
  const runMax = 64 - bits;
  const counts = new Float64Array(runMax + 2);
  for (let i = group * size; i < (group + 1) * size; i++) counts[registers[i]!]! += 1;
  let sum = size * tau((size - counts[runMax + 1]!) / size);
  for (let run = runMax; run >= 1; run--) sum = 0.5 * (sum + counts[run]!);
  sum += size * sigma(counts[0]! / size);
  return ((size / (2 * Math.LN2)) * size) / sum;
}

function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let [power, sum, step] = [share, share, 1];
  for (;;) {
    power *= power;
    const next = sum + power * step;
    if (next === sum) return sum;
    sum = next;
    step *= 2;
  }
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [power, sum, step] = [share, 1 - share, 1];
  for (;;) {
    power = Math.sqrt(power);
    step *= 0.5;
    const next = sum - (1 - power) ** 2 * step;
    if (next === sum) return sum / 3;
    sum = next;
  }
}
