import { describe, expect, test } from "vitest";
import { checkFacets } from "../model/check/checkFacets.js";
import { facetColumnsMax, facetLimitMax } from "../model/facets.js";
import { HadalError } from "../model/problem/problem.js";
import { schemas } from "./schemas.js";
import { createValidator } from "./testing/schemaValidator.js";

const validate = createValidator(schemas)("FacetsRequest");

const sound = { table: "requests", from: "-3h", to: "now" };

function refusalsOf(request: unknown): string[] {
  try {
    checkFacets(request);
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path, code }) => `${path}: ${code}`);
  }
}

describe("a request for facets", () => {
  test.each([
    ["the least", sound],
    [
      "everything",
      {
        ...sound,
        timeZone: "Europe/Berlin",
        filter: [{ column: "status", op: ">=", value: 500 }],
        derive: [{ as: "slow", js: "(row) => row.ms > 5" }],
        columns: ["country", "__proto__"],
        limit: facetLimitMax,
        timeoutMs: 5_000,
      },
    ],
  ])("%s is taken, by the schema too", (_, request) => {
    expect(checkFacets(request)).toBe(request);
    expect(validate(request)).toBe(true);
  });

  test.each([
    ["no table", { from: 0, to: 1 }, "table: missing"],
    ["no time", { table: "t", to: "now" }, "from: time-range-missing"],
    ["an unknown key", { ...sound, groupBy: ["a"] }, "groupBy: unknown-key"],
    ["a column without a name", { ...sound, columns: ["a", ""] }, "columns[1]: invalid-name"],
    ["columns that are no list", { ...sound, columns: "a" }, "columns: type-mismatch"],
    [
      "too many columns",
      { ...sound, columns: Array.from({ length: facetColumnsMax + 1 }, (_, i) => `c${i}`) },
      "columns: too-many",
    ],
    ["no values", { ...sound, limit: 0 }, "limit: out-of-range"],
    ["too many values", { ...sound, limit: facetLimitMax + 1 }, "limit: out-of-range"],
    [
      "a broken filter",
      { ...sound, filter: [{ column: "a", op: "≈" }] },
      "filter[0].op: unknown-operator",
    ],
  ])("%s is refused with its place, by the schema too", (_, request, refusal) => {
    expect(refusalsOf(request)).toContain(refusal);
    expect(validate(request)).toBe(false);
  });
});
