/** Seeded numbers (xorshift32): a failing case comes back from its seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 0x9e3779b9;
  }

  u32(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }

  /** In [0, bound). */
  below(bound: number): number {
    return this.u32() % bound;
  }

  u64(): bigint {
    return (BigInt(this.u32()) << 32n) | BigInt(this.u32());
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
