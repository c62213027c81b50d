import { mix } from "./random.js";

const bits = 32;

/**
 * A dimension of the sequence: the coefficients of its primitive polynomial between the first and the last,
 * as bits, and the first odd numbers of its recurrence. Table of Joe and Kuo, 2008.
 */
interface Dimension {
  readonly polynomial: number;
  readonly firsts: readonly number[];
}

const dimensions: readonly Dimension[] = [
  { polynomial: 0, firsts: [1] },
  { polynomial: 1, firsts: [1, 3] },
  { polynomial: 1, firsts: [1, 3, 1] },
];

/** What each bit of a place contributes, per dimension; the first one turns the place's bits around. */
const directions: readonly Uint32Array[] = [
  Uint32Array.from({ length: bits }, (_, bit) => 2 ** (bits - 1 - bit)),
  ...dimensions.map(directionsOf),
];

/**
 * Four numbers in [0, 1) for every place of a sequence, which fill the unit cube far more evenly than
 * random ones (Sobol, 1967), shifted by a seed. Known for any place below 2^32 without those before it.
 */
export class EvenShares {
  readonly #shifts: readonly number[];

  constructor(seed: number) {
    this.#shifts = directions.map((_, dimension) => mix(seed, dimension));
  }

  at(place: number): readonly [number, number, number, number] {
    return [
      this.#share(0, place),
      this.#share(1, place),
      this.#share(2, place),
      this.#share(3, place),
    ];
  }

  #share(dimension: number, place: number): number {
    const contributions = directions[dimension]!;
    let share = this.#shifts[dimension]!;
    for (let left = place >>> 0, bit = 0; left !== 0; left >>>= 1, bit++) {
      if ((left & 1) === 1) share ^= contributions[bit]!;
    }
    return (share >>> 0) / 2 ** bits;
  }
}

function directionsOf({ polynomial, firsts }: Dimension): Uint32Array {
  const degree = firsts.length;
  const found = new Uint32Array(bits);
  for (let bit = 0; bit < bits; bit++) {
    if (bit < degree) {
      found[bit] = firsts[bit]! << (bits - 1 - bit);
      continue;
    }
    let next = found[bit - degree]! ^ (found[bit - degree]! >>> degree);
    for (let k = 1; k < degree; k++) {
      if (((polynomial >>> (degree - 1 - k)) & 1) === 1) next ^= found[bit - k]!;
    }
    found[bit] = next;
  }
  return found;
}

export const fractionOf = (value: number): number => value - Math.floor(value);
