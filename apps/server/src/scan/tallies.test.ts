import { expect, test } from "vitest";
import type { PartialSide } from "../aggregate/partialResult.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import { conformBatch } from "../store/conformBatch.js";
import { OpenSegment } from "../store/openSegment.js";
import { sealSegment } from "../store/sealSegment.js";
import { TableColumns } from "../store/tableColumns.js";
import { batchOfRows, type PlainRow, type PlainValue } from "../store/testing/plainRows.js";
import { decodeSide } from "./decodeAnswer.js";
import { QueryMemory } from "./queryMemory.js";
import { ScanRun } from "./scanRun.js";
import { lowerNow } from "./testing/lowerNow.js";
import { createScanMemory } from "./testing/scanMemory.js";

const { memory, kernel, leaf, scratch } = createScanMemory(512, 200);

const segmentRows = 40_000;
const distinct = 70_000;
/** An eighth of all rows is of this group: its tally is full again and again. */
const frequent = 5;

/** Dense ids, once complete and once with missing ones; sizes whose sums carry, and some that may be below 0. */
function createRows(): PlainRow[][] {
  let state = 7;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: 4 }, (_, segment) =>
    Array.from({ length: segmentRows }, (_, i): PlainRow => {
      const id = BigInt(i % 8 === 0 ? frequent : Math.floor(distinct * next()));
      const values: [string, PlainValue][] = [
        ["complete", i === 0 ? BigInt(distinct) : id],
        // Narrow in the first two segments, with a base of its own; of all 32 bits in the third.
        [
          "size",
          BigInt(Math.floor(next() * [60_000, 2 ** 24 - 9, 2 ** 32][Math.min(segment, 2)]!) + 7),
        ],
        ["change", BigInt(Math.floor(next() * 1000) - 500)],
      ];
      if (i % 40 !== 1) values.push(["partly", id]);
      return {
        time: segment * segmentRows + Math.floor(next() * segmentRows),
        values: new Map(values),
      };
    }),
  );
}

const parts = createRows();
const columns = new TableColumns();
const layoutOf = (name: string) => columns.layoutOf(name);
const views = parts.map((rows, index) => {
  const batch = batchOfRows(rows);
  for (const column of batch.columns) columns.widen(column);
  const open = new OpenSegment(leaf, kernel);
  const ready = conformBatch(batch, layoutOf);
  open.reserve(ready, layoutOf);
  open.append(ready);
  // The last one stays as it is: unsorted, and of 64 bits.
  return index + 1 < parts.length ? sealSegment(open.view(), index + 1, leaf, kernel) : open.view();
});

const fromMs = 20_000;
const filters = {
  every: { kind: "all", filters: [] },
  most: { kind: "range", column: "change", decimals: 0, low: "-450", high: "499", negated: false },
  few: { kind: "range", column: "change", decimals: 0, low: "480", high: "499", negated: false },
} as const;
const leastOf = { every: -500n, most: -450n, few: 480n } as const;

function queryOf(column: string, filter: keyof typeof filters): ResolvedQuery {
  const sumOf = (name: string) => ({ kind: "sum" as const, column: name, decimals: 0 });
  return {
    table: "t",
    sides: [{ fromMs, toMs: 10_000_000, filter: filters[filter], buckets: null }],
    groupBy: [{ kind: "column", column, type: "int", decimals: 0 }],
    states: [{ kind: "rows" }, { kind: "weight" }, sumOf("size"), sumOf("change")],
    sample: null,
    cut: {
      ...{ max: 1_000_000, bySeries: false },
      ranks: [{ by: { kind: "state", stateIndex: 0 }, desc: true }],
    },
  };
}

/** Rows and both sums by id. */
function totalsOf(column: string, least: bigint): Map<string, string> {
  const totals = new Map<string, [bigint, bigint, bigint]>();
  for (const { time, values } of parts.flat()) {
    if (time < fromMs || (values.get("change") as bigint) < least) continue;
    const key = String(values.get(column) ?? null);
    const total = totals.get(key) ?? [0n, 0n, 0n];
    total[0] += 1n;
    total[1] += values.get("size") as bigint;
    total[2] += values.get("change") as bigint;
    totals.set(key, total);
  }
  return new Map([...totals].map(([key, total]) => [key, total.join(" ")]));
}

function groupsOf({ keys: [key], states: [rows, , ...sums], groupCount }: PartialSide) {
  if (key?.kind !== "int" || rows?.kind !== "count") throw new Error("integers and rows");
  const found = new Map<string, string>();
  for (let i = 0; i < groupCount; i++) {
    const added = sums.map((sum) => {
      if (sum.kind !== "sum") throw new Error("what is added up");
      return BigInt(sum.hi[i]!) * 2n ** 32n + BigInt(sum.lo[i]!);
    });
    const name = key.present[i] === 1 ? String(key.values[i]) : "null";
    found.set(name, [rows.values[i]!, ...added].join(" "));
  }
  return found;
}

function rowsOf({ states: [rows] }: PartialSide): number {
  if (rows?.kind !== "count") throw new Error("rows");
  return rows.values.reduce((sum, count) => sum + count, 0);
}

test.each([
  ["complete", "every"],
  ["complete", "most"],
  ["complete", "few"],
  ["partly", "every"],
  ["partly", "most"],
] as const)(
  "many groups have their rows and sums, told on the way or not: %s ids, %s row",
  (column, filter) => {
    const expected = totalsOf(column, leastOf[filter]);
    for (const isTold of [false, true]) {
      const queryMemory = new QueryMemory(leaf);
      const lowered = lowerNow(1, queryOf(column, filter), [views], queryMemory);
      const { table } = lowered.task.sides[0]!;
      expect(table.kind === "direct" && table.tallies > 0).toBe(true);
      const run = new ScanRun(memory, kernel, scratch, lowered.task);
      const answerSide = () => decodeSide(run.answer().sides[0]!, lowered.components[0]!);
      while (!run.done) {
        run.step();
        if (isTold) expect(rowsOf(answerSide())).toBe(run.answer().rowsMatched);
      }
      expect(groupsOf(answerSide())).toEqual(expected);
      queryMemory.release();
    }
  },
);
