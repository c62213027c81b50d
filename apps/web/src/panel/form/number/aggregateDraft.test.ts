import type { ColumnInfo } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { Plain } from "../../../query/number/aggregate.js";
import {
  type AggregateDraft,
  chosenColumn,
  draftOf,
  readDraft,
  savedFn,
} from "./aggregateDraft.js";

const column = (name: string, type: ColumnInfo["type"], unit?: string) =>
  ({ name, type, ...(unit !== undefined && { unit }) }) as ColumnInfo;
const columns = [
  column("time", "int"),
  column("size", "int"),
  column("latency_us", "int", "us"),
  column("user_id", "string"),
];
const draft = (part: Partial<AggregateDraft>): AggregateDraft => ({
  ...draftOf({ fn: "count" }),
  ...part,
});
const read = (part: Partial<AggregateDraft>) => readDraft(draft(part), columns, []);

test.each<Plain>([
  { fn: "count" },
  { fn: "count", where: { column: "size", op: ">", value: 5 }, as: "large" },
  { fn: "percentile", column: "latency_us", p: 99 },
  { fn: "sum", column: "size", per: "minute" },
  { fn: "pace", columns: ["size"], as: "speed" },
])("%j is read back from its draft", (spec) =>
  expect(readDraft(draftOf(spec), columns, [])).toEqual({ ok: true, spec }),
);

describe("the default column", () => {
  test.each([
    ["sum", "latency_us"],
    ["distinct", "user_id"],
    ["count", ""],
    ["count.raw", ""],
  ])("of %s is %j", (fn, expected) => expect(chosenColumn(draft({ fn }), columns)).toBe(expected));
  test("replaces a column that the function does not take", () => {
    expect(chosenColumn(draft({ fn: "sum", column: "user_id" }), columns)).toBe("latency_us");
    expect(chosenColumn(draft({ fn: "sum", column: "size" }), columns)).toBe("size");
  });
});

describe("a draft keeps only the fields that its function takes", () => {
  test("a rate of a maximum is dropped", () => {
    const result = read({ fn: "max", column: "size", per: "minute" });
    expect(result).toEqual({ ok: true, spec: { fn: "max", column: "size" } });
  });
  test("a condition of stored rows is dropped", () => {
    const where = { column: "size", op: ">" as const, value: 5 };
    expect(read({ fn: "count.raw", where })).toEqual({ ok: true, spec: { fn: "count.raw" } });
  });
  test("a saved function has its columns", () => {
    expect(read({ fn: savedFn("pace"), columns: ["size"], column: "latency_us" })).toEqual({
      ok: true,
      spec: { fn: "pace", columns: ["size"] },
    });
  });
});

test.each(["0", "100", "x"])("the percentile %s is invalid", (p) =>
  expect(read({ fn: "percentile", p })).toMatchObject({ ok: false }),
);

test("a table without numbers has no sum, and a name must be unique", () => {
  expect(readDraft(draft({ fn: "sum" }), [column("a", "string")], [])).toMatchObject({ ok: false });
  expect(readDraft(draft({}), columns, [{ fn: "count" }])).toMatchObject({ ok: false });
  expect(readDraft(draft({ as: "rows" }), columns, [{ fn: "count" }])).toMatchObject({ ok: true });
});
