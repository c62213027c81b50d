import type { RadixTable } from "@hadal/kernel-wasm";
import { expect, test } from "vitest";
import { printAskedKeys } from "../../aggregate/cut/askedKeys.js";
import type { KeyColumn, PartialSide } from "../../aggregate/partial/partialResult.js";
import { atOnce } from "../../base/schedule/steps.js";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { rescaleBatch } from "../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../store/columns/tableColumns.js";
import { OpenSegment } from "../../store/open/openSegment.js";
import { sealSegment } from "../../store/seal/sealSegment.js";
import { batchOfRows, type PlainRow } from "../../store/testing/plainRows.js";
import { decodeSide } from "../answer/decodeAnswer.js";
import { answerFollowUp } from "../answer/followUpAnswer.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { RadixCounts } from "../task/scanTask.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { createStringReader } from "../value/stringReader.js";

const { memory, kernel, leaf, scratch } = createScanMemory(256, 200);

const distinct = 90_000;
const segmentRows = 50_000;

/** Scattered over 55 bits, both signs. */
const keyOf = (n: number): bigint => BigInt.asIntN(55, BigInt(n + 1) * 0x9e3779b97f4a7c15n);

/** Some keys are frequent; every 40th row has none. */
function createRows(): PlainRow[][] {
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: 5 }, (_, segment) =>
    Array.from({ length: segmentRows }, (_, i): PlainRow => {
      const key = keyOf(Math.floor(distinct * next() ** 2));
      const time = segment * segmentRows + Math.floor(next() * segmentRows);
      return { time, values: new Map(i % 40 === 0 ? [] : [["n", key]]) };
    }),
  );
}

function queryOf(max: number): ResolvedQuery {
  const filter = { kind: "all" as const, filters: [] };
  return {
    table: "t",
    // Not the whole of the first segment.
    sides: [{ fromMs: 20_000, toMs: 10_000_000, filter, buckets: null }],
    groupBy: [{ kind: "column", column: "n", type: "int", decimals: 0 }],
    states: [{ kind: "rows" }, { kind: "weight" }],
    sample: null,
    cut: { max, bySeries: false, ranks: [{ by: { kind: "state", stateIndex: 0 }, desc: true }] },
  };
}

const parts = createRows();
const expected = new Map<string, number>();
for (const { time, values } of parts.flat()) {
  const key = String(values.get("n") ?? null);
  if (time >= 20_000) expected.set(key, (expected.get(key) ?? 0) + 1);
}

const columns = new TableColumns();
const views = parts.map((rows, index) => {
  const open = new OpenSegment(leaf, kernel);
  const batch = batchOfRows(rows);
  columns.take(batch);
  const ready = rescaleBatch(batch, (name) => columns.layoutOf(name));
  open.reserve(ready, (name) => columns.layoutOf(name));
  open.append(ready);
  // The last one stays open, its rows as they came.
  return index < 4 ? sealSegment(open.view(), index + 1, { memory: leaf, kernel }) : open.view();
});

function start(query: ResolvedQuery) {
  const queryMemory = new QueryMemory(leaf);
  const lowered = lowerNow(1, query, [views], queryMemory);
  const run = new ScanRun({ memory, kernel, scratch }, lowered.task);
  const sideOf = (answer: ScanAnswer) => decodeSide(answer.sides[0]!, lowered.components[0]!);
  return { queryMemory, lowered, run, sideOf };
}

function countsOf({ keys, states, groupCount }: PartialSide): Map<string, number> {
  const [key] = keys;
  const [rows, weight] = states;
  if (key?.kind !== "int" || rows?.kind !== "count" || weight?.kind !== "count") {
    throw new Error("integers and counts were asked for");
  }
  const counts = new Map<string, number>();
  for (let i = 0; i < groupCount; i++) {
    const text = key.present[i] === 1 ? String(key.values[i]) : "null";
    // Thrown, not expected: that alone took most of the test's time.
    if (counts.has(text)) throw new Error(`${text} is there twice`);
    if (weight.values[i] !== rows.values[i]) throw new Error(`${text} weighs more than its rows`);
    counts.set(text, rows.values[i]!);
  }
  return counts;
}

test("many sparse keys are counted as one by one, also during the scan", () => {
  const { queryMemory, run, sideOf } = start(queryOf(10_000_000));
  const moves: boolean[] = [];
  while (!run.done) {
    run.step();
    const partial = run.answer();
    const counts = countsOf(sideOf(partial));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBe(partial.rowsMatched);
    moves.push(partial.sides[0]!.isRadix);
  }
  const found = countsOf(sideOf(run.answer()));
  queryMemory.release();
  expect(found.size).toBe(expected.size);
  expect(found).toEqual(expected);
  // Hashed at first, then by radix: that is what this test is about.
  expect(moves[0]).toBe(false);
  expect(moves.at(-1)).toBe(true);
});

test("the cut keeps the largest, and a follow-up finds groups in the scan's tables", () => {
  const max = 30;
  const query = queryOf(max);
  const { queryMemory, lowered, run, sideOf } = start(query);
  while (!run.done) run.step();
  const answer = run.answer();
  const found = countsOf(sideOf(answer));
  const sorted = [...expected.values()].sort((a, b) => b - a);
  const threshold = sorted[max - 1]!;
  expect(found).toEqual(new Map([...expected].filter(([, count]) => count >= threshold)));
  expect(answer.sides[0]!.groupsCut).toBe(expected.size - found.size);

  const asked = [0, 7, distinct - 1, distinct, distinct + 1, 123].map(keyOf);
  const key: KeyColumn = {
    kind: "int",
    values: BigInt64Array.from([...asked, 0n]),
    present: Uint8Array.from([...asked.map(() => 1), 0]),
  };
  const groupCount = asked.length + 1;
  const only = { groupCount, keys: [printAskedKeys(key, groupCount)] };
  const kept = { query, lowered, answer, stats: noStats, memory: queryMemory };
  const texts = createTextReader(memory, kernel, scratch.pages);
  const strings = createStringReader(createColumnReader(memory), texts);
  const { sides } = atOnce(answerFollowUp(kept, only, { memory, kernel, scratch, strings }));
  const names = new Set([...asked.map(String), "null"]);
  expect(countsOf(sides[0]!)).toEqual(new Map([...expected].filter(([name]) => names.has(name))));
  queryMemory.release();
});

test("more groups than the table may have are refused by name, and so are keys that meet in one part", () => {
  const { queryMemory, lowered } = start(queryOf(10));
  const refused = (change: Partial<RadixCounts>, table: Partial<RadixTable>): unknown => {
    const [side] = lowered.task.sides;
    if (side?.table.kind !== "hash" || side.table.radix === null) throw new Error("no radix table");
    const { radix } = side.table;
    const changed = { ...radix, ...change, table: { ...radix.table, ...table } };
    const task = {
      ...lowered.task,
      sides: [{ ...side, table: { ...side.table, radix: changed } }],
    };
    const run = new ScanRun({ memory, kernel, scratch }, task);
    try {
      while (!run.done) run.step();
      run.answer();
      return null;
    } catch (error) {
      return error;
    }
  };
  expect(refused({}, {})).toBeNull();
  expect(refused({ groupsMax: expected.size }, {})).toBeNull();
  expect(refused({ groupsMax: expected.size - 1 }, {})).toMatchObject({ code: "too-many-groups" });
  expect(refused({}, { partSlots: 64 })).toMatchObject({ code: "query-memory" });
  queryMemory.release();
});

const noStats = {
  ...{ rowsHeld: 0, share: 1, rowsScanned: 0, rowsMatched: 0, bytesScanned: 0 },
  ...{ segments: 0, segmentsSkipped: 0, scanMs: 0 },
};
