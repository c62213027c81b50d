import { describe, expect, it } from "vitest";
import { documentBytesMax, documentTitleMax } from "../document.js";
import { HadalError } from "../problem/problem.js";
import { checkDocumentDraft } from "./checkDocument.js";

const query = { table: "visits", from: "-3h", to: "now" };
const draft = { kind: "query", title: "Visits", body: { query } };

function problemsOf(value: unknown): readonly (string | undefined)[] {
  try {
    checkDocumentDraft(value);
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path }) => path);
  }
}

describe("checkDocumentDraft", () => {
  it("accepts a query with the address that shows it, and documents of other kinds", () => {
    const path = "/explore?v=1&table=visits";
    expect(checkDocumentDraft({ ...draft, body: { query, path } })).toEqual({
      ...draft,
      body: { query, path },
    });
    expect(problemsOf({ kind: "dashboard", title: "Übersicht", body: { sections: [] } })).toEqual(
      [],
    );
  });

  it.each([
    [null, [""]],
    [{}, ["kind", "title", "body"]],
    [{ ...draft, kind: "function" }, ["kind"]],
    [{ ...draft, kind: "toString" }, ["kind"]],
    [{ ...draft, title: "  " }, ["title"]],
    [{ ...draft, title: "a\u0000b" }, ["title"]],
    [{ ...draft, title: "x".repeat(documentTitleMax + 1) }, ["title"]],
    [{ ...draft, body: [] }, ["body"]],
    [{ ...draft, other: 1 }, ["other"]],
    [{ ...draft, id: "6f1c0d3e-8f0a-4a56-9a43-1f1f5bb0c9ad" }, []],
    [{ ...draft, id: "../x" }, ["id"]],
    [{ ...draft, body: {} }, ["body.query"]],
    [{ ...draft, body: { query: { ...query, from: 5, to: 4, limit: -1 } } }, expect.anything()],
    [{ ...draft, body: { query, path: "//evil.example" } }, ["body.path"]],
    [{ ...draft, body: { query, text: "x".repeat(documentBytesMax) } }, ["body"]],
    [{ ...draft, kind: "dashboard", body: { tiles: [] } }, ["body.tiles"]],
    [{ ...draft, kind: "dashboard", body: { sections: [{}] } }, ["body.sections[0].tiles"]],
  ])("%.60j is refused, each fault at its place", (value, paths) => {
    expect(problemsOf(value)).toEqual(paths);
  });

  it("names the place of a fault within the query", () => {
    const wrong = { ...query, filter: [{ column: "status", op: "?", value: 1 }] };
    expect(problemsOf({ ...draft, body: { query: wrong } })).toEqual(["body.query.filter[0].op"]);
  });
});
