import { describe, test } from "vitest";
import type { Values } from "../../base/addresses.js";
import {
  type Case,
  checkCases,
  longLength,
  randomPresent,
  randomRowSet,
  randomValues,
  seeded,
} from "../../testing/columns.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";
import { packedGroupsMax, type TotalTable } from "./totals.js";

const arena = TwinArena.readingAhead();

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

describe("S21: rows of many groups counted in bytes", () => {
  /** Whatever is there, with tallies that are about to be full among it. */
  function tallyTable(random: Random, groupCount: number) {
    const tallies = Uint8Array.from({ length: groupCount }, () => random.pick([0, 1, 200, 255]));
    const counts = Array.from({ length: groupCount }, () => random.below(2 ** 31));
    return { tallies: arena.bytes(tallies), counts: arena.u32s(counts) };
  }

  test("by code as the twin says, full tallies too", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const width = random.pick([1, 2, 3, 4] as const);
      const groupCount = random.pick([4, 5, 40, 200]);
      const { values: codes, firstCode } = randomCodes(random, each, width, groupCount);
      const rows = randomRowSet(arena, random, each);
      const table = tallyTable(random, groupCount);
      arena.run((kernel) => kernel.tallyCodes(table, codes, firstCode, rows));
      arena.run((kernel) => kernel.flushTallies(table, groupCount));
    });
  });

  test("by groups written down before", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const groupCount = random.pick([1, 7, 33, 1000]);
      const groups = Array.from({ length: each.length }, () => random.below(groupCount));
      const table = tallyTable(random, groupCount);
      const groupsAt = arena.u32s(groups);
      arena.run((kernel) => kernel.tallyGroups(table, groupsAt, groups.length));
      arena.run((kernel) => kernel.flushTallies(table, groupCount));
    });
  });
});

describe("S21: sums of many groups by their low halves", () => {
  /** Whatever is there, with low halves that are about to be full among it. */
  function lowTable(random: Random, groupCount: number) {
    const lows = Array.from({ length: groupCount }, () => random.pick([0, 1, 2 ** 32 - 1]));
    const sums = Array.from({ length: groupCount }, () => BigInt.asIntN(64, random.u64()) >> 2n);
    return { lows: arena.u32s(lows), sums: arena.i64s(sums) };
  }

  /** A base that keeps all values of the width within 32 bits. */
  const randomBase = (random: Random, { width }: Values): number =>
    random.pick([0, 2 ** 32 - 2 ** (8 * width)]);

  test("by code as the twin says, carries too", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const width = random.pick([1, 2, 3, 4] as const);
      const groupCount = random.pick([4, 5, 40, 200]);
      const values = narrow({ ...each, width: each.width === 0 ? 1 : each.width }, random);
      const { values: codes, firstCode } = randomCodes(random, each, width, groupCount);
      const rows = randomRowSet(arena, random, each);
      const table = lowTable(random, groupCount);
      const base = randomBase(random, values);
      arena.run((kernel) => kernel.addCodeLowSums(table, codes, firstCode, rows, values, base));
      arena.run((kernel) => kernel.flushLowSums(table, groupCount));
    });
  });

  test("by groups written down before", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const groupCount = random.pick([1, 7, 33, 1000]);
      const values = narrow({ ...each, width: each.width === 0 ? 1 : each.width }, random);
      const rows = randomRowSet(arena, random, each);
      const groups = arena.u32s(Array.from({ length: rows.count }, () => random.below(groupCount)));
      const table = lowTable(random, groupCount);
      const base = randomBase(random, values);
      arena.run((kernel) => kernel.addGroupLowSums(table, groups, rows, values, base));
      arena.run((kernel) => kernel.flushLowSums(table, groupCount));
    });
  });
});
