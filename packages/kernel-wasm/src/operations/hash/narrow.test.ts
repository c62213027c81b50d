import { describe, expect, test } from "vitest";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";
import {
  type NarrowRank,
  type NarrowTable,
  narrowBatchBytes,
  narrowParts,
  narrowPartsBytes,
  rankBins,
} from "./narrow.js";

const arena = TwinArena.readingAhead(32 << 20);
const u32Max = 2 ** 32 - 1;

/** The regions a kernel could write beyond: each has the arena's random bytes on either side. */
function tableOf(
  hasSums: boolean,
  partSlots: number,
  undealtMax: number,
  bufferRows: number,
): NarrowTable {
  const slotBytes = hasSums ? 16 : 8;
  return {
    hasSums,
    slots: arena.region(narrowParts * partSlots * slotBytes, 8),
    parts: arena.region(narrowPartsBytes, 8),
    ...{ partSlots, undealtMax },
    buffers: arena.region(buffersBytes(hasSums, bufferRows), 8),
    bufferRows,
    spare: arena.region((partSlots / 4 + 1) * slotBytes, 8),
  };
}

const buffersBytes = (hasSums: boolean, bufferRows: number): number =>
  narrowParts * (bufferRows * (hasSums ? 8 : 4) + 64);

/**
 * What the contract leaves open: spare room and scratch, and the buffers, which serve as such too.
 */
const openOf = (table: NarrowTable) =>
  [
    [table.spare, (table.partSlots / 4 + 1) * (table.hasSums ? 16 : 8)],
    [table.buffers, buffersBytes(table.hasSums, table.bufferRows)],
    [table.parts + narrowPartsBytes - narrowBatchBytes, narrowBatchBytes],
  ] as const;

/** Sequential, far apart, at the ends and random keys: none may clump into one part. */
const keyKinds: readonly ((n: number) => number)[] = [
  (n) => n,
  (n) => (n << 20) >>> 0,
  (n) => -(n + 2) >>> 0,
  (n) => Math.imul(n, 0x9e3779b1) >>> 0,
];

interface Group {
  readonly count: number;
  readonly sum: bigint;
}

class Expected {
  readonly groups = new Map<number, Group>();

  add(key: number, value: number, base: bigint): void {
    const { count, sum } = this.groups.get(key) ?? { count: 0, sum: 0n };
    this.groups.set(key, { count: count + 1, sum: sum + BigInt(value) + base });
  }
}

const byCount: Omit<NarrowRank, "base"> = { bySum: false, desc: true };

/** Keys, counts and sums as they were listed. */
function groupsAt(hasSums: boolean, room: number) {
  const at = {
    keys: arena.region(room * 4),
    counts: arena.region(room * 4),
    sums: hasSums ? arena.region(room * 8) : 0,
  };
  const read = (count: number): [number, Group][] => {
    const u32s = (address: number) => new Uint32Array(arena.read(address, count * 4).buffer);
    const [keys, counts] = [u32s(at.keys), u32s(at.counts)];
    const sums = new BigInt64Array(arena.read(at.sums, hasSums ? count * 8 : 0).buffer);
    return Array.from(keys, (key, i) => [key, { count: counts[i]!, sum: sums[i] ?? 0n }]);
  };
  return { at, read };
}

function listAll(table: NarrowTable, groupCount: number, base: bigint): Map<number, Group> {
  const { at, read } = groupsAt(table.hasSums, groupCount);
  const count = arena.run((kernel) => kernel.listNarrowGroups(table, at, { ...byCount, base }, 0));
  expect(count).toBe(groupCount);
  const groups = new Map(read(count));
  expect(groups.size).toBe(groupCount);
  return groups;
}

describe.each([false, true])("rows by narrow keys, with sums: %s", (hasSums) => {
  // Groups that stay in one table, that leave it at once, in the middle of a call, and that fill
  // their parts.
  test.each([
    [1, 50, 8, 8, 100, 16],
    [90, 300, 8, 8, 100, 16],
    [101, 300, 8, 32, 100, 16],
    [1_500, 2_000, 64, 8, 1, 16],
    [4_000, 6_000, 64, 16, 700, 32],
    [3_000, 9_000, 32, 32, 1_024, 48],
    [18_000, 20_000, 1_024, 1_024, 17_000, 144],
    // A table of a megabyte is filled further, and its rows dealt out then.
    [110_000, 150_000, 4_096, 65_536, 100_000, 900],
  ])("%d keys, %d rows", (distinct, count, partSlots, firstSlots, undealtMax, bufferRows) => {
    const random = new Random(distinct);
    for (const keyOf of distinct > 100_000 ? keyKinds.slice(-1) : keyKinds) {
      arena.clear();
      const table = tableOf(hasSums, partSlots, undealtMax, bufferRows);
      const base = hasSums ? -5n - BigInt(random.below(1_000_000)) : 0n;
      const expected = new Expected();
      arena.run((kernel) => kernel.clearNarrowTable(table, firstSlots));
      for (let call = 0; call < 3; call++) {
        const keys = Array.from({ length: count }, () => keyOf(random.below(distinct)));
        const values = keys.map(() => (random.below(4) === 0 ? u32Max : random.below(100)));
        keys.forEach((key, i) => {
          expected.add(key, hasSums ? values[i]! : 0, base);
        });
        const [keysAt, valuesAt] = [arena.u32s(keys), hasSums ? arena.u32s(values) : 0];
        const add = arena.run(
          (kernel) => kernel.addNarrowRows(table, keysAt, valuesAt, count),
          openOf(table),
        );
        expect(add).toBe(true);
        if (call === 1) continue;
        // What was flushed and listed goes on growing.
        const groupCount = arena.run((kernel) => kernel.flushNarrowTable(table), openOf(table));
        expect(groupCount).toBe(expected.groups.size);
        expect(listAll(table, groupCount, base)).toEqual(expected.groups);
      }
      const absent = Array.from({ length: 9 }, (_, i) => keyOf(distinct + i)).filter(
        (key) => !expected.groups.has(key),
      );
      const asked = [...absent, ...expected.groups.keys()].reverse();
      const askedAt = arena.u32s(asked);
      const { at, read } = groupsAt(hasSums, asked.length);
      const found = arena.run((kernel) =>
        kernel.listNarrowKeys(table, at, base, askedAt, asked.length),
      );
      expect(read(found)).toEqual([...expected.groups].reverse());
    }
  });

  test.each([
    ["the largest counts", { bySum: false, desc: true }],
    ["the smallest counts", { bySum: false, desc: false }],
    ["the largest sums", { bySum: hasSums, desc: true }],
    ["the smallest sums", { bySum: hasSums, desc: false }],
  ])("bins tell %s", (_, by) => {
    arena.clear();
    const base = -50n;
    const rank = { ...by, base };
    const table = tableOf(hasSums, 16, 10, 16);
    const random = new Random(5);
    const keys = Array.from({ length: 5_000 }, () =>
      Math.floor(300 * random.below(1_000) ** 2 * 1e-6),
    );
    const values = keys.map(() => random.below(100));
    arena.run((kernel) => kernel.clearNarrowTable(table, 8));
    const [keysAt, valuesAt] = [arena.u32s(keys), arena.u32s(values)];
    arena.run((kernel) => kernel.addNarrowRows(table, keysAt, valuesAt, 5_000), openOf(table));
    const groupCount = arena.run((kernel) => kernel.flushNarrowTable(table), openOf(table));
    const bins = arena.region(rankBins * 4);
    const binned = (from: number, to: number): Uint32Array => {
      arena.run((kernel) => kernel.binNarrowRanks(bins, table, rank, from, to));
      return new Uint32Array(arena.read(bins, rankBins * 4).buffer);
    };
    const all = binned(0, narrowParts);
    const [low, high] = [binned(0, 90), binned(90, narrowParts)];
    expect(all).toEqual(low.map((count, bin) => count + high[bin]!));
    const rankOf = ({ count, sum }: Group): number =>
      (by.bySum ? Number(sum) : count) * (by.desc ? 1 : -1);
    const ranks = [...listAll(table, groupCount, base).values()].map(rankOf).sort((a, b) => b - a);
    let seen = 0;
    for (let bin = rankBins - 1; bin >= 0; bin--) {
      if (all[bin] === 0) continue;
      seen += all[bin]!;
      const { at, read } = groupsAt(hasSums, groupCount);
      const count = arena.run((kernel) => kernel.listNarrowGroups(table, at, rank, bin));
      const listed = read(count).map(([, group]) => rankOf(group));
      expect(listed.sort((a, b) => b - a)).toEqual(ranks.slice(0, seen));
      if (seen > 40) break;
    }
    expect(seen).toBeGreaterThan(0);
  });

  test("a part takes seven eighths of its slots and says when that is not enough", () => {
    arena.clear();
    const table = tableOf(hasSums, 8, 1, 64);
    arena.run((kernel) => kernel.clearNarrowTable(table, 8));
    const meeting = keysOfPart(77, 8, hasSums);
    // The move to the parts comes with the first two.
    const keysAt = arena.u32s(meeting);
    arena.run((kernel) => kernel.addNarrowRows(table, keysAt, keysAt, 7), openOf(table));
    expect(arena.run((kernel) => kernel.flushNarrowTable(table), openOf(table))).toBe(7);
    arena.run((kernel) => kernel.addNarrowRows(table, keysAt, keysAt, 8), openOf(table));
    expect(arena.run((kernel) => kernel.flushNarrowTable(table), openOf(table))).toBe(-1);
  });
});

/** Keys that meet in one part: an adversary can have no worse. */
function keysOfPart(part: number, count: number, hasSums: boolean): number[] {
  const probe = tableOf(hasSums, 8, 0, 64);
  const keys: number[] = [];
  for (let key = 1; keys.length < count; key++) {
    arena.run((kernel) => kernel.clearNarrowTable(probe, 8));
    const at = arena.u32s([key]);
    // The first moves on to the parts, the second waits in its own.
    for (let row = 0; row < 2; row++) {
      arena.run((kernel) => kernel.addNarrowRows(probe, at, at, 1), openOf(probe));
    }
    const waiting = new Uint32Array(arena.read(probe.parts, narrowParts * 4).buffer);
    if (waiting[part] === 1) keys.push(key);
  }
  return keys;
}
