import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodePackedSections, encodePackedSections, packedLengthMax } from "./packedSections.js";
import { decodeSections, type SectionArray, type SectionReader } from "./sections.js";

const magic = 0x54534554;

const numbers = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }),
  fc.integer({ min: 2 ** 32 - 2, max: 2 ** 32 + 2 }),
);
const doubles = fc.oneof(
  fc.array(numbers, { maxLength: 8 }),
  fc.array(fc.integer({ min: 2 ** 40, max: 2 ** 40 + 70_000 }), { maxLength: 8 }),
  fc.array(fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, 0.5, 7), { maxLength: 8 }),
  fc.array(fc.double(), { maxLength: 8 }),
);
const ints = fc.array(
  fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(-300n, 300n), fc.constant(2n ** 53n)),
  { maxLength: 8 },
);
const words = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 8 });
const rising = fc.tuple(fc.nat(100), fc.nat(8)).map(([from, count]) => {
  return Int32Array.from({ length: count }, (_, i) => from + i);
});

const section: fc.Arbitrary<SectionArray> = fc.oneof(
  doubles.map((values) => Float64Array.from(values)),
  ints.map((values) => BigInt64Array.from(values)),
  words.map((values) => Int32Array.from(values)),
  words.map((values) => Uint32Array.from(values)),
  words.map((values) => Uint16Array.from(values)),
  words.map((values) => Uint8Array.from(values)),
  fc.nat(8).map((length) => new Uint8Array(length).fill(1)),
  rising,
);

function readAs(section: SectionArray, reader: SectionReader<unknown>): SectionArray {
  if (section instanceof Float64Array) return reader.f64();
  if (section instanceof BigInt64Array) return reader.i64();
  if (section instanceof Int32Array) return reader.i32();
  if (section instanceof Uint32Array) return reader.u32();
  return section instanceof Uint16Array ? reader.u16() : reader.bytes();
}

describe("packed sections", () => {
  test("longer ones than a reader makes room for come back too", () => {
    const long = new Uint32Array(packedLengthMax + 1);
    long[packedLengthMax] = 7;
    const bytes = encodePackedSections(magic, null, [long, new Uint8Array(long.length).fill(1)]);
    const reader = decodePackedSections<null>(magic, bytes);
    const read = reader.u32();
    expect(read.length).toBe(long.length);
    expect(read[packedLengthMax]).toBe(7);
    expect(reader.bytes().at(-1)).toBe(1);
  });

  test("come back bit by bit", () => {
    const lists = fc
      .array(section, { minLength: 1, maxLength: 5 })
      // The same again, as the weights of sums are the counts of their groups: the same numbers, or the same array.
      .chain((own) =>
        fc
          .subarray(own)
          .map((again) => [...own, ...again.map((one, i) => (i % 2 === 0 ? one : one.slice()))]),
      );
    fc.assert(
      fc.property(lists, (sections) => {
        const bytes = encodePackedSections(magic, { own: 1 }, sections, 1);
        const reader = decodePackedSections<{ own: number }>(magic, bytes);
        expect(reader.head).toEqual({ own: 1 });
        for (const sent of sections) {
          const found = readAs(sent, reader);
          expect(found.constructor).toBe(sent.constructor);
          expect(new Uint8Array(found.slice().buffer)).toEqual(new Uint8Array(sent.slice().buffer));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("take as many bytes as their range needs, and none where they can be predicted", () => {
    const length = 100_000;
    const counts = Float64Array.from({ length }, (_, i) => 1 + (i % 97));
    const size = (...sections: SectionArray[]) =>
      encodePackedSections(magic, null, sections).length / length;
    expect(size(counts)).toBeCloseTo(1, 2);
    expect(size(counts, counts.slice())).toBeCloseTo(1, 2);
    expect(size(new Float64Array(length), new Uint8Array(length).fill(1))).toBeLessThan(0.01);
    expect(size(Int32Array.from({ length }, (_, i) => i))).toBeLessThan(0.01);
    expect(size(BigInt64Array.from(counts, (value) => BigInt(value) * 40_000_000n))).toBeCloseTo(
      4,
      2,
    );
    expect(size(counts.map((value) => value / 3))).toBeCloseTo(8, 2);
  });

  test("few numbers are sent as they are", () => {
    const bytes = encodePackedSections(magic, "head", [Float64Array.of(1, 2)]);
    expect(decodeSections(magic, bytes).f64()).toEqual(Float64Array.of(1, 2));
  });

  test("that do not fit together are refused", () => {
    const sections = [Float64Array.of(1, 2, 300), Float64Array.of(1, 2, 300)];
    const bytes = encodePackedSections(magic, null, sections, 1);
    expect(() => decodePackedSections(magic + 1, bytes)).toThrow("magic");
    for (let length = 0; length < bytes.length; length += 8) {
      expect(() => decodePackedSections(magic, bytes.slice(0, length)).f64()).toThrow();
    }
    const changed = (from: string, to: string) =>
      Uint8Array.from(
        Buffer.from(Buffer.from(bytes).toString("latin1").replace(from, to), "latin1"),
      );
    const longer = changed('"length":3', '"length":4');
    expect(() => decodePackedSections(magic, longer).f64()).toThrow("found 3 numbers, not 4");
    const reader = decodePackedSections(magic, changed('"same":0', '"same":9'));
    reader.f64();
    expect(() => reader.f64()).toThrow("there is no section 9 before it");
  });
});
