import { inspect } from "node:util";
import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { groupsToAskAgain } from "../../aggregate/cut/askedGroups.js";
import { cutGroups } from "../../aggregate/cut/cutGroups.js";
import { takeGroups } from "../../aggregate/merge/takeGroups.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { asListed } from "../../aggregate/state/histogram/histogramRuns.js";
import { atOnce } from "../../base/schedule/steps.js";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import { divideMemory } from "../../memory/leafMemory.js";
import type { AskedGroups, ResolvedGroup, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { rescaleBatch } from "../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../store/columns/tableColumns.js";
import { OpenSegment } from "../../store/open/openSegment.js";
import { batchOfRows, type PlainRow, type PlainValue } from "../../store/testing/plainRows.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { allocateScratch } from "../memory/scratch.js";
import { ScanRun } from "../run/scanRun.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createStringReader } from "../value/stringReader.js";
import { decodeSide } from "./decodeAnswer.js";
import { answerFollowUp } from "./followUpAnswer.js";

const memory = createSharedMemory(256 * 2 ** 20);
const kernel = createKernel(memory, loadKernelModuleSync());

const row: fc.Arbitrary<PlainRow> = fc.record({
  time: fc.integer({ min: 0, max: 9_999 }),
  values: fc
    .record({
      s: fc.option(fc.integer({ min: 0, max: 30 }).map((n) => `s${n}`)),
      t: fc.option(fc.integer({ min: 0, max: 40 }).map((n) => `t ${n}`)),
      // Close together, far apart, or both: a direct table, a hash table, or integers grouped by
      // their text.
      n: fc.option(fc.integer({ min: 0, max: 20 }).map((n) => BigInt(n))),
      wide: fc.option(fc.integer({ min: -40, max: 40 }).map((n) => BigInt(n) * 2n ** 45n)),
      widest: fc.option(fc.integer({ min: -15, max: 15 }).map((n) => BigInt(n) * 2n ** 58n)),
    })
    .map((values) => new Map(Object.entries(values).filter((entry) => entry[1] !== null)))
    .map((values) => values as ReadonlyMap<string, PlainValue>),
});

const column = (name: string, type: "int" | "string"): ResolvedGroup => ({
  kind: "column",
  column: name,
  type,
  decimals: 0,
});
const groupings: readonly (readonly ResolvedGroup[])[] = [
  [column("s", "string")],
  [{ kind: "time" }, column("s", "string")],
  [column("n", "int"), { kind: "time" }],
  [column("t", "string"), column("s", "string")],
  [column("wide", "int")],
  [{ kind: "time" }, column("wide", "int"), column("s", "string"), column("t", "string")],
  [column("widest", "int"), column("wide", "int"), column("n", "int")],
  [column("widest", "int"), { kind: "time" }],
];

test("groups of a follow-up come from the tables of the scan as from another scan", () => {
  let answeredCount = 0;
  fc.assert(
    fc.property(
      ...[fc.array(row, { minLength: 1, maxLength: 400 }), fc.array(row, { maxLength: 60 })],
      ...[fc.constantFrom(...groupings), fc.boolean()],
      (rows, others, groupBy, bySeries) => {
        const query = queryOf(groupBy, bySeries && groupBy.length > 1);
        const leaf = divideMemory(memory, kernelReservedBytes, 128 * 2 ** 20);
        const scratch = allocateScratch(leaf.queries);
        const texts = createTextReader(memory, kernel, scratch.pages);
        const strings = createStringReader(createColumnReader(memory), texts);
        const scan = (scanned: readonly PlainRow[]) => {
          const columns = new TableColumns();
          const batch = batchOfRows(scanned);
          columns.take(batch);
          if (columns.has("t")) columns.storeAsText("t");
          const layoutOf = (name: string) => columns.layoutOf(name);
          const open = new OpenSegment(leaf, kernel);
          const ready = rescaleBatch(batch, layoutOf);
          open.reserve(ready, layoutOf);
          open.append(ready);
          const queryMemory = new QueryMemory(leaf);
          const lowered = lowerNow(1, query, [[open.view()]], queryMemory);
          const run = new ScanRun({ memory, kernel, scratch }, lowered.task);
          while (!run.done) run.step();
          const answer = run.answer();
          const side = decodeSide(answer.sides[0]!, lowered.components[0]!);
          return { kept: { query, lowered, answer, stats: noStats, memory: queryMemory }, side };
        };
        // What to ask for: every other group of the rows, and groups that they may lack.
        const { kept, side } = scan(rows);
        const only = keysOf(scan([...others, ...rows.filter((_, i) => i % 2 === 0)]).side, query);
        let answered: PartialResult;
        try {
          answered = atOnce(answerFollowUp(kept, only, { memory, kernel, scratch, strings }));
        } catch (error) {
          // Every row was a group, and the table is full: such a question takes another scan.
          expect(error).toMatchObject({ code: "too-many-groups" });
          return;
        }
        answeredCount++;
        const wanted = cutGroups({ sides: [side], sample: null }, { ...query, only });
        expect(print(answered, query)).toEqual(print(wanted, query));
      },
    ),
    { numRuns: 120 },
  );
  // Chance makes the others: by far most are answered.
  expect(answeredCount).toBeGreaterThan(40);
});

const noStats = {
  ...{ rowsHeld: 0, share: 1, rowsScanned: 0, rowsMatched: 0, bytesScanned: 0 },
  ...{ segments: 0, segmentsSkipped: 0, scanMs: 0 },
};

function queryOf(groupBy: readonly ResolvedGroup[], bySeries: boolean): ResolvedQuery {
  const hasTime = groupBy.some(({ kind }) => kind === "time");
  return {
    table: "t",
    sides: [
      {
        ...{ fromMs: 0, toMs: 10_000, filter: { kind: "all", filters: [] } },
        buckets: hasTime ? { kind: "even", startMs: 0, stepMs: 1_000, count: 10 } : null,
      },
    ],
    groupBy,
    states: [
      { kind: "rows" },
      { kind: "weight" },
      { kind: "sum", column: "n", decimals: 0 },
      { kind: "max", column: "wide", decimals: 0 },
      { kind: "histogram", column: "n", decimals: 0 },
    ],
    sample: null,
    cut: { max: 1, bySeries: bySeries && hasTime, ranks: [] },
  };
}

/** Each key once, without the time bucket when the cut is by series; as it travels. */
function keysOf(side: PartialResult["sides"][number], query: ResolvedQuery): AskedGroups {
  const cut = { ...query.cut, max: 1_000_000 };
  const partial = { sides: [{ ...side, groupsCut: 1 }], sample: null };
  const parts = ["a", "b"].map((partId) => ({ partId, partial, done: true }));
  const again = groupsToAskAgain(parts, { ...query, cut });
  return JSON.parse(JSON.stringify(again!.of("one that said nothing")));
}

/** Groups by their keys, whatever their order. */
function print({ sides }: PartialResult, query: ResolvedQuery): string[] {
  return sides
    .flatMap((side) =>
      Array.from({ length: side.groupCount }, (_, group) => {
        const one = takeGroups(side, Uint32Array.of(group), query);
        const keys = one.keys.map((key) => {
          if (key.kind === "bucket") return key.indexes[0];
          if (key.kind === "int") return key.present[0] === 1 ? key.values[0] : null;
          return key.codes[0]! < 0 ? null : key.dictionary[key.codes[0]!];
        });
        const states = one.states.map((state) => {
          if (state.kind !== "histogram") return state;
          const listed = asListed(state);
          // How many bytes a weight takes depends on where it was added up.
          return { ...listed, weights: Array.from(listed.weights, Number) };
        });
        return inspect([keys, states], { depth: 5 });
      }),
    )
    .sort();
}
