import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeInts,
  encodedBytes,
  movedEncoded,
  partsOfEncoded,
} from "../../column/intEncodings.js";
import { createColumnReader } from "../../column/readColumn.js";
import { divideMemory } from "../../memory/leafMemory.js";
import { listSample } from "../segment/rowSample.js";
import { encodingSample } from "../segment/sealContext.js";
import { type StoredCodes, sealCodes } from "./sealCodes.js";

const memory = createSharedMemory(64 * 2 ** 20);
const leaf = divideMemory(memory, kernelReservedBytes, 2 ** 20);
const kernel = createKernel(memory, loadKernelModuleSync());
const reader = createColumnReader(memory);

interface Sealed extends StoredCodes {
  readonly bytes: number;
}

/**
 * Seals codes in this order and checks that every reader gives them back, also from another place.
 */
function seal(codes: readonly number[], order: readonly number[]): Sealed {
  const taken: number[] = [];
  const take = (bytes: number): number => {
    const address = leaf.store.allocate(bytes)!;
    taken.push(address);
    leaf.bytes.fill(0xa5, address, address + leaf.store.bytesOf(address));
    return address;
  };
  const rowCount = codes.length;
  const address = take(rowCount * 4);
  new Uint32Array(memory.buffer, address, rowCount).set(codes);
  const orderAt = order.every((row, i) => row === i) ? 0 : take(rowCount * 4);
  if (orderAt !== 0) new Uint32Array(memory.buffer, orderAt, rowCount).set(order);
  const sealed = sealCodes(address, BigInt(Math.max(...codes)), {
    ...{ memory, kernel, rowCount, order: orderAt },
    sampledOrder: listSample(encodingSample, {
      order: orderAt,
      rowCount,
      memory,
      takeScratch: take,
    }),
    ...{ allocate: take, takeScratch: take },
  });
  const expected = order.map((row) => codes[row]!);
  check(sealed, expected, take);
  const { values, encoded } = sealed;
  if (encoded !== null) {
    const places = partsOfEncoded(encoded, rowCount).map((part) => {
      const to = take(part.bytes);
      leaf.bytes.copyWithin(to, part.address, part.address + part.bytes);
      return to;
    });
    check({ values, encoded: movedEncoded(encoded, places) }, expected, take);
  }
  for (const each of taken) leaf.store.release(each);
  const bytes = encoded === null ? rowCount * values.width : encodedBytes(encoded, rowCount);
  return { ...sealed, bytes };
}

function check(
  { values, encoded }: StoredCodes,
  expected: readonly number[],
  take: (bytes: number) => number,
): void {
  const rowCount = expected.length;
  const plain = { ...values };
  if (encoded !== null) {
    plain.address = take(Math.ceil(rowCount / 128) * 128 * 4);
    decodeInts(kernel, plain, encoded, rowCount);
  }
  for (const [row, code] of expected.entries()) {
    const found = [reader.code(plain, row), reader.storedCode({ values, encoded }, row, rowCount)];
    if (found[0] !== code || found[1] !== code) {
      throw new Error(`row ${row} is ${found.join(" and reads ")}, expected ${code}`);
    }
  }
}

const straight = (length: number): number[] => Array.from({ length }, (_, i) => i);
const full = 65_536;

describe("codes of a dictionary (S25)", () => {
  test("come back whatever they are, in any order", () => {
    const largest = fc.constantFrom(1, 2, 12, 31, 63, 64, 200, 300, 70_000, 2 ** 24);
    const columns = largest.chain((max) =>
      fc.tuple(
        fc.array(fc.integer({ min: 0, max }), { maxLength: 400 }),
        fc.constant(max),
        fc.boolean(),
        fc.boolean(),
      ),
    );
    fc.assert(
      fc.property(columns, ([some, max, isSparse, keepsOrder]) => {
        const codes = [max, ...some.map((code, i) => (isSparse && i % 7 > 0 ? 0 : code))];
        const rows = straight(codes.length);
        seal(codes, keepsOrder ? rows : rows.toReversed());
      }),
      { numRuns: 200 },
    );
  });

  test.each([1, 12, 40])("few values up to %i take their bits", (max) => {
    const codes = straight(full).map((row) => (row * 7919) % (max + 1));
    const { encoded, bytes } = seal(codes, straight(full));
    expect(encoded?.kind).toBe("bits");
    expect(bytes).toBe((full / 8) * Math.ceil(Math.log2(max + 1)));
  });

  test("values that few rows have take a bit a row, and the values", () => {
    const codes = straight(full).map((row) => (row % 10 === 3 ? 1 + (row % 700) : 0));
    const { encoded, bytes } = seal(codes, straight(full).toReversed());
    expect(encoded?.kind).toBe("sparse");
    expect(bytes).toBe(full / 8 + (full / 64) * 2 + 2 * Math.ceil((full - 3) / 10));
  });

  test.each([100, 5_000])("others, of %i values, lie plainly", (count) => {
    const { encoded, bytes } = seal(
      straight(full).map((row) => row % count),
      straight(full),
    );
    expect([encoded, bytes]).toEqual([null, full * (count > 256 ? 2 : 1)]);
  });
});
