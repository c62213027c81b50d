import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeSections, encodeSections } from "../../base/bytes/sections.js";
import { int64Max, int64Min } from "../../column/decimal.js";
import type { EncodedInts } from "../../column/encodedInts.js";
import { decodeInts, encodedBytes } from "../../column/intEncodings.js";
import { NearInts } from "../../column/nearInts.js";
import { PackedBlocks } from "../../column/packedBlocks.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { IntColumn, StoredInts } from "../../column/segmentColumn.js";
import { divideMemory } from "../../memory/leafMemory.js";
import { decodeIntSections, encodeIntSections } from "../file/intCodec.js";
import { listSample } from "../segment/rowSample.js";
import { encodingSample } from "../segment/sealContext.js";
import { sealInts } from "./sealInts.js";

const memory = createSharedMemory(64 * 2 ** 20);
const leaf = divideMemory(memory, kernelReservedBytes, 2 ** 20);
const kernel = createKernel(memory, loadKernelModuleSync());
const reader = createColumnReader(memory);
const kinds: readonly EncodedInts["kind"][] = ["packed", "dictionary"];

/**
 * Seals these values (null: missing) in this order, checks that every reader gives them back, and
 * returns how they are stored. `below`: they lie open in 4 bytes from a base so far below the
 * smallest, if that goes; null: in 8.
 */
function seal(
  stored: readonly (bigint | null)[],
  order: readonly number[],
  below: bigint | null = null,
): StoredInts {
  const taken: number[] = [];
  const take = (bytes: number): number => {
    const address = leaf.store.allocate(bytes)!;
    taken.push(address);
    leaf.bytes.fill(0xa5, address, address + leaf.store.bytesOf(address));
    return address;
  };
  const rowCount = stored.length;
  const present = stored.filter((value) => value !== null);
  const bitmap = present.length === rowCount ? 0 : take(Math.ceil(rowCount / 64) * 8);
  if (bitmap !== 0) {
    leaf.bytes.fill(0, bitmap, bitmap + Math.ceil(rowCount / 64) * 8);
    stored.forEach((value, row) => {
      if (value !== null) leaf.bytes[bitmap + (row >> 3)]! |= 1 << (row & 7);
    });
  }
  // Rows that keep their order need none.
  const orderAt = order.every((row, i) => row === i) ? 0 : take(rowCount * 4);
  if (orderAt !== 0) new Uint32Array(memory.buffer, orderAt, rowCount).set(order);
  // biome-ignore lint/complexity/useMathMinMax: Math.min does not take BigInt.
  const min = present.reduce((a, b) => (a < b ? a : b));
  // biome-ignore lint/complexity/useMathMinMax: Math.max does not take BigInt.
  const max = present.reduce((a, b) => (b < a ? a : b));
  const isNarrow = below !== null && max - min + below < 2n ** 32n;
  const base = isNarrow ? min - below : 0n;
  const values = { address: take(rowCount * 8), width: isNarrow ? 4 : 8 } as const;
  // What stands in place of a missing value is no one's business.
  const offsets = stored.map((value) => (value === null ? 0x5aa5n : value - base));
  if (isNarrow) new Uint32Array(memory.buffer, values.address, rowCount).set(offsets.map(Number));
  else new BigInt64Array(memory.buffer, values.address, rowCount).set(offsets);
  const open = { values, base, present: bitmap, min, max };
  const { stored: sealed, plain } = sealInts(open, kinds, {
    ...{ memory, kernel, rowCount, order: orderAt },
    sampledOrder: listSample(encodingSample, {
      order: orderAt,
      rowCount,
      memory,
      takeScratch: take,
    }),
    ...{ allocate: take, takeScratch: take },
  });
  const expected = order.map((row) => stored[row]!);
  check(sealed, expected, take);
  check({ ...sealed, values: plain(), encoded: null }, expected, take);
  check(throughFile(sealed, rowCount, take), expected, take);
  for (const each of taken) leaf.store.release(each);
  return sealed;
}

function check(
  sealed: StoredInts,
  expected: readonly (bigint | null)[],
  take: (bytes: number) => number,
): void {
  const rowCount = expected.length;
  const plain = { ...sealed.values };
  if (sealed.encoded !== null) {
    plain.address = take(Math.ceil(rowCount / 128) * 1024);
    decodeInts(kernel, plain, sealed.encoded, rowCount);
  }
  const blocks = new PackedBlocks(new DataView(memory.buffer));
  const near = new NearInts(memory);
  const present = expected.filter((value) => value !== null);
  const column: IntColumn = {
    ...({ kind: "int", decimals: 0, present: 0, min: 0n, max: 0n } as const),
    ...sealed,
    ...(present.length === 0 ? {} : extremesOf(present)),
  };
  const offsets = expected.map((value) => (value === null ? 0 : Number(value - sealed.base)));
  expected.forEach((value, row) => {
    if (value === null) return;
    const offset = offsets[row]!;
    if (sealed.encoded?.kind === "packed" && Number.isSafeInteger(offset)) {
      const found = blocks.read(sealed.encoded, row, rowCount);
      if (found !== offset) throw new Error(`row ${row} is ${found} in its block, not ${offset}`);
    }
    const found = near.read(column, row, rowCount);
    if (found !== value) throw new Error(`row ${row} is ${found} in its block, not ${value}`);
    const decoded = reader.int({ values: plain, base: sealed.base }, row);
    if (decoded !== value) throw new Error(`row ${row} is ${decoded}, expected ${value}`);
    if (rowCount > 3000 && row % 61 !== 0) return;
    const single = reader.storedInt(sealed, row, rowCount);
    if (single !== value) throw new Error(`row ${row} reads ${single}, expected ${value}`);
  });
}

function extremesOf(values: readonly bigint[]): { readonly min: bigint; readonly max: bigint } {
  const ascending = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return { min: ascending[0]!, max: ascending.at(-1)! };
}

function throughFile(
  sealed: StoredInts,
  rowCount: number,
  take: (bytes: number) => number,
): StoredInts {
  const { head, sections } = encodeIntSections(sealed, rowCount, leaf);
  const reader = decodeSections<typeof head>(1, encodeSections(1, head, sections));
  return decodeIntSections(reader.head, rowCount, reader, (bytes) => {
    const address = take(bytes.length);
    leaf.bytes.set(bytes, address);
    return address;
  });
}

const straight = (length: number): number[] => Array.from({ length }, (_, i) => i);
const rowsOf = (length: number, valueAt: (row: number) => bigint | null) =>
  straight(length).map(valueAt);
const bytesOf = ({ encoded, values }: StoredInts, rowCount: number): number =>
  encoded === null ? values.width * rowCount : encodedBytes(encoded, rowCount);

const extremes = [int64Min, int64Min + 1n, -1n, 0n, 1n, 2n ** 53n - 1n, 2n ** 53n + 1n, int64Max];
const shapes: readonly fc.Arbitrary<bigint>[] = [
  fc.bigInt({ min: int64Min, max: int64Max }),
  fc.constantFrom(...extremes),
  fc.constantFrom(int64Min, int64Max),
  fc.constantFrom(200n, 201n, 404n, 500n, 503n),
  fc.bigInt({ min: -20n, max: 2_000_000n }),
  fc.constant(42n),
];

describe("S20 every encoding of integers", () => {
  test("gives back any values in any order, missing ones or not", () => {
    const columns = fc
      .tuple(fc.constantFrom(...shapes), fc.boolean(), fc.integer({ min: 1, max: 400 }))
      .chain(([value, hasMissing, maxLength]) =>
        fc.array(hasMissing ? fc.option(value) : value, { minLength: 1, maxLength }),
      );
    const below = fc.constantFrom(null, 0n, 7n);
    const property = fc.property(columns, fc.boolean(), below, (stored, turned, under) => {
      if (stored.every((value) => value === null)) return;
      const order = straight(stored.length);
      seal(stored, turned ? order.reverse() : order, under);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("a constant takes no bytes", () => {
    for (const value of extremes) {
      expect(
        seal(
          rowsOf(1000, () => value),
          straight(1000),
        ).values.width,
      ).toBe(0);
    }
    expect(seal([7n], [0]).values.width).toBe(0);
    expect(
      seal(
        rowsOf(300, (i) => (i % 2 ? 7n : null)),
        straight(300),
      ).values.width,
    ).toBe(0);
  });

  test("A1: a regular time series and a random walk take their steps' bits", () => {
    const minute = seal(
      rowsOf(65_536, (i) => BigInt(i) * 60_000n),
      straight(65_536),
    );
    expect(bytesOf(minute, 65_536) / 65_536).toBeLessThan(0.13);
    let value = 2_150n;
    let state = 1;
    const walk = seal(
      rowsOf(65_536, () => {
        state = (state * 48_271) % 2_147_483_647;
        value += BigInt((state % 41) - 20);
        return value;
      }),
      straight(65_536),
    );
    expect(walk.encoded?.kind).toBe("packed");
    expect(bytesOf(walk, 65_536) / 65_536).toBeLessThan(0.9);
  });

  test("few distinct values over a wide range become codes, also with both ends of int64", () => {
    const codes = [200n, 301n, 404n, 500n];
    const order = straight(20_000).reverse();
    const status = seal(
      rowsOf(20_000, (i) => codes[(i * 7919) % 4]!),
      order,
    );
    expect(status.encoded).toMatchObject({ kind: "dictionary", tableCount: 4 });
    const ends = seal(
      rowsOf(20_000, (i) => extremes[(i * 7919) % 8]!),
      straight(20_000),
    );
    expect(ends.encoded).toMatchObject({ kind: "dictionary", tableCount: 8 });
    const wide = seal(
      rowsOf(20_000, (i) => BigInt((i * 7919) % 400) << 40n),
      straight(20_000),
    );
    expect(wide.encoded).toMatchObject({ kind: "dictionary", codes: { width: 2 } });
  });

  test("values that neither repeat nor move in small steps stay plain, at 1, 2, 3, 4 or 8 bytes", () => {
    for (const [bits, width] of [
      [8, 1],
      [16, 2],
      [24, 3],
      [32, 4],
      [60, 8],
    ] as const) {
      let state = 88_172_645_463_325_252n;
      const next = (): bigint => {
        state ^= BigInt.asUintN(64, state << 13n);
        state ^= state >> 7n;
        state ^= BigInt.asUintN(64, state << 17n);
        return state % (1n << BigInt(bits));
      };
      const sealed = seal(rowsOf(20_000, next), straight(20_000));
      expect(sealed).toMatchObject({ encoded: null, values: { width } });
    }
  });
});
