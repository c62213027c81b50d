import { expect, test } from "vitest";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";
import { type RadixTable, radixParts } from "./radix.js";

const arena = new TwinArena();
const none = 2 ** 32 - 1;

/** The regions a kernel could write beyond: each has the arena's random bytes on either side. */
function tableOf(partSlots: number, bufferKeys: number): RadixTable {
  return {
    counts: arena.region(radixParts * partSlots * 4, 8),
    keys: arena.region(radixParts * partSlots * 8, 8),
    parts: arena.region(radixParts * 12, 8),
    partSlots,
    buffers: arena.region(radixParts * (bufferKeys * 8 + 64), 8),
    bufferKeys,
    spare: arena.region(partSlots * 4 + 16, 8),
  };
}

/** Sequential, high-bit-only, negative and random keys: none may clump into one part. */
const keyKinds: readonly ((n: bigint) => bigint)[] = [
  (n) => n,
  (n) => n << 40n,
  (n) => -n,
  (n) => n * 977n,
  (n) => BigInt.asIntN(64, n * 0x9e3779b97f4a7c15n),
];

function contentsOf(table: RadixTable): Map<bigint, number> {
  const slots = radixParts * table.partSlots;
  const counts = new Uint32Array(arena.read(table.counts, slots * 4).buffer);
  const keys = new BigInt64Array(arena.read(table.keys, slots * 8).buffer);
  const inUse = new Uint32Array(arena.read(table.parts + radixParts * 4, radixParts * 4).buffer);
  const found = new Map<bigint, number>();
  for (let group = 0; group < slots; group++) {
    const isInUse = group % table.partSlots < inUse[Math.floor(group / table.partSlots)]!;
    if (!isInUse || counts[group] === 0) continue;
    expect(found.has(keys[group]!)).toBe(false);
    found.set(keys[group]!, counts[group]!);
  }
  return found;
}

test("keys are counted as the twin says, however they come, and found again", () => {
  const random = new Random(11);
  for (const [distinct, count, partSlots, firstSlots, bufferKeys] of [
    [1, 50, 8, 8, 1],
    [7, 300, 8, 8, 16],
    [1_500, 2_000, 64, 8, 4],
    [4_000, 6_000, 64, 16, 8],
    [3_000, 9_000, 32, 32, 33],
  ] as const) {
    for (const keyOf of keyKinds) {
      arena.clear();
      const table = tableOf(partSlots, bufferKeys);
      const spare = [[table.spare, partSlots * 4 + 16]] as const;
      const expected = new Map<bigint, number>();
      const countUp = (key: bigint, by: number): void => {
        expected.set(key, (expected.get(key) ?? 0) + by);
      };
      arena.run((kernel) => kernel.clearRadixTable(table, firstSlots));
      const known = Array.from({ length: Math.ceil(distinct / 2) }, (_, n) => keyOf(BigInt(n)));
      const knownCounts = known.map(() => 1 + random.below(1_000));
      for (const [i, key] of known.entries()) countUp(key, knownCounts[i]!);
      const [knownAt, countsAt] = [arena.i64s(known), arena.u32s(knownCounts)];
      const hasRoom = arena.run(
        (kernel) => kernel.addRadixCounts(table, knownAt, countsAt, known.length),
        spare,
      );
      expect(hasRoom).toBe(true);
      for (let call = 0; call < 3; call++) {
        const keys = Array.from({ length: count }, () => keyOf(BigInt(random.below(distinct))));
        for (const key of keys) countUp(key, 1);
        const at = arena.i64s(keys);
        expect(arena.run((kernel) => kernel.addRadixKeys(table, at, count), spare)).toBe(true);
        // What was flushed goes on growing.
        if (call !== 1) arena.run((kernel) => kernel.flushRadixTable(table), spare);
      }
      expect(contentsOf(table)).toEqual(expected);
      expect(arena.run((kernel) => kernel.flushRadixTable(table), spare)).toBe(expected.size);
      const asked = [keyOf(BigInt(distinct)), keyOf(0n), keyOf(BigInt(distinct - 1))];
      const [askedAt, groups] = [arena.i64s(asked), arena.region(12)];
      arena.run((kernel) => kernel.findRadixKeys(groups, askedAt, asked.length, table));
      const found = new Uint32Array(arena.read(groups, 12).buffer);
      expect(Array.from(found, (group) => group !== none)).toEqual(
        asked.map((key) => expected.has(key)),
      );
    }
  }
});

test("a part takes seven eighths of its slots and says when that is not enough", () => {
  arena.clear();
  const table = tableOf(8, 64);
  const spare = [[table.spare, 48]] as const;
  arena.run((kernel) => kernel.clearRadixTable(table, 8));
  // Keys that meet in the part of the first: an adversary can have no worse.
  const keys: bigint[] = [];
  const probe = tableOf(8, 64);
  for (let n = 1n; keys.length < 8; n++) {
    arena.run((kernel) => kernel.clearRadixTable(probe, 8));
    const at = arena.i64s([n]);
    arena.run((kernel) => kernel.addRadixKeys(probe, at, 1), spare);
    const waiting = new Uint32Array(arena.read(probe.parts, radixParts * 4).buffer);
    if (waiting.indexOf(1) === 77) keys.push(n);
  }
  const keysAt = arena.i64s(keys);
  arena.run((kernel) => kernel.addRadixKeys(table, keysAt, 7), spare);
  expect(arena.run((kernel) => kernel.flushRadixTable(table), spare)).toBe(7);
  arena.run((kernel) => kernel.addRadixKeys(table, keysAt, 8), spare);
  expect(arena.run((kernel) => kernel.flushRadixTable(table), spare)).toBe(-1);
});
