import { describe, expect, test } from "vitest";
import { createSharedMemory, kernelReservedBytes } from "../../base/memory.js";
import { createKernel } from "../../kernel.js";
import { builtKernel } from "../../testing/builtKernel.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";
import { type PartedKeyTable, partedKeysBytes, partedPartBytes, unmixKey } from "./partedKeys.js";

const arena = new TwinArena();

function partedTable(partBits: number, partSlots: number, keysMax: number) {
  const slotsBytes = 2 ** partBits * partedPartBytes(partSlots);
  const table: PartedKeyTable = {
    ...{ partBits, partSlots, keysMax, keys: arena.region(keysMax * 4) },
    slots: arena.region(slotsBytes),
    parts: arena.region(partedKeysBytes(partBits)),
    spare: arena.region(partSlots * 2),
  };
  const scratch = [
    [table.slots, slotsBytes],
    [table.parts, partedKeysBytes(partBits)],
    [table.spare, partSlots * 2],
  ] as const;
  return { table, scratch };
}

/** Mixed keys and room for their ids. */
function mixedKeys(keys: readonly number[]) {
  const at = arena.u32s([...keys, 0, 0, 0, 0]);
  arena.run((kernel) => kernel.mixKeys(at, keys.length));
  return { keys: at, ids: arena.region(keys.length * 4) };
}

describe("S21: keys of 32 bits in tables by their hash", () => {
  test("a mixed key is another for every key, and leads back to it", () => {
    const random = new Random(3);
    const keys = [0, 1, 2, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1];
    while (keys.length < 1003) keys.push(random.u32());
    arena.clear();
    const { keys: at } = mixedKeys(keys);
    const mixed = new Uint32Array(arena.read(at, keys.length * 4).buffer);
    expect([...mixed].map(unmixKey)).toEqual(keys);
    expect(mixed[5]).toBe(2 ** 32 - 1);
  });

  test.each([
    [1, 8, 6],
    [1, 1024, 300],
    [4, 64, 400],
    [8, 64, 6_000],
  ])(
    "ids in the order of the keys, as the twin says: %d bits, %d slots",
    (partBits, partSlots, distinct) => {
      for (let seed = 1; seed <= 20; seed++) {
        const random = new Random(seed);
        arena.clear();
        const { table, scratch } = partedTable(partBits, partSlots, 16_384);
        arena.run((kernel) => kernel.clearPartedKeys(table, 8), scratch);
        const all = Array.from({ length: distinct }, () => random.u32() % (2 ** 32 - 1));
        let known = 0;
        for (const count of [0, 1, 3, 255, 256, 257, 5_000]) {
          const keys = Array.from({ length: count }, () => all[random.below(distinct)]!);
          const { keys: at, ids } = mixedKeys(keys);
          known = arena.run(
            (kernel) => kernel.numberPartedKeys(ids, at, count, false, table, known),
            scratch,
          );
        }
        // Those of one part: all there are of it, twice.
        const own = new Uint32Array(arena.read(table.keys, known * 4).buffer);
        const part = own[0]! >>> (32 - partBits);
        const of = [...own].filter((key) => key >>> (32 - partBits) === part);
        const fresh = [...all, ...Array.from({ length: 60 }, () => random.u32() % (2 ** 32 - 1))];
        const asked = mixedKeys(fresh);
        const mixed = new Uint32Array(arena.read(asked.keys, fresh.length * 4).buffer);
        const more = [...mixed].filter((key) => key >>> (32 - partBits) === part);
        const keys = [...of, ...more, ...of].slice(0, of.length + Math.floor(partSlots * 0.3));
        const at = arena.u32s([...keys, 0, 0, 0, 0]);
        const ids = arena.region(keys.length * 4);
        const after = arena.run(
          (kernel) => kernel.numberPartedKeys(ids, at, keys.length, true, table, known),
          scratch,
        );
        expect(after).toBe(new Set([...own, ...keys]).size);
      }
    },
  );

  test("too many keys, and too many of one part, are reported", () => {
    const memory = createSharedMemory(2 ** 20);
    const kernel = createKernel(memory, builtKernel());
    const at = (index: number): number => kernelReservedBytes + index * 16_384;
    const table = {
      partBits: 1,
      partSlots: 64,
      slots: at(0),
      parts: at(1),
      keys: at(2),
      spare: at(3),
    };
    const keys = at(4);
    new Uint32Array(memory.buffer, keys, 300).set(Array.from({ length: 300 }, (_, k) => k));
    kernel.mixKeys(keys, 300);
    const numberOf = (count: number, keysMax: number): number => {
      kernel.clearPartedKeys({ ...table, keysMax }, 8);
      return kernel.numberPartedKeys(at(5), keys, count, false, { ...table, keysMax }, 0);
    };
    expect(numberOf(50, 50)).toBe(50);
    expect(numberOf(51, 50)).toBe(-1);
    // Two parts of 64 slots: 56 of each may be taken.
    expect(numberOf(300, 300)).toBe(-2);
  });
});
