import fc from "fast-check";
import type { RowSet, Values } from "../base/addresses.js";
import { Random } from "./random.js";
import type { TwinArena } from "./twinArena.js";

export const i64Min = -(2n ** 63n);
export const i64Max = 2n ** 63n - 1n;
const widths = [0, 1, 2, 3, 4, 8] as const;
const weightWidths = [1, 2, 4] as const;

/** Around whole words and lanes, mostly short: the long ones have tests of their own. */
const lengths = fc.oneof(
  { weight: 5, arbitrary: fc.nat(300) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 3, 4, 15, 16, 17, 63, 64, 65, 127, 128, 129, 256) },
  { weight: 1, arbitrary: fc.integer({ min: 1000, max: 5000 }) },
);

/** Several segments' worth, not a multiple of anything. */
export const longLength = 70_001;

/** How the values of a column are spread. */
export const spreads = ["any", "near", "same", "runs", "extremes"] as const;
export type Spread = (typeof spreads)[number];

export const cases = fc.record({
  seed: fc.integer(),
  length: lengths,
  width: fc.constantFrom(...widths),
  weightWidth: fc.constantFrom(null, ...weightWidths),
  spread: fc.constantFrom(...spreads),
  isListed: fc.boolean(),
  isGrouped: fc.boolean(),
  hasMissing: fc.boolean(),
});
export type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** Each choice of a case once, over a long column. */
const longCases: readonly Case[] = widths.flatMap((width, i) =>
  [0, 1, 2, 3].map((j) => ({
    seed: 100 + i * 4 + j,
    length: longLength,
    width,
    weightWidth: ([null, ...weightWidths] as const)[(i + j) % 4]!,
    spread: spreads[(i + 2 * j) % spreads.length]!,
    isListed: (j & 1) === 1,
    isGrouped: (j & 2) === 2,
    hasMissing: ((i ^ j) & 1) === 1,
  })),
);

/** Checks the property on random cases and on the long ones. */
export function checkCases(property: (each: Case) => void, numRuns = 150): void {
  fc.assert(fc.property(cases, property), { numRuns });
  for (const each of longCases) property(each);
}

export function valueRange(width: Values["width"]): readonly [bigint, bigint] {
  return width === 8 ? [i64Min, i64Max] : [0n, (1n << BigInt(width * 8)) - 1n];
}

export function randomValues(
  random: Random,
  length: number,
  width: Values["width"],
  spread: Spread,
): bigint[] {
  const [lowest, highest] = valueRange(width);
  const anyValue = (): bigint => lowest + (random.u64() % (highest - lowest + 1n));
  const origin = anyValue();
  const nearOrigin = (): bigint => {
    const value = origin + BigInt(random.below(11)) - 5n;
    return value < lowest ? lowest : value > highest ? highest : value;
  };
  let current = origin;
  return Array.from({ length }, () => {
    if (spread === "any") return anyValue();
    if (spread === "near") return nearOrigin();
    if (spread === "extremes" && lowest < highest) {
      return random.pick([lowest, highest, lowest + 1n, highest - 1n]);
    }
    if (spread === "runs" && random.below(20) === 0) current = nearOrigin();
    return current;
  });
}

/** Contiguous rows from anywhere, or some ascending ones; 0 rows too. */
export function randomRowSet(arena: TwinArena, random: Random, each: Case): RowSet {
  if (each.isListed) {
    const share = random.pick([1, 2, 10]);
    const rows = Array.from({ length: each.length }, (_, row) => row);
    return arena.listed(rows.filter(() => random.below(share) === 0));
  }
  const start = random.below(Math.min(each.length, 200) + 1);
  return { start, count: each.length - start, rows: 0 };
}

export function randomPresent(arena: TwinArena, random: Random, each: Case): number {
  if (!each.hasMissing) return 0;
  const missingOf = random.pick([2, 2, 100, 1]);
  return arena.bitmap(each.length, () => random.below(missingOf) !== 0);
}

export function randomWeights(arena: TwinArena, random: Random, each: Case): Values | null {
  if (each.weightWidth === null) return null;
  const [, highest] = valueRange(each.weightWidth);
  const weights = Array.from({ length: each.length }, () =>
    random.pick([0n, 1n, 2n, 10n, highest, BigInt(random.u32()) % (highest + 1n)]),
  );
  return arena.values(each.weightWidth, weights);
}

/** Group ids below groupCount for each row of the set: runs or at random; 0: ungrouped. */
export function randomGroups(
  arena: TwinArena,
  random: Random,
  each: Case,
  rows: RowSet,
  groupCount: number,
): number {
  if (!each.isGrouped) return 0;
  const runLength = random.pick([1, 3, 50]);
  let group = 0;
  const groups = Array.from({ length: rows.count }, () => {
    if (random.below(runLength) === 0) group = random.below(groupCount);
    return group;
  });
  return arena.u32s(groups);
}

export const seeded = (each: Case): Random => new Random(each.seed);
