import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Query } from "@hadal/sdk";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trials } from "../../../test/oracle/seed/seed.js";
import { finalizeResult } from "../../aggregate/finish/finalizeResult.js";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { LeafStore } from "../../store/leaf/leafStore.js";
import type { Table } from "../../store/table/table.js";
import { batchOfRows, type PlainRow, type PlainValue } from "../../store/testing/plainRows.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { scanOnMainThread } from "../testing/scanOnMainThread.js";

const context = createScanMemory(512, 200);
const { kernel, leaf } = context;
const rowsPerSegment = 3_000;
const segmentCount = 3;
/** Some rows a second: too few to add those of a second at a time, and their times have to be decoded. */
const stepMs = 100;
const schema = createTableSchema("events", [
  { name: "n", type: "int", decimals: 0 },
  { name: "s", type: "string", decimals: 0 },
  { name: "sample_rate", type: "int", decimals: 0 },
]);

let folder: string;
let table: Table;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-branches-"));
  const warn = (text: string): void => expect.fail(text);
  const store = await LeafStore.open(folder, { memory: leaf, kernel, warn });
  table = await store.findOrCreate("events");
  for (let segment = 0; segment < segmentCount; segment++) {
    const rows = Array.from({ length: rowsPerSegment }, (_, i) =>
      rowAt(segment * rowsPerSegment + i),
    );
    const batch = batchOfRows(rows);
    await table.append({ batch, batchId: `${segment}`, contentHash: "", bytes: new Uint8Array() });
    // The writer is at rest in the next turn.
    await setImmediate();
    if (segment < segmentCount - 1) table.sealOpen();
  }
  expect(table.snapshot().map(({ sorted }) => sorted)).toEqual([true, true, false]);
});
afterAll(async () => {
  await table.close();
  await rm(folder, { recursive: true });
});

function rowAt(at: number): PlainRow {
  const mixed = Math.imul(at, 0x9e3779b1) >>> 0;
  const values = new Map<string, PlainValue>();
  if (mixed % 5 !== 0) values.set("n", BigInt(mixed % 50));
  if (mixed % 7 !== 0) values.set("s", `text ${mixed % 4}`);
  if (mixed % 3 === 0) values.set("sample_rate", BigInt(1 + (mixed % 5)));
  // Times repeat and go back a little.
  return { time: at * stepMs - (mixed % 3) * stepMs, values };
}

const groupBy = fc.subarray<NonNullable<Query["groupBy"]>[number]>([{ time: "1s" }, "s", "n"]);
const aggregates = fc.subarray<NonNullable<Query["aggregates"]>[number]>(
  [
    { fn: "count" },
    { fn: "sum", column: "n" },
    { fn: "min", column: "n" },
    { fn: "percentile", column: "n", p: 90 },
    { fn: "distinct", column: "s" },
    { fn: "var_samp", column: "n" },
  ],
  { minLength: 1 },
);
const questions = fc.array(fc.record({ groupBy, aggregates }), { minLength: 2, maxLength: 6 });
const ranges = fc
  .tuple(fc.nat({ max: 700_000 }), fc.integer({ min: 1, max: 900_000 }))
  .map(([from, length]) => ({ from, to: from + length }));

/** What the answer says; the order of groups that are alike is the scan's. */
function rowsOf(partial: PartialResult, split: SplitQuery): readonly string[] {
  const { rows } = finalizeResult(partial, split);
  return rows.map((cells) => JSON.stringify(cells.map(String))).sort();
}

test("a branch says what its question says alone: by time, by values, of every state", async () => {
  await fc.assert(
    fc.asyncProperty(questions, ranges, fc.constantFrom(1, 2), async (asked, range, threads) => {
      const splits = asked.map((own) =>
        resolveQuery({ table: "events", ...range, ...own, limit: 5_000 }, schema, 0),
      );
      // The buckets of those that have some are the same.
      const { sides } = (
        splits.find(({ resolved }) => resolved.sides[0]!.buckets !== null) ?? splits[0]!
      ).resolved;
      const [first] = splits;
      const whole = {
        ...{ ...first!.resolved, sides, groupBy: [] },
        states: first!.resolved.states.slice(0, 2),
        cut: { max: 1, bySeries: false, ranks: [] },
        branches: splits.map(({ resolved: { groupBy, states, cut } }) => ({
          ...{ groupBy, states, cut },
        })),
      };
      const { partial } = await scanOnMainThread(context, whole, table, threads);
      for (const [i, split] of splits.entries()) {
        const alone = await scanOnMainThread(context, split.resolved, table, threads);
        const branch = partial.branches?.[i] ?? null;
        expect(branch && rowsOf(branch, split)).toEqual(rowsOf(alone.partial, split));
      }
    }),
    { numRuns: trials(15, 40) },
  );
});
