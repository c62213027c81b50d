import { RE2JS } from "re2js";
import { beforeAll, expect, test } from "vitest";
import { Extents } from "../memory/extents.js";
import type { ResolvedFilter, ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { rescaleBatch } from "../store/columns/rescaleBatch.js";
import { TableColumns } from "../store/columns/tableColumns.js";
import { OpenSegment } from "../store/open/openSegment.js";
import { sealSegment } from "../store/seal/sealSegment.js";
import type { SealedSegment } from "../store/segment/sealedSegment.js";
import type { SegmentView, StoredSegment } from "../store/segment/segmentView.js";
import { batchOfRows, type PlainRow } from "../store/testing/plainRows.js";
import { compressText } from "../store/text/compressText.js";
import { decodeSide } from "./answer/decodeAnswer.js";
import { QueryMemory } from "./memory/queryMemory.js";
import { ScanRun } from "./run/scanRun.js";
import { lowerNow } from "./testing/lowerNow.js";
import { createScanMemory } from "./testing/scanMemory.js";

const { memory, kernel, leaf, scratch } = createScanMemory(384, 64);

const rowCount = 14_000;
const longText = `${"lorem ipsum ".repeat(90_000)}the needle in 1 MB`;
/**
 * Log lines of many pages, with all that is odd: empty, missing, 4-byte code points, 70 KB and 1
 * MB.
 */
const lineOf = (i: number): string | undefined => {
  if (i % 53 === 0) return undefined;
  if (i % 59 === 0) return "";
  if (i === 7001) return longText;
  if (i % 5_000 === 77) return `${"x".repeat(70_000)} needle ${i}`;
  if (i % 997 === 0) return `größer 😀 needle_${i % 7}`;
  if (i % 4 === 0)
    return `GET /api/v${i % 3}/users/${i} Status=${200 + (i % 5)} took ${i % 977} ms`;
  return `worker-${i % 16} request ${(i * 7919).toString(16)} ${i % 9 === 0 ? "Timed Out" : "ok"}`;
};
const rows: PlainRow[] = Array.from({ length: rowCount }, (_, i) => {
  const line = lineOf(i);
  const values = new Map([["few", `/api/v${i % 7}/x`]]);
  if (line !== undefined) values.set("line", line);
  return { time: 1_000_000 + ((i * 7919) % rowCount), values };
});

let forms: ReadonlyMap<string, SegmentView>;
beforeAll(async () => {
  const columns = new TableColumns();
  const layoutOf = (name: string) => columns.layoutOf(name);
  const batch = batchOfRows(rows);
  columns.take(batch);
  const appended = (): StoredSegment => {
    const open = new OpenSegment(leaf, kernel);
    const ready = rescaleBatch(batch, layoutOf);
    open.reserve(ready, layoutOf);
    open.append(ready);
    return open.view();
  };
  const coded = appended();
  columns.storeAsText("line");
  const open = appended();
  const raw: SealedSegment = sealSegment(open, 1, { memory: leaf, kernel });
  const pause = async (): Promise<void> => {};
  const templated = await compressText(raw, { memory: leaf, kernel, pause });
  // Without room to look for templates all is LZ4.
  const crowded = { ...leaf, queries: new Extents(0, 64) };
  const compressed = await compressText(raw, { memory: crowded, kernel, pause });
  expect(hasTemplates(templated!.segment)).toBe(true);
  expect(hasTemplates(compressed!.segment)).toBe(false);
  forms = new Map([
    ["coded", coded],
    ["open text", open],
    ["raw pages", raw],
    ["LZ4 pages", compressed!.segment],
    ["pages from templates", templated!.segment],
  ]);
});

function hasTemplates({ columns }: SegmentView): boolean {
  const text = columns.get("line");
  return text?.kind === "text" && text.templates !== null;
}

function run(view: SegmentView, filter: ResolvedFilter, groupBy: ResolvedQuery["groupBy"] = []) {
  const query: ResolvedQuery = {
    table: "t",
    sides: [{ fromMs: 0, toMs: 10_000_000, filter, buckets: null }],
    groupBy,
    states: [{ kind: "rows" }, { kind: "weight" }],
    sample: null,
    cut: { max: 1_000_000, bySeries: false, ranks: [] },
  };
  const queryMemory = new QueryMemory(leaf);
  const lowered = lowerNow(1, query, [[view]], queryMemory);
  const scan = new ScanRun({ memory, kernel, scratch }, lowered.task);
  while (!scan.done) scan.step();
  const [side] = scan.answer().sides.map((one, i) => decodeSide(one, lowered.components[i]!));
  queryMemory.release();
  const [counts] = side!.states;
  if (counts?.kind !== "count") throw new Error("rows are counted");
  return { side: side!, counts: counts.values };
}

const column = "line";
const contains = (needle: string) => ({
  kind: "contains" as const,
  column,
  needle,
  negated: false,
});
const match = (pattern: string) => ({ kind: "match" as const, column, pattern, negated: false });
const isOneOf = (...values: string[]) => ({
  kind: "strings" as const,
  column,
  values,
  negated: false,
});

type LineCondition = ReturnType<typeof contains | typeof match | typeof isOneOf>;

function naive(condition: LineCondition): number {
  const pattern = condition.kind === "match" ? RE2JS.compile(condition.pattern) : null;
  return rows.filter(({ values }) => {
    const line = values.get("line");
    if (typeof line !== "string") return false;
    if (condition.kind === "contains") return line.includes(condition.needle);
    return condition.kind === "strings" ? condition.values.includes(line) : pattern!.test(line);
  }).length;
}

const present = rows.filter(({ values }) => values.has("line")).length;

test.each([
  contains("needle"),
  contains("Timed Out"),
  contains("nowhere at all"),
  contains("o"),
  contains("😀 n"),
  contains("in 1 MB"),
  contains(longText),
  contains("x".repeat(66_000)),
  contains("ms GET"),
  match("needle"),
  match("(?i)TIMED out"),
  match("(?i)status=20[13]"),
  match("^GET /api/v[12]/users/\\d*7 "),
  match("needle_[3-5]$"),
  match("Status=20(1|4) took \\d+ ms"),
  match("."),
  match(""),
  match("^$"),
  match("\\pL{4}😀|größer"),
  isOneOf("größer 😀 needle_3", "worker-1 request 1eef ok", "nowhere"),
  isOneOf("", "x"),
  isOneOf(longText),
])("case %#: the same rows in every form, and all others when negated (C6, S78)", (condition) => {
  const expected = naive(condition);
  for (const [form, view] of forms) {
    const counted = [false, true].map(
      (negated) => run(view, { ...condition, negated }).counts[0] ?? 0,
    );
    expect([form, ...counted]).toEqual([form, expected, present - expected]);
  }
});

test("a literal that most texts have is not searched for again and again: the same rows", () => {
  const condition = match("e.*[0-9]");
  const expected = naive(condition);
  expect(
    rows.filter(({ values }) => String(values.get("line")).includes("e")).length,
  ).toBeGreaterThan(rows.length / 2);
  for (let time = 0; time < 10; time++) {
    for (const [form, view] of forms) {
      for (const negated of [false, true]) {
        const counted = run(view, { ...condition, negated }).counts[0];
        expect([time, form, counted]).toEqual([
          time,
          form,
          negated ? present - expected : expected,
        ]);
      }
    }
  }
});

test("groups by text, page after page, with rows in any order (S22)", () => {
  const expected = new Map<string | null, number>();
  for (const { values } of rows) {
    const line = (values.get("line") as string | undefined) ?? null;
    if (line === null || line.includes("e")) expected.set(line, (expected.get(line) ?? 0) + 1);
  }
  for (const [form, view] of forms) {
    const filter: ResolvedFilter = {
      kind: "any",
      filters: [contains("e"), { kind: "present", column, negated: true }],
    };
    const groupBy = [{ kind: "column" as const, column, type: "string" as const, decimals: 0 }];
    const { side, counts } = run(view, filter, groupBy);
    const [key] = side.keys;
    if (key?.kind !== "string") throw new Error("the key is a string");
    const found = new Map(
      Array.from(key.codes, (code, i) => [code < 0 ? null : key.dictionary[code]!, counts[i]!]),
    );
    expect([form, found.size]).toEqual([form, expected.size]);
    for (const [line, count] of expected) expect(found.get(line)).toBe(count);
  }
});

test("two patterns on one column in one query do not mix, on codes and on text (S78)", () => {
  const on = (name: string, ...patterns: string[]): ResolvedFilter => ({
    kind: "all",
    filters: patterns.map((pattern, i) => ({
      kind: "match",
      column: name,
      pattern,
      negated: i > 0,
    })),
  });
  for (const [form, view] of forms) {
    const few = run(view, on("few", "v[1-4]", "v[45]")).counts[0];
    expect([form, few]).toEqual([form, rows.filter((_, i) => [1, 2, 3].includes(i % 7)).length]);
    const line = run(view, on("line", "^worker-1", "worker-1[0-5]")).counts[0];
    const expected = rows.filter(({ values }) => {
      const text = (values.get("line") as string | undefined) ?? "";
      return /^worker-1/.test(text) && !/worker-1[0-5]/.test(text);
    });
    expect([form, line]).toEqual([form, expected.length]);
  }
});
