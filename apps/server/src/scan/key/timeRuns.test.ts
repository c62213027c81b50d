import type { RowSet } from "@hadal/kernel-wasm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { packedInts } from "../../column/packedInts.js";
import { QueryMemory } from "../memory/queryMemory.js";
import type { ScanUnit } from "../task/scanTask.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { findTimeRuns } from "./timeRuns.js";

const { memory, kernel, leaf, scratch } = createScanMemory(64, 16);
const spanMs = 60_000;

const cases = fc.record({
  // Edges lie on both sides of where the halves of a 64-bit time change, and of 1970.
  baseMs: fc.constantFrom(1_750_000_000_000, 1_750_199_143_120, 1_748_051_659_472, -30_000),
  offsets: fc.array(fc.nat(spanMs - 1), { minLength: 300, maxLength: 3_000 }),
  bucketCount: fc.constantFrom(1, 2, 7, 60, 300),
  // Where the side's range cuts the unit: the second may lie before the first.
  cuts: fc.tuple(fc.integer({ min: -9, max: spanMs }), fc.integer({ min: 0, max: spanMs + 9 })),
  listsEvery: fc.constantFrom(0, 1, 3, 50),
});

test("S21: rows of packed times in runs of one bucket, for any of the rows", () => {
  let emptyCount = 0;
  fc.assert(
    fc.property(cases, ({ baseMs, offsets, bucketCount, cuts: [from, to], listsEvery }) => {
      const queryMemory = new QueryMemory(leaf);
      try {
        offsets.sort((a, b) => a - b);
        // The first bucket begins before the unit, and is longer.
        const edges = Array.from({ length: bucketCount + 1 }, (_, i) =>
          i === 0 ? baseMs - 9 : baseMs + Math.ceil(((spanMs + 9) * i) / bucketCount),
        );
        const edgesAt = queryMemory.allocate(edges.length * 8);
        new BigInt64Array(memory.buffer, edgesAt, edges.length).set(edges.map(BigInt));
        const component = {
          ...({ kind: "time", cardinality: BigInt(bucketCount) } as const),
          ...{ edges: edgesAt, edgeCount: edges.length },
        };
        const asked = [...offsets.keys()].filter(
          (row) => offsets[row]! >= from && offsets[row]! < to,
        );
        const listed = asked.filter((_, i) => listsEvery > 0 && i % listsEvery === 0);
        const listAt = queryMemory.allocate(listed.length * 4 + 16);
        new Uint32Array(memory.buffer, listAt, listed.length).set(listed);
        const rows: RowSet =
          listsEvery === 0
            ? { start: asked[0] ?? 0, count: asked.length, rows: 0 }
            : { start: 0, count: listed.length, rows: listAt };
        const unit = unitOf(offsets, baseMs, baseMs + from, baseMs + to, queryMemory);
        const runs = findTimeRuns({ memory, kernel, scratch }, unit, component, rows);
        const found = runs.flatMap(({ rows: run, bucket }) =>
          rowsOf(run).map((row) => [row, bucket]),
        );
        const bucketOf = (row: number): number =>
          edges.findLastIndex((edgeMs) => edgeMs <= baseMs + offsets[row]!);
        expect(found).toEqual(
          (listsEvery === 0 ? asked : listed).map((row) => [row, bucketOf(row)]),
        );
        if (rows.count === 0) emptyCount++;
      } finally {
        queryMemory.release();
      }
    }),
    { numRuns: 300 },
  );
  expect(emptyCount).toBeGreaterThan(10);
});

function rowsOf({ start, count, rows }: RowSet): number[] {
  if (rows === 0) return Array.from({ length: count }, (_, i) => start + i);
  return [...new Uint32Array(memory.buffer, rows, count)];
}

/** What runs of time are found by. */
function unitOf(
  offsets: readonly number[],
  baseMs: number,
  fromMs: number,
  toMs: number,
  queryMemory: QueryMemory,
): ScanUnit {
  const plain = queryMemory.allocate(offsets.length * 8);
  new BigInt64Array(memory.buffer, plain, offsets.length).set(offsets.map(BigInt));
  const values = { address: plain, width: 8 } as const;
  const allocate = (bytes: number): number => queryMemory.allocate(bytes + 16);
  const encodedTimes = packedInts.encode(
    {
      ...{ memory, kernel, values, rowCount: offsets.length, span: BigInt(spanMs) },
      ...{ allocate, takeScratch: allocate },
    },
    Number.POSITIVE_INFINITY,
  );
  if (encodedTimes === null) throw new Error("times within a minute can be packed");
  return {
    ...{ side: 0, rowCount: offsets.length, sorted: true, bytes: 0, filter: { op: "every" } },
    ...{ times: values, timeBase: BigInt(baseMs), encodedTimes, decodes: [] },
    minMs: baseMs + offsets[0]!,
    maxMs: baseMs + offsets.at(-1)!,
    ...{ fromMs, toMs, branches: [], weights: null, groups: [], inputs: [], orders: [] },
  };
}
