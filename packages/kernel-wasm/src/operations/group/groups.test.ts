import { describe, expect, test } from "vitest";
import type { HashTable } from "../../base/addresses.js";
import type { Case } from "../../testing/columns.js";
import {
  checkCases,
  i64Max,
  i64Min,
  randomPresent,
  randomRowSet,
  randomValues,
  seeded,
  valueRange,
} from "../../testing/columns.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = TwinArena.readingAhead();

/** Regions for ids and keys, filled with what is there: a component is added, never stored. */
function outputs(count: number): { groups: number; keys: number } {
  return { groups: arena.region(count * 4), keys: arena.region(count * 8) };
}

test("clearing ids and keys writes all of them and nothing else", () => {
  for (const count of [0, 1, 3, 64, 1001]) {
    arena.clear();
    const { groups, keys } = outputs(count);
    arena.run((kernel) => kernel.clearGroups(groups, count));
    arena.run((kernel) => kernel.clearKeys(keys, count));
  }
});

test("codes add to ids and keys as the twin says", () => {
  checkCases((each) => {
    const random = seeded(each);
    const stored = randomValues(random, each.length, each.width, each.spread);
    const values = arena.clear().values(each.width, stored);
    const rows = randomRowSet(arena, random, each);
    const { groups, keys } = outputs(rows.count);
    const stride = random.pick([1, 7, random.u32()]);
    arena.run((kernel) => kernel.addCodeGroups(groups, values, rows, stride));
    const multiplier = random.u64();
    arena.run((kernel) => kernel.addCodeKeys(keys, values, rows, multiplier));
  });
});

test("integers add to ids and keys as the twin says, missing ones as 0", () => {
  checkCases((each) => {
    const random = seeded(each);
    const stored = randomValues(random, each.length, each.width, each.spread);
    const values = arena.clear().values(each.width, stored);
    const present = randomPresent(arena, random, each);
    const rows = randomRowSet(arena, random, each);
    const { groups, keys } = outputs(rows.count);
    const base = random.pick([0n, stored[0] ?? 0n, each.width === 8 ? i64Min : 0n]);
    const stride = random.pick([1, 7, random.u32()]);
    const multiplier = random.u64();
    arena.run((kernel) => kernel.addIntGroups(groups, values, present, rows, base, stride));
    arena.run((kernel) => kernel.addIntKeys(keys, values, present, rows, base, multiplier));
  });
});

const ascendingly = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1);

/** Ascending edges of which the first and the last enclose all values. */
function edgesAround(random: Random, values: readonly bigint[]): bigint[] {
  const ascending = [...values].sort(ascendingly);
  const lowest = ascending[0] ?? 0n;
  const highest = ascending[ascending.length - 1] ?? 0n;
  const inner = Array.from({ length: random.below(40) }, () => {
    const near = random.pick([lowest, highest, ...values.slice(0, 5)]) + BigInt(random.below(3));
    return random.below(2) === 0 ? near : lowest + (random.u64() % (highest - lowest + 1n));
  });
  const distinct = new Set(inner.filter((edge) => edge > lowest && edge <= highest));
  const sorted = [...distinct].sort(ascendingly);
  const first = random.below(2) === 0 || lowest - 10n < i64Min ? lowest : lowest - 10n;
  return [first, ...sorted, highest + 1n];
}

function checkEdges(each: Case): void {
  const random = seeded(each);
  const [, highest] = valueRange(each.width);
  const stored = randomValues(random, each.length, each.width, each.spread).map((value) =>
    // The last edge lies above all values, so none can be the highest int64.
    value === i64Max ? value - 1n : value,
  );
  if (random.below(2) === 0) stored.sort(ascendingly);
  const base = each.width === 8 ? 0n : random.pick([0n, i64Min, i64Max - highest - 1n, 1n << 40n]);
  const edges = edgesAround(
    random,
    stored.map((value) => value + base),
  );
  const values = arena.clear().values(each.width, stored);
  const rows = randomRowSet(arena, random, each);
  const { groups, keys } = outputs(rows.count);
  const edgesAt = arena.i64s(edges);
  const stride = random.pick([1, 3, random.u32()]);
  arena.run((kernel) =>
    kernel.addEdgeGroups(groups, values, base, rows, edgesAt, edges.length, stride),
  );
  arena.run((kernel) =>
    kernel.addEdgeKeys(keys, values, base, rows, edgesAt, edges.length, BigInt(stride) << 20n),
  );
}

test("intervals between edges add to ids and keys as the twin says", () => {
  checkCases(checkEdges, 300);
});

describe("hashKeys", () => {
  const tableOf = (slotCount: number, groupsMax: number): HashTable => ({
    slots: arena.region(slotCount * 4),
    slotCount,
    keys: arena.region(groupsMax * 8),
    groupsMax,
  });

  test("numbers keys in order of arrival, over several calls", () => {
    const random = new Random(5);
    for (const [slotCount, distinct, count] of [
      [4, 2, 10],
      [4, 4, 600],
      [16, 8, 100],
      [256, 128, 64],
      [1024, 300, 5000],
      [65_536, 32_768, 40_000],
    ] as const) {
      arena.clear();
      const table = tableOf(slotCount, distinct);
      arena.run((kernel) => kernel.clearHashTable(table));
      // Sequential, high-bit-only and random keys: none may clump into one probe chain.
      const keyOf = random.pick([
        (n: bigint) => n,
        (n: bigint) => n << 40n,
        (n: bigint) => n * 977n,
      ]);
      let groupCount = 0;
      for (let call = 0; call < 3; call++) {
        const keys = Array.from({ length: count }, () => keyOf(BigInt(random.below(distinct))));
        const keysAt = arena.i64s(keys);
        const groups = arena.region(count * 4);
        const known = groupCount;
        groupCount = arena.run((kernel) => kernel.hashKeys(groups, keysAt, count, table, known));
      }
      expect(groupCount).toBeGreaterThan(0);
      expect(groupCount).toBeLessThanOrEqual(distinct);
    }
  });

  test("dense ids follow arrival and stand for their keys", () => {
    arena.clear();
    const table = tableOf(16, 8);
    const keys = arena.i64s([9n, 7n, 9n, -1n, 0n, 7n]);
    const groups = arena.region(6 * 4);
    arena.run((kernel) => kernel.clearHashTable(table));
    expect(arena.run((kernel) => kernel.hashKeys(groups, keys, 6, table, 0))).toBe(4);
    expect([...new Uint32Array(arena.read(groups, 24).buffer)]).toEqual([0, 1, 0, 2, 3, 1]);
    expect([...new BigInt64Array(arena.read(table.keys, 32).buffer)]).toEqual([9n, 7n, -1n, 0n]);
  });

  test("a key beyond groupsMax is refused, exactly groupsMax are not", () => {
    arena.clear();
    const table = tableOf(8, 4);
    const keys = arena.i64s([1n, 2n, 3n, 4n, 1n, 5n]);
    const groups = arena.region(6 * 4);
    arena.run((kernel) => kernel.clearHashTable(table));
    expect(arena.run((kernel) => kernel.hashKeys(groups, keys, 5, table, 0))).toBe(4);
    const refused = arena.run(
      (kernel) => kernel.hashKeys(groups, keys, 6, table, 4),
      [[groups, 24]],
    );
    expect(refused).toBe(-1);
  });
});
