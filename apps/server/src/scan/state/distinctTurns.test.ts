import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { RE2JS } from "re2js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { StopController } from "../../base/schedule/stopController.js";
import type { TypedExpression, TypedFn } from "../../function/term/typedExpression.js";
import type {
  ResolvedDerived,
  ResolvedFilter,
  ResolvedQuery,
} from "../../plan/query/resolvedQuery.js";
import { LeafStore } from "../../store/leaf/leafStore.js";
import type { Table } from "../../store/table/table.js";
import { batchOfRows, type PlainRow } from "../../store/testing/plainRows.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { scanOnMainThread } from "../testing/scanOnMainThread.js";

const context = createScanMemory(512, 200);
const { kernel, leaf } = context;

/** Each takes RE2 many microseconds, and there are thousands of them. */
const lineOf = (i: number): string =>
  `${"some words that come before it ".repeat(40)}${i % 3 === 0 ? "needle" : "haystack"} ${i}`;
const lineCount = 24_000;
/** A column that repeats less is stored as text. */
const repeats = 3;
const batchRows = 12_000;
/** JavaScript's own engine would try repeated words again and again: it is not asked. */
const pattern = "(?:[a-z]+ )+needle [0-9]+$";

const rows: PlainRow[] = [
  // In a segment of its own, which has no such column.
  { time: 0, values: new Map([["other", "x"]]) },
  ...Array.from({ length: lineCount * repeats }, (_, i) => ({
    time: i + 1,
    values: new Map([["line", lineOf(Math.floor(i / repeats))]]),
  })),
];

let folder: string;
let table: Table;

async function append(own: readonly PlainRow[]): Promise<void> {
  const batchId = `from ${own[0]!.time}`;
  const batch = batchOfRows(own);
  await table.append({ batch, batchId, contentHash: "", bytes: new Uint8Array() });
  // The writer is at rest in the next turn.
  await setImmediate();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-distinct-turns-"));
  const warn = (text: string): void => expect.fail(text);
  const store = await LeafStore.open(folder, { memory: leaf, kernel, warn });
  table = await store.findOrCreate("events");
  await append(rows.slice(0, 1));
  table.sealOpen();
  for (let from = 1; from < rows.length; from += batchRows) {
    await append(rows.slice(from, from + batchRows));
  }
  expect(table.snapshot()[1]?.columns.get("line")?.kind).toBe("coded");
});
afterAll(async () => {
  await table.close();
  await rm(folder, { recursive: true });
});

const all: ResolvedFilter = { kind: "all", filters: [] };
const call = (fn: TypedFn, ...args: TypedExpression[]): TypedExpression => ({
  ...{ kind: "call", fn, args, type: "string", decimals: 0 },
});
const text = (value: string): TypedExpression => ({
  ...{ kind: "constant", type: "string", decimals: 0, value },
});
const firstInput: TypedExpression = { kind: "input", index: 0, type: "string", decimals: 0 };
const derive = (name: string, input: string, expression: TypedExpression): ResolvedDerived => ({
  ...{ index: -1, name, type: "string", decimals: 0 },
  inputs: [{ name: input, type: "string", decimals: 0 }],
  how: { kind: "expression", expression },
});
const int = (value: number): TypedExpression => ({
  ...{ kind: "constant", type: "int", decimals: 0, value: `${value}` },
});
const extracted = call("regexp_extract", firstInput, text(pattern), int(0));

function ask(filter: ResolvedFilter, derived: readonly ResolvedDerived[] = []): ResolvedQuery {
  return {
    table: "events",
    sides: [{ fromMs: 0, toMs: 1_000_000, filter, buckets: null }],
    groupBy: [],
    states: [{ kind: "rows" }, { kind: "weight" }],
    sample: null,
    cut: { max: 100, bySeries: false, ranks: [] },
    derived,
  };
}

const match = (column: string, of: string): ResolvedFilter => ({
  ...{ kind: "match", column, pattern: of, negated: false },
});
const found = rows.filter(({ values }) => {
  const line = values.get("line");
  return typeof line === "string" && RE2JS.compile(pattern).test(line);
}).length;

describe.each([
  ["a condition on a column", ask(match("line", pattern)), found],
  ["a derived column", ask(match("part", "needle"), [derive("part", "line", extracted)]), found],
])("%s of many distinct values", (_, query, expected) => {
  let wholeMs = 0;

  test("gives others their turns", async () => {
    const gapsMs: number[] = [];
    let lastMs = performance.now();
    const timer = setInterval(() => {
      gapsMs.push(performance.now() - lastMs);
      lastMs = performance.now();
    }, 1);
    const startMs = performance.now();
    const { stats } = await scanOnMainThread(context, query, table, 1);
    const tookMs = performance.now() - startMs;
    wholeMs = tookMs;
    clearInterval(timer);
    expect(stats.rowsMatched).toBe(expected);
    // Ten milliseconds are a turn; a machine with other work takes longer.
    expect(gapsMs.length).toBeGreaterThan(tookMs / 60);
  });

  test("stops soon after an abort, and gives all memory back", async () => {
    const before = leaf.queries.freeBytes;
    const controller = new StopController();
    const startMs = performance.now();
    const asked = scanOnMainThread(context, query, table, 1, controller.signal);
    setTimeout(() => controller.abort(), 1);
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
    expect(performance.now() - startMs).toBeLessThan(wholeMs / 2);
    expect(leaf.queries.freeBytes).toBe(before);
  });
});

test("a column derived from a derived one has its values in all segments", async () => {
  // The first segment knows of no lines: of the first column there is one value then, of which the
  // second is made.
  const start = call("substr", firstInput, int(1), int(4));
  const derived = [
    derive("start", "line", call("coalesce", start, text("none"))),
    derive("loud", "start", call("upper", firstInput)),
  ];
  const rowsWith = async (value: string): Promise<number> => {
    const query = ask(
      { kind: "strings", column: "loud", values: [value], negated: false },
      derived,
    );
    return (await scanOnMainThread(context, query, table, 1)).stats.rowsMatched;
  };
  expect(await rowsWith("NONE")).toBe(1);
  expect(await rowsWith("SOME")).toBe(lineCount * repeats);
});

test("a list that contains columns needs as many tables as it has columns", async () => {
  // Which lines are their own start, or the word: none, and the one row that has another column.
  const start = call("coalesce", call("substr", firstInput, int(1), int(4)), text("none"));
  const secondInput: TypedExpression = { ...firstInput, index: 1 };
  const isIn: TypedExpression = {
    ...{ kind: "call", fn: "in", type: "truth", decimals: 0 },
    args: [secondInput, firstInput, text("x")],
  };
  const derived = [
    derive("start", "line", start),
    {
      ...derive("isIn", "start", call("to_string", isIn)),
      inputs: ["start", "other"].map((name) => ({ name, type: "string", decimals: 0 }) as const),
    },
  ];
  const filter = { kind: "strings", column: "isIn", values: ["true"], negated: false } as const;
  const { stats } = await scanOnMainThread(context, ask(filter, derived), table, 1);
  expect(stats.rowsMatched).toBe(1);
});

test("values that come while a query is answered are not in its answer, and harm none", async () => {
  const distinct: ResolvedQuery = {
    ...ask(all),
    states: [{ kind: "distinct", column: "line", type: "string", decimals: 0 }],
  };
  const asked = [
    scanOnMainThread(context, ask(match("line", pattern)), table, 1),
    scanOnMainThread(context, distinct, table, 1),
    scanOnMainThread(context, distinct, table, 1),
  ];
  const late = Array.from({ length: 500 }, (_, i) => ({
    time: 500_000 + i,
    values: new Map([["line", lineOf(3 * (lineCount + i))]]),
  }));
  await append(late);
  const [matched, ...counted] = await Promise.all(asked);
  expect(matched!.stats.rowsMatched).toBe(found);
  expect(counted.map(({ partial }) => elementCount(partial))).toEqual([lineCount, lineCount]);
  const again = await scanOnMainThread(context, ask(match("line", pattern)), table, 1);
  expect(again.stats.rowsMatched).toBe(found + 500);
  expect(elementCount((await scanOnMainThread(context, distinct, table, 1)).partial)).toBe(
    lineCount + 500,
  );
});

function elementCount({ sides }: PartialResult): number {
  const [state] = sides[0]!.states;
  if (state?.kind !== "distinct" || state.form !== "elements") throw new Error("so few are listed");
  return state.elements.length / 2;
}
