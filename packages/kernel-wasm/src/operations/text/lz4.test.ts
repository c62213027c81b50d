import fc from "fast-check";
import { compressSync, uncompressSync } from "lz4-napi";
import { describe, expect, test } from "vitest";
import { lz4Block } from "../../testing/lz4Block.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";
import { decompressSlackBytes } from "./text.js";

const arena = new TwinArena();

/** What kernel and twin make of a block; null when they call it damaged. */
function decompress(block: Uint8Array, outBytes: number): Uint8Array | null {
  const input = arena.clear().region(block.length + 16);
  arena.write(input, block);
  const out = arena.region(outBytes + decompressSlackBytes);
  const found = arena.run(
    (kernel) => kernel.lz4Decompress(out, outBytes, input, block.length),
    // What a damaged block left behind is no one's.
    [[out, outBytes + decompressSlackBytes]],
  );
  return found < 0 ? null : arena.read(out, found);
}

/** The library writes the length of the text first. */
const libraryBlock = (bytes: Uint8Array): Uint8Array =>
  compressSync(Buffer.from(bytes)).subarray(4);

function expectRoundTrip(bytes: Uint8Array): void {
  const expectEqual = (found: Uint8Array | null): void =>
    expect(found !== null && Buffer.compare(found, bytes) === 0).toBe(true);
  expectEqual(decompress(libraryBlock(bytes), bytes.length));
  const own = lz4Block(bytes);
  expectEqual(decompress(own, bytes.length));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  expectEqual(uncompressSync(Buffer.concat([length, own])));
}

test.each([0, 1, 7, 257])("%d lengths become offsets that begin with 0", (rows) => {
  const lengths = Uint8Array.from({ length: rows }, (_, i) => (i * 91) % 256);
  const at = arena.clear().bytes(lengths);
  const out = arena.region((rows + 1) * 2);
  arena.run((kernel) => kernel.expandLengths(out, at, rows));
  const offsets = new Uint16Array(arena.read(out, (rows + 1) * 2).buffer);
  expect(offsets[rows]).toBe(lengths.reduce((sum, length) => sum + length, 0));
});

describe("lz4Decompress (C12)", () => {
  test.each([0, 1, 4, 5, 12, 13, 14, 15, 16, 17, 64, 255, 270, 271, 65_535])(
    "%d bytes: all the same, periods of 1 to 20, and random ones",
    (length) => {
      const random = new Random(length + 1);
      expectRoundTrip(Uint8Array.from({ length }, () => random.below(256)));
      for (let period = 1; period <= 20; period += length > 1000 ? 6 : 1) {
        const pattern = Array.from({ length: period }, () => random.below(256));
        expectRoundTrip(Uint8Array.from({ length }, (_, i) => pattern[i % period]!));
      }
    },
  );

  test("random mixtures of literals and repeats", () => {
    const part = fc.oneof(
      fc.record({ literals: fc.uint8Array({ minLength: 1, maxLength: 300 }) }),
      fc.record({
        back: fc.integer({ min: 1, max: 70_000 }),
        length: fc.integer({ max: 700, min: 1 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const bytes: number[] = [];
        for (const one of parts) {
          if ("literals" in one) bytes.push(...one.literals);
          else {
            const from = Math.max(0, bytes.length - one.back);
            for (let i = 0; i < one.length; i++) bytes.push(bytes[from + i] ?? 7);
          }
        }
        expectRoundTrip(Uint8Array.from(bytes));
      }),
      { numRuns: 60 },
    );
  });

  test("a damaged block is reported, or decodes to other bytes, but nothing beyond the slack is written", () => {
    const random = new Random(5);
    const bytes = Uint8Array.from({ length: 3000 }, (_, i) =>
      random.below(4) === 0 ? random.below(256) : i & 15,
    );
    const block = libraryBlock(bytes);
    expect(decompress(block, bytes.length - 1)).toBeNull();
    expect(decompress(block.subarray(0, 0), bytes.length)).toBeNull();
    for (let round = 0; round < 400; round++) {
      const damaged = Uint8Array.from(block.subarray(0, 1 + random.below(block.length)));
      for (let i = random.below(4); i > 0; i--) {
        damaged[random.below(damaged.length)] = random.pick([0, 255, random.below(256)]);
      }
      decompress(damaged, bytes.length);
    }
  });
});
