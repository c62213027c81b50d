import { expect, test } from "vitest";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import { partialOfRows } from "../../aggregate/testing/partialOfRows.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { answerOfLeaf } from "../../tree/testing/answerOfLeaf.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { row } from "../testing/rowLeaves.js";
import { failureNotes, resultNotes } from "./resultNotes.js";

const schema = createTableSchema("requests", [
  { name: "service", type: "string", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);
const completeness: TreeAnswers["completeness"] = {
  ...{ fraction: 1, rowsExpected: 1, rowsAnswered: 1 },
  leaves: { answered: 2, total: 2, missing: [] },
};

/** Of an answer for which leaves left groups out. */
function notesOf(more: object, leafCount: number, groupsCut = 1, isDecided = false): string {
  const query = {
    ...{ table: "requests", from: 0, to: 60_000, groupBy: ["service"] },
    aggregates: [{ fn: "count" }, { fn: "avg", column: "bytes" }],
    ...more,
  } as never;
  const split = resolveQuery(query, schema, 0);
  const partial = partialOfRows([row(1, "checkout", 10n)], split.resolved);
  const sides = partial.sides.map((side) => ({ ...side, groupsCut }));
  const answers = Array.from({ length: leafCount }, (_, i) => answerOfLeaf(`leaf-${i}`));
  const gathered = { completeness, failures: new Map(), answers };
  const result = { truncated: { groups: 1 }, rows: [], intervals: {}, noBars: [], barNotes: [] };
  const merged = { ...partial, sides };
  const notes = resultNotes(split, gathered, result, {
    merged,
    evidence: { kind: "whole" },
    isDecided,
  });
  return notes.map(({ text }) => text).join();
}

test("cut groups have a note where their merged values are unknown", () => {
  const byMean = { orderBy: [{ by: "avg_bytes", desc: true }] };
  expect(notesOf(byMean, 2)).toContain("first groups by avg_bytes");
  // One leaf knows its own; a count is no more than what each left out; nothing was left out.
  expect([notesOf(byMean, 1), notesOf({}, 2), notesOf(byMean, 2, 0)]).toEqual(["", "", ""]);
  const least = { orderBy: [{ by: "count" }] };
  expect(notesOf(least, 2)).toContain("first groups by count");
  expect(notesOf(least, 2, 1, true)).toBe("");
  const max = { aggregates: [{ fn: "max", column: "bytes" }] };
  const byMax = (desc: boolean) => ({ ...max, orderBy: [{ by: "max_bytes", desc }] });
  expect([notesOf(byMax(true), 2), notesOf({ orderBy: [{ by: "service" }] }, 2)]).toEqual(["", ""]);
  expect(notesOf(byMax(false), 2)).toContain("first groups by max_bytes");
  expect(notesOf({ compare: { offset: "1m" } }, 1)).toContain("first groups by count");
  const series = { groupBy: [{ time: "10s" }, "service"], series: 1 };
  expect(notesOf(series, 2)).toContain("first series by count");
  const having = { having: [{ column: "count", op: "=", value: 1 }] };
  expect(notesOf(having, 1)).toContain("may pass HAVING too");
  expect(notesOf(having, 1, 0)).toBe("");
});

test("constants beside counts are what they are, whatever is missing", () => {
  const calculate = [
    { as: "one", expression: { value: 1 } },
    { as: "key", expression: { fn: "upper", args: [{ column: "service" }] } },
    { as: "half", expression: { fn: "/", args: [{ column: "count" }, { value: 2 }] } },
  ];
  const query = { table: "requests", from: 0, to: 60_000, groupBy: ["service"], calculate };
  const split = resolveQuery(query as never, schema, 0);
  const merged = partialOfRows([row(1, "checkout", 10n)], split.resolved);
  const leaves = { answered: 1, total: 2, missing: ["leaf-1"] };
  const gathered = {
    completeness: { ...completeness, fraction: 0.5, leaves },
    failures: new Map(),
    answers: [],
  };
  const result = { truncated: null, rows: [], intervals: {}, noBars: [], barNotes: [] };
  const notes = resultNotes(split, gathered, result, {
    merged,
    evidence: { kind: "whole" },
    isDecided: true,
  });
  expect(notes.flatMap(({ column }) => column ?? [])).toEqual(["half"]);
});

test("as many groups as for HAVING are sent where exactly the first ones are wanted, but by their keys", () => {
  const cutOf = (more: object): number => {
    const query = { table: "requests", from: 0, to: 60_000, groupBy: ["service"], ...more };
    return resolveQuery({ ...query, limit: 3 } as never, schema, 0).resolved.cut.max;
  };
  expect(cutOf({})).toBe(100);
  expect(cutOf({ exact: true, orderBy: [{ by: "service" }] })).toBe(100);
  for (const more of [
    {},
    { orderBy: [{ by: "count" }] },
    { having: [{ column: "count", op: ">", value: 1 }] },
  ]) {
    expect(cutOf({ exact: true, ...more })).toBe(500_000);
  }
});

test("what has no bar says why, but counts, which have bounds", () => {
  const query = {
    ...{ table: "requests", from: 0, to: 60_000 },
    aggregates: [{ fn: "count" }, { fn: "avg", column: "bytes" }, { fn: "max", column: "bytes" }],
  } as const;
  const split = resolveQuery(query, schema, 0);
  const merged = partialOfRows([row(1, "checkout", 10n)], split.resolved);
  const part = { ...completeness, fraction: 0.5 };
  const gathered = { completeness: part, failures: new Map(), answers: [] };
  const noBars = ["other times", "too few leaves"] as const;
  const result = { truncated: null, rows: [], intervals: {}, noBars, barNotes: [] };
  const notes = resultNotes(split, gathered, result, {
    merged,
    evidence: { kind: "whole" },
    isDecided: false,
  });
  expect(notes.map(({ column }) => column)).toEqual(["max_bytes", "avg_bytes", "avg_bytes"]);
  expect(notes[1]?.text).toContain("rows of other times");
  expect(notes[2]?.text).toContain("fewer than two leaves");
});

test("rows that do not count for a damaged column have a note", () => {
  const answerOf = (rows: number) => {
    const { leaves, ...answer } = answerOfLeaf("leaf-1");
    const { stats } = leaves[0]!;
    const unreadable = { rows, columns: ["url", "ms"] };
    return {
      ...answer,
      leaves: [{ leafId: "leaf-1", done: true, stats: { ...stats, unreadable } }],
    };
  };
  const notes = failureNotes({ failures: new Map(), answers: [answerOf(3), answerOf(0)] });
  expect(notes).toEqual([
    {
      text: "3 rows on leaf-1 do not count: their values of url, ms are damaged. Questions that do not read them have these rows.",
    },
  ]);
});
