import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
  logLinearBucket,
  subBitsMax,
} from "@hadal/kernel-wasm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce } from "../../base/schedule/steps.js";
import { divideMemory } from "../../memory/leafMemory.js";
import { TableColumns } from "../columns/tableColumns.js";
import { decodeSegment } from "../file/decodeSegment.js";
import { encodeSegment } from "../file/encodeSegment.js";
import type { SegmentOrigin } from "../file/segmentHead.js";
import type { PlainRow, PlainValue } from "../testing/plainRows.js";
import { sealRows } from "../testing/sealRows.js";
import type { SealedSegment } from "./sealedSegment.js";
import { histogramBytes, readBuckets } from "./segmentHistogram.js";

const memory = createSharedMemory(256 * 2 ** 20);
const kernel = createKernel(memory, loadKernelModuleSync());
const origin: SegmentOrigin = { batches: [], minutes: [], rawSizes: [] };

function seal(rows: readonly PlainRow[]) {
  const leaf = divideMemory(memory, kernelReservedBytes, 16 * 2 ** 20);
  return { leaf, segment: sealRows(rows, leaf, kernel) };
}

const columnNames = ["few", "spread", "extreme", "constant"];

/** Enough rows for histograms to pay, of values that are stored in every way. */
const manyRows = fc
  .record({
    seed: fc.nat(),
    rowCount: fc.integer({ min: 3_000, max: 6_000 }),
    rates: fc.constantFrom<readonly bigint[]>([], [1n], [1n, 300n], [2n ** 31n - 1n]),
    missing: fc.constantFrom(0, 3),
    base: fc.constantFrom(0n, -(2n ** 40n), 2n ** 60n, -300n),
  })
  .map(({ seed, rowCount, rates, missing, base }): PlainRow[] =>
    Array.from({ length: rowCount }, (_, i) => {
      const mixed = Math.imul(i + seed, 0x9e3779b1) >>> 0;
      const values = new Map<string, PlainValue>();
      const set = (name: string, value: bigint, at: number): void => {
        if (missing === 0 || (mixed >>> at) % missing !== 0) values.set(name, value);
      };
      set("few", base + BigInt((mixed % 7) * 1_000), 3);
      set("spread", base + BigInt(mixed % 90_000), 5);
      set("extreme", [-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n][mixed % 4]!, 7);
      set("constant", base, 9);
      const rate = rates[mixed % Math.max(1, rates.length)];
      if (rate !== undefined && mixed % 5 > 0) values.set("sample_rate", rate);
      return { time: mixed % 1_000, values };
    }),
  );

function naive(rows: readonly PlainRow[], name: string): [number, number][] {
  const weights = new Map<number, number>();
  for (const { values } of rows) {
    const value = values.get(name) as bigint | undefined;
    if (value === undefined) continue;
    const bucket = logLinearBucket(value, subBitsMax);
    const weight = Number((values.get("sample_rate") as bigint | undefined) ?? 1n);
    weights.set(bucket, (weights.get(bucket) ?? 0) + weight);
  }
  return [...weights].sort(([a], [b]) => a - b);
}

function read({ histograms }: SealedSegment, name: string): [number, number][] | null {
  const histogram = histograms.get(name);
  if (histogram === undefined) return null;
  const { buckets, weights } = readBuckets(memory.buffer, histogram);
  return Array.from(buckets, (bucket, i) => [bucket, weights[i]!]);
}

test("a sealed segment's histograms are those of its rows, cost little, and come back from its file (A5)", () => {
  const kept = new Set<string>();
  fc.assert(
    fc.property(manyRows, (rows) => {
      const { leaf, segment } = seal(rows);
      const bytes = atOnce(encodeSegment(segment, { memory: leaf, kernel }, origin));
      const loaded = decodeSegment(bytes, { memory: leaf, kernel }, new TableColumns()).segment;
      for (const name of columnNames) {
        const found = read(segment, name);
        expect(read(loaded, name)).toEqual(found);
        if (found === null) continue;
        kept.add(name);
        expect(found).toEqual(naive(rows, name));
        const own = segment.histograms.get(name)!;
        expect(histogramBytes(own)).toBeLessThan(segment.columnBytes.get(name)! / 25);
      }
      expect(loaded.bytes).toBe(segment.bytes);
    }),
    { numRuns: 40 },
  );
  // Those of a constant pay only beside a bitmap of presence.
  expect([...kept].sort()).toEqual(["constant", "extreme", "few", "spread"]);
});

test("a segment file from before there were histograms is read, and has none", () => {
  const rows = Array.from({ length: 4_000 }, (_, i): PlainRow => {
    const values = new Map<string, PlainValue>([["n", BigInt((i % 7) * 100)]]);
    return { time: i, values };
  });
  const { leaf, segment } = seal(rows);
  expect([...segment.histograms.keys()]).toEqual(["n"]);
  const old = atOnce(
    encodeSegment({ ...segment, histograms: new Map() }, { memory: leaf, kernel }, origin),
  );
  const loaded = decodeSegment(old, { memory: leaf, kernel }, new TableColumns()).segment;
  expect(loaded.histograms.size).toBe(0);
  expect(loaded.sums).toEqual(segment.sums);
});
