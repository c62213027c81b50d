import { describe, expect, test } from "vitest";
import { checkCases, randomRowSet, randomValues, seeded } from "../../testing/columns.js";
import type { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";
import type { DealTable } from "./deal.js";

const arena = TwinArena.readingAhead();

/** Parts that have some rows already, and room for those of these groups. */
function dealTable(random: Random, groups: readonly number[], groupCount: number) {
  const partShift = random.pick([0, 1, 3, 14]);
  const rowsOf = Array.from({ length: Math.ceil(groupCount / 2 ** partShift) }, () => 0);
  for (const group of groups) rowsOf[Math.floor(group / 2 ** partShift)]!++;
  let placeCount = 0;
  const ends = rowsOf.map((rows) => {
    const end = placeCount + random.below(5);
    placeCount = end + rows;
    return end;
  });
  const table: DealTable = {
    ...{ partShift, ends: arena.u32s(ends), groups: arena.region(placeCount * 4) },
  };
  arena.run((kernel) => kernel.readEnds(table.groups, table, ends.length));
  return { table, dealt: arena.region(placeCount * 4), places: arena.region(groups.length * 4) };
}

describe("S21: rows dealt out to parts of neighbouring groups", () => {
  test("by code and with their values, as the twin says", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const width = random.pick([1, 2, 3, 4] as const);
      const groupCount = random.pick([2, 5, 40, width === 1 ? 256 : 1000]);
      const firstCode = random.pick([0, -1, ...(width === 1 ? [] : [1, 100])]);
      const groups = Array.from({ length: each.length }, () => {
        return Math.max(-firstCode, random.below(groupCount));
      });
      const codes = arena.values(
        width,
        groups.map((group) => BigInt(firstCode + group)),
      );
      const stored = randomValues(random, each.length, each.width, each.spread);
      const values = arena.values(each.width, stored);
      const rows = randomRowSet(arena, random, each);
      const { table, dealt, places } = dealTable(random, groups, groupCount);
      const base = random.pick([0, 1, 2 ** 32 - 1]);
      arena.run((kernel) => {
        kernel.dealCodes(places, table, codes, firstCode, rows);
        kernel.dealValues(places, dealt, values, base, rows);
      });
    });
  });

  test("by groups written down before", () => {
    checkCases((each) => {
      const random = seeded(each);
      arena.clear();
      const groupCount = random.pick([1, 7, 33, 1000]);
      const groups = Array.from({ length: each.length }, () => random.below(groupCount));
      const { table, places } = dealTable(random, groups, groupCount);
      const groupsAt = arena.u32s(groups);
      arena.run((kernel) => kernel.dealGroups(places, table, groupsAt, groups.length));
    });
  });

  test("codes of no width are none", () => {
    const table = { partShift: 1, ends: 0, groups: 0 };
    const rows = { start: 0, count: 0, rows: 0 };
    const deal = () =>
      arena.run((kernel) => kernel.dealCodes(0, table, { address: 0, width: 0 }, 0, rows));
    expect(deal).toThrow(RangeError);
  });
});
