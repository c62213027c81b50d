import { describe, expect, test } from "vitest";
import { Random } from "./testing/random.js";
import { TwinArena } from "./testing/twinArena.js";

const arena = new TwinArena();

describe("S20 tables of values", () => {
  /** Distinct values by the width of codes: one byte's worth of a few is a case of its own. */
  const tableCounts = { 0: [1], 1: [1, 2, 15, 16, 17, 256], 2: [1000], 3: [1000], 4: [1000] };

  test("codes are looked up at every width", () => {
    const random = new Random(14);
    for (const codeWidth of [0, 1, 2, 3, 4] as const) {
      for (const width of [1, 2, 4, 8] as const) {
        for (const length of [0, 1, 7, 16, 33, 300]) {
          for (const count of tableCounts[codeWidth]) {
            const codes = Array.from({ length }, () => BigInt(random.below(count)));
            const stored = arena.clear().values(codeWidth, codes);
            const entries = Array.from({ length: count }, () =>
              width === 8
                ? BigInt.asIntN(64, random.u64())
                : BigInt.asUintN(width * 8, random.u64()),
            );
            const table = arena.values(width, entries).address;
            const out = { address: arena.region(length * width), width };
            arena.run((kernel) => kernel.lookUpCodes(out, stored, table, count, length));
          }
        }
      }
    }
  });

  test("the values that occur are listed in order, and numbered", () => {
    const random = new Random(15);
    for (const count of [1, 2, 15, 16, 17, 31, 32, 33, 300, 5000]) {
      for (const distinct of [1, 2, 40]) {
        const some = Array.from({ length: distinct }, () => random.below(count));
        const stored = Array.from({ length: 700 }, () => random.pick(some));
        stored[0] = count - 1;
        const values = arena.clear().u32s(stored);
        const marks = arena.region(count, 16);
        arena.write(marks, new Uint8Array(count));
        arena.run((kernel) => kernel.markValues(marks, values, stored.length));
        const codes = arena.region(count * 4);
        const table = arena.region(new Set(stored).size * 4);
        const listed = arena.run((kernel) => kernel.listMarked(table, codes, marks, count));
        const expected = [...new Set(stored)].sort((a, b) => a - b);
        expect(listed).toBe(expected.length);
        expect([...new Uint32Array(arena.read(table, listed * 4).buffer)]).toEqual(expected);
      }
    }
  });

  test("nothing marks nothing", () => {
    const marks = arena.clear().bytes(new Uint8Array(64));
    arena.run((kernel) => kernel.markValues(marks, 0, 0));
    expect(arena.run((kernel) => kernel.listMarked(0, 0, marks, 64))).toBe(0);
  });
});
