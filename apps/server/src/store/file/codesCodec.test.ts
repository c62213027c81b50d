import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeStrings } from "../../base/bytes/stringList.js";
import { Dictionary } from "../../column/dictionary.js";
import { codedColumn } from "../../column/segmentColumn.js";
import { Extents } from "../../memory/extents.js";
import { sealCodes } from "../seal/sealCodes.js";
import { createLeafContext } from "../testing/leafContext.js";
import { encodeCodes, narrowArray } from "./codesCodec.js";

const context = createLeafContext(64 * 2 ** 20, () => undefined);
const { memory, kernel } = context;
const full = { kernel, memory: { ...memory, store: new Extents(64, 64) } };

/** Rows as often as `everyRow` says have one of this many values. */
const shape = fc.record({
  rowCount: fc.integer({ min: 1, max: 3_000 }),
  valueCount: fc.constantFrom(1, 3, 60, 300, 2_000),
  everyRow: fc.constantFrom(1, 2, 40),
  step: fc.integer({ min: 1, max: 997 }),
});

describe("codes of a segment's file (S25)", () => {
  test("name the values of every row, however the codes are encoded, with and without room to decode them at once", () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(shape, ({ rowCount, valueCount, everyRow, step }) => {
        const dictionary = new Dictionary();
        // Codes that this segment does not use are there too.
        for (let i = 0; i < valueCount + 50; i++) dictionary.intern(`value ${i}`);
        const expected = Array.from({ length: rowCount }, (_, row) =>
          row % everyRow === 0 ? `value ${(row * step) % valueCount}` : null,
        );
        const codes = expected.map((value) => (value === null ? 0 : dictionary.intern(value)));
        const taken: number[] = [];
        const take = (bytes: number): number => {
          const address = memory.store.allocate(bytes)!;
          taken.push(address);
          return address;
        };
        const address = take(rowCount * 4);
        new Uint32Array(memory.memory.buffer, address, rowCount).set(codes);
        const { values, encoded } = sealCodes(address, BigInt(Math.max(...codes)), {
          ...{ memory: memory.memory, kernel, rowCount, order: 0, sampledOrder: 0 },
          ...{ allocate: take, takeScratch: take },
        });
        kinds.add(encoded?.kind ?? `plain ${values.width}`);
        const column = codedColumn("string", dictionary, values, encoded);
        const { usedBytes } = memory.store;
        for (const room of [context, full]) {
          const [text, lengths, stored] = encodeCodes(column, rowCount, room) as [
            Uint8Array,
            Uint32Array,
            Uint8Array,
          ];
          const used = decodeStrings(text, lengths);
          const local = narrowArray(stored, stored.length / rowCount);
          expect(Array.from(local, (code) => (code === 0 ? null : used[code - 1]))).toEqual(
            expected,
          );
          expect(new Set(used)).toEqual(new Set(expected.filter((value) => value !== null)));
        }
        expect(memory.store.usedBytes).toBe(usedBytes);
        for (const each of taken) memory.store.release(each);
      }),
    );
    expect([...kinds].sort()).toEqual(["bits", "plain 1", "plain 2", "sparse"]);
  });
});
