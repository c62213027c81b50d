import { expect, test } from "vitest";
import { partialOfRows } from "../aggregate/testing/partialOfRows.js";
import { resolveQuery } from "../plan/resolveQuery.js";
import { createTableSchema } from "../plan/tableSchema.js";
import type { TreeAnswers } from "../tree/askLeaves.js";
import { resultNotes } from "./resultNotes.js";
import { row } from "./testing/rowLeaves.js";

const schema = createTableSchema("requests", [
  { name: "service", type: "string", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);
const completeness: TreeAnswers["completeness"] = {
  ...{ fraction: 1, rowsExpected: 1, rowsAnswered: 1 },
  leaves: { answered: 2, total: 2, missing: [] },
};

/** Of an answer for which leaves left groups out. */
function notesOf(more: object, leafCount: number, groupsCut = 1): string {
  const query = {
    ...{ table: "requests", from: 0, to: 60_000, groupBy: ["service"] },
    aggregates: [{ fn: "count" }, { fn: "avg", column: "bytes" }],
    ...more,
  } as never;
  const { resolved, finish } = resolveQuery(query, schema, 0);
  const partial = partialOfRows([row(1, "checkout", 10n)], resolved);
  const sides = partial.sides.map((side) => ({ ...side, groupsCut }));
  const answers = Array.from({ length: leafCount }) as unknown as TreeAnswers["answers"];
  const gathered = { completeness, failures: new Map(), answers };
  const result = { truncated: { groups: 1 }, rows: [], intervals: {} };
  const notes = resultNotes(finish, gathered, result, { ...partial, sides }, { kind: "whole" });
  return notes.map(({ text }) => text).join();
}

test("groups that leaves left out are told of where nobody knows what they come to", () => {
  const byMean = { orderBy: [{ by: "avg_bytes", desc: true }] };
  expect(notesOf(byMean, 2)).toContain("first groups by avg_bytes");
  // One leaf knows its own; a count is no more than what each left out; nothing was left out.
  expect([notesOf(byMean, 1), notesOf({}, 2), notesOf(byMean, 2, 0)]).toEqual(["", "", ""]);
  const having = { having: [{ column: "count", op: "=", value: 1 }] };
  expect(notesOf(having, 1)).toContain("may pass HAVING too");
  expect(notesOf(having, 1, 0)).toBe("");
});
