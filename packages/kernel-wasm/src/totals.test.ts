import { describe, test } from "vitest";
import type { Values } from "./contract.js";
import { packedGroupsMax, type TotalTable } from "./operations/totals.js";
import {
  type Case,
  checkCases,
  longLength,
  randomPresent,
  randomRowSet,
  randomValues,
  seeded,
} from "./testing/columns.js";
import { Random } from "./testing/random.js";
import { TwinArena } from "./testing/twinArena.js";

const arena = new TwinArena();

/** Tables of whatever bytes are there: totals are added to them. */
function tableOf(random: Random, groupCount: number) {
  const packedBytes = Math.min(groupCount, packedGroupsMax) * 8;
  const packed = arena.region(packedBytes);
  const [counts, sums] = [arena.region(groupCount * 4), arena.region(groupCount * 8)];
  const wanted = random.pick(["both", "both", "counts", "sums"] as const);
  const table: TotalTable = {
    counts: wanted === "sums" ? 0 : counts,
    sums: wanted === "counts" ? 0 : sums,
    ...{ groupCount, packed },
  };
  return { table, scratch: [[packed, packedBytes]] as const };
}

/** Codes from firstCode on, in runs or at random. */
function randomCodes(random: Random, each: Case, width: 1 | 2 | 3 | 4, groupCount: number) {
  const firstCode = random.pick([0, -3, ...(width === 1 ? [] : [1, 100])]);
  const runLength = random.pick([1, 3, 50]);
  let code = 0;
  const codes = Array.from({ length: each.length }, () => {
    if (random.below(runLength) === 0) code = random.below(groupCount);
    return BigInt(Math.max(0, firstCode + code));
  });
  return { firstCode, values: arena.values(width, codes), codes };
}

function narrow(each: Case, random: Random): Values {
  const width = each.width === 8 ? 4 : each.width;
  return arena.values(width, randomValues(random, each.length, width, each.spread));
}

describe("S21: totals of a direct table", () => {
  test("count and sum by code as the twin says, packed or in two words", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const width = random.pick([1, 2, 3, 4] as const);
      const groupCount = random.pick([4, 7, 200, width === 1 ? 256 : packedGroupsMax + 1]);
      const values = narrow(each, random);
      const { values: codes, firstCode } = randomCodes(random, each, width, groupCount);
      const rows = randomRowSet(arena, random, each);
      const base = random.pick([0n, -5n, 2n ** 40n, -(2n ** 63n)]);
      const { table, scratch } = tableOf(random, groupCount);
      arena.run(
        (kernel) => kernel.addCodeTotals(table, codes, firstCode, rows, values, base),
        scratch,
      );
    });
  });

  test("count and sum by groups written down before", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const groupCount = random.pick([1, 7, 200, packedGroupsMax + 1]);
      const values = narrow(each, random);
      const rows = randomRowSet(arena, random, each);
      const groups = arena.u32s(Array.from({ length: rows.count }, () => random.below(groupCount)));
      const { table, scratch } = tableOf(random, groupCount);
      arena.run((kernel) => kernel.addGroupTotals(table, groups, rows, values, 3n), scratch);
    });
  });

  test("the largest values fill a packed accumulator and do not reach the count", () => {
    const random = new Random(1);
    const largest = new Array<bigint>(longLength).fill(0xffff_ffffn);
    const values = arena.clear().values(4, largest);
    const codes = arena.values(1, new Array<bigint>(longLength).fill(2n));
    const { table, scratch } = tableOf(random, 3);
    const both = { ...table, counts: arena.region(12), sums: arena.region(24) };
    for (const count of [65_534, 65_535, 65_536, longLength]) {
      const rows = { start: 0, count, rows: 0 };
      arena.run((kernel) => kernel.addCodeTotals(both, codes, 0, rows, values, 0n), scratch);
    }
  });
});

describe("S21: runs of neighbouring rows", () => {
  test("ascending values are cut at the edges, empty intervals left out", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const stored = randomValues(random, each.length, each.width, each.spread);
      const ascending = stored.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const values = arena.values(each.width, ascending);
      const rows = randomRowSet(arena, random, each);
      const [first = 0n, last = 0n] = [ascending[0], ascending.at(-1)];
      const base = each.width === 8 ? 0n : random.pick([0n, -1000n, 2n ** 50n]);
      const inner = Array.from({ length: random.below(20) }, () => {
        const value = ascending[random.below(Math.max(1, ascending.length))] ?? 0n;
        return value + base + BigInt(random.below(3)) - 1n;
      });
      const [low, high] = [first + base - 1n, last + base + 2n];
      const edges = [...new Set([low, ...inner, high])]
        .filter((edge) => edge >= low && edge <= high)
        .map((edge) => BigInt.asIntN(64, edge))
        .sort((a, b) => (a < b ? -1 : 1));
      if (edges[0]! > first + base || edges.at(-1)! <= last + base) return;
      const out = arena.region(Math.min(rows.count, edges.length) * 8);
      const edgesAt = arena.i64s(edges);
      arena.run((kernel) => kernel.findRuns(out, values, base, rows, edgesAt, edges.length));
    });
  });

  test("selected rows of a run are counted", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const selection = randomPresent(arena, random, { ...each, hasMissing: true });
      const from = random.below(each.length + 1);
      const to = from + random.below(each.length - from + 1);
      arena.run((kernel) => kernel.countOfRun(selection, from, to));
    });
  });
});
