import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { rescaleBatch } from "../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../store/columns/tableColumns.js";
import { OpenSegment } from "../../store/open/openSegment.js";
import { sealSegment } from "../../store/seal/sealSegment.js";
import { batchOfRows, type PlainRow } from "../../store/testing/plainRows.js";
import { type MemoryUse, QueryMemory } from "../memory/queryMemory.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { lowerLanes } from "./lowerLanes.js";
import type { LoweredQuery } from "./lowerQuery.js";

const { kernel, leaf } = createScanMemory(128, 96);
const columns = new TableColumns();
const segments = Array.from({ length: 5 }, (_, index) => {
  const rows = Array.from({ length: 20_000 }, (_, i): PlainRow => {
    const n = BigInt.asIntN(55, BigInt(index * 20_000 + i + 1) * 0x9e3779b97f4a7c15n);
    const values = new Map([
      ["n", n],
      ["key", BigInt.asUintN(30, n)],
      ["size", BigInt(i % 100)],
    ]);
    return { time: index * 20_000 + i, values };
  });
  const open = new OpenSegment(leaf, kernel);
  const batch = batchOfRows(rows);
  columns.take(batch);
  const ready = rescaleBatch(batch, (name) => columns.layoutOf(name));
  open.reserve(ready, (name) => columns.layoutOf(name));
  open.append(ready);
  return sealSegment(open.view(), index + 1, { memory: leaf, kernel });
});

const query: ResolvedQuery = {
  table: "t",
  sides: [{ fromMs: 1, toMs: 1e9, filter: { kind: "all" as const, filters: [] }, buckets: null }],
  groupBy: [{ kind: "column", column: "n", type: "int", decimals: 0 }],
  states: [{ kind: "rows" }, { kind: "weight" }],
  sample: null,
  cut: { max: 100, bySeries: false, ranks: [] },
};

/** What the lanes took of the pool; all is given back. */
function lower(
  lanesMax: number,
  asked = query,
  use: MemoryUse = "ample",
): {
  readonly lanes: LoweredQuery["lanes"];
  readonly bytes: number;
} {
  const memory = new QueryMemory(leaf);
  memory.startAgain(use);
  const before = leaf.queries.usedBytes;
  try {
    const steps = lowerLanes({ id: 1, query: asked, segments: [segments], memory, lanesMax });
    for (;;) {
      const step = steps.next();
      if (step.done !== true) continue;
      return { lanes: step.value.lanes, bytes: leaf.queries.usedBytes - before };
    }
  } finally {
    memory.release();
    expect(leaf.queries.usedBytes).toBe(before);
  }
}

test("where several lanes' tables do not fit, one lane scans; where none fits, the query is refused", () => {
  const [one, two] = [lower(1), lower(2)];
  expect([one.lanes.length, two.lanes.length]).toEqual([1, 2]);
  expect(two.bytes).toBeGreaterThan(one.bytes * 1.5);
  // A query may take half of what is free.
  const filled = (freeBytes: number): number =>
    leaf.queries.allocate(leaf.queries.freeBytes - freeBytes) ?? 0;
  const enoughForOne = filled(one.bytes + two.bytes);
  expect(lower(2)).toMatchObject({ lanes: { length: 1 }, bytes: one.bytes });
  leaf.queries.release(enoughForOne);
  expect(lower(2).lanes).toHaveLength(2);
  const enoughForNone = filled(one.bytes);
  const refused = (() => {
    try {
      return lower(2);
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(HadalError);
  expect(refused).toMatchObject({ code: "query-memory" });
  leaf.queries.release(enoughForNone);
});

test("where memory is short, several lanes do without tables that only make them faster", () => {
  const extremes = ["min", "max"] as const;
  const byKey: ResolvedQuery = {
    ...query,
    groupBy: [{ kind: "column", column: "key", type: "int", decimals: 0 }],
    states: [...query.states, ...extremes.map((kind) => ({ kind, column: "size", decimals: 0 }))],
  };
  const shapesOf = ({ lanes }: { readonly lanes: LoweredQuery["lanes"] }) =>
    lanes.map(({ sides: [side] }) => [side!.table.kind, side!.dealt !== null]);
  const [whole, needed] = [lower(2, byKey), lower(2, byKey, "short")];
  const fast = ["parted", true];
  expect(shapesOf(whole)).toEqual([fast, fast]);
  const plain = ["hash", false];
  expect(shapesOf(needed)).toEqual([plain, plain]);
  // A query may take half of what is free.
  const free = leaf.queries.freeBytes;
  const filled = leaf.queries.allocate(free - 2 * needed.bytes)!;
  expect(shapesOf(lower(2, byKey))).toEqual([plain, plain]);
  leaf.queries.release(filled);
  // Every lane has what it needs before one of them has room to deal rows out.
  const some = leaf.queries.allocate(free - 2 * (whole.bytes - 1_000_000))!;
  expect(shapesOf(lower(2, byKey))).toEqual([fast, ["parted", false]]);
  leaf.queries.release(some);
});
