import { expect, test } from "vitest";
import { HadalError } from "../../problem/problem.js";
import { checkDocumentDraft } from "../checkDocument.js";
import { checkAnnotationQuery } from "./checkAnnotationQuery.js";

const body = {
  query: { table: "deploys", filter: [{ column: "env", op: "=", value: "prod" }] },
  ...{ titleColumn: "version", textColumn: "notes", tagColumns: ["team"], tables: ["requests"] },
};

function problemsOf(check: () => unknown): readonly (string | undefined)[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path }) => path);
  }
}

test.each([
  [body, []],
  [{ query: { table: "deploys" }, titleColumn: "version" }, []],
  [null, [""]],
  [{ titleColumn: "version" }, ["query"]],
  [{ ...body, titleColumn: undefined }, ["titleColumn"]],
  [{ ...body, textColumn: "" }, ["textColumn"]],
  [{ ...body, tagColumns: ["a", 5] }, ["tagColumns[1]"]],
  [{ ...body, tables: "requests" }, ["tables"]],
  [{ ...body, time: 0 }, ["time"]],
  [{ ...body, query: { ...body.query, from: "-1h" } }, ["query.from"]],
  [{ ...body, query: { ...body.query, filter: [{ op: "=" }] } }, ["query.filter[0].column"]],
  [{ ...body, query: { table: "" } }, ["query.table"]],
])("%.90j: each fault at its place", (value, paths) => {
  expect(problemsOf(() => checkAnnotationQuery(value)).slice(0, 1)).toEqual(paths);
});

test("a document of the kind annotation has a time, or a query", () => {
  const draft = (value: unknown) => ({ kind: "annotation", title: "Releases", body: value });
  expect(problemsOf(() => checkDocumentDraft(draft(body)))).toEqual([]);
  expect(problemsOf(() => checkDocumentDraft(draft({ time: 0 })))).toEqual([]);
  expect(problemsOf(() => checkDocumentDraft(draft({ query: {} })))).toContain("body.query.table");
});
