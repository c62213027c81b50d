import fc from "fast-check";
import { compressFrameSync } from "lz4-napi";
import { describe, expect, it } from "vitest";
import { rawZstd } from "../testing/rawZstd.js";
import { inflateLz4Frame } from "./lz4Frame.js";
import { inflateZstd } from "./zstdContent.js";

/** Bytes with runs and repeats in them, so that there is something to compress. */
const contents = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .tuple(fc.nat(255), fc.nat(70_000))
        .map(([byte, count]) => new Uint8Array(count).fill(byte)),
      fc.constant(Buffer.from("the same words again and again, ".repeat(40))),
    ),
    { maxLength: 8 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

describe("inflateLz4Frame", () => {
  it("reads what LZ4 writes, with and without checksums", () => {
    fc.assert(
      fc.property(
        contents,
        fc.boolean(),
        fc.boolean(),
        (bytes, contentChecksum, blockChecksums) => {
          const frame = compressFrameSync(Buffer.from(bytes), { contentChecksum, blockChecksums });
          expect(Buffer.compare(inflateLz4Frame(frame, bytes.length), bytes)).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("throws RangeError for another length, a frame cut off anywhere, and bytes that are none", () => {
    const bytes = Buffer.from("a frame that is not long, not long at all. ".repeat(9));
    const frame = compressFrameSync(bytes);
    for (const length of [0, bytes.length - 1, bytes.length + 1])
      expect(() => inflateLz4Frame(frame, length)).toThrow(RangeError);
    for (let end = 0; end < frame.length - 4; end++)
      expect(() => inflateLz4Frame(frame.subarray(0, end), bytes.length)).toThrow(RangeError);
    fc.assert(
      fc.property(fc.nat(frame.length - 1), fc.nat(255), (at, byte) => {
        const bent = Buffer.from(frame);
        bent[at] = byte;
        try {
          expect(inflateLz4Frame(bent, bytes.length)).toHaveLength(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });

  it("takes no more memory than the content may have", () => {
    const frame = compressFrameSync(Buffer.alloc(50_000_000));
    expect(() => inflateLz4Frame(frame, 1_000)).toThrow(RangeError);
  });
});

describe("inflateZstd", () => {
  it("reads frames of blocks", () => {
    for (const length of [1, 300, 131_072, 400_000]) {
      const bytes = new Uint8Array(length).map((_, i) => i * 7);
      expect(Buffer.compare(inflateZstd(rawZstd(bytes), length), bytes)).toBe(0);
      for (const other of [length - 1, length + 1])
        expect(() => inflateZstd(rawZstd(bytes), other)).toThrow(RangeError);
    }
  });

  it("throws RangeError for a window of gigabytes, a frame cut off, and bytes that are none", () => {
    const frame = rawZstd(new Uint8Array(300).map((_, i) => i));
    const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00]);
    expect(() => inflateZstd(wide, 300)).toThrow(/too large a window/);
    for (const packed of [frame.subarray(0, 200), Buffer.from("no Zstandard at all, is it?")])
      expect(() => inflateZstd(packed, 300)).toThrow(RangeError);
  });
});
