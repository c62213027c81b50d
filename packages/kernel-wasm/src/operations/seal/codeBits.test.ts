import { describe, expect, test } from "vitest";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();
const rowCounts = [1, 2, 15, 16, 17, 127, 128, 129, 255, 1_000, 4_096];

describe("codes of a few bits", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])("%i bits: packed as the twin does, and read back", (bits) => {
    const random = new Random(bits);
    for (const rowCount of rowCounts) {
      for (const below of [1, 2 ** bits]) {
        const codes = Array.from({ length: rowCount }, () => random.below(below));
        codes[rowCount - 1] = 2 ** bits - 1;
        arena.clear();
        const blocks = Math.ceil(rowCount / 128);
        const packed = arena.region(blocks * bits * 16);
        const out = arena.region(blocks * 128);
        const at = arena.u32s(codes);
        arena.run((kernel) => kernel.packCodes(packed, at, rowCount, bits));
        arena.run((kernel) => kernel.unpackCodes(out, packed, rowCount, bits));
        expect([...arena.read(out, rowCount)]).toEqual(codes);
      }
    }
  });

  test.each([1, 2, 3, 4] as const)("of %i bytes, where most rows have none", (width) => {
    const random = new Random(width);
    for (const rowCount of rowCounts) {
      for (const every of [1, 3, 40, 100_000]) {
        const has = Array.from({ length: rowCount }, () => random.below(every) === 0);
        const codes = has.map(() => BigInt(1 + random.below(2 ** Math.min(8 * width, 31) - 1)));
        arena.clear();
        const dense = arena.values(
          width,
          codes.filter((_, row) => has[row]),
        );
        const present = arena.bitmap(rowCount, (row) => has[row]!);
        const out = { address: arena.region(rowCount * width, 16), width };
        arena.run((kernel) => kernel.spreadCodes(out, present, dense.address, rowCount));
        const bytes = Buffer.from(arena.read(out.address, rowCount * width));
        for (const [row, code] of codes.entries()) {
          expect(bytes.readUIntLE(row * width, width)).toBe(has[row] ? Number(code) : 0);
        }
      }
    }
  });
});
