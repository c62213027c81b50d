/** Chance from a seed: the same seed gives the same rows and queries on every machine. */
export interface SeededRandom {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [low, high]. */
  int(low: number, high: number): number;
  /** A 64-bit integer, all bits random. */
  int64(): bigint;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** `count` different entries, or all when there are fewer. */
  sample<T>(choices: readonly T[], count: number): T[];
}

export function createSeededRandom(seed: number): SeededRandom {
  const nextWord = sfc32(seed);
  const next = () => nextWord() / 2 ** 32;
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(choices: readonly T[]): T => {
    if (choices.length === 0) throw new Error("nothing to pick from");
    return choices[int(0, choices.length - 1)] as T;
  };
  return {
    next,
    int,
    int64: () => BigInt.asIntN(64, (BigInt(nextWord()) << 32n) | BigInt(nextWord())),
    chance: (probability) => next() < probability,
    pick,
    sample: (choices, count) => {
      const left = [...choices];
      const taken = [];
      while (taken.length < count && left.length > 0) {
        taken.push(...left.splice(int(0, left.length - 1), 1));
      }
      return taken;
    },
  };
}

/** Chris Doty-Humphrey's small fast counter: 128 bits of state, no dependency. */
function sfc32(seed: number): () => number {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed >>> 0;
  let counter = 1;
  const word = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 16; i++) word();
  return word;
}
