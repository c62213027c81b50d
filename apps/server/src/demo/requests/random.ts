/** Mixes two integers into 32 well-spread bits: the seed of a piece of work that must not depend on any other. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ b;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Seeded pseudo-random numbers (mulberry32): the same seed gives the same numbers on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer in [0, count). */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** Standard normal, cut at about ±3.7. */
  normal(): number {
    return normalAt(this.next());
  }
}

/** Draws an index with the probability of its weight in constant time (Walker's alias method). */
export class WeightedChoice {
  readonly total: number;
  readonly #keep: Float64Array;
  readonly #other: Int32Array;

  constructor(weights: readonly number[]) {
    const count = weights.length;
    this.total = weights.reduce((sum, weight) => sum + weight, 0);
    this.#keep = Float64Array.from(weights, (weight) => (weight * count) / this.total);
    this.#other = Int32Array.from(weights, (_, index) => index);
    const small: number[] = [];
    const large: number[] = [];
    for (let i = 0; i < count; i++) (this.#keep[i]! < 1 ? small : large).push(i);
    while (small.length > 0 && large.length > 0) {
      const low = small.pop()!;
      const high = large[large.length - 1]!;
      this.#other[low] = high;
      this.#keep[high] = this.#keep[high]! + this.#keep[low]! - 1;
      if (this.#keep[high]! < 1) small.push(large.pop()!);
    }
  }

  pick(random: Random): number {
    const position = random.next() * this.#keep.length;
    const index = Math.floor(position);
    return position - index < this.#keep[index]! ? index : this.#other[index]!;
  }
}

/** 4,096 steps: finer than the noise of any chart, small enough for the cache. */
const normalSteps = 4_096;
const normalQuantiles = Float64Array.from({ length: normalSteps }, (_, i) =>
  normalQuantile((i + 0.5) / normalSteps),
);

/** Below which standard normal numbers lie with this share, in [0, 1); cut at about ±3.7. */
export function normalAt(share: number): number {
  return normalQuantiles[Math.floor(share * normalSteps)]!;
}

/** Inverse of the normal distribution by bisection; runs once per step, at start. */
function normalQuantile(share: number): number {
  let low = -6;
  let high = 6;
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (normalShareBelow(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Share of a standard normal below z (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normalShareBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    Math.exp((-z * z) / 2) *
    0.3989422804 *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z > 0 ? 1 - tail : tail;
}
