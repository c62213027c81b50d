import type { AnnotationQuery, Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { annotationsOfRows, rowsQuery } from "./annotationRows.js";

const asked: AnnotationQuery = {
  ...{ id: "q", version: 3, title: "Releases", createdBy: "ann" },
  query: { table: "deploys", filter: [{ column: "env", op: "=", value: "prod" }] },
  ...{ titleColumn: "version", textColumn: "notes", tagColumns: ["team", "version"] },
};

const result = (rowsMatched: number, rows: Result["rows"], fraction = 1): Result =>
  ({
    columns: ["time", "version", "notes", "team"].map((name) => ({ name })),
    ...{ rows, stats: { rowsMatched } },
    completeness: { fraction, leaves: { missing: fraction === 1 ? [] : ["leaf-2"] } },
  }) as unknown as Result;

test("the query asks for the newest rows and each column once", () => {
  expect(rowsQuery(asked, { from: 1, to: 2 })).toMatchObject({
    ...{ table: "deploys", from: 1, to: 2, filter: asked.query.filter },
    sampleView: { columns: ["version", "notes", "team"] },
    orderBy: [{ by: "time", desc: true }],
  });
});

test("each row is an annotation; one without a title has that of the document", () => {
  const { annotations, note } = annotationsOfRows(
    asked,
    result(2, [
      [20, "v2", "<b>big</b>", ["web", "ops"]],
      [10n, null, null, null],
    ]),
  );
  expect(note).toBeNull();
  expect(annotations).toMatchObject([
    { id: "q/0", timeMs: 20, title: "v2", text: "<b>big</b>", tags: ["web, ops", "v2"] },
    { id: "q/1", timeMs: 10, title: "Releases", text: "", tags: [], tables: ["deploys"] },
  ]);
});

test("what was cut is said", () => {
  expect(annotationsOfRows(asked, result(3_400, [[1, "v1", null, null]])).note).toBe(
    "the newest 1 of 3.4 k “Releases”",
  );
});

test("rows that did not answer are said", () => {
  expect(annotationsOfRows(asked, result(1, [[1, "v1", null, null]], 0.5)).note).toBe(
    "“Releases” from 50 % of rows",
  );
});
